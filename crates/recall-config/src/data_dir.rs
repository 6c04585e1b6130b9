//! The data directory and the names of the files in it.

use std::path::{Path, PathBuf};

use crate::{ConfigError, Environment};

/// The variable that names the data directory.
pub const DATA_DIR_VARIABLE: &str = "AGENTSVIEW_DATA_DIR";
/// The name of the default data directory, in the home directory.
pub const DATA_DIR_NAME: &str = ".agentsview";
/// The name of the configuration file, in the data directory.
pub const CONFIG_FILE_NAME: &str = "config.toml";

/// An absolute path under which all files of the product lie. Other programs may keep theirs in the
/// same place, so every name is the product's own but for the configuration file, which is shared:
/// each program reads its own sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataDir(PathBuf);

impl DataDir {
    /// The directory that `AGENTSVIEW_DATA_DIR` names, else `.agentsview` in the home directory.
    ///
    /// # Errors
    ///
    /// [`ConfigError::NoHome`] if the variable is unset and there is no home directory,
    /// [`ConfigError::RelativePath`] if it is relative and there is no working directory.
    pub fn resolve(environment: &Environment) -> Result<Self, ConfigError> {
        match environment.path(DATA_DIR_VARIABLE)? {
            Some(path) => Ok(Self(path)),
            None => environment
                .in_home(DATA_DIR_NAME, DATA_DIR_VARIABLE)
                .map(Self),
        }
    }

    /// A directory chosen by other means than the environment, for example a temporary one.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// What a person configured; see [`Config`](crate::Config). It need not exist.
    pub fn config_file(&self) -> PathBuf {
        self.0.join(CONFIG_FILE_NAME)
    }

    /// The archive: sessions and what was distilled from them.
    pub fn archive(&self) -> PathBuf {
        self.0.join("archive.db")
    }

    /// The file whose lock the one writer holds.
    pub fn lock(&self) -> PathBuf {
        self.0.join("archive.lock")
    }

    /// How a running server is reached.
    pub fn server_record(&self) -> PathBuf {
        self.0.join("server.json")
    }

    /// The directory of the backups that a reset makes.
    pub fn backups(&self) -> PathBuf {
        self.0.join("backups")
    }

    /// The directory of everything that can be rebuilt.
    pub fn cache(&self) -> PathBuf {
        self.0.join("cache")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_directory_is_in_the_home_directory_unless_the_variable_says_otherwise() {
        let environment = Environment::new("/home/ada", "/tmp");
        assert_eq!(
            DataDir::resolve(&environment),
            Ok(DataDir::at("/home/ada/.agentsview"))
        );
        assert_eq!(
            DataDir::resolve(&environment.with(DATA_DIR_VARIABLE, "/srv/lab")),
            Ok(DataDir::at("/srv/lab"))
        );
    }

    #[test]
    fn without_a_home_directory_the_variable_is_needed() {
        let error = DataDir::resolve(&Environment::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no home directory is known; set AGENTSVIEW_DATA_DIR to an absolute path"
        );
    }

    #[test]
    fn every_file_has_its_own_name() {
        let data = DataDir::at("/srv/lab");
        let files = [
            data.config_file(),
            data.archive(),
            data.lock(),
            data.server_record(),
            data.backups(),
            data.cache(),
        ];
        assert_eq!(
            files.map(|file| file.display().to_string()),
            [
                "/srv/lab/config.toml",
                "/srv/lab/archive.db",
                "/srv/lab/archive.lock",
                "/srv/lab/server.json",
                "/srv/lab/backups",
                "/srv/lab/cache"
            ]
        );
    }
}
