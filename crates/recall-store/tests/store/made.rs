//! Invented sessions and entries.

use agentsview_formats::{
    Agent, ParsedFile, ParsedMessage, ParsedSession, ParsedToolCall, ToolCategory, ToolResult,
};
use recall_core::{
    CitedMessage, EntryId, Ordinal, OrdinalRange, Role, SessionId, SourceUuid, Timestamp, ToolUseId,
};
use recall_store::{
    Applied, Durability, FileStamp, FileUpdate, Growth, ScanRecord, SessionOutcome, Store,
    StorePaths, StoredSource,
};
use recall_trust::evidence::{Selection, SessionActivity, bind, window};
use recall_trust::insertion::{Draft, NewEntry, Provenance};
use recall_trust::review::AutomatedReview;

pub(crate) struct Archive {
    pub(crate) store: Store,
    pub(crate) paths: StorePaths,
    _directory: tempfile::TempDir,
}

pub(crate) async fn archive() -> Archive {
    let directory = tempfile::tempdir().unwrap();
    let paths = StorePaths {
        database: directory.path().join("data/archive.db"),
        lock: directory.path().join("data/archive.lock"),
    };
    let store = Store::open(&paths).await.unwrap();
    Archive {
        store,
        paths,
        _directory: directory,
    }
}

pub(crate) fn now() -> Timestamp {
    "2026-03-04T05:06:07.000Z".parse().unwrap()
}

pub(crate) fn message(ordinal: u32, content: &str) -> ParsedMessage {
    let is_user = ordinal.is_multiple_of(2);
    ParsedMessage {
        timestamp: Some(now()),
        source_type: if is_user { "user" } else { "assistant" }.to_owned(),
        source_uuid: Some(SourceUuid::new(format!("uuid-{ordinal}")).unwrap()),
        ..ParsedMessage::new(
            Ordinal::new(ordinal),
            if is_user { Role::User } else { Role::Assistant },
            content,
        )
    }
}

pub(crate) fn call(id: &str, result: Option<&str>) -> ParsedToolCall {
    ParsedToolCall {
        tool_use_id: Some(ToolUseId::new(id).unwrap()),
        tool_name: "Bash".to_owned(),
        category: ToolCategory::Bash,
        input_json: r#"{"command":"make"}"#.to_owned(),
        file_path: String::new(),
        skill_name: String::new(),
        subagent_session_id: None,
        results: result
            .map(|text| ToolResult {
                source: "tool_result".to_owned(),
                status: "ok".to_owned(),
                content: text.to_owned(),
                timestamp: None,
                agent_id: String::new(),
            })
            .into_iter()
            .collect(),
    }
}

pub(crate) fn session(id: &str, messages: Vec<ParsedMessage>) -> ParsedSession {
    ParsedSession {
        id: SessionId::new(id).unwrap(),
        agent: Agent::Claude,
        project: "lantern".to_owned(),
        cwd: "/srv/code/lantern".to_owned(),
        git_branch: "main".to_owned(),
        source_session_id: id.to_owned(),
        source_version: "2.1.40".to_owned(),
        parent: None,
        name: String::new(),
        started_at: Some(now()),
        ended_at: Some(now()),
        termination: None,
        is_automated: false,
        messages,
    }
}

pub(crate) fn file(path: &str, growth: Growth, sessions: Vec<ParsedSession>) -> FileUpdate {
    let scan = ScanRecord {
        rules_version: "rules".to_owned(),
        findings: Vec::new(),
    };
    FileUpdate {
        path: path.to_owned(),
        agent: Agent::Claude,
        source: StoredSource {
            stamp: FileStamp {
                size: 1,
                modified_ns: 2,
                changed_ns: 3,
                inode: u64::MAX,
                device: 5,
            },
            consumed_bytes: 1,
            prefix_sha256: [7; 32],
            parser_version: 1,
        },
        growth,
        scans: vec![scan; sessions.len()],
        parsed: ParsedFile {
            sessions,
            ..ParsedFile::default()
        },
    }
}

impl Archive {
    pub(crate) async fn apply(&self, update: FileUpdate) -> Vec<SessionOutcome> {
        self.verified(update).await.sessions
    }

    /// The same with what became of the evidence.
    pub(crate) async fn verified(&self, update: FileUpdate) -> Applied {
        self.store.apply(&[update], |_| true, now()).await.unwrap()
    }

    /// An archive with one session of four messages.
    pub(crate) async fn with_session(self, id: &str) -> Self {
        let messages = (0..4)
            .map(|ordinal| message(ordinal, &format!("text {ordinal}")))
            .collect();
        let path = format!("/srv/sessions/{id}.jsonl");
        self.apply(file(&path, Growth::New, vec![session(id, messages)]))
            .await;
        self
    }

    pub(crate) async fn insert(&self, entry: &NewEntry) -> Result<(), recall_store::StoreError> {
        let mut transaction = self.store.begin(Durability::Process).await?;
        transaction.insert(entry, now()).await?;
        transaction.commit().await
    }

    /// The rows of a query that gives one text each.
    pub(crate) async fn texts(&self, sql: impl Into<String>) -> Vec<String> {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&self.paths.database);
        let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
        let texts = sqlx::query_scalar(sqlx::AssertSqlSafe(sql.into()))
            .fetch_all(&pool)
            .await
            .unwrap();
        pool.close().await;
        texts
    }

    pub(crate) async fn raw(&self, sql: impl sqlx::SqlSafeStr) -> Result<(), sqlx::Error> {
        let options = sqlx::sqlite::SqliteConnectOptions::new()
            .filename(&self.paths.database)
            .foreign_keys(true);
        let pool = sqlx::SqlitePool::connect_with(options).await?;
        sqlx::raw_sql(sql).execute(&pool).await?;
        pool.close().await;
        Ok(())
    }
}

pub(crate) fn draft(id: &str, session: &str) -> Draft {
    Draft {
        project: "lantern".to_owned(),
        cwd: "/srv/code/lantern".to_owned(),
        git_branch: "main".to_owned(),
        agent: "claude".to_owned(),
        ..Draft::new(
            EntryId::new(id).unwrap(),
            SessionId::new(session).unwrap(),
            format!("Title of {id}"),
            "Body",
        )
    }
}

/// An unreviewed entry that cites messages 0 and 1 of a session with verified evidence.
pub(crate) fn new_entry(draft: Draft) -> NewEntry {
    let range = OrdinalRange::new(Ordinal::new(0), Ordinal::new(1)).unwrap();
    let cited = |ordinal: u32, role| CitedMessage {
        ordinal: Ordinal::new(ordinal),
        role,
        content: format!("text {ordinal}"),
        is_system: false,
        source_uuid: SourceUuid::new(format!("uuid-{ordinal}")).ok(),
        tool_calls: vec![],
    };
    let messages = vec![cited(0, Role::User), cited(1, Role::Assistant)];
    let window = window(
        draft.source_session_id.clone(),
        range,
        messages,
        SessionActivity::default(),
    )
    .unwrap();
    let bound = bind(
        &window,
        &Selection {
            range,
            tool_use_ids: vec![],
        },
    )
    .unwrap();
    let provenance = Provenance::Verified(bound);
    let snippets = ["text 0".to_owned()];
    NewEntry::automated(
        draft,
        AutomatedReview::Unreviewed,
        &provenance,
        &snippets,
        now(),
    )
    .unwrap()
}

pub(crate) fn entry(id: &str, session: &str) -> NewEntry {
    new_entry(draft(id, session))
}
