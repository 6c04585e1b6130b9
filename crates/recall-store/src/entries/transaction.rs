//! One transaction over entries: reads see one snapshot, writes are all or nothing.

use recall_core::{
    CitedMessage, CitedToolCall, Entry, EntryId, OrdinalRange, SessionId, Status, Timestamp,
};
use recall_trust::insertion::NewEntry;
use recall_trust::supersession::TargetState;
use sqlx::Sqlite;

use super::insert::insert;
use super::read::entry_by_id;
use crate::transcript::{MessageQuery, messages};
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
    connection: sqlx::Transaction<'static, Sqlite>,
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

    /// What supersession has to know of its target.
    pub async fn target(&mut self, entry: &EntryId) -> Result<Option<TargetState>, StoreError> {
        Ok(self
            .entry(entry)
            .await?
            .map(|entry| TargetState::of(&entry)))
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

    /// The stored messages of a range, as evidence sees them.
    pub async fn cited_messages(
        &mut self,
        session: &SessionId,
        range: OrdinalRange,
    ) -> Result<Vec<CitedMessage>, StoreError> {
        let query = MessageQuery {
            range: Some(range),
            ..MessageQuery::default()
        };
        let rows = messages(&mut self.connection, session, &query).await?;
        Ok(rows.into_iter().map(cited).collect())
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

    /// Stores an entry. One that supersedes another archives it and links the two (S-R03).
    ///
    /// # Errors
    /// [`StoreError::NotActive`] if the entry to replace is not in force.
    pub async fn insert(&mut self, new: &NewEntry, now: Timestamp) -> Result<(), StoreError> {
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

fn cited(message: agentsview_formats::ParsedMessage) -> CitedMessage {
    CitedMessage {
        ordinal: message.ordinal,
        role: message.role,
        content: message.content,
        source_uuid: message.source_uuid,
        tool_calls: message.tool_calls.into_iter().map(cited_call).collect(),
    }
}

fn cited_call(call: agentsview_formats::ParsedToolCall) -> CitedToolCall {
    let result_content = call.result_content();
    CitedToolCall {
        tool_name: call.tool_name,
        category: call.category.as_str().to_owned(),
        tool_use_id: call.tool_use_id,
        input_json: call.input_json,
        skill_name: call.skill_name,
        result_content_length: result_content.len() as u64,
        result_content,
        subagent_session_id: call
            .subagent_session_id
            .map_or_else(String::new, |id| id.to_string()),
    }
}
