//! The archive and the Recall tables in one SQLite file.
//!
//! All SQL of the product is here. The store keeps what it is told within the constraints of
//! `schema/` and ranks nothing: which entries are wanted is an [`EntryFilter`], which may be
//! trusted is decided by `recall-trust` and only repeated here where a query needs it.
//!
//! [`Store::open`] makes its caller the one writer of a data directory; [`Store::open_read_only`]
//! reads beside a writer. Sync writes through [`Store::apply`], entries go in through
//! [`Transaction::insert`], those of a backup through [`Transaction::insert_restored`], and nowhere
//! else.
//!
//! ```
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
//! # runtime.block_on(async {
//! use recall_core::EntryFilter;
//! use recall_store::{Store, StorePaths};
//!
//! let directory = tempfile::tempdir()?;
//! let paths = StorePaths {
//!     database: directory.path().join("archive.db"),
//!     lock: directory.path().join("archive.lock"),
//! };
//! let store = Store::open(&paths).await?;
//! assert!(store.entries(&EntryFilter::default(), None).await?.is_empty());
//! store.close().await;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```
//!
//! [`EntryFilter`]: recall_core::EntryFilter

mod columns;
mod entries;
mod error;
mod findings;
mod open;
mod records;
mod transcript;

#[cfg(feature = "eval-ingest")]
pub use entries::EvaluationSession;
pub use entries::{
    IndexFiles, IndexSegment, QueueOrder, ReplacedWording, RevokedEntry, SessionState, Signed,
    Transaction, Verification,
};
pub use error::StoreError;
pub use findings::FindingQuery;
pub use open::{Durability, Store, StorePaths};
pub use records::{
    FieldKind, FindingRecord, FindingTier, ScanRecord, ScannedField, SecretFinding, SessionRecord,
    scanned_fields,
};
pub use transcript::{
    Applied, FileStamp, FileUpdate, Growth, MessageQuery, Removal, SessionOutcome, SessionPage,
    SessionQuery, StoredSource,
};
