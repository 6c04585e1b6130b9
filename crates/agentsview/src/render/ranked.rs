//! Lists of entries: listing and query.

use agentsview_api::{
    EntryDocument, ListDocument, QueryDocument, RankedEntryDocument, ScoreDocument,
};
use recall_text::{clean_line, truncate};

use super::View;
use super::context::{context_lines, context_text};
use super::entry::{claim, evidence, flagged, links, rejected, revocation, source, withdrawn};
use super::page::{Page, commas, count, named};
use super::stats::summary;

const NOTHING: &str = "(no entries)";

/// How much of a body a list shows, in bytes.
const BODY_BYTES: usize = 160;

/// A listing.
pub(crate) fn list(document: &ListDocument) -> String {
    let mut page = Page::new();
    page.line(commas([
        entries_counted(&document.entries).as_str(),
        trusted_only(document.trusted_only),
        none_flagged(document.exclude_flagged),
    ]));
    entries(&mut page, &document.entries, View::default(), None);
    page.finish()
}

/// The answer to a question. A packed context takes the place of the list; with scores or evidence
/// the list follows it and says what was packed.
pub(crate) fn query(document: &QueryDocument, view: View) -> String {
    let mut page = Page::new();
    page.line(commas([
        entries_counted(&document.entries),
        format!("{} ranking", document.mode),
        trusted_only(document.trusted_only).to_owned(),
        none_flagged(document.exclude_flagged).to_owned(),
        named("recorded as", &document.query_id),
    ]));
    if view.summary {
        page.gap();
        summary(
            &mut page,
            document.summary.count,
            &document.summary.tallies(),
        );
        page.gap();
    }
    let (Some(text), Some(meta)) = (&document.context, &document.context_meta) else {
        entries(&mut page, &document.entries, view, None);
        return page.finish();
    };
    page.gap();
    context_text(&mut page, text, document.entries.is_empty());
    page.gap();
    context_lines(&mut page, meta, document.entries.len() as u64);
    if view.scores || view.evidence {
        page.gap();
        entries(&mut page, &document.entries, view, Some(&meta.included_ids));
    }
    page.finish()
}

pub(super) fn trusted_only(is_so: bool) -> &'static str {
    if is_so { "trusted only" } else { "" }
}

/// That entries that read like instructions were left out.
pub(super) fn none_flagged(is_so: bool) -> &'static str {
    if is_so { "none flagged" } else { "" }
}

fn entries_counted(entries: &[RankedEntryDocument]) -> String {
    count(entries.len() as u64, "entry", "entries")
}

/// The entries one below the other; `packed` are the ids that a context holds, if there is one.
pub(super) fn entries(
    page: &mut Page,
    entries: &[RankedEntryDocument],
    view: View,
    packed: Option<&[String]>,
) {
    if entries.is_empty() {
        page.line(NOTHING);
    }
    for ranked in entries {
        let entry = &ranked.entry;
        row(page, entry);
        let place = packed.map_or("", |ids| {
            if ids.contains(&entry.id) {
                "packed"
            } else {
                "left out"
            }
        });
        page.line(format_args!(
            "    {}",
            commas([
                named("project", &entry.project).as_str(),
                &named("agent", &entry.agent),
                &source(entry),
                place,
            ])
        ));
        if !ranked.duplicate_ids.is_empty() {
            page.line(format_args!("    {}", duplicates(&ranked.duplicate_ids)));
        }
        if view.scores {
            page.line(format_args!("    {}", score(ranked)));
        }
        if view.evidence {
            evidence(page, "    ", &entry.evidence);
        }
    }
}

/// So many entries that say the same are named.
const MOST_DUPLICATES: usize = 5;

/// What an entry says and how it stands, in a few lines.
pub(super) fn row(page: &mut Page, entry: &EntryDocument) {
    page.line(headline(entry));
    let body = clean_line(&entry.body);
    page.line(format_args!("    {}", truncate(&body, BODY_BYTES)));
    page.line(format_args!(
        "    {}",
        commas([
            if entry.trusted {
                "trusted"
            } else {
                "not trusted"
            },
            entry.review_state.as_str(),
            if entry.transferable {
                "transferable"
            } else {
                "not transferable"
            },
            if entry.provenance_ok {
                "provenance ok"
            } else if entry.revoked_at.is_empty() {
                "provenance not verified"
            } else {
                "provenance revoked"
            },
            &count(entry.evidence.len() as u64, "evidence row", "evidence rows"),
        ])
    ));
    let archived = if entry.status == "accepted" {
        ""
    } else {
        &entry.status
    };
    let standing = commas([
        archived,
        rejected(entry),
        &claim(entry),
        &links(entry),
        &named("session", withdrawn(entry)),
    ]);
    for line in [
        standing,
        named("evidence", &revocation(entry)),
        named("flagged:", &flagged(entry)),
    ] {
        if !line.is_empty() {
            page.line(format_args!("    {}", clean_line(&line)));
        }
    }
}

/// Id, kind and title of an entry, in one line.
pub(super) fn headline(entry: &EntryDocument) -> String {
    format!(
        "{}  {}  {}",
        clean_line(&entry.id),
        entry.entry_type,
        clean_line(&entry.title)
    )
}

/// That other entries say the same: how many, and the first of them.
fn duplicates(ids: &[String]) -> String {
    let shown = commas(&ids[..ids.len().min(MOST_DUPLICATES)]);
    let more = if ids.len() > MOST_DUPLICATES {
        ", …"
    } else {
        ""
    };
    let others = count(ids.len() as u64, "other entry says", "other entries say");
    format!("{others} the same: {}{more}", clean_line(&shown))
}

/// The score with its eight summands and two counts (S-C06), and why the entry ranked.
fn score(ranked: &RankedEntryDocument) -> String {
    let parts: Vec<_> = summands(&ranked.score_breakdown)
        .iter()
        .map(|(name, part, terms)| {
            let terms = terms.map(|terms| format!(" ({})", count(terms.into(), "term", "terms")));
            format!("{name} {part:.2}{}", terms.unwrap_or_default())
        })
        .collect();
    let why = [
        ("matched", &ranked.match_reasons),
        ("terms", &ranked.matched_terms),
    ];
    let mut line = format!("score {:.2}: {}", ranked.score, parts.join(" + "));
    for (name, words) in why.iter().filter(|(_, words)| !words.is_empty()) {
        line = format!("{line}; {name} {}", commas(*words));
    }
    line
}

/// The name and the worth of each summand, and of how many terms, where they are counted.
fn summands(score: &ScoreDocument) -> [(&'static str, f64, Option<u32>); 8] {
    let evidence_terms = Some(score.evidence_keyword_overlap);
    [
        (
            "keyword",
            score.keyword_idf_score,
            Some(score.keyword_overlap),
        ),
        ("evidence", score.evidence_idf_score, evidence_terms),
        ("identifier", score.identifier_boost, None),
        ("phrase", score.phrase_boost, None),
        ("entity", score.entity_boost, None),
        ("temporal", score.temporal_boost, None),
        ("confidence", score.confidence_bonus, None),
        ("base", score.base_score, None),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    const EVERYTHING: View = View {
        scores: true,
        evidence: true,
        summary: true,
    };

    #[test]
    fn a_list_is_terse() {
        let document = ListDocument::from(&samples::listing());
        insta::assert_snapshot!("recall_list", list(&document));
        insta::assert_snapshot!("recall_list_json", samples::json(&document));
    }

    #[test]
    fn nothing_found_is_said() {
        let mut answer = samples::listing();
        answer.entries.clear();
        let text = list(&ListDocument::from(&answer));
        assert_eq!(text, "0 entries\n(no entries)\n");
    }

    // S-C05, S-C06
    #[test]
    fn a_query_shows_scores_evidence_and_counts_when_asked() {
        let document = QueryDocument::from(&samples::answer(None));
        insta::assert_snapshot!("recall_query", query(&document, View::default()));
        let text = query(&document, EVERYTHING);
        for (name, ..) in summands(&document.entries[0].score_breakdown) {
            assert!(text.contains(&format!("{name} ")), "{name}");
        }
        assert!(
            text.contains("keyword 3.50 (2 terms) + evidence 0.50 (1 term)"),
            "{text}"
        );
        insta::assert_snapshot!("recall_query_everything", text);
        insta::assert_snapshot!("recall_query_json", samples::json(&document));
    }

    // S-C03
    #[test]
    fn a_context_takes_the_place_of_the_list() {
        let document = QueryDocument::from(&samples::answer(Some(samples::context())));
        insta::assert_snapshot!("recall_query_context", query(&document, View::default()));
        let scores = View {
            scores: true,
            ..View::default()
        };
        insta::assert_snapshot!("recall_query_context_scores", query(&document, scores));
        insta::assert_snapshot!("recall_query_context_json", samples::json(&document));
    }

    #[test]
    fn hostile_text_reaches_no_terminal() {
        let document = QueryDocument::from(&samples::hostile_answer());
        let text = query(&document, EVERYTHING);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("recall_query_hostile", text);
    }
}
