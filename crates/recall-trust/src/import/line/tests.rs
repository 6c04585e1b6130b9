use proptest::prelude::*;
use recall_core::{EntryType, Scope};
use serde_json::{Map, json};

use super::*;
use crate::fixtures::{import_line, now};
use crate::insertion::NewEntry;

/// A good line with some members set to other values.
fn line(changes: Value) -> Vec<u8> {
    let mut line = import_line("c1");
    let members = line.as_object_mut().unwrap();
    let Value::Object(changes) = changes else {
        panic!("changes are members");
    };
    members.extend(changes);
    serde_json::to_vec(&line).unwrap()
}

fn verdict_of(changes: Value) -> LineVerdict {
    parse_line(7, &line(changes))
}

fn problem(changes: Value) -> String {
    match verdict_of(changes) {
        LineVerdict::Problem(problem) => {
            assert_eq!(problem.line, 7);
            problem.message
        }
        other => panic!("no problem: {other:?}"),
    }
}

fn accepted(changes: Value) -> Candidate {
    match verdict_of(changes) {
        LineVerdict::Candidate(candidate) => *candidate,
        other => panic!("no candidate: {other:?}"),
    }
}

fn skip_reason(changes: Value) -> SkipReason {
    match verdict_of(changes) {
        LineVerdict::Skip(item) => item.skipped.unwrap(),
        other => panic!("not skipped: {other:?}"),
    }
}

#[test]
fn a_good_line_becomes_a_candidate() {
    let candidate = accepted(json!({
        "run_id": "r1", "episode_id": "p1", "confidence": 0, "supersedes_entry_id": "c0",
    }));
    assert_eq!(candidate.id().as_str(), "c1");
    assert_eq!(candidate.session_id().as_str(), "s1");
    assert_eq!(candidate.supersedes().unwrap().as_str(), "c0");
    assert_eq!(candidate.draft.entry_type, EntryType::Warning);
    assert_eq!(candidate.draft.scope, Scope::Repository);
    assert_eq!(candidate.draft.confidence, Confidence::new(0.0).ok());
    assert_eq!(candidate.label, Label::Correct);
    assert_eq!(candidate.selection.range.to_string(), "3-5");
    let item = candidate.item(7, None);
    assert_eq!((item.line, item.label.as_str()), (7, "correct"));
    assert_eq!(item.supersedes_entry_id, "c0");
}

#[test]
fn white_space_is_no_line_and_a_carriage_return_is_tolerated() {
    for blank in ["", "\n", " \t\r\n"] {
        assert_eq!(parse_line(1, blank.as_bytes()), LineVerdict::Blank);
    }
    let mut bytes = line(json!({}));
    bytes.extend(b"\r\n");
    assert!(matches!(parse_line(1, &bytes), LineVerdict::Candidate(_)));
}

#[test]
fn model_128_a_line_beyond_the_limit_is_refused() {
    let bytes = vec![b'x'; MAX_LINE_BYTES + 1];
    let LineVerdict::Problem(problem) = parse_line(3, &bytes) else {
        panic!("accepted");
    };
    assert_eq!(
        problem.message,
        "the line has 4194305 bytes, more than the 4194304 allowed"
    );
}

#[test]
fn model_102_and_103_a_line_that_was_not_kept_is_skipped_before_its_content_is_looked_at() {
    let reason = skip_reason(json!({ "transferable": false, "type": "rumor" }));
    assert_eq!(reason, SkipReason::NotTransferable);
    assert_eq!(
        skip_reason(json!({ "transferable": false, "provenance_ok": null, "label": null })),
        SkipReason::NotTransferable
    );
    let reason = skip_reason(json!({ "provenance_ok": false, "title": "" }));
    assert_eq!(reason, SkipReason::ProvenanceNotOk);
    for label in ["Correct", "corect", "wrong", ""] {
        let reason = skip_reason(json!({ "label": label, "candidate_id": "" }));
        assert_eq!(reason, SkipReason::LabelNotKeeper, "{label}");
    }
}

fn problem_of(bytes: &[u8]) -> String {
    match parse_line(2, bytes) {
        LineVerdict::Problem(problem) => problem.message,
        other => panic!("no problem: {other:?}"),
    }
}

#[test]
fn model_103_a_line_without_a_verdict_is_a_problem() {
    for name in ["transferable", "provenance_ok", "label"] {
        assert_eq!(problem(json!({ name: null })), format!("missing {name}"));
        let mut line = import_line("c1");
        line.as_object_mut().unwrap().remove(name);
        assert_eq!(
            problem_of(line.to_string().as_bytes()),
            format!("missing {name}")
        );
    }
}

#[test]
fn a_line_that_says_nothing_is_a_problem_and_so_is_another_value() {
    assert_eq!(problem_of(b"null"), "missing transferable");
    assert_eq!(problem_of(b"{}"), "missing transferable");
    assert_eq!(
        problem_of(b"[{}]"),
        "invalid JSON: a line must be one object, found an array"
    );
}

// a misspelt `transferable` must not read as "not transferable"
#[test]
fn a_misspelt_member_is_found_before_the_line_is_skipped() {
    let message = problem(json!({ "transferable": null, "transferrable": true }));
    assert!(
        message.contains("did you mean \"transferable\""),
        "{message}"
    );
}

// S-E04
#[test]
fn model_098_a_skipped_line_cannot_carry_host_controlled_members_either() {
    let message = problem(json!({ "transferable": false, "content_digest": null }));
    assert!(message.starts_with("content_digest is host-controlled"));
}

#[test]
fn model_093_evidence_needs_a_range() {
    for evidence in [
        json!({}),
        json!(null),
        json!({ "ordinal_start": 3 }),
        json!({ "ordinal_start": null, "ordinal_end": 5 }),
    ] {
        let message = problem(json!({ "evidence": evidence }));
        assert!(
            message.starts_with("missing evidence ordinal range"),
            "{message}"
        );
    }
}

#[test]
fn model_095_a_range_is_neither_negative_nor_reversed_nor_out_of_reach() {
    for (start, end) in [(-1, 2), (5, 3), (0, i64::MAX)] {
        assert_eq!(
            problem(json!({ "evidence": { "ordinal_start": start, "ordinal_end": end } })),
            format!("invalid evidence ordinal range {start}-{end}")
        );
    }
    let message = problem(json!({ "evidence": { "ordinal_start": u64::MAX, "ordinal_end": 5 } }));
    assert!(
        message.starts_with("invalid JSON: evidence.ordinal_start"),
        "{message}"
    );
}

#[test]
fn model_096_type_scope_and_confidence_are_checked() {
    assert!(problem(json!({ "type": "rumor" })).starts_with("unknown entry type \"rumor\""));
    assert!(problem(json!({ "scope": "world" })).starts_with("unknown scope \"world\""));
    assert_eq!(
        problem(json!({ "confidence": 1.2 })),
        "invalid confidence 1.2; must be between 0 and 1"
    );
    assert!(
        accepted(json!({ "confidence": null }))
            .draft
            .confidence
            .is_none()
    );
}

#[test]
fn identity_title_and_body_are_needed() {
    for name in ["candidate_id", "session_id", "title", "body"] {
        assert_eq!(problem(json!({ name: "  " })), format!("missing {name}"));
    }
}

#[test]
fn model_097_identities_hold_no_character_that_hides_and_texts_may() {
    for name in [
        "candidate_id",
        "session_id",
        "run_id",
        "episode_id",
        "supersedes_entry_id",
    ] {
        assert_eq!(
            problem(json!({ name: "a\u{1b}b" })),
            format!("{name} must not contain control characters")
        );
        let message = problem(json!({ name: "a\u{202e}b" }));
        assert!(
            message.starts_with(&format!("{name} must not contain invisible characters")),
            "{message}"
        );
    }
    let evidence = json!({ "ordinal_start": 3, "ordinal_end": 5, "tool_use_ids": ["t\u{7}1"] });
    assert_eq!(
        problem(json!({ "evidence": evidence })),
        "tool_use_id must not contain control characters"
    );
    let evidence = json!({ "ordinal_start": 3, "ordinal_end": 5, "tool_use_ids": ["t\u{200b}1"] });
    let message = problem(json!({ "evidence": evidence }));
    assert!(
        message.starts_with("tool_use_id must not contain invisible characters"),
        "{message}"
    );
    assert_eq!(
        accepted(json!({ "body": "a\u{1b}b" })).draft.body,
        "a\u{1b}b"
    );
}

#[test]
fn model_101_padded_texts_are_stored_trimmed() {
    let padded = accepted(json!({
        "candidate_id": " c1 ", "session_id": "\ts1", "title": " Locked database\n",
        "label": " correct ", "type": " warning ",
    }));
    assert_eq!(padded, accepted(json!({})));
}

// model weakness 14
#[test]
fn a_line_is_bounded_in_every_field() {
    assert_eq!(
        problem(json!({ "title": "x".repeat(501) })),
        "title has 501 bytes, more than the 500 allowed"
    );
    let evidence = |tools: Vec<String>| json!({ "evidence": { "ordinal_start": 3, "ordinal_end": 5, "tool_use_ids": tools } });
    let many = (0..65).map(|number| format!("t{number}")).collect();
    assert_eq!(
        problem(evidence(many)),
        "65 tool uses are more than the 64 that one citation may name"
    );
    assert_eq!(
        problem(evidence(vec!["t".repeat(513)])),
        "tool_use_id has 513 bytes, more than the 512 allowed"
    );
    let snippets = json!({ "ordinal_start": 3, "ordinal_end": 5, "snippets": ["x".repeat(4097)] });
    assert_eq!(
        problem(json!({ "evidence": snippets })),
        "snippet 1 has 4097 bytes, more than the 4096 allowed"
    );
}

#[test]
fn a_blank_snippet_is_a_problem_of_a_line_that_is_kept() {
    let evidence = json!({ "ordinal_start": 3, "ordinal_end": 5, "snippets": ["one", "  "] });
    assert_eq!(
        problem(json!({ "evidence": evidence })),
        "snippet 2 is blank; quote the transcript or leave it out"
    );
    assert_eq!(
        skip_reason(json!({ "evidence": evidence, "transferable": false })),
        SkipReason::NotTransferable
    );
}

// S-R02
#[test]
fn model_111_and_112_a_repeated_line_has_the_content_of_its_entry_and_an_edited_one_has_not() {
    let base = json!({
        "confidence": 0.5,
        "evidence": { "ordinal_start": 3, "ordinal_end": 5, "tool_use_ids": ["t2", "t1"], "snippets": ["one", "two"] },
    });
    let candidate = accepted(base.clone());
    let entry = NewEntry::placeholder(&candidate, now())
        .unwrap()
        .into_entry();
    assert!(candidate.same_content(&entry));
    assert!(
        accepted(merged(&base, json!({ "label": "genuine-tradeoff" }))).same_content(&entry),
        "the label is not stored"
    );

    let range = json!({ "ordinal_start": 3, "ordinal_end": 6, "tool_use_ids": ["t1", "t2"], "snippets": ["one", "two"] });
    let tools = json!({ "ordinal_start": 3, "ordinal_end": 5, "tool_use_ids": ["t1"], "snippets": ["one", "two"] });
    let snippets = json!({ "ordinal_start": 3, "ordinal_end": 5, "tool_use_ids": ["t1", "t2"], "snippets": ["one"] });
    for change in [
        json!({ "title": "Another title" }),
        json!({ "body": "Another body." }),
        json!({ "trigger": "never" }),
        json!({ "type": "fact" }),
        json!({ "scope": "global" }),
        json!({ "confidence": null }),
        json!({ "uncertainty": "some" }),
        json!({ "project": "p" }),
        json!({ "cwd": "/srv" }),
        json!({ "git_branch": "main" }),
        json!({ "agent": "claude" }),
        json!({ "session_id": "s2" }),
        json!({ "run_id": "r2" }),
        json!({ "episode_id": "p2" }),
        json!({ "extractor_method": "hand" }),
        json!({ "model": "m" }),
        json!({ "supersedes_entry_id": "c0" }),
        json!({ "evidence": range }),
        json!({ "evidence": tools }),
        json!({ "evidence": snippets }),
    ] {
        let edited = accepted(merged(&base, change.clone()));
        assert!(!edited.same_content(&entry), "{change}");
    }
}

fn merged(base: &Value, change: Value) -> Value {
    let mut merged: Map<String, Value> = base.as_object().unwrap().clone();
    let Value::Object(change) = change else {
        panic!("changes are members");
    };
    merged.extend(change);
    Value::Object(merged)
}

proptest! {
    #[test]
    fn no_bytes_make_a_line_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse_line(1, &bytes);
    }

    #[test]
    fn no_damage_to_a_good_line_makes_it_panic(
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = line(json!({}));
        *at.get_mut(&mut bytes) = byte;
        bytes.truncate(cut.index(bytes.len()) + 1);
        let _ = parse_line(1, &bytes);
    }
}
