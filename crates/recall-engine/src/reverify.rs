//! Verifying evidence on demand.

use recall_core::{EntryId, SessionId};
use recall_store::{Durability, SessionState, Verification};
use recall_trust::evidence::{Doubt, Unconfirmed, confirm};
use recall_trust::trusted::explain;

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
            let mut unverified = transaction.unverified_entries(session).await?;
            // What cites nothing claims nothing.
            unverified.retain(|entry| !entry.evidence.is_empty());
            if !unverified.is_empty() {
                let transcript = transaction.transcript(session).await?;
                let activity = transaction.session_activity(session, now).await?;
                for entry in unverified {
                    let outcome = transcript
                        .as_ref()
                        .ok_or(Refused::NoTranscript)
                        .and_then(|transcript| Ok(confirm(&entry, transcript, activity)?));
                    match outcome {
                        Ok(confirmed) => {
                            transaction.confirm(&entry.id, &confirmed, now).await?;
                            report.confirmed.push(entry.id);
                        }
                        Err(refused) => {
                            let reason = refused.in_words(session);
                            report.unconfirmed.push((entry.id, reason));
                        }
                    }
                }
            }
            transaction.commit().await?;
        }
        Ok(report)
    }
}

/// Why a claim stays one.
enum Refused {
    NoTranscript,
    Unconfirmed(Unconfirmed),
}

impl From<Unconfirmed> for Refused {
    fn from(unconfirmed: Unconfirmed) -> Self {
        Self::Unconfirmed(unconfirmed)
    }
}

impl Refused {
    fn in_words(&self, session: &SessionId) -> String {
        match self {
            Self::NoTranscript | Self::Unconfirmed(Unconfirmed::Doubted(Doubt::NoTranscript)) => {
                format!("the transcript of session {session} is not in the archive")
            }
            Self::Unconfirmed(Unconfirmed::Doubted(Doubt::NotThere(reason))) => {
                format!("{} ({reason})", explain(*reason))
            }
            Self::Unconfirmed(Unconfirmed::Doubted(Doubt::NotQuoted)) => {
                "a quotation does not occur in what is cited".to_owned()
            }
            Self::Unconfirmed(Unconfirmed::NothingCited) => "it cites nothing".to_owned(),
            Self::Unconfirmed(Unconfirmed::NotBound(error)) => error.to_string(),
        }
    }
}
