//! `agentsview recall`.

use std::path::{Path, PathBuf};

use clap::{ArgAction, Args, Subcommand};
use recall_core::{EntryFilter, EntryId, QueryMode};
use recall_engine::{ImportOptions, SessionPolicy};

use super::filter::{FilterArgs, Surroundings};
use super::review::{EntryArg, ReverifyArgs, ReviewArgs};
use super::transfer::{ExportArgs, ResetArgs, RestoreArgs};
use super::word::word;
use crate::failure::Failure;
use agentsview_api::ExitCode;

/// What to do with recall entries.
#[derive(Debug, Subcommand)]
pub(crate) enum RecallCommand {
    /// List entries, latest first
    List(Box<ListArgs>),
    /// Show one entry with its standing, whatever its status
    Get(GetArgs),
    /// Count entries by their properties
    Stats(Box<StatsArgs>),
    /// Rank entries for a question
    Query(Box<QueryArgs>),
    /// Pack what is known about a task into one text
    Brief(Box<BriefArgs>),
    /// Import reviewed entries from a JSONL file
    Import(ImportArgs),
    /// Judge the entries that wait for a person: alone it opens them at the terminal, one by one
    Review(ReviewArgs),
    /// Show what became of an entry: its chain, its decisions, its earlier wordings
    History(EntryArg),
    /// Take the latest decision back
    Undo,
    /// Verify the evidence of entries against the transcripts again
    Reverify(ReverifyArgs),
    /// Write entries for another place: a backup, JSONL, or a fragment of Markdown
    Export(Box<ExportArgs>),
    /// Bring a backup back
    Restore(RestoreArgs),
    /// Forget every entry, after a backup; the archived sessions stay
    Reset(ResetArgs),
}

/// Flags of `recall list`.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Rank by these words instead of by time
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) query: String,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    pub(crate) trusted: TrustedArgs,
    /// At most this many entries; 0 means 50, and 500 is the most
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) limit: Option<i64>,
}

/// Flags of `recall get`.
#[derive(Debug, Args)]
pub(crate) struct GetArgs {
    /// The entry's id
    #[arg(value_parser = |text: &str| EntryId::new(text))]
    pub(crate) id: EntryId,
    /// Show every evidence row with its snippet
    #[arg(long)]
    pub(crate) evidence: bool,
}

/// Flags of `recall stats`.
#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// Count only what these words find
    #[arg(
        long,
        value_name = "TEXT",
        default_value = "",
        hide_default_value = true
    )]
    pub(crate) query: String,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    pub(crate) trusted: TrustedArgs,
    /// Count at most this many entries; 0 means all
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) limit: Option<i64>,
}

/// Arguments of `recall query`.
#[derive(Debug, Args)]
pub(crate) struct QueryArgs {
    /// The question
    pub(crate) text: String,
    #[command(flatten)]
    pub(crate) ranking: RankingArgs,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    #[command(flatten)]
    pub(crate) trusted: TrustedArgs,
    /// Pack the entries into one text for a model
    #[arg(long)]
    pub(crate) context: bool,
}

/// Arguments of `recall brief`.
#[derive(Debug, Args)]
pub(crate) struct BriefArgs {
    /// The task at hand
    pub(crate) task: String,
    #[command(flatten)]
    pub(crate) ranking: RankingArgs,
    #[command(flatten)]
    pub(crate) filter: FilterArgs,
    /// Only entries that may be trusted; on unless given as =false
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        action = ArgAction::Set
    )]
    pub(crate) trusted_only: Option<bool>,
    /// Leave out entries that read like instructions; on where only trusted entries are wanted
    #[arg(long, conflicts_with = "include_flagged")]
    pub(crate) exclude_flagged: bool,
    /// Pack entries that read like instructions too, each with the reason beside it
    #[arg(long)]
    pub(crate) include_flagged: bool,
    /// Accepted so that a query can be turned into a brief by changing one word
    #[arg(long, hide = true)]
    context: bool,
}

/// What an entry must be to be shown, off unless given.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct TrustedArgs {
    /// Only entries that may be trusted
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value_t = false,
        default_missing_value = "true",
        action = ArgAction::Set
    )]
    pub(crate) trusted_only: bool,
    /// Leave out entries that read like instructions
    #[arg(long)]
    pub(crate) exclude_flagged: bool,
}

impl BriefArgs {
    /// The filter of the brief: what `brief` asks for, unless the flags say otherwise. Who asks for
    /// entries that nobody vouches for wants to see them all.
    pub(crate) fn filter(
        &self,
        brief: &EntryFilter,
        surroundings: Surroundings<'_>,
    ) -> Result<EntryFilter, Failure> {
        let trusted_only = self.trusted_only.unwrap_or(brief.trusted_only);
        let unless_told = brief.exclude_flagged && trusted_only && !self.include_flagged;
        Ok(EntryFilter {
            exclude_flagged: self.exclude_flagged || unless_told,
            ..self.filter.resolve(trusted_only, surroundings)?
        })
    }
}

impl TrustedArgs {
    /// The filter that `filter` describes, with what an entry must be.
    pub(crate) fn filter(
        self,
        filter: &FilterArgs,
        surroundings: Surroundings<'_>,
    ) -> Result<EntryFilter, Failure> {
        Ok(EntryFilter {
            exclude_flagged: self.exclude_flagged,
            ..filter.resolve(self.trusted_only, surroundings)?
        })
    }
}

/// How to rank, and what to show of it (S-C03, S-C05).
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct RankingArgs {
    /// How to rank
    #[arg(
        long,
        value_name = "MODE",
        default_value = QueryMode::Lexical.as_str(),
        value_parser = word::<QueryMode>(QueryMode::WORDS)
    )]
    pub(crate) mode: QueryMode,
    /// At most this many entries; 0 means 50, and 500 is the most
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) limit: Option<i64>,
    /// At most this many bytes of packed text; 0 means 4000
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true)]
    pub(crate) context_max_bytes: Option<i64>,
    /// Show the parts of each score
    #[arg(long)]
    pub(crate) scores: bool,
    /// Show the evidence of each entry
    #[arg(long)]
    pub(crate) evidence: bool,
    /// Show counts over the entries
    #[arg(long)]
    pub(crate) summary: bool,
}

/// Arguments of `recall import` (S-R01).
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The JSONL file; - is standard input
    file: PathBuf,
    /// Check every line and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Write; without it and without --dry-run nothing is imported
    #[arg(long)]
    yes: bool,
    /// Import the good lines although others are unusable
    #[arg(long)]
    keep_going: bool,
    /// Import into the default data directory
    #[arg(long)]
    allow_production_import: bool,
    /// Refuse lines whose session is not in the archive; on unless given as =false
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    require_existing_sessions: Option<bool>,
    /// Stand in for sessions that are not in the archive; such entries are never trusted
    #[arg(long)]
    allow_placeholder_sessions: bool,
    /// Import through a running server; this version refuses it
    #[arg(long, value_name = "URL", hide = true)]
    server: Option<String>,
    /// Write through --server; this version refuses it
    #[arg(long, hide = true)]
    allow_remote_import: bool,
}

/// An import that may be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ImportPlan {
    /// Where the lines are.
    pub(crate) input: ImportInput,
    /// How to import it.
    pub(crate) options: ImportOptions,
    /// Whether the user confirmed that it may write.
    pub(crate) confirmed: bool,
    /// Whether the default data directory may be written to.
    pub(crate) allow_production_import: bool,
}

/// Where the lines of an import come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ImportInput {
    /// Standard input.
    Stdin,
    /// A file, as given or under the home directory.
    File(PathBuf),
}

impl ImportInput {
    /// What a person calls `file`; `-` is standard input.
    pub(super) fn of(file: &Path, surroundings: Surroundings<'_>) -> Result<Self, Failure> {
        match file.to_str() {
            Some("-") => Ok(Self::Stdin),
            _ => surroundings.file(file).map(Self::File),
        }
    }
}

impl ImportArgs {
    /// What the flags together ask for. Refuses what contradicts itself or needs a server,
    /// before anything is read.
    pub(crate) fn plan(&self, surroundings: Surroundings<'_>) -> Result<ImportPlan, Failure> {
        if self.require_existing_sessions == Some(true) && self.allow_placeholder_sessions {
            return Err(Failure::usage(
                "--require-existing-sessions and --allow-placeholder-sessions contradict each other",
            )
            .hint("give one of them"));
        }
        if self.server.is_some() || self.allow_remote_import {
            return Err(Failure::new(
                ExitCode::Refused,
                "this version has no server support, so it cannot import through one",
            )
            .hint("leave out --server and --allow-remote-import"));
        }
        let verified =
            !self.allow_placeholder_sessions && self.require_existing_sessions != Some(false);
        Ok(ImportPlan {
            input: ImportInput::of(&self.file, surroundings)?,
            options: ImportOptions {
                dry_run: self.dry_run,
                sessions: if verified {
                    SessionPolicy::RequireExisting
                } else {
                    SessionPolicy::AllowPlaceholder
                },
                keep_going: self.keep_going,
            },
            confirmed: self.yes,
            allow_production_import: self.allow_production_import,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;

    fn recall(words: &[&str]) -> RecallCommand {
        let words = ["agentsview", "recall"].iter().chain(words);
        match Cli::try_parse_from(words).unwrap().command {
            Command::Recall(command) => command,
            other => panic!("{other:?}"),
        }
    }

    fn plan(flags: &[&str]) -> Result<ImportPlan, Failure> {
        let words: Vec<_> = ["import", "~/reviewed.jsonl"]
            .iter()
            .chain(flags)
            .copied()
            .collect();
        let RecallCommand::Import(args) = recall(&words) else {
            panic!("no import");
        };
        args.plan(Surroundings {
            home: Some(Path::new("/home/ada")),
            working_dir: Path::new("/tmp"),
        })
    }

    // S-C03
    #[test]
    fn a_query_is_lexical_and_untrusted_unless_told_otherwise() {
        let RecallCommand::Query(args) = recall(&["query", "flaky pool"]) else {
            panic!("no query");
        };
        assert_eq!(args.ranking.mode, QueryMode::Lexical);
        assert!(!args.trusted.trusted_only && !args.context);

        let RecallCommand::Query(args) =
            recall(&["query", "flaky pool", "--trusted-only", "--mode", "hybrid"])
        else {
            panic!("no query");
        };
        assert_eq!(args.ranking.mode, QueryMode::Hybrid);
        assert!(args.trusted.trusted_only);
    }

    #[test]
    fn a_brief_is_trusted_only_unless_told_otherwise() {
        let RecallCommand::Brief(args) = recall(&["brief", "fix the pool"]) else {
            panic!("no brief");
        };
        assert_eq!(args.trusted_only, None, "the engine's brief decides");
        let RecallCommand::Brief(args) = recall(&["brief", "fix it", "--trusted-only=false"])
        else {
            panic!("no brief");
        };
        assert_eq!(args.trusted_only, Some(false));
    }

    // B-08
    #[test]
    fn a_trusted_brief_leaves_out_what_reads_like_instructions_unless_told_otherwise() {
        let surroundings = Surroundings {
            home: None,
            working_dir: Path::new("/tmp"),
        };
        for (flags, exclude_flagged) in [
            (&[][..], true),
            (&["--include-flagged"], false),
            (&["--trusted-only=false"], false),
            (&["--trusted-only=false", "--exclude-flagged"], true),
        ] {
            let words: Vec<_> = ["brief", "fix it"].iter().chain(flags).copied().collect();
            let RecallCommand::Brief(args) = recall(&words) else {
                panic!("no brief");
            };
            let brief = recall_engine::QueryRequest::brief("fix it").filter;
            let filter = args.filter(&brief, surroundings).unwrap();
            assert_eq!(filter.exclude_flagged, exclude_flagged, "{flags:?}");
        }
        let RecallCommand::List(args) = recall(&["list", "--exclude-flagged"]) else {
            panic!("no list");
        };
        assert!(
            args.trusted
                .filter(&args.filter, surroundings)
                .unwrap()
                .exclude_flagged
        );
    }

    #[test]
    fn a_negative_limit_reaches_the_engine_which_refuses_it() {
        let RecallCommand::List(args) = recall(&["list", "--limit", "-1"]) else {
            panic!("no list");
        };
        assert_eq!(args.limit, Some(-1));
    }

    // S-R01
    #[test]
    fn an_import_says_whether_it_is_dry_and_whether_it_is_confirmed() {
        assert!(!plan(&[]).unwrap().confirmed);
        assert!(plan(&["--dry-run"]).unwrap().options.dry_run);
        assert!(plan(&["--dry-run", "--yes"]).unwrap().options.dry_run);
        let written = plan(&["--yes"]).unwrap();
        assert!(written.confirmed && !written.options.dry_run);
        assert_eq!(written.options.sessions, SessionPolicy::RequireExisting);
        assert_eq!(
            written.input,
            ImportInput::File("/home/ada/reviewed.jsonl".into())
        );
    }

    // S-R01, S-R04
    #[test]
    fn placeholders_are_asked_for_once_and_never_beside_their_opposite() {
        for flags in [
            &["--yes", "--allow-placeholder-sessions"][..],
            &["--yes", "--require-existing-sessions=false"],
            &[
                "--yes",
                "--require-existing-sessions=false",
                "--allow-placeholder-sessions",
            ],
        ] {
            let sessions = plan(flags).unwrap().options.sessions;
            assert_eq!(sessions, SessionPolicy::AllowPlaceholder, "{flags:?}");
        }
        let both = [
            "--yes",
            "--require-existing-sessions",
            "--allow-placeholder-sessions",
        ];
        assert_eq!(plan(&both).unwrap_err().exit, ExitCode::Usage);
    }

    #[test]
    fn an_import_through_a_server_is_refused_aloud() {
        for flags in [
            &["--dry-run", "--server", "http://127.0.0.1:9"][..],
            &["--yes", "--allow-remote-import"],
        ] {
            let failure = plan(flags).unwrap_err();
            assert_eq!(failure.exit, ExitCode::Refused, "{flags:?}");
            assert!(failure.message.contains("no server support"));
        }
    }
}
