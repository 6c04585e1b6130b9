//! Writing a segment.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use fst::MapBuilder;
use recall_text::{Analyser, is_stop_word};

use super::image::{Image, Section};
use super::record::{NONE, Record, StringNumber};
use super::{FIELD_END, SHORTEST_MISSPELT, Segment, SegmentError, rules};
use crate::alike::Sketcher;
use crate::document::{Document, FIELDS, Field};
use crate::entity::{MOST_ENTITIES, around, is_exact, stated};

/// Collects documents, in any order, and writes them as one segment.
#[derive(Debug, Default)]
pub struct SegmentBuilder {
    strings: Strings,
    records: Vec<Record>,
    lengths: [u64; FIELDS],
    sequences: Vec<u32>,
    vocabulary: HashMap<Box<str>, u32>,
    postings: Vec<Vec<(u32, [u8; FIELDS])>>,
    spellings: HashMap<Box<str>, u32>,
    entities: HashMap<Box<str>, Vec<u32>>,
}

impl<'e> FromIterator<Document<'e>> for SegmentBuilder {
    fn from_iter<D: IntoIterator<Item = Document<'e>>>(documents: D) -> Self {
        let mut builder = Self::default();
        for document in documents {
            builder.add(&document);
        }
        builder
    }
}

/// Each string once.
#[derive(Debug, Default)]
struct Strings {
    numbers: HashMap<Box<str>, StringNumber>,
    ends: Vec<u32>,
    bytes: Vec<u8>,
}

impl Strings {
    fn number(&mut self, text: &str) -> StringNumber {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = counted(self.ends.len());
        self.bytes.extend(text.bytes());
        self.ends.push(counted(self.bytes.len()));
        self.numbers.insert(text.into(), number);
        number
    }
}

/// A document while it is being read.
struct Reading {
    document: u32,
    entities: Entities,
    sketcher: Sketcher,
}

/// The entities of one document.
struct Entities(BTreeSet<String>);

impl Entities {
    /// Whether another one counts.
    fn has_room(&self) -> bool {
        self.0.len() < MOST_ENTITIES
    }
}

impl SegmentBuilder {
    /// The documents as a segment in memory.
    ///
    /// # Errors
    /// As [`SegmentBuilder::finish`].
    pub fn segment(self) -> Result<Segment, SegmentError> {
        Segment::open(Arc::new(self.finish()?))
    }

    /// How many documents were added.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether no document was added.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Reads a document, in time linear in its text. Its id must not have been added before.
    pub fn add(&mut self, document: &Document<'_>) {
        let number = counted(self.records.len());
        let start = self.sequences.len();
        let mut lengths = [0; FIELDS];
        let mut reading = Reading {
            document: number,
            entities: Entities(around(document).collect()),
            sketcher: Sketcher::default(),
        };
        for (field, text) in document.texts() {
            lengths[field as usize] += self.read(field, text, &mut reading);
        }
        for key in reading.entities.0 {
            self.entities.entry(key.into()).or_default().push(number);
        }
        for (total, length) in self.lengths.iter_mut().zip(lengths) {
            *total += u64::from(length);
        }
        let record = Record {
            id: self.strings.number(document.id.as_str()),
            trusted: document.trusted,
            flagged: document.flagged,
            confidence: document.confidence,
            updated_at: document.updated_at.as_millisecond(),
            lengths,
            sequence: (counted(start), counted(self.sequences.len() - start)),
            sketch: reading.sketcher.sketch(),
            properties: document
                .properties
                .map(|text| text.map_or(NONE, |text| self.strings.number(text))),
        };
        self.records.push(record);
    }

    /// Reads one text of a document and returns how many words carry meaning.
    fn read(&mut self, field: Field, text: &str, reading: &mut Reading) -> u32 {
        let start = self.sequences.len();
        for token in Analyser::terms(text) {
            let term = self.intern(&token.term);
            self.count(term, reading.document, field);
            if token.kind.is_leaf() {
                if field != Field::Evidence {
                    reading.sketcher.add(&token.surface, token.kind);
                }
                if !is_stop_word(&token.surface) {
                    self.sequences.push(term);
                }
                if token.surface.chars().count() >= SHORTEST_MISSPELT - 1
                    && !self.spellings.contains_key(token.surface.as_ref())
                {
                    self.spellings.insert(token.surface.as_ref().into(), term);
                }
            }
            if is_exact(&token) && reading.entities.has_room() {
                reading.entities.0.insert(token.term.into_owned());
            }
        }
        let words = counted(self.sequences.len() - start);
        self.sequences.push(FIELD_END);
        for key in stated(text) {
            if !reading.entities.has_room() {
                break;
            }
            reading.entities.0.insert(key);
        }
        words
    }

    fn intern(&mut self, term: &str) -> u32 {
        if let Some(number) = self.vocabulary.get(term) {
            return *number;
        }
        let number = counted(self.postings.len());
        self.postings.push(Vec::new());
        self.vocabulary.insert(term.into(), number);
        number
    }

    fn count(&mut self, term: u32, document: u32, field: Field) {
        let Some(postings) = self.postings.get_mut(term as usize) else {
            return;
        };
        if postings.last().is_none_or(|(last, _)| *last != document) {
            postings.push((document, [0; FIELDS]));
        }
        if let Some((_, counts)) = postings.last_mut() {
            let count = &mut counts[field as usize];
            *count = count.saturating_add(1);
        }
    }

    /// The bytes for [`Segment::open`].
    ///
    /// # Errors
    /// [`SegmentError::TooLarge`] if there are four billion words or more.
    pub fn finish(mut self) -> Result<Vec<u8>, SegmentError> {
        let mut terms: Vec<(Box<str>, u32)> = self.vocabulary.drain().collect();
        terms.sort_unstable();
        // Terms are numbered in the order of the dictionary from here on.
        let mut renumbered = vec![FIELD_END; terms.len()];
        for (new, (_, old)) in (0..).zip(&terms) {
            renumbered[*old as usize] = new;
        }
        let new_number = |old: u32| renumbered.get(old as usize).copied().unwrap_or(FIELD_END);

        let mut postings = Vec::new();
        let mut term_ends = Vec::new();
        let mut count = 0;
        for (_, old) in &terms {
            for (document, counts) in &self.postings[*old as usize] {
                postings.extend(document.to_le_bytes());
                postings.extend(counts);
                count += 1;
            }
            term_ends.push(counted(count));
        }
        let mut spellings: Vec<(Box<str>, u32)> = self
            .spellings
            .drain()
            .map(|(spelling, old)| (spelling, new_number(old)))
            .collect();
        spellings.sort_unstable();
        let mut entities: Vec<(Box<str>, Vec<u32>)> = self.entities.drain().collect();
        entities.sort_unstable();
        let mut by_id: Vec<u32> = (0..counted(self.records.len())).collect();
        by_id.sort_unstable_by_key(|document| self.id(*document));

        let entity_ends = entities.iter().scan(0, |end, (_, documents)| {
            *end += documents.len();
            Some(counted(*end))
        });
        let entity_documents = entities.iter().flat_map(|(_, documents)| documents.iter());
        let lengths = self.lengths.iter().flat_map(|total| total.to_le_bytes());
        let sections = [
            (Section::Totals, lengths.collect()),
            (
                Section::StringEnds,
                numbers(self.strings.ends.iter().copied()),
            ),
            (Section::Strings, std::mem::take(&mut self.strings.bytes)),
            (Section::Documents, Record::write_all(&self.records)),
            (Section::ById, numbers(by_id.into_iter())),
            (
                Section::Sequences,
                numbers(self.sequences.iter().copied().map(new_number)),
            ),
            (
                Section::Terms,
                dictionary((0..).zip(&terms).map(|(number, (term, _))| (term, number)))?,
            ),
            (Section::TermEnds, numbers(term_ends.into_iter())),
            (Section::Postings, postings),
            (
                Section::Spellings,
                dictionary(
                    spellings
                        .iter()
                        .map(|(spelling, term)| (spelling, u64::from(*term))),
                )?,
            ),
            (
                Section::Entities,
                dictionary((0..).zip(&entities).map(|(number, (key, _))| (key, number)))?,
            ),
            (Section::EntityEnds, numbers(entity_ends)),
            (Section::EntityDocuments, numbers(entity_documents.copied())),
        ];
        // Whatever is counted here is counted in 32 bits.
        if sections
            .iter()
            .any(|(_, bytes)| bytes.len() / 4 >= FIELD_END as usize)
        {
            return Err(SegmentError::TooLarge);
        }
        Ok(Image::write(&rules(), &sections))
    }

    fn id(&self, document: u32) -> &[u8] {
        let number = self.records[document as usize].id as usize;
        let start = number
            .checked_sub(1)
            .map_or(0, |before| self.strings.ends[before] as usize);
        &self.strings.bytes[start..self.strings.ends[number] as usize]
    }
}

fn numbers(numbers: impl Iterator<Item = u32>) -> Vec<u8> {
    numbers.flat_map(u32::to_le_bytes).collect()
}

fn dictionary<'t>(
    sorted: impl Iterator<Item = (&'t Box<str>, u64)>,
) -> Result<Vec<u8>, SegmentError> {
    let mut builder = MapBuilder::memory();
    for (text, number) in sorted {
        builder.insert(text.as_bytes(), number)?;
    }
    Ok(builder.into_inner()?)
}

/// A count that [`SegmentBuilder::finish`] makes sure is not cut off.
fn counted(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(FIELD_END)
}
