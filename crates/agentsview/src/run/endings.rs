//! Which ending each error from below becomes: the kind for scripts, the next step for people.

use agentsview_api::ExitCode;
use agentsview_sync::SyncError;
use recall_config::ConfigError;
use recall_engine::EngineError;
use recall_store::StoreError;
use recall_trust::import::ImportRefusal;
use recall_trust::review::ReviewError;

use crate::failure::Failure;

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let (exit, hint) = match &error {
            StoreError::NoArchive { .. } => (ExitCode::Unavailable, "run `agentsview sync` first"),
            StoreError::Locked { .. } => (ExitCode::Unavailable, "try again when it has finished"),
            StoreError::Newer { .. } => (ExitCode::Unavailable, "update agentsview"),
            StoreError::Damaged { .. } => (
                ExitCode::Failure,
                "move it away and run `agentsview sync`, or bring it back from a backup",
            ),
            StoreError::Foreign { .. } => (
                ExitCode::Refused,
                "choose another place with AGENTSVIEW_DATA_DIR",
            ),
            StoreError::Older { .. } => (ExitCode::Unavailable, "run `agentsview sync`"),
            StoreError::NoSourceSession { .. } => (ExitCode::Usage, "run `agentsview sync` first"),
            StoreError::EntryExists(_) | StoreError::NotActive(_) => (ExitCode::Usage, ""),
            StoreError::File { .. } => (ExitCode::Failure, "check that it may be written"),
            StoreError::Corrupt { .. } | StoreError::ReadOnly | StoreError::Database(_) => {
                (ExitCode::Failure, "")
            }
        };
        Self::new(exit, error).hint(hint)
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Store(error) => error.into(),
            EngineError::Request(_) | EngineError::Screen(_) => Self::usage(error),
            EngineError::EntryNotFound(_) => {
                Self::new(ExitCode::NotFound, error).hint("see `agentsview recall list`")
            }
            EngineError::SessionNotFound(_) => {
                Self::new(ExitCode::NotFound, error).hint("see `agentsview session list`")
            }
            EngineError::Review(error) => error.into(),
            EngineError::NoVectorIndex(_) => {
                Self::new(ExitCode::Unavailable, error).hint("ask with --mode lexical")
            }
            EngineError::Backup(_) => Self::new(ExitCode::Failure, error)
                .hint("another program changed the archive; bring it back from a backup"),
            EngineError::Cache(_) => Self::new(ExitCode::Failure, error)
                .hint("it holds words of entries and nothing that is missed: remove it by hand"),
            EngineError::Index(_)
            | EngineError::Entropy(_)
            | EngineError::Input(_)
            | EngineError::Output(_)
            | EngineError::BackupNotSaved(_) => Self::new(ExitCode::Failure, error),
        }
    }
}

impl From<ReviewError> for Failure {
    fn from(error: ReviewError) -> Self {
        let hint = match &error {
            ReviewError::Archived(_) => "`agentsview recall review restore` does that",
            ReviewError::NeedsAcceptance { .. } => "use `agentsview recall review accept --as`",
            ReviewError::UnreviewedReplacement { .. } => "use `agentsview recall review accept`",
            ReviewError::ChangedSince(_) => "see `agentsview recall history`",
            ReviewError::AlreadyArchived(_) => {
                "`agentsview recall review restore` puts it in force again"
            }
            ReviewError::AlreadyRejected(_) => {
                "`agentsview recall review restore` gives it another chance"
            }
            ReviewError::NotArchived(_) => "`agentsview recall review accept` says that it holds",
            ReviewError::NothingChanges { .. } => "see how it stands with `agentsview recall get`",
            ReviewError::EvaluationMaterial(_) => "`agentsview recall review archive` puts it away",
            // Their messages say what to do.
            ReviewError::NoReviewer
            | ReviewError::InvalidReviewer
            | ReviewError::NoReason(_)
            | ReviewError::Replaced { .. }
            | ReviewError::Blank { .. }
            | ReviewError::Size(_)
            | ReviewError::Supersession(_)
            | ReviewError::ReplacesAnother { .. }
            | ReviewError::WordingGone(_) => "",
        };
        Self::usage(error).hint(hint)
    }
}

impl From<SyncError> for Failure {
    fn from(error: SyncError) -> Self {
        match error {
            SyncError::Store(error) => error.into(),
            SyncError::ReaderStopped => Self::new(ExitCode::Failure, error),
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::usage(error)
    }
}

impl From<ImportRefusal> for Failure {
    fn from(refusal: ImportRefusal) -> Self {
        let hint = match refusal {
            ImportRefusal::NotConfirmed => "check it with --dry-run, then write it with --yes",
            ImportRefusal::ProductionGuarded => {
                "say --allow-production-import, or try it elsewhere with AGENTSVIEW_DATA_DIR"
            }
        };
        Self::new(ExitCode::Refused, refusal).hint(hint)
    }
}
