//! Discovery of session files and incremental sync into the archive.

mod report;

pub use report::{FileProblem, SyncReport};
