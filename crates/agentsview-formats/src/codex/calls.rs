//! The tool calls among the items, in one shape.

use recall_core::ToolUseId;
use serde_json::{Value, json};

use super::record::{Field, Item};
use crate::text::storable;
use crate::tools::{compact_json, file_path, header};
use crate::{ParsedToolCall, ToolCategory};

/// A call before it has a row.
#[derive(Debug)]
pub(super) struct Call {
    tool_name: String,
    category: ToolCategory,
    input: Value,
    input_json: String,
    /// Whether a later item brings the result. Tools that the provider runs have none.
    pub(super) awaits_result: bool,
}

impl Call {
    /// The call that an item stands for; `None` if it is no call, or says nothing of what was done.
    pub(super) fn of(item: &Item<'_>, kind: &str) -> Option<Self> {
        match kind {
            "function_call" => Some(Self::named(item, item.arguments)),
            "custom_tool_call" => Some(Self::named(item, item.input)),
            "local_shell_call" => Some(Self::new("local_shell", item.action.value(), true)),
            "web_search_call" => item
                .action
                .is_present()
                .then(|| Self::new("web_search", item.action.value(), false)),
            "image_generation_call" => {
                let prompt = item.revised_prompt.text()?;
                Some(Self::new(
                    "image_generation",
                    json!({ "prompt": prompt }),
                    false,
                ))
            }
            _ => None,
        }
    }

    /// A call of which only the result is known.
    pub(super) fn unknown() -> Self {
        Self::new("unknown", Value::Null, false)
    }

    /// A call that started an agent, of which only a note on the agent is known.
    pub(super) fn spawn() -> Self {
        Self::new("spawn_agent", Value::Null, false)
    }

    fn named(item: &Item<'_>, arguments: Field<'_>) -> Self {
        let name = item.name.owned();
        let namespace = item.namespace.owned();
        // Tools of MCP servers bear the names that the servers give them, which mean something
        // only together with the server.
        let name = if namespace.starts_with("mcp__") && !name.starts_with("mcp__") {
            format!("{}__{name}", namespace.trim_end_matches('_'))
        } else if name.is_empty() {
            "unknown".to_owned()
        } else {
            name
        };
        let Some(written) = arguments.text() else {
            let input = if arguments.raw().starts_with('"') {
                Value::Null
            } else {
                arguments.value()
            };
            return Self::new(&name, input, true);
        };
        match serde_json::from_str(&written) {
            Ok(input @ (Value::Object(_) | Value::Array(_))) => Self::new(&name, input, true),
            _ => Self::new(&name, Value::String(written.into_owned()), true),
        }
    }

    fn new(tool_name: &str, input: Value, awaits_result: bool) -> Self {
        let input_json = match &input {
            Value::Null => String::new(),
            Value::String(written) => storable(written.clone()),
            input => compact_json(input),
        };
        Self {
            tool_name: storable(tool_name.to_owned()),
            category: ToolCategory::of_tool(tool_name),
            input,
            input_json,
            awaits_result,
        }
    }

    pub(super) fn header(&self) -> String {
        storable(header(&self.tool_name, self.category, &self.input))
    }

    /// The call as stored, without results.
    pub(super) fn parsed(self, key: &str) -> ParsedToolCall {
        ParsedToolCall {
            tool_use_id: ToolUseId::new(key).ok(),
            tool_name: self.tool_name,
            category: self.category,
            file_path: storable(file_path(&self.input)),
            input_json: self.input_json,
            skill_name: String::new(),
            subagent_session_id: None,
            results: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::object;
    use super::*;

    fn call(item: &str) -> Option<(String, ParsedToolCall)> {
        let item: Item<'_> = object(item.as_bytes()).unwrap();
        let call = Call::of(&item, &item.kind.text().unwrap())?;
        Some((call.header(), call.parsed("c1")))
    }

    #[test]
    fn every_kind_of_call_is_headed_and_kept_whole() {
        for (item, heading, input_json) in [
            (
                r#"{"type":"function_call","name":"shell","arguments":"{\"command\": [\"ls\"]}"}"#,
                "[Bash]\n$ ls",
                r#"{"command":["ls"]}"#,
            ),
            (
                r#"{"type":"function_call","name":"find_page","namespace":"mcp__wiki__","arguments":{"query":"x"}}"#,
                "[mcp__wiki__find_page: x]",
                r#"{"query":"x"}"#,
            ),
            (
                r#"{"type":"custom_tool_call","name":"apply_patch","input":"*** Begin Patch\n*** Update File: a.rs\n"}"#,
                "[Edit: a.rs]",
                "*** Begin Patch\n*** Update File: a.rs\n",
            ),
            (
                r#"{"type":"local_shell_call","action":{"type":"exec","command":["pwd"]}}"#,
                "[Bash]\n$ pwd",
                r#"{"command":["pwd"],"type":"exec"}"#,
            ),
            (
                r#"{"type":"web_search_call","action":{"type":"search","query":"sqlite"}}"#,
                "[web_search: sqlite]",
                r#"{"query":"sqlite","type":"search"}"#,
            ),
            (
                r#"{"type":"image_generation_call","revised_prompt":"A cat","result":"aGk="}"#,
                "[image_generation: A cat]",
                r#"{"prompt":"A cat"}"#,
            ),
            (
                r#"{"type":"function_call","name":[],"arguments":null}"#,
                "[unknown]",
                "",
            ),
        ] {
            let (header, call) = call(item).unwrap();
            assert_eq!(
                (header.as_str(), call.input_json.as_str()),
                (heading, input_json)
            );
        }
    }

    #[test]
    fn a_search_that_does_not_say_for_what_is_no_row() {
        assert!(call(r#"{"type":"web_search_call","status":"completed"}"#).is_none());
    }
}
