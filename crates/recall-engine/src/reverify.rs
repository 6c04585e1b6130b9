//! Verifying evidence on demand.

use recall_core::{Entry, EntryId, Evidence, EvidenceWindow, SessionId, Timestamp};
use recall_store::{Durability, SessionState, Transaction, Verification};
use recall_trust::evidence::{self, EvidenceError, Selection, speakers};

use crate::{Engine, EngineError};

/// Which sessions to verify.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReverifyScope {
    /// This one.
    Session(SessionId),
    /// Every session that entries belong to.
    All,
}

/// What verifying did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReverifyReport {
    /// Sessions looked at.
    pub sessions: u64,
    /// What became of entries that were provenance-valid before.
    pub verification: Verification,
    /// Entries whose evidence nobody had verified, and which holds.
    pub confirmed: Vec<EntryId>,
    /// Entries whose evidence nobody had verified and which still cannot be, each with the reason.
    pub unconfirmed: Vec<(EntryId, String)>,
    /// Entries whose evidence had been revoked before. They stay so, whatever their transcripts say
    /// now.
    pub stay_revoked: u64,
}

impl Engine {
    /// Verifies the evidence of entries against the transcripts as they are stored. Evidence that
    /// was only claimed (a stand-in session whose transcript has come, a restored backup) is bound
    /// if it holds. What was revoked stays revoked (S-E03).
    ///
    /// # Errors
    /// [`EngineError::SessionNotFound`] if there is no such session.
    pub async fn reverify(&self, scope: &ReverifyScope) -> Result<ReverifyReport, EngineError> {
        let now = self.clock.now();
        let sessions = match scope {
            ReverifyScope::Session(session) => vec![session.clone()],
            ReverifyScope::All => self.store.snapshot().await?.sessions_with_entries().await?,
        };
        let mut report = ReverifyReport::default();
        for session in &sessions {
            let mut transaction = self.store.begin(Durability::PowerCut).await?;
            let state = transaction.session_state(session).await?;
            if matches!(state, SessionState::Unknown | SessionState::Excluded) {
                if *scope == ReverifyScope::All {
                    continue;
                }
                return Err(EngineError::SessionNotFound(session.clone()));
            }
            report.sessions += 1;
            report.stay_revoked += transaction.revoked_entries(session).await?;
            report
                .verification
                .absorb(transaction.verify(session, now).await?);
            for entry in transaction.unverified_entries(session).await? {
                if entry.evidence.is_empty() {
                    continue;
                }
                match bind_claims(&mut transaction, &entry, now).await? {
                    Ok(bound) => {
                        // Who speaks is known only now.
                        let said = bound.iter().flat_map(|row| row.speakers.iter().copied());
                        let held_back = speakers::kind_held_back(entry.entry_type, &said.collect());
                        transaction
                            .confirm(&entry.id, &bound, held_back, now)
                            .await?;
                        report.confirmed.push(entry.id);
                    }
                    Err(reason) => report.unconfirmed.push((entry.id, reason)),
                }
            }
            transaction.commit().await?;
        }
        Ok(report)
    }
}

/// The evidence of an entry as the host binds it, or why it cannot be bound.
async fn bind_claims(
    transaction: &mut Transaction,
    entry: &Entry,
    now: Timestamp,
) -> Result<Result<Vec<Evidence>, String>, EngineError> {
    let session = &entry.source_session_id;
    if !transaction.has_transcript(session).await? {
        return Ok(Err(format!(
            "the transcript of session {session} is not in the archive"
        )));
    }
    let activity = transaction.session_activity(session, now).await?;
    let mut bound = Vec::new();
    for claim in claims(&entry.evidence) {
        let range = claim.selection.range;
        let messages = transaction.cited_messages(session, range).await?;
        let window = evidence::window(session.clone(), range, messages, activity);
        match window.and_then(|window| claim.bind(&window)) {
            Ok(rows) => bound.extend(rows),
            Err(error) => return Ok(Err(error.to_string())),
        }
    }
    Ok(Ok(bound))
}

/// One citation that nobody verified.
struct Claim<'a> {
    selection: Selection,
    rows: Vec<&'a Evidence>,
}

fn claims(evidence: &[Evidence]) -> Vec<Claim<'_>> {
    let mut claims: Vec<Claim<'_>> = Vec::new();
    for row in evidence {
        match claims
            .iter_mut()
            .find(|claim| claim.selection.range == row.range)
        {
            Some(claim) => {
                claim.selection.tool_use_ids.extend(row.tool_use_id.clone());
                claim.rows.push(row);
            }
            None => claims.push(Claim {
                selection: Selection {
                    range: row.range,
                    tool_use_ids: row.tool_use_id.clone().into_iter().collect(),
                },
                rows: vec![row],
            }),
        }
    }
    claims
}

impl Claim<'_> {
    /// The rows to store. A claim that comes with a digest is held to it.
    fn bind(&self, window: &EvidenceWindow) -> Result<Vec<Evidence>, EvidenceError> {
        let bound = evidence::bind(window, &self.selection)?;
        for digest in self
            .rows
            .iter()
            .filter_map(|row| row.content_digest.as_ref())
        {
            evidence::check_content(window, &self.selection, digest)?;
        }
        let snippets: Vec<String> = self
            .rows
            .iter()
            .flat_map(|row| row.snippets.iter().cloned())
            .collect();
        bound.rows(&snippets)
    }
}
