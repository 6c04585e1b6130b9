//! An archive with invented sessions, and lines that cite them.

use agentsview_formats::{
    Agent, ParsedFile, ParsedMessage, ParsedSession, ParsedToolCall, ToolCategory, ToolResult,
};
use recall_core::{
    Entry, EntryId, FixedClock, FixedEntropy, ImportReport, Nonce, Ordinal, Role, SessionId,
    SourceUuid, Timestamp, ToolUseId,
};
use recall_engine::{Engine, ImportOptions, SessionPolicy};
use recall_store::{FileStamp, FileUpdate, Growth, ScanRecord, Store, StorePaths, StoredSource};
use recall_trust::review::Reviewer;

/// Who answers for what the tests decide.
pub(crate) fn someone() -> Reviewer {
    Reviewer::new("kim").unwrap()
}

pub(crate) const VERIFIED: ImportOptions = ImportOptions {
    dry_run: false,
    sessions: SessionPolicy::RequireExisting,
    keep_going: false,
};
pub(crate) const DRY: ImportOptions = ImportOptions {
    dry_run: true,
    ..VERIFIED
};
pub(crate) const PLACEHOLDER: ImportOptions = ImportOptions {
    sessions: SessionPolicy::AllowPlaceholder,
    ..VERIFIED
};

pub(crate) struct World {
    pub(crate) engine: Engine,
    directory: tempfile::TempDir,
}

pub(crate) fn now() -> Timestamp {
    "2026-03-04T05:06:07.000Z".parse().unwrap()
}

/// An archive with the session `s1`: rows 0, 1 and 3, of which 1 ran the tool `t1`.
pub(crate) async fn world() -> World {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&paths_in(&directory)).await.unwrap();
    let world = World {
        engine: Engine::new(store, FixedClock(now())),
        directory,
    };
    world.store_session("The tests fail").await;
    world
}

fn row(ordinal: u32, role: Role, content: &str) -> ParsedMessage {
    ParsedMessage {
        timestamp: Some(now()),
        source_uuid: Some(SourceUuid::new(format!("uuid-{ordinal}")).unwrap()),
        ..ParsedMessage::new(Ordinal::new(ordinal), role, content)
    }
}

fn paths_in(directory: &tempfile::TempDir) -> StorePaths {
    StorePaths {
        database: directory.path().join("archive.db"),
        lock: directory.path().join("archive.lock"),
    }
}

impl World {
    pub(crate) fn paths(&self) -> StorePaths {
        paths_in(&self.directory)
    }

    /// The same archive with a known mark around its briefs.
    pub(crate) fn known_entropy(self, nonce: Nonce) -> Self {
        Self {
            engine: self.engine.with_entropy(FixedEntropy(nonce)),
            ..self
        }
    }

    /// Stores `s1` with this prompt; a second call rewrites it.
    pub(crate) async fn store_session(&self, prompt: &str) {
        let mut ran = row(1, Role::Assistant, "Running them");
        ran.tool_calls = vec![ParsedToolCall {
            tool_use_id: Some(ToolUseId::new("t1").unwrap()),
            tool_name: "Bash".to_owned(),
            category: ToolCategory::Bash,
            input_json: r#"{"command":"make test"}"#.to_owned(),
            file_path: String::new(),
            skill_name: String::new(),
            subagent_session_id: None,
            results: vec![ToolResult {
                source: "tool_result".to_owned(),
                status: "errored".to_owned(),
                content: "error: database is locked".to_owned(),
                timestamp: None,
                agent_id: String::new(),
            }],
        }];
        let messages = vec![
            row(0, Role::User, prompt),
            ran,
            row(3, Role::Assistant, "Two writers share the file; keep one."),
        ];
        let session = ParsedSession {
            id: SessionId::new("s1").unwrap(),
            agent: Agent::Claude,
            project: "lantern".to_owned(),
            cwd: "/srv/code/lantern".to_owned(),
            git_branch: "main".to_owned(),
            source_session_id: String::new(),
            source_version: String::new(),
            parent: None,
            name: String::new(),
            started_at: Some(now()),
            ended_at: Some(now()),
            termination: None,
            is_automated: false,
            messages,
        };
        let update = FileUpdate {
            path: "/srv/sessions/s1.jsonl".to_owned(),
            agent: Agent::Claude,
            source: StoredSource {
                stamp: FileStamp {
                    size: 1,
                    modified_ns: 1,
                    changed_ns: 1,
                    inode: 1,
                    device: 1,
                },
                consumed_bytes: 1,
                prefix_sha256: [0; 32],
                parser_version: 1,
            },
            growth: Growth::Rewrite,
            parsed: ParsedFile {
                sessions: vec![session],
                ..ParsedFile::default()
            },
            scans: vec![ScanRecord::default()],
        };
        self.engine
            .store()
            .apply(&[update], |_| true, now())
            .await
            .unwrap();
    }

    pub(crate) async fn import(&self, lines: &[String], options: ImportOptions) -> ImportReport {
        let text = lines.join("\n");
        self.engine
            .import(&mut text.as_bytes(), options, &someone())
            .await
            .unwrap()
    }

    pub(crate) async fn entry(&self, id: &str) -> Option<Entry> {
        self.engine.entry(&EntryId::new(id).unwrap()).await.ok()
    }
}

/// A sound line for `s1`, with members added or replaced.
pub(crate) fn line(id: &str, members: &str) -> String {
    let mut own = vec![
        ("candidate_id", format!("\"{id}\"")),
        ("session_id", "\"s1\"".to_owned()),
        ("type", "\"debugging_method\"".to_owned()),
        ("scope", "\"repository\"".to_owned()),
        ("title", "\"Keep one writer\"".to_owned()),
        (
            "body",
            "\"Two writers on one file lock the database.\"".to_owned(),
        ),
        ("label", "\"correct\"".to_owned()),
        ("transferable", "true".to_owned()),
        ("provenance_ok", "true".to_owned()),
        (
            "evidence",
            r#"{"ordinal_start":0,"ordinal_end":3}"#.to_owned(),
        ),
    ];
    own.retain(|(name, _)| !members.contains(&format!("\"{name}\":")));
    let own: Vec<String> = own
        .into_iter()
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    let members = if members.is_empty() {
        String::new()
    } else {
        format!(",{members}")
    };
    format!("{{{}{members}}}", own.join(","))
}

pub(crate) fn replacing(id: &str, target: &str) -> String {
    line(id, &format!("\"supersedes_entry_id\":\"{target}\""))
}

/// The outcome of every line, in file order: `ok`, the reason of a skip, or `problem`.
pub(crate) fn outcomes(report: &ImportReport) -> Vec<&str> {
    let mut outcomes: Vec<(u64, &str)> = report
        .items
        .iter()
        .map(|item| {
            (
                item.line,
                item.skipped.map_or("ok", |reason| reason.as_str()),
            )
        })
        .chain(
            report
                .problems
                .iter()
                .map(|problem| (problem.line, "problem")),
        )
        .collect();
    outcomes.sort_unstable();
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}
