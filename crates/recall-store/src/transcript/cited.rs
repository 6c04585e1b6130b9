//! Stored messages as evidence sees them.

use agentsview_formats::{ParsedMessage, ParsedToolCall};
use recall_core::{CitedMessage, CitedToolCall};

/// A message without what cannot be cited.
pub(crate) fn cited(message: &ParsedMessage) -> CitedMessage {
    CitedMessage {
        ordinal: message.ordinal,
        role: message.role,
        content: message.content.clone(),
        is_system: message.is_system,
        source_uuid: message.source_uuid.clone(),
        tool_calls: message.tool_calls.iter().map(cited_call).collect(),
    }
}

fn cited_call(call: &ParsedToolCall) -> CitedToolCall {
    CitedToolCall {
        tool_name: call.tool_name.clone(),
        category: call.category.as_str().to_owned(),
        tool_use_id: call.tool_use_id.clone(),
        input_json: call.input_json.clone(),
        skill_name: call.skill_name.clone(),
        results: call
            .results
            .iter()
            .map(|result| result.content.clone())
            .collect(),
        subagent_session_id: call
            .subagent_session_id
            .as_ref()
            .map_or_else(String::new, ToString::to_string),
    }
}
