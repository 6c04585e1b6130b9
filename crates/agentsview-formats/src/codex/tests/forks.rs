//! Sessions that copied the lines of another.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{
    assistant, call, contents, event, item, line, session, session_in, text_of, turn, user,
};
use crate::{Relationship, Surroundings, Termination};

/// Knows the file of the session `p`.
struct Parent(String);
impl Surroundings for Parent {
    fn repository_root(&self, _cwd: &str) -> Option<PathBuf> {
        None
    }
    fn saved_output(&self, _path: &Path) -> Option<String> {
        None
    }
    fn session_file(&self, native_id: &str) -> Option<Vec<u8>> {
        (native_id == "p").then(|| self.0.clone().into_bytes())
    }
}

fn forked() -> Vec<Value> {
    vec![
        line("session_meta", json!({"id": "n1", "forked_from_id": "p"})),
        line("session_meta", json!({"id": "p"})),
        user("Old"),
        turn("t1"),
        assistant("Old answer"),
        user("Older"),
        event("task_started", json!({"turn_id": "t2"})),
        call("c1", "shell", &json!({})),
        event("turn_aborted", json!({"turn_id": "t2"})),
        user("New"),
        turn("t3"),
        assistant("New answer"),
        event("task_complete", json!({"turn_id": "t3"})),
    ]
}

#[test]
fn turns_that_a_fork_copied_are_its_parents_alone() {
    let parent = Parent(text_of(&[turn("t1"), turn("t2")]));
    let session = session_in(&forked(), &parent);
    assert_eq!(contents(&session), ["New", "New answer"]);
    assert_eq!(session.messages[0].ordinal.get(), 0);
    assert_eq!(session.termination, Some(Termination::AwaitingUser));
    let (parent, relationship) = session.parent.unwrap();
    assert_eq!(
        (parent.as_str(), relationship),
        ("codex:p", Relationship::Fork)
    );
}

#[test]
fn a_fork_is_kept_whole_if_its_parent_is_absent_or_shares_no_turn() {
    let whole = ["Old", "Old answer", "Older", "[shell]", "New", "New answer"];
    assert_eq!(contents(&session(&forked())), whole);
    let stranger = Parent(text_of(&[turn("t9")]));
    assert_eq!(contents(&session_in(&forked(), &stranger)), whole);
}

#[test]
fn an_item_that_names_its_turn_needs_no_other_mark() {
    let mine = item(json!({"type": "message", "role": "user", "content": "New",
        "internal_chat_message_metadata_passthrough": {"turn_id": "t3"}}));
    let lines = [
        line(
            "session_meta",
            json!({"id": "n1", "source":
            {"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}}),
        ),
        turn("t1"),
        user("Old"),
        assistant("Old answer"),
        mine,
        assistant("New answer"),
    ];
    let session = session_in(&lines, &Parent(text_of(&[turn("t1")])));
    assert_eq!(contents(&session), ["New", "New answer"]);
    assert_eq!(session.parent.unwrap().1, Relationship::Subagent);
}
