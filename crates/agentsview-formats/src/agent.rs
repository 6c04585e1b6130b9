//! The agents: their names, and what the paths of their files tell.

use std::path::Path;

use recall_core::{IdError, SessionId};

use crate::{LineParser, SourceFile, Surroundings, claude, codex};

/// An agent program whose sessions can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
}

impl Agent {
    /// Every agent, in the order of discovery.
    pub const ALL: &'static [Self] = &[Self::Claude, Self::Codex];

    /// The agent's name in storage, JSON and filters.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
        }
    }

    /// The agent of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|agent| agent.as_str() == name)
    }

    /// A parser for one file of this agent.
    pub fn parser<'a>(
        self,
        source: &SourceFile,
        surroundings: &'a dyn Surroundings,
    ) -> Box<dyn LineParser + 'a> {
        match self {
            Self::Claude => Box::new(claude::Parser::new(source, surroundings)),
            Self::Codex => Box::new(codex::Parser::new(source, surroundings)),
        }
    }

    /// Whether a file holds a session of this agent, by its path below the agent's root folder.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use agentsview_formats::Agent;
    ///
    /// assert!(Agent::Claude.is_session_file(Path::new("-srv-code-app/5e55.jsonl")));
    /// assert!(!Agent::Codex.is_session_file(Path::new("2026/history.jsonl")));
    /// ```
    pub fn is_session_file(self, relative: &Path) -> bool {
        let is_jsonl = relative
            .extension()
            .is_some_and(|extension| extension == "jsonl");
        is_jsonl
            && match self {
                Self::Claude => claude::is_session_file(relative),
                Self::Codex => codex::is_session_file(relative),
            }
    }

    /// The agent's own id of the session in a file, as the file's name tells it; none if the name
    /// is not UTF-8.
    pub fn native_id(self, relative: &Path) -> Option<&str> {
        let stem = relative.file_stem()?.to_str()?;
        Some(match self {
            Self::Claude => stem,
            Self::Codex => codex::native_id(stem),
        })
    }

    /// The archive's id of a session by the agent's own id: `codex:<id>`, no prefix for Claude.
    pub fn session_id(self, native_id: &str) -> Result<SessionId, IdError> {
        // By itself first: behind a prefix an empty id would pass.
        let id = SessionId::new(native_id)?;
        match self {
            Self::Claude => Ok(id),
            Self::Codex => SessionId::new(format!("codex:{id}")),
        }
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
                Agent::Claude.is_session_file(Path::new(path)),
                expected,
                "{path}"
            );
        }
    }

    #[test]
    fn codex_rollouts_are_session_files_at_any_depth() {
        for (path, expected) in [
            ("2026/02/23/rollout-x.jsonl", true),
            ("rollout-x.jsonl", true),
            ("2026/history.jsonl", false),
            ("rollout-x.json", false),
        ] {
            assert_eq!(
                Agent::Codex.is_session_file(Path::new(path)),
                expected,
                "{path}"
            );
        }
    }

    #[test]
    fn the_name_of_a_file_tells_the_native_id() {
        let claude = Path::new("-srv-code-app/5e55.jsonl");
        assert_eq!(Agent::Claude.native_id(claude), Some("5e55"));
        let id = "0199aaaa-0000-7000-8000-00000000000f";
        let codex = format!("2026/01/02/rollout-2026-01-02T03-04-05-{id}.jsonl");
        assert_eq!(Agent::Codex.native_id(Path::new(&codex)), Some(id));
        let bare = Path::new("rollout-ä.jsonl");
        assert_eq!(Agent::Codex.native_id(bare), Some("rollout-ä"));
        assert_eq!(Agent::Codex.native_id(Path::new("")), None);
    }

    #[test]
    fn an_archive_id_bears_its_agent_unless_that_is_claude() {
        assert_eq!(Agent::Claude.session_id("5e55").unwrap().as_str(), "5e55");
        assert_eq!(
            Agent::Codex.session_id(" 0199 ").unwrap().as_str(),
            "codex:0199"
        );
        for agent in Agent::ALL {
            assert!(agent.session_id(" ").is_err());
            assert!(agent.session_id("a\nb").is_err());
        }
    }
}
