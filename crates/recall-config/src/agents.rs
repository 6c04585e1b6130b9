//! Where each agent program keeps its sessions.

use std::path::PathBuf;

use crate::{ConfigError, Environment};

/// The folders of one agent program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentFolders {
    /// The agent's name, as sessions carry it.
    pub agent: &'static str,
    /// The variable that names the one folder with sessions.
    pub sessions_variable: &'static str,
    /// The variable that names the agent's own directory.
    pub directory_variable: &'static str,
    /// That directory if the variable is unset, in the home directory.
    pub default_directory: &'static str,
    /// Where in that directory sessions are.
    pub session_folders: &'static [&'static str],
}

/// Every supported agent.
pub static AGENT_FOLDERS: &[AgentFolders] = &[
    AgentFolders {
        agent: "claude",
        sessions_variable: "CLAUDE_PROJECTS_DIR",
        directory_variable: "CLAUDE_CONFIG_DIR",
        default_directory: ".claude",
        session_folders: &["projects"],
    },
    AgentFolders {
        agent: "codex",
        sessions_variable: "CODEX_SESSIONS_DIR",
        directory_variable: "CODEX_HOME",
        default_directory: ".codex",
        session_folders: &["sessions", "archived_sessions"],
    },
];

impl AgentFolders {
    /// The folders of the agent with that name; `None` if it is not supported.
    pub fn of(agent: &str) -> Option<&'static Self> {
        AGENT_FOLDERS.iter().find(|folders| folders.agent == agent)
    }

    /// Whether a variable says where this agent's sessions are, so that a folder that is not there
    /// is a mistake and not just an agent that nobody uses.
    pub fn is_configured(&self, environment: &Environment) -> bool {
        [self.sessions_variable, self.directory_variable]
            .iter()
            .any(|variable| environment.is_set(variable))
    }

    /// The folders to look for sessions in, absolute; they need not exist.
    ///
    /// # Errors
    ///
    /// [`ConfigError::NoHome`] if no variable is set and there is no home directory,
    /// [`ConfigError::RelativePath`] if one is relative and there is no working directory.
    pub fn session_roots(&self, environment: &Environment) -> Result<Vec<PathBuf>, ConfigError> {
        if let Some(root) = environment.path(self.sessions_variable)? {
            return Ok(vec![root]);
        }
        let directory = match environment.path(self.directory_variable)? {
            Some(directory) => directory,
            None => environment.in_home(self.default_directory, self.sessions_variable)?,
        };
        Ok(self
            .session_folders
            .iter()
            .map(|folder| directory.join(folder))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(agent: &str, variables: &[(&str, &str)]) -> Vec<String> {
        let environment = variables.iter().fold(
            Environment::new("/home/ada", "/tmp"),
            |environment, (name, value)| environment.with(name, value),
        );
        AgentFolders::of(agent)
            .unwrap()
            .session_roots(&environment)
            .unwrap()
            .iter()
            .map(|root| root.display().to_string())
            .collect()
    }

    #[test]
    fn an_agent_is_configured_by_either_variable_and_not_by_an_empty_one() {
        let claude = AgentFolders::of("claude").unwrap();
        let plain = Environment::new("/home/ada", "/tmp");
        assert!(!claude.is_configured(&plain));
        assert!(!claude.is_configured(&plain.clone().with("CLAUDE_PROJECTS_DIR", "")));
        assert!(claude.is_configured(&plain.with("CLAUDE_CONFIG_DIR", "/c")));
    }

    #[test]
    fn the_sessions_variable_wins_over_the_directory_variable_and_that_over_the_home_directory() {
        assert_eq!(roots("claude", &[]), ["/home/ada/.claude/projects"]);
        assert_eq!(
            roots("claude", &[("CLAUDE_CONFIG_DIR", "/c")]),
            ["/c/projects"]
        );
        assert_eq!(
            roots(
                "claude",
                &[("CLAUDE_CONFIG_DIR", "/c"), ("CLAUDE_PROJECTS_DIR", "/p")]
            ),
            ["/p"]
        );
    }

    #[test]
    fn codex_has_archived_sessions_beside_the_current_ones() {
        assert_eq!(
            roots("codex", &[("CODEX_SESSIONS_DIR", "")]),
            [
                "/home/ada/.codex/sessions",
                "/home/ada/.codex/archived_sessions"
            ]
        );
        assert_eq!(
            roots("codex", &[("CODEX_HOME", "/x")]),
            ["/x/sessions", "/x/archived_sessions"]
        );
        assert_eq!(roots("codex", &[("CODEX_SESSIONS_DIR", "/s")]), ["/s"]);
    }

    #[test]
    fn without_a_home_directory_the_agent_says_which_variable_to_set() {
        let error = AgentFolders::of("codex")
            .unwrap()
            .session_roots(&Environment::default());
        assert_eq!(
            error,
            Err(ConfigError::NoHome {
                variable: "CODEX_SESSIONS_DIR"
            })
        );
        assert_eq!(AgentFolders::of("abacus"), None);
    }
}
