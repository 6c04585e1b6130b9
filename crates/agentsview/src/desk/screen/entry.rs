//! The entry, what it resembles, and what was decided about it.

use recall_core::{Entry, EntryId};
use recall_engine::ReviewItem;
use recall_lexical::similar::Difference;
use recall_text::clean_line;
use recall_trust::review::Decision;

use super::{Row, Style, paragraph};

/// How many lines of the body of a similar entry are shown.
const SIMILAR_LINES: usize = 3;

/// What the entry says, and where it comes from.
pub(super) fn entry(item: &ReviewItem, columns: usize) -> Vec<Row> {
    let entry = &item.entry;
    let mut rows = vec![Row::of(Style::Strong, "Entry")];
    rows.extend(paragraph(
        Style::Strong,
        2,
        &clean_line(&entry.title),
        columns,
    ));
    let kind = match entry.claimed_type {
        Some(claimed) => format!("{} (claims to be a {claimed})", entry.entry_type),
        None => entry.entry_type.to_string(),
    };
    let confidence = entry.confidence;
    let about = facts([
        ("", &kind),
        ("scope", entry.scope.as_str()),
        ("project", &entry.project),
        ("branch", &entry.git_branch),
        ("agent", &entry.agent),
        (
            "confidence",
            &confidence.map_or_else(String::new, |it| format!("{:.2}", it.get())),
        ),
    ]);
    rows.extend(paragraph(Style::Faint, 2, &about, columns));
    rows.push(Row::default());
    rows.extend(paragraph(Style::Plain, 2, &entry.body, columns));
    for (name, text) in [("When", &entry.trigger), ("Uncertain", &entry.uncertainty)] {
        if !text.is_empty() {
            rows.push(Row::default());
            rows.push(Row::of(Style::Strong, name));
            rows.extend(paragraph(Style::Plain, 2, text, columns));
        }
    }
    rows.push(Row::default());
    let origin = facts([
        ("", entry.id.as_str()),
        ("stored", &entry.created_at.to_string()),
        ("by", &entry.extractor_method),
        ("model", &entry.model),
    ]);
    rows.extend(paragraph(Style::Faint, 2, &origin, columns));
    rows
}

/// What is known about it besides: its like, its opposites, and earlier decisions.
pub(super) fn related(item: &ReviewItem, columns: usize) -> Vec<Row> {
    let mut rows = similar(item, columns);
    rows.extend(decisions(&item.decisions, columns));
    rows
}

/// Names and values on one line; a value that is empty is left out.
fn facts<const N: usize>(facts: [(&str, &str); N]) -> String {
    let said: Vec<String> = facts
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| clean_line(&format!("{name} {value}")).into_owned())
        .collect();
    said.join(" · ")
}

fn similar(item: &ReviewItem, columns: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for (found, other) in &item.duplicates {
        rows.push(Row::default());
        let share = format!("Says nearly the same ({:.0} %)", found.similarity * 100.0);
        rows.extend(paragraph(Style::Warning, 0, &share, columns));
        rows.extend(other_entry(other, columns));
    }
    for (found, other) in &item.contradictions {
        rows.push(Row::default());
        let heading = format!("Contradicts on “{}”", found.subject);
        rows.push(Row::of(Style::Warning, &heading));
        let (ours, theirs) = match &found.difference {
            Difference::Negation { ours, theirs } | Difference::Values { ours, theirs } => {
                (ours, theirs)
            }
        };
        rows.extend(paragraph(
            Style::Plain,
            2,
            &clean_line(&format!("this: {ours}")),
            columns,
        ));
        rows.extend(paragraph(
            Style::Plain,
            2,
            &clean_line(&format!("other: {theirs}")),
            columns,
        ));
        rows.extend(other_entry(other, columns));
    }
    rows
}

/// An entry beside the one on the desk: its id, its title, and the beginning of its body.
pub(super) fn other_entry(entry: &Entry, columns: usize) -> Vec<Row> {
    let head = format!("{} ({})", entry.id, entry.review_state);
    let mut rows = paragraph(Style::Faint, 2, &clean_line(&head), columns);
    rows.extend(paragraph(
        Style::Strong,
        2,
        &clean_line(&entry.title),
        columns,
    ));
    let body = paragraph(Style::Plain, 2, &entry.body, columns);
    let is_cut = body.len() > SIMILAR_LINES;
    rows.extend(body.into_iter().take(SIMILAR_LINES));
    if is_cut {
        rows.push(Row::of(Style::Faint, "  …"));
    }
    rows
}

fn decisions(decisions: &[Decision], columns: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for decision in decisions {
        if rows.is_empty() {
            rows.push(Row::default());
            rows.push(Row::of(Style::Strong, "Decided before"));
        }
        let other = decision.other.as_ref().map_or("", EntryId::as_str);
        let undone = decision.undone_by.map_or("", |_| "taken back");
        let line = facts([
            ("", &decision.at.to_string()),
            (
                decision.action.as_str(),
                &format!("by {}", decision.reviewer),
            ),
            ("with", other),
            ("note", &decision.note),
            ("", undone),
        ]);
        rows.extend(paragraph(Style::Plain, 2, &line, columns));
    }
    rows
}
