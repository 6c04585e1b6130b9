//! What an evaluation fails at.

use std::io;
use std::path::{Path, PathBuf};

use agentsview_sync::SyncError;
use recall_core::{EntryId, TimestampError};
use recall_engine::EngineError;
use recall_lexical::SegmentError;
use recall_store::StoreError;

use crate::sets::QuestionError;

/// Why a set could not be evaluated.
#[derive(Debug, thiserror::Error)]
pub enum EvaluationError {
    /// A file or folder could not be read.
    #[error("reading {}: {error}", path.display())]
    Read {
        /// Which one.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A scratch folder could not be made.
    #[error("no scratch folder for the archive: {0}")]
    Scratch(io::Error),
    /// The folder is no set and holds none.
    #[error("{} holds no set; a set is a folder with corpus.jsonl and queries.jsonl", .0.display())]
    NoSets(PathBuf),
    /// A set was asked for that is not there.
    #[error("no set \"{name}\"; there are {known}")]
    UnknownSet {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A line of a file of the set is not what it should be.
    #[error("{}:{line}: {error}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        error: QuestionError,
    },
    /// A question names an entry that the corpus did not bring.
    #[error("question {question} names entry {entry}, which is not in the corpus")]
    UnknownEntry {
        /// The question.
        question: String,
        /// The entry.
        entry: EntryId,
    },
    /// Transcripts of the set could not all be read.
    #[error("{} of the transcripts in {} cannot be read", .count, path.display())]
    Transcripts {
        /// The folder.
        path: PathBuf,
        /// How many.
        count: usize,
    },
    /// The reviewed import refused a line.
    #[error("{} is not imported: {message}", path.display())]
    Import {
        /// The file.
        path: PathBuf,
        /// The first problem of the import.
        message: String,
    },
    /// The time at which questions are asked is none.
    #[error(transparent)]
    Time(#[from] TimestampError),
    /// The sync failed.
    #[error(transparent)]
    Sync(#[from] SyncError),
    /// The archive failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The import or a query failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The entries are too many for one index in memory.
    #[error(transparent)]
    Index(#[from] SegmentError),
}

impl EvaluationError {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Read { path, error }
    }
}
