//! Lines that no agent would write.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{FILE, count, file_of, item, line, text_of, user};
use crate::{Agent, Feeder, Nowhere, SourceFile};

#[test]
fn lines_of_wrong_shapes_lose_nothing_but_themselves() {
    let bytes = text_of(&[
        json!({"timestamp": 7, "type": "response_item", "payload": 7}),
        json!({"timestamp": [], "type": "event_msg", "payload": {"type": []}}),
        json!({"type": ["response_item"], "payload": {}}),
        json!({"type": "session_meta", "payload": {"id": 7, "git": "main", "source": []}}),
        json!({"type": "turn_context", "payload": {"model": {}}}),
        item(json!({"type": "message", "role": "user", "content": {"text": []}})),
        item(json!({"type": "function_call", "name": 1, "arguments": true, "call_id": {}})),
        item(json!({"type": "reasoning", "summary": "short"})),
        count(u64::MAX, u64::MAX),
        user("Still here"),
    ]) + "[1]\n7\n\"text\"\n{\"a\"\n\u{0}\n";
    let file = file_of(bytes.as_bytes(), &Nowhere);
    assert_eq!(file.malformed_lines, 5);
    let last = file.sessions[0].messages.last().unwrap();
    assert_eq!(last.content, "Still here");
}

/// A value of a field, of a wrong type more often than not.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~äé\n\"<>]{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "user",
            "assistant",
            "c1",
            "t1",
            "shell",
            "wait",
            "spawn_agent",
            "<skill>",
            "<turn_aborted>",
            "{\"status\":{\"a\":1}}",
            "{\"output\":1,\"metadata\":{}}",
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(any_key(), inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

fn any_key() -> impl Strategy<Value = String> {
    let keys = [
        "type",
        "role",
        "content",
        "text",
        "summary",
        "call_id",
        "name",
        "arguments",
        "input",
        "output",
        "action",
        "info",
        "last_token_usage",
        "input_tokens",
        "turn_id",
        "id",
        "git",
        "source",
        "subagent",
        "thread_spawn",
        "agent_id",
        "message",
        "command",
        "plan",
        "metadata",
    ];
    prop::sample::select(keys.to_vec()).prop_map(str::to_owned)
}

fn any_line() -> impl Strategy<Value = Vec<u8>> {
    let kinds = prop::sample::select(vec![
        "session_meta",
        "turn_context",
        "response_item",
        "event_msg",
        "compacted",
    ]);
    let items = prop::sample::select(vec![
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "local_shell_call",
        "web_search_call",
        "agent_message",
        "token_count",
        "task_started",
        "task_complete",
        "turn_aborted",
    ]);
    let fields = prop::collection::btree_map(any_key(), any_value(), 0..8);
    let record = (kinds, items, fields).prop_map(|(kind, item, fields)| {
        let mut payload = json!(fields);
        payload["type"] = json!(item);
        line(kind, payload).to_string().into_bytes()
    });
    prop_oneof![4 => record, 1 => prop::collection::vec(any::<u8>(), 0..40)]
}

proptest! {
    #[test]
    fn no_lines_panic_and_rows_stay_in_order(
        lines in prop::collection::vec(any_line(), 0..24),
        cut in any::<prop::sample::Index>(),
    ) {
        let bytes = lines.join(&b'\n');
        let whole = file_of(&bytes, &Nowhere);
        for session in &whole.sessions {
            for (at, row) in session.messages.iter().enumerate() {
                prop_assert_eq!(usize::try_from(row.ordinal.get()).unwrap(), at);
                prop_assert!(!row.content.contains('\0'));
            }
        }
        let (head, tail) = bytes.split_at(cut.index(bytes.len() + 1));
        let source = SourceFile::new(FILE);
        let mut feeder = Feeder::new(Agent::Codex.parser(&source, &Nowhere));
        feeder.feed(head);
        feeder.feed(tail);
        prop_assert_eq!(feeder.finish(), whole);
    }
}
