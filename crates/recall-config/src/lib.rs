//! Where things are on this machine and which data directories are guarded.
//!
//! Nothing here reads the environment, the home directory or a file: an [`Environment`] and facts
//! about paths come in, decisions come out. [`DataDir`] names the product's own files,
//! [`AgentFolders`] says where each agent program keeps its sessions, [`is_default_data_dir`] tells
//! whether a write would go to the archive that a person relies on, and [`Redacted`] keeps keys and
//! endpoints out of messages.
//!
//! ```
//! use std::path::Path;
//!
//! use recall_config::{AgentFolders, DataDir, Environment};
//!
//! let environment = Environment::new("/home/ada", "/tmp")
//!     .with("AGENTSVIEW_DATA_DIR", "/srv/lab")
//!     .with("CODEX_HOME", "");
//!
//! let data = DataDir::resolve(&environment)?;
//! assert_eq!(data.archive(), Path::new("/srv/lab/archive.db"));
//!
//! let codex = AgentFolders::of("codex").expect("a supported agent");
//! assert_eq!(codex.session_roots(&environment)?[0], Path::new("/home/ada/.codex/sessions"));
//! # Ok::<(), recall_config::ConfigError>(())
//! ```

mod agents;
mod data_dir;
mod environment;
mod error;
mod guard;
mod redacted;

pub use agents::{AGENT_FOLDERS, AgentFolders};
pub use data_dir::{DATA_DIR_NAME, DATA_DIR_VARIABLE, DataDir};
pub use environment::Environment;
pub use error::ConfigError;
pub use guard::{DataDirFacts, PathFacts, is_default_data_dir};
pub use redacted::Redacted;
