//! Invented transcripts and entries for the tests of this crate.

use recall_core::{
    CitedMessage, CitedToolCall, Entry, EntryId, Ordinal, OrdinalRange, ReviewState, Role, Scope,
    SessionId, SourceUuid, Timestamp, ToolUseId,
};
use serde_json::{Value, json};

use crate::import::{Candidate, LineVerdict, parse_line};
use crate::insertion::Draft;

pub(crate) fn session(id: &str) -> SessionId {
    SessionId::new(id).unwrap()
}

pub(crate) fn tool(id: &str) -> ToolUseId {
    ToolUseId::new(id).unwrap()
}

pub(crate) fn entry_id(id: &str) -> EntryId {
    EntryId::new(id).unwrap()
}

pub(crate) fn range(start: u32, end: u32) -> OrdinalRange {
    OrdinalRange::new(Ordinal::new(start), Ordinal::new(end)).unwrap()
}

pub(crate) fn now() -> Timestamp {
    "2026-03-04T05:06:07.008Z".parse().unwrap()
}

pub(crate) fn call(tool_name: &str, id: &str, input_json: &str) -> CitedToolCall {
    CitedToolCall {
        tool_name: tool_name.to_owned(),
        category: tool_name.to_owned(),
        tool_use_id: Some(tool(id)),
        input_json: input_json.to_owned(),
        ..CitedToolCall::default()
    }
}

pub(crate) fn message(ordinal: u32, content: &str) -> CitedMessage {
    message_with_calls(ordinal, content, vec![])
}

pub(crate) fn message_with_calls(
    ordinal: u32,
    content: &str,
    tool_calls: Vec<CitedToolCall>,
) -> CitedMessage {
    CitedMessage {
        ordinal: Ordinal::new(ordinal),
        role: Role::Assistant,
        content: content.to_owned(),
        is_system: false,
        source_uuid: Some(SourceUuid::new(format!("source-a-{ordinal}")).unwrap()),
        tool_calls,
    }
}

/// Three messages whose digests are known from an independent computation.
pub(crate) fn golden_messages() -> Vec<CitedMessage> {
    let written = CitedToolCall {
        category: "Edit".to_owned(),
        skill_name: "editing".to_owned(),
        results: vec!["updated b.go".to_owned()],
        subagent_session_id: "subagent-1".to_owned(),
        ..call("Write", "tool-z", r#"{"path":"b.go"}"#)
    };
    let read = CitedToolCall {
        results: vec!["package main".to_owned()],
        ..call("Read", "tool-a", r#"{"path":"a.go"}"#)
    };
    let verified = CitedToolCall {
        category: "Edit".to_owned(),
        ..call("Write", "tool-z", r#"{"path":"b.go","mode":"verify"}"#)
    };
    vec![
        CitedMessage {
            role: Role::User,
            ..message(10, "Run the formatter.")
        },
        message_with_calls(11, "I will inspect the files.", vec![written, read]),
        message_with_calls(12, "The formatter passed.", vec![verified]),
    ]
}

/// An accepted entry that meets every condition of trust, without evidence.
pub(crate) fn trusted_entry() -> Entry {
    Entry {
        scope: Scope::Repository,
        review_state: ReviewState::HumanReviewed,
        transferable: true,
        provenance_ok: true,
        ..Entry::new(entry_id("e1"), session("s1"), "A title", "A body.", now())
    }
}

/// The content of a small entry of session `s1`.
pub(crate) fn draft() -> Draft {
    let entry = trusted_entry();
    Draft {
        entry_type: entry.entry_type,
        scope: entry.scope,
        ..Draft::new(entry.id, entry.source_session_id, entry.title, entry.body)
    }
}

/// A line that a reviewed import accepts.
pub(crate) fn import_line(id: &str) -> Value {
    json!({
        "candidate_id": id,
        "session_id": "s1",
        "type": "warning",
        "scope": "repository",
        "title": "Locked database",
        "body": "The backup job holds the lock.",
        "label": "correct",
        "transferable": true,
        "provenance_ok": true,
        "evidence": { "ordinal_start": 3, "ordinal_end": 5 },
    })
}

pub(crate) fn candidate(id: &str) -> Candidate {
    let bytes = serde_json::to_vec(&import_line(id)).unwrap();
    match parse_line(1, &bytes) {
        LineVerdict::Candidate(candidate) => *candidate,
        other => panic!("no candidate: {other:?}"),
    }
}
