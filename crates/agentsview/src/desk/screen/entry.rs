//! The entry, what it resembles, and what was decided about it.

use recall_core::Entry;
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
    let context = [
        ("project", &entry.project),
        ("branch", &entry.git_branch),
        ("agent", &entry.agent),
    ];
    let mut line = format!("{kind} · scope {}", entry.scope);
    for (name, value) in context {
        if !value.is_empty() {
            line += &format!(" · {name} {value}");
        }
    }
    if let Some(confidence) = entry.confidence {
        line += &format!(" · confidence {:.2}", confidence.get());
    }
    rows.extend(paragraph(Style::Faint, 2, &clean_line(&line), columns));
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
    rows.extend(paragraph(
        Style::Faint,
        2,
        &clean_line(&origin(entry)),
        columns,
    ));
    rows
}

/// What is known about it besides: its like, its opposites, and earlier decisions.
pub(super) fn related(item: &ReviewItem, columns: usize) -> Vec<Row> {
    let mut rows = similar(item, columns);
    rows.extend(decisions(&item.decisions, columns));
    rows
}

fn origin(entry: &Entry) -> String {
    let mut line = format!("{} · stored {}", entry.id, entry.created_at);
    for (name, value) in [("by", &entry.extractor_method), ("model", &entry.model)] {
        if !value.is_empty() {
            line += &format!(" · {name} {value}");
        }
    }
    line
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
        let mut line = format!(
            "{} {} by {}",
            decision.at, decision.action, decision.reviewer
        );
        if let Some(other) = &decision.other {
            line += &format!(" ({other})");
        }
        if !decision.note.is_empty() {
            line += &format!(": {}", decision.note);
        }
        if decision.undone_by.is_some() {
            line += " (taken back)";
        }
        rows.extend(paragraph(Style::Plain, 2, &clean_line(&line), columns));
    }
    rows
}
