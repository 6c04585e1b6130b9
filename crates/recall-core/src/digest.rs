//! Canonical digests of cited content.
//!
//! A digest is the lower-case hex SHA-256 of compact JSON: members in the order of the structs
//! below, integers in decimal, text escaped minimally (`"`, `\` and the control characters below
//! U+0020, with short forms where JSON has them). Text is hashed verbatim: nothing is trimmed,
//! folded or normalised. `serde_json` writes exactly this form; the golden tests pin it.
//!
//! A change of encoding needs a new [`ContentVersion`], and rows of an old version keep verifying
//! by their own rules.

use std::borrow::Cow;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{CitedMessage, CitedToolCall, OrdinalRange, SessionId, ToolUseId};

/// The rules of [`authorization_digest`].
pub const WINDOW_VERSION: &str = "recall-evidence-window/v1";

/// The rules that a content digest is made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContentVersion {
    /// Hashes a tool's results as one text with its length, and what the parser made of the call
    /// (its category, its skill, the session it started).
    V1,
    /// Hashes each result of a tool as a text of its own, and nothing that a later parser may see
    /// differently or that may arrive after the text.
    V2,
}

impl ContentVersion {
    /// The rules for new evidence.
    pub const CURRENT: Self = Self::V2;

    /// The name of the rules; part of what is hashed.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "recall-evidence-content/v1",
            Self::V2 => "recall-evidence-content/v2",
        }
    }

    /// The rules of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::V1, Self::V2]
            .into_iter()
            .find(|version| version.as_str() == name)
    }
}

/// A digest of cited content with the rules it was made by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ContentDigest {
    version: ContentVersion,
    hex: String,
}

impl ContentDigest {
    /// A digest that was stored; `None` unless it is 64 lower-case hex digits.
    pub fn from_stored(version: ContentVersion, hex: String) -> Option<Self> {
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (hex.len() == 64 && hex.bytes().all(is_hex)).then_some(Self { version, hex })
    }

    /// The rules it was made by.
    pub fn version(&self) -> ContentVersion {
        self.version
    }

    /// Lower-case hex SHA-256.
    pub fn as_hex(&self) -> &str {
        &self.hex
    }
}

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
    tool_calls: Vec<ToolCallV1<'a>>,
}

#[derive(Serialize)]
struct CanonicalContent<'a, C> {
    version: &'static str,
    messages: Vec<CanonicalContentMessage<'a, C>>,
}

#[derive(Serialize)]
struct CanonicalContentMessage<'a, C> {
    role: &'static str,
    content: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<C>,
}

/// A call as windows and the first version of the content digest see it.
#[derive(Serialize)]
struct ToolCallV1<'a> {
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
    result_content: Cow<'a, str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    subagent_session_id: &'a str,
}

/// A call as the second version of the content digest sees it.
#[derive(Serialize)]
struct ToolCallV2<'a> {
    tool_name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    tool_use_id: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    input_json: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    results: &'a [String],
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes the field by reference"
)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl<'a> From<&'a CitedToolCall> for ToolCallV1<'a> {
    fn from(call: &'a CitedToolCall) -> Self {
        let result_content = match call.results.as_slice() {
            [one] => Cow::Borrowed(one.as_str()),
            results => Cow::Owned(results.join("\n")),
        };
        Self {
            tool_name: &call.tool_name,
            category: &call.category,
            tool_use_id: call.tool_use_id.as_ref().map_or("", |id| id.as_str()),
            input_json: &call.input_json,
            skill_name: &call.skill_name,
            result_content_length: result_content.len() as u64,
            result_content,
            subagent_session_id: &call.subagent_session_id,
        }
    }
}

impl<'a> From<&'a CitedToolCall> for ToolCallV2<'a> {
    fn from(call: &'a CitedToolCall) -> Self {
        Self {
            tool_name: &call.tool_name,
            tool_use_id: call.tool_use_id.as_ref().map_or("", |id| id.as_str()),
            input_json: &call.input_json,
            results: &call.results,
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
                tool_calls: message.tool_calls.iter().map(ToolCallV1::from).collect(),
            })
            .collect(),
        allowed_tool_use_ids: allowed_tool_use_ids.iter().map(ToolUseId::as_str).collect(),
    })
}

/// The digest of the cited content itself: role and text of each message and every call whose id
/// was selected, in stored order. Session, ordinals, stable ids and everything else that may change
/// without changing what was cited are left out, so that evidence survives renumbering.
pub fn content_digest(
    version: ContentVersion,
    messages: &[CitedMessage],
    selected: &[ToolUseId],
) -> ContentDigest {
    let hex = match version {
        ContentVersion::V1 => content_hex::<ToolCallV1<'_>>(version, messages, selected),
        ContentVersion::V2 => content_hex::<ToolCallV2<'_>>(version, messages, selected),
    };
    ContentDigest { version, hex }
}

/// The digest of one message's role and text, the same under all rules.
pub fn opening_digest(message: &CitedMessage) -> String {
    let alone = std::slice::from_ref(message);
    content_digest(ContentVersion::V2, alone, &[]).hex
}

fn content_hex<'a, C>(
    version: ContentVersion,
    messages: &'a [CitedMessage],
    selected: &[ToolUseId],
) -> String
where
    C: From<&'a CitedToolCall> + Serialize,
{
    let is_selected = |call: &&CitedToolCall| {
        let id = call.tool_use_id.as_ref();
        id.is_some_and(|id| selected.contains(id))
    };
    hex_digest(&CanonicalContent {
        version: version.as_str(),
        messages: messages
            .iter()
            .map(|message| CanonicalContentMessage {
                role: message.role.as_str(),
                content: &message.content,
                tool_calls: message
                    .tool_calls
                    .iter()
                    .filter(is_selected)
                    .map(C::from)
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
            is_system: false,
            source_uuid: Some(SourceUuid::new(format!("source-a-{ordinal}")).unwrap()),
            tool_calls: calls,
        }
    }

    fn golden_messages() -> Vec<CitedMessage> {
        let written = CitedToolCall {
            skill_name: "editing".to_owned(),
            results: vec!["updated b.go".to_owned()],
            subagent_session_id: "subagent-1".to_owned(),
            ..call("Write", "tool-z", r#"{"path":"b.go"}"#)
        };
        let read = CitedToolCall {
            results: vec!["package main".to_owned()],
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

    // S-E01
    #[test]
    fn model_017_the_authorization_digest_of_the_golden_window_is_bit_exact() {
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

    // S-E01
    #[test]
    fn model_021_the_content_digests_of_the_golden_selections_are_bit_exact() {
        let messages = golden_messages();
        let digest = |messages, id| content_digest(ContentVersion::V1, messages, &[tool(id)]);
        assert_eq!(
            digest(&messages[..2], "tool-a").as_hex(),
            "bea13151c75e2a1a4bde6e571142d3d5dae2d136a864ef8ad98ae4f1d8f74df6"
        );
        assert_eq!(
            digest(&messages[1..], "tool-z").as_hex(),
            "723fa881d4d652fb6650ac6230ca3dc7017d385829c5a9e2c83ce79c883d220d"
        );
    }

    // S-E01
    #[test]
    fn the_second_version_hashes_each_result_and_nothing_that_the_parser_derived() {
        let messages = golden_messages();
        let selected = [tool("tool-a"), tool("tool-z")];
        let digest =
            |messages: &[CitedMessage]| content_digest(ContentVersion::V2, messages, &selected);
        let canonical = concat!(
            r#"{"version":"recall-evidence-content/v2","messages":[{"role":"assistant","#,
            r#""content":"I will inspect the files.","tool_calls":[{"tool_name":"Write","#,
            r#""tool_use_id":"tool-z","input_json":"{\"path\":\"b.go\"}","results":["updated b.go"]},"#,
            r#"{"tool_name":"Read","tool_use_id":"tool-a","input_json":"{\"path\":\"a.go\"}","#,
            r#""results":["package main"]}]}]}"#
        );
        let expected = hex(&Sha256::digest(canonical.as_bytes()));
        assert_eq!(digest(&messages[1..2]).as_hex(), expected);

        let mut derived = messages.clone();
        derived[1].tool_calls[0].category = "Tool".to_owned();
        derived[1].tool_calls[0].skill_name.clear();
        derived[1].tool_calls[0].subagent_session_id.clear();
        assert_eq!(digest(&messages), digest(&derived));

        let mut joined = messages.clone();
        joined[1].tool_calls[0].results = vec!["updated".to_owned(), "b.go".to_owned()];
        let mut split = messages;
        split[1].tool_calls[0].results = vec!["updated\nb.go".to_owned()];
        assert_ne!(
            digest(&joined),
            digest(&split),
            "a result ends where it ends"
        );
    }

    #[test]
    fn a_stored_digest_is_64_lower_case_hex_digits() {
        let stored = |hex: &str| ContentDigest::from_stored(ContentVersion::V1, hex.to_owned());
        assert!(stored(&"0a".repeat(32)).is_some());
        for wrong in ["", &"0A".repeat(32), &"0a".repeat(31), &"0g".repeat(32)] {
            assert_eq!(stored(wrong), None, "{wrong}");
        }
        for version in [ContentVersion::V1, ContentVersion::V2] {
            assert_eq!(ContentVersion::from_name(version.as_str()), Some(version));
        }
        assert_eq!(ContentVersion::from_name("v3"), None);
    }

    #[test]
    fn model_031_text_is_escaped_minimally() {
        let odd = "<&> é \u{2028} \u{7f} \"\\ \u{8}\t\n\u{c}\r\u{1}";
        let json = serde_json::to_string(odd).unwrap();
        assert_eq!(
            json,
            "\"<&> é \u{2028} \u{7f} \\\"\\\\ \\b\\t\\n\\f\\r\\u0001\""
        );
    }

    #[test]
    fn model_028_equal_text_at_other_places_has_an_equal_content_digest() {
        let messages = golden_messages();
        let mut moved = messages.clone();
        for message in &mut moved {
            message.ordinal = Ordinal::new(message.ordinal.get() + 7);
            message.source_uuid = None;
        }
        let session = |id: &str| SessionId::new(id).unwrap();
        let range = |start: u32, end: u32| {
            OrdinalRange::new(Ordinal::new(start), Ordinal::new(end)).unwrap()
        };
        assert_ne!(
            authorization_digest(&session("a"), range(10, 12), &messages, &[]),
            authorization_digest(&session("b"), range(17, 19), &moved, &[])
        );
        for version in [ContentVersion::V1, ContentVersion::V2] {
            let digest =
                |messages: &[CitedMessage]| content_digest(version, messages, &[tool("tool-a")]);
            assert_eq!(digest(&messages), digest(&moved));
        }
    }

    #[test]
    fn model_029_other_text_of_the_first_message_has_another_content_digest() {
        let messages = golden_messages();
        let mut edited = messages.clone();
        edited[0].content.push('!');
        for version in [ContentVersion::V1, ContentVersion::V2] {
            let digest = |messages: &[CitedMessage]| content_digest(version, messages, &[]);
            assert_ne!(digest(&messages), digest(&edited));
        }
        assert_ne!(opening_digest(&messages[0]), opening_digest(&edited[0]));
    }

    #[test]
    fn model_030_only_selected_tool_uses_are_in_the_content_digest() {
        let messages = golden_messages();
        for version in [ContentVersion::V1, ContentVersion::V2] {
            let digest =
                |messages: &[CitedMessage]| content_digest(version, messages, &[tool("tool-a")]);
            let mut edited = messages.clone();
            edited[1].tool_calls[0].input_json.push(' ');
            assert_eq!(digest(&messages), digest(&edited));
            edited[1].tool_calls[1].input_json.push(' ');
            assert_ne!(digest(&messages), digest(&edited));
        }
    }
}
