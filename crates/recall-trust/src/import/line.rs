//! The policy of one line, in the order in which its rules are checked.

use recall_core::{
    Confidence, EntryId, EpisodeId, ImportItem, ImportProblem, Label, Ordinal, OrdinalRange, RunId,
    SessionId, SkipReason, ToolUseId,
};
use serde_json::Value;

use super::Candidate;
use super::error::LineError;
use super::identity::identity;
use super::json::{kind, parse};
use super::members::{EvidenceMembers, Members};
use crate::evidence::{Selection, check_snippets};
use crate::insertion::Draft;
use crate::limits::{self, MAX_ID_BYTES, MAX_TOOL_USES, SizeError};

/// How many bytes a line may have; the reader enforces it as well, so that it never holds more.
pub const MAX_LINE_BYTES: usize = 4 * 1024 * 1024;

/// What one line of a reviewed import is.
#[derive(Debug, Clone, PartialEq)]
pub enum LineVerdict {
    /// Nothing but white space.
    Blank,
    /// Sound in form and not to be kept.
    Skip(ImportItem),
    /// To be imported, if session, evidence and the replaced entry allow.
    Candidate(Box<Candidate>),
    /// Unusable.
    Problem(ImportProblem),
}

/// Reads one line, with or without its line break. `line_no` counts from 1, blank lines included.
///
/// Form comes first (UTF-8, one object, no member twice, none unknown or host-controlled, the right
/// types); then the reviewer's verdict: a line that was not kept is skipped, however wrong its
/// content, and one without a verdict is a problem; then the content is checked.
pub fn parse_line(line_no: u64, bytes: &[u8]) -> LineVerdict {
    let bytes = bytes.trim_ascii();
    if bytes.is_empty() {
        return LineVerdict::Blank;
    }
    verdict(line_no, bytes).unwrap_or_else(|error| {
        LineVerdict::Problem(ImportProblem {
            line: line_no,
            message: error.to_string(),
        })
    })
}

fn verdict(line_no: u64, bytes: &[u8]) -> Result<LineVerdict, LineError> {
    if bytes.len() > MAX_LINE_BYTES {
        return Err(LineError::TooLong(bytes.len()));
    }
    let members = match parse(bytes)? {
        Value::Object(object) => Members::read(object)?,
        // `null` is a line whose members are all absent.
        Value::Null => Members::default(),
        other => return Err(LineError::NotAnObject(kind(&other))),
    };
    match kept(&members)? {
        Ok(label) => {
            let candidate = candidate(members, label)?;
            Ok(LineVerdict::Candidate(Box::new(candidate)))
        }
        Err(reason) => Ok(LineVerdict::Skip(skipped(line_no, members, reason))),
    }
}

/// The label of a line that its reviewer kept, or why it is passed over. Only a reviewer who said
/// "no" passes over a line: one who did not say is an error, or a forgotten member would lose it in
/// silence.
fn kept(members: &Members) -> Result<Result<Label, SkipReason>, LineError> {
    if !given("transferable", members.transferable)? {
        return Ok(Err(SkipReason::NotTransferable));
    }
    if !given("provenance_ok", members.provenance_ok)? {
        return Ok(Err(SkipReason::ProvenanceNotOk));
    }
    let label = given("label", members.label.as_ref())?;
    Ok(label.parse().map_err(|_| SkipReason::LabelNotKeeper))
}

fn given<T>(name: &'static str, verdict: Option<T>) -> Result<T, LineError> {
    verdict.ok_or(LineError::Missing(name))
}

fn skipped(line: u64, members: Members, reason: SkipReason) -> ImportItem {
    ImportItem {
        line,
        candidate_id: members.candidate_id,
        title: members.title,
        source_session_id: members.session_id,
        supersedes_entry_id: members.supersedes,
        label: members.label.unwrap_or_default(),
        claimed_type: None,
        speakers: Vec::new(),
        skipped: Some(reason),
    }
}

fn candidate(members: Members, label: Label) -> Result<Candidate, LineError> {
    let id = identity("candidate_id", &members.candidate_id, EntryId::new)?;
    let source_session_id = identity("session_id", &members.session_id, SessionId::new)?;
    let source_run_id = identity("run_id", &members.run_id, RunId::optional)?;
    let source_episode_id = identity("episode_id", &members.episode_id, EpisodeId::optional)?;
    let supersedes = identity(
        "supersedes_entry_id",
        &members.supersedes,
        EntryId::optional,
    )?;
    let tool_use_ids = tool_use_ids(&members.evidence)?;
    for (name, text) in [("title", &members.title), ("body", &members.body)] {
        if text.is_empty() {
            return Err(LineError::Missing(name));
        }
    }
    let draft = Draft {
        id,
        entry_type: members.entry_type.parse()?,
        scope: members.scope.parse()?,
        title: members.title,
        body: members.body,
        trigger: members.trigger,
        confidence: members.confidence.map(Confidence::new).transpose()?,
        uncertainty: members.uncertainty,
        project: members.project,
        cwd: members.cwd,
        git_branch: members.git_branch,
        agent: members.agent,
        source_session_id,
        source_episode_id,
        source_run_id,
        extractor_method: members.extractor_method,
        model: members.model,
        supersedes,
    };
    let range = range(&members.evidence)?;
    limits::check(&draft)?;
    check_snippets(&members.evidence.snippets)?;
    Ok(Candidate {
        draft,
        label,
        selection: Selection {
            range,
            tool_use_ids,
        },
        snippets: members.evidence.snippets,
        speakers: members
            .evidence
            .speakers
            .iter()
            .map(|word| word.trim().parse())
            .collect::<Result<_, _>>()?,
    })
}

fn tool_use_ids(evidence: &EvidenceMembers) -> Result<Vec<ToolUseId>, LineError> {
    let count = evidence.tool_use_ids.len();
    if count > MAX_TOOL_USES {
        return Err(SizeError::TooManyToolUses { count }.into());
    }
    evidence
        .tool_use_ids
        .iter()
        .map(|id| {
            limits::check_bytes("tool_use_id", id, MAX_ID_BYTES)?;
            identity("tool_use_id", id, ToolUseId::new)
        })
        .collect()
}

fn range(evidence: &EvidenceMembers) -> Result<OrdinalRange, LineError> {
    let (Some(start), Some(end)) = (evidence.start, evidence.end) else {
        return Err(LineError::MissingRange);
    };
    let invalid = LineError::InvalidRange { start, end };
    match (Ordinal::try_from(start), Ordinal::try_from(end)) {
        (Ok(start), Ok(end)) => OrdinalRange::new(start, end).map_err(|_| invalid),
        _ => Err(invalid),
    }
}

#[cfg(test)]
mod tests;
