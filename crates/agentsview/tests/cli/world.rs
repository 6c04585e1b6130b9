//! A home of its own with the example sessions.

use std::path::{Path, PathBuf};

use assert_cmd::Command;

pub(crate) struct World {
    directory: tempfile::TempDir,
    /// Where the sessions of Claude Code are.
    claude: PathBuf,
}

/// What a command came to.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap()
    }
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/demo")
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            directory: tempfile::tempdir().unwrap(),
            claude: fixtures().join("claude"),
        }
    }

    /// A world with session files of its own, which a test may rewrite.
    pub(crate) fn with_own_sessions() -> Self {
        let mut world = Self::new();
        let own = world.path("claude/-srv-code-lantern");
        std::fs::create_dir_all(&own).unwrap();
        for file in std::fs::read_dir(fixtures().join("claude/-srv-code-lantern")).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), own.join(file.file_name())).unwrap();
        }
        world.claude = world.path("claude");
        world
    }

    /// A world whose archive holds the example sessions.
    pub(crate) fn synced() -> Self {
        let world = Self::new();
        assert_eq!(world.run(&["sync"]).exit, 0);
        world
    }

    /// A world whose archive holds the example entries too.
    pub(crate) fn imported() -> Self {
        let world = Self::synced();
        world.import();
        world
    }

    /// Imports the example entries.
    pub(crate) fn import(&self) {
        let file = fixtures().join("reviewed.jsonl");
        let ran = self.run(&["recall", "import", file.to_str().unwrap(), "--yes"]);
        assert_eq!(ran.exit, 0, "{ran:?}");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("agentsview"));
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.directory.path())
            .env("AGENTSVIEW_DATA_DIR", self.path("data"))
            .env("USER", "kim")
            .env("CLAUDE_PROJECTS_DIR", &self.claude)
            .env("CODEX_SESSIONS_DIR", fixtures().join("codex"))
            .current_dir(self.directory.path());
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        ran(self.command().args(words))
    }

    /// As [`World::run`], of a command that has nothing to complain of.
    pub(crate) fn done(&self, words: &[&str]) -> Ran {
        let ran = self.run(words);
        assert_eq!(
            (ran.exit, ran.stderr.as_str()),
            (0, ""),
            "{words:?}: {ran:?}"
        );
        ran
    }
}

pub(crate) fn ran(command: &mut Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        exit: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
