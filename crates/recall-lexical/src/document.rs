//! What is ranked.

use std::borrow::Cow;

use recall_core::{Confidence, Entry, EntryId, Evidence, FILTERS, Timestamp};
use recall_trust::{instructions, is_trusted};

/// A place of text in a document. What a word is worth depends on where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Title,
    Trigger,
    Body,
    Evidence,
}

/// How many fields there are.
pub(crate) const FIELDS: usize = 4;

/// The searchable side of an entry. Its texts are borrowed: they are read once, to be indexed.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<'e> {
    /// The entry's identity.
    pub id: EntryId,
    /// One line.
    pub title: &'e str,
    /// When it applies.
    pub trigger: &'e str,
    /// The conclusion itself.
    pub body: &'e str,
    /// What its evidence says, in stored order.
    pub evidence: Vec<Cow<'e, str>>,
    /// What each filter looks at, in the order of [`FILTERS`].
    pub properties: [Option<&'e str>; FILTERS.len()],
    /// Whether it may be trusted.
    pub trusted: bool,
    /// Whether it reads like instructions.
    pub flagged: bool,
    /// Its confidence, 0 if unknown.
    pub confidence: f64,
    /// When its standing last changed.
    pub updated_at: Timestamp,
}

impl<'e> Document<'e> {
    /// The searchable side of `entry`.
    pub fn from_entry(entry: &'e Entry) -> Self {
        Self {
            id: entry.id.clone(),
            title: &entry.title,
            trigger: &entry.trigger,
            body: &entry.body,
            evidence: entry.evidence.iter().map(Evidence::snippet).collect(),
            properties: std::array::from_fn(|place| entry.property(FILTERS[place].key)),
            trusted: is_trusted(entry),
            flagged: !instructions::entry_flags(entry).is_empty(),
            confidence: entry.confidence.map_or(0.0, Confidence::get),
            updated_at: entry.updated_at,
        }
    }

    /// Every text with the field that it belongs to.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (Field, &str)> {
        [
            (Field::Title, self.title),
            (Field::Body, self.body),
            (Field::Trigger, self.trigger),
        ]
        .into_iter()
        .chain(
            self.evidence
                .iter()
                .map(|text| (Field::Evidence, text.as_ref())),
        )
    }
}
