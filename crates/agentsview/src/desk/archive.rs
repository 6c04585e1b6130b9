//! What the desk asks of the archive: to read at any time, to write only while a decision is made.

use agentsview_api::ExitCode;
use recall_core::EntryId;
use recall_engine::{
    Engine, EngineError, QueueRequest, ReviewItem, ReviewQueue, ReviewRequest, Reviewed,
};
use recall_store::Durability;
use recall_trust::request::MAX_LIMIT;
use recall_trust::review::Reviewer;

use super::state::Proposal;
use crate::failure::Failure;
use crate::run::Place;

/// How an attempt to write ended without a decision.
#[derive(Debug)]
pub(super) enum Obstacle {
    /// Somebody else writes, or the archive cannot be opened just now.
    Busy(String),
    /// The entry is not as it was read; the sentence says in what.
    Changed(String),
    /// It may not be done, or it failed.
    Refused(String),
}

/// The archive at a place, and who signs there.
pub(super) struct Archive<'a> {
    pub(super) place: &'a Place,
    pub(super) reviewer: Reviewer,
}

impl Archive<'_> {
    /// What waits of what is asked for.
    pub(super) async fn queue(&self, request: &QueueRequest) -> Result<ReviewQueue, Failure> {
        let engine = self.place.reading().await?;
        let request = QueueRequest {
            // A desk is worked through, so it takes as much as there may be unless told otherwise.
            limit: request.limit.or_else(|| i64::try_from(MAX_LIMIT).ok()),
            ..request.clone()
        };
        let queue = engine.review_queue(&request).await;
        engine.close().await;
        Ok(queue?)
    }

    /// An entry with its surroundings; `None` if it is gone.
    pub(super) async fn item(&self, id: &EntryId) -> Result<Option<ReviewItem>, Failure> {
        let engine = self.place.reading().await?;
        let item = engine.review_item(id).await;
        engine.close().await;
        match item {
            Ok(item) => Ok(Some(item)),
            Err(EngineError::EntryNotFound(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes a decision down, unless the entry is not as it was read.
    pub(super) async fn decide(
        &self,
        proposal: &Proposal,
        read: &ReviewItem,
    ) -> Result<Reviewed, Obstacle> {
        let engine = self.writing().await?;
        let reviewed = match unchanged(&engine, proposal, read).await {
            Ok(()) => engine
                .review(
                    &proposal.id,
                    &proposal.request,
                    &proposal.note,
                    &self.reviewer,
                )
                .await
                .map_err(|error| refused(&error)),
            Err(obstacle) => Err(obstacle),
        };
        engine.close().await;
        reviewed
    }

    /// Takes a decision back, unless somebody decided after it.
    pub(super) async fn undo(&self, number: i64) -> Result<Reviewed, Obstacle> {
        let engine = self.writing().await?;
        let undone = undo(&engine, number, &self.reviewer).await;
        engine.close().await;
        undone
    }

    async fn writing(&self) -> Result<Engine, Obstacle> {
        self.place.writing().await.map_err(|failure| {
            let why = failure.message;
            if failure.exit == ExitCode::Unavailable {
                Obstacle::Busy(why)
            } else {
                Obstacle::Refused(why)
            }
        })
    }
}

/// One process writes at a time, so what holds here holds until the decision is written.
async fn unchanged(
    engine: &Engine,
    proposal: &Proposal,
    read: &ReviewItem,
) -> Result<(), Obstacle> {
    let now = match engine.review_item(&read.entry.id).await {
        Ok(now) => now,
        Err(EngineError::EntryNotFound(_)) => {
            return Err(Obstacle::Changed("The entry is gone.".to_owned()));
        }
        Err(error) => return Err(refused(&error)),
    };
    let (old, new) = (&read.entry, &now.entry);
    let is_about_another = matches!(proposal.request, ReviewRequest::Supersede { .. });
    let what = if now.decisions != read.decisions {
        "somebody decided on it"
    } else if new.evidence != old.evidence || new.provenance_ok != old.provenance_ok {
        "its evidence was verified again"
    } else if now.passages != read.passages {
        "its transcript changed"
    } else if new != old {
        "it was changed"
    } else if is_about_another
        && (now.duplicates != read.duplicates || now.contradictions != read.contradictions)
    {
        "what resembles it changed"
    } else {
        return Ok(());
    };
    Err(Obstacle::Changed(format!(
        "Nothing was decided: since you read this entry, {what}. Here it is as it is now."
    )))
}

async fn undo(engine: &Engine, number: i64, reviewer: &Reviewer) -> Result<Reviewed, Obstacle> {
    let last = async {
        let mut transaction = engine.store().begin(Durability::PowerCut).await?;
        transaction.last_decision().await
    };
    let last = last.await.map_err(|error| refused(&error.into()))?;
    if last.is_none_or(|decision| decision.number != number) {
        return Err(Obstacle::Refused(
            "somebody decided after that; take it back with `agentsview recall undo`".to_owned(),
        ));
    }
    let undone = engine
        .undo(reviewer)
        .await
        .map_err(|error| refused(&error))?;
    undone.ok_or_else(|| Obstacle::Refused("there is nothing to take back".to_owned()))
}

fn refused(error: &EngineError) -> Obstacle {
    Obstacle::Refused(error.to_string())
}
