//! Documents on their way to becoming answers.

use recall_core::{EntryFilter, FILTERS, ScoreBreakdown};

use super::explain::Refusal;
use crate::index::Index;
use crate::segment::{Record, Segment};

/// A document that holds something of the question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) document: u32,
    pub(super) breakdown: ScoreBreakdown,
    /// The units that its text holds whole, one bit each.
    pub(super) whole: u64,
    /// The units it covers, be it by an entity, one bit each.
    pub(super) covers: u64,
    /// What they and the words of names are worth to the floor.
    pub(super) covered: f64,
    /// Whether it holds two words in any sequence, so that a phrase is worth looking for.
    pub(super) several: bool,
}

/// Candidates by document number.
pub(super) struct Found<'a> {
    index: &'a Index,
    filter: &'a EntryFilter,
    /// Two more than the place of each document in `candidates`; see the constants for the rest.
    places: Vec<u32>,
    candidates: Vec<Candidate>,
}

/// Nobody asked for the document yet.
const UNSEEN: u32 = 0;
/// The filter does not let it through.
const REFUSED: u32 = 1;
const FIRST: u32 = 2;

impl Candidate {
    /// Counts a unit towards the floor, once.
    pub(super) fn cover(&mut self, unit: u64, weight: f64) {
        if self.covers & unit == 0 {
            self.covers |= unit;
            self.covered += weight;
        }
    }
}

impl<'a> Found<'a> {
    pub(super) fn new(index: &'a Index, filter: &'a EntryFilter) -> Self {
        Self {
            index,
            filter,
            places: vec![UNSEEN; index.size() as usize],
            candidates: Vec::new(),
        }
    }

    /// The candidate for a document, if it was found before.
    fn known(&mut self, document: u32) -> Option<&mut Candidate> {
        let place = self.places.get(document as usize)?.checked_sub(FIRST)?;
        self.candidates.get_mut(place as usize)
    }

    /// The candidate for a document, a new one if need be; `None` if the filter refuses it.
    pub(super) fn candidate(&mut self, document: u32) -> Option<&mut Candidate> {
        let place = self.places.get_mut(document as usize)?;
        if *place == UNSEEN {
            *place = REFUSED;
            if admits(self.index, self.filter, document) {
                // There are fewer candidates than documents, and those are numbered by u32.
                *place = u32::try_from(self.candidates.len()).map_or(REFUSED, |it| it + FIRST);
                self.candidates.push(Candidate {
                    document,
                    breakdown: ScoreBreakdown::default(),
                    whole: 0,
                    covers: 0,
                    covered: 0.0,
                    several: false,
                });
            }
        }
        let place = place.checked_sub(FIRST)?;
        self.candidates.get_mut(place as usize)
    }

    /// Whether a document is a candidate.
    pub(super) fn knows(&self, document: u32) -> bool {
        self.places
            .get(document as usize)
            .is_some_and(|place| *place >= FIRST)
    }

    /// The candidate for a document; a new one only if `may_be_new`.
    pub(super) fn of(&mut self, document: u32, may_be_new: bool) -> Option<&mut Candidate> {
        if may_be_new {
            self.candidate(document)
        } else {
            self.known(document)
        }
    }

    pub(super) fn into_candidates(self) -> Vec<Candidate> {
        self.candidates
    }
}

/// Whether the filter lets a document through.
fn admits(index: &Index, filter: &EntryFilter, document: u32) -> bool {
    index
        .stored(document)
        .is_some_and(|(_, part, record)| refusals(&part.segment, &record, filter).next().is_none())
}

/// What of a filter a document does not meet.
pub(super) fn refusals<'a>(
    segment: &'a Segment,
    record: &'a Record,
    filter: &'a EntryFilter,
) -> impl Iterator<Item = Refusal> + 'a {
    let untrusted = filter.trusted_only && !record.trusted;
    let flagged = filter.exclude_flagged && record.flagged;
    let by_property = FILTERS
        .iter()
        .zip(record.properties)
        .filter(|(spec, property)| {
            filter.wanted(spec.key).is_some_and(|wanted| {
                let property = segment.string(*property);
                property.is_none_or(|property| !spec.value.admits(wanted, property))
            })
        });
    let by_standing = [
        untrusted.then_some(Refusal::NotTrusted),
        flagged.then_some(Refusal::Flagged),
    ];
    by_standing
        .into_iter()
        .flatten()
        .chain(by_property.map(|(spec, _)| Refusal::Filter(spec.key)))
}
