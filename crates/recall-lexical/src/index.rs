//! Segments read as one: what each term and each entity occurs in.

use recall_core::EntryId;

use crate::document::{Document, FIELDS};
use crate::segment::{Posting, Postings, Segment, SegmentBuilder, SegmentError, Stored};

/// Rarity among a handful of documents is chance: fewer count as so many.
const FEWEST: usize = 64;

/// A segment, and the entries that are gone since the layers before it.
#[derive(Debug, Clone)]
pub struct Layer {
    /// What is new or changed since the layers before it.
    pub segment: Segment,
    /// What they have and nobody should find any more.
    pub gone: Vec<EntryId>,
}

/// Documents made searchable. Its statistics are those of every document in it, whatever is asked
/// and whatever a filter lets through, so scores of different questions can be compared.
#[derive(Debug, Clone, Default)]
pub struct Index {
    pub(crate) parts: Vec<IndexPart>,
    /// How many documents count.
    documents: usize,
    /// Words of an average document, by field; at least 1.
    average_lengths: [f64; FIELDS],
}

/// One segment, and which of its documents do not count any more.
#[derive(Debug, Clone)]
pub(crate) struct IndexPart {
    pub(crate) segment: Segment,
    /// The number of its first document in the whole index.
    pub(crate) first: u32,
    removed: Removed,
}

/// A set of documents of one segment.
#[derive(Debug, Clone, Default)]
struct Removed {
    bits: Vec<u64>,
    count: u32,
}

impl Removed {
    fn insert(&mut self, document: u32) {
        let word = document as usize / 64;
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        let bit = 1 << (document % 64);
        self.count += u32::from(self.bits[word] & bit == 0);
        self.bits[word] |= bit;
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0_u32..).zip(&self.bits).flat_map(|(word, bits)| {
            (0..64)
                .filter(move |bit| bits & (1 << bit) != 0)
                .map(move |bit| word * 64 + bit)
        })
    }

    fn contains(&self, document: u32) -> bool {
        self.bits
            .get(document as usize / 64)
            .is_some_and(|word| word & (1 << (document % 64)) != 0)
    }
}

impl IndexPart {
    /// Whether a document of the segment counts.
    pub(crate) fn holds(&self, document: u32) -> bool {
        self.removed.count == 0 || !self.removed.contains(document)
    }
}

impl Index {
    /// An index of some documents, in memory.
    ///
    /// # Errors
    /// [`SegmentError::TooLarge`], as [`SegmentBuilder::finish`].
    pub fn build<'e>(
        documents: impl IntoIterator<Item = Document<'e>>,
    ) -> Result<Self, SegmentError> {
        let segment = documents
            .into_iter()
            .collect::<SegmentBuilder>()
            .segment()?;
        Ok(Self::new([Layer {
            segment,
            gone: Vec::new(),
        }]))
    }

    /// Segments read as one, the oldest first. An entry counts as the latest layer has it.
    pub fn new(layers: impl IntoIterator<Item = Layer>) -> Self {
        let mut index = Self::default();
        for Layer { segment, gone } in layers {
            // The first layer replaces nothing, so a large one is not walked through.
            if !index.parts.is_empty() {
                let changed = segment.ids().map(|(_, id)| id);
                for id in changed.chain(gone.iter().map(EntryId::as_str)) {
                    index.remove(id);
                }
            }
            let first = index.size();
            index.parts.push(IndexPart {
                segment,
                first,
                removed: Removed::default(),
            });
        }
        index.count();
        index
    }

    fn remove(&mut self, id: &str) {
        for part in &mut self.parts {
            if let Some(document) = part.segment.document(id) {
                part.removed.insert(document);
            }
        }
    }

    /// Counts the documents and their words.
    fn count(&mut self) {
        let mut documents = 0;
        let mut lengths = [0_u64; FIELDS];
        for part in &self.parts {
            documents += (part.segment.len() - part.removed.count) as usize;
            for (sum, length) in lengths.iter_mut().zip(part.segment.lengths()) {
                *sum = sum.saturating_add(length);
            }
            for document in part.removed.iter() {
                let record = part.segment.records().get(document);
                let gone = record.map_or([0; FIELDS], Stored::lengths);
                for (sum, length) in lengths.iter_mut().zip(gone) {
                    *sum = sum.saturating_sub(u64::from(length));
                }
            }
        }
        self.documents = documents;
        self.average_lengths = lengths.map(|sum| {
            let sum = usize::try_from(sum).unwrap_or(usize::MAX);
            (approximate(sum) / approximate(documents.max(1))).max(1.0)
        });
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.documents
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.documents == 0
    }

    /// One past the largest number of a document, those that do not count included.
    pub(crate) fn size(&self) -> u32 {
        self.parts
            .last()
            .map_or(0, |last| last.first.saturating_add(last.segment.len()))
    }

    /// The words of an average document, by field.
    pub(crate) fn average_lengths(&self) -> [f64; FIELDS] {
        self.average_lengths
    }

    /// A document's part of the index, by its place among them, and what is kept of it.
    pub(crate) fn stored(&self, document: u32) -> Option<(usize, &IndexPart, Stored<'_>)> {
        let place = self
            .parts
            .partition_point(|part| part.first <= document)
            .checked_sub(1)?;
        let part = self.parts.get(place)?;
        let record = part.segment.records().get(document - part.first)?;
        Some((place, part, record))
    }

    /// The document of an entry.
    pub(crate) fn document(&self, id: &str) -> Option<u32> {
        self.parts.iter().rev().find_map(|part| {
            let document = part.segment.document(id)?;
            part.holds(document).then_some(part.first + document)
        })
    }

    /// Where a term occurs.
    pub(crate) fn occurrences(&self, term: &str) -> Occurrences<'_> {
        self.occurrences_of(|segment| segment.term(term).into_iter().collect())
    }

    /// Where the words occur that are one edit away from a word.
    pub(crate) fn occurrences_near(&self, word: &str) -> Occurrences<'_> {
        self.occurrences_of(|segment| segment.terms_near(word))
    }

    fn occurrences_of(&self, terms: impl Fn(&Segment) -> Vec<u32>) -> Occurrences<'_> {
        let mut found = Occurrences::default();
        for part in &self.parts {
            for term in terms(&part.segment) {
                let postings = part.segment.postings(term);
                found.holding += if part.removed.count == 0 {
                    postings.len()
                } else {
                    postings.iter().filter(|it| part.holds(it.document)).count()
                };
                found.lists.push((part, postings));
            }
        }
        found
    }

    /// The documents that an entity belongs to.
    pub(crate) fn with_entity<'i>(&'i self, key: &'i str) -> impl Iterator<Item = u32> + 'i {
        self.parts.iter().flat_map(move |part| {
            let documents = part.segment.with_entity(key);
            documents
                .iter()
                .filter(|document| part.holds(*document))
                .map(|document| part.first + document)
        })
    }

    /// The worth of something by its rarity, always above 1 (ranking section 4):
    /// `ln(1 + (N - df + 0.5) / (df + 0.5)) + 1`, where `df` of `N` documents hold it. `N` is at
    /// least [`FEWEST`].
    pub(crate) fn idf(&self, holding: usize) -> f64 {
        let all = self.documents.max(FEWEST);
        let (all, holding) = (approximate(all), approximate(holding.min(all)));
        (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln() + 1.0
    }
}

/// Where a term occurs.
#[derive(Debug, Default)]
pub(crate) struct Occurrences<'i> {
    lists: Vec<(&'i IndexPart, Postings<'i>)>,
    /// How many documents hold it, counted once for each of several terms.
    pub(crate) holding: usize,
}

impl<'i> Occurrences<'i> {
    /// The postings in one part of the index, a list for each of several terms.
    pub(crate) fn in_part(&self, part: &IndexPart) -> impl Iterator<Item = Postings<'i>> {
        self.lists
            .iter()
            .filter(move |(of, _)| std::ptr::eq(*of, part))
            .map(|(_, postings)| *postings)
    }

    /// The posting in one document.
    pub(crate) fn of(&self, document: u32) -> Option<Posting> {
        self.lists
            .iter()
            .find_map(|(part, postings)| postings.of(document.checked_sub(part.first)?))
    }
}

/// A count as a floating number; counts here are far below 2^52.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(crate) fn approximate(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::document;

    // ranking behaviour 1; W5
    #[test]
    fn rarity_counts_every_document_and_never_falls_below_one() {
        let mut both = document("a");
        both.body = "pool lock";
        let mut one = document("b");
        one.body = "pool";
        let index = Index::build([both, one]).unwrap();
        let worth = |term: &str| index.idf(index.occurrences(term).holding);
        assert!((worth("pool") - ((1.0_f64 + 62.5 / 2.5).ln() + 1.0)).abs() < 1e-12);
        assert!(worth("lock") > worth("pool") && worth("unknown") > worth("lock"));
        assert!(index.idf(10_000) > 1.0);
    }

    #[test]
    fn a_later_layer_replaces_what_came_before() {
        let layer = |bodies: &[(&str, &'static str)], gone: &[&str]| Layer {
            segment: bodies
                .iter()
                .map(|(id, body)| Document {
                    body,
                    ..document(id)
                })
                .collect::<SegmentBuilder>()
                .segment()
                .unwrap(),
            gone: gone.iter().map(|id| EntryId::new(*id).unwrap()).collect(),
        };
        let index = Index::new([
            layer(&[("a", "pool"), ("b", "pool"), ("c", "pool lock")], &[]),
            layer(&[("a", "lock")], &["a", "b"]),
        ]);
        assert_eq!(index.len(), 2);
        assert_eq!(index.occurrences("pool").holding, 1);
        assert_eq!(index.occurrences("lock").holding, 2);
        assert_eq!(index.document("b"), None);
        assert_eq!(index.document("a"), Some(3));
    }
}
