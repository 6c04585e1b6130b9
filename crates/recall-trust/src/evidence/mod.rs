//! What may be cited, and proof that it was cited.
//!
//! The host reads a stretch of a session in one snapshot and seals it as a window ([`window`]). A
//! model or an importer may only narrow that window by a [`Selection`]; [`bind`] checks it and
//! derives everything that goes into the archive: stable ids, digest, rows (S-E01, S-E04).
//!
//! [`verification`] looks at stored evidence again whenever its transcript changed, [`speakers`]
//! says whose word it is.
//!
//! Every [`EvidenceError`] is about what was asked for. Nothing here reads a store, so a failing
//! disk can never be mistaken for evidence that does not hold.

mod binding;
mod confirmed;
mod error;
mod pending;
mod restored;
mod snippets;
pub mod speakers;
pub mod verification;
mod window;

pub use binding::{BoundEvidence, Selection, bind};
pub use confirmed::{ConfirmedEvidence, Unconfirmed, confirm};
pub use error::EvidenceError;
pub use pending::{PENDING_GRACE_MS, SessionActivity};
pub use restored::Doubt;
pub(crate) use restored::hold;
pub use window::{MAX_WINDOW_MESSAGES, MAX_WINDOW_TEXT_BYTES, window};

pub use snippets::{MAX_SNIPPET_BYTES, MAX_SNIPPETS};
pub(crate) use snippets::{check_snippets, spread};
