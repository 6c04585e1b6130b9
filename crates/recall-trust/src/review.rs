//! Who may say `human_reviewed` (S-E06).
//!
//! Two sources grant it: a reviewed import line, which is a [`Candidate`](crate::import::Candidate),
//! and a person's decision, which needs a [`Reviewer`]. Whatever a program produces carries an
//! [`AutomatedReview`], and that has no such word.

use recall_core::{Entry, EntryId, ReviewState, Status};

/// How many bytes a reviewer's name may have.
pub const MAX_REVIEWER_BYTES: usize = 512;

/// What a program may say of its own output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AutomatedReview {
    /// Nobody looked.
    #[default]
    Unreviewed,
    /// A calibration measured the program.
    Calibrated,
    /// Evaluation material, never an answer.
    EvalRaw,
}

impl From<AutomatedReview> for ReviewState {
    fn from(review: AutomatedReview) -> Self {
        match review {
            AutomatedReview::Unreviewed => Self::UnreviewedAuto,
            AutomatedReview::Calibrated => Self::CalibratedAuto,
            AutomatedReview::EvalRaw => Self::EvalRaw,
        }
    }
}

/// Why a review was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    /// Nobody signed the decision.
    #[error("a review needs a reviewer; say who decides")]
    NoReviewer,
    /// The reviewer's name cannot be shown or kept.
    #[error(
        "a reviewer's name must not contain control characters or have more than \
         {MAX_REVIEWER_BYTES} bytes"
    )]
    InvalidReviewer,
    /// An archived entry cannot be accepted.
    #[error("entry {0} is archived and cannot be reviewed again; import or accept a new entry")]
    Archived(EntryId),
    /// Evaluation material cannot be accepted.
    #[error("entry {0} is evaluation material and never becomes an answer")]
    EvaluationMaterial(EntryId),
}

/// The person who decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewer(String);

impl Reviewer {
    /// Trims the name; refuses an empty one, a long one and control characters.
    pub fn new(name: &str) -> Result<Self, ReviewError> {
        let name = name.trim();
        if name.is_empty() {
            Err(ReviewError::NoReviewer)
        } else if name.len() > MAX_REVIEWER_BYTES || name.chars().any(char::is_control) {
            Err(ReviewError::InvalidReviewer)
        } else {
            Ok(Self(name.to_owned()))
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A person's decision on one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is right, and it does or does not hold outside its own session.
    Accept {
        /// Whether it holds outside its own session.
        transferable: bool,
    },
    /// It is wrong or no longer wanted; it stays for history.
    Archive,
}

/// What a decision makes of an entry. Provenance is not part of it: a person vouches for the
/// conclusion, only the transcript for its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Whether it is in force.
    pub status: Status,
    /// Who vouches for it.
    pub review_state: ReviewState,
    /// Whether it holds outside its own session.
    pub transferable: bool,
}

/// Applies a person's decision. Archiving works for every entry in force, whoever vouched for it
/// before, so that a wrong reviewed entry can be taken out.
pub fn decide(
    entry: &Entry,
    verdict: Verdict,
    _reviewer: &Reviewer,
) -> Result<Standing, ReviewError> {
    if entry.status == Status::Archived {
        return Err(ReviewError::Archived(entry.id.clone()));
    }
    match verdict {
        Verdict::Accept { .. } if entry.review_state == ReviewState::EvalRaw => {
            Err(ReviewError::EvaluationMaterial(entry.id.clone()))
        }
        Verdict::Accept { transferable } => Ok(Standing {
            status: Status::Accepted,
            review_state: ReviewState::HumanReviewed,
            transferable,
        }),
        Verdict::Archive => Ok(Standing {
            status: Status::Archived,
            review_state: entry.review_state,
            transferable: entry.transferable,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::trusted_entry;

    fn entry(review_state: ReviewState, status: Status) -> Entry {
        Entry {
            review_state,
            status,
            transferable: false,
            ..trusted_entry()
        }
    }

    fn someone() -> Reviewer {
        Reviewer::new(" kim ").unwrap()
    }

    // S-E06, S-M04
    #[test]
    fn no_automated_label_reads_human_reviewed() {
        for review in [
            AutomatedReview::Unreviewed,
            AutomatedReview::Calibrated,
            AutomatedReview::EvalRaw,
        ] {
            assert_ne!(ReviewState::from(review), ReviewState::HumanReviewed);
        }
        assert_eq!(
            ReviewState::from(AutomatedReview::default()),
            ReviewState::UnreviewedAuto
        );
    }

    // S-E06
    #[test]
    fn accepting_grants_human_reviewed_and_settles_transferability() {
        let unreviewed = entry(ReviewState::UnreviewedAuto, Status::Accepted);
        for transferable in [true, false] {
            assert_eq!(
                decide(&unreviewed, Verdict::Accept { transferable }, &someone()),
                Ok(Standing {
                    status: Status::Accepted,
                    review_state: ReviewState::HumanReviewed,
                    transferable,
                })
            );
        }
    }

    #[test]
    fn a_reviewed_entry_can_still_be_archived() {
        let reviewed = entry(ReviewState::HumanReviewed, Status::Accepted);
        let standing = decide(&reviewed, Verdict::Archive, &someone()).unwrap();
        assert_eq!(standing.status, Status::Archived);
        assert_eq!(standing.review_state, ReviewState::HumanReviewed);
    }

    #[test]
    fn neither_archived_entries_nor_evaluation_material_can_be_accepted() {
        let accept = Verdict::Accept { transferable: true };
        let archived = entry(ReviewState::UnreviewedAuto, Status::Archived);
        assert!(matches!(
            decide(&archived, accept, &someone()),
            Err(ReviewError::Archived(_))
        ));
        let raw = entry(ReviewState::EvalRaw, Status::Accepted);
        assert!(matches!(
            decide(&raw, accept, &someone()),
            Err(ReviewError::EvaluationMaterial(_))
        ));
    }

    #[test]
    fn a_decision_is_signed() {
        assert_eq!(someone().as_str(), "kim");
        assert_eq!(Reviewer::new("  "), Err(ReviewError::NoReviewer));
        assert_eq!(Reviewer::new("k\u{7}im"), Err(ReviewError::InvalidReviewer));
        assert!(Reviewer::new(&"k".repeat(513)).is_err());
    }
}
