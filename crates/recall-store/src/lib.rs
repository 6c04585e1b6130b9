//! The archive and the Recall tables in one SQLite file.

mod records;

pub use records::{MessageRecord, SessionRecord, ToolCallRecord, ToolResultRecord};
