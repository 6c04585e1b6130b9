//! What an import did.

use agentsview_api::{ExitCode, ImportDocument, ImportItemDocument};
use recall_text::clean_line;

use super::page::{Page, commas, count, named};

/// How many lines of a kind are shown; a file may hold thousands (W11).
const LINES: usize = 20;

/// How an import ends: a line that cannot be imported makes the input invalid, or the work
/// incomplete if the good lines were wanted all the same.
pub(crate) fn import_ending(document: &ImportDocument, keep_going: bool) -> ExitCode {
    match (document.failed.is_empty(), keep_going) {
        (true, _) => ExitCode::Success,
        (false, true) => ExitCode::Partial,
        (false, false) => ExitCode::Usage,
    }
}

/// The counts first, then the lines.
pub(crate) fn import(document: &ImportDocument) -> String {
    let mut page = Page::new();
    let would = if document.would_import > 0 {
        format!("would import {}", document.would_import)
    } else {
        String::new()
    };
    let failed = if document.failed.is_empty() {
        String::new()
    } else {
        format!("unusable {}", document.failed.len())
    };
    page.line(commas([
        format!("imported {}", document.imported),
        would,
        format!("skipped {}", document.skipped),
        failed,
    ]));
    if !document.failed.is_empty() && document.imported == 0 {
        page.line("nothing was written");
    }
    items(&mut page, "imported", &document.imported_entries);
    items(&mut page, "would import", &document.would_import_entries);
    items(&mut page, "skipped", &document.skipped_entries);
    for failure in document.failed.iter().take(LINES) {
        page.line(format_args!(
            "  line {}: {}",
            failure.line,
            clean_line(&failure.message)
        ));
    }
    more(&mut page, document.failed.len());
    page.finish()
}

fn items(page: &mut Page, what: &str, items: &[ImportItemDocument]) {
    for item in items.iter().take(LINES) {
        let details = commas([
            item.reason.clone(),
            named("session", &item.source_session_id),
            named("replaces", &item.supersedes_entry_id),
            named("label", &item.label),
        ]);
        page.line(format_args!(
            "  {what}  {}  {}  ({details})",
            clean_line(&item.candidate_id),
            clean_line(&item.title)
        ));
    }
    more(page, items.len());
}

fn more(page: &mut Page, all: usize) {
    if let Some(more) = all.checked_sub(LINES).filter(|more| *more > 0) {
        let lines = count(more as u64, "more line", "more lines");
        page.line(format_args!("  and {lines}; --json lists all"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    // S-R01
    #[test]
    fn an_import_says_what_was_written_and_what_was_not() {
        let written = ImportDocument::from(&samples::import_report(false));
        insta::assert_snapshot!("recall_import", import(&written));
        insta::assert_snapshot!("recall_import_json", samples::json(&written));
        let dry = ImportDocument::from(&samples::import_report(true));
        insta::assert_snapshot!("recall_import_dry_run", import(&dry));
    }

    #[test]
    fn unusable_lines_are_named_and_decide_the_ending() {
        let document = ImportDocument::from(&samples::stopped_import());
        let text = import(&document);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("recall_import_stopped", text);
        assert_eq!(import_ending(&document, false), ExitCode::Usage);
        assert_eq!(import_ending(&document, true), ExitCode::Partial);
        let clean = ImportDocument::from(&samples::import_report(false));
        assert_eq!(import_ending(&clean, false), ExitCode::Success);
    }

    // W11
    #[test]
    fn a_large_import_is_not_listed_line_by_line() {
        let mut report = samples::import_report(false);
        let item = report.items[0].clone();
        report.items.extend(std::iter::repeat_n(item, 5_000));
        let text = import(&ImportDocument::from(&report));
        assert!(text.lines().count() < 50, "{}", text.lines().count());
        assert!(text.contains("more lines; --json lists all"));
    }
}
