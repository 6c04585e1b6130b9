//! The bytes of a segment: a header, a table of sections, the sections.
//!
//! Everything is little-endian. The header and the table have a fixed size, so that opening a
//! segment touches one page of it, however large it is.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// What a segment starts with.
const MAGIC: [u8; 8] = *b"recall\0\x01";

/// The layout of the sections. Another layout is another number; there is no reading of old ones,
/// since a segment can be built again.
const FORMAT: u32 = 2;

const HEADER: usize = MAGIC.len() + 4 + RULES;

/// Room for the name of the rules that the text was read by.
const RULES: usize = 52;

/// Bytes that a segment lies in: a buffer, or a file mapped into memory.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Why bytes are no segment that can be searched. Whatever it is, building it anew helps.
#[derive(Debug, thiserror::Error)]
pub enum SegmentError {
    /// The bytes are something else, or too few.
    #[error("not a segment of an index")]
    Foreign,
    /// It was written by another version of the format or of the analyser.
    #[error("a segment of another version: {0}")]
    OtherVersion(String),
    /// A part of it is not what it must be.
    #[error("a damaged segment: its {0} cannot be read")]
    Damaged(&'static str),
    /// There is more text than one segment can hold.
    #[error("too much text for one segment of an index")]
    TooLarge,
    /// A dictionary could not be written.
    #[error("cannot write a dictionary of the index: {0}")]
    Dictionary(#[from] fst::Error),
}

/// The sections, in the order in which they lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    /// Totals over all documents.
    Totals,
    /// Where each string of `Strings` ends.
    StringEnds,
    /// Ids and filtered properties, one behind the other.
    Strings,
    /// One record a document, column by column.
    Documents,
    /// Document numbers by rising entry id.
    ById,
    /// The words of all documents, in order, as term numbers.
    Sequences,
    /// Term to number.
    Terms,
    /// Where the postings of each term end.
    TermEnds,
    /// The postings of all terms.
    Postings,
    /// The spellings of long words, to the number of their term.
    Spellings,
    /// Entity to number.
    Entities,
    /// Where the documents of each entity end.
    EntityEnds,
    /// The documents of all entities.
    EntityDocuments,
}

impl Section {
    pub(crate) const ALL: [Self; 13] = [
        Self::Totals,
        Self::StringEnds,
        Self::Strings,
        Self::Documents,
        Self::ById,
        Self::Sequences,
        Self::Terms,
        Self::TermEnds,
        Self::Postings,
        Self::Spellings,
        Self::Entities,
        Self::EntityEnds,
        Self::EntityDocuments,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Totals => "totals",
            Self::StringEnds | Self::Strings => "strings",
            Self::Documents | Self::ById => "documents",
            Self::Sequences => "sequences",
            Self::Terms | Self::TermEnds => "terms",
            Self::Postings => "postings",
            Self::Spellings => "spellings",
            Self::Entities | Self::EntityEnds | Self::EntityDocuments => "entities",
        }
    }

    pub(crate) const fn damaged(self) -> SegmentError {
        SegmentError::Damaged(self.name())
    }
}

/// A segment's bytes with their sections found.
#[derive(Clone)]
pub(crate) struct Image {
    bytes: Bytes,
    sections: [Range<usize>; Section::ALL.len()],
}

impl Image {
    /// Finds the sections. `rules` names what the text must have been read by.
    pub(crate) fn open(bytes: Bytes, rules: &str) -> Result<Self, SegmentError> {
        let all = (*bytes).as_ref();
        let header = all.get(..HEADER).ok_or(SegmentError::Foreign)?;
        let (magic, rest) = header.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err(SegmentError::Foreign);
        }
        let (format, written_by) = rest.split_at(4);
        let format = u32_at(format, 0).ok_or(SegmentError::Foreign)?;
        let written_by = String::from_utf8_lossy(written_by);
        let written_by = written_by.trim_end_matches('\0');
        if format != FORMAT || written_by != rules {
            let version = format!("format {format}, {written_by}");
            return Err(SegmentError::OtherVersion(version));
        }
        let mut start = HEADER + Section::ALL.len() * 8;
        let mut sections = [const { 0..0 }; Section::ALL.len()];
        for (place, section) in Section::ALL.iter().enumerate() {
            let length = all
                .get(HEADER + place * 8..)
                .and_then(|table| table.first_chunk())
                .and_then(|length| usize::try_from(u64::from_le_bytes(*length)).ok());
            let end = length
                .and_then(|length| start.checked_add(length))
                .filter(|end| *end <= all.len())
                .ok_or(section.damaged())?;
            sections[place] = start..end;
            start = end;
        }
        if start != all.len() {
            return Err(SegmentError::Damaged("length"));
        }
        Ok(Self { bytes, sections })
    }

    /// Puts all sections together, which are given in their order.
    pub(crate) fn write(rules: &str, sections: &[(Section, Vec<u8>)]) -> Vec<u8> {
        let size: usize = sections.iter().map(|(_, section)| section.len()).sum();
        let mut bytes = Vec::with_capacity(HEADER + sections.len() * 8 + size);
        bytes.extend(MAGIC);
        bytes.extend(FORMAT.to_le_bytes());
        let mut name = [0; RULES];
        for (to, from) in name.iter_mut().zip(rules.bytes()) {
            *to = from;
        }
        bytes.extend(name);
        for (_, section) in sections {
            bytes.extend((section.len() as u64).to_le_bytes());
        }
        for (_, section) in sections {
            bytes.extend(section);
        }
        bytes
    }

    pub(crate) fn section(&self, section: Section) -> &[u8] {
        let range = self.sections[section as usize].clone();
        (*self.bytes).as_ref().get(range).unwrap_or_default()
    }

    /// A section that keeps the bytes alive by itself.
    pub(crate) fn part(&self, section: Section) -> Part {
        Part {
            bytes: Arc::clone(&self.bytes),
            range: self.sections[section as usize].clone(),
        }
    }

    pub(crate) fn size(&self) -> usize {
        (*self.bytes).as_ref().len()
    }
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Image").field(&self.size()).finish()
    }
}

/// One section of an [`Image`].
#[derive(Clone)]
pub(crate) struct Part {
    bytes: Bytes,
    range: Range<usize>,
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        (*self.bytes)
            .as_ref()
            .get(self.range.clone())
            .unwrap_or_default()
    }
}

/// The number at `place` of an array of them.
pub(crate) fn u32_at(bytes: &[u8], place: usize) -> Option<u32> {
    let start = place.checked_mul(4)?;
    bytes
        .get(start..)?
        .first_chunk()
        .copied()
        .map(u32::from_le_bytes)
}

/// The range that list `place` takes in what all lists share: from where the one before ends.
pub(crate) fn list_at(ends: &[u8], place: usize) -> Option<Range<usize>> {
    let end = u32_at(ends, place)?;
    let start = match place.checked_sub(1) {
        Some(before) => u32_at(ends, before)?,
        None => 0,
    };
    Some(start as usize..end as usize)
}
