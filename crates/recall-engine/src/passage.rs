//! What a citation cites, to be read.

use agentsview_formats::ParsedMessage;
use recall_core::{OrdinalRange, ToolUseId};

/// The stored messages of one citation.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// The cited range.
    pub range: OrdinalRange,
    /// The cited tool uses.
    pub tool_use_ids: Vec<ToolUseId>,
    /// The messages that stand there, with all of their tool calls.
    pub messages: Vec<ParsedMessage>,
}
