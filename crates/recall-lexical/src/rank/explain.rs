//! Why an entry ranks where it does, or why it is absent.

use recall_core::{EntryFilter, EntryId, FilterKey, ScoreBreakdown, Timestamp};

use super::found::refusals;
use super::order::{self, Scored};
use super::unit::{Asked, Bar};
use crate::document::FIELDS;
use crate::index::Index;
use crate::policy::Policy;
use crate::query::Query;

/// What became of one entry when a question was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The outcome.
    pub outcome: Outcome,
    /// Each thing that is asked for, the most valuable first, and what the entry has of it; empty
    /// if the entry is not indexed.
    pub units: Vec<UnitExplanation>,
    /// What the units are worth that the entry covers; 0 if a filter refuses it.
    pub covered: f64,
    /// What every answer must cover.
    pub floor: f64,
    /// What the entry that covers most must cover, or there is no answer at all.
    pub answer: f64,
}

/// Where an entry ended up.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The question has no term, so it has no answer.
    NothingAsked,
    /// The index does not hold the entry.
    NotIndexed,
    /// This is what refuses it.
    Refused(Vec<Refusal>),
    /// It has nothing of what is asked for.
    NoMatch,
    /// It covers too little of the question.
    BelowFloor,
    /// It covers enough of the question, but no entry covers so much that there is an answer.
    NoAnswer,
    /// It is an answer.
    Ranked {
        /// Its place among all answers, from 1.
        rank: usize,
        /// How many answers there are.
        of: usize,
        /// Its score.
        score: f64,
        /// The parts of the score.
        breakdown: ScoreBreakdown,
        /// The better answer that says the same, if that is shown in its place.
        shown_as: Option<EntryId>,
    },
}

/// What refuses an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// This filter wants something else.
    Filter(FilterKey),
    /// Only trusted entries are wanted.
    NotTrusted,
    /// Its text reads like instructions, and no such entry is wanted.
    Flagged,
}

/// One thing that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitExplanation {
    /// As the question spells it.
    pub spelling: String,
    /// What it is worth to the floor: the rarer, the more.
    pub weight: f64,
    /// How many entries hold it as a whole.
    pub holding: usize,
    /// How the entry holds it.
    pub held: Held,
}

/// How an entry holds what is asked for. Counts stand by field: title, trigger, body, evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// Not at all.
    No,
    /// As it is.
    Whole([u8; FIELDS]),
    /// With one letter different.
    Misspelt([u8; FIELDS]),
    /// Only words of a name.
    Words {
        /// How many of them.
        held: usize,
        /// How many the name has that count.
        of: usize,
    },
}

impl Index {
    /// What became of one entry among the answers of [`Index::rank`] without a limit.
    pub fn explain(
        &self,
        query: &Query,
        filter: &EntryFilter,
        now: Timestamp,
        entry: &EntryId,
    ) -> Explanation {
        let policy = &Policy::CURRENT;
        let asked = Asked::all(self, query, policy);
        let bar = Bar::new(policy, &asked);
        let document = self.document(entry.as_str());
        let units = document.map_or(Vec::new(), |document| {
            asked
                .iter()
                .map(|unit| unit.explain(query, document))
                .collect()
        });
        let mut explanation = Explanation {
            outcome: Outcome::NotIndexed,
            units,
            covered: 0.0,
            floor: bar.floor,
            answer: bar.answer,
        };
        let Some((document, (_, part, record))) =
            document.and_then(|document| Some((document, self.stored(document)?)))
        else {
            return explanation;
        };
        let refusals: Vec<Refusal> = refusals(&part.segment, &record, filter).collect();
        if asked.is_empty() {
            explanation.outcome = Outcome::NothingAsked;
        } else if !refusals.is_empty() {
            explanation.outcome = Outcome::Refused(refusals);
        } else {
            let found = self.found(policy, query, &asked, filter);
            let covered = found
                .iter()
                .find(|it| it.document == document)
                .map(|it| it.covered);
            explanation.covered = covered.unwrap_or_default();
            let scored = self.scored(policy, query, &asked, filter, now);
            explanation.outcome = match self.placed(scored, document) {
                Some(ranked) => ranked,
                None if explanation.covered <= 0.0 => Outcome::NoMatch,
                None if explanation.covered < bar.floor => Outcome::BelowFloor,
                None => Outcome::NoAnswer,
            };
        }
        explanation
    }

    fn placed(&self, scored: Vec<Scored>, document: u32) -> Option<Outcome> {
        let Scored {
            candidate, score, ..
        } = *scored.iter().find(|it| it.candidate.document == document)?;
        let groups = order::distinct(self, scored, usize::MAX);
        let place = groups.iter().position(|group| {
            group.best.candidate.document == document || group.others.contains(&document)
        })?;
        let shown = groups[place].best.candidate.document;
        Some(Outcome::Ranked {
            rank: place + 1,
            of: groups.len(),
            score,
            breakdown: candidate.breakdown,
            shown_as: (shown != document).then(|| self.id(shown)).flatten(),
        })
    }
}

impl Asked<'_> {
    fn explain(&self, query: &Query, document: u32) -> UnitExplanation {
        UnitExplanation {
            spelling: self.spelling(query).to_owned(),
            weight: self.weight,
            holding: self.whole.occurrences.holding,
            held: self.held(document),
        }
    }
}

#[cfg(test)]
mod tests;
