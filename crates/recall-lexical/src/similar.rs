//! What a reviewer wants to see beside an entry: others that say the same, and others that say the
//! opposite (B-13).
//!
//! A [`SimilarityIndex`] is built once over the entries in question and asked about one entry at a
//! time, stored or not yet. *Near-duplicates* share most of their shingles, so they meet whatever
//! the order of their sentences and the spelling of their names; a translation is none.
//! *Contradictions* are pairs of sentences on one subject of which one advises what the other
//! advises against, or which give one setting two values.
//!
//! A false alarm costs a reviewer more than a missed pair, so whatever cannot be read for sure
//! (questions, hedges, exceptions, what once was) counts as saying nothing. Work is bounded
//! whatever the entries hold: the rarest common ground is looked at first, and the bounds are the
//! constants named here. Nothing depends on the order of the entries. All text in the results is
//! raw.
//!
//! ```
//! use recall_lexical::similar::{Difference, SimilarityIndex};
//! # use recall_core::*;
//! # let now: Timestamp = "2026-03-18T12:00:00Z".parse()?;
//! let entry = |id: &str, body: &str| -> Result<Entry, IdError> {
//!     Ok(Entry::new(EntryId::new(id)?, SessionId::new("s")?, "", body, now))
//! };
//! let known = [
//!     entry("a", "The nightly job writes for long. Set busy_timeout to 5000 in the pool.")?,
//!     entry("b", "Always run `cargo fmt` before a commit.")?,
//! ];
//! let index = SimilarityIndex::new(&known);
//!
//! let same = entry("c", "Set busyTimeout to 5000 in the pool. The nightly job writes for long.")?;
//! assert_eq!(index.near_duplicates(&same)[0].similarity, 1.0);
//!
//! let other = entry("d", "We found that busy_timeout = 100 is enough.")?;
//! let found = index.contradictions(&other);
//! assert_eq!(found[0].id.as_str(), "a");
//! assert_eq!(found[0].subject, "busy_timeout");
//! let values = Difference::Values { ours: "100".to_owned(), theirs: "5000".to_owned() };
//! assert_eq!(found[0].difference, values);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clause;
mod contradiction;
mod duplicate;
mod keys;
mod lexeme;
mod marker;
mod place;
mod postings;
mod reading;
mod setting;
mod shingle;
mod stance;
mod value;

use std::collections::HashMap;
use std::ops::Range;

use recall_core::{Entry, EntryId, Scope};

use keys::Keys;
use postings::Postings;

pub use contradiction::{Contradiction, Difference, LONGEST_QUOTE, MOST_CONTRADICTIONS};
pub use duplicate::{Duplicate, MOST_DUPLICATES, NEAR};

/// How many entries are compared in full with the one asked about: those that share most with it.
const MOST_CANDIDATES: usize = 64;

/// How many postings are read to find them, rarest first.
const MOST_READ: usize = 64 * 1024;

/// Entries made comparable. It borrows them: what is stored beside them is numbers.
#[derive(Debug, Clone)]
pub struct SimilarityIndex<'a> {
    /// By rising id, so that the order in which they were given does not matter.
    entries: Vec<&'a Entry>,
    /// How many shingles each entry has.
    sizes: Vec<usize>,
    /// The project that each entry is bound to, numbered; looked at more often than the entries.
    bounds: Vec<Option<usize>>,
    projects: HashMap<&'a str, usize>,
    shingles: Postings,
    terms: Postings,
}

impl<'a> SimilarityIndex<'a> {
    /// Indexes entries, in time about linear in their text. At most `u32::MAX` entries count.
    pub fn new(entries: &'a [Entry]) -> Self {
        let mut entries: Vec<&Entry> = entries.iter().collect();
        entries.sort_by_key(|entry| (&entry.id, &entry.title, &entry.body, &entry.trigger));
        let mut sizes = Vec::with_capacity(entries.len());
        let mut bounds = Vec::with_capacity(entries.len());
        let mut projects = HashMap::new();
        let mut shingles = Vec::new();
        let mut terms = Vec::new();
        for (number, entry) in (0..u32::MAX).zip(&entries) {
            let keys = Keys::of(entry);
            sizes.push(keys.shingles.len());
            bounds.push(bound(entry).map(|project| {
                let next = projects.len();
                *projects.entry(project).or_insert(next)
            }));
            shingles.extend(keys.shingles.into_iter().map(|shingle| (shingle, number)));
            terms.extend(keys.terms.into_iter().map(|(term, _)| (term, number)));
        }
        entries.truncate(sizes.len());
        Self {
            entries,
            sizes,
            bounds,
            projects,
            shingles: Postings::new(shingles),
            terms: Postings::new(terms),
        }
    }

    /// The numbers under which an entry itself is indexed.
    fn own(&self, id: &EntryId) -> Range<usize> {
        let start = self.entries.partition_point(|entry| entry.id < *id);
        start..self.entries.partition_point(|entry| entry.id <= *id)
    }

    /// Which entries what `entry` says has no bearing on: those of another project, if both are
    /// bound to theirs.
    fn is_apart(&self, entry: &Entry) -> impl Fn(usize) -> bool {
        let project = bound(entry).map(|project| self.projects.get(project).copied());
        move |number| match (project, self.bounds.get(number)) {
            (Some(project), Some(Some(other))) => project != Some(*other),
            _ => false,
        }
    }
}

/// The project that an entry is bound to; `None` if it reaches further.
fn bound(entry: &Entry) -> Option<&str> {
    let reaches_further = match entry.scope {
        Scope::Project | Scope::Repository | Scope::Branch | Scope::File => false,
        Scope::Global | Scope::Tool | Scope::Agent => true,
    };
    (!reaches_further && !entry.project.is_empty()).then_some(entry.project.as_str())
}

/// The [`MOST_CANDIDATES`] best of `candidates`, best first, earlier entries first among equals.
fn best<W: Copy>(
    mut candidates: Vec<(u32, W)>,
    order: impl Fn(W, W) -> std::cmp::Ordering,
) -> Vec<u32> {
    let mut by_worth = |a: &(u32, W), b: &(u32, W)| order(b.1, a.1).then(a.0.cmp(&b.0));
    if candidates.len() > MOST_CANDIDATES {
        candidates.select_nth_unstable_by(MOST_CANDIDATES, &mut by_worth);
        candidates.truncate(MOST_CANDIDATES);
    }
    candidates.sort_unstable_by(by_worth);
    candidates.into_iter().map(|(number, _)| number).collect()
}

#[cfg(test)]
mod tests;
