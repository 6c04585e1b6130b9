//! Why a decision was refused.

use recall_core::{EntryId, EntryType, ReviewAction};

use super::MAX_REVIEWER_BYTES;
use crate::limits::SizeError;
use crate::supersession::SupersessionError;

/// Why a review was refused. Nothing is changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// Nobody signed the decision.
    #[error("a review needs a reviewer; say who decides")]
    NoReviewer,
    /// The reviewer's name cannot be shown or kept.
    #[error(
        "a reviewer's name must not contain control or invisible characters or have more than \
         {MAX_REVIEWER_BYTES} bytes"
    )]
    InvalidReviewer,
    /// A rejection says why.
    #[error("a rejection needs a reason; say what is wrong with entry {0}")]
    NoReason(EntryId),
    /// An archived entry cannot be decided upon.
    #[error("entry {0} is archived; restore it first")]
    Archived(EntryId),
    /// What is archived cannot be archived again.
    #[error("entry {0} is archived already")]
    AlreadyArchived(EntryId),
    /// A rejected entry cannot be rejected again.
    #[error("entry {0} is rejected already")]
    AlreadyRejected(EntryId),
    /// What is in force cannot be put in force.
    #[error("entry {0} is in force already")]
    NotArchived(EntryId),
    /// The decision would change nothing.
    #[error("entry {id} is already as this {action} would leave it")]
    NothingChanges {
        /// The entry.
        id: EntryId,
        /// What was to be done.
        action: ReviewAction,
    },
    /// What replaced it, or what replaced that, is in force, and a chain has one such entry.
    #[error("entry {id} was replaced by {successor}; archive what is in force of that chain first")]
    Replaced {
        /// The entry.
        id: EntryId,
        /// What replaced it.
        successor: EntryId,
    },
    /// Evaluation material cannot be accepted.
    #[error("entry {0} is evaluation material and never becomes an answer")]
    EvaluationMaterial(EntryId),
    /// An edit would make it a kind that its evidence cannot carry.
    #[error(
        "entry {id} cites nobody's word, so it becomes a {entry_type} only when a person accepts it \
         as one"
    )]
    NeedsAcceptance {
        /// The entry.
        id: EntryId,
        /// The kind it was to become.
        entry_type: EntryType,
    },
    /// It would say nothing.
    #[error("entry {id} needs a {field}")]
    Blank {
        /// The entry.
        id: EntryId,
        /// `title` or `body`.
        field: &'static str,
    },
    /// A text is too large.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// It may not be replaced so.
    #[error(transparent)]
    Supersession(#[from] SupersessionError),
    /// The replacement stands in a chain already.
    #[error("entry {id} already replaces {target}; an entry replaces one other at most")]
    ReplacesAnother {
        /// The replacement.
        id: EntryId,
        /// What it replaces.
        target: EntryId,
    },
    /// A trusted entry may not give way to one that nobody reviewed.
    #[error(
        "entry {replacement} is not reviewed, and {target} is trusted; accept {replacement} first"
    )]
    UnreviewedReplacement {
        /// The replacement.
        replacement: EntryId,
        /// What it would replace.
        target: EntryId,
    },
    /// The entry is not any more as the decision left it.
    #[error("entry {0} changed after that decision, which therefore cannot be taken back")]
    ChangedSince(EntryId),
    /// There is nothing to bring back.
    #[error(
        "the wording of entry {0} before that edit is not in the archive any more, so that taking \
         the edit back would change nothing; edit the entry again instead"
    )]
    WordingGone(EntryId),
}
