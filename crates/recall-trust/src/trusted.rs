//! Who is trusted, and why not.

use recall_core::{Entry, ReviewState, Status};

/// One of the conditions that a trusted entry meets (S-E06).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrustCondition {
    /// It is in force.
    Accepted,
    /// A person read and accepted it.
    HumanReviewed,
    /// It holds outside its own session.
    Transferable,
    /// Its evidence was bound by the host and still verifies.
    ProvenanceOk,
}

impl TrustCondition {
    /// Every condition, in the order in which they are shown.
    pub const ALL: &'static [Self] = &[
        Self::Accepted,
        Self::HumanReviewed,
        Self::Transferable,
        Self::ProvenanceOk,
    ];

    /// Whether the entry meets the condition.
    pub fn is_met_by(self, entry: &Entry) -> bool {
        match self {
            Self::Accepted => entry.status == Status::Accepted,
            Self::HumanReviewed => entry.review_state == ReviewState::HumanReviewed,
            Self::Transferable => entry.transferable,
            Self::ProvenanceOk => entry.provenance_ok,
        }
    }

    /// The condition in two or three words, as a label.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::HumanReviewed => "human reviewed",
            Self::Transferable => "transferable",
            Self::ProvenanceOk => "provenance ok",
        }
    }

    /// Why an entry that does not meet the condition is not trusted.
    pub const fn why_not(self) -> &'static str {
        match self {
            Self::Accepted => "It is archived, so it is no longer in force.",
            Self::HumanReviewed => "No person has reviewed and accepted it.",
            Self::Transferable => "Nobody has said that it holds outside its own session.",
            Self::ProvenanceOk => {
                "Its evidence was never verified against the transcript, or no longer matches it."
            }
        }
    }
}

/// The conditions of trust that the entry does not meet, in the order of [`TrustCondition::ALL`].
pub fn failed_conditions(entry: &Entry) -> Vec<TrustCondition> {
    TrustCondition::ALL
        .iter()
        .copied()
        .filter(|condition| !condition.is_met_by(entry))
        .collect()
}

/// Whether a trusted-only request may show the entry.
pub fn is_trusted(entry: &Entry) -> bool {
    TrustCondition::ALL
        .iter()
        .all(|condition| condition.is_met_by(entry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::trusted_entry;

    // S-E06; model behaviour 75
    #[test]
    fn only_an_entry_that_meets_every_condition_is_trusted() {
        let trusted = trusted_entry();
        assert!(is_trusted(&trusted));
        assert_eq!(failed_conditions(&trusted), []);

        let mut seen = Vec::new();
        for state in ReviewState::ALL {
            if *state != ReviewState::HumanReviewed {
                let mut entry = trusted_entry();
                entry.review_state = *state;
                seen.push((entry, TrustCondition::HumanReviewed));
            }
        }
        let mut entry = trusted_entry();
        entry.status = Status::Archived;
        seen.push((entry, TrustCondition::Accepted));
        let mut entry = trusted_entry();
        entry.transferable = false;
        seen.push((entry, TrustCondition::Transferable));
        let mut entry = trusted_entry();
        entry.provenance_ok = false;
        seen.push((entry, TrustCondition::ProvenanceOk));

        assert_eq!(seen.len(), 6);
        for (entry, failed) in seen {
            assert!(!is_trusted(&entry));
            assert_eq!(failed_conditions(&entry), [failed]);
        }
    }

    #[test]
    fn every_condition_says_why_not_in_a_sentence() {
        for condition in TrustCondition::ALL {
            assert!(condition.why_not().ends_with('.'), "{condition:?}");
        }
    }
}
