//! Pure trust policy: who may be trusted and why not, what may be cited, what a request may ask.
//!
//! Nothing here reads a store or a clock: rows and times are passed in, verdicts come out, so that
//! every rule is tested alone and no path can have rules of its own.
//!
//! * [`evidence`] seals a stretch of a session, binds what an entry cites of it, and verifies it
//!   again when the session changed.
//! * [`trusted`] lists the conditions that an entry does not meet.
//! * [`request`] refuses what can only be answered with nothing, and bounds the rest.
//! * [`import`] reads one line of a reviewed import and follows the stream of them.
//! * [`insertion`] is the boundary that every entry passes before a store may keep it.
//! * [`supersession`] says when an entry may replace another one.
//! * [`review`] says what a person may decide, and who may grant `human_reviewed`.
//! * [`instructions`] finds text that reads like orders to an agent.
//! * [`limits`] bounds the size of an entry.
//!
//! ```
//! use recall_core::{CitedMessage, Ordinal, OrdinalRange, Role, SessionId};
//! use recall_trust::evidence::{Selection, SessionActivity, bind, window};
//!
//! let message = CitedMessage {
//!     ordinal: Ordinal::new(4),
//!     role: Role::Assistant,
//!     content: "The lock is held by the backup job.".to_owned(),
//!     is_system: false,
//!     source_uuid: None,
//!     tool_calls: vec![],
//! };
//! let range = OrdinalRange::new(Ordinal::new(4), Ordinal::new(4))?;
//! let window = window(SessionId::new("session-1")?, range, vec![message], SessionActivity::default())?;
//! let bound = bind(&window, &Selection { range, tool_use_ids: vec![] })?;
//!
//! assert!(bound.rows(&["held by the backup job".to_owned()]).is_ok());
//! assert!(bound.rows(&["held by nobody".to_owned()]).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod evidence;
#[cfg(test)]
mod fixtures;
pub mod import;
pub mod insertion;
pub mod instructions;
pub mod limits;
pub mod request;
pub mod review;
pub mod supersession;
pub mod trusted;

pub use evidence::{BoundEvidence, EvidenceError, Selection};
pub use insertion::{
    Confirmed, Draft, InsertError, NewEntry, Provenance, RestoredEntry, RestoredEvidence,
    check_entry,
};
pub use request::RequestError;
pub use supersession::{SupersessionError, TargetState};
pub use trusted::{TrustCondition, failed_conditions, is_trusted};
