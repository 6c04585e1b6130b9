//! The lexical scorer and its in-memory index.
//!
//! [`Index::build`] takes [`Document`]s, [`Query::parse`] takes a question, and [`Index::rank`]
//! answers with [`RankedHit`]s whose scores are sums of named parts. [`rank`] does all three for a
//! handful of entries. Nothing here knows where entries are stored, which of them may be trusted,
//! or what time it is: the caller filters, removes instruction-like text from the question, and
//! passes "now".
//!
//! [`similar`] finds, for the review of an entry, others that say the same or the opposite.
//!
//! ```
//! use recall_lexical::{Document, Index, Query};
//! # use recall_core::*;
//! # let now: Timestamp = "2026-03-18T12:00:00Z".parse()?;
//! # let entry = |id: &str, title: &'static str| -> Result<Document<'static>, IdError> {
//! #     Ok(Document {
//! #         id: EntryId::new(id)?, title, body: "", trigger: "", snippets: vec![],
//! #         surroundings: [""; 4], source: "", session: SessionId::new("s")?, run: None,
//! #         confidence: 0.0, updated_at: now,
//! #     })
//! # };
//! let index = Index::build([
//!     entry("a", "Raise busy_timeout before the nightly job")?,
//!     entry("b", "Use squash merges")?,
//! ]);
//! let hits = index.rank(&Query::parse("where is the busyTimeout set?"), now, 10);
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

use std::collections::HashMap;

use recall_core::{Entry, EntryFilter, EntryId, RankedEntry, Timestamp};

pub use document::Document;
pub use index::{Index, Layer};
pub use policy::Policy;
pub use query::Query;
pub use rank::{Explanation, Held, Outcome, RankedHit, Refusal, UnitExplanation};
pub use segment::{Bytes, Segment, SegmentBuilder, SegmentError};

/// Ranks a handful of entries by a question, best first, at most `limit`; see [`Index::rank`].
///
/// # Errors
/// [`SegmentError::TooLarge`] if it is no handful.
pub fn rank(
    entries: Vec<Entry>,
    query: &str,
    filter: &EntryFilter,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<RankedEntry>, SegmentError> {
    let index = Index::build(entries.iter().map(Document::from_entry))?;
    let hits = index.rank(&Query::parse(query), filter, now, limit);
    let mut entries: HashMap<EntryId, Entry> = entries
        .into_iter()
        .map(|entry| (entry.id.clone(), entry))
        .collect();
    let ranked = hits.into_iter().filter_map(|hit| {
        Some(RankedEntry {
            entry: entries.remove(&hit.id)?,
            score: hit.score,
            breakdown: hit.breakdown,
            reasons: hit.reasons,
            matched_terms: hit.matched_terms,
            duplicates: hit.duplicates,
        })
    });
    Ok(ranked.collect())
}
