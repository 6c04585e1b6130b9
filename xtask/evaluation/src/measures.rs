//! What an answer is worth, question by question. Pure.

use recall_core::EntryId;
use serde::Serialize;

use crate::Question;

/// How many places of an answer count.
pub const DEPTH: usize = 10;

/// The entries of an answer by place. A result stands for the entries that say the same: they have
/// the places directly behind it, since whoever reads the result has read them.
pub fn places<'a>(results: impl IntoIterator<Item = (&'a EntryId, &'a [EntryId])>) -> Vec<EntryId> {
    results
        .into_iter()
        .flat_map(|(id, duplicates)| std::iter::once(id).chain(duplicates))
        .take(DEPTH)
        .cloned()
        .collect()
}

/// An answer compared with what is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// How many entries are right; 0 for a question that nothing answers.
    pub right: usize,
    /// The places of those that were found, from 0, rising.
    pub ranks: Vec<usize>,
    /// Whether there was no answer at all.
    pub is_silent: bool,
    /// For a question with outdated entries: whether one stands above every right one.
    pub is_stale_first: Option<bool>,
}

/// Compares an answer, its entries by place, with what is known.
pub fn judge(question: &Question, places: &[EntryId]) -> Judgement {
    let ranks: Vec<usize> = places
        .iter()
        .take(DEPTH)
        .enumerate()
        .filter(|(_, id)| question.gold.contains(id))
        .map(|(rank, _)| rank)
        .collect();
    let is_stale_first = (!question.stale.is_empty()).then(|| {
        let stale = places.iter().position(|id| question.stale.contains(id));
        match (stale, ranks.first()) {
            (Some(stale), Some(first)) => stale < *first,
            (stale, None) => stale.is_some(),
            (None, Some(_)) => false,
        }
    });
    Judgement {
        right: question.gold.len(),
        ranks,
        is_silent: places.is_empty(),
        is_stale_first,
    }
}

/// A number from 0 to 1 about an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Whether the first entry is right.
    #[serde(rename = "hit_at_1")]
    HitAt1,
    /// Whether one of the first five is right.
    #[serde(rename = "hit_at_5")]
    HitAt5,
    /// Whether one of the first ten is right.
    #[serde(rename = "hit_at_10")]
    HitAt10,
    /// The share of the right entries that is among the first ten.
    #[serde(rename = "recall_at_10")]
    RecallAt10,
    /// One divided by the place of the first right entry, counted from 1; 0 without one. Its mean
    /// is the MRR.
    #[serde(rename = "mrr")]
    ReciprocalRank,
    /// `Σ 1 / log2(place + 1)` over the right entries found, divided by the sum of the best order
    /// (Järvelin, Kekäläinen: Cumulated gain-based evaluation of IR techniques, 2002).
    #[serde(rename = "ndcg_at_10")]
    Ndcg,
    /// Whether there is no answer although the corpus has one.
    FalseSilence,
    /// Whether there is no answer, where the corpus has none.
    Abstention,
    /// Whether an outdated entry stands above every right one.
    StaleAboveCurrent,
}

impl Measure {
    /// All, in the order of a report.
    pub const ALL: [Self; 9] = [
        Self::HitAt1,
        Self::HitAt5,
        Self::HitAt10,
        Self::RecallAt10,
        Self::ReciprocalRank,
        Self::Ndcg,
        Self::FalseSilence,
        Self::Abstention,
        Self::StaleAboveCurrent,
    ];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::HitAt1 => "hit@1",
            Self::HitAt5 => "hit@5",
            Self::HitAt10 => "hit@10",
            Self::RecallAt10 => "recall@10",
            Self::ReciprocalRank => "MRR",
            Self::Ndcg => "nDCG@10",
            Self::FalseSilence => "false silence",
            Self::Abstention => "abstention",
            Self::StaleAboveCurrent => "stale above current",
        }
    }

    /// The measure of one answer; `None` if it says nothing about such a question.
    pub fn of(self, judgement: &Judgement) -> Option<f64> {
        let is_answerable = judgement.right > 0;
        match self {
            Self::StaleAboveCurrent => judgement.is_stale_first.map(truth),
            Self::Abstention => (!is_answerable).then(|| truth(judgement.is_silent)),
            _ if !is_answerable => None,
            Self::HitAt1 => Some(judgement.hit(1)),
            Self::HitAt5 => Some(judgement.hit(5)),
            Self::HitAt10 => Some(judgement.hit(DEPTH)),
            Self::RecallAt10 => Some(real(judgement.ranks.len()) / real(judgement.right)),
            Self::ReciprocalRank => Some(
                judgement
                    .ranks
                    .first()
                    .map_or(0.0, |rank| 1.0 / (real(*rank) + 1.0)),
            ),
            Self::Ndcg => {
                Some(gain(judgement.ranks.iter().copied()) / gain(0..judgement.right.min(DEPTH)))
            }
            Self::FalseSilence => Some(truth(judgement.is_silent)),
        }
    }
}

impl Judgement {
    fn hit(&self, depth: usize) -> f64 {
        truth(self.ranks.first().is_some_and(|rank| *rank < depth))
    }
}

fn gain(ranks: impl Iterator<Item = usize>) -> f64 {
    ranks.map(|rank| 1.0 / (real(rank) + 2.0).log2()).sum()
}

fn truth(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "places and counts of questions are far below 2^52"
)]
pub(crate) fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Vec<EntryId> {
        text.split_whitespace()
            .map(|id| EntryId::new(id).unwrap())
            .collect()
    }

    fn judged(gold: &str, stale: &str, places: &str) -> Judgement {
        let mut question = Question::parse(r#"{"id": "q", "query": "x"}"#).unwrap();
        question.gold = ids(gold);
        question.stale = ids(stale);
        judge(&question, &ids(places))
    }

    fn about(measure: Measure, judgement: &Judgement, expected: f64) {
        let value = measure.of(judgement).unwrap();
        assert!((value - expected).abs() < 1e-12, "{measure:?} is {value}");
    }

    #[test]
    fn the_best_order_is_worth_one_everywhere() {
        let best = judged("a b", "", "a b c");
        for measure in &Measure::ALL[..6] {
            about(*measure, &best, 1.0);
        }
    }

    #[test]
    fn a_right_entry_further_down_is_worth_less() {
        let judgement = judged("a b", "", "x a");
        about(Measure::HitAt1, &judgement, 0.0);
        about(Measure::HitAt5, &judgement, 1.0);
        about(Measure::RecallAt10, &judgement, 0.5);
        about(Measure::ReciprocalRank, &judgement, 0.5);
        let found = 1.0 / 3_f64.log2();
        about(Measure::Ndcg, &judgement, found / (1.0 + found));
    }

    #[test]
    fn silence_is_right_only_where_there_is_no_answer() {
        let wrong = judged("a", "", "");
        about(Measure::FalseSilence, &wrong, 1.0);
        about(Measure::ReciprocalRank, &wrong, 0.0);
        assert_eq!(Measure::Abstention.of(&wrong), None);
        about(Measure::Abstention, &judged("", "", ""), 1.0);
        about(Measure::Abstention, &judged("", "", "a"), 0.0);
        assert_eq!(Measure::HitAt1.of(&judged("", "", "a")), None);
    }

    #[test]
    fn an_outdated_entry_must_not_stand_first() {
        let stale = |places| Measure::StaleAboveCurrent.of(&judged("new", "old", places));
        assert_eq!(stale("old new"), Some(1.0));
        assert_eq!(stale("old"), Some(1.0));
        assert_eq!(stale("x new old"), Some(0.0));
        assert_eq!(stale(""), Some(0.0));
        assert_eq!(Measure::StaleAboveCurrent.of(&judged("new", "", "x")), None);
    }

    #[test]
    fn duplicates_stand_directly_behind_their_result_and_ten_places_count() {
        let shown = ids("a b");
        let same = ids("c d e f g h i j k l");
        let places = places([(&shown[0], &same[..2]), (&shown[1], &same[2..])]);
        assert_eq!(places, ids("a c d b e f g h i j"));
    }
}
