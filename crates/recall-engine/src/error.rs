//! Why the engine refused or failed.

use recall_core::{EntropyError, EntryId, QueryMode, SessionId};
use recall_store::StoreError;
use recall_trust::request::RequestError;
use recall_trust::review::ReviewError;

use crate::backup::BackupError;
use crate::screen::ScreenError;

/// Why an engine call brought no answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The request itself is wrong.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// There is no such entry.
    #[error("recall entry {0} not found")]
    EntryNotFound(EntryId),
    /// There is no such session.
    #[error("session {0} is not in the archive")]
    SessionNotFound(SessionId),
    /// The decision cannot be made.
    #[error(transparent)]
    Review(#[from] ReviewError),
    /// Words of a decision hold a credential.
    #[error(transparent)]
    Screen(#[from] ScreenError),
    /// The query needs an index that does not exist.
    #[error("{0} queries need a vector index, and none has been built")]
    NoVectorIndex(QueryMode),
    /// A brief needs a mark that nobody could foretell.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// The lines to import, or the backup, could not be read.
    #[error("cannot read the input: {0}")]
    Input(#[from] std::io::Error),
    /// The file cannot be restored.
    #[error(transparent)]
    Backup(#[from] BackupError),
    /// The export could not be written.
    #[error("cannot write the export: {0}")]
    Output(std::io::Error),
    /// The backup before a reset could not be saved.
    #[error("the backup could not be saved, so nothing was forgotten: {0}")]
    BackupNotSaved(std::io::Error),
    /// The entries could not be indexed.
    #[error("cannot index the entries: {0}")]
    Index(#[from] recall_lexical::SegmentError),
    /// The files of the index could not be written or removed.
    #[error(transparent)]
    Cache(#[from] recall_index::CacheError),
    /// The archive failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
