//! The part of a transcript that evidence can cite.

use crate::{Ordinal, OrdinalRange, Role, SessionId, SourceUuid, ToolUseId};

/// A tool call as evidence sees it: no row ids, no order beyond its place in the message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CitedToolCall {
    /// The tool's own name.
    pub tool_name: String,
    /// The kind of tool, for example `Bash` or `Edit`.
    pub category: String,
    /// The id that ties call and result; `None` if the format has none.
    pub tool_use_id: Option<ToolUseId>,
    /// The call's arguments as the agent wrote them.
    pub input_json: String,
    /// The skill that the call ran; empty if none.
    pub skill_name: String,
    /// The text of each result, in order of arrival; empty while there is none.
    pub results: Vec<String>,
    /// The session of the agent that the call started; empty if none.
    pub subagent_session_id: String,
}

/// A message as evidence sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedMessage {
    /// Its place in the session.
    pub ordinal: Ordinal,
    /// Who wrote it.
    pub role: Role,
    /// Its text, verbatim as stored.
    pub content: String,
    /// Whether the agent program put it there, whatever its role says.
    pub is_system: bool,
    /// Its stable id, where the format has one.
    pub source_uuid: Option<SourceUuid>,
    /// Its tool calls in stored order.
    pub tool_calls: Vec<CitedToolCall>,
}

/// A stretch of one session, read in one snapshot, that the host allows to be cited. Only the host
/// builds one; a model or an importer may only narrow it (S-E04).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidenceWindow {
    /// The session.
    pub session_id: SessionId,
    /// The range that was asked for.
    pub range: OrdinalRange,
    /// The stored messages of the range, by rising ordinal.
    pub messages: Vec<CitedMessage>,
    /// The tool uses that occur in the window, sorted by bytes, each once.
    pub allowed_tool_use_ids: Vec<ToolUseId>,
    /// Those of them whose result may still come, and which therefore cannot be cited yet.
    pub pending_tool_use_ids: Vec<ToolUseId>,
    /// Lower-case hex SHA-256 over session, range, messages and allowed tool uses; proves that the
    /// window was not altered.
    pub authorization_digest: String,
}
