//! A sync that is killed at any moment and run again ends where one clean run ends.

use std::fs;
use std::process::{Command, Stdio};

use recall_core::Timestamp;
use recall_store::{MessageQuery, SessionQuery, SessionRecord, Store, StorePaths};

use crate::world::World;

/// Enough files that a sync takes several transactions.
const FILES: usize = 40;

fn write_sessions(world: &World) {
    let folder = world.path("claude/-srv-code-app");
    fs::create_dir_all(&folder).unwrap();
    let pad = "lorem ipsum dolor sit amet ".repeat(400);
    for file in 0..FILES {
        let lines: Vec<String> = (0..40)
            .map(|number| {
                let kind = if number % 2 == 0 { "user" } else { "assistant" };
                format!(
                    "{{\"type\":\"{kind}\",\"uuid\":\"u{file}-{number}\",\
                     \"timestamp\":\"2026-03-04T05:06:{number:02}Z\",\"message\":{{\
                     \"role\":\"{kind}\",\
                     \"content\":[{{\"type\":\"text\",\"text\":\"{number} {pad}\"}}]}}}}\n"
                )
            })
            .collect();
        fs::write(folder.join(format!("{file:04}.jsonl")), lines.concat()).unwrap();
    }
}

fn sync(world: &World, data: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("agentsview"));
    command
        .arg("sync")
        .env("HOME", world.path(""))
        .env("AGENTSVIEW_DATA_DIR", world.path(data))
        .env("CLAUDE_PROJECTS_DIR", world.path("claude"))
        .env("CODEX_SESSIONS_DIR", world.path("codex"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Everything the archive holds, times of storing aside.
fn contents(world: &World, data: &str) -> Vec<String> {
    let never: Timestamp = "1970-01-01T00:00:00Z".parse().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let directory = world.path(data);
        let paths = StorePaths {
            database: directory.join("archive.db"),
            lock: directory.join("archive.lock"),
        };
        let store = Store::open_read_only(&paths).await.unwrap();
        let everything = SessionQuery {
            include_automated: true,
            include_children: true,
            limit: usize::MAX,
            ..SessionQuery::default()
        };
        let (sessions, _) = store.sessions(&everything).await.unwrap();
        let mut contents = Vec::new();
        for session in sessions {
            let messages = store
                .messages(&session.id, &MessageQuery::default())
                .await
                .unwrap();
            contents.push(format!(
                "{:?}",
                SessionRecord {
                    created_at: never,
                    ..session
                }
            ));
            contents.push(format!("{messages:?}"));
        }
        contents
    })
}

#[test]
fn a_killed_sync_run_again_equals_a_clean_one() {
    let world = World::new();
    write_sessions(&world);
    assert!(sync(&world, "clean").status().unwrap().success());
    let clean = contents(&world, "clean");
    assert_eq!(clean.len(), 2 * FILES);

    // Killed when the write-ahead log first holds so much: before the first transaction, inside
    // later ones, and not at all.
    for written in [0, 1, 1_000_000, 9_000_000, u64::MAX] {
        let data = format!("killed-{written}");
        let log = world.path(&data).join("archive.db-wal");
        let mut killed = sync(&world, &data).spawn().unwrap();
        let log_size = || fs::metadata(&log).map_or(0, |log| log.len());
        while log_size() < written && killed.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        // It may have finished; then there was nothing left to kill.
        let _ = killed.kill();
        killed.wait().unwrap();
        assert!(
            sync(&world, &data).status().unwrap().success(),
            "killed at {written} bytes"
        );
        assert_eq!(contents(&world, &data), clean, "killed at {written} bytes");
    }
}
