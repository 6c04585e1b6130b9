//! The descriptive columns of a session, compared before they are written.

use agentsview_formats::ParsedSession;
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use crate::StoreError;
use crate::columns::integer;

/// What a parse says of a session besides its rows.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct SessionRow {
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
    origin: String,
    source_file_key: Option<i64>,
}

/// What the archive holds of a session before a write.
pub(super) struct StoredSession {
    pub(super) key: i64,
    pub(super) owner_path: Option<String>,
    pub(super) row: SessionRow,
}

impl SessionRow {
    pub(super) fn new(session: &ParsedSession, source_file_key: i64) -> Self {
        let usages = || {
            session
                .messages
                .iter()
                .filter_map(|message| message.usage.as_ref())
        };
        let (parent_session_id, relationship) = match &session.parent {
            Some((parent, relationship)) => (Some(parent.to_string()), relationship.as_str()),
            None => (None, ""),
        };
        let calls: usize = session
            .messages
            .iter()
            .map(|message| message.tool_calls.len())
            .sum();
        Self {
            agent: session.agent.as_str().to_owned(),
            project: session.project.clone(),
            cwd: session.cwd.clone(),
            git_branch: session.git_branch.clone(),
            // This one. A placeholder names another, which its real transcript clears.
            machine: String::new(),
            source_session_id: session.source_session_id.clone(),
            source_version: session.source_version.clone(),
            parent_session_id,
            relationship: relationship.to_owned(),
            name: session.name.clone(),
            first_message: session.first_message(),
            started_at: session.started_at.map(|time| time.to_string()),
            ended_at: session.ended_at.map(|time| time.to_string()),
            message_count: integer(session.messages.len() as u64),
            user_message_count: integer(session.user_messages().count() as u64),
            tool_call_count: integer(calls as u64),
            total_output_tokens: usages()
                .filter_map(|usage| usage.output_tokens)
                .reduce(u64::saturating_add)
                .map(integer),
            peak_context_tokens: usages()
                .filter_map(agentsview_formats::TokenUsage::context_tokens)
                .max()
                .map(integer),
            termination_status: session
                .termination
                .map_or("", |end| end.as_str())
                .to_owned(),
            is_automated: session.is_automated,
            origin: "native".to_owned(),
            source_file_key: Some(source_file_key),
        }
    }

    pub(super) fn message_count(&self) -> i64 {
        self.message_count
    }

    /// Column names and values in one place, so that insert and update cannot drift apart.
    fn columns(&self) -> Vec<(&'static str, Value<'_>)> {
        use Value::{Flag, Integer, Text};
        vec![
            ("agent", Text(Some(&self.agent))),
            ("project", Text(Some(&self.project))),
            ("cwd", Text(Some(&self.cwd))),
            ("git_branch", Text(Some(&self.git_branch))),
            ("machine", Text(Some(&self.machine))),
            ("source_session_id", Text(Some(&self.source_session_id))),
            ("source_version", Text(Some(&self.source_version))),
            ("parent_session_id", Text(self.parent_session_id.as_deref())),
            ("relationship", Text(Some(&self.relationship))),
            ("name", Text(Some(&self.name))),
            ("first_message", Text(Some(&self.first_message))),
            ("started_at", Text(self.started_at.as_deref())),
            ("ended_at", Text(self.ended_at.as_deref())),
            ("message_count", Integer(Some(self.message_count))),
            ("user_message_count", Integer(Some(self.user_message_count))),
            ("tool_call_count", Integer(Some(self.tool_call_count))),
            ("total_output_tokens", Integer(self.total_output_tokens)),
            ("peak_context_tokens", Integer(self.peak_context_tokens)),
            ("termination_status", Text(Some(&self.termination_status))),
            ("is_automated", Flag(self.is_automated)),
            ("origin", Text(Some(&self.origin))),
            ("source_file_key", Integer(self.source_file_key)),
        ]
    }

    /// Stores a new session and returns its key.
    pub(super) async fn insert(
        &self,
        connection: &mut SqliteConnection,
        id: &str,
        now: &str,
    ) -> Result<i64, StoreError> {
        let columns = self.columns();
        let mut sql = QueryBuilder::new("INSERT INTO sessions (id, created_at, modified_at");
        for (name, _) in &columns {
            sql.push(", ").push(name);
        }
        sql.push(") VALUES (")
            .push_bind(id)
            .push(", ")
            .push_bind(now)
            .push(", ")
            .push_bind(now);
        for (_, value) in columns {
            sql.push(", ");
            value.bind(&mut sql);
        }
        sql.push(") RETURNING key");
        Ok(sql.build_query_scalar().fetch_one(connection).await?)
    }

    /// Stores what changed of a known session.
    pub(super) async fn update(
        &self,
        connection: &mut SqliteConnection,
        key: i64,
        now: &str,
    ) -> Result<(), StoreError> {
        let mut sql = QueryBuilder::new("UPDATE sessions SET modified_at = ");
        sql.push_bind(now);
        for (name, value) in self.columns() {
            sql.push(", ").push(name).push(" = ");
            value.bind(&mut sql);
        }
        sql.push(" WHERE key = ").push_bind(key);
        sql.build().execute(connection).await?;
        Ok(())
    }
}

enum Value<'a> {
    Text(Option<&'a str>),
    Integer(Option<i64>),
    Flag(bool),
}

impl Value<'_> {
    fn bind(self, sql: &mut QueryBuilder<Sqlite>) {
        match self {
            Self::Text(text) => sql.push_bind(text.map(str::to_owned)),
            Self::Integer(number) => sql.push_bind(number),
            Self::Flag(flag) => sql.push_bind(flag),
        };
    }
}

/// The session as it is stored, with the path of the file that it was read from.
pub(super) async fn stored_session(
    connection: &mut SqliteConnection,
    id: &str,
) -> Result<Option<StoredSession>, StoreError> {
    #[derive(sqlx::FromRow)]
    struct Found {
        key: i64,
        path: Option<String>,
        #[sqlx(flatten)]
        row: SessionRow,
    }
    let found: Option<Found> = sqlx::query_as(
        "SELECT s.*, f.path FROM sessions s LEFT JOIN source_files f ON f.key = s.source_file_key \
         WHERE s.id = ?",
    )
    .bind(id)
    .fetch_optional(connection)
    .await?;
    Ok(found.map(|found| StoredSession {
        key: found.key,
        owner_path: found.path,
        row: found.row,
    }))
}
