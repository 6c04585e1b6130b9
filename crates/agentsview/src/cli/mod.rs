//! The command line: every command, flag and argument, and nothing of what they do.

mod filter;
mod number;
mod recall;
mod review;
mod secrets;
mod session;
mod usage;
mod word;

use agentsview_api::ExitCode;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::failure::Failure;

pub(crate) use filter::Surroundings;
pub(crate) use recall::{ImportArgs, ImportInput, RankingArgs, RecallCommand};
pub(crate) use review::{
    AcceptArgs, ChangeArgs, DecideCommand, QueueArgs, ReviewArgs, ReviewCommand,
};
pub(crate) use secrets::SecretsCommand;
pub(crate) use session::{DeleteArgs, SessionCommand};
pub(crate) use usage::{Parsed, parse};

/// A local archive of coding-agent sessions, and the trusted memory distilled from them.
#[derive(Debug, Parser)]
#[command(
    name = "agentsview",
    version,
    after_long_help = exit_code_table(),
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Why the command cannot answer in the form that was asked for, if it cannot.
    fn refusal(&self) -> Option<Failure> {
        let (name, text) = match &self.command {
            Command::Demo => ("demo", "a walk to read"),
            Command::Completion { .. } => ("completion", "a shell script"),
            Command::Recall(RecallCommand::Review(ReviewArgs { command: None })) => {
                ("recall review", "pages to work through")
            }
            _ => return None,
        };
        (self.output.format() == Format::Json).then(|| {
            Failure::usage(format!("`{name}` writes {text} and has no JSON"))
                .hint("leave out --json and --format")
        })
    }
}

/// How to write the answer.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct OutputArgs {
    /// How to write the answer
    #[arg(long, global = true, display_order = 900, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// Write one JSON document; wins over --format
    #[arg(long, global = true, display_order = 901)]
    json: bool,
}

impl OutputArgs {
    /// The form of the answer; `--json` wins.
    pub(crate) fn format(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Laid out for a person
    Human,
    /// One JSON document on one line
    Json,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Bring new and changed session files into the archive
    Sync(SyncArgs),
    /// Look at archived sessions
    #[command(subcommand, arg_required_else_help = true)]
    Session(SessionCommand),
    /// Find credentials in archived sessions
    #[command(subcommand, arg_required_else_help = true)]
    Secrets(SecretsCommand),
    /// Ask for what earlier sessions taught
    #[command(subcommand, arg_required_else_help = true)]
    Recall(RecallCommand),
    /// Try everything on an invented archive that is thrown away afterwards
    Demo,
    /// Write the completion script of a shell
    Completion {
        /// The shell
        shell: Shell,
    },
    /// Say which version this is
    Version,
}

/// Flags of `sync`.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct SyncArgs {
    /// Read every session file again, changed or not
    #[arg(long)]
    pub(crate) full: bool,
}

/// The exit codes as a help text.
fn exit_code_table() -> String {
    ExitCode::ALL
        .iter()
        .map(|exit| format!("\n  {}  {}", exit.code(), exit.meaning()))
        .fold("Exit codes:".to_owned(), |table, row| table + &row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_tree_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_long_help_holds_the_exit_codes() {
        let help = Cli::command().render_long_help().to_string();
        insta::assert_snapshot!("help", help);
        for exit in ExitCode::ALL {
            assert!(help.contains(exit.meaning()), "{exit:?}");
        }
    }

    // S-C02 to S-C05
    #[test]
    fn the_help_of_a_query_lists_every_flag() {
        let mut cli = Cli::command();
        cli.build();
        let recall = cli.find_subcommand_mut("recall").unwrap();
        for name in ["query", "brief", "list", "import"] {
            let help = recall.find_subcommand_mut(name).unwrap().render_help();
            insta::assert_snapshot!(format!("help_recall_{name}"), help);
        }
        let review = recall.find_subcommand_mut("review").unwrap();
        for name in ["list", "accept", "edit"] {
            let help = review.find_subcommand_mut(name).unwrap().render_help();
            insta::assert_snapshot!(format!("help_recall_review_{name}"), help);
        }
    }

    // S-C07
    #[test]
    fn json_wins_over_a_format() {
        let cli = Cli::try_parse_from(["agentsview", "version", "--json", "--format", "human"]);
        assert_eq!(cli.unwrap().output.format(), Format::Json);
        let cli = Cli::try_parse_from(["agentsview", "--format", "json", "version"]);
        assert_eq!(cli.unwrap().output.format(), Format::Json);
        let cli = Cli::try_parse_from(["agentsview", "version"]);
        assert_eq!(cli.unwrap().output.format(), Format::Human);
    }
}
