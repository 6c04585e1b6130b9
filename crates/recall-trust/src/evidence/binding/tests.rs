use proptest::prelude::*;
use recall_core::{CitedMessage, EvidenceWindow, Ordinal, OrdinalRange, ToolUseId};

use super::*;
use crate::evidence::{SessionActivity, window};
use crate::fixtures::{call, golden_messages, message_with_calls, range, session, tool};

fn golden_window() -> EvidenceWindow {
    window(
        session("window-session"),
        range(10, 12),
        golden_messages(),
        SessionActivity::default(),
    )
    .unwrap()
}

fn select(start: u32, end: u32, tools: &[&str]) -> Selection {
    Selection {
        range: range(start, end),
        tool_use_ids: tools.iter().map(|id| tool(id)).collect(),
    }
}

// S-E01
#[test]
fn model_021_the_golden_selections_bind_with_their_ids_and_digest() {
    let bound = bind(&golden_window(), &select(11, 12, &["tool-z", "tool-z"])).unwrap();
    assert_eq!(bound.session_id(), &session("window-session"));
    assert_eq!(bound.start_uuid().unwrap().as_str(), "source-a-11");
    assert_eq!(bound.end_uuid().unwrap().as_str(), "source-a-12");
    assert_eq!(bound.tool_use_ids(), [tool("tool-z")]);
    assert_eq!(bound.content_digest().version(), ContentVersion::V2);
    assert_eq!(
        *bound.content_digest(),
        digest::content_digest(
            ContentVersion::V2,
            &golden_messages()[1..],
            &[tool("tool-z")]
        )
    );
}

// S-E01; model weakness 2
#[test]
fn a_tool_use_whose_result_may_still_come_cannot_be_cited() {
    let going_on = SessionActivity {
        last_spoken: None,
        is_recent: true,
    };
    let calls = vec![call("Bash", "t1", "{}"), call("Bash", "t2", "{}")];
    let mut messages = vec![message_with_calls(4, "I run it.", calls)];
    messages[0].tool_calls[0].results = vec!["done".to_owned()];
    let window = window(session("s"), range(4, 4), messages, going_on).unwrap();
    assert!(bind(&window, &select(4, 4, &["t1"])).is_ok());
    assert_eq!(
        bind(&window, &select(4, 4, &["t1", "t2"]))
            .unwrap_err()
            .to_string(),
        "tool use t2 has no result yet; cite it when it has finished and was synced"
    );
}

// S-E04
#[test]
fn model_022_a_selection_cannot_leave_its_window() {
    for (start, end) in [(9, 11), (11, 13), (9, 13), (13, 14)] {
        let error = bind(&golden_window(), &select(start, end, &[])).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("outside the authorized window 10-12"),
            "{error}"
        );
    }
}

#[test]
fn model_023_a_reversed_selection_cannot_be_expressed() {
    assert!(OrdinalRange::new(Ordinal::new(12), Ordinal::new(11)).is_err());
}

// S-E04
#[test]
fn model_024_a_tool_use_must_occur_in_the_window() {
    let error = bind(&golden_window(), &select(10, 12, &["tool-x"])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "tool use tool-x does not occur in messages 10-12; those that do: tool-a, tool-z"
    );
}

// S-E04
#[test]
fn model_025_a_tool_use_must_occur_on_a_selected_message() {
    let error = bind(&golden_window(), &select(10, 10, &["tool-a"])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "tool use tool-a is outside the selected messages 10-10; widen the selection"
    );
}

#[test]
fn an_unknown_tool_use_is_answered_with_at_most_five_known_ones() {
    let message = |known: std::ops::Range<u8>| {
        let calls = known.map(|id| call("Read", &format!("t{id}"), "{}"));
        let window = sealed(vec![message_with_calls(4, "a", calls.collect())]);
        bind(&window, &select(4, 4, &["x"]))
            .unwrap_err()
            .to_string()
    };
    let unknown = "tool use x does not occur in messages 4-4; ";
    assert_eq!(
        message(0..0),
        format!("{unknown}there is none to cite there")
    );
    assert_eq!(
        message(0..5),
        format!("{unknown}those that do: t0, t1, t2, t3, t4")
    );
    assert_eq!(
        message(0..7),
        format!("{unknown}those that do: t0, t1, t2, t3, t4 and 2 more")
    );
    let endless = vec![call("Read", &"t".repeat(513), "{}")];
    let window = sealed(vec![message_with_calls(4, "a", endless)]);
    assert_eq!(
        bind(&window, &select(4, 4, &["x"]))
            .unwrap_err()
            .to_string(),
        format!("{unknown}there is none to cite there")
    );
}

#[test]
fn model_026_a_blank_tool_use_id_cannot_be_expressed() {
    assert!(ToolUseId::new("  ").is_err());
}

// S-E04
#[test]
fn model_027_a_window_that_was_altered_after_sealing_is_unusable() {
    type Alteration = fn(&mut EvidenceWindow);
    let alterations: [Alteration; 6] = [
        |window| window.messages[0].content.push('!'),
        |window| window.session_id = session("another-session"),
        |window| window.range = range(0, 20),
        |window| window.allowed_tool_use_ids.push(tool("tool-zz")),
        |window| window.messages[1].tool_calls[1].results.clear(),
        |window| window.authorization_digest.clear(),
    ];
    for (number, alter) in alterations.iter().enumerate() {
        let mut window = golden_window();
        alter(&mut window);
        assert!(
            matches!(
                bind(&window, &select(10, 12, &[])),
                Err(EvidenceError::AuthorizationInvalid { .. })
            ),
            "alteration {number}"
        );
    }
}

#[test]
fn a_selection_ends_at_stored_messages() {
    let messages = vec![
        message_with_calls(3, "a", vec![]),
        message_with_calls(5, "b", vec![]),
        message_with_calls(8, "c", vec![]),
    ];
    let window = window(
        session("s"),
        range(3, 8),
        messages,
        SessionActivity::default(),
    )
    .unwrap();
    assert!(bind(&window, &select(3, 8, &[])).is_ok());
    assert!(bind(&window, &select(5, 5, &[])).is_ok());
    assert_eq!(
        bind(&window, &select(4, 8, &[])),
        Err(EvidenceError::EndpointNotStored {
            session_id: session("s"),
            missing: vec![Ordinal::new(4)],
            nearest: range(5, 8),
        })
    );
    assert!(matches!(
        bind(&window, &select(6, 7, &[])),
        Err(EvidenceError::NoMessages { .. })
    ));
}

#[test]
fn model_028_the_same_text_elsewhere_has_the_same_content_and_another_authorization() {
    let mut moved = golden_messages();
    for message in &mut moved {
        message.ordinal = Ordinal::new(message.ordinal.get() + 7);
        message.source_uuid = None;
    }
    let here = golden_window();
    let there = window(
        session("elsewhere"),
        range(17, 19),
        moved,
        SessionActivity::default(),
    )
    .unwrap();
    assert_ne!(here.authorization_digest, there.authorization_digest);
    assert_eq!(
        bind(&here, &select(11, 12, &["tool-z"]))
            .unwrap()
            .content_digest(),
        bind(&there, &select(18, 19, &["tool-z"]))
            .unwrap()
            .content_digest(),
    );
}

#[test]
fn bound_evidence_answers_the_selection_it_came_from() {
    let bound = bind(&golden_window(), &select(10, 12, &["tool-z", "tool-a"])).unwrap();
    assert!(bound.answers(&select(10, 12, &["tool-a", "tool-z", "tool-a"])));
    assert!(!bound.answers(&select(10, 12, &["tool-a"])));
    assert!(!bound.answers(&select(11, 12, &["tool-a", "tool-z"])));
}

fn any_messages() -> impl Strategy<Value = Vec<CitedMessage>> {
    let one = (
        1..4_u32,
        "[a-c<& é]{0,4}",
        prop::collection::vec(0..4_u8, 0..3),
    );
    prop::collection::vec(one, 1..6).prop_map(|rows| {
        let mut ordinal = 0;
        rows.into_iter()
            .map(|(step, content, tools)| {
                ordinal += step;
                let calls = tools
                    .into_iter()
                    .map(|tool| call("Read", &format!("t{tool}"), "{}"))
                    .collect();
                message_with_calls(ordinal, &content, calls)
            })
            .collect()
    })
}

fn sealed(messages: Vec<CitedMessage>) -> EvidenceWindow {
    let all = OrdinalRange::new(messages[0].ordinal, messages[messages.len() - 1].ordinal).unwrap();
    window(session("s"), all, messages, SessionActivity::default()).unwrap()
}

proptest! {
    // S-E04
    #[test]
    fn whatever_binds_lies_inside_the_window(
        messages in any_messages(),
        start in 0..20_u32,
        length in 0..20_u32,
        tools in prop::collection::vec(0..5_u8, 0..3),
    ) {
        let window = sealed(messages);
        let names: Vec<String> = tools.iter().map(|tool| format!("t{tool}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let selection = select(start, start + length, &names);
        if let Ok(bound) = bind(&window, &selection) {
            prop_assert!(window.range.covers(bound.range()));
            prop_assert_eq!(bound.session_id(), &window.session_id);
            let cited: Vec<_> = window
                .messages
                .iter()
                .filter(|message| bound.range().contains(message.ordinal))
                .collect();
            prop_assert_eq!(cited[0].ordinal, bound.range().start());
            prop_assert_eq!(cited[cited.len() - 1].ordinal, bound.range().end());
            for id in bound.tool_use_ids() {
                let mut calls = cited.iter().flat_map(|message| &message.tool_calls);
                prop_assert!(calls.any(|call| call.tool_use_id.as_ref() == Some(id)));
            }
            prop_assert!(bound.answers(&selection));
        }
    }

    #[test]
    fn model_029_and_030_the_digest_changes_exactly_when_cited_content_changes(
        messages in any_messages(),
        target in any::<prop::sample::Index>(),
        in_call in any::<bool>(),
        selected in 0..4_u8,
    ) {
        let before = sealed(messages);
        let wanted = tool(&format!("t{selected}"));
        let tools = if before.allowed_tool_use_ids.contains(&wanted) {
            vec![wanted.clone()]
        } else {
            vec![]
        };
        let selection = Selection { range: before.range, tool_use_ids: tools.clone() };
        let mut messages = before.messages.clone();
        let message = target.get_mut(&mut messages);
        let cited = if let Some(call) = message.tool_calls.first_mut().filter(|_| in_call) {
            call.input_json.push(' ');
            call.tool_use_id.as_ref().is_some_and(|id| tools.contains(id))
        } else {
            message.content.push('!');
            true
        };
        let after = sealed(messages);
        let (before, after) = (bind(&before, &selection).unwrap(), bind(&after, &selection).unwrap());
        prop_assert_eq!(before.content_digest() != after.content_digest(), cited);
    }
}
