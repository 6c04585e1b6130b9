//! Entries and evidence: one insertion boundary, one filter, reads and counts.

#[cfg(feature = "eval-ingest")]
mod evaluation;
mod filter;
mod indexing;
mod insert;
mod read;
mod restore;
mod review;
mod row;
mod standing;
mod stats;
mod transaction;
mod verification;

#[cfg(feature = "eval-ingest")]
pub use evaluation::EvaluationSession;
pub use indexing::{IndexFiles, IndexSegment};
pub use review::{QueueOrder, ReplacedWording, Signed};
pub use transaction::{SessionState, Transaction};
pub(crate) use verification::verify_session;
pub use verification::{RevokedEntry, Verification};
