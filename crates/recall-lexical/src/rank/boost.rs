//! What a document gains beside its words: by sequence, by time, by confidence.

use recall_core::Timestamp;

use super::found::Candidate;
use crate::index::Index;
use crate::phrase::Phrase;
use crate::policy::Policy;
use crate::query::Query;
use crate::temporal::Boost;

/// The boosts of one question.
pub(super) struct Boosts<'a> {
    index: &'a Index,
    policy: &'a Policy,
    /// One for each part of the index.
    phrases: Vec<Phrase>,
    /// The most that one of them adds.
    most_of_phrase: f64,
    time: Option<Boost>,
    /// The words of the document that is looked at.
    sequence: Vec<u32>,
}

impl<'a> Boosts<'a> {
    pub(super) fn new(index: &'a Index, policy: &'a Policy, query: &Query, now: Timestamp) -> Self {
        let phrases = index.parts.iter().map(|part| {
            let words = query.sequence.iter();
            Phrase::new(words.map(|(term, character)| (part.segment.term(term), *character)))
        });
        let phrases: Vec<Phrase> = phrases.collect();
        let largest = phrases.iter().map(Phrase::largest).fold(0.0, f64::max);
        Self {
            index,
            policy,
            phrases,
            most_of_phrase: of_run(policy, largest),
            time: query.when.as_ref().and_then(|when| when.boost(now)),
            sequence: Vec::new(),
        }
    }

    /// Adds what confidence gives, and the most that time and sequence can.
    pub(super) fn add_most(&self, candidate: &mut Candidate) {
        let score = &mut candidate.breakdown;
        score.confidence_bonus = self.policy.confidence * candidate.confidence.clamp(0.0, 1.0);
        if self.time.is_some() {
            score.temporal_boost = self.policy.temporal;
        }
        if candidate.several {
            score.phrase_boost = self.most_of_phrase;
        }
    }

    /// Puts what time gives in the place of the most.
    pub(super) fn add_time(&self, candidate: &mut Candidate) {
        if let Some(time) = &self.time {
            let at = Timestamp::from_millisecond(candidate.updated_at);
            let boost = at.map_or(0.0, |at| self.policy.temporal * time.at(at));
            candidate.breakdown.temporal_boost = boost;
        }
    }

    /// Puts what sequence gives in the place of the most.
    pub(super) fn add_phrase(&mut self, candidate: &mut Candidate) {
        if !candidate.several {
            return;
        }
        let run = self.longest_run(candidate.document).unwrap_or_default();
        candidate.breakdown.phrase_boost = of_run(self.policy, run);
    }

    fn longest_run(&mut self, document: u32) -> Option<f64> {
        let (place, part, record) = self.index.stored(document)?;
        self.sequence.clear();
        self.sequence.extend(part.segment.sequence(record));
        Some(self.phrases.get(place)?.longest_run(&self.sequence))
    }
}

fn of_run(policy: &Policy, size: f64) -> f64 {
    policy.phrase_step * (size - 1.0).max(0.0)
}
