//! Sessions, messages, tool calls and results: what sync writes and readers read.

mod batch;
mod diff;
mod read;
mod session_row;
mod source;
mod write;

pub(crate) use read::messages;
pub use read::{MessageQuery, SessionPage, SessionQuery};
pub use source::{FileStamp, FileUpdate, Growth, StoredSource};
pub use write::SessionOutcome;
