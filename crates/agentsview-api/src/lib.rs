//! Wire types, their JSON schemas and the exit codes: the contract that programs may rely on.
//!
//! Every command and every endpoint answers with one of the documents below. A document is a plain
//! struct, made from the domain types by `From` and written by serde; its members have the names
//! and the order of their JSON. What is always there is always there; what may be missing says so.
//! Nothing here decides anything: whether an entry is trusted is asked of `recall-trust`.
//!
//! [`schemas`] describes each document to other programs, and [`ExitCode`] is the one table of how
//! the command line ends.
//!
//! ```
//! use agentsview_api::ImportDocument;
//! use recall_core::ImportReport;
//!
//! let document = ImportDocument::from(&ImportReport::default());
//! let json = serde_json::to_string(&document)?;
//! assert_eq!(json, r#"{"imported":0,"skipped":0,"would_import":0}"#);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod context;
mod decision;
mod entry;
mod exit;
mod explain;
mod history;
mod import;
mod message;
mod query;
mod removal;
mod review;
mod schema;
mod secrets;
mod session;
mod stats;
mod summary;
mod sync;
mod transfer;
mod verification;
mod version;

pub use context::ContextMetaDocument;
pub use decision::{DecisionDocument, ReviewedDocument, StandingDocument};
pub use entry::{EntryDocument, EvidenceDocument, RankedEntryDocument, ScoreDocument};
pub use exit::ExitCode;
pub use explain::{ExplainDocument, RefusalDocument, UnitDocument};
pub use history::{HistoryDocument, WordingDocument};
pub use import::{ImportDocument, ImportFailureDocument, ImportItemDocument};
pub use message::{
    MessageDocument, MessagesDocument, TokenUsageDocument, ToolCallDocument, ToolResultDocument,
};
pub use query::{BriefDocument, ListDocument, QueryDocument};
pub use removal::{DeletionDocument, TrashDocument};
pub use review::{
    CitedResultDocument, ContradictionDocument, NearDuplicateDocument, PassageDocument,
    PassageMessageDocument, ReviewItemDocument, ReviewListDocument,
};
pub use schema::schemas;
pub use secrets::{FindingDocument, FindingsDocument, SecretScanDocument};
pub use session::{SessionDocument, SessionListDocument};
pub use stats::StatsDocument;
pub use summary::{SummaryDocument, TallyDocument};
pub use sync::{FileProblemDocument, SyncDocument};
pub use transfer::{
    ExportDocument, ResetDocument, RestoreDocument, RestoreItemDocument, RowCountsDocument,
};
pub use verification::{
    ReverifyDocument, RevokedEntryDocument, UnconfirmedEntryDocument, VerificationDocument,
};
pub use version::VersionDocument;

/// For members that are left out while they are `false`.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes the member by reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

/// For members that are left out while they are 0.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes the member by reference"
)]
fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// An optional identity as the wire has it: empty if there is none.
fn text_of<T: ToString>(value: Option<&T>) -> String {
    value.map(ToString::to_string).unwrap_or_default()
}
