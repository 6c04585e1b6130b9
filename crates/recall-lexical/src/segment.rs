//! Documents made searchable, as one run of bytes that never changes.
//!
//! The same bytes serve a process that has just started, from a file mapped into memory, one that
//! has been running for days, and a test that never touches a disk; so all of them give the same
//! answers. Nothing is decoded beforehand: a question reads the lists of its own words.
//!
//! Bytes that were damaged are found out when the segment is opened or read as if the broken part
//! were empty; they never stop the process.

mod build;
mod image;
mod record;

use fst::automaton::Levenshtein;
use fst::{IntoStreamer, Map, Streamer};
use recall_core::{FILTERS, FilterKey};
use recall_text::Analyser;
use recall_trust::instructions;

use crate::document::FIELDS;
use image::{Image, Part, Section, list_at, u32_at};

pub use build::SegmentBuilder;
pub use image::{Bytes, SegmentError};
use record::{NONE, Record};
pub(crate) use record::{Records, Stored, StringNumber};

/// Words of fewer letters are not looked up by edit distance: too many others are near them.
pub(crate) const SHORTEST_MISSPELT: usize = 6;

/// Stands between fields in a sequence, so that no phrase reaches across.
pub(crate) const FIELD_END: u32 = u32::MAX;

/// An immutable set of searchable documents.
#[derive(Debug, Clone)]
pub struct Segment {
    image: Image,
    terms: Dictionary,
    spellings: Dictionary,
    entities: Dictionary,
    documents: u32,
    lengths: [u64; FIELDS],
}

/// Text to number.
#[derive(Debug, Clone)]
struct Dictionary(Map<Part>);

impl Dictionary {
    fn open(image: &Image, section: Section) -> Result<Self, SegmentError> {
        let map = Map::new(image.part(section)).map_err(|_| section.damaged())?;
        // Looking something up in a damaged dictionary could panic.
        map.as_fst().verify().map_err(|_| section.damaged())?;
        Ok(Self(map))
    }

    fn number(&self, text: &str) -> Option<usize> {
        self.0
            .get(text)
            .and_then(|number| usize::try_from(number).ok())
    }
}

/// How often one term occurs in one document, by field; 255 stands for more, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Posting {
    pub(crate) document: u32,
    pub(crate) counts: [u8; FIELDS],
}

impl Posting {
    const SIZE: usize = 4 + FIELDS;

    fn read(bytes: [u8; Self::SIZE]) -> Self {
        let [a, b, c, d, counts @ ..] = bytes;
        Self {
            document: u32::from_le_bytes([a, b, c, d]),
            counts,
        }
    }
}

/// The postings of one term, by rising document.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Postings<'s>(&'s [[u8; Posting::SIZE]]);

impl<'s> Postings<'s> {
    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Posting> + 's {
        self.0.iter().copied().map(Posting::read)
    }

    pub(crate) fn documents(self) -> impl Iterator<Item = u32> + 's {
        self.0.iter().map(document_of)
    }

    /// The posting in a document; what lies before it is never given again.
    pub(crate) fn pass_to(&mut self, document: u32) -> Option<Posting> {
        pass_to(&mut self.0, document).copied().map(Posting::read)
    }

    pub(crate) fn of(self, document: u32) -> Option<Posting> {
        let place = self
            .0
            .binary_search_by_key(&document, |bytes| Posting::read(*bytes).document)
            .ok()?;
        self.0.get(place).copied().map(Posting::read)
    }
}

/// The documents that an entity belongs to, by rising number.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Entitled<'s>(&'s [[u8; 4]]);

impl<'s> Entitled<'s> {
    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = u32> + 's {
        self.0.iter().map(document_of)
    }

    /// Whether a document is among them; what lies before it is never given again.
    pub(crate) fn pass_to(&mut self, document: u32) -> bool {
        pass_to(&mut self.0, document).is_some()
    }
}

/// Every item of a list starts with the number of its document.
fn document_of<const N: usize>(item: &[u8; N]) -> u32 {
    item.first_chunk()
        .map_or(u32::MAX, |number| u32::from_le_bytes(*number))
}

/// Takes the items up to that of a document from the start of a list, and gives that one. The
/// further away it is, the longer the steps.
fn pass_to<'s, const N: usize>(list: &mut &'s [[u8; N]], document: u32) -> Option<&'s [u8; N]> {
    let is_before = |item: &[u8; N]| document_of(item) < document;
    if list.first().is_some_and(is_before) {
        let mut reach = 1;
        while list.get(reach).is_some_and(is_before) {
            reach *= 2;
        }
        let near = list
            .get(reach / 2..reach.min(list.len()))
            .unwrap_or_default();
        let passed = reach / 2 + near.partition_point(is_before);
        *list = list.get(passed..).unwrap_or_default();
    }
    let (first, rest) = list.split_first()?;
    (document_of(first) == document).then(|| {
        *list = rest;
        first
    })
}

impl Segment {
    /// Opens what [`SegmentBuilder::finish`] has written.
    ///
    /// # Errors
    /// [`SegmentError`] if it is no such thing, of another version, or damaged.
    pub fn open(bytes: Bytes) -> Result<Self, SegmentError> {
        let image = Image::open(bytes, &rules())?;
        let records = image.section(Section::Documents).len();
        if records % Record::SIZE != 0 {
            return Err(Section::Documents.damaged());
        }
        let documents =
            u32::try_from(records / Record::SIZE).map_err(|_| Section::Documents.damaged())?;
        let mut lengths = [0; FIELDS];
        let totals = image.section(Section::Totals);
        for (length, bytes) in lengths.iter_mut().zip(totals.as_chunks().0) {
            *length = u64::from_le_bytes(*bytes);
        }
        Ok(Self {
            terms: Dictionary::open(&image, Section::Terms)?,
            spellings: Dictionary::open(&image, Section::Spellings)?,
            entities: Dictionary::open(&image, Section::Entities)?,
            documents,
            lengths,
            image,
        })
    }

    /// How many documents there are.
    pub fn len(&self) -> u32 {
        self.documents
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.documents == 0
    }

    /// How many bytes it takes.
    pub fn size(&self) -> usize {
        self.image.size()
    }

    /// Words that carry meaning in all documents together, by field.
    pub(crate) fn lengths(&self) -> [u64; FIELDS] {
        self.lengths
    }

    pub(crate) fn records(&self) -> Records<'_> {
        Records::new(self.image.section(Section::Documents))
    }

    /// The entry id of every document, in the order of the ids.
    pub(crate) fn ids(&self) -> impl Iterator<Item = (u32, &str)> {
        (0..self.documents as usize).filter_map(|place| {
            let document = u32_at(self.image.section(Section::ById), place)?;
            Some((document, self.id(document)?))
        })
    }

    pub(crate) fn id(&self, document: u32) -> Option<&str> {
        self.string(self.records().get(document)?.id())
    }

    /// The document of an entry.
    pub(crate) fn document(&self, id: &str) -> Option<u32> {
        let order = self.image.section(Section::ById);
        let (mut low, mut high) = (0, self.documents as usize);
        while low < high {
            let middle = low.midpoint(high);
            let document = u32_at(order, middle)?;
            match self.id(document)?.cmp(id) {
                std::cmp::Ordering::Equal => return Some(document),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// What a filter looks at.
    pub(crate) fn property(&self, record: Stored<'_>, key: FilterKey) -> Option<&str> {
        let place = FILTERS.iter().position(|spec| spec.key == key)?;
        self.string(record.property(place))
    }

    pub(crate) fn string(&self, number: StringNumber) -> Option<&str> {
        if number == NONE {
            return None;
        }
        let range = list_at(self.image.section(Section::StringEnds), number as usize)?;
        let bytes = self.image.section(Section::Strings).get(range)?;
        std::str::from_utf8(bytes).ok()
    }

    /// The number of a term, as used in sequences.
    pub(crate) fn term(&self, term: &str) -> Option<u32> {
        u32::try_from(self.terms.number(term)?).ok()
    }

    pub(crate) fn postings(&self, term: u32) -> Postings<'_> {
        let range = list_at(self.image.section(Section::TermEnds), term as usize);
        let all = self.image.section(Section::Postings).as_chunks().0;
        Postings(range.and_then(|range| all.get(range)).unwrap_or_default())
    }

    /// The terms of the words that are one edit away from a word; a swap of neighbours is one.
    pub(crate) fn terms_near(&self, word: &str) -> Vec<u32> {
        let mut near = Vec::new();
        // The automaton of a word too long for it is refused; such words stay unknown.
        if let Ok(automaton) = Levenshtein::new(word, 1) {
            let mut found = self.spellings.0.search(automaton).into_stream();
            while let Some((_, term)) = found.next() {
                near.extend(u32::try_from(term));
            }
        }
        for swapped in with_neighbours_swapped(word) {
            let term = self.spellings.number(&swapped);
            near.extend(term.and_then(|term| u32::try_from(term).ok()));
        }
        near.sort_unstable();
        near.dedup();
        near
    }

    /// The documents that an entity belongs to.
    pub(crate) fn with_entity(&self, key: &str) -> Entitled<'_> {
        let number = self.entities.number(key);
        let range =
            number.and_then(|number| list_at(self.image.section(Section::EntityEnds), number));
        let all = self.image.section(Section::EntityDocuments).as_chunks().0;
        Entitled(range.and_then(|range| all.get(range)).unwrap_or_default())
    }

    /// The words of a document that carry meaning, in order, [`FIELD_END`] between fields.
    pub(crate) fn sequence(&self, record: Stored<'_>) -> impl ExactSizeIterator<Item = u32> + '_ {
        let (start, length) = record.sequence();
        let all = self.image.section(Section::Sequences).as_chunks().0;
        let words = (start as usize)
            .checked_add(length as usize)
            .and_then(|end| all.get(start as usize..end))
            .unwrap_or_default();
        words.iter().map(|bytes| u32::from_le_bytes(*bytes))
    }

    /// The sizes of the parts with their names, for reports.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, usize)> + '_ {
        let sections = Section::ALL.iter();
        sections.map(|section| (section.name(), self.image.section(*section).len()))
    }
}

/// Names the rules that text was read by: what was read by others answers otherwise.
fn rules() -> String {
    format!("{} {}", Analyser::VERSION, instructions::VERSION)
}

/// Every spelling that differs from a word by one pair of neighbours swapped.
fn with_neighbours_swapped(word: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = word.chars().collect();
    (1..letters.len())
        .filter(|at| letters[at - 1] != letters[*at])
        .map(|at| {
            let mut swapped = letters.clone();
            swapped.swap(at - 1, at);
            swapped.into_iter().collect()
        })
        .collect::<Vec<String>>()
        .into_iter()
}

#[cfg(test)]
mod tests;
