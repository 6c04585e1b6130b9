//! A model's answer, put together from the lines that carry it.

use std::collections::HashSet;

use recall_core::ToolUseId;
use serde_json::Value;
use serde_json::value::RawValue;

use super::line::{Block, Message};
use crate::text::{marked_thinking, storable};
use crate::tools::{compact_json, file_path, header};
use crate::{ParsedToolCall, TokenUsage, ToolCategory};

/// What one or several lines of one answer hold.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) message_id: String,
    pub(super) request_id: String,
    pub(super) model: String,
    pub(super) usage: Option<TokenUsage>,
    pub(super) parts: Vec<Part>,
    /// What `parts` holds, once a line has added to them; empty before. An answer can have tens of
    /// thousands of lines, too many to compare each with all before it.
    seen: HashSet<Identity>,
    /// Whether the model said that its turn is over.
    pub(super) is_turn_end: bool,
}

#[derive(Debug)]
pub(super) enum Part {
    Text(String),
    Thinking(String),
    Call(Box<Call>),
}

/// What makes two parts the same.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Identity {
    Text(String),
    Thinking(String),
    Call(ToolUseId),
    /// A call that the file gives no id; all else that is known of it follows from these.
    UnnamedCall {
        tool_name: String,
        input_json: String,
    },
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) header: String,
    pub(super) call: ParsedToolCall,
}

impl Answer {
    pub(super) fn new(message: Message<'_>, request_id: Option<String>) -> Self {
        let owned = |text: Option<std::borrow::Cow<'_, str>>| {
            text.map(|text| storable(text.into_owned()))
                .unwrap_or_default()
        };
        Self {
            is_turn_end: message.stop_reason.as_deref() == Some("end_turn"),
            message_id: owned(message.id),
            request_id: request_id.unwrap_or_default(),
            model: owned(message.model),
            usage: message.usage.map(|usage| TokenUsage {
                input_tokens: usage.input_tokens,
                output_tokens: usage.output_tokens,
                cache_creation_input_tokens: usage.cache_creation_input_tokens,
                cache_read_input_tokens: usage.cache_read_input_tokens,
            }),
            parts: message.content.0.into_iter().filter_map(part).collect(),
            seen: HashSet::new(),
        }
    }

    /// Whether the next line carries more of this answer.
    pub(super) fn is_continued_by(&self, next: &Self) -> bool {
        !self.message_id.is_empty() && self.message_id == next.message_id
    }

    /// Takes the next line of the same answer.
    ///
    /// A line either repeats what came before, grown, or brings further parts. Once the model has
    /// ended its turn nothing can grow, so a look-alike is a part of its own.
    pub(super) fn extend(&mut self, next: Self) {
        let is_snapshot = !self.is_turn_end
            && next.parts.len() >= self.parts.len()
            && self
                .parts
                .iter()
                .zip(&next.parts)
                .all(|(old, new)| new.is_grown_from(old));
        if is_snapshot {
            self.parts = next.parts;
            self.seen.clear();
        } else {
            if self.seen.is_empty() {
                self.seen.extend(self.parts.iter().map(Part::identity));
            }
            let Self { parts, seen, .. } = self;
            let unseen = next.parts.into_iter();
            parts.extend(unseen.filter(|part| seen.insert(part.identity())));
        }
        self.usage = next.usage.or(self.usage);
        self.is_turn_end |= next.is_turn_end;
        for (kept, last) in [
            (&mut self.model, next.model),
            (&mut self.request_id, next.request_id),
        ] {
            if !last.is_empty() {
                *kept = last;
            }
        }
    }

    /// What a transcript shows: texts, marked thinking and the headers of calls, a line between.
    pub(super) fn content(&self) -> String {
        let pieces: Vec<_> = self
            .parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => std::borrow::Cow::Borrowed(text.as_str()),
                Part::Thinking(text) => marked_thinking(text).into(),
                Part::Call(call) => call.header.as_str().into(),
            })
            .collect();
        pieces.join("\n")
    }

    pub(super) fn thinking(&self) -> String {
        let thoughts: Vec<_> = self
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Thinking(text) => Some(text.as_str()),
                Part::Text(_) | Part::Call(_) => None,
            })
            .collect();
        thoughts.join("\n")
    }
}

impl Part {
    fn is_grown_from(&self, old: &Self) -> bool {
        match (old, self) {
            (Self::Text(old), Self::Text(new)) | (Self::Thinking(old), Self::Thinking(new)) => {
                new.starts_with(old.as_str())
            }
            _ => self.identity() == old.identity(),
        }
    }

    fn identity(&self) -> Identity {
        match self {
            Self::Text(text) => Identity::Text(text.clone()),
            Self::Thinking(text) => Identity::Thinking(text.clone()),
            Self::Call(call) => match &call.call.tool_use_id {
                Some(id) => Identity::Call(id.clone()),
                None => Identity::UnnamedCall {
                    tool_name: call.call.tool_name.clone(),
                    input_json: call.call.input_json.clone(),
                },
            },
        }
    }
}

/// Blank texts and sealed thinking show nothing and are no parts.
fn part(block: Block<'_>) -> Option<Part> {
    let readable = |text: Option<std::borrow::Cow<'_, str>>| {
        let text = text.filter(|text| !text.trim().is_empty())?;
        Some(storable(text.into_owned()))
    };
    match block.kind.as_deref()? {
        "text" => readable(block.text).map(Part::Text),
        "thinking" => readable(block.thinking).map(Part::Thinking),
        "tool_use" => Some(Part::Call(Box::new(call(&block)))),
        _ => None,
    }
}

fn call(block: &Block<'_>) -> Call {
    let name = storable(block.name.as_deref().unwrap_or_default().to_owned());
    let raw = block.input.map(RawValue::get);
    let input: Option<Value> = raw.and_then(|raw| serde_json::from_str(raw).ok());
    let input_json = match (&input, raw) {
        (Some(input), _) => compact_json(input),
        (None, Some(raw)) => storable(raw.to_owned()),
        (None, None) => String::new(),
    };
    let input = input.unwrap_or_default();
    let category = ToolCategory::of_tool(&name);
    Call {
        header: storable(header(&name, category, &input)),
        call: ParsedToolCall {
            tool_use_id: block.id.as_deref().and_then(|id| ToolUseId::new(id).ok()),
            skill_name: skill(&name, &input),
            file_path: storable(file_path(&input)),
            tool_name: name,
            category,
            input_json,
            subagent_session_id: None,
            results: Vec::new(),
        },
    }
}

fn skill(tool_name: &str, input: &Value) -> String {
    if tool_name != "Skill" {
        return String::new();
    }
    // Earlier versions called the argument after the slash command that it replaced.
    let name = ["skill", "command"]
        .iter()
        .find_map(|key| input.get(key)?.as_str());
    storable(name.unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::claude::line::Line;

    /// The content after lines of one answer with these blocks and stop reasons.
    fn merged(lines: &[(&str, &str)]) -> String {
        let mut answers = lines.iter().map(|(blocks, stop)| {
            let line =
                format!(r#"{{"message":{{"id":"m","content":{blocks},"stop_reason":{stop}}}}}"#);
            let line: Line<'_> = serde_json::from_str(&line).unwrap();
            Answer::new(line.message, None)
        });
        let mut answer = answers.next().unwrap();
        answers.for_each(|next| answer.extend(next));
        answer.content()
    }

    #[test]
    fn a_snapshot_replaces_what_it_grew_from() {
        let one = r#"[{"type":"text","text":"I wi"}]"#;
        let two = r#"[{"type":"text","text":"I will."},{"type":"tool_use","id":"t","name":"Bash","input":{}}]"#;
        let three = r#"[{"type":"text","text":"I will."},{"type":"tool_use","id":"t","name":"Bash","input":{"command":"ls"}}]"#;
        assert_eq!(
            merged(&[(one, "null"), (two, "null"), (three, "null")]),
            "I will.\n[Bash]\n$ ls"
        );
    }

    #[test]
    fn further_parts_are_added_once() {
        let thought = r#"[{"type":"thinking","thinking":"Hm."}]"#;
        let text = r#"[{"type":"text","text":"Yes."}]"#;
        let call = r#"[{"type":"tool_use","id":"t","name":"Read","input":{"file_path":"/a"}}]"#;
        assert_eq!(
            merged(&[
                (thought, "null"),
                (text, "null"),
                (call, "null"),
                (call, "null")
            ]),
            "[Thinking]\nHm.\n[/Thinking]\nYes.\n[Read: /a]"
        );
    }

    /// One block out of few, so that they repeat; calls with an id, and without.
    fn block() -> impl Strategy<Value = String> {
        prop_oneof![
            "[ab]".prop_map(|text| format!(r#"{{"type":"text","text":"{text}"}}"#)),
            "[ab]".prop_map(|text| format!(r#"{{"type":"thinking","thinking":"{text}"}}"#)),
            "[ab]".prop_map(|id| format!(r#"{{"type":"tool_use","id":"{id}","name":"Read"}}"#)),
            ("[ab]", "[ab]").prop_map(|(name, argument)| format!(
                r#"{{"type":"tool_use","name":"{name}","input":{{"file_path":"{argument}"}}}}"#
            )),
        ]
    }

    proptest! {
        #[test]
        fn a_part_is_added_if_none_before_it_is_the_same(
            lines in prop::collection::vec(prop::collection::vec(block(), 0..4), 1..12),
        ) {
            let lines: Vec<_> = lines.iter().map(|line| format!("[{}]", line.join(","))).collect();
            // The first line ends the turn, so that all others add.
            let lines: Vec<_> = lines.iter().map(|line| (line.as_str(), r#""end_turn""#)).collect();
            let mut expected: Vec<String> = Vec::new();
            for (at, line) in lines.iter().enumerate() {
                let blocks: Vec<Value> = serde_json::from_str(line.0).unwrap();
                for block in blocks {
                    let block = block.to_string();
                    if at == 0 || !expected.contains(&block) {
                        expected.push(block);
                    }
                }
            }
            let expected = format!("[{}]", expected.join(","));
            prop_assert_eq!(merged(&lines), merged(&[(&expected, "null")]));
        }
    }

    #[test]
    fn what_a_snapshot_replaced_no_longer_counts_as_seen() {
        let one = r#"[{"type":"text","text":"a"}]"#;
        let other = r#"[{"type":"text","text":"b"}]"#;
        let grown = r#"[{"type":"text","text":"ab"},{"type":"text","text":"bc"}]"#;
        let lines = [one, other, grown, other].map(|line| (line, "null"));
        assert_eq!(merged(&lines), "ab\nbc\nb");
    }

    #[test]
    fn an_answer_of_very_many_lines_keeps_every_call() {
        let lines: Vec<_> = (0..10_000)
            .map(|id| format!(r#"[{{"type":"tool_use","id":"t{id}","name":"Read"}}]"#))
            .collect();
        let lines: Vec<_> = lines.iter().map(|line| (line.as_str(), "null")).collect();
        assert_eq!(merged(&lines).lines().count(), lines.len());
    }

    #[test]
    fn nothing_grows_after_the_end_of_the_turn() {
        let one = r#"[{"type":"text","text":"Done"}]"#;
        let two = r#"[{"type":"text","text":"Done, and more."}]"#;
        assert_eq!(
            merged(&[(one, r#""end_turn""#), (two, "null")]),
            "Done\nDone, and more."
        );
        assert_eq!(merged(&[(one, "null"), (two, "null")]), "Done, and more.");
    }

    #[test]
    fn arguments_of_any_depth_are_kept() {
        let deep = "[".repeat(500) + &"]".repeat(500);
        let line = format!(
            r#"{{"message":{{"content":[{{"type":"tool_use","id":"t","name":"X","input":{deep}}}]}}}}"#
        );
        let line: Line<'_> = serde_json::from_str(&line).unwrap();
        let answer = Answer::new(line.message, None);
        let [Part::Call(call)] = answer.parts.as_slice() else {
            panic!("one call expected: {answer:?}");
        };
        assert_eq!(call.call.input_json, deep);
        assert_eq!(call.header, "[X]");
    }
}
