//! What can be wrong with a configuration.

use std::path::PathBuf;

/// A configuration that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A default lies in the home directory, and there is none.
    #[error("no home directory is known; set {variable} to an absolute path")]
    NoHome {
        /// The variable that makes the home directory unnecessary.
        variable: &'static str,
    },
    /// A relative path, and no directory to start from.
    #[error(
        "{variable} is the relative path \"{}\" and the working directory is unknown; \
         set it to an absolute path",
        path.display()
    )]
    RelativePath {
        /// The variable that holds the path.
        variable: &'static str,
        /// The path as given.
        path: PathBuf,
    },
}
