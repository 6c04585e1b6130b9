//! Who is trusted, and why not.

use std::borrow::Cow;

use recall_core::{Entry, ReviewState, Revocation, RevocationReason, Status};

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
    /// Its session was neither trashed nor removed.
    SourceKept,
}

impl TrustCondition {
    /// Every condition, in the order in which they are shown.
    pub const ALL: &'static [Self] = &[
        Self::Accepted,
        Self::HumanReviewed,
        Self::Transferable,
        Self::ProvenanceOk,
        Self::SourceKept,
    ];

    /// Whether the entry meets the condition.
    pub fn is_met_by(self, entry: &Entry) -> bool {
        match self {
            Self::Accepted => entry.status == Status::Accepted,
            Self::HumanReviewed => entry.review_state == ReviewState::HumanReviewed,
            Self::Transferable => entry.transferable,
            Self::ProvenanceOk => entry.provenance_ok,
            Self::SourceKept => !entry.is_source_withdrawn,
        }
    }

    /// The condition in two or three words, as a label.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::HumanReviewed => "human reviewed",
            Self::Transferable => "transferable",
            Self::ProvenanceOk => "provenance ok",
            Self::SourceKept => "source kept",
        }
    }

    /// Why this entry, which does not meet the condition, is not trusted; a sentence.
    pub fn why_not(self, entry: &Entry) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Accepted if entry.is_rejected => "A person rejected it.",
            Self::Accepted if entry.superseded_by.is_some() => {
                "Another entry replaced it, so it is no longer in force."
            }
            Self::Accepted => "It is archived, so it is no longer in force.",
            Self::HumanReviewed => "No person has reviewed and accepted it.",
            Self::Transferable => "Nobody has said that it holds outside its own session.",
            Self::ProvenanceOk => match &entry.revocation {
                Some(revocation) => return Cow::Owned(revoked(*revocation)),
                None => "Its evidence was never verified against the transcript.",
            },
            Self::SourceKept => "Its session is in the trash.",
        })
    }
}

fn revoked(Revocation { reason, at }: Revocation) -> String {
    let what = explain(reason);
    format!("Its evidence was revoked at {at}: {what} ({reason}).")
}

/// What had happened to evidence that was revoked for this reason; part of a sentence.
pub const fn explain(reason: RevocationReason) -> &'static str {
    match reason {
        RevocationReason::StartEndpointUnresolved => "its first message could not be found again",
        RevocationReason::EndEndpointUnresolved => "its last message could not be found again",
        RevocationReason::InvalidResolvedRange => "its messages came to stand in another order",
        RevocationReason::WindowInvalid => "its messages were gone",
        RevocationReason::SelectionInvalid => "a tool use that it cites was gone",
        RevocationReason::MissingDigest => "it had no digest to compare the text with",
        RevocationReason::ContentDigestMismatch => "the cited text had changed",
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
    use crate::fixtures::{now, trusted_entry};

    type Spoil = fn(&mut Entry);

    // S-E06
    #[test]
    fn model_075_only_an_entry_that_meets_every_condition_is_trusted() {
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
        let spoils: [(Spoil, TrustCondition); 4] = [
            (
                |entry| entry.status = Status::Archived,
                TrustCondition::Accepted,
            ),
            (
                |entry| entry.transferable = false,
                TrustCondition::Transferable,
            ),
            (
                |entry| entry.provenance_ok = false,
                TrustCondition::ProvenanceOk,
            ),
            (
                |entry| entry.is_source_withdrawn = true,
                TrustCondition::SourceKept,
            ),
        ];
        for (spoil, condition) in spoils {
            let mut entry = trusted_entry();
            spoil(&mut entry);
            seen.push((entry, condition));
        }

        assert_eq!(seen.len(), 7);
        for (entry, failed) in seen {
            assert!(!is_trusted(&entry));
            assert_eq!(failed_conditions(&entry), [failed]);
        }
    }

    #[test]
    fn every_condition_says_why_not_in_a_sentence() {
        let mut entry = trusted_entry();
        let say = |entry: &Entry| -> Vec<String> {
            TrustCondition::ALL
                .iter()
                .map(|condition| condition.why_not(entry).into_owned())
                .collect()
        };
        let mut sentences = say(&entry);
        for reason in RevocationReason::ALL {
            entry.revocation = Some(Revocation {
                reason: *reason,
                at: now(),
            });
            let sentence = TrustCondition::ProvenanceOk.why_not(&entry).into_owned();
            assert!(sentence.contains(reason.as_str()), "{sentence}");
            sentences.push(sentence);
        }
        entry.is_rejected = true;
        sentences.extend(say(&entry));
        for sentence in sentences {
            assert!(sentence.ends_with('.'), "{sentence}");
        }
    }
}
