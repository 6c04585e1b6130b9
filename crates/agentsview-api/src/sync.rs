//! What a sync did.

use agentsview_sync::{FileProblem, SyncReport};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::VerificationDocument;

/// The answer of `sync`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SyncDocument {
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
    /// Sessions that were read and found equal to what is stored.
    pub sessions_unchanged: u64,
    /// Lines that could not be read.
    pub malformed_lines: u64,
    /// Lines that were too long.
    pub oversized_lines: u64,
    /// Files that end inside a line.
    pub truncated_files: u64,
    /// Sessions among those read that hold a definite credential.
    pub sessions_with_secrets: u64,
    /// Sessions in the archive afterwards.
    pub total_sessions: u64,
    /// Messages in the archive afterwards.
    pub total_messages: u64,
    /// What became of entries whose sessions changed.
    pub evidence: VerificationDocument,
    /// Files that could not be read at all; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FileProblemDocument>,
}

/// A file that could not be read at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileProblemDocument {
    /// The file; bytes that are no UTF-8 are replaced.
    pub path: String,
    /// What went wrong.
    pub message: String,
}

impl From<&FileProblem> for FileProblemDocument {
    fn from(problem: &FileProblem) -> Self {
        Self {
            path: problem.path.to_string_lossy().into_owned(),
            message: problem.message.clone(),
        }
    }
}

impl From<&SyncReport> for SyncDocument {
    fn from(report: &SyncReport) -> Self {
        Self {
            files_found: report.files_found,
            files_unchanged: report.files_unchanged,
            files_read: report.files_read,
            bytes_read: report.bytes_read,
            sessions_added: report.sessions_added,
            sessions_appended: report.sessions_appended,
            sessions_rewritten: report.sessions_rewritten,
            sessions_unchanged: report.sessions_unchanged,
            malformed_lines: report.malformed_lines,
            oversized_lines: report.oversized_lines,
            truncated_files: report.truncated_files,
            sessions_with_secrets: report.sessions_with_secrets,
            total_sessions: report.total_sessions,
            total_messages: report.total_messages,
            evidence: VerificationDocument::from(&report.evidence),
            failed: report.problems.iter().map(Into::into).collect(),
        }
    }
}
