//! Rows of the archive as readers see them.

use agentsview_formats::TokenUsage;
use recall_core::{Ordinal, SessionId, Timestamp, TranscriptRevision};

/// One session of the archive.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionRecord {
    /// The archive's id.
    pub id: SessionId,
    /// The agent that recorded it.
    pub agent: String,
    /// Project name; empty if unknown.
    pub project: String,
    /// Working directory; empty if unknown.
    pub cwd: String,
    /// Git branch; empty if unknown.
    pub git_branch: String,
    /// The machine it was recorded on; empty for this one.
    pub machine: String,
    /// The id that the lines themselves carry; empty if none.
    pub source_session_id: String,
    /// The agent program's version; empty if unknown.
    pub source_version: String,
    /// The session it hangs on.
    pub parent_session_id: Option<SessionId>,
    /// How it hangs on its parent; empty without one.
    pub relationship: String,
    /// A name that the user or the agent gave it; empty if none.
    pub name: String,
    /// The first row of a person, shortened.
    pub first_message: String,
    /// The earliest time on any line.
    pub started_at: Option<Timestamp>,
    /// The latest time on any line.
    pub ended_at: Option<Timestamp>,
    /// How many rows it has.
    pub message_count: u64,
    /// How many rows a person wrote.
    pub user_message_count: u64,
    /// How many tool calls it has.
    pub tool_call_count: u64,
    /// Output tokens of all answers; `None` if no answer told.
    pub total_output_tokens: Option<u64>,
    /// The fullest that the context ever was, in tokens; `None` if no answer told.
    pub peak_context_tokens: Option<u64>,
    /// How the recording ends; empty if it cannot be told.
    pub termination_status: String,
    /// Whether no person was behind it.
    pub is_automated: bool,
    /// Lines of its file that could not be read.
    pub malformed_lines: u64,
    /// Lines of its file that were too long.
    pub oversized_lines: u64,
    /// Whether its file ends inside a line.
    pub is_truncated: bool,
    /// How many definite secrets the last scan found.
    pub secret_leak_count: u64,
    /// The rules of the last scan; empty if it was changed since, or never scanned.
    pub secrets_rules_version: String,
    /// Counts changes to its transcript.
    pub transcript_revision: TranscriptRevision,
    /// When it was first stored.
    pub created_at: Timestamp,
}

/// One message with its tool calls.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageRecord {
    /// Its place in the session.
    pub ordinal: Ordinal,
    /// Who wrote it: `user`, `assistant`, `system` or `tool`.
    pub role: String,
    /// What is shown of it.
    pub content: String,
    /// The model's thinking alone; empty if none is readable.
    pub thinking_text: String,
    /// When it was written.
    pub timestamp: Option<Timestamp>,
    /// Whether the agent program put it in the person's place.
    pub is_system: bool,
    /// The model that answered; empty on other rows.
    pub model: String,
    /// What the answer cost.
    pub usage: Option<TokenUsage>,
    /// The `type` of the line it came from.
    pub source_type: String,
    /// What kind of system row it is; empty on others.
    pub source_subtype: String,
    /// The stable id that the format gives it; empty if none.
    pub source_uuid: String,
    /// The stable id of the row it answers; empty if none.
    pub source_parent_uuid: String,
    /// The provider's id of the answer; empty if none.
    pub provider_message_id: String,
    /// Whether it belongs to an agent that worked aside.
    pub is_sidechain: bool,
    /// Whether the conversation was compacted here.
    pub is_compact_boundary: bool,
    /// Its tool calls in source order.
    pub tool_calls: Vec<ToolCallRecord>,
}

/// One tool call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCallRecord {
    /// The id that ties call and result; empty if none.
    pub tool_use_id: String,
    /// The tool's own name.
    pub tool_name: String,
    /// The kind of tool.
    pub category: String,
    /// The arguments.
    pub input_json: String,
    /// The file it was about; empty if none.
    pub file_path: String,
    /// The skill it ran; empty if none.
    pub skill_name: String,
    /// The session of the agent it started; empty if none.
    pub subagent_session_id: String,
    /// What came back, in order of arrival.
    pub results: Vec<ToolResultRecord>,
}

/// One result that a tool call brought.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResultRecord {
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
