//! Compares what is made of real Codex files with what another archive made of them.
//!
//! The files are too large to keep beside the code; without them the test says so and passes. Each
//! difference is wanted, and `docs/formats.md` says why.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agentsview_formats::{Agent, Feeder, Nowhere, ParsedFile, ParsedSession, SourceFile};
use serde_json::{Value, json};

/// A part of the file's path, the field, our value, the other's, and why ours is right.
type Difference = (&'static str, &'static str, Value, Value, &'static str);

fn wanted_differences() -> Vec<Difference> {
    let count = "older files write a count before its answer; none is lost here";
    let no_event = "the interrupted turn was followed by an answered one, of which no event tells";
    let rows = "searches, pictures, summaries and messages of other agents are rows too";
    let early = "a result that comes before its call is kept";
    let link = "the event that tells which agent a call started is read";
    let tokens = |file, ours: u64, theirs: u64| {
        let field = "total_output_tokens";
        (file, field, json!(ours), json!(theirs), count)
    };
    let small = |field, ours, theirs, why| ("agent-sessions-small", field, ours, theirs, why);
    let categories = json!({"Bash": 2, "Other": 2, "Tool": 2});
    vec![
        tokens("01997e76", 99_678, 85_588),
        tokens("0199812e", 8_672, 7_980),
        tokens("019982b8", 6_654, 6_554),
        (
            "01997e76",
            "termination_status",
            Value::Null,
            json!("tool_call_pending"),
            no_event,
        ),
        small("message_count", json!(15), json!(6), rows),
        small(
            "roles",
            json!({"assistant": 12, "user": 3}),
            json!({"assistant": 5, "user": 1}),
            rows,
        ),
        small("system_messages", json!(7), json!(0), rows),
        small("compact_boundaries", json!(5), json!(0), rows),
        small("tool_calls", json!(6), json!(4), rows),
        small(
            "tool_call_categories",
            categories,
            json!({"Bash": 2, "Other": 2}),
            rows,
        ),
        small("tool_result_events", json!(5), json!(4), early),
        small("subagent_links", json!(1), json!(0), link),
    ]
}

fn sessions_folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/sessions");
    folder.join("reference.json").is_file().then_some(folder)
}

fn parsed(path: &str, bytes: &[u8]) -> ParsedFile {
    let source = SourceFile::new(path);
    let mut feeder = Feeder::new(Agent::Codex.parser(&source, &Nowhere));
    feeder.feed(bytes);
    feeder.finish()
}

fn counts<'a>(words: impl Iterator<Item = &'a str>) -> Value {
    let mut counts = BTreeMap::new();
    for word in words {
        *counts.entry(word).or_insert(0) += 1;
    }
    json!(counts)
}

/// The session in the words of the reference.
fn described(file: &ParsedFile, session: &ParsedSession) -> BTreeMap<&'static str, Value> {
    let rows = &session.messages;
    let calls = || rows.iter().flat_map(|row| &row.tool_calls);
    let usages = || rows.iter().filter_map(|row| row.usage);
    let prefix: String = session.first_message().chars().take(120).collect();
    BTreeMap::from([
        ("session_id", json!(session.id.as_str())),
        ("project", json!(session.project)),
        ("cwd", json!(session.cwd)),
        ("git_branch", json!(session.git_branch)),
        (
            "parent_session_id",
            json!(session.parent.as_ref().map(|(id, _)| id.as_str())),
        ),
        (
            "started_at",
            json!(session.started_at.map(|t| t.to_string())),
        ),
        ("ended_at", json!(session.ended_at.map(|t| t.to_string()))),
        ("message_count", json!(rows.len())),
        ("user_message_count", json!(session.user_messages().count())),
        ("roles", counts(rows.iter().map(|row| row.role.as_str()))),
        (
            "system_messages",
            json!(rows.iter().filter(|row| row.is_system).count()),
        ),
        (
            "compact_boundaries",
            json!(rows.iter().filter(|row| row.is_compact_boundary).count()),
        ),
        ("tool_calls", json!(calls().count())),
        (
            "tool_call_categories",
            counts(calls().map(|call| call.category.as_str())),
        ),
        (
            "tool_result_events",
            json!(calls().map(|call| call.results.len()).sum::<usize>()),
        ),
        (
            "subagent_links",
            json!(
                calls()
                    .filter(|call| call.subagent_session_id.is_some())
                    .count()
            ),
        ),
        (
            "total_output_tokens",
            json!(
                usages()
                    .filter_map(|usage| usage.output_tokens)
                    .sum::<u64>()
            ),
        ),
        (
            "peak_context_tokens",
            json!(
                usages()
                    .filter_map(|usage| usage.context_tokens())
                    .max()
                    .unwrap_or(0)
            ),
        ),
        ("malformed_lines", json!(file.malformed_lines)),
        ("is_automated", json!(u8::from(session.is_automated))),
        (
            "termination_status",
            json!(
                session
                    .termination
                    .map(agentsview_formats::Termination::as_str)
            ),
        ),
        ("first_message", json!(prefix)),
        (
            "session_name",
            json!(Some(&session.name).filter(|name| !name.is_empty())),
        ),
    ])
}

/// Times of the reference leave out zeros at the end of the fraction.
fn is_equal(field: &str, ours: &Value, reference: &Value) -> bool {
    if field.ends_with("_at") {
        let time = |value: &Value| {
            let text = value.as_str()?;
            text.parse::<recall_core::Timestamp>().ok()
        };
        return time(ours) == time(reference);
    }
    ours == reference
}

#[test]
fn real_files_yield_what_the_reference_tells_but_for_wanted_differences() {
    let Some(folder) = sessions_folder() else {
        println!("skipped: there are no reference sessions beside the checkout");
        return;
    };
    let reference = std::fs::read(folder.join("reference.json")).unwrap();
    let reference: Value = serde_json::from_slice(&reference).unwrap();
    let mut wanted = wanted_differences();
    let mut unwanted = Vec::new();
    for entry in reference["files"].as_array().unwrap() {
        if entry["agent"] != "codex" {
            continue;
        }
        let path = entry["file"].as_str().unwrap();
        let file = parsed(path, &std::fs::read(folder.join(path)).unwrap());
        let [session] = file.sessions.as_slice() else {
            panic!("{path} holds {} sessions", file.sessions.len());
        };
        for (field, ours) in described(&file, session) {
            let theirs = &entry["sessions"][0][field];
            if is_equal(field, &ours, theirs) {
                continue;
            }
            let known = wanted.iter().position(|(part, name, our, their, _)| {
                path.contains(part) && *name == field && *our == ours && their == theirs
            });
            match known {
                Some(known) => drop(wanted.remove(known)),
                None => unwanted.push(format!("{path}: {field}: ours {ours}, theirs {theirs}")),
            }
        }
    }
    assert!(unwanted.is_empty(), "{}", unwanted.join("\n"));
    assert!(wanted.is_empty(), "no longer different: {wanted:?}");
}

#[test]
fn real_files_yield_versions_thinking_and_stable_ids_that_the_reference_lacks() {
    let Some(folder) = sessions_folder() else {
        println!("skipped: there are no reference sessions beside the checkout");
        return;
    };
    let reference = std::fs::read(folder.join("reference.json")).unwrap();
    let reference: Value = serde_json::from_slice(&reference).unwrap();
    for entry in reference["files"].as_array().unwrap() {
        if entry["agent"] != "codex" {
            continue;
        }
        let theirs = &entry["sessions"][0];
        assert_eq!(theirs["source_version"], "");
        assert_eq!(theirs["thinking_messages"], 0);
        assert_eq!(theirs["messages_with_source_uuid"], 0);
        let path = entry["file"].as_str().unwrap();
        let file = parsed(path, &std::fs::read(folder.join(path)).unwrap());
        let session = &file.sessions[0];
        let rows = || session.messages.iter();
        assert!(!session.source_version.is_empty(), "{path}");
        assert!(rows().any(|row| !row.thinking_text.is_empty()), "{path}");
        assert!(rows().any(|row| row.source_uuid.is_some()), "{path}");
    }
}
