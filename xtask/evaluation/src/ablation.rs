//! What each part of the score contributes: the change once it is switched off.

use recall_lexical::{Document, Index, Policy, Query};
use recall_trust::instructions::without_instructions;
use serde::Serialize;

use crate::measures::{DEPTH, Judgement, Measure, judge, places, real};
use crate::{Archive, EvaluationError, Question};

/// A part of the score, and the ranking without it.
const PARTS: [(&str, fn(&mut Policy)); 12] = [
    ("title weighs as the rest", |policy| {
        policy.field_weights[0] = 1.0
    }),
    ("no evidence", |policy| policy.field_weights[3] = 0.0),
    ("no length normalisation", |policy| {
        policy.length_shares = policy.length_shares.map(|_| 0.0);
    }),
    ("no name parts", |policy| policy.parts = 0.0),
    ("no identifier", |policy| policy.identifier = 0.0),
    ("no entity", |policy| policy.entity = 0.0),
    ("no phrase", |policy| policy.phrase_step = 0.0),
    ("no temporal", |policy| policy.temporal = 0.0),
    ("no confidence", |policy| policy.confidence = 0.0),
    ("no misspelt words", |policy| policy.misspelt = 0.0),
    ("light words weigh as all", |policy| policy.light = 1.0),
    ("no floor", |policy| {
        policy.answer = 0.0;
        policy.floor = 0.0;
    }),
];

/// How measures change without a part of the score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ablated {
    /// What is switched off; the first row of an ablation is the ranking as it is.
    pub part: &'static str,
    /// hit@1 of the answerable questions.
    pub hit_at_1: f64,
    /// By how much it differs from the ranking as it is.
    pub hit_at_1_change: f64,
    /// nDCG@10 of the answerable questions.
    pub ndcg_at_10: f64,
    /// By how much it differs.
    pub ndcg_at_10_change: f64,
    /// Abstention of the unanswerable questions.
    pub abstention: f64,
    /// By how much it differs.
    pub abstention_change: f64,
}

/// Asks all questions once with the ranking as it is and once without each of its parts. One index
/// in memory holds the entries of every status, so that the figures may differ a little from those
/// of the archive.
///
/// # Errors
/// [`EvaluationError::Index`] if the entries are too many for it.
pub fn ablate(archive: &Archive, questions: &[Question]) -> Result<Vec<Ablated>, EvaluationError> {
    let index = Index::build(archive.entries().iter().map(Document::from_entry))?;
    let queries: Vec<Query> = questions
        .iter()
        .map(|question| Query::parse(&without_instructions(&question.text)))
        .collect();
    let judged = |policy: &Policy| -> Vec<Judgement> {
        questions
            .iter()
            .zip(&queries)
            .map(|(question, query)| {
                let filter = &question.filter;
                let hits = index.rank_by(policy, query, filter, archive.asked_at(), DEPTH);
                let results = hits.iter().map(|hit| (&hit.id, hit.duplicates.as_slice()));
                judge(question, &places(results))
            })
            .collect()
    };
    let whole = judged(&Policy::CURRENT);
    let mut rows = vec![compared("as it is", &whole, &whole)];
    for (part, switch_off) in PARTS {
        let mut policy = Policy::CURRENT;
        switch_off(&mut policy);
        rows.push(compared(part, &judged(&policy), &whole));
    }
    Ok(rows)
}

fn compared(part: &'static str, without: &[Judgement], whole: &[Judgement]) -> Ablated {
    let change = |measure| {
        let value = mean(measure, without);
        (value, value - mean(measure, whole))
    };
    let (hit_at_1, hit_at_1_change) = change(Measure::HitAt1);
    let (ndcg_at_10, ndcg_at_10_change) = change(Measure::Ndcg);
    let (abstention, abstention_change) = change(Measure::Abstention);
    Ablated {
        part,
        hit_at_1,
        hit_at_1_change,
        ndcg_at_10,
        ndcg_at_10_change,
        abstention,
        abstention_change,
    }
}

/// 0 without a question that the measure is about.
fn mean(measure: Measure, judgements: &[Judgement]) -> f64 {
    let values: Vec<f64> = judgements
        .iter()
        .filter_map(|judgement| measure.of(judgement))
        .collect();
    values.iter().sum::<f64>() / real(values.len().max(1))
}
