//! The cited messages, with who speaks in each.

use agentsview_formats::{ParsedMessage, ParsedToolCall};
use recall_core::Speaker;
use recall_engine::{Passage, ReviewItem};
use recall_text::truncate;
use recall_trust::evidence::speakers;

use super::checks::speaker;
use super::{Row, Style, paragraph};

/// How much of one text is laid out, in bytes. A tool may have printed megabytes, and nobody reads
/// them here.
const MOST_BYTES: usize = 64 * 1024;

/// What the entry rests on.
pub(super) fn evidence(item: &ReviewItem, columns: usize) -> Vec<Row> {
    let entry = &item.entry;
    let heading = format!("Evidence in {}", entry.source_session_id);
    let mut rows = vec![Row::of(Style::Strong, &heading)];
    if item.passages.is_empty() {
        rows.push(Row::of(Style::Bad, "It cites nothing."));
    }
    if entry.revocation.is_some() {
        rows.extend(paragraph(
            Style::Bad,
            0,
            "The evidence was revoked: below is what stands there now.",
            columns,
        ));
    }
    for row in &entry.evidence {
        for quote in row.snippets.iter().filter(|quote| !quote.is_empty()) {
            let quote = format!("“{quote}”");
            rows.extend(paragraph(Style::Plain, 2, &quote, columns));
        }
    }
    for passage in &item.passages {
        rows.push(Row::default());
        rows.extend(cited(passage, columns));
    }
    rows
}

fn cited(passage: &Passage, columns: usize) -> Vec<Row> {
    let heading = format!("Messages {}", passage.range);
    let mut rows = vec![Row::of(Style::Strong, &heading)];
    if passage.messages.is_empty() {
        rows.extend(paragraph(
            Style::Bad,
            0,
            "No such messages are in the archive.",
            columns,
        ));
    }
    for message in &passage.messages {
        rows.extend(spoken(message, columns));
        for call in &message.tool_calls {
            rows.extend(brought(call, passage, columns));
        }
    }
    rows
}

fn spoken(message: &ParsedMessage, columns: usize) -> Vec<Row> {
    let who = speakers::of_text(message.role, message.is_system);
    let mut rows = vec![head(&format!("#{}", message.ordinal), who, "")];
    rows.extend(text(&message.content, columns));
    rows
}

fn brought(call: &ParsedToolCall, passage: &Passage, columns: usize) -> Vec<Row> {
    let is_cited = call
        .tool_use_id
        .as_ref()
        .is_some_and(|id| passage.tool_use_ids.contains(id));
    if !is_cited {
        let line = format!("  (what {} brought is not cited)", call.tool_name);
        return vec![Row::of(Style::Faint, &line)];
    }
    let who = speakers::of_tool(&call.tool_name);
    let mut rows = Vec::new();
    if call.results.is_empty() {
        let line = format!("  ({} has brought nothing yet)", call.tool_name);
        rows.push(Row::of(Style::Faint, &line));
    }
    for result in &call.results {
        rows.push(head("  cited", who, &call.tool_name));
        rows.extend(text(&result.content, columns));
    }
    rows
}

/// What nobody said is marked loudly: it must not pass for a person's or the agent's word.
fn head(place: &str, who: Speaker, tool: &str) -> Row {
    let row = Row::of(Style::Faint, place);
    match who {
        Speaker::User | Speaker::Assistant => row.and(Style::Strong, &format!(" {}", speaker(who))),
        Speaker::ToolOutput | Speaker::FetchedPage => {
            let mark = format!(" !! {} !!", speaker(who).to_uppercase());
            row.and(Style::Warning, &mark)
                .and(Style::Faint, &format!(" {tool}"))
        }
    }
}

fn text(text: &str, columns: usize) -> Vec<Row> {
    let shown = truncate(text, MOST_BYTES);
    let mut rows = paragraph(Style::Plain, 2, shown.as_ref(), columns);
    if shown.len() < text.len() {
        let line = format!(
            "  (the rest of {} bytes is in `agentsview session messages`)",
            text.len()
        );
        rows.extend(paragraph(Style::Warning, 0, &line, columns));
    }
    rows
}
