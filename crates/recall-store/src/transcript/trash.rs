//! Sessions that the user does not want: hidden for now, or forgotten for good.

use recall_core::{EntryId, SessionId, Timestamp};

use crate::columns::id;
use crate::{Durability, Store, StoreError};

/// What removing a session for good took along.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Removal {
    /// Whether the archive held the session; if not, its id was kept out already.
    pub was_stored: bool,
    /// Its messages.
    pub messages: u64,
    /// Its entries, which are gone as well.
    pub entries: Vec<EntryId>,
    /// Entries that are in force again, since what had replaced them is gone.
    pub restored: Vec<EntryId>,
}

impl Store {
    /// Hides a session and withdraws the trust in its entries; `false` if it is hidden already,
    /// `None` if there is none of that id. Nothing is lost: see [`Self::restore_session`].
    pub async fn trash_session(
        &self,
        session: &SessionId,
        now: Timestamp,
    ) -> Result<Option<bool>, StoreError> {
        self.set_deleted(session, Some(now)).await
    }

    /// Brings a hidden session back; `false` if it is not hidden, `None` if there is none of that
    /// id.
    pub async fn restore_session(&self, session: &SessionId) -> Result<Option<bool>, StoreError> {
        self.set_deleted(session, None).await
    }

    async fn set_deleted(
        &self,
        session: &SessionId,
        at: Option<Timestamp>,
    ) -> Result<Option<bool>, StoreError> {
        let mut transaction = self.write(Durability::PowerCut).await?;
        let is_trashed: Option<bool> =
            sqlx::query_scalar("SELECT deleted_at IS NOT NULL FROM sessions WHERE id = ?")
                .bind(session.as_str())
                .fetch_optional(&mut *transaction)
                .await?;
        let Some(is_trashed) = is_trashed else {
            return Ok(None);
        };
        if is_trashed == at.is_some() {
            return Ok(Some(false));
        }
        sqlx::query("UPDATE sessions SET deleted_at = ? WHERE id = ?")
            .bind(at.map(|time| time.to_string()))
            .bind(session.as_str())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(Some(true))
    }

    /// Forgets a session for good with its messages, findings and entries, and keeps its id out of
    /// every later sync and import. Its text is overwritten in the file. The agent's own file is
    /// not touched. `None` if the archive does not know the id: a misspelt one is not kept out.
    pub async fn delete_session(
        &self,
        session: &SessionId,
        now: Timestamp,
    ) -> Result<Option<Removal>, StoreError> {
        let Some(removal) = self.remove_and_exclude(session, now).await? else {
            return Ok(None);
        };
        // The log holds what was there before until it is written back.
        let writer = self.writer.as_ref().ok_or(StoreError::ReadOnly)?;
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
            .execute(&writer.connection)
            .await?;
        Ok(Some(removal))
    }

    async fn remove_and_exclude(
        &self,
        session: &SessionId,
        now: Timestamp,
    ) -> Result<Option<Removal>, StoreError> {
        let mut transaction = self.write(Durability::PowerCut).await?;
        let messages: Option<i64> =
            sqlx::query_scalar("SELECT message_count FROM sessions WHERE id = ?")
                .bind(session.as_str())
                .fetch_optional(&mut *transaction)
                .await?;
        if messages.is_none() {
            let is_kept_out: bool =
                sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM excluded_sessions WHERE id = ?)")
                    .bind(session.as_str())
                    .fetch_one(&mut *transaction)
                    .await?;
            return Ok(is_kept_out.then(Removal::default));
        }
        let entries: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM recall_entries WHERE source_session_id = ? ORDER BY id",
        )
        .bind(session.as_str())
        .fetch_all(&mut *transaction)
        .await?;
        let replaced: Vec<String> = sqlx::query_scalar(
            "SELECT old.id FROM recall_entries old \
             JOIN recall_entries new ON new.id = old.superseded_by_entry_id \
             WHERE new.source_session_id = ? AND old.source_session_id <> new.source_session_id \
             ORDER BY old.id",
        )
        .bind(session.as_str())
        .fetch_all(&mut *transaction)
        .await?;
        sqlx::query("DELETE FROM sessions WHERE id = ?")
            .bind(session.as_str())
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "INSERT INTO excluded_sessions (id, excluded_at) VALUES (?, ?) \
             ON CONFLICT (id) DO NOTHING",
        )
        .bind(session.as_str())
        .bind(now.to_string())
        .execute(&mut *transaction)
        .await?;
        let mut restored = Vec::new();
        for entry in replaced {
            let is_in_force: bool =
                sqlx::query_scalar("SELECT status = 'accepted' FROM recall_entries WHERE id = ?")
                    .bind(&entry)
                    .fetch_one(&mut *transaction)
                    .await?;
            if is_in_force {
                restored.push(id(EntryId::new, entry)?);
            }
        }
        transaction.commit().await?;
        Ok(Some(Removal {
            was_stored: messages.is_some(),
            messages: crate::columns::count(messages.unwrap_or(0))?,
            entries: entries
                .into_iter()
                .map(|entry| id(EntryId::new, entry))
                .collect::<Result<_, _>>()?,
            restored,
        }))
    }
}
