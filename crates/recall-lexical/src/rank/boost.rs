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

    /// Adds the boosts that a look at the document's record tells.
    pub(super) fn add_standing(&self, candidate: &mut Candidate) {
        let Some((_, _, record)) = self.index.stored(candidate.document) else {
            return;
        };
        let score = &mut candidate.breakdown;
        if let Some(time) = &self.time {
            let updated_at = Timestamp::from_millisecond(record.updated_at());
            score.temporal_boost = updated_at.map_or(0.0, |at| self.policy.temporal * time.at(at));
        }
        score.confidence_bonus = self.policy.confidence * record.confidence().clamp(0.0, 1.0);
    }

    /// Adds the boost that only reading the document's words tells.
    pub(super) fn add_phrase(&mut self, candidate: &mut Candidate) {
        let Some((place, part, record)) = self.index.stored(candidate.document) else {
            return;
        };
        if candidate.several
            && let Some(phrase) = self.phrases.get(place)
        {
            self.sequence.clear();
            self.sequence.extend(part.segment.sequence(record));
            let run = phrase.longest_run(&self.sequence);
            candidate.breakdown.phrase_boost = of_run(self.policy, run);
        }
    }

    /// The most that [`Boosts::add_phrase`] can add.
    pub(super) fn most_of_phrase(&self, candidate: &Candidate) -> f64 {
        if candidate.several {
            self.most_of_phrase
        } else {
            0.0
        }
    }
}

fn of_run(policy: &Policy, size: f64) -> f64 {
    policy.phrase_step * (size - 1.0).max(0.0)
}
