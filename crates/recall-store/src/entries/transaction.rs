//! One transaction over entries: reads see one snapshot, writes are all or nothing.

use recall_core::{Entry, EntryId, SessionId, Status, Timestamp};
use recall_trust::insertion::NewEntry;
use sqlx::Sqlite;

use super::insert::insert;
use super::read::entry_by_id;
use crate::{Durability, Store, StoreError};

/// What is known of a session by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionState {
    /// It is in the archive.
    Present,
    /// It is in the archive's trash.
    Trashed,
    /// The user removed it for good.
    Excluded,
    /// The archive has never seen it.
    Unknown,
}

/// A transaction; dropped without a commit it leaves nothing.
pub struct Transaction {
    pub(super) connection: sqlx::Transaction<'static, Sqlite>,
}

impl Store {
    /// One snapshot to read from; writes in it fail.
    pub async fn snapshot(&self) -> Result<Transaction, StoreError> {
        Ok(Transaction {
            connection: self.readers.begin().await?,
        })
    }

    /// A transaction that writes. No other write happens until it ends, so what it read stays true.
    pub async fn begin(&self, durability: Durability) -> Result<Transaction, StoreError> {
        Ok(Transaction {
            connection: self.write(durability).await?,
        })
    }
}

impl Transaction {
    /// Makes the writes permanent.
    pub async fn commit(self) -> Result<(), StoreError> {
        Ok(self.connection.commit().await?)
    }

    /// One entry of any status.
    pub async fn entry(&mut self, entry: &EntryId) -> Result<Option<Entry>, StoreError> {
        entry_by_id(&mut self.connection, entry).await
    }

    /// Whether a session is there to be cited.
    pub async fn session_state(&mut self, session: &SessionId) -> Result<SessionState, StoreError> {
        let trashed: Option<bool> =
            sqlx::query_scalar("SELECT deleted_at IS NOT NULL FROM sessions WHERE id = ?")
                .bind(session.as_str())
                .fetch_optional(&mut *self.connection)
                .await?;
        let excluded: i64 =
            sqlx::query_scalar("SELECT count(*) FROM excluded_sessions WHERE id = ?")
                .bind(session.as_str())
                .fetch_one(&mut *self.connection)
                .await?;
        Ok(match (excluded > 0, trashed) {
            (true, _) => SessionState::Excluded,
            (false, Some(true)) => SessionState::Trashed,
            (false, Some(false)) => SessionState::Present,
            (false, None) => SessionState::Unknown,
        })
    }

    /// Makes a session that stands for one whose transcript has not come yet. A session that is
    /// there already is left as it is.
    pub async fn insert_placeholder_session(
        &mut self,
        new: &NewEntry,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let entry = new.entry();
        let id = entry.source_session_id.as_str();
        sqlx::query(
            "INSERT INTO sessions (id, agent, project, cwd, git_branch, machine, source_version, \
             first_message, started_at, ended_at, origin, created_at, modified_at) \
             VALUES (?, ?, ?, ?, ?, 'recall-import', 'recall-import-placeholder', ?, ?, ?, \
             'placeholder', ?, ?) ON CONFLICT (id) DO NOTHING",
        )
        .bind(id)
        .bind(&entry.agent)
        .bind(&entry.project)
        .bind(&entry.cwd)
        .bind(&entry.git_branch)
        .bind(format!("Recall import placeholder for {id}"))
        .bind(now.to_string())
        .bind(now.to_string())
        .bind(now.to_string())
        .bind(now.to_string())
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Whether a person rejected that id, whether or not there is such an entry (B-01).
    pub async fn is_rejected(&mut self, entry: &EntryId) -> Result<bool, StoreError> {
        let rejections: i64 =
            sqlx::query_scalar("SELECT count(*) FROM recall_rejected WHERE entry_id = ?")
                .bind(entry.as_str())
                .fetch_one(&mut *self.connection)
                .await?;
        Ok(rejections > 0)
    }

    /// Stores an entry. One that supersedes another archives it and links the two (S-R03). One whose
    /// id a person rejected is stored archived and replaces nothing.
    ///
    /// # Errors
    /// [`StoreError::NotActive`] if the entry to replace is not in force.
    pub async fn insert(&mut self, new: &NewEntry, now: Timestamp) -> Result<(), StoreError> {
        if self.is_rejected(&new.entry().id).await? {
            let rejected = new.clone().rejected();
            return insert(&mut self.connection, &rejected).await;
        }
        let entry = new.entry();
        if let Some(target) = &entry.supersedes {
            let archived = sqlx::query(
                "UPDATE recall_entries SET status = ?, superseded_by_entry_id = ?, updated_at = ? \
                 WHERE id = ? AND status = ? AND superseded_by_entry_id IS NULL",
            )
            .bind(Status::Archived.as_str())
            .bind(entry.id.as_str())
            .bind(now.to_string())
            .bind(target.as_str())
            .bind(Status::Accepted.as_str())
            .execute(&mut *self.connection)
            .await?
            .rows_affected();
            if archived != 1 {
                return Err(StoreError::NotActive(target.clone()));
            }
        }
        insert(&mut self.connection, new).await
    }
}
