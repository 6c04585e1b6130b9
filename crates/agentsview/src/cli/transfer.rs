//! `agentsview recall export`, `restore` and `reset`.

use std::path::PathBuf;

use agentsview_api::ExitCode;
use clap::{ArgAction, Args};
use recall_core::EntryFilter;
use recall_engine::{ExportRequest, FragmentKind, RestoreMode, ReviewLog};
use recall_trust::insertion::Confirmed;

use super::filter::{FilterArgs, Surroundings};
use super::{FormatWord, ImportInput, format_words};
use crate::failure::Failure;

/// Arguments of `recall export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// What to write: everything, to be restored; lines for an import; a fragment for CLAUDE.md or
    /// AGENTS.md
    // The id of the global flag, which it stands for here.
    #[arg(
        id = "format",
        long = "format",
        value_name = "FORMAT",
        required = true,
        value_parser = format_words(FormatWord::EXPORTS)
    )]
    format: FormatWord,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if there is one
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    filter: FilterArgs,
    /// Only entries that may be trusted; on unless given as =false
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        action = ArgAction::Set
    )]
    trusted_only: Option<bool>,
}

/// An export that makes sense.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ExportPlan {
    /// What to write.
    pub(crate) request: ExportRequest,
    /// Its word on the command line.
    pub(crate) format: &'static str,
    /// The file; `None` is standard output.
    pub(crate) output: Option<PathBuf>,
    /// Whether a file that is there may be replaced.
    pub(crate) replace: bool,
}

impl ExportArgs {
    /// What the flags together ask for.
    pub(crate) fn plan(&self, surroundings: Surroundings<'_>) -> Result<ExportPlan, Failure> {
        let trusted_only = self.trusted_only.unwrap_or(true);
        let filter = self.filter.resolve(trusted_only, surroundings)?;
        let request = match self.format {
            FormatWord::Backup => {
                let everything = EntryFilter {
                    trusted_only,
                    ..EntryFilter::default()
                };
                if filter != everything || self.trusted_only.is_some() {
                    return Err(Failure::usage("a backup holds everything")
                        .hint("leave the filters and --trusted-only out, or use --format jsonl"));
                }
                ExportRequest::Backup
            }
            FormatWord::Jsonl => ExportRequest::Jsonl(filter),
            FormatWord::ClaudeMd => ExportRequest::Fragment(FragmentKind::ClaudeMd, filter),
            FormatWord::AgentsMd => ExportRequest::Fragment(FragmentKind::AgentsMd, filter),
            FormatWord::Human | FormatWord::Json => {
                return Err(Failure::usage("an export needs a format of its own")
                    .hint("give --format backup, jsonl, claude-md or agents-md behind `export`"));
            }
        };
        Ok(ExportPlan {
            request,
            format: self.format.as_str(),
            output: self
                .output
                .as_deref()
                .map(|path| surroundings.file(path))
                .transpose()?,
            replace: self.force,
        })
    }

    /// Whether the export itself goes to standard output.
    pub(super) fn is_the_answer(&self) -> bool {
        self.output.is_none()
    }
}

/// Arguments of `recall restore`.
#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// The backup; - is standard input
    file: PathBuf,
    /// Check the file and say what would be restored
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Write; without it and without --dry-run nothing is restored
    #[arg(long)]
    yes: bool,
}

impl RestoreArgs {
    /// Where the backup is, and how far to go.
    pub(crate) fn plan(
        &self,
        surroundings: Surroundings<'_>,
    ) -> Result<(ImportInput, RestoreMode), Failure> {
        let mode = if self.dry_run {
            RestoreMode::DryRun
        } else {
            RestoreMode::Write(Confirmed::given(self.yes).ok_or_else(|| {
                Failure::new(ExitCode::Refused, "the restore is not confirmed")
                    .hint("check it with --dry-run, then write it with --yes")
            })?)
        };
        Ok((ImportInput::of(&self.file, surroundings)?, mode))
    }
}

/// Flags of `recall reset`.
#[derive(Debug, Args)]
pub(crate) struct ResetArgs {
    /// Forget; without it nothing is forgotten
    #[arg(long)]
    yes: bool,
    /// Where to write the backup; by default a new file in the data directory
    #[arg(long, value_name = "FILE")]
    backup: Option<PathBuf>,
    /// Forget what people decided as well, rejections too
    #[arg(long)]
    forget_review_log: bool,
}

impl ResetArgs {
    /// The person's word, if it was given.
    pub(crate) fn confirmed(&self) -> Option<Confirmed> {
        Confirmed::given(self.yes)
    }

    /// What becomes of the review log.
    pub(crate) fn log(&self) -> ReviewLog {
        if self.forget_review_log {
            ReviewLog::Forget
        } else {
            ReviewLog::Keep
        }
    }

    /// The file for the backup, if one was named.
    pub(crate) fn backup(
        &self,
        surroundings: Surroundings<'_>,
    ) -> Result<Option<PathBuf>, Failure> {
        self.backup
            .as_deref()
            .map(|path| surroundings.file(path))
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command, Format, RecallCommand};
    use clap::Parser;
    use std::path::Path;

    fn parse(words: &[&str]) -> Cli {
        Cli::try_parse_from(["agentsview", "recall"].iter().chain(words)).unwrap()
    }

    fn here() -> Surroundings<'static> {
        Surroundings {
            home: Some(Path::new("/home/ada")),
            working_dir: Path::new("/tmp"),
        }
    }

    fn export(words: &[&str]) -> Result<ExportPlan, Failure> {
        let words = [&["export"], words].concat();
        let Command::Recall(RecallCommand::Export(args)) = parse(&words).command else {
            panic!("no export");
        };
        args.plan(here())
    }

    // B-12
    #[test]
    fn an_export_is_trusted_only_unless_told_otherwise() {
        for (words, trusted_only) in [
            (&["--format", "jsonl"][..], true),
            (&["--format", "jsonl", "--trusted-only"], true),
            (&["--format", "jsonl", "--trusted-only=false"], false),
        ] {
            let filter = EntryFilter {
                trusted_only,
                ..EntryFilter::default()
            };
            assert_eq!(
                export(words).unwrap().request,
                ExportRequest::Jsonl(filter),
                "{words:?}"
            );
        }
        let plan = export(&["--format", "claude-md", "--output", "~/notes.md"]).unwrap();
        assert_eq!(
            plan.output.as_deref(),
            Some(Path::new("/home/ada/notes.md"))
        );
        assert!(matches!(
            plan.request,
            ExportRequest::Fragment(FragmentKind::ClaudeMd, _)
        ));
    }

    #[test]
    fn a_backup_is_never_a_part() {
        assert_eq!(
            export(&["--format", "backup"]).unwrap().request,
            ExportRequest::Backup
        );
        for words in [
            &["--trusted-only"][..],
            &["--trusted-only=false"],
            &["--project", "lantern"],
            &["--status", "archived"],
            &["--current-cwd"],
        ] {
            let refused = export(&[&["--format", "backup"], words].concat()).unwrap_err();
            assert_eq!(refused.exit, ExitCode::Usage, "{words:?}");
        }
    }

    #[test]
    fn the_formats_of_an_export_are_its_own() {
        assert_eq!(
            parse(&["export", "--format", "backup", "--json"])
                .output
                .format(),
            Format::Json
        );
        assert_eq!(
            parse(&["export", "--format", "backup"]).output.format(),
            Format::Human
        );
        for words in [
            &["export"][..],
            &["export", "--format", "human"],
            &["list", "--format", "backup"],
            &["export", "--format", "jsonl", "--force"],
        ] {
            let words = ["agentsview", "recall"].iter().chain(words);
            assert!(Cli::try_parse_from(words.clone()).is_err(), "{words:?}");
        }
    }

    #[test]
    fn nothing_is_restored_or_forgotten_without_a_word() {
        let restore = |flags: &[&str]| {
            let words = [&["restore", "-"], flags].concat();
            let Command::Recall(RecallCommand::Restore(args)) = parse(&words).command else {
                panic!("no restore");
            };
            args.plan(here())
        };
        assert_eq!(restore(&[]).unwrap_err().exit, ExitCode::Refused);
        assert_eq!(restore(&["--dry-run"]).unwrap().1, RestoreMode::DryRun);
        assert!(matches!(
            restore(&["--yes"]).unwrap(),
            (ImportInput::Stdin, RestoreMode::Write(_))
        ));
        let Command::Recall(RecallCommand::Reset(args)) = parse(&["reset"]).command else {
            panic!("no reset");
        };
        assert_eq!((args.confirmed(), args.log()), (None, ReviewLog::Keep));
    }
}
