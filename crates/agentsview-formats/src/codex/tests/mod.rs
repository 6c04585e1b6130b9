//! Whole files, line by line.

mod forks;
mod robustness;

use recall_core::Role;
use serde_json::{Value, json};

use crate::{
    Agent, Feeder, Nowhere, ParsedFile, ParsedSession, SourceFile, Surroundings, Termination,
    ToolCategory,
};

const FILE: &str =
    "2026/01/02/rollout-2026-01-02T03-04-05-0199aaaa-0000-7000-8000-00000000000f.jsonl";

fn file_of(bytes: &[u8], surroundings: &dyn Surroundings) -> ParsedFile {
    let source = SourceFile::new(FILE);
    let mut feeder = Feeder::new(Agent::Codex.parser(&source, surroundings));
    feeder.feed(bytes);
    feeder.finish()
}

fn text_of(lines: &[Value]) -> String {
    lines
        .iter()
        .flat_map(|line| [line.to_string(), "\n".to_owned()])
        .collect()
}

fn session_in(lines: &[Value], surroundings: &dyn Surroundings) -> ParsedSession {
    let file = file_of(text_of(lines).as_bytes(), surroundings);
    assert_eq!(file.malformed_lines, 0);
    let [session] = file.sessions.try_into().unwrap();
    session
}

fn session(lines: &[Value]) -> ParsedSession {
    session_in(lines, &Nowhere)
}

fn line(kind: &str, payload: impl Into<Value>) -> Value {
    let payload = payload.into();
    json!({"timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "payload": payload})
}

fn item(payload: Value) -> Value {
    line("response_item", payload)
}

fn user(text: &str) -> Value {
    let content = json!([{"type": "input_text", "text": text}]);
    item(json!({"type": "message", "role": "user", "content": content}))
}

fn assistant(text: &str) -> Value {
    let content = json!([{"type": "output_text", "text": text}]);
    item(json!({"type": "message", "role": "assistant", "content": content}))
}

fn call(id: &str, name: &str, arguments: &Value) -> Value {
    let arguments = arguments.to_string();
    item(json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments}))
}

fn output(id: &str, text: &str) -> Value {
    item(json!({"type": "function_call_output", "call_id": id, "output": text}))
}

fn event(kind: &str, mut fields: Value) -> Value {
    fields["type"] = json!(kind);
    line("event_msg", fields)
}

fn count(input: u64, output: u64) -> Value {
    let usage = json!({"input_tokens": input, "cached_input_tokens": 1, "output_tokens": output});
    event("token_count", json!({"info": {"last_token_usage": usage}}))
}

fn turn(id: &str) -> Value {
    line("turn_context", json!({"turn_id": id, "model": "m-1"}))
}

fn contents(session: &ParsedSession) -> Vec<&str> {
    let rows = session.messages.iter();
    rows.map(|row| row.content.as_str()).collect()
}

#[test]
fn a_session_is_described_by_its_first_line_and_all_times() {
    let session = session(&[
        line(
            "session_meta",
            json!({"id": "n1", "cwd": "/srv/my-app", "cli_version": "0.104.0",
                   "git": {"branch": "fix/it"}}),
        ),
        line("session_meta", json!({"id": "n0", "cwd": "/srv/parent"})),
        turn("t1"),
        user("Hello"),
        assistant("Hi"),
        json!({"timestamp": "2026-01-02 04:00:00", "type": "world_state", "payload": {}}),
    ]);
    assert_eq!(session.id.as_str(), "codex:n1");
    assert_eq!(session.source_session_id, "n1");
    assert_eq!(session.project, "my_app");
    assert_eq!(session.cwd, "/srv/my-app");
    assert_eq!(session.git_branch, "fix/it");
    assert_eq!(session.source_version, "0.104.0");
    assert_eq!(session.parent, None);
    assert_eq!(
        session.started_at.unwrap().to_string(),
        "2026-01-02T03:04:05.000Z"
    );
    assert_eq!(
        session.ended_at.unwrap().to_string(),
        "2026-01-02T04:00:00.000Z"
    );
    assert_eq!(session.messages[1].model, "m-1");
    assert_eq!(session.messages[0].model, "");
}

#[test]
fn a_bare_file_of_the_first_versions_is_read() {
    let session = session(&[
        json!({"id": "n1", "timestamp": "2025-06-01T10:00:00Z", "git": {"branch": "main"}}),
        json!({"record_type": "state"}),
        json!({"type": "message", "role": "user", "content": [{"type": "input_text",
               "text": "<environment_context>\n<cwd>/srv/app</cwd>\n</environment_context>"}]}),
        json!({"type": "message", "role": "user", "content": "Hello"}),
        json!({"type": "function_call", "name": "shell", "call_id": "c1",
               "arguments": "{\"command\":[\"ls\"]}"}),
        json!({"type": "function_call_output", "call_id": "c1", "output": "a\n"}),
    ]);
    assert_eq!(session.id.as_str(), "codex:n1");
    assert_eq!(
        (session.cwd.as_str(), session.git_branch.as_str()),
        ("/srv/app", "main")
    );
    assert_eq!(contents(&session), ["Hello", "[Bash]\n$ ls"]);
    assert_eq!(session.messages[1].tool_calls[0].results[0].content, "a\n");
}

#[test]
fn a_file_without_a_first_line_is_known_by_its_name() {
    let lines = [user("Hello")];
    assert_eq!(
        session(&lines).id.as_str(),
        "codex:0199aaaa-0000-7000-8000-00000000000f"
    );
    let nothing = text_of(&[line("world_state", json!({}))]);
    assert!(file_of(nothing.as_bytes(), &Nowhere).sessions.is_empty());
}

#[test]
fn injected_items_are_no_rows_and_do_not_shift_ordinals() {
    let session = session(&[
        item(json!({"type": "message", "role": "developer", "content": "Be kind."})),
        user("# AGENTS.md instructions for /srv\n\n<INSTRUCTIONS>x</INSTRUCTIONS>"),
        user("<recommended_plugins>p</recommended_plugins>\n\nFix it."),
        user("<skill>s</skill>"),
        assistant("Done."),
        item(json!({"type": "message", "role": "user", "content": [{"type": "input_image"}]})),
    ]);
    assert_eq!(contents(&session), ["Fix it.", "Done.", "[Image]"]);
    let ordinals: Vec<_> = session
        .messages
        .iter()
        .map(|row| row.ordinal.get())
        .collect();
    assert_eq!(ordinals, [0, 1, 2]);
}

#[test]
fn the_first_prompt_repeated_after_an_interruption_is_a_replay() {
    let interrupted = event("turn_aborted", json!({"reason": "interrupted"}));
    let session = session(&[
        user("Fix it."),
        interrupted.clone(),
        user("<turn_aborted>\nstopped\n</turn_aborted>"),
        user("Fix it."),
        user("Fix it."),
        interrupted,
        user("No, that."),
    ]);
    assert_eq!(contents(&session), ["Fix it.", "Fix it.", "No, that."]);
}

#[test]
fn a_call_is_a_row_and_its_result_finds_it() {
    let session = session(&[
        user("Look"),
        call("c1", "shell", &json!({"command": ["bash", "-lc", "ls"]})),
        call("c2", "exec_command", &json!({"cmd": "false"})),
        output("c2", "Exit code: 1\nOutput:\n"),
        output(
            "c1",
            r#"{"output":"a\u001b[0m\n","metadata":{"exit_code":0}}"#,
        ),
        output("c1", "more"),
    ]);
    let [_, first, second] = session.messages.as_slice() else {
        panic!("three rows");
    };
    assert_eq!(first.role, Role::Assistant);
    assert_eq!(first.content, "[Bash]\n$ ls");
    assert_eq!(first.source_type, "function_call");
    let ls = &first.tool_calls[0];
    assert_eq!(ls.tool_use_id.as_ref().unwrap().as_str(), "c1");
    assert_eq!(ls.category, ToolCategory::Bash);
    assert_eq!(ls.input_json, r#"{"command":["bash","-lc","ls"]}"#);
    let results: Vec<_> = ls
        .results
        .iter()
        .map(|result| (result.content.as_str(), result.status.as_str()))
        .collect();
    assert_eq!(results, [("a[0m\n", "ok"), ("more", "")]);
    assert_eq!(second.tool_calls[0].results[0].status, "errored");
    assert_eq!(
        second.tool_calls[0].results[0].source,
        "function_call_output"
    );
}

#[test]
fn a_result_without_its_call_is_kept_in_the_place_of_the_call() {
    let session_without = session(&[user("Look"), output("c1", "found"), assistant("Yes.")]);
    assert_eq!(contents(&session_without), ["Look", "[unknown]", "Yes."]);
    let stand_in = &session_without.messages[1].tool_calls[0];
    assert_eq!(stand_in.results[0].content, "found");
    let session_late = session(&[
        user("Look"),
        output("c1", "found"),
        call("c1", "shell", &json!({"command": "ls"})),
        output("c1", "again"),
    ]);
    assert_eq!(contents(&session_late), ["Look", "[Bash]\n$ ls"]);
    let call = &session_late.messages[1].tool_calls[0];
    assert_eq!(call.tool_name, "shell");
    assert_eq!(call.results.len(), 2);
}

#[test]
fn stable_ids_are_those_of_the_items_and_of_calls() {
    let session = session(&[
        item(json!({"type": "message", "id": "m1", "role": "user", "content": "a"})),
        item(json!({"type": "message", "id": "m1", "role": "assistant", "content": "b"})),
        call("c1", "shell", &json!({})),
        item(json!({"type": "function_call", "id": "f2", "call_id": "c2", "name": "shell"})),
        assistant("c"),
    ]);
    let ids: Vec<_> = session
        .messages
        .iter()
        .map(|row| row.source_uuid.as_ref().map_or("", |id| id.as_str()))
        .collect();
    // An id that occurs twice anchors its first row alone.
    assert_eq!(ids, ["m1", "", "c1", "f2", ""]);
}

#[test]
fn reasoning_summaries_are_the_thinking_of_the_answer_they_led_to() {
    let reasoning = |text: &str| {
        let summary = json!([{"type": "summary_text", "text": text}]);
        item(json!({"type": "reasoning", "summary": summary, "encrypted_content": "x"}))
    };
    let session = session(&[
        user("Look"),
        reasoning("**First**"),
        reasoning("**Second**"),
        call("c1", "shell", &json!({"command": "ls"})),
        item(json!({"type": "reasoning", "summary": [], "content":
            [{"type": "reasoning_text", "text": "plain"}]})),
        assistant("Yes."),
        reasoning("cut off"),
        user("And?"),
    ]);
    assert_eq!(
        contents(&session),
        [
            "Look",
            "[Thinking]\n**First**\n\n**Second**\n[/Thinking]\n[Bash]\n$ ls",
            "[Thinking]\nplain\n[/Thinking]\nYes.",
            "[Thinking]\ncut off\n[/Thinking]",
            "And?",
        ]
    );
    assert_eq!(session.messages[1].thinking_text, "**First**\n\n**Second**");
    assert!(session.messages[3].timestamp.is_some());
}

#[test]
fn a_count_goes_to_the_answer_it_is_for_and_is_taken_once() {
    let tokens = |lines: &[Value]| -> Vec<_> {
        let rows = session(lines).messages;
        rows.iter()
            .map(|row| row.usage.and_then(|usage| usage.output_tokens))
            .collect()
    };
    let after = [
        user("Look"),
        assistant("I will."),
        call("c1", "shell", &json!({})),
        count(10, 5),
        output("c1", "a"),
        count(10, 5),
        assistant("Done."),
        count(20, 6),
    ];
    assert_eq!(tokens(&after), [None, None, Some(5), Some(6)]);
    // Files of 2025 write the count first.
    let before = [
        user("Look"),
        count(10, 5),
        call("c1", "shell", &json!({})),
        output("c1", "a"),
        count(20, 6),
        assistant("Done."),
        user("And?"),
    ];
    assert_eq!(tokens(&before), [None, Some(5), Some(6), None]);
    let unanswered = [user("Look"), count(10, 5), user("And?"), assistant("Yes.")];
    assert_eq!(tokens(&unanswered), [None, None, None]);
}

#[test]
fn the_end_of_a_session_is_told_by_its_calls_and_events() {
    let started = || event("task_started", json!({"turn_id": "t1"}));
    let completed = || event("task_complete", json!({"turn_id": "t1"}));
    let pending = || call("c1", "shell", &json!({}));
    let cases = [
        (vec![user("a"), assistant("b")], None),
        (
            vec![user("a"), pending()],
            Some(Termination::ToolCallPending),
        ),
        (
            vec![
                started(),
                user("a"),
                pending(),
                completed(),
                user("b"),
                assistant("c"),
                completed(),
            ],
            Some(Termination::AwaitingUser),
        ),
        (
            vec![started(), user("a"), assistant("b"), completed()],
            Some(Termination::AwaitingUser),
        ),
        (
            vec![
                started(),
                user("a"),
                assistant("b"),
                completed(),
                assistant("c"),
            ],
            Some(Termination::Clean),
        ),
        (
            vec![started(), user("a")],
            Some(Termination::ToolCallPending),
        ),
        (
            vec![user("a"), event("turn_aborted", json!({}))],
            Some(Termination::ToolCallPending),
        ),
        (
            vec![
                user("a"),
                event("turn_aborted", json!({})),
                user("b"),
                assistant("c"),
            ],
            None,
        ),
    ];
    for (lines, expected) in cases {
        assert_eq!(session(&lines).termination, expected, "{lines:?}");
    }
    let cut = text_of(&[user("a"), pending()]) + "{\"type\":\"resp";
    let file = file_of(cut.as_bytes(), &Nowhere);
    assert_eq!(file.sessions[0].termination, Some(Termination::Truncated));
}

#[test]
fn agents_that_a_call_started_are_linked_and_their_answers_kept() {
    let session = session(&[
        user("Look"),
        call("c1", "spawn_agent", &json!({"message": "Look around"})),
        output("c1", r#"{"agent_id":"a1","nickname":"Ada"}"#),
        call("c2", "wait", &json!({"ids": ["a1"]})),
        output(
            "c2",
            r#"{"status":{"a1":{"completed":"Found it."}},"timed_out":false}"#,
        ),
        user(
            "<subagent_notification>{\"agent_id\":\"a1\",\"status\":\"shutdown\"}</subagent_notification>",
        ),
        call("c3", "spawn_agent", &json!({"message": "Again"})),
        event(
            "collab_agent_spawn_end",
            json!({"call_id": "c3", "new_thread_id": "a3"}),
        ),
        user(
            "<subagent_notification>{\"agent_id\":\"a9\",\"status\":{\"errored\":\"No.\"}}</subagent_notification>",
        ),
    ]);
    let linked: Vec<_> = session
        .messages
        .iter()
        .flat_map(|row| &row.tool_calls)
        .map(|call| {
            let agent = call.subagent_session_id.as_ref();
            (call.tool_name.as_str(), agent.map_or("", |id| id.as_str()))
        })
        .collect();
    assert_eq!(
        linked,
        [
            ("spawn_agent", "codex:a1"),
            ("wait", "codex:a1"),
            ("spawn_agent", "codex:a3"),
            ("spawn_agent", "codex:a9"),
        ]
    );
    assert_eq!(session.messages[1].content, "[Task: Look around]");
    let spawned = &session.messages[1].tool_calls[0].results;
    assert_eq!(spawned.len(), 2);
    assert_eq!(
        (spawned[1].status.as_str(), spawned[1].agent_id.as_str()),
        ("shutdown", "a1")
    );
    let waited = &session.messages[2].tool_calls[0].results[0];
    assert_eq!(
        (waited.status.as_str(), waited.content.as_str()),
        ("completed", "Found it.")
    );
    assert_eq!(session.messages[4].tool_calls[0].results[0].content, "No.");
    assert_eq!(session.user_messages().count(), 1);
}

#[test]
fn summaries_and_messages_of_other_agents_are_system_rows() {
    let session = session(&[
        item(
            json!({"type": "agent_message", "author": "/root", "recipient": "/root/a",
                    "content": [{"type": "input_text", "text": "Look around"}]}),
        ),
        line(
            "compacted",
            json!({"message": "So far: nothing.", "replacement_history": []}),
        ),
        line("compacted", json!({"message": ""})),
    ]);
    assert_eq!(
        contents(&session),
        ["[Message from /root]\nLook around", "So far: nothing."]
    );
    assert!(session.messages.iter().all(|row| row.is_system));
    assert!(session.messages[1].is_compact_boundary);
    assert_eq!(session.user_messages().count(), 0);
}

#[test]
fn a_thread_is_named_by_its_own_events() {
    let named = |id: &str, name: &str| {
        event(
            "thread_name_updated",
            json!({"thread_id": id, "thread_name": name}),
        )
    };
    let meta = line("session_meta", json!({"id": "n1"}));
    let session = session(&[meta, named("n1", " Mine "), named("n0", "Another's")]);
    assert_eq!(session.name, "Mine");
}

#[test]
fn a_prompt_that_programs_send_makes_a_session_automated() {
    let prompt = || user("Write a commit message for this change.");
    assert!(session(&[prompt(), assistant("Fix it")]).is_automated);
    assert!(!session(&[prompt(), assistant("Fix it"), user("Shorter")]).is_automated);
    let run = line("session_meta", json!({"id": "n1", "source": "exec"}));
    assert!(!session(&[run, user("Fix the tests.")]).is_automated);
}
