//! Ingest of raw evaluation material (S-E08): for a laboratory, never for a release.
//!
//! An evaluation measures how well Recall answers from agents' trajectories, and needs them in an
//! archive of its own. [`Engine::ingest_trajectory`] stores the text of one trajectory as a corpus:
//! a stand-in session whose id names exactly what was ingested and in which context, and an entry
//! for each chunk of the text. The entries are `eval_raw`, not transferable and cite nothing, so no
//! trusted answer holds them; a query for a corpus filters by its id as the source session.
//!
//! All of it is compiled by the feature `eval-ingest` alone.

mod corpus;
mod error;
mod identity;
mod permit;
mod request;
mod text;

pub use error::EvalError;
pub use permit::{IngestPermit, IngestTarget};
pub use request::{MAX_FIELD_BYTES, MAX_FIELD_CHARACTERS, MAX_REQUEST_BYTES, TrajectoryRequest};
pub use text::CHUNK_CHARACTERS;

use recall_core::{RunId, SessionId};
use recall_store::{Durability, SessionState};

use crate::Engine;
use corpus::Corpus;

/// What an ingest did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrajectoryReport {
    /// The run, as requested.
    pub run_id: RunId,
    /// The trajectory, as requested.
    pub trajectory_id: String,
    /// The session that stands for the trajectory: 64 lower-case hex digits. `None` if the
    /// trajectory holds no text, in which case nothing is stored.
    pub corpus_id: Option<SessionId>,
    /// How many entries are new; 0 if the corpus was there already.
    pub entries_indexed: usize,
}

impl Engine {
    /// Stores a trajectory as evaluation material, in one transaction. What is there already stays
    /// as it is, so a request may be repeated and sent by many at once.
    ///
    /// # Errors
    /// [`EvalError::Screen`] if the text holds what looks like a credential;
    /// [`EvalError::CorpusTrashed`] and [`EvalError::CorpusRemoved`] if a person took this corpus
    /// out; [`EvalError::Entry`] if a context field is too large. Nothing is stored then.
    pub async fn ingest_trajectory(
        &self,
        _permit: &IngestPermit,
        request: &TrajectoryRequest,
    ) -> Result<TrajectoryReport, EvalError> {
        let mut report = TrajectoryReport {
            run_id: request.run_id.clone(),
            trajectory_id: request.trajectory_id.clone(),
            corpus_id: None,
            entries_indexed: 0,
        };
        let now = self.clock.now();
        let Some(corpus) = Corpus::of(request, now)? else {
            return Ok(report);
        };
        // Whoever evaluates has the trajectories and can ingest them again after a power cut.
        let mut transaction = self.store.begin(Durability::Process).await?;
        refuse_unwanted(&corpus.id, transaction.session_state(&corpus.id).await?)?;
        transaction
            .insert_evaluation_session(&corpus.id, &corpus.session, now)
            .await?;
        for new in &corpus.entries {
            // The transaction is the only one that writes, so what is not there stays away.
            if transaction.entry(&new.entry().id).await?.is_none() {
                transaction.insert(new, now).await?;
                report.entries_indexed += 1;
            }
        }
        transaction.commit().await?;
        report.corpus_id = Some(corpus.id);
        Ok(report)
    }
}

/// A corpus that a person took out does not come back by itself.
fn refuse_unwanted(corpus: &SessionId, state: SessionState) -> Result<(), EvalError> {
    match state {
        SessionState::Present | SessionState::Unknown => Ok(()),
        SessionState::Trashed => Err(EvalError::CorpusTrashed(corpus.clone())),
        SessionState::Excluded => Err(EvalError::CorpusRemoved(corpus.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // S-E08
    #[test]
    fn a_corpus_that_was_taken_out_is_refused() {
        let corpus = SessionId::new("c0ffee").unwrap();
        let refusal = |state| refuse_unwanted(&corpus, state).map_err(|error| error.to_string());
        assert_eq!(refusal(SessionState::Present), Ok(()));
        assert_eq!(refusal(SessionState::Unknown), Ok(()));
        assert_eq!(
            refusal(SessionState::Trashed).unwrap_err(),
            "evaluation corpus c0ffee is in the trash; restore it"
        );
        assert_eq!(
            refusal(SessionState::Excluded).unwrap_err(),
            "evaluation corpus c0ffee was removed for good; ingest it under another run id"
        );
    }
}
