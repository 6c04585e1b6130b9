//! Where things are on this machine, what was configured, and which data directories are guarded.
//!
//! Nothing here reads the environment, the home directory or a file: an [`Environment`], the text of
//! the configuration file and facts about paths come in, decisions come out. [`DataDir`] names the
//! product's own files, [`Config`] is what the configuration file says, [`AgentFolders`] says where
//! each agent program keeps its sessions, [`is_default_data_dir`] tells whether a write would go to
//! the archive that a person relies on, and [`Redacted`] keeps keys and endpoints out of messages.
//!
//! ```
//! use std::path::Path;
//!
//! use recall_config::{AgentFolders, Config, DataDir, Environment, reviewer_name};
//!
//! let environment = Environment::new("/home/ada", "/tmp")
//!     .with("AGENTSVIEW_DATA_DIR", "/srv/lab")
//!     .with("USER", "ada")
//!     .with("CODEX_HOME", "");
//!
//! let data = DataDir::resolve(&environment)?;
//! assert_eq!(data.archive(), Path::new("/srv/lab/archive.db"));
//!
//! let codex = AgentFolders::of("codex").expect("a supported agent");
//! assert_eq!(codex.session_roots(&environment)?[0], Path::new("/home/ada/.codex/sessions"));
//!
//! let config = Config::parse("[review]\nname = \"Ada\"")?;
//! assert_eq!(reviewer_name(&config, &environment), Some("Ada"));
//! # Ok::<(), recall_config::ConfigError>(())
//! ```

mod agents;
mod config;
mod data_dir;
mod document;
mod environment;
mod error;
mod guard;
mod redacted;
mod spelling;

pub use agents::{AGENT_FOLDERS, AgentFolders};
pub use config::{Config, ReviewConfig, reviewer_name};
pub use data_dir::{CONFIG_FILE_NAME, DATA_DIR_NAME, DATA_DIR_VARIABLE, DataDir};
pub use environment::Environment;
pub use error::ConfigError;
pub use guard::{DataDirFacts, PathFacts, is_default_data_dir};
pub use redacted::Redacted;
