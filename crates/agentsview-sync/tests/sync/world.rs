//! A folder of session files and an archive beside it.

use std::fs;
use std::path::PathBuf;

use agentsview_formats::{Agent, ParsedMessage};
use agentsview_sync::{AgentRoot, SyncOptions, SyncReport, sync};
use recall_core::{FixedClock, SessionId};
use recall_engine::Engine;
use recall_store::{MessageQuery, SessionRecord, Store, StorePaths};

pub(crate) struct World {
    directory: tempfile::TempDir,
    pub(crate) engine: Engine,
    roots: Vec<AgentRoot>,
}

fn clock() -> FixedClock {
    FixedClock("2026-03-04T06:06:07Z".parse().unwrap())
}

pub(crate) async fn world() -> World {
    let directory = tempfile::tempdir().unwrap();
    let paths = StorePaths {
        database: directory.path().join("data/archive.db"),
        lock: directory.path().join("data/archive.lock"),
    };
    let roots = vec![
        AgentRoot {
            agent: Agent::Claude,
            path: directory.path().join("claude"),
        },
        AgentRoot {
            agent: Agent::Codex,
            path: directory.path().join("codex/sessions"),
        },
    ];
    for root in &roots {
        fs::create_dir_all(&root.path).unwrap();
    }
    World {
        engine: Engine::new(Store::open(&paths).await.unwrap(), clock()),
        directory,
        roots,
    }
}

impl World {
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.directory.path().join(relative)
    }

    pub(crate) fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) async fn sync(&self, full: bool) -> SyncReport {
        let options = SyncOptions {
            roots: &self.roots,
            full,
        };
        sync(self.engine.store(), &options, &clock(), &mut |_| {})
            .await
            .unwrap()
    }

    pub(crate) async fn session(&self, id: &str) -> Option<SessionRecord> {
        self.engine
            .store()
            .session(&SessionId::new(id).unwrap())
            .await
            .unwrap()
    }

    pub(crate) async fn messages(&self, id: &str) -> Vec<ParsedMessage> {
        let id = SessionId::new(id).unwrap();
        self.engine
            .store()
            .messages(&id, &MessageQuery::default())
            .await
            .unwrap()
    }
}

pub(crate) const SESSION: &str = "5e550001";
pub(crate) const FILE: &str = "claude/-srv-code-app/5e550001.jsonl";

/// One line of a Claude session, alternating prompt, call, result and answer by its number.
pub(crate) fn line(number: usize) -> String {
    let (kind, message) = match number % 4 {
        0 => (
            "user",
            format!(r#"{{"role":"user","content":"Prompt {number}"}}"#),
        ),
        1 => (
            "assistant",
            format!(
                r#"{{"role":"assistant","id":"m{number}","content":[{{"type":"text","text":"Looking {number}"}},{{"type":"tool_use","id":"t{number}","name":"Bash","input":{{"command":"make {number}"}}}}]}}"#
            ),
        ),
        2 => (
            "user",
            format!(
                r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{}","content":"done {number}"}}]}}"#,
                number - 1
            ),
        ),
        _ => (
            "assistant",
            format!(
                r#"{{"role":"assistant","id":"m{number}","content":[{{"type":"text","text":"Answer {number}"}}],"stop_reason":"end_turn"}}"#
            ),
        ),
    };
    let parent = match number {
        0 => "null".to_owned(),
        _ => format!("\"u{}\"", number - 1),
    };
    let time = format!("2026-03-04T05:{:02}:{:02}.000Z", number / 60, number % 60);
    format!(
        r#"{{"type":"{kind}","uuid":"u{number}","parentUuid":{parent},"sessionId":"{SESSION}","cwd":"/srv/code/app","timestamp":"{time}","message":{message}}}"#
    )
}

pub(crate) fn lines(count: usize) -> String {
    (0..count).map(|number| line(number) + "\n").collect()
}
