//! The lines of a rollout file, borrowed from their bytes and typed only when asked.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A field whose type is settled when it is read: a wrong one is as good as absent, so that it
/// costs nothing but itself.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(transparent)]
pub(super) struct Field<'a>(#[serde(borrow)] Option<&'a RawValue>);

impl<'a> Field<'a> {
    pub(super) fn is_present(self) -> bool {
        self.0.is_some()
    }

    /// The JSON text itself; empty if absent.
    pub(super) fn raw(self) -> &'a str {
        self.0.map_or("", RawValue::get)
    }

    /// A string that is more than white space.
    pub(super) fn text(self) -> Option<Cow<'a, str>> {
        let raw = self.raw();
        let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
        let text = if inner.contains('\\') {
            // What cannot be unescaped is kept as it is written rather than lost.
            serde_json::from_str(raw).map_or(Cow::Borrowed(inner), Cow::Owned)
        } else {
            Cow::Borrowed(inner)
        };
        (!text.trim().is_empty()).then_some(text)
    }

    pub(super) fn owned(self) -> String {
        self.text().map(Cow::into_owned).unwrap_or_default()
    }

    pub(super) fn number(self) -> Option<u64> {
        self.raw().parse().ok()
    }

    /// The parts of a list; nothing if it is none.
    pub(super) fn list(self) -> Vec<Self> {
        serde_json::from_str(self.raw()).unwrap_or_default()
    }

    /// The object's named fields.
    pub(super) fn object<T: Deserialize<'a>>(self) -> Option<T> {
        let raw = self.raw();
        // Without this a list would be read as the fields in their order.
        if raw.starts_with('{') {
            serde_json::from_str(raw).ok()
        } else {
            None
        }
    }

    pub(super) fn value(self) -> Value {
        serde_json::from_str(self.raw()).unwrap_or_default()
    }
}

/// One line: an envelope around a payload, or in older files the payload itself.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Line<'a> {
    #[serde(borrow)]
    pub(super) timestamp: Field<'a>,
    #[serde(borrow, rename = "type")]
    pub(super) kind: Field<'a>,
    #[serde(borrow)]
    pub(super) payload: Field<'a>,
}

/// What a session says of itself at the start.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SessionMeta<'a> {
    #[serde(borrow)]
    pub(super) id: Field<'a>,
    #[serde(borrow)]
    pub(super) cwd: Field<'a>,
    #[serde(borrow)]
    pub(super) git: Field<'a>,
    #[serde(borrow)]
    pub(super) cli_version: Field<'a>,
    #[serde(borrow)]
    pub(super) forked_from_id: Field<'a>,
    #[serde(borrow)]
    pub(super) parent_thread_id: Field<'a>,
    #[serde(borrow)]
    pub(super) source: Field<'a>,
}

/// What a turn was run with.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TurnContext<'a> {
    #[serde(borrow)]
    pub(super) turn_id: Field<'a>,
    #[serde(borrow)]
    pub(super) model: Field<'a>,
}

/// A piece of the conversation as it went to and from the model.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Item<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Field<'a>,
    #[serde(borrow)]
    pub(super) id: Field<'a>,
    #[serde(borrow)]
    pub(super) role: Field<'a>,
    #[serde(borrow)]
    pub(super) content: Field<'a>,
    #[serde(borrow)]
    pub(super) summary: Field<'a>,
    #[serde(borrow)]
    pub(super) author: Field<'a>,
    #[serde(borrow)]
    pub(super) call_id: Field<'a>,
    #[serde(borrow)]
    pub(super) name: Field<'a>,
    #[serde(borrow)]
    pub(super) namespace: Field<'a>,
    #[serde(borrow)]
    pub(super) arguments: Field<'a>,
    #[serde(borrow)]
    pub(super) input: Field<'a>,
    #[serde(borrow)]
    pub(super) action: Field<'a>,
    #[serde(borrow)]
    pub(super) revised_prompt: Field<'a>,
    #[serde(borrow)]
    pub(super) output: Field<'a>,
    #[serde(borrow)]
    internal_chat_message_metadata_passthrough: Field<'a>,
    #[serde(borrow)]
    metadata: Field<'a>,
}

impl<'a> Item<'a> {
    /// The turn that the item says it belongs to.
    pub(super) fn turn_id(&self) -> Option<Cow<'a, str>> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Metadata<'a> {
            #[serde(borrow)]
            turn_id: Field<'a>,
        }
        [
            self.internal_chat_message_metadata_passthrough,
            self.metadata,
        ]
        .into_iter()
        .filter_map(Field::object::<Metadata<'a>>)
        .find_map(|metadata| metadata.turn_id.text())
    }
}

/// What the program cut the conversation down to.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Compacted<'a> {
    #[serde(borrow)]
    pub(super) message: Field<'a>,
}

/// Something that happened around the conversation.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Event<'a> {
    #[serde(borrow, rename = "type")]
    pub(super) kind: Field<'a>,
    #[serde(borrow)]
    pub(super) turn_id: Field<'a>,
    #[serde(borrow)]
    pub(super) info: Field<'a>,
    #[serde(borrow)]
    pub(super) thread_id: Field<'a>,
    #[serde(borrow)]
    pub(super) thread_name: Field<'a>,
    #[serde(borrow)]
    pub(super) call_id: Field<'a>,
    #[serde(borrow)]
    pub(super) new_thread_id: Field<'a>,
    #[serde(borrow, rename = "event_id")]
    pub(super) id: Field<'a>,
    #[serde(borrow)]
    pub(super) agent_thread_id: Field<'a>,
}

/// The object on a line; `None` if the line holds no JSON object.
pub(super) fn object<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Option<T> {
    if line.trim_ascii_start().starts_with(b"{") {
        serde_json::from_slice(line).ok()
    } else {
        None
    }
}

/// The text of a message or a tool's output: a string, or a list of parts that carry some.
pub(super) fn texts(content: Field<'_>) -> Vec<Cow<'_, str>> {
    if let Some(text) = content.text() {
        return vec![text];
    }
    let mut parts = content.list();
    if parts.is_empty() {
        parts.push(content);
    }
    parts
        .into_iter()
        .filter_map(|part| {
            #[derive(Default, Deserialize)]
            #[serde(default)]
            struct Part<'a> {
                #[serde(borrow)]
                text: Field<'a>,
            }
            part.text()
                .or_else(|| part.object::<Part<'_>>()?.text.text())
        })
        .collect()
}

/// Whether a message has a picture among its parts.
pub(super) fn has_image(content: Field<'_>) -> bool {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Part<'a> {
        #[serde(borrow, rename = "type")]
        kind: Field<'a>,
    }
    content.list().into_iter().any(|part| {
        part.object::<Part<'_>>()
            .is_some_and(|part| part.kind.text().as_deref() == Some("input_image"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_the_wrong_type_is_absent_and_its_neighbours_are_read() {
        let item: Item<'_> = object(
            br#" {"type":"message","role":7,"content":{"a":1},"id":["x"],"name":"n\u00e4"}"#,
        )
        .unwrap();
        assert_eq!(item.kind.text().unwrap(), "message");
        assert_eq!(item.role.text(), None);
        assert_eq!(item.id.text(), None);
        assert_eq!(item.name.text().unwrap(), "nä");
        assert!(texts(item.content).is_empty());
        assert!(object::<Item<'_>>(br#"["message"]"#).is_none());
    }

    #[test]
    fn a_text_that_cannot_be_unescaped_is_kept_as_written() {
        let item: Item<'_> = object(br#"{"name":"cut \ud83d off"}"#).unwrap();
        assert_eq!(item.name.text().unwrap(), r"cut \ud83d off");
    }

    #[test]
    fn text_comes_as_a_string_a_list_or_one_part() {
        for (content, expected) in [
            (r#""a""#, vec!["a"]),
            (
                r#"[{"type":"input_text","text":"a"},{"type":"x"},"b",3]"#,
                vec!["a", "b"],
            ),
            (r#"{"type":"input_text","text":"a"}"#, vec!["a"]),
            ("7", vec![]),
        ] {
            let line = format!(r#"{{"content":{content}}}"#);
            let item: Item<'_> = object(line.as_bytes()).unwrap();
            assert_eq!(texts(item.content), expected);
        }
    }
}
