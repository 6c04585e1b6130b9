//! The one façade over Recall: query, brief, list, stats, get, reviewed import, review,
//! history, undo, reverify, export, backup, restore and reset.
//!
//! Everything above (command line, server, agents' tools) asks an [`Engine`] and decides nothing of
//! its own. The engine joins the policies of the crates below: filters apply before ranking, the
//! trust rules before anything is read, and every entry goes in through the store's one insertion
//! boundary.
//!
//! The feature `eval-ingest` adds the ingest of raw evaluation material, which no release has.
//!
//! ```
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
//! # runtime.block_on(async {
//! use recall_core::SystemClock;
//! use recall_engine::{Engine, QueryRequest};
//! use recall_store::{Store, StorePaths};
//!
//! let directory = tempfile::tempdir()?;
//! let paths = StorePaths {
//!     database: directory.path().join("archive.db"),
//!     lock: directory.path().join("archive.lock"),
//! };
//! let engine = Engine::new(Store::open(&paths).await?, SystemClock);
//! let answer = engine.query(&QueryRequest::new("database is locked")).await?;
//! assert!(answer.entries.is_empty() && answer.miss_reason.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod backup;
mod error;
#[cfg(feature = "eval-ingest")]
pub mod eval;
mod export;
mod history;
mod import;
mod index;
mod lines;
mod passage;
mod query;
mod read;
mod reset;
mod restore;
mod reverify;
mod review;
mod screen;

pub use backup::{BACKUP_FORMAT, BACKUP_VERSION, Backup, BackupError, Holdings};
pub use error::EngineError;
pub use export::{ExportRequest, Exported, FragmentKind};
pub use history::History;
pub use import::{ImportOptions, SessionPolicy};
pub use index::Refresh;
pub use passage::Passage;
pub use query::QueryRequest;
pub use read::{ListRequest, StatsRequest};
pub use reset::ReviewLog;
pub use restore::{RestoreItem, RestoreMode, RestoreReport, RestoreSkip, RowCounts};
pub use reverify::{ReverifyReport, ReverifyScope};
pub use review::{QueueRequest, ReviewItem, ReviewQueue, ReviewRequest, Reviewed};
pub use screen::ScreenError;

use std::path::Path;

use index::IndexCache;
use recall_core::{Clock, Entropy, SystemEntropy};
use recall_index::SegmentDirectory;
use recall_store::Store;

/// Recall over one archive.
pub struct Engine {
    store: Store,
    clock: Box<dyn Clock>,
    entropy: Box<dyn Entropy>,
    lexical: IndexCache,
}

impl Engine {
    /// An engine over an open archive. One opened for reading answers questions and writes exports
    /// and backups; import, review, undo, reverify, restore and reset need one opened for writing.
    pub fn new(store: Store, clock: impl Clock + 'static) -> Self {
        Self {
            store,
            clock: Box::new(clock),
            entropy: Box::new(SystemEntropy),
            lexical: IndexCache::default(),
        }
    }

    /// The same engine with another source of randomness than the operating system.
    #[must_use]
    pub fn with_entropy(self, entropy: impl Entropy + 'static) -> Self {
        Self {
            entropy: Box::new(entropy),
            ..self
        }
    }

    /// Keeps the index of the entries in this directory, which holds nothing that could not be made
    /// again. Without one the entries are indexed in memory.
    #[must_use]
    pub fn with_cache(mut self, directory: &Path) -> Self {
        self.lexical = IndexCache::at(SegmentDirectory::at(directory.join("lexical")));
        self
    }

    /// The archive itself, for what concerns sessions and not entries.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Closes the archive. One that was open for writing has the files of its index brought up to
    /// date first; if that fails, the next one will do it.
    pub async fn close(self) {
        if self.store.is_writable() {
            let _ = self.refresh_index().await;
        }
        self.store.close().await;
    }
}
