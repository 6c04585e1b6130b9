//! Bringing entries and decisions of a backup back (B-12).

use recall_core::{EntryId, SessionId};
use recall_trust::evidence::verification::Transcript;
use recall_trust::insertion::NewEntry;
use recall_trust::review::Decision;

use super::insert::insert;
use super::standing;
use super::transaction::Transaction;
use crate::StoreError;
use crate::transcript::{MessageQuery, cited, messages};

/// The highest number that a decision of a backup may keep. A log whose numbers are used up takes no
/// further decision, and a file can name any.
const MAX_KEPT_NUMBER: i64 = 1 << 52;

impl Transaction {
    /// The whole of a session as it is stored now; `None` if the archive has no transcript of it.
    pub async fn transcript(
        &mut self,
        session: &SessionId,
    ) -> Result<Option<Transcript>, StoreError> {
        if !self.has_transcript(session).await? {
            return Ok(None);
        }
        let rows = messages(&mut self.connection, session, &MessageQuery::default()).await?;
        Ok(Some(Transcript::new(rows.iter().map(cited).collect())))
    }

    /// Stores an entry of a backup with both of its links as they are; the entries that they name
    /// are to be there when the transaction ends. One whose id a person rejected is archived.
    pub async fn insert_restored(&mut self, new: NewEntry) -> Result<(), StoreError> {
        let is_rejected = self.is_rejected(&new.entry().id).await?;
        let new = if is_rejected {
            new.restored_rejected()
        } else {
            new
        };
        insert(&mut self.connection, &new).await
    }

    /// Appends a decision of a backup to the log. It keeps its number if that is higher than every
    /// number of the log and within reason, and gets the next one otherwise; `undoes` is the number
    /// that the decision it takes back has in this log. Returns its number.
    pub async fn append_decision(
        &mut self,
        decision: &Decision,
        undoes: Option<i64>,
    ) -> Result<i64, StoreError> {
        let (before, after) = decision.standing.unzip();
        let number = sqlx::query_scalar(
            "INSERT INTO recall_review_log (number, entry_id, action, reviewer, decided_at, note, \
             other_entry_id, undoes, standing_before, standing_after) \
             VALUES (max(coalesce(?, 0), (SELECT coalesce(max(number), 0) + 1 FROM recall_review_log)), \
             ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
        )
        .bind(Some(decision.number).filter(|number| *number <= MAX_KEPT_NUMBER))
        .bind(decision.entry_id.as_str())
        .bind(decision.action.as_str())
        .bind(&decision.reviewer)
        .bind(decision.at.to_string())
        .bind(&decision.note)
        .bind(decision.other.as_ref().map(EntryId::as_str))
        .bind(undoes)
        .bind(before.map(standing::write))
        .bind(after.map(standing::write))
        .fetch_one(&mut *self.connection)
        .await?;
        Ok(number)
    }
}
