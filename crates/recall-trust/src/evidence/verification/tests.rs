use proptest::prelude::*;
use recall_core::digest::{ContentVersion, content_digest, opening_digest};
use recall_core::{CitedMessage, Evidence, Ordinal, Role};

use super::*;
use crate::evidence::{Selection, SessionActivity, bind, window};
use crate::fixtures::{call, message, message_with_calls, range, session, tool};

use RevocationReason as Reason;

/// Ten messages 0 to 9 with stable ids; message 4 has the tool uses t1 and t2.
fn said() -> Vec<CitedMessage> {
    (0..10)
        .map(|ordinal| {
            let calls = match ordinal {
                4 => vec![
                    call("Bash", "t1", r#"{"command":"make"}"#),
                    call("Read", "t2", "{}"),
                ],
                _ => vec![],
            };
            message_with_calls(ordinal, &format!("Message number {ordinal}."), calls)
        })
        .collect()
}

fn without_ids(mut messages: Vec<CitedMessage>) -> Vec<CitedMessage> {
    for message in &mut messages {
        message.source_uuid = None;
    }
    messages
}

/// The same messages behind another one, each an ordinal later.
fn one_before(messages: &[CitedMessage]) -> Vec<CitedMessage> {
    let mut all = vec![message(0, "A new beginning.")];
    all[0].source_uuid = None;
    all.extend(messages.iter().cloned().map(|mut message| {
        message.ordinal = Ordinal::new(message.ordinal.get() + 1);
        message
    }));
    all
}

fn cite(messages: &[CitedMessage], start: u32, end: u32, tools: &[&str]) -> Vec<Evidence> {
    let whole = OrdinalRange::new(messages[0].ordinal, messages[messages.len() - 1].ordinal);
    let window = window(
        session("s"),
        whole.unwrap(),
        messages.to_vec(),
        SessionActivity::default(),
    );
    let selection = Selection {
        range: range(start, end),
        tool_use_ids: tools.iter().map(|id| tool(id)).collect(),
    };
    let bound = bind(&window.unwrap(), &selection).unwrap();
    let mut rows = bound.rows(&[]).unwrap();
    for (id, row) in (1..).zip(&mut rows) {
        row.id = id;
    }
    rows
}

fn look(evidence: &[Evidence], messages: Vec<CitedMessage>) -> Verdict {
    verify(evidence, &Transcript::new(messages))
}

fn kept() -> Verdict {
    Verdict::Holds(vec![])
}

fn shifted_to(verdict: &Verdict) -> Option<(u32, u32)> {
    match verdict {
        Verdict::Holds(corrections) => match corrections.as_slice() {
            [one] if one.shifted => {
                let range = one.place.range;
                Some((range.start().get(), range.end().get()))
            }
            _ => None,
        },
        Verdict::Revoked(_) => None,
    }
}

#[test]
fn model_033_messages_inserted_before_shift_the_range_and_nothing_else() {
    let evidence = cite(&said(), 2, 3, &[]);
    let Verdict::Holds(corrections) = look(&evidence, one_before(&said())) else {
        panic!("revoked");
    };
    assert_eq!(
        corrections,
        [Correction {
            rows: vec![1],
            place: Place {
                range: range(3, 4),
                start_uuid: evidence[0].start_uuid.clone(),
                end_uuid: evidence[0].end_uuid.clone(),
            },
            shifted: true,
        }]
    );
}

#[test]
fn model_034_an_append_changes_nothing() {
    let evidence = cite(&said(), 2, 3, &[]);
    let mut grown = said();
    grown.push(message(10, "And on."));
    assert_eq!(look(&evidence, grown), kept());
}

#[test]
fn model_035_what_is_not_hashed_may_change_without_stable_ids() {
    let messages = without_ids(said());
    let evidence = cite(&messages, 4, 4, &["t1"]);
    let mut touched = messages;
    touched[4].is_system = true;
    touched[4].tool_calls[0].category = "Other".to_owned();
    touched[4].tool_calls[1].results = vec!["unselected".to_owned()];
    touched[7].content.push_str(" Edited.");
    assert_eq!(look(&evidence, touched), kept());
}

#[test]
fn model_036_without_stable_ids_changed_text_is_revoked() {
    let messages = without_ids(said());
    let evidence = cite(&messages, 2, 3, &[]);
    let mut edited = messages;
    edited[2].content.push('!');
    assert_eq!(
        look(&evidence, edited),
        Verdict::Revoked(Reason::ContentDigestMismatch)
    );
}

#[test]
fn model_037_each_endpoint_is_resolved_by_what_it_has() {
    for lone in [0, 1] {
        let mut messages = said();
        messages[2 + lone].source_uuid = None;
        let evidence = cite(&messages, 2, 3, &[]);
        assert_eq!(look(&evidence, messages.clone()), kept());
        // The ordinal of the other end is stale, so the passage is found by its digest.
        let moved = look(&evidence, one_before(&messages));
        assert_eq!(shifted_to(&moved), Some((3, 4)), "end {lone}");
    }
}

/// The same words are said by nobody else, so what lost its ids and its text is gone.
fn with_new_text_and_ids(changed: std::ops::RangeInclusive<usize>) -> Vec<CitedMessage> {
    let mut messages = said();
    for message in &mut messages[changed] {
        message.source_uuid = None;
        message.content.push('!');
    }
    messages
}

#[test]
fn model_038_both_stable_ids_lost_is_about_the_start() {
    let evidence = cite(&said(), 2, 3, &[]);
    assert_eq!(
        look(&evidence, with_new_text_and_ids(2..=3)),
        Verdict::Revoked(Reason::StartEndpointUnresolved)
    );
}

#[test]
fn model_039_a_lost_end_is_about_the_end() {
    let evidence = cite(&said(), 2, 3, &[]);
    assert_eq!(
        look(&evidence, with_new_text_and_ids(3..=3)),
        Verdict::Revoked(Reason::EndEndpointUnresolved)
    );
}

#[test]
fn model_040_swapped_endpoints_are_no_range() {
    let evidence = cite(&said(), 2, 3, &[]);
    let mut swapped = said();
    let (a, b) = swapped.split_at_mut(3);
    std::mem::swap(&mut a[2].source_uuid, &mut b[0].source_uuid);
    assert_eq!(
        look(&evidence, swapped),
        Verdict::Revoked(Reason::InvalidResolvedRange)
    );
}

#[test]
fn model_041_without_stable_ids_a_removed_endpoint_leaves_no_window() {
    let messages = without_ids(said());
    let evidence = cite(&messages, 2, 3, &[]);
    let mut removed = messages;
    removed.remove(2);
    assert_eq!(
        look(&evidence, removed),
        Verdict::Revoked(Reason::WindowInvalid)
    );
}

#[test]
fn model_042_a_removed_selected_tool_use_is_a_broken_selection() {
    for (tools, gone) in [(&["t1"][..], 0), (&["t1", "t2"], 0), (&["t1", "t2"], 1)] {
        let evidence = cite(&said(), 4, 5, tools);
        let mut removed = said();
        removed[4].tool_calls.remove(gone);
        assert_eq!(
            look(&evidence, removed),
            Verdict::Revoked(Reason::SelectionInvalid),
            "{tools:?}"
        );
    }
}

#[test]
fn model_043_a_missing_digest_is_never_filled_in() {
    let mut evidence = cite(&said(), 2, 3, &[]);
    evidence[0].content_digest = None;
    assert_eq!(
        look(&evidence, said()),
        Verdict::Revoked(Reason::MissingDigest)
    );
}

#[test]
fn model_044_changed_text_between_stable_ids_is_a_mismatch() {
    let evidence = cite(&said(), 2, 4, &["t1"]);
    let edits: [fn(&mut Vec<CitedMessage>); 5] = [
        |messages| messages[3].content.push('!'),
        |messages| messages[3].role = Role::User,
        |messages| messages[4].tool_calls[0].input_json.push(' '),
        |messages| messages[4].tool_calls[0].results.push("late".to_owned()),
        |messages| {
            messages.remove(3);
        },
    ];
    for (number, edit) in edits.iter().enumerate() {
        let mut edited = said();
        edit(&mut edited);
        // Even if the old text stands elsewhere: its own messages changed.
        edited.extend(said().into_iter().map(|mut message| {
            message.ordinal = Ordinal::new(message.ordinal.get() + 20);
            message.source_uuid = None;
            message
        }));
        assert_eq!(
            look(&evidence, edited),
            Verdict::Revoked(Reason::ContentDigestMismatch),
            "edit {number}"
        );
    }
}

// S-E03
#[test]
fn model_045_a_stable_id_on_two_messages_is_ambiguous() {
    let evidence = cite(&said(), 2, 3, &[]);
    let mut doubled = said();
    doubled[7].source_uuid = doubled[3].source_uuid.clone();
    assert_eq!(
        look(&evidence, doubled),
        Verdict::Revoked(Reason::EndEndpointUnresolved)
    );
}

#[test]
fn model_046_the_first_broken_citation_gives_the_reason() {
    let mut evidence = cite(&said(), 2, 3, &[]);
    evidence.extend(cite(&said(), 6, 6, &[]));
    let mut broken = said();
    broken[6].content.push('!');
    broken[3].source_uuid = None;
    broken[3].content.push('!');
    assert_eq!(
        look(&evidence, broken),
        Verdict::Revoked(Reason::EndEndpointUnresolved)
    );
}

#[test]
fn model_053_a_stable_id_that_became_known_is_filled_in() {
    let evidence = cite(&without_ids(said()), 2, 3, &[]);
    let Verdict::Holds(corrections) = look(&evidence, said()) else {
        panic!("revoked");
    };
    assert_eq!(corrections.len(), 1);
    assert!(!corrections[0].shifted);
    assert_eq!(corrections[0].place.start_uuid, said()[2].source_uuid);
    assert_eq!(corrections[0].place.end_uuid, said()[3].source_uuid);
}

// model weakness 8
#[test]
fn a_lost_passage_moves_to_the_one_place_that_says_the_same() {
    let messages = without_ids(said());
    for tools in [&[][..], &["t1", "t2"]] {
        let evidence = cite(&messages, 4, 5, tools);
        let moved = look(&evidence, one_before(&messages));
        assert_eq!(shifted_to(&moved), Some((5, 6)), "{tools:?}");
    }
    // Stable ids that are gone are replaced by those of the place that was found.
    let evidence = cite(&said(), 2, 3, &[]);
    let moved = look(&evidence, one_before(&without_ids(said())));
    assert_eq!(shifted_to(&moved), Some((3, 4)));
}

#[test]
fn a_lost_passage_that_is_said_twice_has_not_moved_to_either() {
    let messages = without_ids(said());
    let evidence = cite(&messages, 2, 3, &[]);
    let mut twice = one_before(&messages);
    twice.extend(messages[2..4].iter().cloned().map(|mut message| {
        message.ordinal = Ordinal::new(message.ordinal.get() + 20);
        message
    }));
    assert_eq!(
        look(&evidence, twice),
        Verdict::Revoked(Reason::ContentDigestMismatch)
    );
}

#[test]
fn rows_of_the_first_version_verify_by_its_rules_and_move_without_an_opening() {
    let messages = without_ids(said());
    let mut evidence = cite(&messages, 4, 5, &["t1"]);
    let old = content_digest(ContentVersion::V1, &messages[4..6], &[tool("t1")]);
    evidence[0].content_digest = Some(old);
    evidence[0].opening_digest = None;
    assert_eq!(look(&evidence, messages.clone()), kept());
    assert_eq!(
        shifted_to(&look(&evidence, one_before(&messages))),
        Some((5, 6))
    );
    // What the first version hashes and the second does not.
    let mut derived = messages;
    derived[4].tool_calls[0].category = "Other".to_owned();
    assert_eq!(
        look(&evidence, derived),
        Verdict::Revoked(Reason::ContentDigestMismatch)
    );
}

#[test]
fn a_range_over_ordinals_that_were_never_stored_keeps_its_gap_and_moves_with_it() {
    let mut messages = without_ids(said());
    messages.remove(3);
    let evidence = cite(&messages, 2, 4, &[]);
    assert_eq!(evidence[0].message_count, Some(2));
    assert_eq!(look(&evidence, messages.clone()), kept());
    assert_eq!(
        shifted_to(&look(&evidence, one_before(&messages))),
        Some((3, 5))
    );
}

/// An edit of a transcript.
#[derive(Debug, Clone)]
enum Edit {
    Insert(prop::sample::Index, String),
    Remove(prop::sample::Index),
    Rewrite(prop::sample::Index, String),
    LoseId(prop::sample::Index),
    CopyId(prop::sample::Index, prop::sample::Index),
    LateResult(prop::sample::Index),
    Swap(prop::sample::Index),
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        (at(), "[ab]{0,2}").prop_map(|(at, text)| Edit::Insert(at, text)),
        at().prop_map(Edit::Remove),
        (at(), "[ab]{0,2}").prop_map(|(at, text)| Edit::Rewrite(at, text)),
        at().prop_map(Edit::LoseId),
        (at(), at()).prop_map(|(from, to)| Edit::CopyId(from, to)),
        at().prop_map(Edit::LateResult),
        at().prop_map(Edit::Swap),
    ]
}

fn apply(edit: &Edit, messages: &mut Vec<CitedMessage>) {
    let mut inserted = message(0, "");
    inserted.source_uuid = None;
    match edit {
        Edit::Insert(at, text) => {
            inserted.content.clone_from(text);
            messages.insert(at.index(messages.len() + 1), inserted);
        }
        _ if messages.is_empty() => {}
        Edit::Remove(at) => {
            messages.remove(at.index(messages.len()));
        }
        Edit::Rewrite(at, text) => at.get_mut(messages).content.clone_from(text),
        Edit::LoseId(at) => at.get_mut(messages).source_uuid = None,
        Edit::CopyId(from, to) => {
            let id = from.get(messages).source_uuid.clone();
            to.get_mut(messages).source_uuid = id;
        }
        Edit::LateResult(at) => {
            if let Some(call) = at.get_mut(messages).tool_calls.first_mut() {
                call.results.push("late".to_owned());
            }
        }
        Edit::Swap(at) => {
            let at = at.index(messages.len());
            messages.swap(at, 0);
        }
    }
    for (ordinal, message) in (0..).zip(messages) {
        message.ordinal = Ordinal::new(ordinal);
    }
}

fn any_transcript() -> impl Strategy<Value = Vec<CitedMessage>> {
    let one = ("[ab]{0,2}", any::<bool>(), any::<bool>());
    prop::collection::vec(one, 1..8).prop_map(|rows| {
        (0..)
            .zip(rows)
            .map(|(ordinal, (content, has_id, has_call))| {
                let id = format!("t{ordinal}");
                let calls = if has_call {
                    vec![call("Bash", &id, "{}")]
                } else {
                    vec![]
                };
                let mut message = message_with_calls(ordinal, &content, calls);
                message.source_uuid = message.source_uuid.filter(|_| has_id);
                message
            })
            .collect()
    })
}

proptest! {
    // S-E02, S-E03
    #[test]
    fn evidence_holds_only_where_its_text_stands_verbatim(
        messages in any_transcript(),
        (from, to) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        with_tools in any::<bool>(),
        edits in prop::collection::vec(any_edit(), 0..6),
    ) {
        let (from, to) = (from.index(messages.len()), to.index(messages.len()));
        let (start, end) = (from.min(to), from.max(to));
        let cited = &messages[start..=end];
        let tools: Vec<String> = cited
            .iter()
            .flat_map(|message| &message.tool_calls)
            .filter(|_| with_tools)
            .filter_map(|call| call.tool_use_id.as_ref().map(ToString::to_string))
            .collect();
        let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
        let selected: Vec<ToolUseId> = tools.iter().map(|id| tool(id)).collect();
        let number = |index: usize| u32::try_from(index).unwrap();
        let mut evidence = cite(&messages, number(start), number(end), &tools);
        let text = |messages: &[CitedMessage]| -> Vec<String> {
            messages
                .iter()
                .map(|message| {
                    let calls: Vec<_> = message
                        .tool_calls
                        .iter()
                        .filter(|call| call.tool_use_id.as_ref().is_some_and(|id| selected.contains(id)))
                        .map(|call| (&call.tool_name, &call.input_json, &call.results))
                        .collect();
                    format!("{} {} {calls:?}", message.role, message.content)
                })
                .collect()
        };
        let before = text(cited);
        let mut edited = messages.clone();
        for edit in &edits {
            apply(edit, &mut edited);
            let transcript = Transcript::new(edited.clone());
            match verify(&evidence, &transcript) {
                Verdict::Holds(corrections) => {
                    for correction in corrections {
                        for row in &mut evidence {
                            row.range = correction.place.range;
                            row.start_uuid.clone_from(&correction.place.start_uuid);
                            row.end_uuid.clone_from(&correction.place.end_uuid);
                        }
                    }
                    let now = transcript.stored(evidence[0].range).unwrap();
                    prop_assert_eq!(text(now), before.clone());
                    prop_assert_eq!(opening_digest(&now[0]), evidence[0].opening_digest.clone().unwrap());
                    prop_assert_eq!(verify(&evidence, &transcript), kept(), "corrected once, kept after");
                }
                Verdict::Revoked(_) => break,
            }
        }
    }
}
