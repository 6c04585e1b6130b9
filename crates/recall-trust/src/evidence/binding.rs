//! Narrowing a sealed window to what an entry cites.

use std::collections::BTreeSet;

use recall_core::digest::{self, ContentDigest, ContentVersion};
use recall_core::{
    CitedMessage, Evidence, EvidenceWindow, OrdinalRange, SessionId, SourceUuid, ToolUseId,
};

use super::EvidenceError;
use super::snippets::{CitedText, check_snippets, spread};
use super::window::check_endpoints;
use crate::limits::MAX_ID_BYTES;

/// What a model or an importer wants to cite: some messages of a window, and some of their tool
/// uses. It names no session and carries no digest, since neither is theirs to choose (S-E04).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The messages.
    pub range: OrdinalRange,
    /// The tool uses; order and repetition mean nothing.
    pub tool_use_ids: Vec<ToolUseId>,
}

impl Selection {
    /// The tool uses sorted by bytes, each once.
    pub fn distinct_tool_use_ids(&self) -> Vec<ToolUseId> {
        let ids: BTreeSet<&ToolUseId> = self.tool_use_ids.iter().collect();
        ids.into_iter().cloned().collect()
    }
}

/// Proof that a selection was checked against a sealed window. Only [`bind`] makes one, so whoever
/// holds it may call an entry's provenance verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundEvidence {
    session_id: SessionId,
    range: OrdinalRange,
    start_uuid: Option<SourceUuid>,
    end_uuid: Option<SourceUuid>,
    message_count: u32,
    content_bytes: u64,
    content_digest: ContentDigest,
    opening_digest: Option<String>,
    tool_use_ids: Vec<ToolUseId>,
    text: CitedText,
}

/// Binds a selection to its window. Checked in this order: the window is as it was sealed; the
/// selection lies inside; its tool uses occur in the window; it begins and ends at stored messages;
/// its tool uses occur on selected messages and have their results.
pub fn bind(
    window: &EvidenceWindow,
    selection: &Selection,
) -> Result<BoundEvidence, EvidenceError> {
    check_seal(window)?;
    let range = selection.range;
    if !window.range.covers(range) {
        return Err(EvidenceError::OutsideWindow {
            selection: range,
            window: window.range,
        });
    }
    let tool_use_ids = selection.distinct_tool_use_ids();
    if let Some(id) = tool_use_ids
        .iter()
        .find(|id| !window.allowed_tool_use_ids.contains(id))
    {
        return Err(EvidenceError::ToolOutsideWindow {
            tool_use_id: id.clone(),
            window: window.range,
            occurring: citable(&window.allowed_tool_use_ids),
        });
    }
    let messages = selected_messages(window, range);
    check_endpoints(&window.session_id, range, messages)?;
    if let Some(id) = tool_use_ids.iter().find(|id| !occurs(id, messages)) {
        return Err(EvidenceError::ToolOutsideSelection {
            tool_use_id: id.clone(),
            selection: range,
        });
    }
    if let Some(id) = tool_use_ids
        .iter()
        .find(|id| window.pending_tool_use_ids.contains(id))
    {
        return Err(EvidenceError::ToolPending {
            tool_use_id: id.clone(),
        });
    }
    let version = ContentVersion::CURRENT;
    Ok(BoundEvidence {
        session_id: window.session_id.clone(),
        range,
        start_uuid: messages.first().and_then(|first| first.source_uuid.clone()),
        end_uuid: messages.last().and_then(|last| last.source_uuid.clone()),
        // Windows are bounded far below the numbers of a u32.
        message_count: u32::try_from(messages.len()).unwrap_or(u32::MAX),
        content_bytes: messages
            .iter()
            .map(|message| message.content.len() as u64)
            .sum(),
        content_digest: digest::content_digest(version, messages, &tool_use_ids),
        opening_digest: messages.first().map(digest::opening_digest),
        text: CitedText::of(messages, &tool_use_ids),
        tool_use_ids,
    })
}

/// The ids that a citation may name: a transcript can hold any, and an error repeats some of them.
fn citable(ids: &[ToolUseId]) -> Vec<ToolUseId> {
    ids.iter()
        .filter(|id| id.as_str().len() <= MAX_ID_BYTES)
        .cloned()
        .collect()
}

fn check_seal(window: &EvidenceWindow) -> Result<(), EvidenceError> {
    let expected = digest::authorization_digest(
        &window.session_id,
        window.range,
        &window.messages,
        &window.allowed_tool_use_ids,
    );
    if window.authorization_digest == expected {
        Ok(())
    } else {
        Err(EvidenceError::AuthorizationInvalid {
            session_id: window.session_id.clone(),
            range: window.range,
        })
    }
}

fn selected_messages(window: &EvidenceWindow, range: OrdinalRange) -> &[CitedMessage] {
    let messages = &window.messages;
    let start = messages.partition_point(|message| message.ordinal < range.start());
    let end = messages.partition_point(|message| message.ordinal <= range.end());
    messages.get(start..end).unwrap_or_default()
}

fn occurs(id: &ToolUseId, messages: &[CitedMessage]) -> bool {
    messages
        .iter()
        .flat_map(|message| &message.tool_calls)
        .any(|call| call.tool_use_id.as_ref() == Some(id))
}

impl BoundEvidence {
    /// The cited session.
    pub fn session_id(&self) -> &SessionId {
        &self.session_id
    }

    /// The cited messages.
    pub fn range(&self) -> OrdinalRange {
        self.range
    }

    /// The stable id of the first cited message, where its format has one.
    pub fn start_uuid(&self) -> Option<&SourceUuid> {
        self.start_uuid.as_ref()
    }

    /// The stable id of the last cited message, where its format has one.
    pub fn end_uuid(&self) -> Option<&SourceUuid> {
        self.end_uuid.as_ref()
    }

    /// The digest of the cited content.
    pub fn content_digest(&self) -> &ContentDigest {
        &self.content_digest
    }

    /// The selected tool uses, sorted by bytes, each once.
    pub fn tool_use_ids(&self) -> &[ToolUseId] {
        &self.tool_use_ids
    }

    /// Whether this is what the selection asked for.
    pub fn answers(&self, selection: &Selection) -> bool {
        self.range == selection.range && self.tool_use_ids == selection.distinct_tool_use_ids()
    }

    /// The rows to store: one a tool use, or a single one without. They share range, stable ids,
    /// digest and speakers; the snippets go to the first.
    ///
    /// Each snippet must occur in the text of one cited message, or in the input or result of one
    /// selected tool use. Runs of Unicode white space compare as one blank and those at the ends
    /// do not count; everything else is compared verbatim. Of a JSON input the decoded string
    /// values count as well. A blank snippet quotes nothing and is refused.
    pub fn rows(&self, snippets: &[String]) -> Result<Vec<Evidence>, EvidenceError> {
        check_snippets(snippets)?;
        let speakers = self.text.speakers(snippets, self.range)?;
        let row = Evidence {
            id: 0,
            session_id: self.session_id.clone(),
            range: self.range,
            start_uuid: self.start_uuid.clone(),
            end_uuid: self.end_uuid.clone(),
            message_count: Some(self.message_count),
            content_bytes: Some(self.content_bytes),
            content_digest: Some(self.content_digest.clone()),
            opening_digest: self.opening_digest.clone(),
            speakers,
            tool_use_id: None,
            snippets: snippets.to_vec(),
        };
        Ok(spread(row, &self.tool_use_ids))
    }
}

#[cfg(test)]
mod tests;
