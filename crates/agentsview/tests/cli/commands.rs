//! Commands that come to an answer.

use crate::world::World;

#[test]
fn a_second_sync_has_nothing_to_do() {
    let world = World::synced();
    let again = world.run(&["sync", "--json"]).json();
    assert_eq!(again["files_read"], 0);
    assert_eq!(again["total_sessions"], 3);
}

// S-C01, S-C07
#[test]
fn every_answer_is_one_json_document_on_request() {
    let world = World::imported();
    for words in [
        &["sync"][..],
        &["session", "list"],
        &["session", "get", "1a57e001-0000-4000-8000-000000000001"],
        &[
            "session",
            "messages",
            "1a57e001-0000-4000-8000-000000000001",
        ],
        &["secrets", "scan"],
        &["secrets", "list"],
        &["recall", "list"],
        &["recall", "get", "lantern-one-writer"],
        &["recall", "stats"],
        &["recall", "query", "database is locked"],
        &["recall", "brief", "database is locked"],
        &["recall", "review", "list"],
        &["recall", "review", "show", "lantern-one-writer"],
        &[
            "recall",
            "review",
            "edit",
            "lantern-backup",
            "--title",
            "Back up",
        ],
        &[
            "recall",
            "review",
            "accept",
            "lantern-backup",
            "--transferable=false",
        ],
        &["recall", "review", "archive", "lantern-safari"],
        &["recall", "review", "restore", "lantern-safari"],
        &[
            "recall",
            "review",
            "reject",
            "lantern-safari",
            "--reason",
            "old",
        ],
        &[
            "recall",
            "review",
            "supersede",
            "lantern-retention",
            "--by",
            "lantern-test-threads",
        ],
        &["recall", "undo"],
        &["recall", "history", "lantern-one-writer"],
        &["recall", "reverify", "--all"],
        &["session", "trash", "1a57e001-0000-4000-8000-000000000001"],
        &["session", "restore", "1a57e001-0000-4000-8000-000000000001"],
        &[
            "session",
            "delete",
            "1a57e001-0000-4000-8000-000000000001",
            "--yes",
        ],
        &["version"],
    ] {
        let ran = world.run(&[words, &["--json"]].concat());
        assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""), "{words:?}");
        assert_eq!(ran.stdout.lines().count(), 1, "{words:?}");
        assert!(ran.json().is_object(), "{words:?}");
    }
}

#[test]
fn a_session_reads_back_with_its_gaps() {
    let world = World::synced();
    let session = "1a57e001-0000-4000-8000-000000000001";
    let messages = world
        .run(&["session", "messages", session, "--json"])
        .json();
    let ordinals: Vec<u64> = messages["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["ordinal"].as_u64().unwrap())
        .collect();
    assert_eq!(ordinals, [0, 1, 3, 5, 7, 8, 9]);
}

// S-C03, S-E06
#[test]
fn a_brief_holds_trusted_entries_and_names_its_sources() {
    let world = World::imported();
    let brief = world
        .run(&["recall", "brief", "back up the database", "--json"])
        .json();
    assert_eq!(brief["trusted_only"], true);
    assert_eq!(brief["entry_ids"][0], "lantern-backup");
    assert!(brief["context"].as_str().unwrap().contains("VACUUM INTO"));
    assert!(brief["context"].as_str().unwrap().len() <= 4000);
}

// S-R02
#[test]
fn importing_again_skips_every_line() {
    let world = World::imported();
    let file = crate::world::fixtures().join("reviewed.jsonl");
    let again = world
        .run(&[
            "recall",
            "import",
            file.to_str().unwrap(),
            "--yes",
            "--json",
        ])
        .json();
    assert_eq!(
        (&again["imported"], &again["skipped"]),
        (&0.into(), &7.into())
    );
}

// S-R01
#[test]
fn the_line_of_the_readme_can_be_imported_from_standard_input() {
    let readme = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let line = readme
        .lines()
        .find(|line| line.starts_with("{\"candidate_id\""));
    let world = World::synced();
    let mut command = world.command();
    command
        .args(["recall", "import", "-", "--yes", "--json"])
        .write_stdin(line.unwrap());
    let ran = crate::world::ran(&mut command);
    assert_eq!((ran.exit, ran.stderr.as_str()), (0, ""), "{ran:?}");
    assert_eq!(ran.json()["imported"], 1);
}

// S-C04
#[test]
fn the_current_worktree_narrows_to_its_root_and_branch() {
    let world = World::imported();
    let repository = world.path("repository");
    std::fs::create_dir(&repository).unwrap();
    let git = |words: &[&str]| {
        let status = std::process::Command::new("git")
            .args(words)
            .current_dir(&repository)
            .env("HOME", world.path(""))
            .output()
            .unwrap();
        assert!(status.status.success());
    };
    git(&["init", "--initial-branch", "main"]);
    let mut command = world.command();
    command
        .current_dir(&repository)
        .args(["recall", "list", "--current-worktree", "--json"]);
    let ran = crate::world::ran(&mut command);
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert_eq!(ran.json()["entries"].as_array().unwrap().len(), 0);
    let ran = world.run(&["recall", "list", "--current-worktree"]);
    assert_eq!(ran.exit, 2, "outside a repository: {ran:?}");
}

// S-E04
#[test]
fn who_imports_a_rule_that_nobody_said_is_told() {
    let world = World::synced();
    let line = r#"{"candidate_id":"copy","session_id":"1a57e002-0000-4000-8000-000000000002","type":"procedure","scope":"project","title":"Copy twice","body":"Copy the file twice.","label":"correct","transferable":true,"provenance_ok":true,"evidence":{"ordinal_start":1,"ordinal_end":1,"tool_use_ids":["toolu_lantern_copy"],"snippets":["the copy holds 9788 rows, the original 10000"]}}"#;
    let mut command = world.command();
    command
        .args(["recall", "import", "-", "--dry-run"])
        .write_stdin(line);
    let ran = crate::world::ran(&mut command);
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert!(ran.stdout.contains("rests on tool output alone"), "{ran:?}");
}
