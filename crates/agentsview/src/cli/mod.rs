//! The command line: every command, flag and argument, and nothing of what they do.

mod filter;
mod number;
mod recall;
mod review;
mod secrets;
mod session;
mod transfer;
mod usage;
mod word;

use agentsview_api::ExitCode;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::failure::Failure;

pub(crate) use filter::Surroundings;
pub(crate) use recall::{ImportArgs, ImportInput, RankingArgs, RecallCommand};
pub(crate) use review::{
    AcceptArgs, ChangeArgs, DecideCommand, QueueArgs, ReviewArgs, ReviewCommand,
};
pub(crate) use secrets::SecretsCommand;
pub(crate) use session::{DeleteArgs, SessionCommand};
pub(crate) use transfer::{ExportArgs, ResetArgs, RestoreArgs};
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
    /// Why what was asked for does not go together, if it does not.
    fn refusal(&self) -> Option<Failure> {
        let (name, text) = match &self.command {
            Command::Demo => ("demo", "a walk to read"),
            Command::Completion { .. } => ("completion", "a shell script"),
            Command::Recall(RecallCommand::Review(ReviewArgs { command: None, .. })) => {
                ("recall review", "pages to work through")
            }
            // The parser could refuse this, but it would refuse `review --json list` with it.
            Command::Recall(RecallCommand::Review(args)) => {
                return (!args.queue.is_plain()).then(|| {
                    Failure::usage("the flags before the command are for a review at the terminal")
                        .hint("put them behind the command, as in `recall review list --limit 3`")
                });
            }
            Command::Recall(RecallCommand::Export(args)) if args.is_the_answer() => {
                return (self.output.format() == Format::Json).then(|| {
                    Failure::usage("the export itself is the answer and has a form of its own")
                        .hint("write it to a file with --output, or leave out --json")
                });
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
    #[arg(
        long,
        global = true,
        display_order = 900,
        value_parser = format_words(FormatWord::ANSWERS),
        default_value = FormatWord::Human.as_str()
    )]
    format: FormatWord,
    /// Write one JSON document; wins over --format
    #[arg(long, global = true, display_order = 901)]
    json: bool,
}

impl OutputArgs {
    /// The form of the answer; `--json` wins.
    pub(crate) fn format(self) -> Format {
        if self.json || self.format == FormatWord::Json {
            Format::Json
        } else {
            Format::Human
        }
    }
}

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Laid out for a person.
    Human,
    /// One JSON document on one line.
    Json,
}

/// A word behind `--format`: everywhere it is the form of the answer, behind `recall export` the
/// form of the export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormatWord {
    Human,
    Json,
    Backup,
    Jsonl,
    ClaudeMd,
    AgentsMd,
}

impl FormatWord {
    const ANSWERS: &'static [Self] = &[Self::Human, Self::Json];
    const EXPORTS: &'static [Self] = &[Self::Backup, Self::Jsonl, Self::ClaudeMd, Self::AgentsMd];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
            Self::Backup => "backup",
            Self::Jsonl => "jsonl",
            Self::ClaudeMd => "claude-md",
            Self::AgentsMd => "agents-md",
        }
    }

    const fn help(self) -> &'static str {
        match self {
            Self::Human => "Laid out for a person",
            Self::Json => "One JSON document on one line",
            Self::Backup => "Everything of Recall, for `recall restore`",
            Self::Jsonl => "One entry a line, for `recall import`",
            Self::ClaudeMd => "A fragment for CLAUDE.md",
            Self::AgentsMd => "A fragment for AGENTS.md",
        }
    }
}

/// Reads one of these words.
fn format_words(words: &'static [FormatWord]) -> impl TypedValueParser<Value = FormatWord> {
    let values = words
        .iter()
        .map(|word| PossibleValue::new(word.as_str()).help(word.help()));
    PossibleValuesParser::new(values).map(move |text| {
        let known = words.iter().find(|word| word.as_str() == text);
        known.copied().unwrap_or(FormatWord::Human)
    })
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
        for name in [
            "query", "brief", "list", "import", "export", "restore", "reset",
        ] {
            let help = recall.find_subcommand_mut(name).unwrap().render_help();
            insta::assert_snapshot!(format!("help_recall_{name}"), help);
        }
        let review = recall.find_subcommand_mut("review").unwrap();
        insta::assert_snapshot!("help_recall_review", review.render_help());
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
