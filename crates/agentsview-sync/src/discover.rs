//! The session files below the folders of agents.

use std::path::{Path, PathBuf};

use agentsview_formats::Agent;
use walkdir::WalkDir;

use crate::FileProblem;

/// Folders deeper than any agent nests its files.
const MAX_DEPTH: usize = 12;

/// A folder in which an agent keeps its sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRoot {
    /// The agent.
    pub agent: Agent,
    /// The folder. One that does not exist holds no sessions.
    pub path: PathBuf,
}

/// A session file that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundFile {
    pub(crate) agent: Agent,
    pub(crate) root: PathBuf,
    /// Path below the root.
    pub(crate) relative: PathBuf,
    /// The whole path as text, which names the file in the archive.
    pub(crate) path: String,
}

/// The session files below some roots in a fixed order, and what could not be looked into.
pub(crate) fn discover(roots: &[AgentRoot]) -> (Vec<FoundFile>, Vec<FileProblem>) {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for root in roots.iter().filter(|root| root.path.exists()) {
        // Links are not followed: a loop, or a folder outside the agent's own, is not ours to read.
        let walk = WalkDir::new(&root.path)
            .max_depth(MAX_DEPTH)
            .sort_by_file_name();
        for entry in walk {
            match entry {
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => found(root, entry.path(), &mut files, &mut problems),
                Err(error) => problems.push(FileProblem {
                    path: error.path().unwrap_or(&root.path).to_owned(),
                    message: error
                        .io_error()
                        .map_or_else(|| error.to_string(), ToString::to_string),
                }),
            }
        }
    }
    files.dedup_by(|a, b| a.path == b.path);
    (files, problems)
}

fn found(
    root: &AgentRoot,
    path: &Path,
    files: &mut Vec<FoundFile>,
    problems: &mut Vec<FileProblem>,
) {
    let Ok(relative) = path.strip_prefix(&root.path) else {
        return;
    };
    if !root.agent.is_session_file(relative) {
        return;
    }
    match path.to_str() {
        Some(text) => files.push(FoundFile {
            agent: root.agent,
            root: root.path.clone(),
            relative: relative.to_owned(),
            path: text.to_owned(),
        }),
        None => problems.push(FileProblem {
            path: path.to_owned(),
            message: "its path is not valid UTF-8; rename it to have it synced".to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_root_holds_no_sessions() {
        let root = AgentRoot {
            agent: Agent::Codex,
            path: "/nowhere/at/all".into(),
        };
        assert_eq!(discover(&[root]), (Vec::new(), Vec::new()));
    }
}
