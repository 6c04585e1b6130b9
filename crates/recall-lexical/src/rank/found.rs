//! Documents on their way to becoming answers.

use recall_core::{EntryFilter, FILTERS, FilterKey, FilterSpec, ScoreBreakdown};

use super::explain::Refusal;
use crate::index::{Index, IndexPart};
use crate::segment::{Segment, Stored, StringNumber};

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
    /// Whether another entry superseded it.
    pub(super) superseded: bool,
}

/// Candidates by document number.
pub(super) struct Found<'a> {
    index: &'a Index,
    /// One for each part of the index.
    gates: Vec<Gate<'a>>,
    /// Two more than the place of each document in `candidates`; see the constants for the rest.
    places: Vec<u32>,
    candidates: Vec<Candidate>,
}

/// The most that each document can cover of a question. Adding that up costs little beside
/// scoring, and of a long question most documents hold too little.
pub(super) struct Reach {
    most: Vec<f64>,
    floor: f64,
}

impl Reach {
    /// Nothing is covered yet, and so much must be.
    pub(super) fn new(index: &Index, floor: f64) -> Self {
        Self {
            most: vec![0.0; index.size() as usize],
            // Rounding must not cost an answer.
            floor: floor * (1.0 - 1e-9),
        }
    }

    pub(super) fn add(&mut self, documents: impl Iterator<Item = u32>, weight: f64) {
        for document in documents {
            if let Some(most) = self.most.get_mut(document as usize) {
                *most += weight;
            }
        }
    }
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
        Self::with(index, filter, vec![UNSEEN; index.size() as usize])
    }

    /// Only documents that may reach a floor become candidates.
    pub(super) fn above(index: &'a Index, filter: &'a EntryFilter, reach: &Reach) -> Self {
        let places = reach.most.iter().map(|most| {
            if *most >= reach.floor {
                UNSEEN
            } else {
                REFUSED
            }
        });
        Self::with(index, filter, places.collect())
    }

    fn with(index: &'a Index, filter: &'a EntryFilter, places: Vec<u32>) -> Self {
        Self {
            index,
            gates: index.parts.iter().map(|_| Gate::new(filter)).collect(),
            places,
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
            if let Some((part, IndexPart { segment, .. }, record)) = self.index.stored(document)
                && self.gates[part].admits(segment, record)
            {
                // There are fewer candidates than documents, and those are numbered by u32.
                *place = u32::try_from(self.candidates.len()).map_or(REFUSED, |it| it + FIRST);
                self.candidates.push(Candidate {
                    document,
                    breakdown: ScoreBreakdown::default(),
                    whole: 0,
                    covers: 0,
                    covered: 0.0,
                    several: false,
                    superseded: segment
                        .property(record, FilterKey::SupersededByEntryId)
                        .is_some(),
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

/// Lets through what [`refusals`] has nothing against, without reading a text twice: of most
/// properties there are few.
struct Gate<'a> {
    filter: &'a EntryFilter,
    wanted: Vec<Wanted<'a>>,
}

/// What one property must be.
struct Wanted<'a> {
    place: usize,
    spec: &'a FilterSpec,
    text: &'a str,
    /// The latest verdicts by the lowest bits of the property's number.
    verdicts: [Option<(StringNumber, bool)>; VERDICTS],
}

const VERDICTS: usize = 16;

impl<'a> Gate<'a> {
    fn new(filter: &'a EntryFilter) -> Self {
        let wanted = FILTERS.iter().enumerate().filter_map(|(place, spec)| {
            let text = filter.wanted(spec.key)?;
            Some(Wanted {
                place,
                spec,
                text,
                verdicts: [None; VERDICTS],
            })
        });
        Self {
            filter,
            wanted: wanted.collect(),
        }
    }

    fn admits(&mut self, segment: &Segment, record: Stored<'_>) -> bool {
        standing_refusals(record, self.filter).next().is_none()
            && self.wanted.iter_mut().all(|it| it.admits(segment, record))
    }
}

impl Wanted<'_> {
    fn admits(&mut self, segment: &Segment, record: Stored<'_>) -> bool {
        let property = record.property(self.place);
        let verdict = &mut self.verdicts[property as usize % VERDICTS];
        match *verdict {
            Some((known, admits)) if known == property => admits,
            _ => {
                let text = segment.string(property);
                let admits = text.is_some_and(|text| self.spec.value.admits(self.text, text));
                *verdict = Some((property, admits));
                admits
            }
        }
    }
}

/// What of a filter a document does not meet.
pub(super) fn refusals<'a>(
    segment: &'a Segment,
    record: &'a Stored<'a>,
    filter: &'a EntryFilter,
) -> impl Iterator<Item = Refusal> + 'a {
    let by_property = FILTERS.iter().enumerate().filter(move |(place, spec)| {
        filter.wanted(spec.key).is_some_and(|wanted| {
            let property = segment.string(record.property(*place));
            property.is_none_or(|property| !spec.value.admits(wanted, property))
        })
    });
    standing_refusals(*record, filter).chain(by_property.map(|(_, spec)| Refusal::Filter(spec.key)))
}

fn standing_refusals(
    record: Stored<'_>,
    filter: &EntryFilter,
) -> impl Iterator<Item = Refusal> + use<> {
    let untrusted = filter.trusted_only && !record.trusted();
    let flagged = filter.exclude_flagged && record.flagged();
    [
        untrusted.then_some(Refusal::NotTrusted),
        flagged.then_some(Refusal::Flagged),
    ]
    .into_iter()
    .flatten()
}
