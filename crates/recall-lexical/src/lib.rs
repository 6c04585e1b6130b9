//! The lexical scorer and its index.
//!
//! [`SegmentBuilder`] reads [`Document`]s into a [`Segment`], one run of bytes that is searched where
//! it lies. An [`Index`] is made of such segments, [`Query::parse`] takes a question, and
//! [`Index::rank`] answers with [`RankedHit`]s whose scores are sums of named parts;
//! [`Index::explain`] says what became of one entry. The numbers of the formulas are in [`Policy`].
//! Nothing here knows where entries are stored or what time it is: the caller removes
//! instruction-like text from the question, and passes "now".
//!
//! [`similar`] finds, for the review of an entry, others that say the same or the opposite.
//!
//! ```
//! use recall_core::*;
//! use recall_lexical::{Document, Index, Query};
//!
//! # let now: Timestamp = "2026-03-18T12:00:00Z".parse()?;
//! # let entry = |id: &str, title: &str| -> Result<Entry, IdError> {
//! #     Ok(Entry::new(EntryId::new(id)?, SessionId::new("s")?, title, "", now))
//! # };
//! let entries = [
//!     entry("a", "Raise busy_timeout before the nightly job")?,
//!     entry("b", "Use squash merges")?,
//! ];
//! let index = Index::build(entries.iter().map(Document::from_entry))?;
//! let question = Query::parse("where is the busyTimeout set?");
//! let hits = index.rank(&question, &EntryFilter::default(), now, 10);
//! assert_eq!(hits.len(), 1);
//! assert_eq!(hits[0].id.as_str(), "a");
//! assert_eq!(hits[0].score, hits[0].breakdown.total());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alike;
mod document;
mod entity;
#[cfg(test)]
mod fixtures;
mod index;
mod light;
mod phrase;
mod policy;
mod query;
mod quoted;
mod rank;
mod segment;
pub mod similar;
mod temporal;

pub use document::Document;
pub use index::{Index, Layer};
pub use policy::Policy;
pub use query::Query;
pub use rank::{Explanation, Held, Outcome, RankedHit, Refusal, UnitExplanation};
pub use segment::{Bytes, Segment, SegmentBuilder, SegmentError};
