//! Everything of Recall as one file, and that file as everything of Recall (B-12).
//!
//! A backup is JSON lines: a header, every decision of the review log, every entry with its
//! evidence, every replaced wording, and an end that tells whether the lines before are all there
//! and as they were written. `docs/backup.md` describes it. Nothing here reads an archive.

mod check;
mod error;
mod read;
mod row;
mod write;

pub use error::BackupError;

use recall_core::{Entry, ReviewState, Timestamp};
use recall_store::ReplacedWording;
use recall_trust::review::Decision;

/// What the first line of every backup says it is.
pub const BACKUP_FORMAT: &str = "agentsview-recall-backup";
/// The version that is written, and the newest one that can be read.
pub const BACKUP_VERSION: u64 = 1;

/// Everything of Recall at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Backup {
    /// When it was read.
    pub created_at: Timestamp,
    /// The review log, first decision first.
    pub decisions: Vec<Decision>,
    /// The entries in the order of storing.
    pub entries: Vec<Entry>,
    /// The wordings that decisions replaced.
    pub wordings: Vec<ReplacedWording>,
}

/// How much a backup holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Holdings {
    /// Entries.
    pub entries: u64,
    /// Entries that a person vouched for.
    pub reviewed: u64,
    /// Wordings that decisions replaced.
    pub wordings: u64,
    /// Decisions of the review log.
    pub decisions: u64,
}

impl Backup {
    /// How much it holds.
    pub fn holdings(&self) -> Holdings {
        let reviewed = |entry: &&Entry| entry.review_state == ReviewState::HumanReviewed;
        Holdings {
            entries: self.entries.len() as u64,
            reviewed: self.entries.iter().filter(reviewed).count() as u64,
            wordings: self.wordings.len() as u64,
            decisions: self.decisions.len() as u64,
        }
    }

    /// Refuses what could not be restored.
    ///
    /// # Errors
    /// [`BackupError::Contradiction`], which an archive gives only after another program changed it.
    pub fn check(&self) -> Result<(), BackupError> {
        check::check(self)
    }
}

#[cfg(test)]
mod tests;
