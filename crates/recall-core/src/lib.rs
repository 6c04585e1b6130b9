//! The words of the domain: entries, evidence, filters, scores, digests and time.
//!
//! Every other crate of the workspace speaks in these types. Nothing here reads a file or a
//! network, and time and randomness are values that are passed on ([`Clock`], [`Entropy`]); nothing
//! here decides whether an entry may be trusted (that is `recall-trust`) or how it ranks (that is
//! `recall-lexical`).
//!
//! The main types are [`Entry`] with its [`Evidence`], the [`EntryFilter`] built from the one table
//! [`FILTERS`], [`ScoreBreakdown`] with [`RankedEntry`], and the digests of [`digest`].
//!
//! ```
//! use recall_core::{EntryFilter, FilterKey, EntryType};
//!
//! let mut filter = EntryFilter::default();
//! filter.set(FilterKey::Type, " warning ")?;
//! assert_eq!(filter.entry_type, Some(EntryType::Warning));
//! assert!(filter.set(FilterKey::Type, "rumor").is_err());
//! # Ok::<(), recall_core::FilterError>(())
//! ```

mod answer;
mod clock;
pub mod digest;
mod entry;
mod filter;
mod ids;
mod nonce;
mod score;
mod summary;
mod transcript;
mod vocabulary;

pub use answer::{
    ContextBlock, ContextMeta, ImportItem, ImportProblem, ImportReport, ListAnswer, QueryAnswer,
    RankedEntry, StatsAnswer,
};
pub use clock::{Clock, FixedClock, SystemClock, Timestamp, TimestampError};
pub use entry::{
    Confidence, ConfidenceError, Entry, Evidence, OrdinalRange, OrdinalRangeError, Revocation,
};
pub use filter::{EntryFilter, FILTERS, FilterError, FilterKey, FilterSpec, FilterValue};
pub use ids::{
    CorpusRevision, EntryId, EpisodeId, IdError, Ordinal, QueryRevision, RunId, SessionId,
    SourceUuid, ToolUseId, TranscriptRevision,
};
pub use nonce::{Entropy, EntropyError, FixedEntropy, Nonce, SystemEntropy};
pub use score::{MatchReason, ScoreBreakdown};
pub use summary::{Facet, Summary, Tally};
pub use transcript::{CitedMessage, CitedToolCall, EvidenceWindow};
pub use vocabulary::{
    EntryType, Label, Lifecycle, MissReason, QueryMode, ReviewAction, ReviewState,
    RevocationReason, Role, Scope, SkipReason, Speaker, Status, Surface, UnknownWord,
};
