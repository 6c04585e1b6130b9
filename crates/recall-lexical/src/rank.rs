//! The scorer.
//!
//! For each unit of the question, in its order, every document that holds it gains
//!
//! * keyword: `idf × saturation(occurrences in title, body, trigger)`, or, where it occurs in
//!   snippets alone, evidence: `EVIDENCE × idf × saturation(occurrences in snippets)`. A unit is
//!   paid once;
//! * a name that is absent as a whole is paid by its words: their average worth times the share of
//!   them that is present times [`PARTS`];
//! * identifier: [`IDENTIFIER`] for a whole name out of code, at most [`MOST_BOOST`] together;
//! * entity: [`ENTITY`] for each entity that question and document share, at most [`MOST_BOOST`];
//! * phrase, temporal and confidence: see their constants.
//!
//! `saturation(f) = f (K + 1) / (f + K (1 - B + B × length / average length))`, as in BM25.
//!
//! A document answers only if it covers enough of the question ([`FLOOR`]); phrase, time and
//! confidence never make it an answer.

use std::collections::HashMap;

use recall_core::{EntryId, MatchReason, ScoreBreakdown, Timestamp};

use crate::index::{Index, Indexed, Posting, approximate};
use crate::phrase::Phrase;
use crate::query::{Query, Unit};

/// How fast repetition stops to matter.
const K: f64 = 1.2;
/// How much length matters, from 0 to 1.
const B: f64 = 0.75;
/// What a term in a snippet is worth beside one in the entry's own words.
const EVIDENCE: f64 = 0.6;
/// What the words of a name are worth beside the name.
const PARTS: f64 = 0.8;
/// The boost of one whole name out of code.
const IDENTIFIER: f64 = 2.0;
/// The boost of one shared entity.
const ENTITY: f64 = 1.5;
/// The bound of identifier and entity boosts, each.
const MOST_BOOST: f64 = 6.0;
/// The bonus of full confidence. It decides between near equals, no more.
const CONFIDENCE: f64 = 0.1;

/// A document answers if the units it covers are worth at least this share of the
/// [`HEAVIEST`] most valuable units of the question. So one rare word of a long question is enough
/// and one word that everything shares is not, and the filler of a long question raises no bar.
const FLOOR: f64 = 0.25;
const HEAVIEST: usize = 4;

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedHit {
    /// Which document, counted from 0 in the order given to [`Index::build`].
    pub document: usize,
    /// The document's entry.
    pub id: EntryId,
    /// `breakdown.total()`, to the bit.
    pub score: f64,
    /// The parts of the score.
    pub breakdown: ScoreBreakdown,
    /// The parts that are positive.
    pub reasons: Vec<MatchReason>,
    /// The terms of the question that the document holds, as the question spells them, sorted.
    pub matched_terms: Vec<String>,
}

/// A document on its way to becoming an answer.
#[derive(Debug, Clone, Copy, Default)]
struct Candidate {
    document: u32,
    breakdown: ScoreBreakdown,
    /// The units it holds whole, one bit each.
    whole: u64,
    /// The worth of what it covers, for the floor.
    covered: f64,
    /// Whether it holds two words in any sequence, so that a phrase is worth looking for.
    several: bool,
}

impl Index {
    /// The best answers to a question, best first, at most `limit`.
    ///
    /// Order: score, falling; then source, session, run and id, rising. Several answers of one
    /// source stand where their scores put them: moving them down would put weaker answers above
    /// stronger ones. A blank question lists every document, latest first, with empty scores. A
    /// question without any term (stop words alone) has no answer.
    pub fn rank(&self, query: &Query, now: Timestamp, limit: usize) -> Vec<RankedHit> {
        if query.blank {
            return self.listed(limit);
        }
        let mut candidates = self.candidates(query);
        let phrase = Phrase::new(
            query
                .sequence
                .iter()
                .map(|(term, character)| (self.term(term), *character)),
        );
        let time = query.when.as_ref().and_then(|when| when.boost(now));
        for candidate in &mut candidates {
            let Some(indexed) = self.documents.get(candidate.document as usize) else {
                continue;
            };
            let score = &mut candidate.breakdown;
            if candidate.several {
                score.phrase_boost = phrase.boost(&indexed.sequence);
            }
            if let Some(time) = &time {
                score.temporal_boost = time.at(indexed.updated_at);
            }
            score.confidence_bonus = CONFIDENCE * indexed.confidence.clamp(0.0, 1.0);
        }
        let mut scored: Vec<(f64, Candidate)> = candidates
            .into_iter()
            .map(|candidate| (candidate.breakdown.total(), candidate))
            .collect();
        let order = |(a_score, a): &(f64, Candidate), (b_score, b): &(f64, Candidate)| {
            b_score
                .total_cmp(a_score)
                .then_with(|| self.tie_key(a.document).cmp(&self.tie_key(b.document)))
        };
        // Sorting what is cut off anyway would dominate a question of common words.
        if limit < scored.len() && limit > 0 {
            scored.select_nth_unstable_by(limit - 1, order);
        }
        scored.truncate(limit);
        scored.sort_unstable_by(order);
        scored
            .into_iter()
            .filter_map(|(score, candidate)| self.hit(query, score, &candidate))
            .collect()
    }

    fn tie_key(&self, document: u32) -> Option<impl Ord> {
        self.documents.get(document as usize).map(Indexed::tie_key)
    }

    fn listed(&self, limit: usize) -> Vec<RankedHit> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|a, b| {
            let (a, b) = (&self.documents[*a], &self.documents[*b]);
            b.updated_at
                .cmp(&a.updated_at)
                .then_with(|| a.id.cmp(&b.id))
        });
        order
            .into_iter()
            .take(limit)
            .map(|document| RankedHit {
                document,
                id: self.documents[document].id.clone(),
                score: 0.0,
                breakdown: ScoreBreakdown::default(),
                reasons: Vec::new(),
                matched_terms: Vec::new(),
            })
            .collect()
    }

    /// Every document that covers enough of the question, with keyword, evidence, identifier and
    /// entity parts filled.
    fn candidates(&self, query: &Query) -> Vec<Candidate> {
        let weights: Vec<f64> = query.units.iter().map(|unit| self.weight(unit)).collect();
        let mut found = Found::new(self.len());
        for (bit, (unit, weight)) in query.units.iter().zip(&weights).enumerate() {
            self.add_unit(unit, *weight, 1 << bit, &mut found);
        }
        self.add_entities(query, &weights, &mut found);
        let bar = bar(&query.units, &weights);
        found
            .candidates
            .retain(|candidate| candidate.covered >= bar);
        found.candidates
    }

    /// What a unit is worth to the floor: its rarity in texts or among entities, whichever is less.
    /// A name that is found nowhere is worth its words.
    fn weight(&self, unit: &Unit) -> f64 {
        let in_texts = self.postings(&unit.key).len();
        let among_entities = if unit.parts.is_empty() {
            self.with_entity(&unit.key).len()
        } else {
            self.with_entity(&unit.parts.join(" ")).len()
        };
        let holding = in_texts.max(among_entities);
        if unit.parts.is_empty() || holding > 0 {
            return self.idf(holding);
        }
        let sum: f64 = unit.parts.iter().map(|part| self.term_idf(part)).sum();
        sum / approximate(unit.parts.len())
    }

    fn add_unit(&self, unit: &Unit, weight: f64, bit: u64, found: &mut Found) {
        let idf = self.term_idf(&unit.key);
        for posting in self.postings(&unit.key) {
            let length = self.relative_length(posting.document);
            let candidate = found.candidate(posting.document);
            candidate.several |= candidate.whole != 0 || unit.positions.1 - unit.positions.0 > 1;
            candidate.whole |= bit;
            candidate.covered += weight;
            let score = &mut candidate.breakdown;
            count_overlap(score, posting.own, posting.evidence);
            if posting.own > 0.0 {
                score.keyword_idf_score += idf * saturation(posting.own, length);
            } else {
                score.evidence_idf_score += EVIDENCE * idf * saturation(posting.evidence, length);
            }
            if unit.identifier {
                score.identifier_boost = (score.identifier_boost + IDENTIFIER).min(MOST_BOOST);
            }
        }
        self.add_parts(unit, bit, found);
    }

    /// Pays documents that hold words of a name, but not the name.
    fn add_parts(&self, unit: &Unit, bit: u64, found: &mut Found) {
        let mut partial: HashMap<u32, Partial> = HashMap::new();
        for part in &unit.parts {
            let idf = self.term_idf(part);
            for posting in self.postings(part) {
                partial
                    .entry(posting.document)
                    .or_default()
                    .add(idf, posting);
            }
        }
        let all = approximate(unit.parts.len());
        for (document, partial) in partial {
            let length = self.relative_length(document);
            let candidate = found.candidate(document);
            if candidate.whole & bit != 0 {
                continue;
            }
            candidate.several = true;
            let share = PARTS * approximate(partial.present) / all;
            let paid = share * partial.worth / all;
            candidate.covered += paid;
            let score = &mut candidate.breakdown;
            count_overlap(score, partial.own, partial.evidence);
            if partial.own > 0.0 {
                score.keyword_idf_score += paid * saturation(partial.own, length);
            } else {
                score.evidence_idf_score += EVIDENCE * paid * saturation(partial.evidence, length);
            }
        }
    }

    fn add_entities(&self, query: &Query, weights: &[f64], found: &mut Found) {
        for mention in &query.mentions {
            let documents = self.with_entity(&mention.key);
            if documents.is_empty() {
                continue;
            }
            let (start, end) = mention.positions;
            let inside: Vec<(u64, f64)> = query
                .units
                .iter()
                .zip(weights)
                .enumerate()
                .filter(|(_, (unit, _))| start <= unit.positions.0 && unit.positions.1 <= end)
                .map(|(bit, (_, weight))| (1 << bit, *weight))
                .collect();
            for document in documents {
                let candidate = found.candidate(*document);
                let score = &mut candidate.breakdown;
                score.entity_boost = (score.entity_boost + ENTITY).min(MOST_BOOST);
                for (bit, weight) in &inside {
                    if candidate.whole & bit == 0 {
                        candidate.whole |= bit;
                        candidate.covered += weight;
                    }
                }
            }
        }
    }

    fn relative_length(&self, document: u32) -> f64 {
        self.documents
            .get(document as usize)
            .map_or(1.0, |indexed| indexed.relative_length)
    }

    fn hit(&self, query: &Query, score: f64, candidate: &Candidate) -> Option<RankedHit> {
        let number = candidate.document as usize;
        Some(RankedHit {
            document: number,
            id: self.documents.get(number)?.id.clone(),
            score,
            breakdown: candidate.breakdown,
            reasons: candidate.breakdown.reasons(),
            matched_terms: self.matched_terms(query, candidate.document),
        })
    }

    fn matched_terms(&self, query: &Query, document: u32) -> Vec<String> {
        let holds = |term: &str| {
            self.postings(term)
                .binary_search_by_key(&document, |posting| posting.document)
                .is_ok()
        };
        let mut terms = Vec::new();
        for unit in &query.units {
            if holds(&unit.key) {
                terms.push(unit.spelling.clone());
            } else {
                terms.extend(unit.parts.iter().filter(|part| holds(part)).cloned());
            }
        }
        terms.sort_unstable();
        terms.dedup();
        terms
    }
}

/// What a document must cover to be an answer. The words of a time count only if nothing else was
/// asked.
fn bar(units: &[Unit], weights: &[f64]) -> f64 {
    let mut asked: Vec<f64> = units
        .iter()
        .zip(weights)
        .filter(|(unit, _)| !unit.temporal)
        .map(|(_, weight)| *weight)
        .collect();
    if asked.is_empty() {
        asked = weights.to_vec();
    }
    asked.sort_unstable_by(|a, b| b.total_cmp(a));
    FLOOR * asked.iter().take(HEAVIEST).sum::<f64>()
}

fn saturation(occurrences: f64, relative_length: f64) -> f64 {
    occurrences * (K + 1.0) / (occurrences + K * (1.0 - B + B * relative_length))
}

/// Counts a unit in the two overlaps; one in both places counts in both (ranking behaviour 2).
fn count_overlap(score: &mut ScoreBreakdown, own: f64, evidence: f64) {
    score.keyword_overlap += u32::from(own > 0.0);
    score.evidence_keyword_overlap += u32::from(evidence > 0.0);
}

/// The words of one name that a document holds.
#[derive(Debug, Default)]
struct Partial {
    present: usize,
    worth: f64,
    own: f64,
    evidence: f64,
}

impl Partial {
    fn add(&mut self, idf: f64, posting: &Posting) {
        self.present += 1;
        self.worth += idf;
        self.own = self.own.max(posting.own);
        self.evidence = self.evidence.max(posting.evidence);
    }
}

/// Candidates by document number.
struct Found {
    /// One more than the place of each document in `candidates`; 0 for none.
    places: Vec<u32>,
    candidates: Vec<Candidate>,
}

impl Found {
    fn new(documents: usize) -> Self {
        Self {
            places: vec![0; documents],
            candidates: Vec::new(),
        }
    }

    fn candidate(&mut self, document: u32) -> &mut Candidate {
        let place = &mut self.places[document as usize];
        if *place == 0 {
            self.candidates.push(Candidate {
                document,
                ..Candidate::default()
            });
            // There are no more candidates than documents, and those are numbered by u32.
            *place = u32::try_from(self.candidates.len()).unwrap_or(u32::MAX);
        }
        &mut self.candidates[*place as usize - 1]
    }
}

#[cfg(test)]
mod tests;
