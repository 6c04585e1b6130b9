//! What whole files become. Rows are written as `ordinal role[subtype] content`.

use std::path::{Path, PathBuf};

use recall_core::SourceUuid;

use super::*;
use crate::{Feeder, Nowhere, ParsedFile, ParsedToolCall};

fn file_at(path: &str, surroundings: &dyn Surroundings, lines: &[&str]) -> ParsedFile {
    let source = SourceFile::new(path);
    let mut feeder = Feeder::new(Agent::Claude.parser(&source, surroundings));
    for line in lines {
        feeder.feed(line.as_bytes());
        feeder.feed(b"\n");
    }
    feeder.finish()
}

fn session(lines: &[&str]) -> ParsedSession {
    let mut sessions = file_at("-srv-code-my-app/s1.jsonl", &Nowhere, lines).sessions;
    assert_eq!(sessions.len(), 1);
    sessions.remove(0)
}

fn rows(session: &ParsedSession) -> Vec<String> {
    let row = |message: &ParsedMessage| {
        let ordinal = message.ordinal;
        let role = message.role.as_str();
        let content = message.content.replace('\n', " / ");
        match message.source_subtype.as_str() {
            "" => format!("{ordinal} {role} {content}"),
            kind => format!("{ordinal} {role}[{kind}] {content}"),
        }
    };
    session.messages.iter().map(row).collect()
}

fn calls(session: &ParsedSession) -> Vec<&ParsedToolCall> {
    session
        .messages
        .iter()
        .flat_map(|message| &message.tool_calls)
        .collect()
}

const PROMPT: &str = r#"{"type":"user","uuid":"u1","sessionId":"s1","timestamp":"2026-03-04T10:00:00Z","cwd":"/srv/code/my-app","gitBranch":"main","version":"2.1.0","message":{"role":"user","content":"Look."}}"#;
const CALL: &str = r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","requestId":"r1","timestamp":"2026-03-04T10:00:10Z","message":{"id":"m1","model":"opus","content":[{"type":"tool_use","id":"t1","name":"Task","input":{"description":"Search"}}],"usage":{"input_tokens":5,"cache_read_input_tokens":7,"output_tokens":3}}}"#;
const RESULT: &str = r#"{"type":"user","uuid":"u2","parentUuid":"a1","timestamp":"2026-03-04T10:00:20Z","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"found"}]}]}}"#;
const DONE: &str = r#"{"type":"assistant","uuid":"a2","parentUuid":"u2","requestId":"r2","timestamp":"2026-03-04T10:00:30Z","message":{"id":"m2","model":"opus","content":[{"type":"text","text":"Done."}],"stop_reason":"end_turn","usage":{"output_tokens":4}}}"#;

#[test]
fn results_go_to_their_calls_and_leave_a_gap() {
    let session = session(&[PROMPT, CALL, RESULT, DONE]);
    assert_eq!(
        rows(&session),
        [
            "0 user Look.",
            "1 assistant [Task: Search]",
            "3 assistant Done."
        ]
    );
    let [call] = calls(&session)[..] else {
        panic!("one call")
    };
    assert_eq!(call.results[0].content, "found");
    assert_eq!(call.results[0].status, "ok");
    assert_eq!(
        call.results[0].timestamp,
        "2026-03-04T10:00:20Z".parse().ok()
    );
}

#[test]
fn a_session_tells_where_and_when_it_took_place() {
    let snapshot =
        r#"{"type":"file-history-snapshot","snapshot":{"timestamp":"2026-03-04T09:00:00Z"}}"#;
    let late = r#"{"type":"system","subtype":"turn_duration","timestamp":"2026-03-04 11:00:00"}"#;
    let session = session(&[snapshot, PROMPT, CALL, late, "{\"timestamp\":\"soon\"}"]);
    assert_eq!(session.id.as_str(), "s1");
    assert_eq!(session.source_session_id, "s1");
    assert_eq!(session.parent, None);
    assert_eq!(session.project, "my_app");
    assert_eq!(session.cwd, "/srv/code/my-app");
    assert_eq!(session.git_branch, "main");
    assert_eq!(session.source_version, "2.1.0");
    assert_eq!(session.started_at, "2026-03-04T09:00:00Z".parse().ok());
    assert_eq!(session.ended_at, "2026-03-04T11:00:00Z".parse().ok());
}

#[test]
fn a_row_keeps_every_stable_id() {
    let session = session(&[PROMPT, CALL]);
    let row = &session.messages[1];
    assert_eq!(row.source_uuid.as_ref().unwrap().as_str(), "a1");
    assert_eq!(row.source_parent_uuid, "u1");
    assert_eq!(row.provider_message_id, "m1");
    assert_eq!(row.provider_request_id, "r1");
    assert_eq!(row.model, "opus");
    assert_eq!(row.usage.unwrap().context_tokens(), Some(12));
}

#[test]
fn usage_of_an_answer_in_several_rows_counts_once_and_at_its_end() {
    let more = CALL
        .replace("\"t1\"", "\"t2\"")
        .replace("\"output_tokens\":3", "\"output_tokens\":9");
    let session = session(&[PROMPT, CALL, RESULT, &more]);
    let output: Vec<_> = session
        .messages
        .iter()
        .map(|m| m.usage.and_then(|u| u.output_tokens))
        .collect();
    assert_eq!(output, [None, None, Some(9)]);
}

#[test]
fn how_a_recording_ends() {
    let ended = |lines: &[&str]| session(lines).termination;
    assert_eq!(ended(&[PROMPT]), None);
    assert_eq!(ended(&[PROMPT, CALL]), Some(Termination::ToolCallPending));
    assert_eq!(ended(&[PROMPT, CALL, RESULT]), Some(Termination::Clean));
    assert_eq!(
        ended(&[PROMPT, CALL, RESULT, DONE]),
        Some(Termination::AwaitingUser)
    );
    assert_eq!(
        ended(&[PROMPT, CALL, RESULT, DONE, PROMPT]),
        Some(Termination::Clean)
    );
    let source = SourceFile::new("p/s1.jsonl");
    let mut feeder = Feeder::new(Agent::Claude.parser(&source, &Nowhere));
    feeder.feed(format!("{PROMPT}\n{CALL}\n{{\"type\":").as_bytes());
    let file = feeder.finish();
    assert_eq!(file.sessions[0].termination, Some(Termination::Truncated));
}

#[test]
fn lines_for_the_model_alone_are_no_rows() {
    let meta =
        r#"{"type":"user","uuid":"x","isMeta":true,"message":{"content":"Mind the skill."}}"#;
    let output = r#"{"type":"user","uuid":"y","message":{"content":"<local-command-stdout>x</local-command-stdout>"}}"#;
    assert_eq!(rows(&session(&[meta, PROMPT, output])), ["0 user Look."]);
}

#[test]
fn a_compaction_is_a_system_row_of_the_assistant() {
    let summary = r#"{"type":"user","uuid":"x","isCompactSummary":true,"message":{"content":"This session is being continued. So far: all."}}"#;
    let session = session(&[PROMPT, summary]);
    let row = &session.messages[1];
    assert!(row.is_system && row.is_compact_boundary);
    assert_eq!(
        rows(&session)[1],
        "1 assistant[compact_summary] This session is being continued. So far: all."
    );
}

#[test]
fn an_editor_context_row_has_an_id_of_its_own() {
    let line = r#"{"type":"user","uuid":"x","message":{"content":[{"type":"text","text":"<ide_opened_file>a.rs</ide_opened_file>"},{"type":"text","text":"Why?"}]}}"#;
    let session = session(&[line]);
    let ids: Vec<_> = session
        .messages
        .iter()
        .flat_map(|m| &m.source_uuid)
        .map(SourceUuid::as_str)
        .collect();
    assert_eq!(ids, ["x:ide-context", "x"]);
    assert_eq!(
        rows(&session),
        [
            "0 user[ide_opened_file] <ide_opened_file>a.rs</ide_opened_file>",
            "1 user Why?"
        ]
    );
}

#[test]
fn a_queued_prompt_comes_at_its_time_but_not_into_an_answer() {
    let queued = r#"{"type":"attachment","timestamp":"2026-03-04T10:00:15Z","attachment":{"type":"queued_command","prompt":"Also b."}}"#;
    let more = r#"{"type":"assistant","uuid":"a1b","timestamp":"2026-03-04T10:00:18Z","message":{"id":"m1","content":[{"type":"text","text":"Searching."}]}}"#;
    let other = r#"{"type":"attachment","timestamp":"2026-03-04T10:00:15Z","attachment":{"type":"new_file","prompt":"No."}}"#;
    let session = session(&[PROMPT, CALL, more, RESULT, DONE, queued, other]);
    assert_eq!(
        rows(&session),
        [
            "0 user Look.",
            "1 assistant [Task: Search] / Searching.",
            "2 user Also b.",
            "4 assistant Done."
        ]
    );
}

#[test]
fn calls_that_ran_at_the_same_time_stay_in_one_session() {
    let second = r#"{"type":"assistant","uuid":"a1b","parentUuid":"a1","message":{"id":"m1","content":[{"type":"tool_use","id":"t2","name":"Read","input":{"file_path":"/a"}}]}}"#;
    let its_result = r#"{"type":"user","uuid":"u2b","parentUuid":"a1b","message":{"content":[{"type":"tool_result","tool_use_id":"t2","content":"text","is_error":true}]}}"#;
    let root = PROMPT.replace("\"uuid\"", "\"parentUuid\":null,\"uuid\"");
    let session = session(&[&root, CALL, second, RESULT, its_result, DONE]);
    assert_eq!(
        rows(&session),
        [
            "0 user Look.",
            "1 assistant [Task: Search] / [Read: /a]",
            "4 assistant Done."
        ]
    );
    let results: Vec<_> = calls(&session)
        .iter()
        .map(|call| call.results[0].status.as_str())
        .collect();
    assert_eq!(results, ["ok", "errored"]);
}

#[test]
fn a_conversation_that_was_left_late_is_the_parent_of_its_fork() {
    let turn = |uuid: &str, parent: &str, text: &str| {
        format!(
            r#"{{"type":"user","uuid":"{uuid}","parentUuid":"{parent}","timestamp":"2026-03-04T10:00:00Z","message":{{"content":"{text}"}}}}"#
        )
    };
    let lines = [
        turn("1", "", "a"),
        turn("2", "1", "b"),
        turn("3", "2", "c"),
        turn("4", "3", "d"),
        turn("5", "4", "e"),
        turn("6", "1", "other"),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let sessions = file_at("p/s1.jsonl", &Nowhere, &lines).sessions;
    let [main, fork] = sessions.as_slice() else {
        panic!("two sessions")
    };
    assert_eq!(main.messages.len(), 5);
    assert_eq!(rows(fork), ["0 user other"]);
    assert_eq!(fork.id.as_str(), "s1-6");
    assert_eq!(fork.parent, Some((main.id.clone(), Relationship::Fork)));
}

#[test]
fn the_agent_of_a_call_is_known_from_its_result_its_progress_or_a_notice() {
    let agent = |lines: &[&str]| {
        let session = session(lines);
        calls(&session)[0]
            .subagent_session_id
            .clone()
            .map(|id| id.to_string())
    };
    let result = RESULT.replace(
        "\"message\"",
        "\"toolUseResult\":{\"agentId\":\"r9\",\"x\":[{}]},\"message\"",
    );
    let progress = r#"{"type":"progress","parentToolUseID":"t1","data":{"type":"agent_progress","agentId":"p9","message":{"a":[1]}}}"#;
    let queued = r#"{"type":"queue-operation","operation":"enqueue","content":"{\"task_id\":\"q9\",\"tool_use_id\":\"t1\"}"}"#;
    let notice = r#"{"type":"user","uuid":"n","message":{"content":"<task-notification><task-id>n9</task-id><tool-use-id>t1</tool-use-id></task-notification>"}}"#;
    assert_eq!(agent(&[PROMPT, CALL, RESULT]), None);
    assert_eq!(
        agent(&[PROMPT, CALL, progress, &result]).as_deref(),
        Some("agent-r9")
    );
    assert_eq!(
        agent(&[PROMPT, CALL, progress]).as_deref(),
        Some("agent-p9")
    );
    assert_eq!(agent(&[queued, PROMPT, CALL]).as_deref(), Some("agent-q9"));
    assert_eq!(agent(&[PROMPT, CALL, notice]).as_deref(), Some("agent-n9"));
    let command = CALL.replace("Task", "Bash");
    assert_eq!(agent(&[PROMPT, &command, notice]), None);
}

#[test]
fn a_session_hangs_on_its_folder_or_on_whose_lines_it_begins_with() {
    let parent = |path: &str, lines: &[&str]| {
        let file = file_at(path, &Nowhere, lines);
        let (id, relationship) = file.sessions[0].parent.clone()?;
        Some(format!("{} {id}", relationship.as_str()))
    };
    let continued = [PROMPT, r#"{"sessionId":"s2"}"#];
    assert_eq!(
        parent("p/s2.jsonl", &continued).as_deref(),
        Some("continuation s1")
    );
    assert_eq!(parent("p/s1.jsonl", &continued), None);
    let below = "p/s0/subagents/deep/agent-x.jsonl";
    assert_eq!(parent(below, &[PROMPT]).as_deref(), Some("subagent s0"));
    assert_eq!(
        parent("p/agent-x.jsonl", &[PROMPT]).as_deref(),
        Some("subagent s1")
    );
}

/// A machine with one saved output and one other session.
struct Machine(&'static str);

impl Surroundings for Machine {
    fn repository_root(&self, _cwd: &str) -> Option<PathBuf> {
        None
    }
    fn saved_output(&self, path: &Path) -> Option<String> {
        (path == Path::new("/s/tool-results/t1.txt")).then(|| "all of\u{1b} it".to_owned())
    }
    fn session_file(&self, native_id: &str) -> Option<Vec<u8>> {
        (native_id == "s1").then(|| self.0.as_bytes().to_vec())
    }
}

#[test]
fn saved_output_takes_the_place_of_its_note() {
    let noted = RESULT.replace(
        "found",
        "<persisted-output>\\nOutput too large. Full output saved to: /s/tool-results/t1.txt",
    );
    let file = file_at("p/s1.jsonl", &Machine(""), &[PROMPT, CALL, &noted]);
    assert_eq!(calls(&file.sessions[0])[0].results[0].content, "all of it");
}

#[test]
fn a_background_session_leaves_out_what_it_copied() {
    let started = PROMPT.replace("\"type\"", "\"sessionKind\":\"bg\",\"type\"");
    let read = |started: &str, other| {
        let file = file_at("p/s9.jsonl", &Machine(other), &[started, DONE]);
        rows(&file.sessions[0])
    };
    assert_eq!(read(&started, PROMPT), ["0 assistant Done."]);
    let both = ["0 user Look.", "1 assistant Done."];
    assert_eq!(read(PROMPT, PROMPT), both, "no background session");
    assert_eq!(read(&started, DONE), both, "no common prefix");
    let all = "{\"type\":\"user\",\"uuid\":\"u1\"}\n{\"type\":\"assistant\",\"uuid\":\"a2\"}";
    assert_eq!(read(&started, all), both, "nothing of its own");
}

#[test]
fn a_session_that_only_looks_up_the_limits_is_dropped() {
    let usage =
        r#"{"type":"user","uuid":"u","message":{"content":"<command-name>/usage</command-name>"}}"#;
    assert!(
        file_at("p/s1.jsonl", &Nowhere, &[usage])
            .sessions
            .is_empty()
    );
    assert_eq!(session(&[usage, PROMPT]).messages.len(), 2);
    assert!(
        file_at("p/s1.jsonl", &Nowhere, &["{\"type\":\"summary\"}"])
            .sessions
            .is_empty()
    );
}

#[test]
fn a_rename_names_the_session() {
    let rename = r#"{"type":"system","subtype":"local_command","content":"<command-name>/rename</command-name><command-args>Big hunt</command-args>"}"#;
    assert_eq!(session(&[PROMPT, rename]).name, "Big hunt");
}

#[test]
fn a_field_of_the_wrong_type_costs_nothing_else() {
    let odd = r#"{"type":"user","uuid":7,"parentUuid":[],"timestamp":{},"isMeta":"no","isSidechain":1,"cwd":-1,"gitBranch":1.5,"toolUseResult":[{"agentId":1}],"attachment":0,"snapshot":"x","data":[],"message":{"id":{},"usage":"much","content":[1,"x",null,{"type":"text","text":"Still here."},{"type":"tool_result","tool_use_id":3,"content":7}]}}"#;
    let file = file_at(
        "p/s1.jsonl",
        &Nowhere,
        &[odd, "42", "[1]", "\"x\"", "null", "{oops"],
    );
    assert_eq!(rows(&file.sessions[0]), ["0 user Still here."]);
    assert_eq!(file.malformed_lines, 1);
    let half = r#"{"type":"user","uuid":"u","uuid":"v","message":{"content":"cut \ud83d"}}"#;
    let file = file_at("p/s1.jsonl", &Nowhere, &[half]);
    assert_eq!(rows(&file.sessions[0]), ["0 user cut \u{fffd}"]);
    assert_eq!(file.malformed_lines, 0);
}

#[test]
fn a_line_of_any_depth_is_read() {
    let deep = "[".repeat(5000) + &"]".repeat(5000);
    let line = format!(
        r#"{{"type":"user","uuid":"u","toolUseResult":{deep},"data":{{"x":{deep}}},"message":{{"content":[{{"type":"text","text":"Deep.","content":{deep},"input":{deep}}}]}}}}"#
    );
    assert_eq!(rows(&session(&[&line])), ["0 user Deep."]);
}

mod properties {
    use proptest::prelude::*;

    use super::*;

    fn any_value() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<f64>().prop_map(Into::into),
            ".{0,12}".prop_map(Into::into),
            prop::sample::select(vec![
                "user",
                "assistant",
                "text",
                "tool_use",
                "tool_result",
                "thinking",
                "u1",
                "t1",
                "<ide_selection>",
                "</ide_selection>",
                "<command-name>",
                "<system-reminder>",
                "2026-03-04T10:00:00Z",
                "end_turn",
                "queued_command",
                "agent_progress",
            ])
            .prop_map(Into::into),
        ];
        let key = prop::sample::select(vec![
            "type",
            "uuid",
            "parentUuid",
            "message",
            "content",
            "id",
            "text",
            "input",
            "name",
            "tool_use_id",
            "usage",
            "timestamp",
            "attachment",
            "prompt",
            "toolUseResult",
            "agentId",
            "data",
            "snapshot",
            "isCompactSummary",
            "stop_reason",
        ]);
        leaf.prop_recursive(4, 32, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
                prop::collection::vec((key.clone(), inner), 0..8).prop_map(|fields| {
                    let fields = fields
                        .into_iter()
                        .map(|(key, value)| (key.to_owned(), value));
                    serde_json::Value::Object(fields.collect())
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let source = SourceFile::new("p/s1.jsonl");
            let mut feeder = Feeder::new(Agent::Claude.parser(&source, &Nowhere));
            feeder.feed(&bytes);
            feeder.finish();
        }

        #[test]
        fn damaged_lines_never_make_it_panic(
            line in prop::sample::select(vec![PROMPT, CALL, RESULT, DONE]),
            at in any::<prop::sample::Index>(),
            byte in any::<u8>(),
        ) {
            let mut bytes = line.as_bytes().to_vec();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            let source = SourceFile::new("p/s1.jsonl");
            let mut feeder = Feeder::new(Agent::Claude.parser(&source, &Nowhere));
            feeder.feed(&bytes);
            feeder.feed(b"\n");
            feeder.finish();
        }

        #[test]
        fn any_json_is_read_without_panic_and_gives_rising_ordinals(
            values in prop::collection::vec(any_value(), 0..12),
        ) {
            let lines: Vec<String> = values.iter().map(ToString::to_string).collect();
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let file = file_at("p/s1.jsonl", &Nowhere, &lines);
            prop_assert_eq!(file.malformed_lines, 0);
            for session in file.sessions {
                let ordinals: Vec<_> = session.messages.iter().map(|m| m.ordinal).collect();
                prop_assert!(ordinals.is_sorted_by(|a, b| a < b));
            }
        }
    }
}
