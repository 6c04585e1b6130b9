//! What of a transcript has to be written: whatever differs from what is stored.

use std::collections::BTreeMap;

use agentsview_formats::{ParsedMessage, ParsedToolCall, ToolResult};
use recall_core::Ordinal;
use sha2::{Digest, Sha256};

/// A digest over everything that is stored of a message, its calls and their results.
pub(super) type RowDigest = [u8; 32];

/// The difference between a stored transcript and a parsed one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TranscriptDiff {
    /// Stored rows that are to go: they are absent now, or come back changed.
    pub(super) removed: Vec<Ordinal>,
    /// Parsed rows to write, by their index, with their digests.
    pub(super) written: Vec<(usize, RowDigest)>,
}

impl TranscriptDiff {
    pub(super) fn new(stored: &BTreeMap<Ordinal, RowDigest>, parsed: &[ParsedMessage]) -> Self {
        let mut left = stored.clone();
        let mut diff = Self::default();
        for (index, message) in parsed.iter().enumerate() {
            let digest = row_digest(message);
            match left.remove(&message.ordinal) {
                Some(same) if same == digest => {}
                Some(_) => {
                    diff.removed.push(message.ordinal);
                    diff.written.push((index, digest));
                }
                None => diff.written.push((index, digest)),
            }
        }
        diff.removed.extend(left.into_keys());
        diff
    }

    /// Whether every stored row is still there, at most with more in it.
    pub(super) fn only_grows(&self, parsed: &[ParsedMessage]) -> bool {
        let mut written = self.written.iter().map(|(index, _)| parsed[*index].ordinal);
        // Both rise, so one walk is enough.
        self.removed
            .iter()
            .all(|removed| written.any(|ordinal| ordinal == *removed))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.written.is_empty()
    }
}

/// Every part of the row goes in with its length, so that no two rows look alike.
fn row_digest(message: &ParsedMessage) -> RowDigest {
    let mut digest = RowHasher(Sha256::new());
    digest.text(message.role.as_str());
    digest.text(&message.content);
    digest.text(&message.thinking_text);
    digest.display(message.timestamp.as_ref());
    digest.flag(message.is_system);
    digest.text(&message.model);
    let usage = message.usage.unwrap_or_default();
    digest.flag(message.usage.is_some());
    for tokens in [
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_creation_input_tokens,
        usage.cache_read_input_tokens,
    ] {
        digest.display(tokens.as_ref());
    }
    digest.text(&message.source_type);
    digest.text(&message.source_subtype);
    digest.display(message.source_uuid.as_ref());
    digest.text(&message.source_parent_uuid);
    digest.text(&message.provider_message_id);
    digest.text(&message.provider_request_id);
    digest.flag(message.is_sidechain);
    digest.flag(message.is_compact_boundary);
    digest.count(message.tool_calls.len());
    for call in &message.tool_calls {
        digest.call(call);
    }
    digest.0.finalize().into()
}

struct RowHasher(Sha256);

impl RowHasher {
    fn call(&mut self, call: &ParsedToolCall) {
        self.display(call.tool_use_id.as_ref());
        self.text(&call.tool_name);
        self.text(call.category.as_str());
        self.text(&call.input_json);
        self.text(&call.file_path);
        self.text(&call.skill_name);
        self.display(call.subagent_session_id.as_ref());
        self.count(call.results.len());
        for result in &call.results {
            self.result(result);
        }
    }

    fn result(&mut self, result: &ToolResult) {
        self.text(&result.source);
        self.text(&result.status);
        self.text(&result.content);
        self.display(result.timestamp.as_ref());
        self.text(&result.agent_id);
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.update(text.as_bytes());
    }

    fn count(&mut self, count: usize) {
        self.0.update((count as u64).to_le_bytes());
    }

    fn flag(&mut self, flag: bool) {
        self.0.update([u8::from(flag)]);
    }

    fn display<T: ToString>(&mut self, value: Option<&T>) {
        self.flag(value.is_some());
        if let Some(value) = value {
            self.text(&value.to_string());
        }
    }
}
