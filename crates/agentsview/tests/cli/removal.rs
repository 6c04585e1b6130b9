//! Sessions that change or that nobody wants, and the trust that goes with them.

use crate::produced::SESSION;
use crate::world::World;

fn said(world: &World, words: &[&str], parts: &[&str]) {
    let ran = world.done(words);
    for part in parts {
        assert!(
            ran.stdout.contains(part),
            "{words:?}, {part}: {}",
            ran.stdout
        );
    }
}

fn trusted(world: &World) -> Vec<String> {
    let listed = world
        .done(&["recall", "list", "--trusted-only", "--json"])
        .json();
    let entries = listed["entries"].as_array().unwrap();
    let mut ids: Vec<String> = entries
        .iter()
        .map(|entry| entry["id"].as_str().unwrap().to_owned())
        .collect();
    ids.sort();
    ids
}

// S-E06
#[test]
fn the_trash_withdraws_trust_at_once_and_restore_brings_it_back() {
    let world = World::imported();
    let before = trusted(&world);
    assert!(before.contains(&"lantern-one-writer".to_owned()));
    said(
        &world,
        &["session", "trash", SESSION],
        &["is in the trash", "trust withdrawn from 2 of its 3 entries"],
    );
    assert_eq!(trusted(&world).len(), before.len() - 2);
    said(
        &world,
        &["recall", "get", "lantern-one-writer"],
        &["Its session is in the trash."],
    );
    said(&world, &["session", "get", SESSION], &["in the trash"]);
    said(
        &world,
        &["session", "list", "--trashed"],
        &[SESSION, "session restore"],
    );
    said(&world, &["session", "trash", SESSION], &["already"]);
    said(
        &world,
        &["session", "restore", SESSION],
        &["is back", "trust is back for 2 of its 3 entries"],
    );
    assert_eq!(trusted(&world), before);
    for words in [
        ["session", "trash", "ghost"],
        ["session", "restore", "ghost"],
    ] {
        let ran = world.run(&words);
        assert_eq!(ran.exit, 3, "{ran:?}");
    }
}

// S-E06
#[test]
fn a_deletion_is_confirmed_forgets_and_keeps_the_id_out() {
    let world = World::imported();
    let unconfirmed = world.run(&["session", "delete", SESSION]);
    assert_eq!(unconfirmed.exit, 4, "{unconfirmed:?}");
    assert!(
        unconfirmed.stderr.contains("7 messages and 3 entries"),
        "{unconfirmed:?}"
    );
    assert!(unconfirmed.stderr.contains("--yes"), "{unconfirmed:?}");
    assert_eq!(world.run(&["session", "get", SESSION]).exit, 0);

    said(
        &world,
        &["session", "delete", SESSION, "--yes"],
        &[
            "forgotten for good, with 7 messages and 3 entries",
            "lantern-one-writer",
        ],
    );
    let synced = world.done(&["sync", "--full", "--json"]).json();
    assert_eq!(synced["total_sessions"], 2);
    assert_eq!(world.run(&["session", "get", SESSION]).exit, 3);
    assert_eq!(world.run(&["recall", "get", "lantern-one-writer"]).exit, 3);

    for words in [
        &["session", "delete", SESSION][..],
        &["session", "delete", SESSION, "--yes"],
    ] {
        said(&world, words, &["was forgotten before", "stays out"]);
    }
    for words in [
        &["session", "delete", "ghost"][..],
        &["session", "delete", "ghost", "--yes"],
        &["session", "delete", "ghost", "--yes"],
    ] {
        let unknown = world.run(words);
        assert_eq!(unknown.exit, 3, "{unknown:?}");
    }
}

// S-E02, S-E03
#[test]
fn a_rewritten_session_revokes_with_its_reason_and_a_moved_passage_keeps_trust() {
    let world = World::with_own_sessions();
    assert_eq!(world.run(&["sync"]).exit, 0);
    world.import();
    let file = world.path(&format!("claude/-srv-code-lantern/{SESSION}.jsonl"));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("in rollback mode"));
    std::fs::write(&file, text.replace("in rollback mode", "in memory mode")).unwrap();

    said(
        &world,
        &["sync"],
        &[
            "evidence revoked, no longer trusted: ",
            "lantern-one-writer: the cited text had changed (content_digest_mismatch)",
            "agentsview recall history",
        ],
    );
    let revoked = world
        .done(&["recall", "get", "lantern-one-writer", "--json"])
        .json();
    assert_eq!(revoked["revocation_reason"], "content_digest_mismatch");
    assert_eq!(revoked["trusted"], false);
    said(
        &world,
        &["recall", "list"],
        &["provenance revoked", "evidence revoked at"],
    );
    said(
        &world,
        &["recall", "review", "list"],
        &["lantern-one-writer", "the cited text had changed"],
    );
    said(
        &world,
        &["recall", "history", "lantern-one-writer"],
        &["evidence revoked", "the cited text had changed"],
    );

    // Sticky: the old text coming back does not bring the trust back.
    std::fs::write(&file, text).unwrap();
    world.done(&["sync"]);
    let all = world
        .done(&["recall", "reverify", "--all", "--json"])
        .json();
    assert_eq!(all["sessions"], 3);
    assert!(all["evidence"].get("revoked").is_none(), "{all}");
    let still = world
        .done(&["recall", "get", "lantern-one-writer", "--json"])
        .json();
    assert_eq!(still["revocation_reason"], "content_digest_mismatch");
    said(
        &world,
        &["recall", "reverify", "--session", SESSION],
        &["looked at 1 session", "1 stays revoked"],
    );
}
