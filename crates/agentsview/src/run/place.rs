//! Where a command is carried out: the machine's own directories and variables, or a demo's.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use agentsview_api::ExitCode;
use agentsview_formats::Agent;
use agentsview_sync::AgentRoot;
use recall_config::{
    AGENT_FOLDERS, Config, DATA_DIR_NAME, DataDir, DataDirFacts, Environment, PathFacts,
    is_default_data_dir, reviewer_name,
};
use recall_core::SystemClock;
use recall_engine::Engine;
use recall_store::{Store, StorePaths};
use recall_trust::review::Reviewer;

use crate::cli::Surroundings;
use crate::failure::Failure;

/// The surroundings of a command.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    environment: Environment,
    working_dir: PathBuf,
}

impl Place {
    /// A place of these surroundings.
    pub(crate) fn new(environment: Environment, working_dir: PathBuf) -> Self {
        Self {
            environment,
            working_dir,
        }
    }

    /// The place of this process.
    pub(crate) fn of_process() -> Self {
        let working_dir = std::env::current_dir().unwrap_or_default();
        let home = std::env::home_dir().unwrap_or_default();
        let mut environment = Environment::new(home, &working_dir);
        environment.extend(std::env::vars_os());
        Self {
            environment,
            working_dir,
        }
    }

    /// What flags are resolved against.
    pub(crate) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            home: self.environment.home(),
            working_dir: &self.working_dir,
        }
    }

    /// A path as given, from the working directory.
    pub(crate) fn absolute(&self, path: &Path) -> PathBuf {
        self.working_dir.join(path)
    }

    /// Every folder that agents keep sessions in.
    pub(crate) fn session_roots(&self) -> Result<Vec<AgentRoot>, Failure> {
        let mut roots = Vec::new();
        for folders in AGENT_FOLDERS {
            let Some(agent) = Agent::from_name(folders.agent) else {
                continue;
            };
            let paths = folders.session_roots(&self.environment)?;
            roots.extend(paths.into_iter().map(|path| AgentRoot { agent, path }));
        }
        Ok(roots)
    }

    /// The session folders that a variable names and that are not there: most likely a slip.
    pub(crate) fn missing_roots(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut missing = Vec::new();
        for folders in AGENT_FOLDERS
            .iter()
            .filter(|it| it.is_configured(&self.environment))
        {
            let paths = folders.session_roots(&self.environment)?;
            if paths.iter().all(|path| !path.exists()) {
                missing.extend(paths);
            }
        }
        Ok(missing)
    }

    /// The archive, to read.
    pub(crate) async fn reading(&self) -> Result<Engine, Failure> {
        let store = Store::open_read_only(&self.store_paths()?).await?;
        self.engine(store)
    }

    /// The archive, to read; where there is none, the empty one that a writer would make, in `scratch`.
    pub(crate) async fn reading_or_empty(&self, scratch: &Path) -> Result<Engine, Failure> {
        if self.store_paths()?.database.exists() {
            return self.reading().await;
        }
        let store = Store::open(&paths_in(&DataDir::at(scratch))).await?;
        Ok(Engine::new(store, SystemClock))
    }

    /// The archive, as its one writer.
    pub(crate) async fn writing(&self) -> Result<Engine, Failure> {
        let store = Store::open(&self.store_paths()?).await?;
        self.engine(store)
    }

    fn engine(&self, store: Store) -> Result<Engine, Failure> {
        let cache = DataDir::resolve(&self.environment)?.cache();
        Ok(Engine::new(store, SystemClock).with_cache(&cache))
    }

    /// The archive, to change what it holds: there must be one already.
    pub(crate) async fn changing(&self) -> Result<Engine, Failure> {
        self.reading().await?.close().await;
        self.writing().await
    }

    /// The directory of the backups that a reset makes.
    pub(crate) fn backups(&self) -> Result<PathBuf, Failure> {
        Ok(DataDir::resolve(&self.environment)?.backups())
    }

    /// Whether a file at this path would stand among the product's own: the archive, its lock, the
    /// configuration.
    pub(crate) fn is_own(&self, path: &Path) -> Result<bool, Failure> {
        let data = DataDir::resolve(&self.environment)?;
        let folder = path.parent().map(fs::canonicalize);
        Ok(matches!(
            (folder, fs::canonicalize(data.path())),
            (Some(Ok(folder)), Ok(data)) if folder == data
        ))
    }

    /// Whether writing here writes to the archive that a person relies on.
    pub(crate) fn is_production(&self) -> Result<bool, Failure> {
        let data = DataDir::resolve(&self.environment)?;
        let default = self
            .environment
            .home()
            .map(|home| facts(&home.join(DATA_DIR_NAME)));
        let is_same_file = self.environment.home().is_some_and(|home| {
            is_same_file(
                &data.archive(),
                &DataDir::at(home.join(DATA_DIR_NAME)).archive(),
            )
        });
        Ok(is_same_file
            || is_default_data_dir(&DataDirFacts {
                directory: facts(data.path()),
                archive: facts(&data.archive()),
                default,
            }))
    }

    /// Who signs decisions here: the configured name, else the system user. `None` if neither is
    /// known.
    pub(crate) fn reviewer(&self) -> Result<Option<Reviewer>, Failure> {
        let config = self.config()?;
        reviewer_name(&config, &self.environment)
            .map(Reviewer::new)
            .transpose()
            .map_err(Failure::usage)
    }

    /// The command that edits a text here, if one is named.
    pub(crate) fn editor(&self) -> Option<&str> {
        self.environment.editor()
    }

    /// What the configuration file says; without one, nothing.
    fn config(&self) -> Result<Config, Failure> {
        let path = DataDir::resolve(&self.environment)?.config_file();
        match read_small_file(&path) {
            Ok(text) => Config::parse(&text)
                .map_err(|error| Failure::usage(format!("{}: {error}", path.display()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Config::default()),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(Failure::usage(
                format!("{} is not UTF-8 text", path.display()),
            )
            .hint("write it anew as TOML (docs/configuration.md)")),
            Err(error) => Err(Failure::new(
                ExitCode::Failure,
                format!("cannot read {}: {error}", path.display()),
            )
            .hint("check that it is a file and may be read")),
        }
    }

    fn store_paths(&self) -> Result<StorePaths, Failure> {
        Ok(paths_in(&DataDir::resolve(&self.environment)?))
    }
}

/// A pipe would hold the command up for ever, and no configuration is as long as this.
fn read_small_file(path: &Path) -> io::Result<String> {
    const MOST_BYTES: u64 = 1024 * 1024;

    let facts = fs::metadata(path)?;
    if !facts.is_file() || facts.len() > MOST_BYTES {
        return Err(io::Error::other("it is no file of at most 1 MiB"));
    }
    fs::read_to_string(path)
}

fn paths_in(data: &DataDir) -> StorePaths {
    StorePaths {
        database: data.archive(),
        lock: data.lock(),
    }
}

/// Whether both names lead to one file, by hard links or mounts too, which no path tells.
#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_same_file(_one: &Path, _other: &Path) -> bool {
    false
}

/// Links are followed to their end by hand: one to nothing yet has no real path.
fn facts(path: &Path) -> PathFacts {
    const LINKS: usize = 40;

    let mut end = path.to_owned();
    for _ in 0..LINKS {
        let Ok(target) = fs::read_link(&end) else {
            break;
        };
        end = end.parent().unwrap_or(Path::new("")).join(target);
    }
    PathFacts {
        path: path.to_owned(),
        link_target: (end != path).then_some(end),
        resolved: fs::canonicalize(path).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_that_is_read_has_its_folders_and_the_other_way_round() {
        let read: Vec<&str> = Agent::ALL.iter().map(|agent| agent.as_str()).collect();
        let known: Vec<&str> = AGENT_FOLDERS.iter().map(|folders| folders.agent).collect();
        assert_eq!(read, known);
    }
}
