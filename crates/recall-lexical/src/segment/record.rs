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

/// One document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Record {
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
    /// Where the lengths lie.
    const LENGTHS: usize = 4 + 4 + 8 + 8;

    pub(crate) const SIZE: usize = Self::LENGTHS + 4 * FIELDS + 8 + 8 + 8 + 4 * FILTERS.len();

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

    /// The lengths alone, which are looked at more often than the rest.
    pub(crate) fn read_lengths(bytes: &[u8], number: u32) -> [u32; FIELDS] {
        let start = number as usize * Self::SIZE + Self::LENGTHS;
        let lengths = bytes
            .get(start..)
            .and_then(<[u8]>::first_chunk::<{ 4 * FIELDS }>);
        let mut read = [0; FIELDS];
        if let Some(lengths) = lengths {
            for (length, bytes) in read.iter_mut().zip(lengths.as_chunks().0) {
                *length = u32::from_le_bytes(*bytes);
            }
        }
        read
    }

    /// The record of document `number`; `None` past the end.
    pub(crate) fn read(bytes: &[u8], number: u32) -> Option<Self> {
        let start = (number as usize).checked_mul(Self::SIZE)?;
        let mut rest = bytes.get(start..start.checked_add(Self::SIZE)?)?;
        let id = take(&mut rest, u32::from_le_bytes)?;
        let flags = take(&mut rest, u32::from_le_bytes)?;
        let confidence = take(&mut rest, f64::from_le_bytes)?;
        let updated_at = take(&mut rest, i64::from_le_bytes)?;
        let mut lengths = [0; FIELDS];
        for length in &mut lengths {
            *length = take(&mut rest, u32::from_le_bytes)?;
        }
        let start = take(&mut rest, u32::from_le_bytes)?;
        let length = take(&mut rest, u32::from_le_bytes)?;
        let shape = take(&mut rest, u64::from_le_bytes)?;
        let telling = take(&mut rest, u64::from_le_bytes)?;
        let mut properties = [NONE; FILTERS.len()];
        for property in &mut properties {
            *property = take(&mut rest, u32::from_le_bytes)?;
        }
        Some(Self {
            id,
            trusted: flags & TRUSTED != 0,
            flagged: flags & FLAGGED != 0,
            confidence,
            updated_at,
            lengths,
            sequence: (start, length),
            sketch: Sketch { shape, telling },
            properties,
        })
    }
}

fn take<const N: usize, T>(rest: &mut &[u8], read: fn([u8; N]) -> T) -> Option<T> {
    let (first, behind) = rest.split_first_chunk()?;
    *rest = behind;
    Some(read(*first))
}
