//! Review: what waits for a person, what a person sees, and what a person decides (B-01, B-13).

use recall_core::{Entry, EntryFilter, EntryId, EntryType, QueryMode, Status};
use recall_lexical::similar::{Contradiction, Duplicate, SimilarityIndex};
use recall_store::{Durability, MessageQuery, QueueOrder, Signed, Transaction};
use recall_trust::request;
use recall_trust::review::{Decision, Edit, ReviewError, Reviewer, Verdict, decide, take_back};

use crate::screen::screen;
use crate::{Engine, EngineError, Passage};

/// Which entries wait for a person.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QueueRequest {
    /// Which entries; the status and the review state of it are set by the queue.
    pub filter: EntryFilter,
    /// Which come first.
    pub order: QueueOrder,
    /// How many at most: `None` or 0 means 50, and 500 is the most.
    pub limit: Option<i64>,
}

/// Entries that wait for a person.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewQueue {
    /// The first of them.
    pub entries: Vec<Entry>,
    /// How many there are.
    pub total: u64,
}

/// An entry with everything that helps to judge it.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewItem {
    /// The entry.
    pub entry: Entry,
    /// What its evidence cites, citation by citation. Of a revoked entry this is what stands at
    /// that place now.
    pub passages: Vec<Passage>,
    /// Entries in force that say nearly the same, most similar first.
    pub duplicates: Vec<(Duplicate, Entry)>,
    /// Entries in force that say the opposite.
    pub contradictions: Vec<(Contradiction, Entry)>,
    /// What was decided before, first one first.
    pub decisions: Vec<Decision>,
}

/// A person's word on an entry; see [`Verdict`].
#[derive(Debug, Clone, PartialEq)]
pub enum ReviewRequest {
    /// It is right.
    Accept {
        /// Whether it holds outside its own session.
        transferable: bool,
        /// The kind it is accepted as; `None` leaves it the kind it is.
        entry_type: Option<EntryType>,
    },
    /// It is right in other words.
    Edit(Edit),
    /// It is wrong; needs a note.
    Reject,
    /// Another entry says it better.
    Supersede {
        /// That entry.
        by: EntryId,
    },
    /// It is no longer wanted.
    Archive,
    /// It is wanted again.
    Restore,
}

/// A decision that was written down.
#[derive(Debug, Clone, PartialEq)]
pub struct Reviewed {
    /// The decision.
    pub decision: Decision,
    /// The decision that was taken back, if that was it.
    pub undone: Option<Decision>,
    /// The entry as it is now; `None` if the archive has none of that id.
    pub entry: Option<Entry>,
}

impl Engine {
    /// Entries that wait for a person: those in force that nobody reviewed, and reviewed ones whose
    /// evidence was revoked since or which claim a kind that nobody granted yet.
    ///
    /// # Errors
    /// [`EngineError::Request`] if the request is wrong.
    pub async fn review_queue(&self, queue: &QueueRequest) -> Result<ReviewQueue, EngineError> {
        request::check_filter(&queue.filter, QueryMode::Lexical)?;
        let limit = request::limit(queue.limit)?;
        let (entries, total) = self
            .store
            .review_queue(&queue.filter, queue.order, limit)
            .await?;
        Ok(ReviewQueue { entries, total })
    }

    /// An entry beside its evidence, with what repeats or contradicts it.
    ///
    /// # Errors
    /// [`EngineError::EntryNotFound`] if there is none of that id.
    pub async fn review_item(&self, id: &EntryId) -> Result<ReviewItem, EngineError> {
        let entry = self.entry(id).await?;
        let mut passages = Vec::new();
        for row in &entry.evidence {
            let known = passages
                .iter_mut()
                .find(|passage: &&mut Passage| passage.range == row.range);
            match known {
                Some(passage) => passage.tool_use_ids.extend(row.tool_use_id.clone()),
                None => passages.push(Passage {
                    range: row.range,
                    tool_use_ids: row.tool_use_id.clone().into_iter().collect(),
                    messages: self
                        .store
                        .messages(
                            &row.session_id,
                            &MessageQuery {
                                range: Some(row.range),
                                ..MessageQuery::default()
                            },
                        )
                        .await?,
                }),
            }
        }
        let in_force = self.store.entries(&EntryFilter::default(), None).await?;
        let index = SimilarityIndex::new(&in_force);
        let by_id = |id: &EntryId| in_force.iter().find(|entry| entry.id == *id).cloned();
        let duplicates = index
            .near_duplicates(&entry)
            .into_iter()
            .filter_map(|found| by_id(&found.id).map(|entry| (found, entry)))
            .collect();
        let contradictions = index
            .contradictions(&entry)
            .into_iter()
            .filter_map(|found| by_id(&found.id).map(|entry| (found, entry)))
            .collect();
        let decisions = self.store.decisions(id).await?;
        Ok(ReviewItem {
            entry,
            passages,
            duplicates,
            contradictions,
            decisions,
        })
    }

    /// Writes a person's decision down, in one transaction with what it changes.
    ///
    /// # Errors
    /// [`EngineError::Review`] if the decision cannot be made on the entry as it is;
    /// [`EngineError::Screen`] if its words hold a credential; [`EngineError::EntryNotFound`].
    pub async fn review(
        &self,
        id: &EntryId,
        request: &ReviewRequest,
        note: &str,
        reviewer: &Reviewer,
    ) -> Result<Reviewed, EngineError> {
        screen([("note", note)])?;
        let now = self.clock.now();
        let signed = Signed {
            reviewer,
            at: now,
            note,
        };
        let mut transaction = self.store.begin(Durability::PowerCut).await?;
        let Some(entry) = transaction.entry(id).await? else {
            return lift_rejection(transaction, id, request, signed).await;
        };
        let other = match request {
            ReviewRequest::Supersede { by } => Some(
                transaction
                    .entry(by)
                    .await?
                    .ok_or_else(|| EngineError::EntryNotFound(by.clone()))?,
            ),
            ReviewRequest::Restore => transaction.successor(&entry).await?,
            _ => None,
        };
        let verdict = match (request, &other) {
            (
                ReviewRequest::Accept {
                    transferable,
                    entry_type,
                },
                _,
            ) => Verdict::Accept {
                transferable: *transferable,
                entry_type: *entry_type,
            },
            (ReviewRequest::Edit(edit), _) => Verdict::Edit(edit.clone()),
            (ReviewRequest::Reject, _) => Verdict::Reject,
            (ReviewRequest::Supersede { .. }, Some(by)) => Verdict::Supersede { by },
            (ReviewRequest::Supersede { by }, None) => {
                return Err(EngineError::EntryNotFound(by.clone()));
            }
            (ReviewRequest::Archive, _) => Verdict::Archive,
            (ReviewRequest::Restore, successor) => Verdict::Restore {
                successor: successor.as_ref(),
            },
        };
        let change = decide(&entry, &verdict, note, reviewer)?;
        if let Some(wording) = &change.wording {
            screen(wording.texts())?;
        }
        let number = transaction.record(&entry, &change, None, signed).await?;
        finish(transaction, id, number, None).await
    }

    /// Takes the latest decision back that was not taken back yet, whoever made it: a review, or a
    /// supersession by import. `None` if there is none. Decisions on entries that are gone are
    /// passed over.
    ///
    /// # Errors
    /// [`EngineError::Review`] if its entry changed since.
    pub async fn undo(&self, reviewer: &Reviewer) -> Result<Option<Reviewed>, EngineError> {
        let mut transaction = self.store.begin(Durability::PowerCut).await?;
        let Some(decision) = transaction.last_decision().await? else {
            return Ok(None);
        };
        let id = decision.entry_id.clone();
        let entry = transaction
            .entry(&id)
            .await?
            .ok_or_else(|| EngineError::EntryNotFound(id.clone()))?;
        let wording = transaction.replaced_wording(&id, decision.number).await?;
        let change = take_back(&decision, &entry, wording)?;
        let signed = Signed {
            reviewer,
            at: self.clock.now(),
            note: "",
        };
        let number = transaction
            .record(&entry, &change, Some(decision.number), signed)
            .await?;
        finish(transaction, &id, number, Some(decision))
            .await
            .map(Some)
    }
}

/// An id stays rejected when its entry is gone; a person can take that back as well.
async fn lift_rejection(
    mut transaction: Transaction,
    id: &EntryId,
    request: &ReviewRequest,
    signed: Signed<'_>,
) -> Result<Reviewed, EngineError> {
    let lifted = match request {
        ReviewRequest::Restore => transaction.lift_rejection(id, signed).await?,
        _ => None,
    };
    let number = lifted.ok_or_else(|| EngineError::EntryNotFound(id.clone()))?;
    finish(transaction, id, number, None).await
}

async fn finish(
    mut transaction: Transaction,
    id: &EntryId,
    number: i64,
    undone: Option<Decision>,
) -> Result<Reviewed, EngineError> {
    let entry = transaction.entry(id).await?;
    let decision = transaction
        .decision(number)
        .await?
        .ok_or_else(|| EngineError::Review(ReviewError::ChangedSince(id.clone())))?;
    transaction.commit().await?;
    Ok(Reviewed {
        decision,
        undone,
        entry,
    })
}

impl Reviewed {
    /// Whether the entry is in force now.
    pub fn is_in_force(&self) -> bool {
        self.entry
            .as_ref()
            .is_some_and(|entry| entry.status == Status::Accepted)
    }
}
