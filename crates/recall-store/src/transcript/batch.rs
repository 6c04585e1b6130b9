//! Rows gathered from many sessions and written a few hundred at a time: one-row inserts are
//! several times slower.

use std::collections::HashSet;

use agentsview_formats::{ParsedMessage, ParsedToolCall, ToolResult};
use recall_core::Timestamp;
use sqlx::{QueryBuilder, SqliteConnection};

use super::diff::RowDigest;
use crate::StoreError;
use crate::columns::integer;

/// Rows a statement. SQLite allows 32,766 bound values a statement; the widest row has 18.
const ROWS: usize = 500;

/// Message, call and result rows waiting to be written.
#[derive(Default)]
pub(super) struct RowBatch<'a> {
    sessions: HashSet<i64>,
    messages: Vec<(i64, &'a ParsedMessage, RowDigest)>,
    calls: Vec<(CallKey, &'a ParsedToolCall)>,
    results: Vec<(CallKey, i64, &'a ToolResult)>,
}

#[derive(Clone, Copy)]
struct CallKey {
    session_key: i64,
    ordinal: i64,
    call_index: i64,
}

impl<'a> RowBatch<'a> {
    pub(super) fn push(&mut self, session_key: i64, message: &'a ParsedMessage, digest: RowDigest) {
        self.sessions.insert(session_key);
        self.messages.push((session_key, message, digest));
        for (call_index, call) in message.tool_calls.iter().enumerate() {
            let key = CallKey {
                session_key,
                ordinal: message.ordinal.into(),
                call_index: integer(call_index as u64),
            };
            self.calls.push((key, call));
            for (event_index, result) in call.results.iter().enumerate() {
                self.results
                    .push((key, integer(event_index as u64), result));
            }
        }
    }

    /// Whether rows of this session are waiting, so that the database does not tell the whole of it.
    pub(super) fn holds(&self, session_key: i64) -> bool {
        self.sessions.contains(&session_key)
    }

    /// Writes everything, parents before children, and is empty again.
    pub(super) async fn write(
        &mut self,
        connection: &mut SqliteConnection,
    ) -> Result<(), StoreError> {
        let Self {
            messages,
            calls,
            results,
            ..
        } = std::mem::take(self);
        for rows in messages.chunks(ROWS) {
            insert_messages(connection, rows).await?;
        }
        for rows in calls.chunks(ROWS) {
            insert_calls(connection, rows).await?;
        }
        for rows in results.chunks(ROWS) {
            insert_results(connection, rows).await?;
        }
        Ok(())
    }
}

async fn insert_messages(
    connection: &mut SqliteConnection,
    rows: &[(i64, &ParsedMessage, RowDigest)],
) -> Result<(), StoreError> {
    let mut sql = QueryBuilder::new(
        "INSERT INTO messages (session_key, ordinal, row_digest, role, content, thinking_text, \
         timestamp, is_system, model, token_usage, source_type, source_subtype, source_uuid, \
         source_parent_uuid, provider_message_id, provider_request_id, is_sidechain, \
         is_compact_boundary) ",
    );
    sql.push_values(rows, |mut row, (session_key, message, digest)| {
        // Infallible: a struct of numbers always encodes.
        let usage = message
            .usage
            .as_ref()
            .and_then(|usage| serde_json::to_string(usage).ok());
        row.push_bind(session_key)
            .push_bind(i64::from(message.ordinal))
            .push_bind(digest.as_slice())
            .push_bind(message.role.as_str())
            .push_bind(&message.content)
            .push_bind(&message.thinking_text)
            .push_bind(text(message.timestamp))
            .push_bind(message.is_system)
            .push_bind(&message.model)
            .push_bind(usage)
            .push_bind(&message.source_type)
            .push_bind(&message.source_subtype)
            .push_bind(
                message
                    .source_uuid
                    .as_ref()
                    .map(recall_core::SourceUuid::as_str),
            )
            .push_bind(&message.source_parent_uuid)
            .push_bind(&message.provider_message_id)
            .push_bind(&message.provider_request_id)
            .push_bind(message.is_sidechain)
            .push_bind(message.is_compact_boundary);
    });
    sql.build().execute(connection).await?;
    Ok(())
}

async fn insert_calls(
    connection: &mut SqliteConnection,
    rows: &[(CallKey, &ParsedToolCall)],
) -> Result<(), StoreError> {
    let mut sql = QueryBuilder::new(
        "INSERT INTO tool_calls (session_key, ordinal, call_index, tool_use_id, tool_name, \
         category, input_json, file_path, skill_name, subagent_session_id) ",
    );
    sql.push_values(rows, |mut row, (key, call)| {
        row.push_bind(key.session_key)
            .push_bind(key.ordinal)
            .push_bind(key.call_index)
            .push_bind(
                call.tool_use_id
                    .as_ref()
                    .map(recall_core::ToolUseId::as_str),
            )
            .push_bind(&call.tool_name)
            .push_bind(call.category.as_str())
            .push_bind(&call.input_json)
            .push_bind(&call.file_path)
            .push_bind(&call.skill_name)
            .push_bind(
                call.subagent_session_id
                    .as_ref()
                    .map(recall_core::SessionId::as_str),
            );
    });
    sql.build().execute(connection).await?;
    Ok(())
}

async fn insert_results(
    connection: &mut SqliteConnection,
    rows: &[(CallKey, i64, &ToolResult)],
) -> Result<(), StoreError> {
    let mut sql = QueryBuilder::new(
        "INSERT INTO tool_results (session_key, ordinal, call_index, event_index, source, status, \
         content, timestamp, agent_id) ",
    );
    sql.push_values(rows, |mut row, (key, event_index, result)| {
        row.push_bind(key.session_key)
            .push_bind(key.ordinal)
            .push_bind(key.call_index)
            .push_bind(event_index)
            .push_bind(&result.source)
            .push_bind(&result.status)
            .push_bind(&result.content)
            .push_bind(text(result.timestamp))
            .push_bind(&result.agent_id);
    });
    sql.build().execute(connection).await?;
    Ok(())
}

fn text(time: Option<Timestamp>) -> Option<String> {
    time.map(|time| time.to_string())
}
