//! The session files below the folders of agents.

use std::io;
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
    for root in roots {
        match std::fs::metadata(&root.path) {
            Ok(metadata) if metadata.is_dir() => walk(root, &mut files, &mut problems),
            Ok(_) => problems.push(problem(&root.path, "it is not a folder")),
            // An agent that nobody uses here.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => problems.push(problem(&root.path, &error)),
        }
    }
    files.dedup_by(|a, b| a.path == b.path);
    (files, problems)
}

fn walk(root: &AgentRoot, files: &mut Vec<FoundFile>, problems: &mut Vec<FileProblem>) {
    let walk = WalkDir::new(&root.path)
        .max_depth(MAX_DEPTH)
        .sort_by_file_name();
    for entry in walk {
        match entry {
            // Links are not followed: a loop, or what lies outside the agent's own folder, is not
            // ours to read.
            Ok(entry) if entry.file_type().is_dir() || entry.path_is_symlink() => {}
            Ok(entry) => found(root, entry.path(), files, problems),
            Err(error) => {
                let path = error.path().unwrap_or(&root.path).to_owned();
                problems.push(match error.io_error() {
                    Some(error) => problem(&path, error),
                    None => problem(&path, &error),
                });
            }
        }
    }
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
        None => problems.push(problem(
            path,
            "its path is not valid UTF-8; rename it to have it synced",
        )),
        Some(_) if !names_a_session(root.agent, relative) => problems.push(problem(
            path,
            "its name cannot name a session; rename it to have it synced",
        )),
        Some(text) => files.push(FoundFile {
            agent: root.agent,
            root: root.path.clone(),
            relative: relative.to_owned(),
            path: text.to_owned(),
        }),
    }
}

/// Whether the file's name is an id just as it stands, without blanks at its ends or control
/// characters that an id must not have.
fn names_a_session(agent: Agent, relative: &Path) -> bool {
    agent
        .native_id(relative)
        .is_some_and(|native| native.trim() == native && agent.session_id(native).is_ok())
}

fn problem(path: &Path, message: &(impl ToString + ?Sized)) -> FileProblem {
    FileProblem {
        path: path.to_owned(),
        message: message.to_string(),
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
