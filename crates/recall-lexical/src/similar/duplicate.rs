//! Entries that say nearly the same.

use recall_core::{Entry, EntryId};

use super::keys::Keys;
use super::shingle::{overlap, similarity};
use super::{MOST_READ, SimilarityIndex, best};

/// From this similarity on an entry is a near-duplicate. In invented samples, reordered sentences
/// and respelt names stay above 0.9 and a few changed words above 0.5, while entries on one
/// subject, or with one title and different bodies, stay below 0.35.
pub const NEAR: f64 = 0.5;

/// How many near-duplicates are returned: more are no help to a person.
pub const MOST_DUPLICATES: usize = 10;

/// An entry that says nearly the same as the one asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct Duplicate {
    /// The entry.
    pub id: EntryId,
    /// From [`NEAR`] to 1. The part of their pairs of adjacent words that both entries hold
    /// (resemblance); if one is less than half of the other, the part of the shorter that the
    /// longer holds (containment). Formulas: Broder, *On the resemblance and containment of
    /// documents*, 1997.
    pub similarity: f64,
}

impl SimilarityIndex<'_> {
    /// The near-duplicates of an entry, most similar first, then by id; at most
    /// [`MOST_DUPLICATES`]. Never the entry itself, which need not be among those indexed. An
    /// entry without words has none.
    pub fn near_duplicates(&self, entry: &Entry) -> Vec<Duplicate> {
        let own = Keys::of(entry).shingles;
        let shared = self
            .shingles
            .shared(own.iter().map(|shingle| (*shingle, 1)), MOST_READ);
        let itself = self.own(&entry.id);
        let likely = shared.weights.into_iter().filter_map(|(number, count)| {
            let at = number as usize;
            let size = self.sizes.get(at).filter(|_| !itself.contains(&at))?;
            Some((number, similarity(count as usize, own.len(), *size)))
        });
        let mut found: Vec<Duplicate> = best(likely.collect(), |a, b| a.total_cmp(&b))
            .into_iter()
            .filter_map(|number| {
                let other = self.entries.get(number as usize)?;
                let theirs = Keys::of(other).shingles;
                let shared = overlap(&own, &theirs);
                Some(Duplicate {
                    id: other.id.clone(),
                    similarity: similarity(shared, own.len(), theirs.len()),
                })
            })
            .filter(|duplicate| duplicate.similarity >= NEAR)
            .collect();
        found.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.id.cmp(&b.id)));
        found.truncate(MOST_DUPLICATES);
        found
    }
}
