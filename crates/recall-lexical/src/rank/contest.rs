//! The best of all candidates, without reading the words of those that cannot be among them.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::boost::Boosts;
use super::found::Candidate;

/// Candidates on their way to a list of the best.
///
/// Reading the words of a document costs more than all else. So what a candidate scores at most is
/// looked at first, and if so many others score more for certain as are wanted, it is let go.
pub(super) struct Contest<'a> {
    boosts: Boosts<'a>,
    wanted: usize,
    /// The scores of the best so far.
    best: BinaryHeap<Reverse<Score>>,
    /// Those that were among the best when they came.
    kept: Vec<Candidate>,
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
    /// A contest for the best `wanted` and all that score as the last of them does.
    pub(super) fn new(boosts: Boosts<'a>, wanted: usize) -> Self {
        Self {
            boosts,
            wanted,
            best: BinaryHeap::new(),
            kept: Vec::new(),
            has_successors: false,
        }
    }

    pub(super) fn enter(&mut self, mut candidate: Candidate) {
        self.has_successors |= candidate.superseded;
        // A larger summand never makes a smaller sum, however sums are rounded, so each step brings
        // the score down or leaves it.
        self.boosts.add_most(&mut candidate);
        if self.is_beaten(&candidate) {
            return;
        }
        self.boosts.add_time(&mut candidate);
        if self.is_beaten(&candidate) {
            return;
        }
        self.boosts.add_phrase(&mut candidate);
        if self.is_beaten(&candidate) {
            return;
        }
        self.kept.push(candidate);
        if self.wanted < usize::MAX {
            self.best.push(Reverse(Score(candidate.breakdown.total())));
            if self.best.len() > self.wanted {
                self.best.pop();
            }
        }
    }

    /// Whether enough others score more.
    fn is_beaten(&self, candidate: &Candidate) -> bool {
        self.best.len() >= self.wanted
            && self
                .best
                .peek()
                .is_none_or(|last| Score(candidate.breakdown.total()) < last.0)
    }

    /// Whether where one stands depends on what superseded it, which may have been let go.
    pub(super) fn has_successors(&self) -> bool {
        self.has_successors
    }

    /// The best, in any order, and others.
    pub(super) fn into_kept(self) -> Vec<Candidate> {
        self.kept
    }
}
