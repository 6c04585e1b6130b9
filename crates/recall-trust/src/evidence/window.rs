//! Sealing a stretch of a session, so that it can be narrowed and nothing else.

use std::collections::BTreeSet;

use recall_core::{
    CitedMessage, EvidenceWindow, Ordinal, OrdinalRange, SessionId, ToolUseId, digest,
};

use super::{EvidenceError, SessionActivity};

/// How many messages a window may hold.
pub const MAX_WINDOW_MESSAGES: usize = 1000;
/// How many bytes of message text, tool input and tool result a window may hold.
pub const MAX_WINDOW_TEXT_BYTES: usize = 4 * 1024 * 1024;

/// Seals the stored messages of a range, given by rising ordinal, as what may be cited.
///
/// The range may span ordinals that were never stored (a user row that only carried tool results
/// takes one), but it begins and ends at stored messages. `activity` tells which tool calls may still
/// bring a result.
pub fn window(
    session_id: SessionId,
    range: OrdinalRange,
    messages: Vec<CitedMessage>,
    activity: SessionActivity,
) -> Result<EvidenceWindow, EvidenceError> {
    check_places(range, &messages)?;
    check_endpoints(&session_id, range, &messages)?;
    check_size(range, &messages)?;
    let allowed_tool_use_ids = tool_use_ids(&messages);
    let authorization_digest =
        digest::authorization_digest(&session_id, range, &messages, &allowed_tool_use_ids);
    Ok(EvidenceWindow {
        session_id,
        range,
        pending_tool_use_ids: activity.pending(&messages),
        messages,
        allowed_tool_use_ids,
        authorization_digest,
    })
}

fn check_places(range: OrdinalRange, messages: &[CitedMessage]) -> Result<(), EvidenceError> {
    let mut previous: Option<Ordinal> = None;
    for CitedMessage { ordinal, .. } in messages {
        if !range.contains(*ordinal) || previous.is_some_and(|previous| previous >= *ordinal) {
            return Err(EvidenceError::MessageOutOfPlace {
                ordinal: *ordinal,
                range,
            });
        }
        previous = Some(*ordinal);
    }
    Ok(())
}

/// Refuses a range whose first or last ordinal is not among the messages, which are those of the
/// range in rising order.
pub(super) fn check_endpoints(
    session_id: &SessionId,
    range: OrdinalRange,
    messages: &[CitedMessage],
) -> Result<(), EvidenceError> {
    let nearest = messages
        .first()
        .zip(messages.last())
        .and_then(|(first, last)| OrdinalRange::new(first.ordinal, last.ordinal).ok());
    let Some(nearest) = nearest else {
        return Err(EvidenceError::NoMessages {
            session_id: session_id.clone(),
            range,
        });
    };
    let mut missing = Vec::new();
    if nearest.start() != range.start() {
        missing.push(range.start());
    }
    if nearest.end() != range.end() && !missing.contains(&range.end()) {
        missing.push(range.end());
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(EvidenceError::EndpointNotStored {
            session_id: session_id.clone(),
            missing,
            nearest,
        })
    }
}

fn check_size(range: OrdinalRange, messages: &[CitedMessage]) -> Result<(), EvidenceError> {
    if messages.len() > MAX_WINDOW_MESSAGES {
        return Err(EvidenceError::TooManyMessages {
            range,
            count: messages.len(),
            limit: MAX_WINDOW_MESSAGES,
        });
    }
    let bytes: usize = messages
        .iter()
        .map(|message| {
            let calls = message.tool_calls.iter();
            let tools: usize = calls
                .map(|call| {
                    call.input_json.len() + call.results.iter().map(String::len).sum::<usize>()
                })
                .sum();
            message.content.len() + tools
        })
        .sum();
    if bytes > MAX_WINDOW_TEXT_BYTES {
        return Err(EvidenceError::TooMuchText {
            range,
            bytes,
            limit: MAX_WINDOW_TEXT_BYTES,
        });
    }
    Ok(())
}

fn tool_use_ids(messages: &[CitedMessage]) -> Vec<ToolUseId> {
    let ids: BTreeSet<&ToolUseId> = messages
        .iter()
        .flat_map(|message| &message.tool_calls)
        .filter_map(|call| call.tool_use_id.as_ref())
        .collect();
    ids.into_iter().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{golden_messages, message, range, session, tool};

    // S-E01
    #[test]
    fn model_017_the_golden_window_has_its_digest_and_its_tool_uses_sorted() {
        let window = window(
            session("window-session"),
            range(10, 12),
            golden_messages(),
            SessionActivity::default(),
        )
        .unwrap();
        assert_eq!(
            window.authorization_digest,
            "fb664625551c1d233bd42c85348c4ea387f59313f7ec76bdbcec24c392bc12ae"
        );
        assert_eq!(
            window.allowed_tool_use_ids,
            [tool("tool-a"), tool("tool-z")]
        );
        let calls: Vec<_> = window.messages[1]
            .tool_calls
            .iter()
            .map(|call| call.tool_use_id.clone().unwrap())
            .collect();
        assert_eq!(calls, [tool("tool-z"), tool("tool-a")], "stored order");
    }

    #[test]
    fn model_018_a_range_may_span_ordinals_that_were_never_stored() {
        let messages = vec![message(3, "asked"), message(5, "concluded")];
        let window = window(
            session("s"),
            range(3, 5),
            messages,
            SessionActivity::default(),
        )
        .unwrap();
        assert_eq!(window.messages.len(), 2);
    }

    #[test]
    fn model_018_a_range_ends_at_stored_messages_and_the_error_names_the_nearest() {
        let messages = vec![message(4, "a"), message(5, "b"), message(8, "c")];
        let error = window(
            session("s"),
            range(3, 9),
            messages.clone(),
            SessionActivity::default(),
        )
        .unwrap_err();
        assert_eq!(
            error.to_string(),
            "session s does not store message 3 or 9; the nearest stored range is 4-8"
        );
        let error = window(
            session("s"),
            range(4, 9),
            messages,
            SessionActivity::default(),
        )
        .unwrap_err();
        assert_eq!(
            error.to_string(),
            "session s does not store message 9; the nearest stored range is 4-8"
        );
    }

    #[test]
    fn model_019_a_reversed_range_cannot_be_asked_for() {
        assert!(OrdinalRange::new(Ordinal::new(5), Ordinal::new(3)).is_err());
    }

    #[test]
    fn model_020_an_unknown_session_has_nothing_to_cite() {
        let error = window(
            session("nowhere"),
            range(0, 0),
            vec![],
            SessionActivity::default(),
        )
        .unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("session nowhere stores no message in 0-0"),
            "{error}"
        );
    }

    #[test]
    fn rows_out_of_order_or_out_of_range_are_refused() {
        for rows in [[2, 1], [1, 1], [1, 3]] {
            let messages = rows.map(|ordinal| message(ordinal, "x")).to_vec();
            assert!(
                matches!(
                    window(
                        session("s"),
                        range(1, 2),
                        messages,
                        SessionActivity::default()
                    ),
                    Err(EvidenceError::MessageOutOfPlace { .. })
                ),
                "{rows:?}"
            );
        }
    }

    // model weakness 14
    #[test]
    fn a_window_is_bounded_in_messages_and_in_text() {
        let many = (0..=1000).map(|ordinal| message(ordinal, "x")).collect();
        assert_eq!(
            window(
                session("s"),
                range(0, 1000),
                many,
                SessionActivity::default()
            ),
            Err(EvidenceError::TooManyMessages {
                range: range(0, 1000),
                count: 1001,
                limit: MAX_WINDOW_MESSAGES,
            })
        );
        let full = "x".repeat(MAX_WINDOW_TEXT_BYTES);
        assert!(
            window(
                session("s"),
                range(0, 0),
                vec![message(0, &full)],
                SessionActivity::default()
            )
            .is_ok()
        );
        assert!(matches!(
            window(
                session("s"),
                range(0, 0),
                vec![message(0, &(full + "x"))],
                SessionActivity::default()
            ),
            Err(EvidenceError::TooMuchText { .. })
        ));
    }
}
