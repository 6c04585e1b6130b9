//! What a person may decide about an entry, and who may say `human_reviewed` (S-E06, B-01).
//!
//! Two sources grant it: a reviewed import line, which is a [`Candidate`](crate::import::Candidate),
//! and a person's decision, which needs a [`Reviewer`]. Whatever a program produces carries an
//! [`AutomatedReview`], and that has no such word.
//!
//! [`decide`] turns a [`Verdict`] into a [`Change`], and [`take_back`] turns a recorded [`Decision`]
//! into the change that undoes it. A change touches standing, wording and links, never evidence: a
//! person vouches for the conclusion, only the transcript for its evidence.

mod decision;
mod error;
mod undo;

pub use decision::{
    Change, Decision, Edit, Link, Standing, Verdict, Wording, decide, superseded_by_import,
};
pub use error::ReviewError;
pub use undo::take_back;

use recall_core::ReviewState;

use crate::import::identity::INVISIBLE;

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

/// The person who decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewer(String);

impl Reviewer {
    /// Trims the name; refuses an empty one, a long one and control characters.
    pub fn new(name: &str) -> Result<Self, ReviewError> {
        let name = name.trim();
        if name.is_empty() {
            Err(ReviewError::NoReviewer)
        } else if name.len() > MAX_REVIEWER_BYTES
            || name.chars().any(char::is_control)
            || INVISIBLE.is_match(name)
        {
            Err(ReviewError::InvalidReviewer)
        } else {
            Ok(Self(name.to_owned()))
        }
    }

    /// Stands for the people behind a reviewed import when nobody is known by name.
    pub fn of_import() -> Self {
        Self("reviewed import".to_owned())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn a_decision_is_signed() {
        assert_eq!(Reviewer::new(" kim ").unwrap().as_str(), "kim");
        assert_eq!(Reviewer::new("  "), Err(ReviewError::NoReviewer));
        for unseen in ["k\u{7}im", "\u{200b}\u{2060}", "k\u{202e}im"] {
            assert_eq!(Reviewer::new(unseen), Err(ReviewError::InvalidReviewer));
        }
        assert!(Reviewer::new(&"k".repeat(513)).is_err());
    }
}
