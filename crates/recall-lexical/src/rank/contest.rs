//! The best of all candidates, without reading the words of those that cannot be among them.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::boost::Boosts;
use super::found::Candidate;
use super::order::{self, Group, Scored};
use crate::index::Index;

/// How many answers more than asked for are put in order at first: some may turn out to say what
/// others say.
const SPARE: usize = 32;

/// Candidates on their way to a list of the best.
///
/// Reading the words of a document costs more than all else. So candidates are taken by what they
/// score at most, and once that is less than what the last of the wanted ones scores for certain,
/// none that is left can be among them.
pub(super) struct Contest<'a> {
    index: &'a Index,
    boosts: Boosts<'a>,
    candidates: Vec<Candidate>,
    /// The places of those whose words were not read, by what they score at most.
    open: BinaryHeap<(Score, usize)>,
    /// The others.
    settled: Vec<Scored>,
    /// Whether where one stands depends on what superseded it.
    has_successors: bool,
}

/// A score that can be compared.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Score(f64);

impl Eq for Score {}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<'a> Contest<'a> {
    pub(super) fn new(
        index: &'a Index,
        boosts: Boosts<'a>,
        mut candidates: Vec<Candidate>,
    ) -> Self {
        let open: Vec<(Score, usize)> = candidates
            .iter_mut()
            .enumerate()
            .map(|(place, candidate)| {
                boosts.add_standing(candidate);
                let mut most = candidate.breakdown;
                most.phrase_boost = boosts.most_of_phrase(candidate);
                // A larger summand never makes a smaller sum, however sums are rounded.
                (Score(most.total()), place)
            })
            .collect();
        Self {
            index,
            boosts,
            has_successors: candidates.iter().any(|it| it.superseded),
            candidates,
            open: open.into(),
            settled: Vec::new(),
        }
    }

    /// All of them, in any order.
    pub(super) fn all(mut self) -> Vec<Scored> {
        self.settle(usize::MAX);
        self.settled
    }

    /// The best `limit`, best first.
    pub(super) fn best(&mut self, limit: usize) -> &[Scored] {
        self.settle(limit);
        let end = order::best(self.index, &mut self.settled, limit);
        &self.settled[..end]
    }

    /// The best `limit` that say different things, best first. Each takes in those of lower score
    /// that say the same and are trusted alike, as long as the list is not full.
    pub(super) fn distinct(&mut self, limit: usize) -> Vec<Group> {
        let mut wanted = limit.saturating_add(SPARE);
        loop {
            let index = self.index;
            let best = self.best(wanted);
            let groups = order::grouped(index, best, limit);
            if groups.len() == limit || best.len() < wanted {
                return groups;
            }
            wanted = wanted.saturating_mul(2);
        }
    }

    /// Finds the scores of the best `wanted`, and of all that score as the last of them does.
    fn settle(&mut self, wanted: usize) {
        if self.has_successors {
            for candidate in &mut self.candidates {
                self.boosts.add_phrase(candidate);
            }
            self.open.clear();
            self.settled = order::scored(self.index, std::mem::take(&mut self.candidates));
            self.has_successors = false;
        }
        let certain = self.settled.iter().map(|it| Reverse(Score(it.score)));
        let mut best: BinaryHeap<Reverse<Score>> = certain.collect();
        while let Some((most, place)) = self.open.pop() {
            while best.len() > wanted {
                best.pop();
            }
            if best.len() == wanted && best.peek().is_none_or(|last| most < last.0) {
                self.open.push((most, place));
                break;
            }
            let mut candidate = self.candidates[place];
            self.boosts.add_phrase(&mut candidate);
            let scored = Scored::new(candidate);
            best.push(Reverse(Score(scored.score)));
            self.settled.push(scored);
        }
    }
}
