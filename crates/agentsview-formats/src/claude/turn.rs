//! A user or assistant line, read and owned.

use recall_core::{Timestamp, ToolUseId};

use super::answer::Answer;
use super::line::{Block, Content, Line, ResultBlock};
use super::prompt::{self, Piece};
use crate::ToolResult;
use crate::text::storable;
use crate::time::timestamp;

#[derive(Debug)]
pub(super) struct Turn {
    /// The line's `type`.
    pub(super) source_type: String,
    pub(super) uuid: String,
    pub(super) parent_uuid: String,
    pub(super) timestamp: Option<Timestamp>,
    pub(super) is_sidechain: bool,
    pub(super) side: Side,
}

/// Whose line it is.
#[derive(Debug)]
pub(super) enum Side {
    Assistant(Answer),
    User(Input),
    /// What the program wrote in place of the conversation when it was compacted.
    Summary(String),
}

/// What reached the model from outside.
#[derive(Debug, Default)]
pub(super) struct Input {
    pub(super) pieces: Vec<Piece>,
    pub(super) results: Vec<(ToolUseId, ToolResult)>,
}

impl Turn {
    pub(super) fn assistant(mut line: Line<'_>) -> Self {
        let message = std::mem::take(&mut line.message);
        let request_id = line.request_id.take().map(|id| storable(id.into_owned()));
        Self::new(line, Side::Assistant(Answer::new(message, request_id)))
    }

    pub(super) fn user(mut line: Line<'_>) -> Self {
        let content = std::mem::take(&mut line.message.content);
        if line.is_compact_summary {
            let text = storable(text(&content.0));
            return Self::new(line, Side::Summary(text));
        }
        let mut input = Input::default();
        if !line.is_meta {
            input.pieces = prompt::pieces(&storable(text(&content.0)));
        }
        let agent_id = line.tool_use_result.agent_id.as_deref().unwrap_or_default();
        let time = line.timestamp.as_deref().and_then(timestamp);
        input.results = content
            .0
            .into_iter()
            .filter_map(|block| result(block, time, agent_id))
            .collect();
        Self::new(line, Side::User(input))
    }

    /// A prompt that was typed while the agent worked, and reached it as an attachment.
    pub(super) fn queued(mut line: Line<'_>) -> Self {
        let prompt = std::mem::take(&mut line.attachment.prompt);
        let pieces = prompt::pieces(&storable(text(&prompt.0)));
        let results = Vec::new();
        Self::new(line, Side::User(Input { pieces, results }))
    }

    fn new(line: Line<'_>, side: Side) -> Self {
        let owned = |text: Option<std::borrow::Cow<'_, str>>| text.unwrap_or_default().into_owned();
        Self {
            timestamp: line.timestamp.as_deref().and_then(timestamp),
            source_type: owned(line.kind),
            uuid: identity(line.uuid),
            parent_uuid: identity(line.parent_uuid),
            is_sidechain: line.is_sidechain,
            side,
        }
    }

    pub(super) fn is_prompt(&self) -> bool {
        match &self.side {
            Side::User(input) => input.pieces.iter().any(|piece| piece.system.is_none()),
            Side::Assistant(_) | Side::Summary(_) => false,
        }
    }

    /// Whether it only brings results to the model.
    pub(super) fn is_result_only(&self) -> bool {
        match &self.side {
            Side::User(input) => input.pieces.is_empty() && !input.results.is_empty(),
            Side::Assistant(_) | Side::Summary(_) => false,
        }
    }

    /// Whether nothing of it is shown: it was for the model's eyes alone.
    pub(super) fn is_hidden(&self) -> bool {
        match &self.side {
            Side::User(input) => input.pieces.is_empty() && input.results.is_empty(),
            Side::Assistant(answer) => answer.parts.is_empty(),
            Side::Summary(text) => text.trim().is_empty(),
        }
    }

    /// Whether both carry the same answer of the model.
    pub(super) fn is_continued_by(&self, next: &Self) -> bool {
        match (&self.side, &next.side) {
            (Side::Assistant(answer), Side::Assistant(next)) => answer.is_continued_by(next),
            _ => false,
        }
    }
}

/// An id as the archive takes it: without control characters, line ends among them.
fn identity(text: Option<std::borrow::Cow<'_, str>>) -> String {
    text.unwrap_or_default()
        .trim()
        .replace(char::is_control, "")
}

/// The text of a user's message. A picture is shown only where there is nothing else to show.
fn text(blocks: &[Block<'_>]) -> String {
    joined(
        blocks
            .iter()
            .map(|block| (block.kind.as_deref(), block.text.as_deref())),
    )
}

fn result_text(content: &Content<ResultBlock<'_>>) -> String {
    let blocks = content.0.iter();
    joined(blocks.map(|block| (block.kind.as_deref(), block.text.as_deref())))
}

fn joined<'a>(blocks: impl Iterator<Item = (Option<&'a str>, Option<&'a str>)>) -> String {
    let mut has_picture = false;
    let mut joined = String::new();
    for (kind, text) in blocks {
        has_picture |= kind == Some("image");
        let Some(text) = text.filter(|_| kind == Some("text")) else {
            continue;
        };
        if !joined.is_empty() {
            joined.push('\n');
        }
        joined.push_str(text);
    }
    if joined.is_empty() && has_picture {
        "[Image]".clone_into(&mut joined);
    }
    joined
}

fn result(
    block: Block<'_>,
    timestamp: Option<Timestamp>,
    agent_id: &str,
) -> Option<(ToolUseId, ToolResult)> {
    if block.kind.as_deref() != Some("tool_result") {
        return None;
    }
    let id = ToolUseId::new(block.tool_use_id?).ok()?;
    let result = ToolResult {
        source: "tool_result".to_owned(),
        status: if block.is_error { "errored" } else { "ok" }.to_owned(),
        content: storable(result_text(&block.content)),
        timestamp,
        agent_id: agent_id.to_owned(),
    };
    Some((id, result))
}
