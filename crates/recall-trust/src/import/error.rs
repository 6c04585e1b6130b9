//! What is wrong with an import line, before it becomes a line of a report.

use recall_core::{ConfidenceError, UnknownWord};

use super::MAX_LINE_BYTES;
use super::members::MEMBERS;
use crate::evidence::EvidenceError;
use crate::limits::SizeError;

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(super) enum LineError {
    #[error("the line has {0} bytes, more than the {MAX_LINE_BYTES} allowed")]
    TooLong(usize),
    #[error("the line starts with a byte order mark; save the file as UTF-8 without one")]
    ByteOrderMark,
    #[error("invalid JSON: the text is not UTF-8 at byte {0}")]
    NotUtf8(usize),
    #[error("invalid JSON: {message} at column {column}")]
    Json { message: String, column: usize },
    #[error(
        "invalid JSON: {message} at column {column}; one line must hold one whole object, so write \
         it without line breaks"
    )]
    Fragment { message: String, column: usize },
    #[error("invalid JSON: a line must be one object, found {0}")]
    NotAnObject(&'static str),
    #[error("invalid evidence JSON: it must be an object, found {0}")]
    EvidenceNotAnObject(&'static str),
    #[error("{0} is host-controlled; remove it, even when it is null")]
    HostControlled(String),
    #[error("unknown member {member:?}; did you mean \"{nearest}\"?")]
    MisspeltMember {
        member: String,
        nearest: &'static str,
    },
    #[error("unknown member {0:?}; known are {known}", known = MEMBERS.join(", "))]
    UnknownMember(String),
    #[error("invalid JSON: {member} must be {expected}, found {found}")]
    WrongType {
        member: String,
        expected: &'static str,
        found: &'static str,
    },
    #[error("invalid JSON: {member} must be a whole number in range, found {found}")]
    NotWhole { member: String, found: String },
    #[error("missing {0}")]
    Missing(&'static str),
    #[error("{0} must not contain control characters")]
    ControlCharacters(&'static str),
    #[error(
        "{name} must not contain invisible characters or ones that turn the direction of text, \
         found U+{:04X}",
        u32::from(*found)
    )]
    InvisibleCharacters { name: &'static str, found: char },
    #[error(transparent)]
    Word(#[from] UnknownWord),
    #[error(transparent)]
    Confidence(#[from] ConfidenceError),
    #[error("missing evidence ordinal range; give evidence.ordinal_start and evidence.ordinal_end")]
    MissingRange,
    #[error("invalid evidence ordinal range {start}-{end}")]
    InvalidRange { start: i64, end: i64 },
    #[error(transparent)]
    Size(#[from] SizeError),
    #[error(transparent)]
    Snippets(#[from] EvidenceError),
}
