//! Reviewed JSONL import: what one line may say, and how the lines of one stream depend on each
//! other.
//!
//! [`parse_line`] reads a line without looking anywhere else. What it lets through is a
//! [`Candidate`]; whether its session, its evidence and the entry it replaces exist is for the
//! engine to look up, with [`ImportProjection`] standing for the lines before it. [`permit`] says
//! before all that whether an import may be tried. [`write_line`] writes a line that
//! reads back as the entry it was made from.

mod candidate;
mod error;
pub(crate) mod identity;
mod json;
mod line;
mod members;
mod permission;
mod projection;
mod written;

pub use candidate::Candidate;
pub use line::{LineVerdict, MAX_LINE_BYTES, parse_line};
pub use permission::{ImportRefusal, ImportRequest, permit};
pub use projection::ImportProjection;
pub use written::write_line;
