//! What a question asks for, found in an index.

use crate::index::{Index, Occurrences, approximate};
use crate::policy::Policy;
use crate::query::{Query, Unit};

/// One unit of a question and where it occurs.
pub(super) struct Asked<'i> {
    /// Its place in the question, as a bit.
    pub(super) bit: u64,
    /// The positions it takes, first and one past the last.
    positions: (u32, u32),
    temporal: bool,
    pub(super) identifier: bool,
    /// Whether it is more than one word.
    pub(super) several: bool,
    /// What it is worth to the floor.
    pub(super) weight: f64,
    /// What a document covers that holds it.
    pub(super) cover: f64,
    /// Its words apart, if it is a name: those that occur.
    pub(super) parts: Vec<Match<'i>>,
    /// How many words the name has.
    pub(super) part_count: usize,
    /// It as a whole.
    pub(super) whole: Match<'i>,
}

/// Where one term occurs and what it is worth there.
pub(super) struct Match<'i> {
    pub(super) occurrences: Occurrences<'i>,
    pub(super) worth: f64,
}

impl<'i> Asked<'i> {
    /// The units of a question, the most valuable first.
    pub(super) fn all(index: &'i Index, query: &Query, policy: &Policy) -> Vec<Self> {
        let mut asked: Vec<Self> = (0..)
            .zip(&query.units)
            .map(|(place, unit)| Self::new(index, unit, 1 << place, policy))
            .collect();
        // Stable, so that equal ones stay in the order of the question.
        asked.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        asked
    }

    fn new(index: &'i Index, unit: &Unit, bit: u64, policy: &Policy) -> Self {
        let mut occurrences = index.occurrences(&unit.key);
        let light = if unit.light { policy.light } else { 1.0 };
        let mut worth = light * index.idf(occurrences.holding);
        let parts: Vec<Match<'i>> = unit
            .parts
            .iter()
            .map(|part| {
                let occurrences = index.occurrences(part);
                let worth = index.idf(occurrences.holding);
                Match { occurrences, worth }
            })
            .collect();
        // Rare in texts or rare among entities, whichever is less.
        let key = if unit.parts.is_empty() {
            unit.key.clone()
        } else {
            unit.parts.join(" ")
        };
        let holding = occurrences.holding.max(index.with_entity(&key).count());
        let weight = if unit.parts.is_empty() || holding > 0 {
            index.idf(holding)
        } else {
            parts.iter().map(|part| part.worth).sum::<f64>() / approximate(unit.parts.len())
        };
        let weight = light * weight;
        let mut cover = weight;
        if holding == 0 && unit.may_be_misspelt() {
            occurrences = index.occurrences_near(&unit.key);
            worth = policy.misspelt * index.idf(occurrences.holding);
            cover = worth;
        }
        Self {
            bit,
            positions: unit.positions,
            temporal: unit.temporal,
            cover,
            identifier: unit.identifier,
            several: unit.positions.1 - unit.positions.0 > 1,
            weight,
            part_count: unit.parts.len(),
            parts,
            whole: Match { occurrences, worth },
        }
    }

    /// Whether it lies between two positions of the question.
    pub(super) fn lies_in(&self, (start, end): (u32, u32)) -> bool {
        start <= self.positions.0 && self.positions.1 <= end
    }
}

/// What a document must cover to be an answer. The words of a time count only if nothing else was
/// asked.
pub(super) fn bar(policy: &Policy, asked: &[Asked<'_>]) -> f64 {
    let weights = |temporal: bool| {
        asked
            .iter()
            .filter(move |unit| temporal || !unit.temporal)
            .map(|unit| unit.weight)
    };
    let only_time = weights(false).next().is_none();
    policy.floor * weights(only_time).take(policy.heaviest).sum::<f64>()
}

/// The terms of the question that a document holds, as the question spells them, sorted.
pub(super) fn matched_terms(query: &Query, asked: &[Asked<'_>], document: u32) -> Vec<String> {
    let mut terms = Vec::new();
    for unit in asked {
        let Some(spelt) = query.units.get(unit.bit.trailing_zeros() as usize) else {
            continue;
        };
        if unit.whole.occurrences.of(document).is_some() {
            terms.push(spelt.spelling.clone());
        } else {
            let words = spelt.parts.iter().zip(&unit.parts);
            let held = words.filter(|(_, word)| word.occurrences.of(document).is_some());
            terms.extend(held.map(|(spelling, _)| spelling.clone()));
        }
    }
    terms.sort_unstable();
    terms.dedup();
    terms
}
