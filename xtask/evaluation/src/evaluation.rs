//! A set from its folder to its report.

use std::collections::BTreeMap;
use std::time::Duration;

use recall_core::EntryId;

use crate::measures::{Judgement, Measure, judge};
use crate::report::{Miss, SetReport, Times};
use crate::{Archive, Estimate, EvaluationError, Question, QuestionSet, estimate};

/// Asks every question of a set and measures the answers.
///
/// # Errors
/// The set is not as it should be, or the archive failed.
pub async fn evaluate(set: &QuestionSet, archive: &Archive) -> Result<SetReport, EvaluationError> {
    let questions = set.questions()?;
    archive.check(&questions)?;
    let mut judged = Vec::with_capacity(questions.len());
    let mut times = Vec::with_capacity(questions.len());
    let mut misses = Vec::new();
    for question in &questions {
        let answered = archive.ask(question).await?;
        let judgement = judge(question, &answered.places);
        misses.extend(miss(question, &judgement, &answered.places));
        judged.push((question.category.as_str(), judgement));
        times.push(answered.time);
    }
    let mut by_category: BTreeMap<String, Vec<&Judgement>> = BTreeMap::new();
    for (category, judgement) in &judged {
        if !category.is_empty() {
            by_category
                .entry((*category).to_owned())
                .or_default()
                .push(judgement);
        }
    }
    Ok(SetReport {
        name: set.name.clone(),
        sessions: archive.sessions(),
        entries: archive.entries().len(),
        questions: questions.len(),
        measures: measures(judged.iter().map(|(_, judgement)| judgement)),
        categories: by_category
            .into_iter()
            .map(|(category, judgements)| (category, measures(judgements)))
            .collect(),
        times: quantiles(times),
        baseline: None,
        ablation: Vec::new(),
        misses,
    })
}

/// Every measure that says something about the judged answers.
pub(crate) fn measures<'a>(
    judgements: impl IntoIterator<Item = &'a Judgement>,
) -> BTreeMap<Measure, Estimate> {
    let judgements: Vec<_> = judgements.into_iter().collect();
    Measure::ALL
        .into_iter()
        .filter_map(|measure| {
            let values: Vec<f64> = judgements
                .iter()
                .filter_map(|judgement| measure.of(judgement))
                .collect();
            Some((measure, estimate(&values)?))
        })
        .collect()
}

/// A question is missed if its first place is not right, or if it is answered and should not be.
fn miss(question: &Question, judgement: &Judgement, places: &[EntryId]) -> Option<Miss> {
    let is_right = if question.is_answerable() {
        judgement.ranks.first() == Some(&0)
    } else {
        judgement.is_silent
    };
    let texts = |ids: &[EntryId]| ids.iter().map(|id| id.as_str().to_owned()).collect();
    (!is_right || judgement.is_stale_first == Some(true)).then(|| Miss {
        question: question.id.clone(),
        category: question.category.clone(),
        text: question.text.clone(),
        gold: texts(&question.gold),
        places: texts(places),
    })
}

fn quantiles(mut times: Vec<Duration>) -> Times {
    times.sort_unstable();
    let at = |hundredths: usize| {
        let place = (times.len() * hundredths).div_ceil(100).max(1) - 1;
        times
            .get(place)
            .map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    };
    Times {
        p50_ms: at(50),
        p95_ms: at(95),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_times_that_were_measured() {
        let times = (1..=20).rev().map(Duration::from_millis).collect();
        let Times { p50_ms, p95_ms } = quantiles(times);
        assert!((p50_ms - 10.0).abs() < 1e-9, "{p50_ms}");
        assert!((p95_ms - 19.0).abs() < 1e-9, "{p95_ms}");
        assert!(quantiles(Vec::new()).p95_ms.abs() < 1e-9);
    }
}
