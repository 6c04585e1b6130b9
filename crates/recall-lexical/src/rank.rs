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
//! it covers enough; phrase, time and confidence never make it one. That is also what keeps a long
//! question cheap: only documents that may cover enough are scored.

mod boost;
mod contest;
mod explain;
mod found;
mod order;
mod unit;
mod walk;

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
use found::Candidate;
use order::Scored;
use unit::{Asked, Bar};
use walk::Walk;

pub use explain::{Explanation, Held, Outcome, Refusal, UnitExplanation};

/// How many answers more than asked for are put in order at first: some may turn out to say what
/// others say.
const SPARE: usize = 32;

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
        let mut wanted = limit.saturating_add(SPARE);
        let groups = loop {
            let mut scored = self.leading(policy, query, &asked, filter, now, wanted);
            let end = order::best(self, &mut scored, wanted);
            let groups = order::grouped(self, &scored[..end], limit);
            if groups.len() == limit || end < wanted {
                break groups;
            }
            wanted = wanted.saturating_mul(2);
        };
        groups
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
        let mut scored = self.leading(policy, query, &asked, filter, now, limit);
        let end = order::best(self, &mut scored, limit);
        scored[..end]
            .iter()
            .filter_map(|scored| self.hit(query, &asked, scored, Vec::new()))
            .collect()
    }

    /// Every answer, in any order.
    fn scored(
        &self,
        policy: &Policy,
        query: &Query,
        asked: &[Asked<'_>],
        filter: &EntryFilter,
        now: Timestamp,
    ) -> Vec<Scored> {
        self.leading(policy, query, asked, filter, now, usize::MAX)
    }

    /// The best `wanted` answers, in any order, and some others.
    fn leading(
        &self,
        policy: &Policy,
        query: &Query,
        asked: &[Asked<'_>],
        filter: &EntryFilter,
        now: Timestamp,
        wanted: usize,
    ) -> Vec<Scored> {
        let bar = Bar::new(policy, asked);
        let mut contest = Contest::new(Boosts::new(self, policy, query, now), wanted);
        let mut most: f64 = 0.0;
        let walk = Walk {
            index: self,
            policy,
            query,
            asked,
            filter,
        };
        walk.visit(bar.floor, |candidate| {
            most = most.max(candidate.covered);
            if candidate.covered >= bar.floor {
                contest.enter(candidate);
            }
        });
        if most < bar.answer {
            return Vec::new();
        }
        // What superseded an answer may be one that was let go.
        if contest.has_successors() && wanted < usize::MAX {
            return self.scored(policy, query, asked, filter, now);
        }
        order::scored(self, contest.into_kept())
    }

    /// Every document that holds something of the question.
    fn found(
        &self,
        policy: &Policy,
        query: &Query,
        asked: &[Asked<'_>],
        filter: &EntryFilter,
    ) -> Vec<Candidate> {
        let walk = Walk {
            index: self,
            policy,
            query,
            asked,
            filter,
        };
        let mut found = Vec::new();
        walk.visit(0.0, |candidate| found.push(candidate));
        found
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
    policy: &'a Policy,
    /// Words of an average document, by field.
    averages: [f64; FIELDS],
}

impl Scorer<'_> {
    /// Pays a document for an entity, and counts the units in it.
    fn add_entity(&self, inside: &[(u64, f64)], candidate: &mut Candidate) {
        let boost = &mut candidate.breakdown.entity_boost;
        *boost = (*boost + self.policy.entity).min(self.policy.most_boost);
        for (bit, weight) in inside {
            candidate.cover(*bit, *weight);
        }
    }

    /// Pays a document that holds a unit.
    fn add_whole(
        &self,
        unit: &Asked<'_>,
        posting: Posting,
        record: Stored<'_>,
        candidate: &mut Candidate,
    ) {
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

    /// Pays a document that holds words of a name, but not the name.
    fn add_parts(&self, unit: &Asked<'_>, partial: &Partial, candidate: &mut Candidate) {
        candidate.several = true;
        let all = approximate(unit.parts.len());
        let share = self.policy.parts * approximate(partial.present) / all;
        let paid = share * partial.worth / all;
        // By less than the whole name, which an entity may have covered.
        if candidate.covers & unit.bit == 0 {
            candidate.covered += paid;
        }
        self.pay(&mut candidate.breakdown, partial.frequency, paid);
    }

    /// How often a term occurs, fields weighed and their lengths taken into account.
    fn frequency(&self, posting: Posting, record: Stored<'_>) -> Frequency {
        let lengths = record.lengths();
        let policy = self.policy;
        let by_field: [f64; FIELDS] = std::array::from_fn(|field| {
            if posting.counts[field] == 0 {
                return 0.0;
            }
            let share = policy.length_shares[field];
            let relative = f64::from(lengths[field]) / self.averages[field];
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
