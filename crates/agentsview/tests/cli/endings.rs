//! Every kind of ending has its exit code and one line on standard error.

use crate::world::{World, fixtures};

fn assert_ends(world: &World, words: &[&str], exit: i32, said: &str) {
    let ran = world.run(words);
    assert_eq!(ran.exit, exit, "{words:?}: {ran:?}");
    assert_eq!(ran.stdout, "", "{words:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{words:?}: {}", ran.stderr);
    assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
}

#[test]
fn wrong_usage_ends_with_2() {
    let world = World::imported();
    for (words, said) in [
        (&["frobnicate"][..], "frobnicate"),
        (&["recall", "list", "--type", "rumor"], "debugging_method"),
        (&["recall", "list", "--limit", "-1"], "limit"),
        (
            &["recall", "list", "--trusted-only", "--status", "archived"],
            "archived",
        ),
        (&["recall", "query", "x", "--mode", "fuzzy"], "lexical"),
        (
            &[
                "recall",
                "query",
                "x",
                "--context",
                "--context-max-bytes",
                "-5",
            ],
            "-5",
        ),
        (
            &["recall", "list", "--current-cwd", "--cwd", "/srv"],
            "--cwd",
        ),
        (&["recall", "query", "a", "b"], "b"),
        (&["secrets", "list", "--rule", "github"], "github-pat"),
        (&["session", "messages", "x", "--limit", "-1"], "0 or more"),
        (&["session", "messages", "x", "--around", "-1"], "0 or more"),
        (&["demo", "--json"], "no JSON"),
        (&["completion", "bash", "--json"], "no JSON"),
    ] {
        assert_ends(&world, words, 2, said);
    }
}

// S-E07
#[test]
fn model_076_trusted_only_with_another_status_ends_with_2_everywhere() {
    let world = World::imported();
    for command in [
        &["list"][..],
        &["stats"],
        &["query", "database"],
        &["brief", "database"],
    ] {
        for status in ["archived", " archived "] {
            let flags = ["--trusted-only", "--status", status];
            let words = [&["recall"], command, &flags].concat();
            assert_ends(&world, &words, 2, "only accepted entries are trusted");
        }
    }
    let accepted = ["recall", "list", "--trusted-only", "--status", " accepted "];
    assert_eq!(world.run(&accepted).exit, 0);
}

#[test]
fn model_082_a_limit_is_a_number_and_not_below_zero() {
    let world = World::imported();
    for limit in ["-1", "x", "1.5"] {
        assert_ends(&world, &["recall", "list", "--limit", limit], 2, limit);
    }
}

#[test]
fn model_087_an_unknown_review_state_ends_with_2_and_names_the_known_ones() {
    let world = World::imported();
    let words = ["recall", "list", "--review-state", "approved"];
    assert_ends(&world, &words, 2, "human_reviewed");
}

#[test]
fn model_013_an_unknown_entry_ends_with_3() {
    let world = World::imported();
    assert_ends(&world, &["recall", "get", "ghost"], 3, "ghost");
}

#[test]
fn what_does_not_exist_ends_with_3() {
    let world = World::imported();
    assert_ends(&world, &["recall", "get", "ghost"], 3, "ghost");
    assert_ends(&world, &["session", "get", "ghost"], 3, "ghost");
    assert_ends(&world, &["session", "messages", "ghost"], 3, "ghost");
    let nowhere = ["recall", "export", "--format", "backup", "--output"];
    let nowhere = [&nowhere[..], &["no/such/dir/x"]].concat();
    assert_ends(&world, &nowhere, 3, "there is no directory");
    assert_ends(
        &world,
        &["recall", "import", "ghost.jsonl", "--yes"],
        3,
        "ghost.jsonl",
    );
}

// S-R01
#[test]
fn what_a_rule_forbids_ends_with_4() {
    let world = World::synced();
    let file = fixtures().join("reviewed.jsonl");
    let file = file.to_str().unwrap();
    assert_ends(&world, &["recall", "import", file], 4, "--yes");
    let mut guarded = world.command();
    guarded
        .env_remove("AGENTSVIEW_DATA_DIR")
        .args(["recall", "import", file, "--yes"]);
    let ran = crate::world::ran(&mut guarded);
    assert_eq!(ran.exit, 4, "{ran:?}");
    assert!(ran.stderr.contains("--allow-production-import"));
    assert!(
        !world.path(".agentsview").exists(),
        "refused before anything is made"
    );
}

#[test]
fn what_is_not_available_now_ends_with_5() {
    let world = World::new();
    assert_ends(&world, &["recall", "list"], 5, "agentsview sync");
    assert_ends(&world, &["secrets", "scan"], 5, "agentsview sync");
    assert!(!world.path("data").exists(), "none is made");
    let file = fixtures().join("reviewed.jsonl");
    for flag in ["--dry-run", "--yes"] {
        let import = ["recall", "import", file.to_str().unwrap(), flag];
        assert_ends(&world, &import, 5, "agentsview sync");
    }
    assert_eq!(world.run(&["sync"]).exit, 0);
    assert_ends(
        &world,
        &["recall", "query", "x", "--mode", "vector"],
        5,
        "vector",
    );
    let lock = std::fs::File::open(world.path("data/archive.lock")).unwrap();
    lock.lock().unwrap();
    assert_ends(&world, &["sync"], 5, "archive.lock");
    assert_eq!(
        world.run(&["recall", "list"]).exit,
        0,
        "reading needs no lock"
    );
}

#[test]
fn an_import_that_some_lines_failed_ends_with_6_and_one_that_wrote_nothing_with_2() {
    let world = World::synced();
    let good = std::fs::read_to_string(fixtures().join("reviewed.jsonl")).unwrap();
    let first = good.lines().next().unwrap();
    let mixed = world.path("mixed.jsonl");
    std::fs::write(&mixed, format!("{first}\n{{oops\n")).unwrap();
    let mixed = mixed.to_str().unwrap();
    for form in ["human", "json"] {
        for (flags, exit) in [
            (&["--yes"][..], 2),
            (&["--dry-run"], 2),
            (&["--yes", "--keep-going"], 6),
        ] {
            let words = [&["recall", "import", mixed, "--format", form], flags].concat();
            let ran = world.run(&words);
            assert_eq!(ran.exit, exit, "{ran:?}");
            assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
            assert!(ran.stderr.contains("mixed.jsonl"), "{ran:?}");
            assert!(ran.stderr.contains("(line 2)"), "{ran:?}");
            let is_stored = world.run(&["recall", "get", "lantern-retry-busy"]).exit == 0;
            assert_eq!(is_stored, form == "json" || exit == 6, "{form} {flags:?}");
        }
    }
}

#[test]
fn a_configuration_that_cannot_be_used_ends_with_2_and_names_the_file() {
    let world = World::imported();
    for (bytes, said) in [
        (
            &b"[review]\nname = 3\n"[..],
            "config.toml: line 2: review.name",
        ),
        (b"[review]\nname = '\xff'\n", "config.toml is not UTF-8"),
    ] {
        let file = world.path("data/config.toml");
        std::fs::write(&file, bytes).unwrap();
        let words = ["recall", "undo"];
        assert_ends(&world, &words, 2, said);
        assert_ends(&world, &words, 2, file.to_str().unwrap());
    }
}

#[test]
fn an_input_that_cannot_be_read_is_named() {
    let world = World::synced();
    let folder = world.path("data");
    for command in ["import", "restore"] {
        let words = ["recall", command, folder.to_str().unwrap(), "--dry-run"];
        assert_ends(&world, &words, 2, folder.to_str().unwrap());
    }
}

#[cfg(unix)]
#[test]
fn a_sync_that_cannot_read_a_file_ends_with_6_and_says_which() {
    let world = World::new();
    let pipe = world.path("claude/-srv-app/pipe.jsonl");
    std::fs::create_dir_all(pipe.parent().unwrap()).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    let mut command = world.command();
    command
        .env("CLAUDE_PROJECTS_DIR", world.path("claude"))
        .args(["sync", "--json"]);
    let ran = crate::world::ran(&mut command);
    assert_eq!((ran.exit, ran.stderr.lines().count()), (6, 1), "{ran:?}");
    assert!(ran.stderr.contains("pipe.jsonl"), "{ran:?}");
}

#[test]
fn a_session_folder_that_a_variable_names_in_vain_is_remarked_on() {
    let world = World::new();
    let mut command = world.command();
    command
        .env("CLAUDE_PROJECTS_DIR", world.path("slip"))
        .arg("sync");
    let ran = crate::world::ran(&mut command);
    assert_eq!((ran.exit, ran.stderr.lines().count()), (0, 1), "{ran:?}");
    assert!(ran.stderr.contains("slip does not exist"), "{ran:?}");
    assert!(ran.stderr.contains("CLAUDE_PROJECTS_DIR"), "{ran:?}");
}

#[test]
fn a_sync_with_malformed_lines_succeeds_and_counts_them() {
    let world = World::new();
    let file = world.path("claude/-srv-app/bad.jsonl");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let line = r#"{"type":"user","uuid":"u1","message":{"role":"user","content":"Hi"}}"#;
    std::fs::write(&file, format!("{line}\n{{oops\n")).unwrap();
    let mut command = world.command();
    command
        .env("CLAUDE_PROJECTS_DIR", world.path("claude"))
        .args(["sync", "--json"]);
    let ran = crate::world::ran(&mut command);
    assert_eq!(ran.exit, 0, "{ran:?}");
    assert_eq!(ran.json()["malformed_lines"], 1);
}

#[test]
fn bare_commands_explain_themselves() {
    let world = World::new();
    for words in [
        &[][..],
        &["recall"],
        &["session"],
        &["secrets"],
        &["--help"],
    ] {
        let ran = world.run(words);
        assert_eq!(ran.exit, 0, "{words:?}: {ran:?}");
        assert!(ran.stdout.contains("Usage"), "{words:?}");
    }
}
