//! Messages of a session.

use agentsview_formats::{ParsedMessage, ParsedToolCall, TokenUsage, ToolResult};
use recall_core::{Role, SessionId, TranscriptRevision};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text_of;

/// The answer of `session messages`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessagesDocument {
    /// The messages by rising ordinal.
    pub messages: Vec<MessageDocument>,
    /// How many there are in `messages`.
    pub count: u64,
    /// The ordinal of the first one; left out if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_ordinal: Option<u32>,
    /// The ordinal of the last one; left out if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_ordinal: Option<u32>,
    /// The revision of the transcript that they were read at.
    pub transcript_revision: String,
}

impl MessagesDocument {
    /// Messages of one session, by rising ordinal, read at one revision of its transcript.
    pub fn new(
        session_id: &SessionId,
        revision: TranscriptRevision,
        messages: &[ParsedMessage],
    ) -> Self {
        Self {
            count: messages.len() as u64,
            first_ordinal: messages.first().map(|message| message.ordinal.get()),
            last_ordinal: messages.last().map(|message| message.ordinal.get()),
            transcript_revision: revision.to_string(),
            messages: messages
                .iter()
                .map(|message| MessageDocument::of(session_id, message))
                .collect(),
        }
    }
}

/// One message with its tool calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessageDocument {
    /// The session.
    pub session_id: String,
    /// Its place in the session; places may be missing in between.
    pub ordinal: u32,
    /// Who wrote it.
    #[schemars(extend("enum" = Role::WORDS))]
    pub role: String,
    /// What is shown of it.
    pub content: String,
    /// The model's thinking alone; empty if none is readable.
    pub thinking_text: String,
    /// When it was written; left out if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(extend("format" = "date-time"))]
    pub timestamp: String,
    /// Whether `thinking_text` holds anything.
    pub has_thinking: bool,
    /// Whether there are tool calls.
    pub has_tool_use: bool,
    /// Length of `content` in bytes.
    pub content_length: u64,
    /// The model that answered; empty on other rows.
    pub model: String,
    /// What the answer cost; left out if untold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_usage: Option<TokenUsageDocument>,
    /// How full the context was, in tokens; 0 if untold.
    pub context_tokens: u64,
    /// Tokens of the answer; 0 if untold.
    pub output_tokens: u64,
    /// Whether `context_tokens` is known.
    pub has_context_tokens: bool,
    /// Whether `output_tokens` is known.
    pub has_output_tokens: bool,
    /// The provider's id of the answer; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub provider_message_id: String,
    /// Its tool calls in source order; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCallDocument>,
    /// Whether the agent program put it in the person's place.
    pub is_system: bool,
    /// The `type` of the line it came from.
    pub source_type: String,
    /// What kind of system row it is; left out on others.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source_subtype: String,
    /// The stable id that its format gives it; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source_uuid: String,
    /// The stable id of the row it answers; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source_parent_uuid: String,
    /// Whether it belongs to an agent that worked aside.
    pub is_sidechain: bool,
    /// Whether the conversation was compacted here.
    pub is_compact_boundary: bool,
}

/// Tokens of one model answer; an unknown number is left out, which differs from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TokenUsageDocument {
    /// Uncached input tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Output tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Input tokens written to the provider's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_creation_input_tokens: Option<u64>,
    /// Input tokens read from the provider's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read_input_tokens: Option<u64>,
}

/// One tool call with what came back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCallDocument {
    /// The tool's own name.
    pub tool_name: String,
    /// The kind of tool.
    pub category: String,
    /// The id that ties call and result; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tool_use_id: String,
    /// The arguments, as the agent wrote them; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub input_json: String,
    /// The file it was about; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file_path: String,
    /// The skill it ran; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub skill_name: String,
    /// The session of the agent it started; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subagent_session_id: String,
    /// Length of `result_content` in bytes.
    pub result_content_length: u64,
    /// Everything that came back as one text; left out if nothing did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub result_content: String,
    /// What came back, in order of arrival; left out if nothing did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub result_events: Vec<ToolResultDocument>,
}

/// One result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolResultDocument {
    /// The call that it answers; left out if the call has no id.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tool_use_id: String,
    /// Its place among the results of the call.
    pub event_index: u64,
    /// The kind of line that carried it.
    pub source: String,
    /// `ok`, `errored`, or its format's own word; left out if unsaid.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub status: String,
    /// Its text.
    pub content: String,
    /// Length of `content` in bytes.
    pub content_length: u64,
    /// When it came; left out if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(extend("format" = "date-time"))]
    pub timestamp: String,
    /// The agent that produced it; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agent_id: String,
}

impl MessageDocument {
    pub(crate) fn of(session_id: &SessionId, record: &ParsedMessage) -> Self {
        let context_tokens = record.usage.as_ref().and_then(TokenUsage::context_tokens);
        let output_tokens = record.usage.as_ref().and_then(|usage| usage.output_tokens);
        Self {
            session_id: session_id.to_string(),
            ordinal: record.ordinal.get(),
            role: record.role.to_string(),
            content: record.content.clone(),
            thinking_text: record.thinking_text.clone(),
            timestamp: text_of(record.timestamp.as_ref()),
            has_thinking: !record.thinking_text.is_empty(),
            has_tool_use: !record.tool_calls.is_empty(),
            content_length: record.content.len() as u64,
            model: record.model.clone(),
            token_usage: record.usage.as_ref().map(|usage| TokenUsageDocument {
                input_tokens: usage.input_tokens,
                output_tokens: usage.output_tokens,
                cache_creation_input_tokens: usage.cache_creation_input_tokens,
                cache_read_input_tokens: usage.cache_read_input_tokens,
            }),
            context_tokens: context_tokens.unwrap_or(0),
            output_tokens: output_tokens.unwrap_or(0),
            has_context_tokens: context_tokens.is_some(),
            has_output_tokens: output_tokens.is_some(),
            provider_message_id: record.provider_message_id.clone(),
            tool_calls: record.tool_calls.iter().map(Into::into).collect(),
            is_system: record.is_system,
            source_type: record.source_type.clone(),
            source_subtype: record.source_subtype.clone(),
            source_uuid: text_of(record.source_uuid.as_ref()),
            source_parent_uuid: record.source_parent_uuid.clone(),
            is_sidechain: record.is_sidechain,
            is_compact_boundary: record.is_compact_boundary,
        }
    }
}

impl From<&ParsedToolCall> for ToolCallDocument {
    fn from(record: &ParsedToolCall) -> Self {
        let tool_use_id = text_of(record.tool_use_id.as_ref());
        let result_content = record.result_content();
        Self {
            tool_name: record.tool_name.clone(),
            category: record.category.as_str().to_owned(),
            input_json: record.input_json.clone(),
            file_path: record.file_path.clone(),
            skill_name: record.skill_name.clone(),
            subagent_session_id: text_of(record.subagent_session_id.as_ref()),
            result_content_length: result_content.len() as u64,
            result_content,
            result_events: (0..)
                .zip(&record.results)
                .map(|(event_index, result)| {
                    ToolResultDocument::of(&tool_use_id, event_index, result)
                })
                .collect(),
            tool_use_id,
        }
    }
}

impl ToolResultDocument {
    fn of(tool_use_id: &str, event_index: u64, record: &ToolResult) -> Self {
        Self {
            tool_use_id: tool_use_id.to_owned(),
            event_index,
            source: record.source.clone(),
            status: record.status.clone(),
            content: record.content.clone(),
            content_length: record.content.len() as u64,
            timestamp: text_of(record.timestamp.as_ref()),
            agent_id: record.agent_id.clone(),
        }
    }
}
