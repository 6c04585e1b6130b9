//! What a restore did, or would do.

use recall_core::EntryId;
use recall_trust::insertion::RestoredEvidence;

/// What became of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RestoreReport {
    /// Whether only a look was taken.
    pub dry_run: bool,
    /// The entries, in the order of the backup.
    pub entries: Vec<RestoreItem>,
    /// The decisions of the review log.
    pub decisions: RowCounts,
    /// The replaced wordings.
    pub wordings: RowCounts,
}

/// What became of one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoreItem {
    /// The entry.
    pub id: EntryId,
    /// Its title.
    pub title: String,
    /// What became of it.
    pub fate: Result<RestoredEvidence, RestoreSkip>,
}

/// Why an entry was not restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RestoreSkip {
    /// The archive has it already.
    Duplicate,
    /// The archive has an entry of that id that says something else or stands otherwise.
    Conflict,
    /// Its session was removed for good.
    SourceRemoved,
    /// Its text holds what looks like a credential.
    Secret,
}

impl RestoreSkip {
    /// The words of the list.
    pub const WORDS: &'static [&'static str] =
        &["duplicate", "conflict", "source_removed", "secret"];

    /// The word for JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicate",
            Self::Conflict => "conflict",
            Self::SourceRemoved => "source_removed",
            Self::Secret => "secret",
        }
    }
}

/// What became of rows that nobody asks about one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowCounts {
    /// They were written.
    pub restored: u64,
    /// They were there already.
    pub present: u64,
    /// They do not fit what is there.
    pub left_out: u64,
}
