//! Judging entries from a script: the way from unreviewed to trusted and back.

use recall_core::EntryType;

use crate::produced::{Produced, produce};
use crate::world::{Ran, World, ran};

/// A world whose archive holds the example entries and two that nobody reviewed: `busy` rests on
/// the model's words, `loud` claims to be a preference and rests on what a tool printed.
fn waiting() -> World {
    let world = World::imported();
    for produced in [
        Produced {
            id: "busy",
            kind: EntryType::Fact,
            title: "busy_timeout is 5000",
            body: "Set busy_timeout to 5000 in the pool.",
            range: (5, 5),
            tool_use: "",
            quote: "",
        },
        Produced {
            id: "loud",
            kind: EntryType::Preference,
            title: "Retry at once",
            body: "When the database is locked, retry at once.",
            range: (1, 1),
            tool_use: "toolu_lantern_run",
            quote: "error: database is locked (5) (SQLITE_BUSY)",
        },
    ] {
        produce(&world, &produced);
    }
    world
}

fn review(world: &World, words: &[&str], said: &str) -> Ran {
    let ran = world.done(&[&["recall", "review"], words].concat());
    assert!(
        ran.stdout.contains(said),
        "{words:?}, {said}: {}",
        ran.stdout
    );
    ran
}

fn entry(world: &World, id: &str) -> serde_json::Value {
    world.done(&["recall", "get", id, "--json"]).json()
}

fn queue(world: &World) -> Vec<String> {
    let listed = review(world, &["list", "--json"], "").json();
    let entries = listed["entries"].as_array().unwrap();
    assert_eq!(listed["total"], entries.len());
    entries
        .iter()
        .map(|entry| entry["id"].as_str().unwrap().to_owned())
        .collect()
}

fn refused(world: &World, words: &[&str], exit: i32, said: &str) {
    let ran = world.run(words);
    assert_eq!(
        (ran.exit, ran.stdout.as_str()),
        (exit, ""),
        "{words:?}: {ran:?}"
    );
    assert_eq!(ran.stderr.lines().count(), 1, "{words:?}: {}", ran.stderr);
    assert!(ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
}

// B-01, S-E06
#[test]
fn an_entry_is_accepted_into_trust_and_taken_back() {
    let world = waiting();
    assert_eq!(queue(&world), ["busy", "loud"]);
    review(&world, &["show", "busy"], "#5 assistant");

    review(
        &world,
        &["accept", "busy", "--transferable=false"],
        "Accepted, not trusted: Nobody has said that it holds outside its own session.",
    );
    assert_eq!(queue(&world), ["loud"]);
    review(
        &world,
        &["accept", "busy", "--transferable"],
        "Accepted and trusted.",
    );
    assert_eq!(entry(&world, "busy")["trusted"], true);

    let undone = world.done(&["recall", "undo"]);
    assert!(undone.stdout.contains("Took back"), "{undone:?}");
    assert_eq!(entry(&world, "busy")["trusted"], false);
    world.done(&["recall", "undo"]);
    assert_eq!(queue(&world), ["busy", "loud"]);

    let history = world.done(&["recall", "history", "busy", "--json"]).json();
    let decisions: Vec<(&str, &str)> = history["decisions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (
                row["action"].as_str().unwrap(),
                row["reviewer"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        decisions,
        [
            ("accept", "kim"),
            ("accept", "kim"),
            ("undo", "kim"),
            ("undo", "kim")
        ]
    );
}

// B-01
#[test]
fn a_rule_that_a_tool_printed_stays_a_fact_until_a_person_says_otherwise() {
    let world = waiting();
    let shown = review(&world, &["show", "loud"], "claims to be a preference");
    assert!(shown.stdout.contains("tool output alone"), "{shown:?}");
    refused(
        &world,
        &["recall", "review", "edit", "loud", "--type", "decision"],
        2,
        "when a person accepts it",
    );
    let accepted = review(
        &world,
        &["accept", "loud", "--transferable"],
        "Accepted and trusted.",
    );
    assert!(accepted.stdout.contains("It stays a fact"), "{accepted:?}");
    assert!(accepted.stdout.contains("--as preference"), "{accepted:?}");
    assert_eq!(entry(&world, "loud")["type"], "fact");
    let granted = ["accept", "loud", "--transferable", "--as", "preference"];
    review(&world, &granted, "Take care");
    assert_eq!(entry(&world, "loud")["type"], "preference");
}

// B-01
#[test]
fn an_edit_keeps_the_original() {
    let world = waiting();
    let words = [
        "recall", "review", "edit", "busy", "--body", "-", "--note", "unit",
    ];
    let mut command = world.command();
    command
        .args(words)
        .write_stdin("Set busy_timeout to 5000 ms in the pool.\n");
    let edited = ran(&mut command);
    assert_eq!(edited.exit, 0, "{edited:?}");
    assert!(
        edited.stdout.contains("the earlier wording is kept"),
        "{edited:?}"
    );
    assert_eq!(
        entry(&world, "busy")["body"],
        "Set busy_timeout to 5000 ms in the pool."
    );
    let history = world.done(&["recall", "history", "busy"]).stdout;
    assert!(
        history.contains("the original wording, until #"),
        "{history}"
    );
    assert!(
        history.contains("- Set busy_timeout to 5000 in the pool."),
        "{history}"
    );
    assert!(history.contains("\"unit\""), "{history}");
    world.done(&["recall", "undo"]);
    assert_eq!(
        entry(&world, "busy")["body"],
        "Set busy_timeout to 5000 in the pool."
    );

    refused(&world, &["recall", "review", "edit", "busy"], 2, "--title");
    let secret = format!("use ghp_{}", "x9K2mQ7vT4bN8cR1pL5wZ3hJ6dF0sA2gY4uE");
    refused(
        &world,
        &["recall", "review", "edit", "busy", "--body", &secret],
        2,
        "secret",
    );
}

// B-01
#[test]
fn a_rejection_says_why_and_restore_takes_it_back() {
    let world = waiting();
    refused(
        &world,
        &["recall", "review", "reject", "busy"],
        2,
        "--reason",
    );
    refused(
        &world,
        &["recall", "review", "reject", "busy", "--reason", " "],
        2,
        "reason",
    );
    review(
        &world,
        &["reject", "busy", "--reason", "wrong unit"],
        "Rejected",
    );
    let rejected = entry(&world, "busy");
    assert_eq!(
        (&rejected["rejected"], &rejected["status"]),
        (&true.into(), &"archived".into())
    );
    let shown = world.done(&["recall", "get", "busy"]).stdout;
    assert!(shown.contains("archived, rejected"), "{shown}");
    assert_eq!(queue(&world), ["loud"]);
    refused(
        &world,
        &["recall", "review", "accept", "busy", "--transferable"],
        2,
        "restore",
    );
    review(&world, &["restore", "busy"], "In force again");
    assert_eq!(queue(&world), ["busy", "loud"]);
    review(&world, &["archive", "busy", "--note", "old"], "Archived.");
    review(&world, &["restore", "busy"], "In force again");
}

// S-R03
#[test]
fn a_supersession_is_read_from_either_end_and_undone() {
    let world = waiting();
    let supersede = [
        "recall",
        "review",
        "supersede",
        "lantern-one-writer",
        "--by",
        "busy",
    ];
    refused(&world, &supersede, 2, "accept busy first");
    review(
        &world,
        &["accept", "busy", "--transferable"],
        "Accepted and trusted.",
    );
    review(&world, &supersede[2..], "Replaced by busy.");
    let chain = |id: &str| -> Vec<String> {
        let history = world.done(&["recall", "history", id, "--json"]).json();
        let chain = history["chain"].as_array().unwrap();
        chain
            .iter()
            .map(|entry| entry["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let whole = ["lantern-retry-busy", "lantern-one-writer", "busy"];
    for id in whole {
        assert_eq!(chain(id), whole, "{id}");
    }
    let shown = world
        .done(&["recall", "history", "lantern-one-writer"])
        .stdout;
    assert!(shown.contains(">  lantern-one-writer"), "{shown}");
    refused(
        &world,
        &["recall", "review", "restore", "lantern-one-writer"],
        2,
        "replaced by busy",
    );
    world.done(&["recall", "undo"]);
    assert_eq!(entry(&world, "lantern-one-writer")["trusted"], true);
    assert_eq!(chain("busy"), ["busy"]);
}

#[test]
fn a_decision_needs_a_signature_and_an_answer() {
    let world = waiting();
    let mut nobody = world.command();
    nobody
        .env_remove("USER")
        .args(["recall", "review", "archive", "busy"]);
    let unsigned = ran(&mut nobody);
    assert_eq!(unsigned.exit, 2, "{unsigned:?}");
    assert!(
        unsigned.stderr.contains("docs/configuration.md"),
        "{unsigned:?}"
    );

    std::fs::write(
        world.path("data/config.toml"),
        "[review]\nname = \"Ada L.\"\n",
    )
    .unwrap();
    review(&world, &["archive", "busy"], "Archived.");
    let history = world.done(&["recall", "history", "busy"]).stdout;
    assert!(history.contains("Ada L. archived it"), "{history}");

    refused(
        &world,
        &["recall", "review", "accept", "loud"],
        2,
        "--transferable=false",
    );
}

#[test]
fn what_cannot_be_decided_has_its_own_ending() {
    let world = World::synced();
    refused(&world, &["recall", "undo"], 3, "no decision to take back");
    for words in [
        &["recall", "review", "show", "ghost"][..],
        &["recall", "review", "accept", "ghost", "--transferable"],
        &["recall", "review", "restore", "ghost"],
        &["recall", "history", "ghost"],
        &["recall", "reverify", "--session", "ghost"],
    ] {
        refused(&world, words, 3, "ghost");
    }
    refused(&world, &["recall", "reverify"], 2, "--all");
    let archived = ["recall", "review", "list", "--status", "archived"];
    refused(&world, &archived, 2, "in force");
    let lock = std::fs::File::open(world.path("data/archive.lock")).unwrap();
    lock.lock().unwrap();
    for words in [
        &["recall", "review", "archive", "ghost"][..],
        &["recall", "undo"],
        &["recall", "reverify", "--all"],
        &["session", "trash", "ghost"],
        &["session", "delete", "ghost", "--yes"],
    ] {
        refused(&world, words, 5, "archive.lock");
    }
}

// B-13
#[test]
fn a_near_duplicate_comes_with_the_command_that_settles_it() {
    let world = waiting();
    produce(
        &world,
        &Produced {
            id: "busy-too",
            kind: EntryType::Fact,
            title: "busy_timeout is 5000",
            body: "In the pool, set busyTimeout to 5000.",
            range: (5, 5),
            tool_use: "",
            quote: "",
        },
    );
    review(
        &world,
        &["show", "busy"],
        "agentsview recall review supersede busy-too --by busy",
    );
    review(
        &world,
        &["supersede", "busy-too", "--by", "busy"],
        "Replaced by busy.",
    );
}
