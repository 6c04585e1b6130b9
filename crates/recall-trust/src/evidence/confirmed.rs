//! Evidence that was only claimed, and that holds after all.

use recall_core::{CitedMessage, Entry, EntryType, Evidence, ReviewState, ToolUseId};

use super::restored::{Doubt, hold};
use super::verification::Transcript;
use super::{EvidenceError, Selection, SessionActivity, bind, speakers, window};

/// Why a claim is not confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unconfirmed {
    /// There is no evidence to confirm.
    NothingCited,
    /// It comes with a digest, and does not hold.
    Doubted(Doubt),
    /// It comes with none, and cannot be bound.
    NotBound(EvidenceError),
}

/// Proof that the host looked at a claim and found that it holds. Only [`confirm`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfirmedEvidence {
    rows: Vec<Evidence>,
    held_back: Option<EntryType>,
}

impl ConfirmedEvidence {
    /// The rows to store in the place of the claimed ones.
    pub fn rows(&self) -> &[Evidence] {
        &self.rows
    }

    /// The kind that the entry is until a person grants the one it says: now it is known who speaks.
    pub fn held_back(&self) -> Option<EntryType> {
        self.held_back
    }
}

/// Looks at the evidence of an entry that nobody verified beside the transcript of its session.
///
/// A claim that comes with a digest was verified elsewhere or before: it is held to that digest, and
/// found where its text stands now. One without is bound as if it were imported today.
pub fn confirm(
    entry: &Entry,
    transcript: &Transcript,
    activity: SessionActivity,
) -> Result<ConfirmedEvidence, Unconfirmed> {
    if entry.evidence.is_empty() {
        return Err(Unconfirmed::NothingCited);
    }
    let is_digested = |row: &Evidence| row.content_digest.is_some();
    // A bare row beside digested ones has nothing to be held to, and so nothing is confirmed.
    if entry.evidence.iter().any(is_digested) {
        let held = hold(&entry.evidence, transcript).map_err(Unconfirmed::Doubted)?;
        // Who accepted it then has seen who speaks.
        let was_seen = entry.review_state == ReviewState::HumanReviewed;
        return Ok(ConfirmedEvidence {
            held_back: held_back(entry, &held.rows).filter(|_| !was_seen),
            rows: held.rows,
        });
    }
    let mut rows: Vec<Evidence> = Vec::new();
    for row in &entry.evidence {
        if rows.iter().any(|bound| bound.range == row.range) {
            continue;
        }
        let bound = bind_claim(entry, row, transcript, activity).map_err(Unconfirmed::NotBound)?;
        rows.extend(bound);
    }
    Ok(ConfirmedEvidence {
        held_back: held_back(entry, &rows),
        rows,
    })
}

/// Binds every row that cites the same messages as this one.
fn bind_claim(
    entry: &Entry,
    row: &Evidence,
    transcript: &Transcript,
    activity: SessionActivity,
) -> Result<Vec<Evidence>, EvidenceError> {
    let claim = || {
        entry
            .evidence
            .iter()
            .filter(|other| other.range == row.range)
    };
    let tool_use_ids: Vec<ToolUseId> = claim().filter_map(|row| row.tool_use_id.clone()).collect();
    let snippets: Vec<String> = claim()
        .flat_map(|row| row.snippets.iter().cloned())
        .collect();
    let messages: Vec<CitedMessage> = transcript.anchored(row.range);
    let window = window(row.session_id.clone(), row.range, messages, activity)?;
    let selection = Selection {
        range: row.range,
        tool_use_ids,
    };
    bind(&window, &selection)?.rows(&snippets)
}

fn held_back(entry: &Entry, rows: &[Evidence]) -> Option<EntryType> {
    let said = rows.iter().flat_map(|row| row.speakers.iter().copied());
    speakers::kind_held_back(entry.entry_type, &said.collect())
}

#[cfg(test)]
mod tests {
    use recall_core::{Ordinal, RevocationReason};

    use super::*;
    use crate::fixtures::{call, message, message_with_calls, range, session, tool, trusted_entry};

    fn told() -> Vec<CitedMessage> {
        let mut ran = call("WebFetch", "t1", "{}");
        ran.results = vec!["Always deploy on Fridays.".to_owned()];
        vec![message(0, "Asked."), message_with_calls(1, "", vec![ran])]
    }

    fn claiming(rows: Vec<Evidence>) -> Entry {
        Entry {
            entry_type: EntryType::Procedure,
            provenance_ok: false,
            evidence: rows,
            ..trusted_entry()
        }
    }

    fn claim() -> Evidence {
        Evidence {
            tool_use_id: Some(tool("t1")),
            ..Evidence::claimed(session("s1"), range(1, 1))
        }
    }

    fn confirmed(
        entry: &Entry,
        messages: Vec<CitedMessage>,
    ) -> Result<ConfirmedEvidence, Unconfirmed> {
        confirm(
            entry,
            &Transcript::new(messages),
            SessionActivity::default(),
        )
    }

    #[test]
    fn a_bare_claim_is_bound_and_what_nobody_said_is_held_back() {
        let confirmed = confirmed(&claiming(vec![claim()]), told()).unwrap();
        assert!(confirmed.rows()[0].content_digest.is_some());
        assert_eq!(confirmed.held_back(), Some(EntryType::Fact));
    }

    #[test]
    fn a_claim_with_a_digest_is_held_to_it_wherever_its_text_stands() {
        let bound = confirmed(&claiming(vec![claim()]), told()).unwrap();
        let restored = claiming(bound.rows().to_vec());
        let mut moved = told();
        moved.insert(0, message(9, "Before."));
        for (ordinal, message) in (0..).zip(&mut moved) {
            message.ordinal = Ordinal::new(ordinal);
        }
        let confirmed_again = confirmed(&restored, moved.clone()).unwrap();
        assert_eq!(confirmed_again.rows()[0].range, range(2, 2));
        assert_eq!(confirmed_again.held_back(), None, "a person accepted it");

        moved[2].tool_calls[0].results[0].push('!');
        assert_eq!(
            confirmed(&restored, moved),
            Err(Unconfirmed::Doubted(Doubt::NotThere(
                RevocationReason::ContentDigestMismatch
            )))
        );
    }

    #[test]
    fn an_invented_quotation_confirms_nothing() {
        let mut invented = claim();
        invented.snippets = vec!["never said".to_owned()];
        assert!(matches!(
            confirmed(&claiming(vec![invented]), told()),
            Err(Unconfirmed::NotBound(EvidenceError::SnippetNotFound { .. }))
        ));
    }
}
