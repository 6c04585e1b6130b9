//! Why an entry ranks where it does, or why it is no answer.

use agentsview_api::{ExplainDocument, RefusalDocument, UnitDocument};
use recall_text::clean_line;

use super::page::{Page, commas, count};
use super::ranked::{headline, score_parts};
use super::table;

/// The explanation, the outcome first.
pub(crate) fn explain(document: &ExplainDocument) -> String {
    let mut page = Page::new();
    page.line(headline(&document.entry));
    page.line(format_args!("    {}", outcome(document)));
    for refusal in &document.refusals {
        page.line(format_args!("    {}", refused(refusal)));
    }
    if let Some(score) = &document.score_breakdown {
        page.line(format_args!(
            "    score {:.2}: {}",
            score.total,
            score_parts(score)
        ));
    }
    if !document.units.is_empty() {
        page.gap();
        let rows = document.units.iter().map(|unit| {
            [
                unit.text.clone(),
                format!("{:.2}", unit.weight),
                unit.entries.to_string(),
                held(unit),
            ]
        });
        let headings = ["asked for", "worth", "entries", "in this one"];
        table::write(&mut page, headings, &[1, 2], rows);
        if document.refusals.is_empty() {
            page.line(format_args!(
                "covers {:.2}; an answer must cover {:.2}, and the best one {:.2}",
                document.covered, document.must_cover, document.best_must_cover
            ));
        }
    }
    page.finish()
}

fn outcome(document: &ExplainDocument) -> String {
    match (document.outcome.as_str(), document.rank) {
        (_, Some(rank)) => {
            let of = document.answers.unwrap_or_default();
            let place = format!("ranks {rank} of {}", count(of, "answer", "answers"));
            if !document.shown_as.is_empty() {
                let shown = clean_line(&document.shown_as);
                format!("{place}, where {shown} stands for it: both say the same")
            } else if rank > document.limit {
                format!("{place}, behind the {} that were asked for", document.limit)
            } else {
                place
            }
        }
        ("refused", _) => "is no answer: it was not asked for".to_owned(),
        ("no_match", _) => "is no answer: it has nothing of what is asked for".to_owned(),
        ("below_floor", _) => "is no answer: it covers too little of the question".to_owned(),
        ("no_answer", _) => {
            "is no answer: no entry covers so much of the question that there is one".to_owned()
        }
        ("not_indexed", _) => "is no answer: the index does not have it".to_owned(),
        _ => "is no answer: the question has no word to look for".to_owned(),
    }
}

fn refused(refusal: &RefusalDocument) -> String {
    let filter = clean_line(&refusal.filter);
    if !refusal.reasons.is_empty() {
        return format!("{filter}: {}", clean_line(&refusal.reasons.join(" ")));
    }
    let wanted = clean_line(&refusal.wanted);
    let has = if refusal.has.is_empty() {
        "none".into()
    } else {
        clean_line(&refusal.has)
    };
    format!("{filter}: {wanted} is wanted, and it has {has}")
}

/// How the entry holds one thing that is asked for.
fn held(unit: &UnitDocument) -> String {
    let fields = [
        ("title", unit.title),
        ("trigger", unit.trigger),
        ("body", unit.body),
        ("evidence", unit.evidence),
    ];
    let places = commas(
        fields
            .into_iter()
            .filter(|(_, times)| *times > 0)
            .map(|(field, times)| format!("{field} {times}")),
    );
    match unit.held.as_str() {
        "misspelt" => format!("one letter away: {places}"),
        "in_parts" => "in parts".to_owned(),
        "not" => "–".to_owned(),
        _ => places,
    }
}

#[cfg(test)]
mod tests {
    use agentsview_api::EntryDocument;

    use super::*;
    use crate::render::samples::{HOSTILE, assert_harmless, hostile_entry, pool_entry};

    fn document(outcome: &str) -> ExplainDocument {
        ExplainDocument {
            query: "pool hang".to_owned(),
            outcome: outcome.to_owned(),
            rank: None,
            answers: None,
            limit: 2,
            shown_as: String::new(),
            score_breakdown: None,
            covered: 1.5,
            must_cover: 2.0,
            best_must_cover: 4.0,
            refusals: Vec::new(),
            units: vec![
                unit("hang", "whole", [1, 0, 2, 0]),
                unit("waitng", "misspelt", [0, 0, 1, 0]),
                unit("busytimeout", "in_parts", [0; 4]),
                unit("lunch", "not", [0; 4]),
            ],
            entry: EntryDocument::from(&pool_entry()),
        }
    }

    fn unit(text: &str, held: &str, [title, trigger, body, evidence]: [u64; 4]) -> UnitDocument {
        UnitDocument {
            text: text.to_owned(),
            weight: 5.25,
            entries: 3,
            held: held.to_owned(),
            title,
            trigger,
            body,
            evidence,
        }
    }

    #[test]
    fn the_outcome_comes_first_and_every_part_has_its_line() {
        let mut ranked = document("ranked");
        (ranked.rank, ranked.answers, ranked.covered) = (Some(3), Some(17), 5.25);
        ranked.score_breakdown = Some((&recall_core::ScoreBreakdown::default()).into());
        insta::assert_snapshot!("recall_explain_ranked", explain(&ranked));
        insta::assert_snapshot!(
            "recall_explain_below_floor",
            explain(&document("below_floor"))
        );
    }

    #[test]
    fn every_outcome_has_its_words() {
        for outcome in [
            "refused",
            "no_match",
            "no_answer",
            "nothing_asked",
            "not_indexed",
        ] {
            let text = explain(&document(outcome));
            assert!(
                text.lines()
                    .nth(1)
                    .is_some_and(|line| line.contains("is no answer: ")),
                "{text}"
            );
        }
        let mut twin = document("ranked");
        (twin.rank, twin.answers) = (Some(1), Some(1));
        twin.shown_as = "e-2".to_owned();
        assert!(explain(&twin).contains("ranks 1 of 1 answer, where e-2 stands for it"));
    }

    #[test]
    fn what_refuses_an_entry_is_named() {
        let mut refused = document("refused");
        let refusal = |filter: &str, wanted: &str, has: &str, reasons: &[&str]| RefusalDocument {
            filter: filter.to_owned(),
            wanted: wanted.to_owned(),
            has: has.to_owned(),
            reasons: reasons.iter().map(|reason| (*reason).to_owned()).collect(),
        };
        refused.refusals = vec![
            refusal("project", "website", "lantern", &[]),
            refusal("git_branch", "main", "", &[]),
            refusal(
                "trusted_only",
                "",
                "",
                &["No person has reviewed and accepted it."],
            ),
        ];
        insta::assert_snapshot!("recall_explain_refused", explain(&refused));
    }

    #[test]
    fn text_of_questions_and_entries_is_harmless() {
        let mut hostile = document("ranked");
        hostile.entry = EntryDocument::from(&hostile_entry());
        hostile.units.push(unit(HOSTILE, "whole", [1; 4]));
        hostile.shown_as = HOSTILE.to_owned();
        hostile.rank = Some(1);
        assert_harmless(&explain(&hostile));
    }
}
