//! What a sync did.

use std::path::PathBuf;

use recall_store::Verification;

/// A file that could not be read at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileProblem {
    /// The file.
    pub path: PathBuf,
    /// What went wrong, in one line.
    pub message: String,
}

/// Counts of one sync, and what could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SyncReport {
    /// Session files found.
    pub files_found: u64,
    /// Files skipped because nothing about them changed.
    pub files_unchanged: u64,
    /// Files that were read.
    pub files_read: u64,
    /// Bytes read.
    pub bytes_read: u64,
    /// Sessions stored for the first time.
    pub sessions_added: u64,
    /// Sessions whose transcript only grew.
    pub sessions_appended: u64,
    /// Sessions whose stored transcript was changed otherwise.
    pub sessions_rewritten: u64,
    /// Sessions that were parsed and found equal to what is stored.
    pub sessions_unchanged: u64,
    /// Lines that could not be read.
    pub malformed_lines: u64,
    /// Lines that were too long.
    pub oversized_lines: u64,
    /// Files that end inside a line.
    pub truncated_files: u64,
    /// Files that could not be read at all.
    pub problems: Vec<FileProblem>,
    /// Sessions among those read that hold a definite credential.
    pub sessions_with_secrets: u64,
    /// What became of entries whose sessions changed.
    pub evidence: Verification,
    /// Sessions in the archive afterwards.
    pub total_sessions: u64,
    /// Messages in the archive afterwards.
    pub total_messages: u64,
}
