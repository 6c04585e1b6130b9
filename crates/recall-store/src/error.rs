//! What can go wrong in the store.

use std::path::PathBuf;

use recall_core::{EntryId, SessionId};

/// Why the store could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no archive yet.
    #[error("there is no archive at {path}")]
    NoArchive {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// Another process writes to this archive.
    #[error("another process is writing to the archive (lock {path})")]
    Locked {
        /// The lock file.
        path: PathBuf,
    },
    /// The archive was written by a newer version.
    #[error(
        "the archive {path} has schema version {found}, and this program knows {known} at most; \
         nothing was changed"
    )]
    Newer {
        /// The archive.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The newest schema version of this program.
        known: i64,
    },
    /// The archive's file cannot be read as one.
    #[error("{path} cannot be opened as an archive: {source}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What the database said.
        source: sqlx::Error,
    },
    /// The file is a database of another program.
    #[error("{path} is a database of another program; nothing was changed")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The archive's schema is older than this program, which a reader may not change.
    #[error("the archive {path} has an older schema; a writing command upgrades it")]
    Older {
        /// The archive.
        path: PathBuf,
    },
    /// A file of the data directory could not be used.
    #[error("cannot {action} {path}: {source}")]
    File {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The entry names a source session that is not in the archive.
    #[error("source session {session} of entry {entry} is not in the archive")]
    NoSourceSession {
        /// The entry.
        entry: EntryId,
        /// The session.
        session: SessionId,
    },
    /// The entry's id is taken.
    #[error("an entry {0} exists already")]
    EntryExists(EntryId),
    /// The entry that was to be replaced is not in force any more.
    #[error("entry {0} is not active, so it cannot be superseded")]
    NotActive(EntryId),
    /// A stored value cannot be what it must be.
    #[error("the archive holds an invalid {what}: {value}; it was changed by another program")]
    Corrupt {
        /// The kind of value.
        what: &'static str,
        /// The value.
        value: String,
    },
    /// The archive was opened for reading.
    #[error("the archive was opened for reading only")]
    ReadOnly,
    /// The database failed.
    #[error("the archive's database failed: {0}")]
    Database(#[from] sqlx::Error),
}

impl StoreError {
    pub(crate) fn corrupt(what: &'static str, value: impl Into<String>) -> Self {
        Self::Corrupt {
            what,
            value: value.into(),
        }
    }
}
