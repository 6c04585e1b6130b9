//! Sessions of the archive.

use recall_store::{SessionPage, SessionRecord};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{is_false, is_zero, text_of};

/// The answer of `session list`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SessionListDocument {
    /// The sessions, most recently active first.
    pub sessions: Vec<SessionDocument>,
    /// How many sessions there are to show, whatever the limit.
    pub total: u64,
    /// How many more there are that no person started: automated ones, and those that another
    /// session started.
    pub hidden: u64,
}

impl From<&SessionPage> for SessionListDocument {
    fn from(page: &SessionPage) -> Self {
        Self {
            sessions: page.sessions.iter().map(Into::into).collect(),
            total: page.visible,
            hidden: page.hidden,
        }
    }
}

/// The answer of `session get`, and one row of `session list`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionDocument {
    /// The archive's id.
    pub id: String,
    /// Project name; empty if unknown.
    pub project: String,
    /// The machine it was recorded on; empty for this one.
    pub machine: String,
    /// The agent that recorded it.
    pub agent: String,
    /// A name that the user or the agent gave it; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The first row of a person, shortened; left out if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub first_message: String,
    /// The earliest time on any line; left out if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(extend("format" = "date-time"))]
    pub started_at: String,
    /// The latest time on any line; left out if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(extend("format" = "date-time"))]
    pub ended_at: String,
    /// How many rows it has.
    pub message_count: u64,
    /// How many rows a person wrote.
    pub user_message_count: u64,
    /// How many tool calls it has.
    pub tool_call_count: u64,
    /// Output tokens of all answers; 0 if no answer told.
    pub total_output_tokens: u64,
    /// The fullest that the context ever was, in tokens; 0 if no answer told.
    pub peak_context_tokens: u64,
    /// Whether `total_output_tokens` is known.
    pub has_total_output_tokens: bool,
    /// Whether `peak_context_tokens` is known.
    pub has_peak_context_tokens: bool,
    /// Whether no person was behind it.
    pub is_automated: bool,
    /// How many definite secrets the last scan found.
    pub secret_leak_count: u64,
    /// The rules that saw its transcript as it is; left out if no scan could see all of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub secrets_rules_version: String,
    /// Working directory; left out if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cwd: String,
    /// Git branch; left out if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub git_branch: String,
    /// The session it hangs on; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub parent_session_id: String,
    /// How it hangs on its parent; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub relationship_type: String,
    /// The id that its own lines carry; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source_session_id: String,
    /// The agent program's version; left out if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source_version: String,
    /// How the recording ends; left out if it cannot be told.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub termination_status: String,
    /// Lines of its file that could not be read; left out if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub parser_malformed_lines: u64,
    /// Lines of its file that were too long; left out if there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub parser_oversized_lines: u64,
    /// Whether its file ends inside a line; left out if it does not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_truncated: bool,
    /// Counts changes to its transcript; a text, because it is compared and not calculated with.
    pub transcript_revision: String,
    /// When it was first stored.
    #[schemars(extend("format" = "date-time"))]
    pub created_at: String,
    /// When it was put in the trash; left out if it is not there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(extend("format" = "date-time"))]
    pub trashed_at: String,
}

impl From<&SessionRecord> for SessionDocument {
    fn from(record: &SessionRecord) -> Self {
        Self {
            id: record.id.to_string(),
            project: record.project.clone(),
            machine: record.machine.clone(),
            agent: record.agent.clone(),
            name: record.name.clone(),
            first_message: record.first_message.clone(),
            started_at: text_of(record.started_at.as_ref()),
            ended_at: text_of(record.ended_at.as_ref()),
            message_count: record.message_count,
            user_message_count: record.user_message_count,
            tool_call_count: record.tool_call_count,
            total_output_tokens: record.total_output_tokens.unwrap_or(0),
            peak_context_tokens: record.peak_context_tokens.unwrap_or(0),
            has_total_output_tokens: record.total_output_tokens.is_some(),
            has_peak_context_tokens: record.peak_context_tokens.is_some(),
            is_automated: record.is_automated,
            secret_leak_count: record.secret_leak_count,
            secrets_rules_version: record.secrets_rules_version.clone(),
            cwd: record.cwd.clone(),
            git_branch: record.git_branch.clone(),
            parent_session_id: text_of(record.parent_session_id.as_ref()),
            relationship_type: record.relationship.clone(),
            source_session_id: record.source_session_id.clone(),
            source_version: record.source_version.clone(),
            termination_status: record.termination_status.clone(),
            parser_malformed_lines: record.malformed_lines,
            parser_oversized_lines: record.oversized_lines,
            is_truncated: record.is_truncated,
            transcript_revision: record.transcript_revision.to_string(),
            created_at: record.created_at.to_string(),
            trashed_at: text_of(record.trashed_at.as_ref()),
        }
    }
}
