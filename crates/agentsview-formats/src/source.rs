//! What a parser is told about the file and the machine.

use std::path::{Path, PathBuf};

/// What is known of a file besides its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path below the agent's root folder, with `/` between the parts; names carry ids and,
    /// with Claude, the project.
    pub relative_path: PathBuf,
}

impl SourceFile {
    /// A file by its path below the agent's root folder.
    pub fn new(relative_path: impl Into<PathBuf>) -> Self {
        Self {
            relative_path: relative_path.into(),
        }
    }
}

/// What a parser may ask about the machine. The caller decides what may be looked at: it answers
/// `None` for paths of another system, outside the agent's own folders, or over the size limit.
pub trait Surroundings {
    /// The root of the main repository that holds this directory; linked worktrees lead to the
    /// repository they were made from.
    fn repository_root(&self, cwd: &str) -> Option<PathBuf>;

    /// The text of a file that a session of this file's folder saved a tool's output to.
    fn saved_output(&self, path: &Path) -> Option<String>;

    /// The bytes of another session's file of the same agent, by its native id.
    fn session_file(&self, native_id: &str) -> Option<Vec<u8>>;
}

/// Surroundings that know nothing: the file alone decides.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nowhere;

impl Surroundings for Nowhere {
    fn repository_root(&self, _cwd: &str) -> Option<PathBuf> {
        None
    }

    fn saved_output(&self, _path: &Path) -> Option<String> {
        None
    }

    fn session_file(&self, _native_id: &str) -> Option<Vec<u8>> {
        None
    }
}
