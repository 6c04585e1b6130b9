//! Discovery of session files and incremental sync into the archive.
//!
//! [`sync`] finds the session files below the agents' folders, reads those that look different
//! from when they were last read, and writes what differs from the archive, a batch of files a
//! transaction: whenever it is killed, running it again ends where one clean run would have ended.
//! What a file could not give is counted in the [`SyncReport`] and never stops the rest.
//!
//! Every read file is parsed from its start. That is what makes an increment equal to a fresh
//! parse: late results, continued answers and branches change rows that were stored long ago. What
//! is saved is the writing: only rows whose digest differs are written, and the hash of the bytes
//! that were read before tells growth from a rewrite.
//!
//! ```
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
//! # runtime.block_on(async {
//! use agentsview_formats::Agent;
//! use agentsview_sync::{AgentRoot, SyncOptions, sync};
//! use recall_core::SystemClock;
//! use recall_store::{Store, StorePaths};
//!
//! let directory = tempfile::tempdir()?;
//! let paths = StorePaths {
//!     database: directory.path().join("archive.db"),
//!     lock: directory.path().join("archive.lock"),
//! };
//! let store = Store::open(&paths).await?;
//! let roots = [AgentRoot { agent: Agent::Claude, path: directory.path().join("claude") }];
//! let options = SyncOptions { roots: &roots, full: false };
//! let report = sync(&store, &options, &SystemClock, &mut |_| {}).await?;
//! assert_eq!((report.files_found, report.sessions_added), (0, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod discover;
mod error;
mod machine;
mod read;
mod report;
mod scan;
mod sync;

pub use discover::AgentRoot;
pub use error::SyncError;
pub use report::{FileProblem, SyncReport};
pub use scan::{ScanReport, scan_archive};
pub use sync::{Progress, SyncOptions, sync};
