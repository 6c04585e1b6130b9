//! Why nothing was ingested.

use recall_core::{IdError, SessionId};
use recall_store::StoreError;
use recall_trust::insertion::InsertError;

use super::{MAX_FIELD_BYTES, MAX_FIELD_CHARACTERS, MAX_REQUEST_BYTES};
use crate::screen::ScreenError;

/// Why a trajectory was refused, or what failed. An enum of its own and no part of
/// [`EngineError`](crate::EngineError), so that the feature adds to the engine and changes nothing
/// that others match on.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// The request is too large to be read.
    #[error("the request has {bytes} bytes, more than the {MAX_REQUEST_BYTES} allowed; split it")]
    TooLarge {
        /// Its length in bytes.
        bytes: usize,
    },
    /// The request is not JSON of the form that is asked for.
    #[error("invalid trajectory JSON: {0}")]
    Json(String),
    /// A member is absent, `null` or blank.
    #[error("missing {0}")]
    Missing(&'static str),
    /// A text is too long.
    #[error(
        "{field} has {characters} characters in {bytes} bytes, more than the \
         {MAX_FIELD_CHARACTERS} characters or {MAX_FIELD_BYTES} bytes allowed"
    )]
    TooLong {
        /// The member.
        field: &'static str,
        /// Its length in characters.
        characters: usize,
        /// Its length in bytes.
        bytes: usize,
    },
    /// A text that is shown as one line is none.
    #[error("{0} must not contain control characters")]
    ControlCharacter(&'static str),
    /// A text holds a credential, or is too long to look for one in.
    #[error(transparent)]
    Screen(#[from] ScreenError),
    /// A person put this corpus into the trash.
    #[error("evaluation corpus {0} is in the trash; restore it")]
    CorpusTrashed(SessionId),
    /// A person removed this corpus for good.
    #[error("evaluation corpus {0} was removed for good; ingest it under another run id")]
    CorpusRemoved(SessionId),
    /// A text cannot be an identity.
    #[error(transparent)]
    Id(#[from] IdError),
    /// An entry did not pass the insertion boundary.
    #[error(transparent)]
    Entry(#[from] InsertError),
    /// The archive failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
