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
//! ```no_run
//! # async fn example(store: &recall_store::Store) -> Result<(), agentsview_sync::SyncError> {
//! use agentsview_formats::Agent;
//! use agentsview_sync::{AgentRoot, SyncOptions, sync};
//! use recall_core::SystemClock;
//!
//! let roots = [AgentRoot { agent: Agent::Claude, path: "/srv/agents/claude".into() }];
//! let options = SyncOptions { roots: &roots, full: false };
//! let report = sync(store, &options, &SystemClock, &mut |_| {}).await?;
//! println!("{} sessions added", report.sessions_added);
//! # Ok(())
//! # }
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
