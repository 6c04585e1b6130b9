//! Carrying out commands.

use agentsview_api::{ExitCode, VersionDocument};
use clap::CommandFactory;

use crate::cli::{Cli, Command};
use crate::failure::Failure;
use crate::output::Output;
use crate::render;

/// Carries out one command.
pub(crate) fn run(cli: &Cli) -> Result<Output, Failure> {
    let format = cli.output.format();
    match &cli.command {
        Command::Version => Output::document(format, &version(), render::version),
        Command::Completion { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "agentsview", &mut script);
            Ok(Output::text(String::from_utf8_lossy(&script).into_owned()))
        }
        _ => Err(Failure::new(
            ExitCode::Failure,
            "this command is not part of this build",
        )),
    }
}

/// This program. The commit and the date are known only to builds that were told them.
fn version() -> VersionDocument {
    let told = |value: Option<&str>| value.unwrap_or_default().to_owned();
    VersionDocument {
        schema_version: VersionDocument::SCHEMA_VERSION,
        name: env!("CARGO_PKG_NAME").to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: told(option_env!("AGENTSVIEW_BUILD_COMMIT")),
        build_date: told(option_env!("AGENTSVIEW_BUILD_DATE")),
    }
}
