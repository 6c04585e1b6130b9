//! The scorer.
//!
//! For each unit of the question, every document that holds it gains
//!
//! * keyword: `idf × saturation(f)`, where `f` counts its occurrences in title, trigger and body,
//!   each field by its weight and its length; or, where it occurs in the evidence alone, evidence:
//!   `evidence × idf × saturation(f)`. A unit is paid once;
//! * a name that is absent as a whole is paid by its words: their average worth times the share of
//!   them that is present times `parts`;
//! * identifier: a fixed boost for a whole name out of code, bounded together;
//! * entity: a fixed boost for each entity that question and document share, bounded together;
//! * phrase, temporal and confidence: bounded boosts.
//!
//! `saturation(f) = f (k + 1) / (f + k)` and
//! `f = Σ weight × occurrences / (1 - b + b × length / average length)` over the fields, as in
//! BM25F (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009). The numbers are those
//! of [`Policy`].
//!
//! A question has an answer only if some document covers much of it, and a document is one only if
//! it covers enough; phrase, time and confidence never make it one. That is also what keeps a question of common words cheap: units are looked up
//! from the most valuable one down, and once those that are left cannot reach the floor together,
//! they only add to documents found before.

mod boost;
mod contest;
mod explain;
mod found;
mod order;
mod unit;

use recall_core::{
    Entry, EntryFilter, EntryId, MatchReason, RankedEntry, ScoreBreakdown, Timestamp,
};

use crate::document::FIELDS;
use crate::index::{Index, approximate};
use crate::policy::Policy;
use crate::query::Query;
use crate::segment::{Posting, Stored};
use boost::Boosts;
use contest::Contest;
use found::{Candidate, Found, Reach};
use order::Scored;
use unit::{Asked, Bar};

pub use explain::{Explanation, Held, Outcome, Refusal, UnitExplanation};

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedHit {
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
    /// Entries that say the same in the same words and scored no better.
    pub duplicates: Vec<EntryId>,
}

impl Index {
    /// The best answers to a question among the entries that a filter lets through, best first, at
    /// most `limit`. Answers that say the same in the same words and are trusted alike are one, the
    /// best of them.
    ///
    /// Order: score, falling; then source, session, run and id, rising. Several answers of one
    /// source stand where their scores put them: moving them down would put weaker answers above
    /// stronger ones. Only what was superseded is moved down, behind what superseded it. A question
    /// without any term (blank, or stop words alone) has no answer.
    pub fn rank(
        &self,
        query: &Query,
        filter: &EntryFilter,
        now: Timestamp,
        limit: usize,
    ) -> Vec<RankedHit> {
        self.rank_by(&Policy::CURRENT, query, filter, now, limit)
    }

    /// As [`Index::rank`], by other numbers.
    pub fn rank_by(
        &self,
        policy: &Policy,
        query: &Query,
        filter: &EntryFilter,
        now: Timestamp,
        limit: usize,
    ) -> Vec<RankedHit> {
        let asked = Asked::all(self, query, policy);
        self.contest(policy, query, &asked, filter, now)
            .distinct(limit)
            .into_iter()
            .filter_map(|group| {
                let others = group.others.iter().filter_map(|other| self.id(*other));
                let duplicates = others.collect();
                self.hit(query, &asked, &group.best, duplicates)
            })
            .collect()
    }

    /// As [`Index::rank`], with every answer for itself.
    pub fn rank_each(
        &self,
        query: &Query,
        filter: &EntryFilter,
        now: Timestamp,
        limit: usize,
    ) -> Vec<RankedHit> {
        let policy = &Policy::CURRENT;
        let asked = Asked::all(self, query, policy);
        self.contest(policy, query, &asked, filter, now)
            .best(limit)
            .iter()
            .filter_map(|scored| self.hit(query, &asked, scored, Vec::new()))
            .collect()
    }

    fn scored(
        &self,
        policy: &Policy,
        query: &Query,
        asked: &[Asked<'_>],
        filter: &EntryFilter,
        now: Timestamp,
    ) -> Vec<Scored> {
        self.contest(policy, query, asked, filter, now).all()
    }

    fn contest<'a>(
        &'a self,
        policy: &'a Policy,
        query: &Query,
        asked: &[Asked<'_>],
        filter: &EntryFilter,
        now: Timestamp,
    ) -> Contest<'a> {
        let candidates = self.candidates(policy, query, asked, filter);
        let boosts = Boosts::new(self, policy, query, now);
        Contest::new(self, boosts, candidates)
    }

    /// Every document that covers enough of the question, with keyword, evidence, identifier and
    /// entity parts filled.
    fn candidates(
        &self,
        policy: &Policy,
        query: &Query,
        asked: &[Asked<'_>],
        filter: &EntryFilter,
    ) -> Vec<Candidate> {
        let bar = Bar::new(policy, asked);
        let found = if asked.iter().all(|unit| unit.cover >= bar.floor) {
            Found::new(self, filter)
        } else {
            Found::above(self, filter, &self.reach(policy, query, asked, &bar))
        };
        let mut candidates = self.fill(policy, query, asked, &bar, found);
        let most = candidates.iter().map(|it| it.covered).fold(0.0, f64::max);
        if most >= bar.answer {
            candidates.retain(|candidate| candidate.covered >= bar.floor);
        } else {
            candidates.clear();
        }
        candidates
    }

    /// Every document that may cover enough, and some that do not.
    fn found(
        &self,
        policy: &Policy,
        query: &Query,
        asked: &[Asked<'_>],
        bar: &Bar,
        filter: &EntryFilter,
    ) -> Vec<Candidate> {
        self.fill(policy, query, asked, bar, Found::new(self, filter))
    }

    /// The most that each document can cover, entities and words of names taken for full.
    fn reach(&self, policy: &Policy, query: &Query, asked: &[Asked<'_>], bar: &Bar) -> Reach {
        let mut reach = Reach::new(self, bar.floor);
        for mention in &query.mentions {
            let inside = asked.iter().filter(|it| it.lies_in(mention.positions));
            let weight = inside.map(|unit| unit.weight).sum();
            reach.add(self.with_entity(&mention.key), weight);
        }
        for unit in asked {
            reach.add(unit.whole.occurrences.documents(), unit.cover);
            let all = approximate(unit.parts.len());
            for (_, word) in &unit.parts {
                let most = policy.parts * word.worth / all;
                reach.add(word.occurrences.documents(), most);
            }
        }
        reach
    }

    fn fill(
        &self,
        policy: &Policy,
        query: &Query,
        asked: &[Asked<'_>],
        bar: &Bar,
        mut found: Found<'_>,
    ) -> Vec<Candidate> {
        let scorer = Scorer {
            index: self,
            policy,
        };
        scorer.add_entities(query, asked, &mut found);
        let mut left: f64 = asked.iter().map(|unit| unit.weight).sum();
        for unit in asked {
            // Rounding must not cost an answer.
            let may_suffice = left * (1.0 + 1e-9) >= bar.floor;
            scorer.add_unit(unit, may_suffice, &mut found);
            left -= unit.weight;
        }
        found.into_candidates()
    }

    fn hit(
        &self,
        query: &Query,
        asked: &[Asked<'_>],
        scored: &Scored,
        duplicates: Vec<EntryId>,
    ) -> Option<RankedHit> {
        let Candidate {
            document,
            breakdown,
            ..
        } = scored.candidate;
        Some(RankedHit {
            id: self.id(document)?,
            score: scored.score,
            breakdown,
            reasons: breakdown.reasons(),
            matched_terms: unit::matched_terms(query, asked, document),
            duplicates,
        })
    }

    fn id(&self, document: u32) -> Option<EntryId> {
        let (_, part, record) = self.stored(document)?;
        EntryId::new(part.segment.string(record.id())?).ok()
    }
}

impl RankedHit {
    /// The answer with its entry.
    pub fn with(self, entry: Entry) -> RankedEntry {
        RankedEntry {
            entry,
            score: self.score,
            breakdown: self.breakdown,
            reasons: self.reasons,
            matched_terms: self.matched_terms,
            duplicates: self.duplicates,
        }
    }
}

/// Adds what units and entities are worth.
struct Scorer<'a> {
    index: &'a Index,
    policy: &'a Policy,
}

impl Scorer<'_> {
    fn add_entities(&self, query: &Query, asked: &[Asked<'_>], found: &mut Found<'_>) {
        for mention in &query.mentions {
            let inside: Vec<(u64, f64)> = asked
                .iter()
                .filter(|unit| unit.lies_in(mention.positions))
                .map(|unit| (unit.bit, unit.weight))
                .collect();
            for document in self.index.with_entity(&mention.key) {
                let Some(candidate) = found.candidate(document) else {
                    continue;
                };
                let boost = &mut candidate.breakdown.entity_boost;
                *boost = (*boost + self.policy.entity).min(self.policy.most_boost);
                for (bit, weight) in &inside {
                    candidate.cover(*bit, *weight);
                }
            }
        }
    }

    /// Pays every document that holds a unit; only those found before unless `may_suffice`.
    fn add_unit(&self, unit: &Asked<'_>, may_suffice: bool, found: &mut Found<'_>) {
        for (document, posting, record) in unit.whole.occurrences.iter() {
            let Some(candidate) = found.of(document, may_suffice) else {
                continue;
            };
            candidate.several |= candidate.whole != 0 || unit.several;
            candidate.whole |= unit.bit;
            candidate.cover(unit.bit, unit.cover);
            let frequency = self.frequency(posting, record);
            self.pay(&mut candidate.breakdown, frequency, unit.whole.worth);
            if unit.identifier {
                let boost = &mut candidate.breakdown.identifier_boost;
                *boost = (*boost + self.policy.identifier).min(self.policy.most_boost);
            }
        }
        if !unit.parts.is_empty() {
            self.add_parts(unit, may_suffice, found);
        }
    }

    /// Pays documents that hold words of a name, but not the name.
    fn add_parts(&self, unit: &Asked<'_>, may_suffice: bool, found: &mut Found<'_>) {
        let mut words: Vec<_> = unit
            .parts
            .iter()
            .map(|(_, word)| (word.worth, word.occurrences.iter().peekable()))
            .collect();
        let all = approximate(unit.parts.len());
        // Each word's documents rise, so the lowest of those that come next is the next of all.
        while let Some(document) = words
            .iter_mut()
            .filter_map(|(_, occurrences)| Some(occurrences.peek()?.0))
            .min()
        {
            let mut partial = Partial::default();
            let is_wanted = may_suffice || found.knows(document);
            for (worth, occurrences) in &mut words {
                if let Some((_, posting, record)) = occurrences.next_if(|it| it.0 == document)
                    && is_wanted
                {
                    partial.add(*worth, self.frequency(posting, record));
                }
            }
            let Some(candidate) = found.of(document, may_suffice) else {
                continue;
            };
            if candidate.whole & unit.bit != 0 {
                continue;
            }
            candidate.several = true;
            let share = self.policy.parts * approximate(partial.present) / all;
            let paid = share * partial.worth / all;
            // By less than the whole name, which an entity may have covered.
            if candidate.covers & unit.bit == 0 {
                candidate.covered += paid;
            }
            self.pay(&mut candidate.breakdown, partial.frequency, paid);
        }
    }

    /// How often a term occurs, fields weighed and their lengths taken into account.
    fn frequency(&self, posting: Posting, record: Stored<'_>) -> Frequency {
        let lengths = record.lengths();
        let averages = self.index.average_lengths();
        let policy = self.policy;
        let by_field: [f64; FIELDS] = std::array::from_fn(|field| {
            if posting.counts[field] == 0 {
                return 0.0;
            }
            let share = policy.length_shares[field];
            let relative = f64::from(lengths[field]) / averages[field];
            let weighed = policy.field_weights[field] * f64::from(posting.counts[field]);
            weighed / (1.0 - share + share * relative)
        });
        let [title, trigger, body, evidence] = by_field;
        Frequency {
            own: title + trigger + body,
            evidence,
        }
    }

    /// Counts a unit in the two overlaps (one in both places counts in both, ranking behaviour 2)
    /// and pays it once.
    fn pay(&self, score: &mut ScoreBreakdown, frequency: Frequency, worth: f64) {
        let k = self.policy.saturation;
        let saturated = |frequency: f64| frequency * (k + 1.0) / (frequency + k);
        score.keyword_overlap += u32::from(frequency.own > 0.0);
        score.evidence_keyword_overlap += u32::from(frequency.evidence > 0.0);
        if frequency.own > 0.0 {
            score.keyword_idf_score += worth * saturated(frequency.own);
        } else {
            score.evidence_idf_score +=
                self.policy.evidence * worth * saturated(frequency.evidence);
        }
    }
}

/// How often a term occurs in a document, weighed.
#[derive(Debug, Clone, Copy, Default)]
struct Frequency {
    /// In title, trigger and body.
    own: f64,
    evidence: f64,
}

/// The words of one name that a document holds.
#[derive(Debug, Default)]
struct Partial {
    present: usize,
    worth: f64,
    frequency: Frequency,
}

impl Partial {
    fn add(&mut self, worth: f64, frequency: Frequency) {
        self.present += 1;
        self.worth += worth;
        self.frequency.own = self.frequency.own.max(frequency.own);
        self.frequency.evidence = self.frequency.evidence.max(frequency.evidence);
    }
}

#[cfg(test)]
mod tests;
