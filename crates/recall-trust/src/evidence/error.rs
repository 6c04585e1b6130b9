//! Why a citation was refused.

use recall_core::{Ordinal, OrdinalRange, SessionId, ToolUseId};

/// How many tool uses an error offers for one that does not occur.
const MAX_CHOICES: usize = 5;

/// Why messages cannot be cited as asked. Always the fault of the request, never of a store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvidenceError {
    /// Nothing of the range is stored.
    #[error(
        "session {session_id} stores no message in {range}; look up its ordinals and cite stored ones"
    )]
    NoMessages {
        /// The session.
        session_id: SessionId,
        /// The range that was asked for.
        range: OrdinalRange,
    },
    /// A range begins or ends at an ordinal that is not stored.
    #[error(
        "session {session_id} does not store message {}; the nearest stored range is {nearest}",
        list(missing)
    )]
    EndpointNotStored {
        /// The session.
        session_id: SessionId,
        /// The endpoints that are not stored.
        missing: Vec<Ordinal>,
        /// The widest range inside the asked one whose endpoints are stored.
        nearest: OrdinalRange,
    },
    /// The rows of a window are not the rows of its range in rising order.
    #[error("message {ordinal} is out of place among the stored messages of {range}")]
    MessageOutOfPlace {
        /// The message.
        ordinal: Ordinal,
        /// The range that was asked for.
        range: OrdinalRange,
    },
    /// The range holds more messages than one citation may.
    #[error("{range} holds {count} messages, more than the {limit} allowed; cite a narrower range")]
    TooManyMessages {
        /// The range that was asked for.
        range: OrdinalRange,
        /// How many messages it holds.
        count: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// The range holds more text than one citation may.
    #[error(
        "{range} holds {bytes} bytes of text, more than the {limit} allowed; cite a narrower range"
    )]
    TooMuchText {
        /// The range that was asked for.
        range: OrdinalRange,
        /// How many bytes of message and tool text it holds.
        bytes: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// The window is not the one that was sealed.
    #[error(
        "the window {range} of session {session_id} was altered after it was sealed; read it again"
    )]
    AuthorizationInvalid {
        /// The session.
        session_id: SessionId,
        /// The window's range.
        range: OrdinalRange,
    },
    /// The selection leaves the window.
    #[error("the selection {selection} lies outside the authorized window {window}")]
    OutsideWindow {
        /// What was selected.
        selection: OrdinalRange,
        /// What was allowed.
        window: OrdinalRange,
    },
    /// A selected tool use does not occur in the window.
    #[error(
        "tool use {tool_use_id} does not occur in messages {window}; {}",
        choice(occurring)
    )]
    ToolOutsideWindow {
        /// The tool use.
        tool_use_id: ToolUseId,
        /// What was allowed.
        window: OrdinalRange,
        /// The tool uses that occur there and may be cited, sorted by bytes.
        occurring: Vec<ToolUseId>,
    },
    /// A selected tool use occurs in the window, but on none of the selected messages.
    #[error(
        "tool use {tool_use_id} is outside the selected messages {selection}; widen the selection"
    )]
    ToolOutsideSelection {
        /// The tool use.
        tool_use_id: ToolUseId,
        /// What was selected.
        selection: OrdinalRange,
    },
    /// The result of a selected tool use may still come, and would change what was cited.
    #[error(
        "tool use {tool_use_id} has no result yet; cite it when it has finished and was synced"
    )]
    ToolPending {
        /// The tool use.
        tool_use_id: ToolUseId,
    },
    /// More snippets than one citation may carry.
    #[error("{count} snippets are more than the {limit} allowed")]
    TooManySnippets {
        /// How many were given.
        count: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// A snippet is too long to be one.
    #[error("snippet {number} has {bytes} bytes, more than the {limit} allowed")]
    SnippetTooLong {
        /// Its place among the snippets, from 1.
        number: usize,
        /// Its length in bytes.
        bytes: usize,
        /// The allowed length in bytes.
        limit: usize,
    },
    /// A snippet without a visible character.
    #[error("snippet {number} is blank; quote the transcript or leave it out")]
    BlankSnippet {
        /// Its place among the snippets, from 1.
        number: usize,
    },
    /// A snippet that the cited messages do not contain.
    #[error(
        "snippet {number} ({opening:?}) does not occur in the cited messages {range} or the selected \
         tool uses; quote the transcript verbatim"
    )]
    SnippetNotFound {
        /// Its place among the snippets, from 1.
        number: usize,
        /// Its first characters.
        opening: String,
        /// The cited messages.
        range: OrdinalRange,
    },
}

/// Which tool uses may be cited instead.
fn choice(occurring: &[ToolUseId]) -> String {
    let named = &occurring[..occurring.len().min(MAX_CHOICES)];
    let ids: Vec<&str> = named.iter().map(ToolUseId::as_str).collect();
    match (ids.join(", "), occurring.len() - named.len()) {
        (_, 0) if ids.is_empty() => "there is none to cite there".to_owned(),
        (ids, 0) => format!("those that do: {ids}"),
        (ids, more) => format!("those that do: {ids} and {more} more"),
    }
}

fn list(ordinals: &[Ordinal]) -> String {
    let words: Vec<String> = ordinals.iter().map(ToString::to_string).collect();
    words.join(" or ")
}
