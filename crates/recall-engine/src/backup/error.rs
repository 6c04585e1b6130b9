//! What can be wrong with a backup.

/// Why a file is no backup that can be restored. Nothing is written then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackupError {
    /// It does not begin like one.
    #[error("this is no backup of Recall: {0}")]
    NotABackup(String),
    /// A newer program made it.
    #[error("the backup has format version {found}, and this program knows {known} at most")]
    Newer {
        /// Its version.
        found: u64,
        /// The newest version of this program.
        known: u64,
    },
    /// It ends before its last line.
    #[error("the backup is cut off after line {0}: its last line is missing")]
    Cut(u64),
    /// Its bytes are not those that were written.
    #[error("the backup was altered: its text does not match the digest in line {line}")]
    Altered {
        /// The last line.
        line: u64,
    },
    /// Something follows its end.
    #[error("line {0} follows the end of the backup")]
    AfterTheEnd(u64),
    /// A line is too long to be read.
    #[error("line {line} has more than {limit} bytes")]
    LineTooLong {
        /// The line.
        line: u64,
        /// How many bytes a line may have.
        limit: usize,
    },
    /// A line says what no archive can hold.
    #[error("line {line}: {problem}")]
    Line {
        /// The line.
        line: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// The rows do not fit together.
    #[error("the backup contradicts itself: {0}")]
    Contradiction(String),
}
