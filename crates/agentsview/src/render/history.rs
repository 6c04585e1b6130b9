//! What became of an entry: its chain, its decisions, its earlier wordings.

use agentsview_api::{EntryDocument, HistoryDocument, WordingDocument};
use recall_text::{clean_line, truncate};

use super::decision::decision_line;
use super::entry::{rejected, revocation, withdrawn};
use super::page::{Page, commas, count, minute, named};
use super::table;

/// How much of a title a row shows, in bytes.
const TITLE_BYTES: usize = 60;

/// The chain oldest first with the asked entry marked, then what was decided about its entries, then
/// how the asked one read before.
pub(crate) fn history(document: &HistoryDocument) -> String {
    let mut page = Page::new();
    if document.chain.is_empty() {
        page.line(format_args!(
            "the archive has no entry {} any more",
            clean_line(&document.id)
        ));
    } else {
        table::write(
            &mut page,
            ["", "ENTRY", "STORED (UTC)", "STANDING", "TITLE"],
            &[],
            document.chain.iter().map(|entry| {
                let mark = if entry.id == document.id { ">" } else { "" };
                [
                    mark.to_owned(),
                    entry.id.clone(),
                    minute(&entry.created_at),
                    standing(entry),
                    truncate(&clean_line(&entry.title), TITLE_BYTES).into_owned(),
                ]
            }),
        );
    }
    let asked = document.chain.iter().find(|entry| entry.id == document.id);
    if let Some(entry) = asked.filter(|entry| !entry.revoked_at.is_empty()) {
        page.gap();
        page.line(format_args!("evidence {}", clean_line(&revocation(entry))));
    }
    page.gap();
    if document.decisions.is_empty() {
        page.line("nothing was decided about it or its chain");
    } else {
        let decisions = count(document.decisions.len() as u64, "decision", "decisions");
        page.line(format_args!("{decisions}, first one first"));
        for decision in &document.decisions {
            let other = match decision.entry_id.as_str() {
                id if id == document.id => String::new(),
                id => format!(" (about {})", clean_line(id)),
            };
            page.line(format_args!("  {}{other}", decision_line(decision)));
        }
    }
    if let Some(entry) = asked {
        wordings(&mut page, &document.wordings, entry);
    }
    page.finish()
}

/// How an entry of a chain stands, in a few words.
fn standing(entry: &EntryDocument) -> String {
    let trust = if entry.trusted { "trusted" } else { "" };
    let force = match (entry.status.as_str(), entry.superseded_by_entry_id.as_str()) {
        ("accepted", _) if entry.trusted => "",
        ("accepted", _) => "in force, not trusted",
        (_, "") => "archived",
        _ => "replaced",
    };
    commas([
        trust,
        force,
        rejected(entry),
        if entry.revoked_at.is_empty() {
            ""
        } else {
            "evidence revoked"
        },
        &named("session", withdrawn(entry)),
    ])
}

/// Each replaced wording by what differs in the one that came after it.
fn wordings(page: &mut Page, wordings: &[WordingDocument], entry: &EntryDocument) {
    if wordings.is_empty() {
        return;
    }
    let today = [
        ("title", entry.title.as_str()),
        ("body", &entry.body),
        ("trigger", &entry.trigger),
        ("uncertainty", &entry.uncertainty),
        ("scope", &entry.scope),
    ];
    for (number, wording) in wordings.iter().enumerate() {
        let next = wordings.get(number + 1).map_or(today, texts);
        page.gap();
        let which = if number == 0 {
            "the original wording"
        } else {
            "the wording"
        };
        page.line(format_args!("{which}, until #{}", wording.replaced_by));
        for ((name, old), (_, new)) in texts(wording).into_iter().zip(next) {
            if old != new {
                page.line(format_args!("  {name}"));
                page.block("    - ", said(old));
                page.block("    + ", said(new));
            }
        }
    }
}

fn texts(wording: &WordingDocument) -> [(&'static str, &str); 5] {
    [
        ("title", &wording.title),
        ("body", &wording.body),
        ("trigger", &wording.trigger),
        ("uncertainty", &wording.uncertainty),
        ("scope", &wording.scope),
    ]
}

fn said(text: &str) -> &str {
    if text.trim().is_empty() {
        "(nothing)"
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    // B-01
    #[test]
    fn a_history_has_the_chain_the_decisions_and_the_earlier_wordings() {
        let document = samples::history();
        let text = history(&document);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("recall_history", text);
        insta::assert_snapshot!("recall_history_json", samples::json(&document));
    }

    #[test]
    fn an_id_whose_entry_is_gone_still_has_its_decisions() {
        let mut document = samples::history();
        document.chain.clear();
        document.wordings.clear();
        let text = history(&document);
        assert!(
            text.starts_with("the archive has no entry pool-close any more"),
            "{text}"
        );
        assert!(text.contains("accepted it"), "{text}");
    }
}
