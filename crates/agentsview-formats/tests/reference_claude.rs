//! Compares what the parser makes of real session files with what another program made of them,
//! and reads the golden sessions.
//!
//! The corpus lies beside the repository and is no part of it; without it these tests say so and
//! pass. Every difference must be in [`WANTED`], and every row of it must still occur.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "every function of this file serves its tests"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agentsview_formats::{
    Agent, Feeder, Nowhere, ParsedFile, ParsedSession, SourceFile, Termination,
};
use recall_core::{Role, Timestamp};
use serde_json::{Value, json};

/// A difference that is meant to be.
struct Wanted {
    file: &'static str,
    field: &'static str,
    ours: &'static str,
    theirs: &'static str,
    why: &'static str,
}

/// The same table is part of `docs/formats.md`. A text that ends in `…` is the start of the value.
const WANTED: &[Wanted] = &[
    Wanted {
        file: "edge_cases.jsonl",
        field: "tool_call_categories",
        ours: r#"{"Edit":1,"Other":1,"Tool":1}"#,
        theirs: r#"{"Other":2,"Tool":1}"#,
        why: "MultiEdit changes a file",
    },
    Wanted {
        file: "5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl",
        field: "tool_call_categories",
        ours: r#"{"Bash":5,"Edit":2,"Glob":3,"Read":3,"Task":3,"Tool":5}"#,
        theirs: r#"{"Bash":5,"Edit":1,"Glob":3,"Other":1,"Read":3,"Task":3,"Tool":5}"#,
        why: "MultiEdit changes a file",
    },
    Wanted {
        file: "5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl",
        field: "first_message",
        ours: r#""/orchestrator …""#,
        theirs: r#""Examine the package.json …""#,
        why: "a command with arguments says what was asked; the other text was written by the agent",
    },
    Wanted {
        file: "127e9cd1-0deb-4a7c-ba1a-ba4ecd375b90.jsonl",
        field: "is_automated",
        ours: "0",
        theirs: "1",
        why: "a person accepted the plan",
    },
    Wanted {
        file: "8c816805-24e2-4871-ac94-e97ce23993c1.jsonl",
        field: "is_automated",
        ours: "0",
        theirs: "1",
        why: "a person accepted the plan",
    },
    Wanted {
        file: "e4d2c72e-cd24-427e-a02f-360e7a284090.jsonl",
        field: "is_automated",
        ours: "0",
        theirs: "1",
        why: "a person accepted the plan",
    },
    Wanted {
        file: "69847031-200c-4c30-baad-1ab1aab0c8ab.jsonl",
        field: "project",
        ours: r#""cli""#,
        theirs: r#""3""#,
        why: "a worktree inside its repository is no project of its own",
    },
    Wanted {
        file: "127e9cd1-0deb-4a7c-ba1a-ba4ecd375b90.jsonl",
        field: "total_output_tokens",
        ours: "8050",
        theirs: "8182",
        why: "an answer that several rows report is counted once",
    },
    Wanted {
        file: "69847031-200c-4c30-baad-1ab1aab0c8ab.jsonl",
        field: "total_output_tokens",
        ours: "2132",
        theirs: "2190",
        why: "an answer that several rows report is counted once",
    },
    Wanted {
        file: "8c816805-24e2-4871-ac94-e97ce23993c1.jsonl",
        field: "total_output_tokens",
        ours: "1132",
        theirs: "1134",
        why: "an answer that several rows report is counted once",
    },
    Wanted {
        file: "e4d2c72e-cd24-427e-a02f-360e7a284090.jsonl",
        field: "total_output_tokens",
        ours: "574",
        theirs: "580",
        why: "an answer that several rows report is counted once",
    },
    Wanted {
        file: "258c7280-ae70-4798-800f-63464d01a85d.jsonl",
        field: "total_output_tokens",
        ours: "38899",
        theirs: "39176",
        why: "an answer that several rows report is counted once",
    },
    Wanted {
        file: "tool_heavy.jsonl",
        field: "total_output_tokens",
        ours: "212",
        theirs: "237",
        why: "an answer that several rows report is counted once",
    },
];

/// The corpus' folder of that name, if it is there.
fn corpus(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared")
        .join(name);
    if !folder.exists() {
        println!("skipped: no corpus at {}", folder.display());
        return None;
    }
    Some(folder)
}

fn parsed(root: &Path, relative: &Path) -> ParsedFile {
    let source = SourceFile::new(relative);
    let mut feeder = Feeder::new(Agent::Claude.parser(&source, &Nowhere));
    let bytes = std::fs::read(root.join(relative)).unwrap();
    for chunk in bytes.chunks(64 * 1024) {
        feeder.feed(chunk);
    }
    feeder.finish()
}

fn facts(file: &ParsedFile, session: &ParsedSession) -> BTreeMap<&'static str, Value> {
    let messages = &session.messages;
    let calls: Vec<_> = messages.iter().flat_map(|m| &m.tool_calls).collect();
    let mut roles: BTreeMap<&str, u64> = BTreeMap::new();
    for message in messages {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
            _ => "other",
        };
        *roles.entry(role).or_default() += 1;
    }
    let mut categories: BTreeMap<&str, u64> = BTreeMap::new();
    for call in &calls {
        *categories.entry(call.category.as_str()).or_default() += 1;
    }
    let usages = || messages.iter().filter_map(|m| m.usage);
    let output: u64 = usages().filter_map(|u| u.output_tokens).sum();
    let peak = usages()
        .filter_map(|u| u.context_tokens())
        .max()
        .unwrap_or(0);
    let time = |time: Option<Timestamp>| json!(time.map(Timestamp::as_millisecond));
    let parent = session.parent.as_ref();
    BTreeMap::from([
        ("session_id", json!(session.id.as_str())),
        ("project", json!(session.project)),
        ("cwd", json!(session.cwd)),
        ("git_branch", json!(session.git_branch)),
        ("source_session_id", json!(session.source_session_id)),
        ("source_version", json!(session.source_version)),
        ("parent_session_id", json!(parent.map(|p| p.0.as_str()))),
        ("relationship", json!(parent.map_or("", |p| p.1.as_str()))),
        ("started_at", time(session.started_at)),
        ("ended_at", time(session.ended_at)),
        ("message_count", json!(messages.len())),
        ("user_message_count", json!(session.user_messages().count())),
        ("roles", json!(roles)),
        (
            "system_messages",
            json!(messages.iter().filter(|m| m.is_system).count()),
        ),
        (
            "thinking_messages",
            json!(
                messages
                    .iter()
                    .filter(|m| !m.thinking_text.is_empty())
                    .count()
            ),
        ),
        (
            "compact_boundaries",
            json!(messages.iter().filter(|m| m.is_compact_boundary).count()),
        ),
        (
            "messages_with_source_uuid",
            json!(messages.iter().filter(|m| m.source_uuid.is_some()).count()),
        ),
        ("tool_calls", json!(calls.len())),
        ("tool_call_categories", json!(categories)),
        (
            "tool_result_events",
            json!(calls.iter().map(|c| c.results.len()).sum::<usize>()),
        ),
        (
            "subagent_links",
            json!(
                calls
                    .iter()
                    .filter(|c| c.subagent_session_id.is_some())
                    .count()
            ),
        ),
        ("total_output_tokens", json!(output)),
        ("peak_context_tokens", json!(peak)),
        ("malformed_lines", json!(file.malformed_lines)),
        ("is_truncated", json!(u8::from(file.is_truncated))),
        ("is_automated", json!(u8::from(session.is_automated))),
        (
            "termination_status",
            json!(session.termination.map(Termination::as_str)),
        ),
        ("first_message", json!(session.first_message())),
        (
            "session_name",
            json!(Some(&session.name).filter(|n| !n.is_empty())),
        ),
    ])
}

/// Their value in the shape of ours.
fn their_value(field: &str, value: &Value, ours: &Value) -> Value {
    match (field, value, ours) {
        ("started_at" | "ended_at", Value::String(time), _) => {
            json!(time.parse::<Timestamp>().unwrap().as_millisecond())
        }
        // They report the start of it alone.
        ("first_message", Value::String(theirs), Value::String(ours)) => {
            let shared = !theirs.is_empty() && ours.starts_with(theirs.as_str());
            json!(if shared { ours } else { theirs })
        }
        ("first_message", Value::Null, _) => json!(""),
        _ => value.clone(),
    }
}

fn is_as_told(value: &str, told: &str) -> bool {
    match told.strip_suffix("…\"") {
        Some(start) => value.starts_with(start),
        None => value == told,
    }
}

#[test]
fn wanted_differences_are_documented() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let page = std::fs::read_to_string(page).unwrap();
    for Wanted {
        file,
        field,
        ours,
        theirs,
        why,
    } in WANTED
    {
        let row = format!("| {file} | {field} | `{ours}` | `{theirs}` | {why} |");
        assert!(page.contains(&row), "missing in docs/formats.md: {row}");
    }
}

#[test]
fn real_sessions_are_read_as_another_program_reads_them_save_for_wanted_differences() {
    let Some(root) = corpus("sessions") else {
        return;
    };
    let reference = std::fs::read(root.join("reference.json")).unwrap();
    let reference: Value = serde_json::from_slice(&reference).unwrap();
    let mut differences = Vec::new();
    let mut compared = 0;
    for entry in reference["files"].as_array().unwrap() {
        if entry["agent"] != "claude" {
            continue;
        }
        let path = entry["file"].as_str().unwrap();
        let relative = path.strip_prefix("claude/").unwrap();
        let file = parsed(&root.join("claude"), Path::new(relative));
        let theirs = entry["sessions"].as_array().unwrap();
        assert_eq!(file.sessions.len(), theirs.len(), "{path}");
        for (session, theirs) in file.sessions.iter().zip(theirs) {
            compared += 1;
            for (field, ours) in facts(&file, session) {
                let theirs = their_value(field, &theirs[field], &ours);
                if ours != theirs {
                    differences.push((
                        relative.to_owned(),
                        field,
                        ours.to_string(),
                        theirs.to_string(),
                    ));
                }
            }
        }
    }
    assert!(compared > 20, "only {compared} sessions compared");
    let wanted = |(file, field, ours, theirs): &(String, &str, String, String)| {
        WANTED.iter().any(|w| {
            file.ends_with(w.file)
                && *field == w.field
                && is_as_told(ours, w.ours)
                && is_as_told(theirs, w.theirs)
        })
    };
    let unwanted: Vec<_> = differences.iter().filter(|d| !wanted(d)).collect();
    assert!(unwanted.is_empty(), "differences: {unwanted:#?}");
    assert_eq!(
        differences.len(),
        WANTED.len(),
        "wanted differences that do not occur any more"
    );
}

#[test]
fn a_file_that_was_rewritten_counts_as_what_it_holds_now() {
    let Some(root) = corpus("sessions/series") else {
        return;
    };
    let rewritten = "198393f2-22db-477b-ac77-1825bea883ae.jsonl";
    let appended = "768de5d6-9fad-475b-8a4f-dfa7ddc01bb0.jsonl";
    let steps = [
        ("claude-growth/00", appended, 4, 2),
        ("claude-growth/01", appended, 22, 16),
        ("claude-growth/02", appended, 30, 22),
        ("claude-growth/03", appended, 35, 25),
        ("claude-growth-198393f2/00", rewritten, 47, 44),
        ("claude-growth-198393f2/01", rewritten, 23, 17),
        ("claude-growth-198393f2/05", rewritten, 59, 55),
    ];
    for (step, name, rows, calls) in steps {
        let file = parsed(&root.join(step), Path::new(name));
        let session = &file.sessions[0];
        let found: usize = session.messages.iter().map(|m| m.tool_calls.len()).sum();
        assert_eq!((session.messages.len(), found), (rows, calls), "{step}");
    }
}

#[test]
fn golden_sessions_have_two_rows_an_entry_and_the_tool_uses_that_evidence_names() {
    let Some(root) = corpus("golden") else { return };
    let mut sessions: BTreeMap<String, ParsedSession> = BTreeMap::new();
    for folder in std::fs::read_dir(root.join("sessions")).unwrap() {
        for path in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = path.unwrap().path();
            let relative = path.strip_prefix(root.join("sessions")).unwrap();
            let file = parsed(&root.join("sessions"), relative);
            let [session] = file.sessions.as_slice() else {
                panic!("one session expected in {}", path.display());
            };
            let project = relative.iter().next().unwrap().to_str().unwrap();
            assert_eq!(session.project, project);
            sessions.insert(session.id.as_str().to_owned(), session.clone());
        }
    }
    assert_eq!(sessions.len(), 20);
    let rows: usize = sessions
        .values()
        .map(|session| session.messages.len())
        .sum();
    let mut entries = 0;
    for line in std::fs::read_to_string(root.join("corpus.jsonl"))
        .unwrap()
        .lines()
    {
        let entry: Value = serde_json::from_str(line).unwrap();
        entries += 1;
        let session = &sessions[entry["session_id"].as_str().unwrap()];
        let evidence = &entry["evidence"];
        let range =
            evidence["ordinal_start"].as_u64().unwrap()..=evidence["ordinal_end"].as_u64().unwrap();
        let cited: Vec<_> = session
            .messages
            .iter()
            .filter(|message| range.contains(&u64::from(message.ordinal.get())))
            .collect();
        assert_eq!(cited.len(), 2, "{entry}");
        for id in evidence["tool_use_ids"].as_array().into_iter().flatten() {
            let is_cited = cited
                .iter()
                .flat_map(|message| &message.tool_calls)
                .any(|call| {
                    call.tool_use_id
                        .as_ref()
                        .is_some_and(|own| own.as_str() == id)
                });
            assert!(is_cited, "{id}");
        }
        for snippet in evidence["snippets"].as_array().into_iter().flatten() {
            let is_cited = cited
                .iter()
                .any(|m| m.content.contains(snippet.as_str().unwrap()));
            assert!(is_cited, "{snippet}");
        }
    }
    assert_eq!(rows, 2 * entries);
}
