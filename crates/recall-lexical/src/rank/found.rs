//! Documents on their way to becoming answers.

use recall_core::{EntryFilter, FILTERS, FilterSpec, ScoreBreakdown};

use super::explain::Refusal;
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
    pub(super) confidence: f64,
    /// Milliseconds since 1970.
    pub(super) updated_at: i64,
}

impl Candidate {
    /// One that holds nothing so far.
    pub(super) fn new(document: u32, record: Stored<'_>) -> Self {
        Self {
            document,
            breakdown: ScoreBreakdown::default(),
            whole: 0,
            covers: 0,
            covered: 0.0,
            several: false,
            superseded: record.is_superseded(),
            confidence: record.confidence(),
            updated_at: record.updated_at(),
        }
    }

    /// Counts a unit towards the floor, once.
    pub(super) fn cover(&mut self, unit: u64, weight: f64) {
        if self.covers & unit == 0 {
            self.covers |= unit;
            self.covered += weight;
        }
    }
}

/// Lets through what [`refusals`] has nothing against, without reading a text twice: of most
/// properties there are few.
pub(super) struct Gate<'a> {
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
    pub(super) fn new(filter: &'a EntryFilter) -> Self {
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

    pub(super) fn admits(&mut self, segment: &Segment, record: Stored<'_>) -> bool {
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
