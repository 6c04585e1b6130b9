//! Export, restore and reset as a user runs them (B-12, S-L05).

use std::fs;
use std::path::PathBuf;

use crate::world::{Ran, World, ran};

fn backup(world: &World) -> String {
    let ran = world.run(&["recall", "export", "--format", "backup"]);
    assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""), "{ran:?}");
    ran.stdout
}

/// A backup without the time in its header and the digest that covers it.
fn rows(backup: &str) -> Vec<&str> {
    let lines: Vec<&str> = backup.lines().collect();
    lines[1..lines.len() - 1].to_vec()
}

fn totals(world: &World) -> (String, String) {
    let sessions = world.run(&["session", "list", "--json"]).stdout;
    let session = "1a57e001-0000-4000-8000-000000000001";
    let messages = world.run(&["session", "messages", session, "--json"]);
    (sessions, messages.stdout)
}

fn restore(world: &World, text: &str, flags: &[&str]) -> Ran {
    let mut command = world.command();
    command
        .args(["recall", "restore", "-"])
        .args(flags)
        .write_stdin(text.to_owned());
    ran(&mut command)
}

#[test]
fn a_reset_is_undone_by_its_backup() {
    let world = World::imported();
    let (before, sessions) = (backup(&world), totals(&world));
    let reset = world.run(&["recall", "reset", "--yes", "--json"]);
    assert_eq!(reset.exit, 0, "{reset:?}");
    let document = reset.json();
    assert_eq!(document["entries"], 6);
    let path = PathBuf::from(document["backup"].as_str().unwrap());
    assert_eq!(path.parent().unwrap(), world.path("data/backups"));
    assert_eq!(rows(&fs::read_to_string(&path).unwrap()), rows(&before));
    assert_eq!(totals(&world), sessions);
    assert_eq!(
        world.run(&["recall", "list", "--json"]).json()["entries"],
        serde_json::json!([])
    );

    let path = path.to_str().unwrap();
    let dry = world.run(&["recall", "restore", path, "--dry-run"]);
    assert!(
        dry.stdout.starts_with("would restore 6 entries\n"),
        "{dry:?}"
    );
    let restored = world.run(&["recall", "restore", path, "--yes", "--json"]);
    assert_eq!((restored.exit, restored.stderr.as_str()), (0, ""));
    assert_eq!(restored.json()["unverified"], 0);
    assert_eq!(rows(&backup(&world)), rows(&before));
    let again = world.run(&["recall", "restore", path, "--yes"]);
    assert_eq!(again.exit, 0, "{again:?}");
    assert!(again.stdout.starts_with("restored 0 entries, 6 skipped\n"));
}

#[test]
fn nothing_is_forgotten_or_restored_without_a_word() {
    let world = World::imported();
    let before = backup(&world);
    let refused = world.run(&["recall", "reset"]);
    assert_eq!((refused.exit, refused.stdout.as_str()), (4, ""));
    assert!(
        refused.stderr.contains("would forget 6 entries"),
        "{refused:?}"
    );
    assert!(!world.path("data/backups").exists());
    let refused = restore(&world, &before, &[]);
    assert_eq!(refused.exit, 4, "{refused:?}");
    assert_eq!(rows(&backup(&world)), rows(&before));
}

#[test]
fn a_reset_stops_when_its_backup_cannot_be_written() {
    let world = World::imported();
    let before = backup(&world);
    fs::write(world.path("taken"), "theirs").unwrap();
    for (path, exit) in [("taken", 4), ("no/such/directory", 3)] {
        let stopped = world.run(&["recall", "reset", "--yes", "--backup", path]);
        assert_eq!(stopped.exit, exit, "{stopped:?}");
        assert!(
            stopped.stderr.contains("nothing was forgotten"),
            "{stopped:?}"
        );
    }
    assert_eq!(fs::read_to_string(world.path("taken")).unwrap(), "theirs");
    assert_eq!(rows(&backup(&world)), rows(&before));
    let reset = world.run(&["recall", "reset", "--yes", "--backup", "mine.jsonl"]);
    assert_eq!(reset.exit, 0, "{reset:?}");
    assert!(reset.stdout.contains("mine.jsonl --yes"), "{reset:?}");
    let saved = fs::read_to_string(world.path("mine.jsonl")).unwrap();
    assert_eq!(rows(&saved), rows(&before));
}

#[test]
fn a_damaged_backup_is_refused_and_says_why() {
    let world = World::imported();
    let whole = backup(&world);
    let half = &whole[..whole.len() / 2];
    for (text, why) in [
        (half, "cut off"),
        (&whole.replacen("locked", "locket", 1), "was altered"),
        ("{}\n", "no backup of Recall"),
    ] {
        let refused = restore(&world, text, &["--yes"]);
        assert_eq!(
            (refused.exit, refused.stdout.as_str()),
            (2, ""),
            "{refused:?}"
        );
        assert!(refused.stderr.contains(why), "{refused:?}");
        assert_eq!(refused.stderr.lines().count(), 1);
    }
}

#[test]
fn another_archive_takes_a_backup_without_trusting_what_it_cannot_see() {
    let world = World::new();
    let backup = backup(&World::imported());
    let dry = restore(&world, &backup, &["--dry-run", "--json"]);
    assert_eq!(dry.exit, 0, "{dry:?}");
    assert_eq!(dry.json()["restored"], 6);
    assert!(!world.path("data").exists(), "a dry run makes no archive");
    let restored = restore(&world, &backup, &["--yes", "--json"]);
    assert_eq!(restored.exit, 0, "{restored:?}");
    let document = restored.json();
    assert_eq!(
        (&document["restored"], &document["unverified"]),
        (&6.into(), &6.into())
    );
    let trusted = world.run(&["recall", "list", "--trusted-only", "--json"]);
    assert_eq!(trusted.json()["entries"], serde_json::json!([]));
}

#[test]
fn trusted_entries_go_to_another_archive_as_lines() {
    let world = World::imported();
    let exported = world.run(&[
        "recall",
        "export",
        "--format",
        "jsonl",
        "--output",
        "out.jsonl",
        "--json",
    ]);
    assert_eq!(exported.exit, 0, "{exported:?}");
    let entries = exported.json()["entries"].as_u64().unwrap();
    assert_eq!(exported.json()["format"], "jsonl");
    let there = world.run(&[
        "recall",
        "export",
        "--format",
        "jsonl",
        "--output",
        "out.jsonl",
    ]);
    assert_eq!(there.exit, 4, "{there:?}");
    let forced = world.run(&[
        "recall",
        "export",
        "--format",
        "jsonl",
        "--output",
        "out.jsonl",
        "--force",
    ]);
    assert_eq!(forced.exit, 0, "{forced:?}");

    let other = World::synced();
    let file = world.path("out.jsonl");
    let imported = other.run(&[
        "recall",
        "import",
        file.to_str().unwrap(),
        "--yes",
        "--json",
    ]);
    assert_eq!(imported.json()["imported"], entries, "{imported:?}");
    let lines = |world: &World| world.run(&["recall", "export", "--format", "jsonl"]).stdout;
    assert_eq!(lines(&other), lines(&world));
}

#[test]
fn a_fragment_is_the_same_every_time() {
    let world = World::imported();
    let fragment = |format: &str| world.run(&["recall", "export", "--format", format]);
    for (format, file) in [("claude-md", "CLAUDE.md"), ("agents-md", "AGENTS.md")] {
        let first = fragment(format);
        assert_eq!((first.exit, first.stderr.as_str()), (0, ""));
        assert_eq!(fragment(format).stdout, first.stdout);
        let begin = format!("<!-- BEGIN agentsview recall ({file}) -->\n");
        assert!(first.stdout.starts_with(&begin), "{}", first.stdout);
        assert!(!first.stdout.contains("Not trusted"));
    }
}

#[test]
fn what_makes_no_sense_together_is_refused() {
    let world = World::imported();
    for words in [
        &["--format", "backup", "--project", "lantern"][..],
        &["--format", "backup", "--trusted-only=false"],
        &["--format", "jsonl", "--json"],
        &["--format", "jsonl", "--status", "archived"],
        &["--format", "human"],
    ] {
        let refused = world.run(&[&["recall", "export"], words].concat());
        assert_eq!(
            (refused.exit, refused.stdout.as_str()),
            (2, ""),
            "{words:?}"
        );
    }
}

#[test]
fn no_export_is_written_among_the_files_of_the_archive() {
    let world = World::imported();
    for name in ["archive.db", "archive.lock", "config.toml", "new.jsonl"] {
        let path = world.path("data").join(name);
        let path = path.to_str().unwrap();
        let export = [
            "recall", "export", "--format", "jsonl", "--force", "--output", path,
        ];
        let refused = world.run(&export);
        assert_eq!(refused.exit, 4, "{name}: {refused:?}");
    }
    assert_eq!(world.run(&["recall", "list"]).exit, 0);
}
