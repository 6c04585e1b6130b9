//! Which files below an agent's folder hold sessions.

use std::path::{Component, Path, PathBuf};

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
    if !is_session_file(root.agent, relative) {
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

fn is_session_file(agent: Agent, relative: &Path) -> bool {
    let is_jsonl = relative
        .extension()
        .is_some_and(|extension| extension == "jsonl");
    let stem = relative
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default();
    let depth = relative.components().count();
    is_jsonl
        && match agent {
            // `<folder>/<session>.jsonl`, and `<folder>/<session>/subagents/**/agent-<id>.jsonl`.
            Agent::Claude => {
                let below_subagents = relative
                    .components()
                    .nth(2)
                    .is_some_and(|part| part == Component::Normal("subagents".as_ref()));
                let is_agent = stem.starts_with("agent-");
                (depth == 2 && !is_agent) || (depth > 3 && below_subagents && is_agent)
            }
            // By date, or flat in the archive of old sessions.
            Agent::Codex => stem.starts_with("rollout-"),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claude_sessions_and_their_subagents_are_session_files() {
        for (path, expected) in [
            ("-srv-code-app/5e55.jsonl", true),
            ("-srv-code-app/agent-a1.jsonl", false),
            ("-srv-code-app/5e55/subagents/agent-a1.jsonl", true),
            ("-srv-code-app/5e55/subagents/deep/agent-a1.jsonl", true),
            ("-srv-code-app/5e55/tool-results/agent-a1.jsonl", false),
            ("5e55.jsonl", false),
            ("-srv-code-app/notes.txt", false),
        ] {
            assert_eq!(
                is_session_file(Agent::Claude, Path::new(path)),
                expected,
                "{path}"
            );
        }
    }

    #[test]
    fn codex_rollouts_are_session_files_at_any_depth() {
        assert!(is_session_file(
            Agent::Codex,
            Path::new("2026/02/23/rollout-x.jsonl")
        ));
        assert!(is_session_file(Agent::Codex, Path::new("rollout-x.jsonl")));
        assert!(!is_session_file(
            Agent::Codex,
            Path::new("2026/history.jsonl")
        ));
    }

    #[test]
    fn a_missing_root_holds_no_sessions() {
        let root = AgentRoot {
            agent: Agent::Codex,
            path: "/nowhere/at/all".into(),
        };
        assert_eq!(discover(&[root]), (Vec::new(), Vec::new()));
    }
}
