//! Reading the archive back.

use agentsview_formats::{ParsedMessage, ParsedToolCall, TokenUsage, ToolCategory, ToolResult};
use recall_core::{
    Ordinal, OrdinalRange, Role, SessionId, SourceUuid, ToolUseId, TranscriptRevision,
};
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use crate::columns::{
    count, id, integer, optional_count, optional_id, optional_time, ordinal, time, word,
};
use crate::{SessionRecord, Store, StoreError};

/// Which sessions a listing shows, latest end first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SessionQuery {
    /// Only sessions of this project.
    pub project: Option<String>,
    /// Only sessions of this agent.
    pub agent: Option<String>,
    /// Also sessions that no person was behind.
    pub include_automated: bool,
    /// Also sessions that another session started.
    pub include_children: bool,
    /// Only sessions in the trash, which otherwise are not shown.
    pub trashed: bool,
    /// At most this many.
    pub limit: usize,
}

/// Sessions of a listing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SessionPage {
    /// The sessions.
    pub sessions: Vec<SessionRecord>,
    /// How many sessions the query shows, whatever its limit.
    pub visible: u64,
    /// How many it keeps back for being automated or started by another session.
    pub hidden: u64,
}

/// Which messages of a session are read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MessageQuery {
    /// Only messages of these ordinals.
    pub range: Option<OrdinalRange>,
    /// Only messages of these roles; empty means all.
    pub roles: Vec<Role>,
    /// At most this many, by rising ordinal.
    pub limit: Option<usize>,
}

#[derive(sqlx::FromRow)]
struct SessionColumns {
    id: String,
    agent: String,
    project: String,
    cwd: String,
    git_branch: String,
    machine: String,
    source_session_id: String,
    source_version: String,
    parent_session_id: Option<String>,
    relationship: String,
    name: String,
    first_message: String,
    started_at: Option<String>,
    ended_at: Option<String>,
    message_count: i64,
    user_message_count: i64,
    tool_call_count: i64,
    total_output_tokens: Option<i64>,
    peak_context_tokens: Option<i64>,
    termination_status: String,
    is_automated: bool,
    malformed_lines: Option<i64>,
    oversized_lines: Option<i64>,
    is_truncated: Option<bool>,
    secret_leak_count: i64,
    secrets_rules_version: String,
    transcript_revision: i64,
    created_at: String,
    deleted_at: Option<String>,
}

const SESSIONS: &str = "SELECT s.*, f.malformed_lines, f.oversized_lines, f.is_truncated \
     FROM sessions s LEFT JOIN source_files f ON f.key = s.source_file_key \
     WHERE ";

impl Store {
    /// Sessions by latest end, and how many there are besides, read in one snapshot.
    pub async fn sessions(&self, query: &SessionQuery) -> Result<SessionPage, StoreError> {
        let mut connection = self.readers.begin().await?;
        let mut sql = QueryBuilder::new(SESSIONS);
        push_named(&mut sql, query);
        push_visible(&mut sql, query, " AND ");
        sql.push(" ORDER BY coalesce(s.ended_at, '') DESC, s.id LIMIT ")
            .push_bind(integer(query.limit as u64));
        let rows: Vec<SessionColumns> = sql.build_query_as().fetch_all(&mut *connection).await?;

        let mut counts = QueryBuilder::new("SELECT count(*), count(*) FILTER (WHERE ");
        push_visible(&mut counts, query, "");
        counts.push(") FROM sessions s WHERE ");
        push_named(&mut counts, query);
        let (all, visible): (i64, i64) =
            counts.build_query_as().fetch_one(&mut *connection).await?;
        Ok(SessionPage {
            sessions: rows
                .into_iter()
                .map(SessionColumns::record)
                .collect::<Result<_, _>>()?,
            visible: count(visible)?,
            hidden: count(all - visible)?,
        })
    }

    /// One session, if the archive has it.
    pub async fn session(&self, session: &SessionId) -> Result<Option<SessionRecord>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        session_record(&mut connection, session).await
    }

    /// Messages of a session by rising ordinal, with their tool calls, read in one snapshot.
    pub async fn messages(
        &self,
        session: &SessionId,
        query: &MessageQuery,
    ) -> Result<Vec<ParsedMessage>, StoreError> {
        let mut connection = self.readers.begin().await?;
        messages(&mut connection, session, query).await
    }

    /// A session with messages of its transcript, read in one snapshot; `None` if the archive does
    /// not have it.
    pub async fn transcript(
        &self,
        session: &SessionId,
        query: &MessageQuery,
    ) -> Result<Option<(SessionRecord, Vec<ParsedMessage>)>, StoreError> {
        let mut connection = self.readers.begin().await?;
        let Some(record) = session_record(&mut connection, session).await? else {
            return Ok(None);
        };
        Ok(Some((
            record,
            messages(&mut connection, session, query).await?,
        )))
    }

    /// How many sessions and messages the archive holds.
    pub async fn totals(&self) -> Result<(u64, u64), StoreError> {
        let (sessions, messages): (i64, i64) = sqlx::query_as(
            "SELECT count(*), coalesce(sum(message_count), 0) FROM sessions \
             WHERE deleted_at IS NULL AND origin = 'native'",
        )
        .fetch_one(&self.readers)
        .await?;
        Ok((count(sessions)?, count(messages)?))
    }
}

async fn session_record(
    connection: &mut SqliteConnection,
    session: &SessionId,
) -> Result<Option<SessionRecord>, StoreError> {
    let mut sql = QueryBuilder::new(SESSIONS);
    sql.push("s.id = ").push_bind(session.as_str().to_owned());
    let row: Option<SessionColumns> = sql.build_query_as().fetch_optional(connection).await?;
    row.map(SessionColumns::record).transpose()
}

fn push_named(sql: &mut QueryBuilder<Sqlite>, query: &SessionQuery) {
    sql.push(if query.trashed {
        "s.deleted_at IS NOT NULL"
    } else {
        "s.deleted_at IS NULL"
    });
    // A placeholder holds nothing to read.
    sql.push(" AND s.origin = 'native'");
    if let Some(project) = &query.project {
        sql.push(" AND s.project = ").push_bind(project.clone());
    }
    if let Some(agent) = &query.agent {
        sql.push(" AND s.agent = ").push_bind(agent.clone());
    }
}

/// What `query` shows of the sessions that it names, behind `joined`.
fn push_visible(sql: &mut QueryBuilder<Sqlite>, query: &SessionQuery, joined: &str) {
    sql.push(joined).push("true");
    if !query.include_automated {
        sql.push(" AND s.is_automated = 0");
    }
    if !query.include_children {
        sql.push(" AND s.relationship <> 'subagent'");
    }
}

impl SessionColumns {
    fn record(self) -> Result<SessionRecord, StoreError> {
        Ok(SessionRecord {
            id: id(SessionId::new, self.id)?,
            agent: self.agent,
            project: self.project,
            cwd: self.cwd,
            git_branch: self.git_branch,
            machine: self.machine,
            source_session_id: self.source_session_id,
            source_version: self.source_version,
            parent_session_id: optional_id(SessionId::new, self.parent_session_id)?,
            relationship: self.relationship,
            name: self.name,
            first_message: self.first_message,
            started_at: optional_time(self.started_at.as_deref())?,
            ended_at: optional_time(self.ended_at.as_deref())?,
            message_count: count(self.message_count)?,
            user_message_count: count(self.user_message_count)?,
            tool_call_count: count(self.tool_call_count)?,
            total_output_tokens: optional_count(self.total_output_tokens)?,
            peak_context_tokens: optional_count(self.peak_context_tokens)?,
            termination_status: self.termination_status,
            is_automated: self.is_automated,
            malformed_lines: count(self.malformed_lines.unwrap_or(0))?,
            oversized_lines: count(self.oversized_lines.unwrap_or(0))?,
            is_truncated: self.is_truncated.unwrap_or(false),
            secret_leak_count: count(self.secret_leak_count)?,
            secrets_rules_version: self.secrets_rules_version,
            transcript_revision: TranscriptRevision::new(count(self.transcript_revision)?),
            created_at: time(&self.created_at)?,
            trashed_at: optional_time(self.deleted_at.as_deref())?,
        })
    }
}

#[derive(sqlx::FromRow)]
struct MessageColumns {
    ordinal: i64,
    role: String,
    content: String,
    thinking_text: String,
    timestamp: Option<String>,
    is_system: bool,
    model: String,
    token_usage: Option<String>,
    source_type: String,
    source_subtype: String,
    source_uuid: Option<String>,
    source_parent_uuid: String,
    provider_message_id: String,
    provider_request_id: String,
    is_sidechain: bool,
    is_compact_boundary: bool,
}

#[derive(sqlx::FromRow)]
struct CallColumns {
    ordinal: i64,
    tool_use_id: Option<String>,
    tool_name: String,
    category: String,
    input_json: String,
    file_path: String,
    skill_name: String,
    subagent_session_id: Option<String>,
}

#[derive(sqlx::FromRow)]
struct ResultColumns {
    ordinal: i64,
    call_index: i64,
    source: String,
    status: String,
    content: String,
    timestamp: Option<String>,
    agent_id: String,
}

/// Messages as [`Store::messages`] gives them, inside a transaction of the caller's.
pub(crate) async fn messages(
    connection: &mut SqliteConnection,
    session: &SessionId,
    query: &MessageQuery,
) -> Result<Vec<ParsedMessage>, StoreError> {
    let Some(key) = sqlx::query_scalar::<_, i64>("SELECT key FROM sessions WHERE id = ?")
        .bind(session.as_str())
        .fetch_optional(&mut *connection)
        .await?
    else {
        return Ok(Vec::new());
    };
    let mut sql = QueryBuilder::new("SELECT * FROM messages WHERE session_key = ");
    sql.push_bind(key);
    push_range(&mut sql, query.range);
    if !query.roles.is_empty() {
        sql.push(" AND (role IN (");
        let mut roles = sql.separated(", ");
        for role in &query.roles {
            roles.push_bind(role.as_str());
        }
        sql.push(")");
        // What the agent program put in the person's place is the system's word to a reader.
        let system = query.roles.contains(&Role::System);
        sql.push(if system { " OR is_system = 1)" } else { ")" });
    }
    sql.push(" ORDER BY ordinal");
    if let Some(limit) = query.limit {
        sql.push(" LIMIT ").push_bind(integer(limit as u64));
    }
    let rows: Vec<MessageColumns> = sql.build_query_as().fetch_all(&mut *connection).await?;
    let mut messages: Vec<ParsedMessage> = rows
        .into_iter()
        .map(MessageColumns::message)
        .collect::<Result<_, _>>()?;
    let (Some(first), Some(last)) = (messages.first(), messages.last()) else {
        return Ok(messages);
    };
    let read = OrdinalRange::new(first.ordinal, last.ordinal).ok();
    attach_calls(connection, key, read, &mut messages).await?;
    Ok(messages)
}

async fn attach_calls(
    connection: &mut SqliteConnection,
    session_key: i64,
    range: Option<OrdinalRange>,
    messages: &mut [ParsedMessage],
) -> Result<(), StoreError> {
    let mut sql = QueryBuilder::new("SELECT * FROM tool_calls WHERE session_key = ");
    sql.push_bind(session_key);
    push_range(&mut sql, range);
    sql.push(" ORDER BY ordinal, call_index");
    let calls: Vec<CallColumns> = sql.build_query_as().fetch_all(&mut *connection).await?;
    for row in calls {
        if let Some(message) = message_at(messages, ordinal(row.ordinal)?) {
            message.tool_calls.push(row.call()?);
        }
    }
    let mut sql = QueryBuilder::new("SELECT * FROM tool_results WHERE session_key = ");
    sql.push_bind(session_key);
    push_range(&mut sql, range);
    sql.push(" ORDER BY ordinal, call_index, event_index");
    let results: Vec<ResultColumns> = sql.build_query_as().fetch_all(connection).await?;
    for row in results {
        let call_index = usize::try_from(row.call_index)
            .map_err(|_| StoreError::corrupt("call index", row.call_index.to_string()))?;
        let message = message_at(messages, ordinal(row.ordinal)?);
        if let Some(call) = message.and_then(|message| message.tool_calls.get_mut(call_index)) {
            call.results.push(row.result()?);
        }
    }
    Ok(())
}

/// The message of that ordinal, if the role filter let it through.
fn message_at(messages: &mut [ParsedMessage], ordinal: Ordinal) -> Option<&mut ParsedMessage> {
    let index = messages
        .binary_search_by_key(&ordinal, |message| message.ordinal)
        .ok()?;
    messages.get_mut(index)
}

fn push_range(sql: &mut QueryBuilder<Sqlite>, range: Option<OrdinalRange>) {
    if let Some(range) = range {
        sql.push(" AND ordinal BETWEEN ")
            .push_bind(i64::from(range.start()))
            .push(" AND ")
            .push_bind(i64::from(range.end()));
    }
}

impl MessageColumns {
    fn message(self) -> Result<ParsedMessage, StoreError> {
        let usage: Option<TokenUsage> = self
            .token_usage
            .map(|json| {
                serde_json::from_str(&json).map_err(|_| StoreError::corrupt("token usage", json))
            })
            .transpose()?;
        Ok(ParsedMessage {
            ordinal: ordinal(self.ordinal)?,
            role: word(&self.role)?,
            content: self.content,
            thinking_text: self.thinking_text,
            timestamp: optional_time(self.timestamp.as_deref())?,
            is_system: self.is_system,
            model: self.model,
            usage,
            source_type: self.source_type,
            source_subtype: self.source_subtype,
            source_uuid: optional_id(SourceUuid::new, self.source_uuid)?,
            source_parent_uuid: self.source_parent_uuid,
            provider_message_id: self.provider_message_id,
            provider_request_id: self.provider_request_id,
            is_sidechain: self.is_sidechain,
            is_compact_boundary: self.is_compact_boundary,
            tool_calls: Vec::new(),
        })
    }
}

impl CallColumns {
    fn call(self) -> Result<ParsedToolCall, StoreError> {
        let category = ToolCategory::from_word(&self.category)
            .ok_or_else(|| StoreError::corrupt("tool category", self.category.as_str()))?;
        Ok(ParsedToolCall {
            tool_use_id: optional_id(ToolUseId::new, self.tool_use_id)?,
            tool_name: self.tool_name,
            category,
            input_json: self.input_json,
            file_path: self.file_path,
            skill_name: self.skill_name,
            subagent_session_id: optional_id(SessionId::new, self.subagent_session_id)?,
            results: Vec::new(),
        })
    }
}

impl ResultColumns {
    fn result(self) -> Result<ToolResult, StoreError> {
        Ok(ToolResult {
            source: self.source,
            status: self.status,
            content: self.content,
            timestamp: optional_time(self.timestamp.as_deref())?,
            agent_id: self.agent_id,
        })
    }
}
