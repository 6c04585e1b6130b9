//! Canonical digests of cited content.
//!
//! A digest is the lower-case hex SHA-256 of compact JSON: members in the order of the structs
//! below, integers in decimal, text escaped minimally (`"`, `\` and the control characters below
//! U+0020, with short forms where JSON has them). Text is hashed verbatim: nothing is trimmed,
//! folded or normalised. `serde_json` writes exactly this form; the golden tests pin it.
//!
//! A change of encoding needs a new version string, and rows of an old version keep verifying by
//! their own rules.

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{CitedMessage, CitedToolCall, OrdinalRange, SessionId, ToolUseId};

/// The rules of [`authorization_digest`].
pub const WINDOW_VERSION: &str = "recall-evidence-window/v1";
/// The rules of [`content_digest`].
pub const CONTENT_VERSION: &str = "recall-evidence-content/v1";

#[derive(Serialize)]
struct CanonicalWindow<'a> {
    version: &'static str,
    session_id: &'a str,
    message_start_ordinal: u32,
    message_end_ordinal: u32,
    messages: Vec<CanonicalWindowMessage<'a>>,
    allowed_tool_use_ids: Vec<&'a str>,
}

#[derive(Serialize)]
struct CanonicalWindowMessage<'a> {
    ordinal: u32,
    role: &'static str,
    content: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    source_uuid: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<CanonicalToolCall<'a>>,
}

#[derive(Serialize)]
struct CanonicalContent<'a> {
    version: &'static str,
    messages: Vec<CanonicalContentMessage<'a>>,
}

#[derive(Serialize)]
struct CanonicalContentMessage<'a> {
    role: &'static str,
    content: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<CanonicalToolCall<'a>>,
}

#[derive(Serialize)]
struct CanonicalToolCall<'a> {
    tool_name: &'a str,
    category: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    tool_use_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    input_json: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    skill_name: &'a str,
    #[serde(skip_serializing_if = "is_zero")]
    result_content_length: u64,
    #[serde(skip_serializing_if = "str::is_empty")]
    result_content: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    subagent_session_id: &'a str,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes the field by reference"
)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl<'a> From<&'a CitedToolCall> for CanonicalToolCall<'a> {
    fn from(call: &'a CitedToolCall) -> Self {
        Self {
            tool_name: &call.tool_name,
            category: &call.category,
            tool_use_id: call.tool_use_id.as_ref().map_or("", |id| id.as_str()),
            input_json: &call.input_json,
            skill_name: &call.skill_name,
            result_content_length: call.result_content_length,
            result_content: &call.result_content,
            subagent_session_id: &call.subagent_session_id,
        }
    }
}

/// The digest that seals an evidence window: session, range, every message with its stable id and
/// all of its tool calls, and the tool uses that may be selected.
pub fn authorization_digest(
    session_id: &SessionId,
    range: OrdinalRange,
    messages: &[CitedMessage],
    allowed_tool_use_ids: &[ToolUseId],
) -> String {
    hex_digest(&CanonicalWindow {
        version: WINDOW_VERSION,
        session_id: session_id.as_str(),
        message_start_ordinal: range.start().get(),
        message_end_ordinal: range.end().get(),
        messages: messages
            .iter()
            .map(|message| CanonicalWindowMessage {
                ordinal: message.ordinal.get(),
                role: message.role.as_str(),
                content: &message.content,
                source_uuid: message.source_uuid.as_ref().map_or("", |id| id.as_str()),
                tool_calls: message
                    .tool_calls
                    .iter()
                    .map(CanonicalToolCall::from)
                    .collect(),
            })
            .collect(),
        allowed_tool_use_ids: allowed_tool_use_ids.iter().map(ToolUseId::as_str).collect(),
    })
}

/// The digest of the cited content itself: role and text of each message and every call whose id
/// was selected, in stored order. Session, ordinals, stable ids and everything else that may change
/// without changing what was cited are left out, so that evidence survives renumbering.
pub fn content_digest<'a>(
    messages: impl IntoIterator<Item = &'a CitedMessage>,
    selected: &[ToolUseId],
) -> String {
    hex_digest(&CanonicalContent {
        version: CONTENT_VERSION,
        messages: messages
            .into_iter()
            .map(|message| CanonicalContentMessage {
                role: message.role.as_str(),
                content: &message.content,
                tool_calls: message
                    .tool_calls
                    .iter()
                    .filter(|call| {
                        call.tool_use_id
                            .as_ref()
                            .is_some_and(|id| selected.contains(id))
                    })
                    .map(CanonicalToolCall::from)
                    .collect(),
            })
            .collect(),
    })
}

/// Lower-case hex of some bytes.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 0x0f])
        .map(|nibble| char::from(DIGITS[usize::from(nibble)]))
        .collect()
}

/// Streams the JSON into the hash, so that a large window is never copied as text.
#[expect(
    clippy::expect_used,
    reason = "structs of text and integers always encode, and a digest of half of one would be worse"
)]
fn hex_digest(value: &impl Serialize) -> String {
    struct HashWriter(Sha256);
    impl std::io::Write for HashWriter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut writer = HashWriter(Sha256::new());
    serde_json::to_writer(&mut writer, value).expect("canonical JSON");
    hex(&writer.0.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ordinal, Role, SourceUuid};

    fn call(tool: &str, id: &str, input: &str) -> CitedToolCall {
        CitedToolCall {
            tool_name: tool.to_owned(),
            category: if tool == "Write" { "Edit" } else { tool }.to_owned(),
            tool_use_id: Some(ToolUseId::new(id).unwrap()),
            input_json: input.to_owned(),
            ..CitedToolCall::default()
        }
    }

    fn message(ordinal: u32, role: Role, content: &str, calls: Vec<CitedToolCall>) -> CitedMessage {
        CitedMessage {
            ordinal: Ordinal::new(ordinal),
            role,
            content: content.to_owned(),
            source_uuid: Some(SourceUuid::new(format!("source-a-{ordinal}")).unwrap()),
            tool_calls: calls,
        }
    }

    fn golden_messages() -> Vec<CitedMessage> {
        let written = CitedToolCall {
            skill_name: "editing".to_owned(),
            result_content_length: 12,
            result_content: "updated b.go".to_owned(),
            subagent_session_id: "subagent-1".to_owned(),
            ..call("Write", "tool-z", r#"{"path":"b.go"}"#)
        };
        let read = CitedToolCall {
            result_content_length: 12,
            result_content: "package main".to_owned(),
            ..call("Read", "tool-a", r#"{"path":"a.go"}"#)
        };
        let verified = call("Write", "tool-z", r#"{"path":"b.go","mode":"verify"}"#);
        vec![
            message(10, Role::User, "Run the formatter.", vec![]),
            message(
                11,
                Role::Assistant,
                "I will inspect the files.",
                vec![written, read],
            ),
            message(12, Role::Assistant, "The formatter passed.", vec![verified]),
        ]
    }

    fn tool(id: &str) -> ToolUseId {
        ToolUseId::new(id).unwrap()
    }

    // S-E01; model behaviour 17
    #[test]
    fn the_authorization_digest_of_the_golden_window_is_bit_exact() {
        let range = OrdinalRange::new(Ordinal::new(10), Ordinal::new(12)).unwrap();
        let session = SessionId::new("window-session").unwrap();
        assert_eq!(
            authorization_digest(
                &session,
                range,
                &golden_messages(),
                &[tool("tool-a"), tool("tool-z")]
            ),
            "fb664625551c1d233bd42c85348c4ea387f59313f7ec76bdbcec24c392bc12ae"
        );
    }

    // S-E01; model behaviour 21
    #[test]
    fn the_content_digests_of_the_golden_selections_are_bit_exact() {
        let messages = golden_messages();
        assert_eq!(
            content_digest(&messages[..2], &[tool("tool-a")]),
            "bea13151c75e2a1a4bde6e571142d3d5dae2d136a864ef8ad98ae4f1d8f74df6"
        );
        assert_eq!(
            content_digest(&messages[1..], &[tool("tool-z")]),
            "723fa881d4d652fb6650ac6230ca3dc7017d385829c5a9e2c83ce79c883d220d"
        );
    }

    // model behaviour 31
    #[test]
    fn text_is_escaped_minimally() {
        let odd = "<&> é \u{2028} \u{7f} \"\\ \u{8}\t\n\u{c}\r\u{1}";
        let json = serde_json::to_string(odd).unwrap();
        assert_eq!(
            json,
            "\"<&> é \u{2028} \u{7f} \\\"\\\\ \\b\\t\\n\\f\\r\\u0001\""
        );
    }

    // model behaviours 28 to 30
    #[test]
    fn the_content_digest_forgets_places_and_unselected_calls() {
        let messages = golden_messages();
        let mut moved = messages.clone();
        for message in &mut moved {
            message.ordinal = Ordinal::new(message.ordinal.get() + 7);
            message.source_uuid = None;
        }
        let selected = [tool("tool-a")];
        assert_eq!(
            content_digest(&messages, &selected),
            content_digest(&moved, &selected)
        );
        moved[1].tool_calls[0].input_json.push(' ');
        assert_eq!(
            content_digest(&messages, &selected),
            content_digest(&moved, &selected)
        );
        moved[1].tool_calls[1].input_json.push(' ');
        assert_ne!(
            content_digest(&messages, &selected),
            content_digest(&moved, &selected)
        );
    }
}
