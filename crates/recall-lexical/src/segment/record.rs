//! What is kept of a document beside its terms, in a fixed number of bytes.

use recall_core::FILTERS;

use crate::alike::Sketch;
use crate::document::FIELDS;

/// The number of a string; [`NONE`] for none.
pub(crate) type StringNumber = u32;

/// No string.
pub(crate) const NONE: StringNumber = u32::MAX;

const TRUSTED: u32 = 1;
const FLAGGED: u32 = 2;

/// One document, to be written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Record {
    pub(crate) id: StringNumber,
    pub(crate) trusted: bool,
    pub(crate) flagged: bool,
    pub(crate) confidence: f64,
    /// Milliseconds since 1970.
    pub(crate) updated_at: i64,
    /// Words of each field that carry meaning.
    pub(crate) lengths: [u32; FIELDS],
    /// Where its words start in the sequences, and how many entries they take.
    pub(crate) sequence: (u32, u32),
    /// What its own words boil down to.
    pub(crate) sketch: Sketch,
    /// What each filter looks at.
    pub(crate) properties: [StringNumber; FILTERS.len()],
}

impl Record {
    const ID: usize = 0;
    const FLAGS: usize = Self::ID + 4;
    const CONFIDENCE: usize = Self::FLAGS + 4;
    const UPDATED_AT: usize = Self::CONFIDENCE + 8;
    const LENGTHS: usize = Self::UPDATED_AT + 8;
    const SEQUENCE: usize = Self::LENGTHS + 4 * FIELDS;
    const SKETCH: usize = Self::SEQUENCE + 8;
    const PROPERTIES: usize = Self::SKETCH + 16;
    pub(crate) const SIZE: usize = Self::PROPERTIES + 4 * FILTERS.len();

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        let flags = if self.trusted { TRUSTED } else { 0 } | if self.flagged { FLAGGED } else { 0 };
        bytes.extend(self.id.to_le_bytes());
        bytes.extend(flags.to_le_bytes());
        bytes.extend(self.confidence.to_le_bytes());
        bytes.extend(self.updated_at.to_le_bytes());
        for length in self.lengths {
            bytes.extend(length.to_le_bytes());
        }
        bytes.extend(self.sequence.0.to_le_bytes());
        bytes.extend(self.sequence.1.to_le_bytes());
        bytes.extend(self.sketch.shape.to_le_bytes());
        bytes.extend(self.sketch.telling.to_le_bytes());
        for property in self.properties {
            bytes.extend(property.to_le_bytes());
        }
    }
}

/// A document's record where it lies: what is asked for is read, and no more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stored<'s>(&'s [u8; Record::SIZE]);

/// All records of a segment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Records<'s>(&'s [[u8; Record::SIZE]]);

impl<'s> Records<'s> {
    pub(super) fn new(bytes: &'s [u8]) -> Self {
        Self(bytes.as_chunks().0)
    }

    /// The record of a document; `None` past the end.
    pub(crate) fn get(self, document: u32) -> Option<Stored<'s>> {
        self.0.get(document as usize).map(Stored)
    }
}

impl Stored<'_> {
    pub(crate) fn id(self) -> StringNumber {
        self.number(Record::ID)
    }

    pub(crate) fn trusted(self) -> bool {
        self.number(Record::FLAGS) & TRUSTED != 0
    }

    pub(crate) fn flagged(self) -> bool {
        self.number(Record::FLAGS) & FLAGGED != 0
    }

    pub(crate) fn confidence(self) -> f64 {
        f64::from_le_bytes(self.bytes(Record::CONFIDENCE))
    }

    /// Milliseconds since 1970.
    pub(crate) fn updated_at(self) -> i64 {
        i64::from_le_bytes(self.bytes(Record::UPDATED_AT))
    }

    /// Words of each field that carry meaning.
    pub(crate) fn lengths(self) -> [u32; FIELDS] {
        std::array::from_fn(|field| self.number(Record::LENGTHS + 4 * field))
    }

    /// Where its words start in the sequences, and how many entries they take.
    pub(crate) fn sequence(self) -> (u32, u32) {
        (
            self.number(Record::SEQUENCE),
            self.number(Record::SEQUENCE + 4),
        )
    }

    /// What its own words boil down to.
    pub(crate) fn sketch(self) -> Sketch {
        Sketch {
            shape: u64::from_le_bytes(self.bytes(Record::SKETCH)),
            telling: u64::from_le_bytes(self.bytes(Record::SKETCH + 8)),
        }
    }

    /// What a filter looks at, by its place in [`FILTERS`].
    pub(crate) fn property(self, place: usize) -> StringNumber {
        if place < FILTERS.len() {
            self.number(Record::PROPERTIES + 4 * place)
        } else {
            NONE
        }
    }

    fn number(self, start: usize) -> u32 {
        u32::from_le_bytes(self.bytes(start))
    }

    fn bytes<const N: usize>(self, start: usize) -> [u8; N] {
        let bytes = self.0.get(start..).and_then(<[u8]>::first_chunk);
        bytes.copied().unwrap_or([0; N])
    }
}
