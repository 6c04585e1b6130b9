//! What a parser makes of a session file: the common model of every agent.

use recall_core::{Ordinal, Role, SessionId, SourceUuid, Timestamp, ToolUseId};
use serde::{Deserialize, Serialize};

use crate::{Agent, ToolCategory};

/// Everything one file yielded.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ParsedFile {
    /// The sessions, the file's own first, then those forked inside it.
    pub sessions: Vec<ParsedSession>,
    /// Complete lines that could not be read.
    pub malformed_lines: u64,
    /// Lines over [`crate::MAX_LINE_BYTES`], passed over.
    pub oversized_lines: u64,
    /// Whether the file ends in the middle of a line that cannot be read: it is still being
    /// written, or was cut off.
    pub is_truncated: bool,
    /// Bytes up to the end of the last complete line.
    pub consumed_bytes: u64,
}

/// How a session hangs on its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relationship {
    /// The parent was resumed or compacted into this one.
    Continuation,
    /// The parent started an agent that worked here.
    Subagent,
    /// The parent's conversation was branched.
    Fork,
}

impl Relationship {
    /// The word for storage and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Continuation => "continuation",
            Self::Subagent => "subagent",
            Self::Fork => "fork",
        }
    }
}

/// How the recording of a session ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// In the middle of a line.
    Truncated,
    /// The last assistant row waits for the result of a tool call.
    ToolCallPending,
    /// The agent finished its turn and nothing followed.
    AwaitingUser,
    /// After a completed exchange.
    Clean,
}

impl Termination {
    /// The word for storage and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::ToolCallPending => "tool_call_pending",
            Self::AwaitingUser => "awaiting_user",
            Self::Clean => "clean",
        }
    }
}

/// One session.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedSession {
    /// The archive's id: the agent's prefix and the native id.
    pub id: SessionId,
    /// The agent that recorded it.
    pub agent: Agent,
    /// Project name; empty if unknown.
    pub project: String,
    /// Working directory as recorded; empty if unknown.
    pub cwd: String,
    /// Git branch as recorded; empty if unknown.
    pub git_branch: String,
    /// The id that the lines themselves carry; empty if none.
    pub source_session_id: String,
    /// The agent program's version; empty if unknown.
    pub source_version: String,
    /// The session it hangs on.
    pub parent: Option<(SessionId, Relationship)>,
    /// A name that the user or the agent gave it; empty if none.
    pub name: String,
    /// The earliest time on any line.
    pub started_at: Option<Timestamp>,
    /// The latest time on any line.
    pub ended_at: Option<Timestamp>,
    /// How the recording ends; `None` if it cannot be told.
    pub termination: Option<Termination>,
    /// Whether no person was behind it.
    pub is_automated: bool,
    /// Its rows by rising ordinal, which need not be contiguous.
    pub messages: Vec<ParsedMessage>,
}

/// Tokens of one model answer. An absent number differs from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Uncached input tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Output tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Input tokens written to the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_creation_input_tokens: Option<u64>,
    /// Input tokens read from the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_read_input_tokens: Option<u64>,
}

impl TokenUsage {
    /// Input and both caches together: how full the context was. `None` if no number is known.
    pub fn context_tokens(&self) -> Option<u64> {
        let parts = [
            self.input_tokens,
            self.cache_creation_input_tokens,
            self.cache_read_input_tokens,
        ];
        parts.into_iter().flatten().reduce(u64::saturating_add)
    }
}

/// One row of a transcript: a visible piece of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedMessage {
    /// Its place in the session.
    pub ordinal: Ordinal,
    /// Who wrote it.
    pub role: Role,
    /// What is shown of it: text, marked thinking, and a header a tool call, in source order.
    pub content: String,
    /// The model's thinking alone; empty if none is readable.
    pub thinking_text: String,
    /// When it was written.
    pub timestamp: Option<Timestamp>,
    /// Whether the agent program, not the person, put it in the person's place.
    pub is_system: bool,
    /// The model that answered; empty on other rows.
    pub model: String,
    /// What the answer cost; on one row of the answer only.
    pub usage: Option<TokenUsage>,
    /// The `type` of the line it came from.
    pub source_type: String,
    /// What kind of system row it is; empty on others.
    pub source_subtype: String,
    /// The stable id that the format gives it.
    pub source_uuid: Option<SourceUuid>,
    /// The stable id of the row it answers; empty if none.
    pub source_parent_uuid: String,
    /// The provider's id of the answer; empty if none.
    pub provider_message_id: String,
    /// The provider's id of the request; empty if none.
    pub provider_request_id: String,
    /// Whether it belongs to an agent that worked aside.
    pub is_sidechain: bool,
    /// Whether the conversation was compacted here.
    pub is_compact_boundary: bool,
    /// Its tool calls in source order.
    pub tool_calls: Vec<ParsedToolCall>,
}

impl ParsedMessage {
    /// A row of which no more is known.
    pub fn new(ordinal: Ordinal, role: Role, content: impl Into<String>) -> Self {
        Self {
            ordinal,
            role,
            content: content.into(),
            thinking_text: String::new(),
            timestamp: None,
            is_system: false,
            model: String::new(),
            usage: None,
            source_type: String::new(),
            source_subtype: String::new(),
            source_uuid: None,
            source_parent_uuid: String::new(),
            provider_message_id: String::new(),
            provider_request_id: String::new(),
            is_sidechain: false,
            is_compact_boundary: false,
            tool_calls: Vec::new(),
        }
    }
}

/// One tool call with what came back.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedToolCall {
    /// The id that ties call and result.
    pub tool_use_id: Option<ToolUseId>,
    /// The tool's own name.
    pub tool_name: String,
    /// The kind of tool.
    pub category: ToolCategory,
    /// The arguments as compact JSON, or as the agent wrote them where they are no JSON.
    pub input_json: String,
    /// The file it was about; empty if none.
    pub file_path: String,
    /// The skill it ran; empty if none.
    pub skill_name: String,
    /// The session of the agent it started.
    pub subagent_session_id: Option<SessionId>,
    /// What came back, in order of arrival; empty while it is pending.
    pub results: Vec<ToolResult>,
}

/// One result that a tool call brought.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// The kind of line that carried it.
    pub source: String,
    /// `ok`, `errored`, or the format's own word; empty if unsaid.
    pub status: String,
    /// Its text.
    pub content: String,
    /// When it came.
    pub timestamp: Option<Timestamp>,
    /// The agent that produced it; empty if none.
    pub agent_id: String,
}

impl ParsedToolCall {
    /// Everything that came back as one text: the results in order of arrival, a line each.
    pub fn result_content(&self) -> String {
        let results: Vec<&str> = self
            .results
            .iter()
            .map(|result| result.content.as_str())
            .collect();
        results.join("\n")
    }
}

impl ParsedSession {
    /// Rows that a person wrote.
    pub fn user_messages(&self) -> impl Iterator<Item = &ParsedMessage> {
        self.messages.iter().filter(|message| {
            message.role == Role::User && !message.is_system && !message.content.trim().is_empty()
        })
    }

    /// The first row of a person that is more than a bare slash command: on one line, at most 300
    /// characters.
    pub fn first_message(&self) -> String {
        self.user_messages()
            .map(|message| message.content.trim())
            .find(|text| !text.starts_with('/') || text.contains(char::is_whitespace))
            .map(|text| text.replace(['\n', '\r'], " ").chars().take(300).collect())
            .unwrap_or_default()
    }
}
