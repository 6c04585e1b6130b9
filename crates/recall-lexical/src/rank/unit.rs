//! What a question asks for, found in an index.

use super::explain::Held;
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
    /// Whether only words are found that are one letter away.
    misspelt: bool,
    pub(super) identifier: bool,
    /// Whether it is more than one word.
    pub(super) several: bool,
    /// What it is worth to the floor.
    pub(super) weight: f64,
    /// What a document covers that holds it.
    pub(super) cover: f64,
    /// Its words apart, if it is a name, each with its spelling.
    pub(super) parts: Vec<(String, Match<'i>)>,
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
        let parts: Vec<(String, Match<'i>)> = unit
            .parts
            .iter()
            .map(|word| {
                let occurrences = index.occurrences(&word.key);
                let worth = index.idf(occurrences.holding);
                (word.spelling.clone(), Match { occurrences, worth })
            })
            .collect();
        // Rare in texts or rare among entities, whichever is less.
        let holding = occurrences
            .holding
            .max(index.with_entity(&unit.entity).count());
        let weight = if unit.parts.is_empty() || holding > 0 {
            index.idf(holding)
        } else {
            parts.iter().map(|(_, word)| word.worth).sum::<f64>() / approximate(parts.len())
        };
        let weight = light * weight;
        let mut cover = weight;
        let misspelt = holding == 0 && unit.may_be_misspelt();
        if misspelt {
            occurrences = index.occurrences_near(&unit.entity);
            worth = policy.misspelt * index.idf(occurrences.holding);
            cover = worth;
        }
        Self {
            bit,
            positions: unit.positions,
            temporal: unit.temporal,
            misspelt,
            cover,
            identifier: unit.identifier,
            several: unit.positions.1 - unit.positions.0 > 1,
            weight,
            parts,
            whole: Match { occurrences, worth },
        }
    }

    /// As the question spells it.
    pub(super) fn spelling<'q>(&self, query: &'q Query) -> &'q str {
        let unit = query.units.get(self.bit.trailing_zeros() as usize);
        unit.map_or("", |unit| unit.spelling.as_str())
    }

    /// How a document holds it.
    pub(super) fn held(&self, document: u32) -> Held {
        if let Some(posting) = self.whole.occurrences.of(document) {
            return if self.misspelt {
                Held::Misspelt(posting.counts)
            } else {
                Held::Whole(posting.counts)
            };
        }
        match self.words_in(document).count() {
            0 => Held::No,
            held => Held::Words {
                held,
                of: self.parts.len(),
            },
        }
    }

    /// Its words that a document holds, as the question spells them.
    fn words_in(&self, document: u32) -> impl Iterator<Item = &str> {
        let held = self
            .parts
            .iter()
            .filter(move |(_, word)| word.occurrences.of(document).is_some());
        held.map(|(spelling, _)| spelling.as_str())
    }

    /// Whether it lies between two positions of the question.
    pub(super) fn lies_in(&self, (start, end): (u32, u32)) -> bool {
        start <= self.positions.0 && self.positions.1 <= end
    }
}

/// What must be covered, in weights of units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bar {
    /// By the document that covers most, or there is no answer.
    pub(super) answer: f64,
    /// By every answer.
    pub(super) floor: f64,
}

impl Bar {
    /// The words of a time count only if nothing else was asked.
    pub(super) fn new(policy: &Policy, asked: &[Asked<'_>]) -> Self {
        let weights = |temporal: bool| {
            asked
                .iter()
                .filter(move |unit| temporal || !unit.temporal)
                .map(|unit| unit.weight)
        };
        let only_time = weights(false).next().is_none();
        let heaviest: f64 = weights(only_time).take(policy.heaviest).sum();
        Self {
            answer: policy.answer * heaviest,
            floor: policy.floor * heaviest,
        }
    }
}

/// The terms of the question that a document holds, as the question spells them, sorted.
pub(super) fn matched_terms(query: &Query, asked: &[Asked<'_>], document: u32) -> Vec<String> {
    let mut terms = Vec::new();
    for unit in asked {
        if unit.whole.occurrences.of(document).is_some() {
            terms.push(unit.spelling(query).to_owned());
        } else {
            terms.extend(unit.words_in(document).map(str::to_owned));
        }
    }
    terms.sort_unstable();
    terms.dedup();
    terms
}
