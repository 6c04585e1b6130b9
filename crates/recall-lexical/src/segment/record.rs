//! What is kept of a document beside its terms, in a fixed number of bytes.

use recall_core::{FILTERS, FilterKey};

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
    pub(crate) const SIZE: usize = Column::ALL_BYTES;

    /// The bytes of all records, column by column: a question looks at one or two columns of many
    /// documents, and at all columns of few.
    pub(super) fn write_all(records: &[Self]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(records.len() * Self::SIZE);
        let mut column = |write: &dyn Fn(&Self, &mut Vec<u8>)| {
            for record in records {
                write(record, &mut bytes);
            }
        };
        column(&|it, bytes| bytes.extend(it.id.to_le_bytes()));
        column(&|it, bytes| {
            let flags = if it.trusted { TRUSTED } else { 0 } | if it.flagged { FLAGGED } else { 0 };
            bytes.extend(flags.to_le_bytes());
        });
        column(&|it, bytes| bytes.extend(it.confidence.to_le_bytes()));
        column(&|it, bytes| bytes.extend(it.updated_at.to_le_bytes()));
        column(&|it, bytes| {
            for length in it.lengths {
                bytes.extend(length.to_le_bytes());
            }
        });
        column(&|it, bytes| {
            bytes.extend(it.sequence.0.to_le_bytes());
            bytes.extend(it.sequence.1.to_le_bytes());
        });
        column(&|it, bytes| {
            bytes.extend(it.sketch.shape.to_le_bytes());
            bytes.extend(it.sketch.telling.to_le_bytes());
        });
        for place in 0..FILTERS.len() {
            column(&|it, bytes| bytes.extend(it.properties[place].to_le_bytes()));
        }
        bytes
    }
}

const fn place_of(key: FilterKey) -> Option<usize> {
    let mut place = 0;
    while place < FILTERS.len() {
        if FILTERS[place].key as usize == key as usize {
            return Some(place);
        }
        place += 1;
    }
    None
}

/// Where a column starts, in bytes a document, and how wide it is.
#[derive(Debug, Clone, Copy)]
struct Column {
    start: usize,
    width: usize,
}

impl Column {
    const ID: Self = Self { start: 0, width: 4 };
    const FLAGS: Self = Self::ID.next(4);
    const CONFIDENCE: Self = Self::FLAGS.next(8);
    const UPDATED_AT: Self = Self::CONFIDENCE.next(8);
    const LENGTHS: Self = Self::UPDATED_AT.next(4 * FIELDS);
    const SEQUENCE: Self = Self::LENGTHS.next(8);
    const SKETCH: Self = Self::SEQUENCE.next(16);
    /// The first of them; the others follow.
    const PROPERTY: Self = Self::SKETCH.next(4);
    const ALL_BYTES: usize = Self::PROPERTY.start + FILTERS.len() * Self::PROPERTY.width;

    const fn next(self, width: usize) -> Self {
        Self {
            start: self.start + self.width,
            width,
        }
    }
}

/// All records of a segment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Records<'s> {
    bytes: &'s [u8],
    documents: usize,
}

impl<'s> Records<'s> {
    pub(super) fn new(bytes: &'s [u8]) -> Self {
        Self {
            bytes,
            documents: bytes.len() / Record::SIZE,
        }
    }

    /// The record of a document; `None` past the end.
    pub(crate) fn get(self, document: u32) -> Option<Stored<'s>> {
        let document = document as usize;
        (document < self.documents).then_some(Stored {
            records: self,
            document,
        })
    }
}

/// A document's record where it lies: what is asked for is read, and no more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stored<'s> {
    records: Records<'s>,
    document: usize,
}

impl Stored<'_> {
    pub(crate) fn id(self) -> StringNumber {
        u32::from_le_bytes(self.bytes(Column::ID))
    }

    pub(crate) fn trusted(self) -> bool {
        u32::from_le_bytes(self.bytes(Column::FLAGS)) & TRUSTED != 0
    }

    pub(crate) fn flagged(self) -> bool {
        u32::from_le_bytes(self.bytes(Column::FLAGS)) & FLAGGED != 0
    }

    pub(crate) fn confidence(self) -> f64 {
        f64::from_le_bytes(self.bytes(Column::CONFIDENCE))
    }

    /// Milliseconds since 1970.
    pub(crate) fn updated_at(self) -> i64 {
        i64::from_le_bytes(self.bytes(Column::UPDATED_AT))
    }

    /// Words of each field that carry meaning.
    pub(crate) fn lengths(self) -> [u32; FIELDS] {
        let bytes: [u8; 4 * FIELDS] = self.bytes(Column::LENGTHS);
        let lengths = bytes.as_chunks().0;
        std::array::from_fn(|field| lengths.get(field).map_or(0, |it| u32::from_le_bytes(*it)))
    }

    /// Where its words start in the sequences, and how many entries they take.
    pub(crate) fn sequence(self) -> (u32, u32) {
        let [a, b, c, d, length @ ..] = self.bytes::<8>(Column::SEQUENCE);
        (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes(length))
    }

    /// What its own words boil down to.
    pub(crate) fn sketch(self) -> Sketch {
        let bytes: [u8; 16] = self.bytes(Column::SKETCH);
        let both = u128::from_le_bytes(bytes);
        #[expect(clippy::cast_possible_truncation, reason = "the halves of it")]
        Sketch {
            shape: both as u64,
            telling: (both >> 64) as u64,
        }
    }

    /// What a filter looks at, by its place in [`FILTERS`].
    pub(crate) fn property(self, place: usize) -> StringNumber {
        if place >= FILTERS.len() {
            return NONE;
        }
        let first = Column::PROPERTY;
        u32::from_le_bytes(self.bytes(Column {
            start: first.start + place * first.width,
            width: first.width,
        }))
    }

    /// Whether another entry superseded it.
    pub(crate) fn is_superseded(self) -> bool {
        const PLACE: Option<usize> = place_of(FilterKey::SupersededByEntryId);
        PLACE.is_some_and(|place| self.property(place) != NONE)
    }

    /// What stands in a column, which is `N` wide.
    fn bytes<const N: usize>(self, column: Column) -> [u8; N] {
        let start = column.start * self.records.documents + N * self.document;
        let bytes = self
            .records
            .bytes
            .get(start..)
            .and_then(<[u8]>::first_chunk);
        bytes.copied().unwrap_or([0; N])
    }
}
