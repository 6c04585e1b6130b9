//! Rows of the archive as readers see them.

use agentsview_formats::ParsedMessage;
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
    /// The rules that saw its transcript as it is; empty if no scan could see all of it.
    pub secrets_rules_version: String,
    /// Counts changes to its transcript.
    pub transcript_revision: TranscriptRevision,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it was put in the trash; `None` if it was not.
    pub trashed_at: Option<Timestamp>,
}

/// Where in a message a scan looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldKind {
    /// The message's own text.
    Message,
    /// The arguments of a tool call.
    ToolInput,
    /// A result of a tool call.
    ToolResult,
}

impl FieldKind {
    /// The word for storage and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::ToolInput => "tool_input",
            Self::ToolResult => "tool_result",
        }
    }
}

/// One text of a transcript that may hold a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScannedField<'a> {
    /// The message.
    pub ordinal: Ordinal,
    /// The part of the message.
    pub kind: FieldKind,
    /// The tool call; 0 in the message's own text.
    pub call_index: usize,
    /// The result; 0 elsewhere.
    pub event_index: usize,
    /// The text as stored.
    pub text: &'a str,
}

/// Every text of some messages that may hold a secret, in stored order.
pub fn scanned_fields(messages: &[ParsedMessage]) -> impl Iterator<Item = ScannedField<'_>> {
    messages.iter().flat_map(|message| {
        let field = move |kind, call_index, event_index, text| ScannedField {
            ordinal: message.ordinal,
            kind,
            call_index,
            event_index,
            text,
        };
        let own = std::iter::once(field(FieldKind::Message, 0, 0, message.content.as_str()));
        let calls = message
            .tool_calls
            .iter()
            .enumerate()
            .flat_map(move |(call_index, call)| {
                let input = field(
                    FieldKind::ToolInput,
                    call_index,
                    0,
                    call.input_json.as_str(),
                );
                let results = call
                    .results
                    .iter()
                    .enumerate()
                    .map(move |(event_index, result)| {
                        field(
                            FieldKind::ToolResult,
                            call_index,
                            event_index,
                            result.content.as_str(),
                        )
                    });
                std::iter::once(input).chain(results)
            });
        own.chain(calls)
    })
}

/// How sure a rule is of what it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingTier {
    /// A vendor's own format; counts as a leak.
    Definite,
    /// A heuristic.
    Candidate,
}

impl FindingTier {
    /// The word for storage and JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Definite => "definite",
            Self::Candidate => "candidate",
        }
    }
}

/// A secret that a scan found. The secret itself is not kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SecretFinding {
    /// The message.
    pub ordinal: Ordinal,
    /// The part of the message.
    pub kind: FieldKind,
    /// The tool call; 0 in the message's own text.
    pub call_index: usize,
    /// The result; 0 elsewhere.
    pub event_index: usize,
    /// First byte of the match in the stored text.
    pub start: usize,
    /// The byte after the match.
    pub end: usize,
    /// The rule that matched.
    pub rule: String,
    /// How sure the rule is.
    pub confidence: FindingTier,
    /// The match with its middle masked.
    pub redacted: String,
}

/// What a scan of one session found, and by which rules.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScanRecord {
    /// The version of the rules; empty if nothing was scanned.
    pub rules_version: String,
    /// The findings.
    pub findings: Vec<SecretFinding>,
}

impl ScanRecord {
    /// How many findings are of the definite tier.
    pub fn definite(&self) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.confidence == FindingTier::Definite)
            .count()
    }
}

/// A finding with the session it belongs to, as a listing shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingRecord {
    /// The session.
    pub session_id: SessionId,
    /// The session's project.
    pub project: String,
    /// The session's agent.
    pub agent: String,
    /// The finding.
    pub finding: SecretFinding,
    /// The rules that found it.
    pub rules_version: String,
}
