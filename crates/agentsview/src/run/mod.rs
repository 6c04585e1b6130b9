//! Carrying out commands: each opens what it needs, asks, and hands back a document.

mod endings;
mod place;
mod progress;
mod question;
mod recall;
pub(crate) mod review;
mod saved_file;
mod secrets;
mod session;
mod sync;
mod transfer;
mod trash;

use agentsview_api::{ExitCode, VersionDocument};
use clap::CommandFactory;

use crate::cli::{Cli, Command};
use crate::demo;
use crate::failure::Failure;
use crate::output::Output;
use crate::render;

pub(crate) use place::Place;

/// Carries out one command at a place.
pub(crate) fn run(cli: &Cli, place: &Place) -> Result<Output, Failure> {
    let format = cli.output.format();
    match &cli.command {
        Command::Version => Output::document(format, &version(), render::version),
        Command::Completion { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "agentsview", &mut script);
            Ok(Output::text(String::from_utf8_lossy(&script).into_owned()))
        }
        Command::Demo => demo::demo(),
        Command::Sync(args) => block_on(sync::sync(args, place, format)),
        Command::Session(command) => block_on(session::run(command, place, format)),
        Command::Secrets(command) => block_on(secrets::run(command, place, format)),
        Command::Recall(command) => block_on(recall::run(command, place, format)),
    }
}

fn block_on<T>(command: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| {
            Failure::new(
                ExitCode::Failure,
                format!("cannot start the runtime: {error}"),
            )
        })?
        .block_on(command)
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
