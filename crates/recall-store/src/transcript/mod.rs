//! Sessions, messages, tool calls and results: what sync writes and readers read.

mod batch;
mod cited;
mod diff;
mod read;
mod session_row;
mod source;
mod trash;
mod write;

pub(crate) use cited::cited;
pub(crate) use read::messages;
pub use read::{MessageQuery, SessionPage, SessionQuery};
pub use source::{FileStamp, FileUpdate, Growth, StoredSource};
pub use trash::Removal;
pub use write::{Applied, SessionOutcome};
