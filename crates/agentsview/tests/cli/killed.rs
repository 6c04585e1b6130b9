//! A sync that is killed at any moment and run again ends where one clean run ends.

use std::fs;
use std::process::{Command, Stdio};

use recall_core::Timestamp;
use recall_store::{MessageQuery, SessionQuery, SessionRecord, Store, StorePaths};

use crate::world::World;

/// Enough files that a sync takes several transactions.
const FILES: usize = 60;

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

/// A sync into a data directory of its own.
fn sync(world: &World, data: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("agentsview"));
    command
        .arg("sync")
        .env_clear()
        .env("HOME", world.path(""))
        .env("AGENTSVIEW_DATA_DIR", world.path(data))
        .env("CLAUDE_PROJECTS_DIR", world.path("claude"))
        .env("CODEX_SESSIONS_DIR", world.path("codex"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work)
}

async fn open(world: &World, data: &str) -> Option<Store> {
    let directory = world.path(data);
    let paths = StorePaths {
        database: directory.join("archive.db"),
        lock: directory.join("archive.lock"),
    };
    // Not there yet, or its schema is not.
    Store::open_read_only(&paths).await.ok()
}

/// How many files the archive has read.
fn files_read(world: &World, data: &str) -> usize {
    block_on(async {
        match open(world, data).await {
            Some(store) => store.sources().await.map_or(0, |sources| sources.len()),
            None => 0,
        }
    })
}

/// Everything the archive holds, times of storing aside.
fn contents(world: &World, data: &str) -> Vec<String> {
    let created_at: Timestamp = "1970-01-01T00:00:00Z".parse().unwrap();
    block_on(async {
        let store = open(world, data).await.unwrap();
        let everything = SessionQuery {
            include_automated: true,
            include_children: true,
            limit: usize::MAX,
            ..SessionQuery::default()
        };
        let mut contents = Vec::new();
        for session in store.sessions(&everything).await.unwrap().sessions {
            let messages = store
                .messages(&session.id, &MessageQuery::default())
                .await
                .unwrap();
            contents.push(format!(
                "{:?}",
                SessionRecord {
                    created_at,
                    ..session
                }
            ));
            contents.push(format!("{messages:?}"));
        }
        contents
    })
}

/// Starts a sync, kills it once `is_time` says so, and returns how many files it had read.
fn killed_sync(world: &World, data: &str, is_time: impl Fn() -> bool) -> usize {
    let mut killed = sync(world, data).spawn().unwrap();
    while !is_time() && killed.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    // It may have finished; then there is nothing left to kill.
    let _ = killed.kill();
    killed.wait().unwrap();
    files_read(world, data)
}

#[test]
fn a_killed_sync_run_again_equals_a_clean_one() {
    let world = World::new();
    write_sessions(&world);
    assert!(sync(&world, "clean").status().unwrap().success());
    let clean = contents(&world, "clean");
    assert_eq!(clean.len(), 2 * FILES);

    let mut was_partial = false;
    for round in 0..6 {
        let data = format!("killed-{round}");
        let log = world.path(&data).join("archive.db-wal");
        let read = match round {
            0 => killed_sync(&world, &data, || true),
            1 => killed_sync(&world, &data, || log.exists()),
            // Between two transactions, or inside a later one.
            _ => killed_sync(&world, &data, || files_read(&world, &data) > 0),
        };
        was_partial |= 0 < read && read < FILES;
        assert!(
            sync(&world, &data).status().unwrap().success(),
            "round {round}"
        );
        assert_eq!(
            contents(&world, &data),
            clean,
            "round {round}, killed after {read} files"
        );
        if was_partial {
            break;
        }
    }
    assert!(was_partial, "no kill met a half-written archive");
}
