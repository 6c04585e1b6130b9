//! What an import did.

use agentsview_api::{ExitCode, ImportDocument, ImportItemDocument};
use recall_core::SkipReason;
use recall_engine::ImportOptions;
use recall_text::clean_line;

use super::page::{FEW, Page, commas, count, named, shell};
use crate::failure::Failure;

/// How many unusable lines are shown: each is work for a person, who should see all of it at once.
const PROBLEMS: usize = 200;

/// How many line numbers fit in one message.
const NUMBERS: usize = 5;

/// Why an import did less than it was asked for, if it did: a line that cannot be imported makes
/// the input invalid, or the work incomplete if the good lines were wanted all the same.
pub(crate) fn import_shortfall(
    document: &ImportDocument,
    source: &str,
    options: ImportOptions,
) -> Option<Failure> {
    if document.failed.is_empty() {
        return None;
    }
    let what = format!(
        "{} of {source} cannot be imported ({})",
        count(document.failed.len() as u64, "line", "lines"),
        numbers(document)
    );
    Some(match (options.keep_going, options.dry_run) {
        (true, false) => Failure::new(ExitCode::Partial, what)
            .hint("mend what is reported and import again: what is stored is skipped"),
        (true, true) => Failure::new(ExitCode::Partial, what)
            .hint("mend what is reported, or import the other lines with --yes --keep-going"),
        (false, true) => Failure::usage(what)
            .hint("mend what is reported, or leave such lines out with --keep-going"),
        (false, false) => Failure::usage(format!("{what}, so nothing was written"))
            .hint("mend what is reported, or import the other lines with --keep-going"),
    })
}

/// `line 3`, `lines 3, 7, and 12 more`.
fn numbers(document: &ImportDocument) -> String {
    let shown = document.failed.iter().take(NUMBERS);
    let mut numbers: Vec<String> = shown.map(|failure| failure.line.to_string()).collect();
    let rest = document.failed.len() - numbers.len();
    let word = if document.failed.len() == 1 {
        "line"
    } else {
        "lines"
    };
    if rest > 0 {
        numbers.push(format!("and {rest} more"));
    }
    format!("{word} {}", numbers.join(", "))
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
    page.first(PROBLEMS, &document.failed, |page, failure| {
        page.line(format_args!(
            "  line {}: {}",
            failure.line,
            clean_line(&failure.message)
        ));
    });
    page.finish()
}

fn items(page: &mut Page, what: &str, items: &[ImportItemDocument]) {
    page.first(FEW, items, |page, item| {
        let details = commas([
            reason(item),
            named("session", &item.source_session_id),
            named("replaces", &item.supersedes_entry_id),
            named("label", &item.label),
        ]);
        page.line(format_args!(
            "  line {}: {what}  {}  {}  ({details})",
            item.line,
            clean_line(&item.candidate_id),
            clean_line(&item.title)
        ));
        if !item.caution.is_empty() {
            page.line(format_args!("    take care: {}", clean_line(&item.caution)));
        }
        if !item.claimed_type.is_empty() {
            page.line(format_args!(
                "    so it is a fact and no {kind} until a person accepts it as one: `agentsview recall \
                 review accept {} --transferable --as {kind}`",
                shell(&item.candidate_id),
                kind = clean_line(&item.claimed_type)
            ));
        }
    });
}

/// Why the line was passed over; a conflict alone leaves something to do.
fn reason(item: &ImportItemDocument) -> String {
    if item.reason == SkipReason::Conflict.as_str() {
        format!(
            "{}: the id is taken by an entry that says something else; use another candidate_id, \
             and supersedes_entry_id if it replaces that entry",
            item.reason
        )
    } else {
        item.reason.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;
    use recall_engine::SessionPolicy;

    fn options(keep_going: bool, dry_run: bool) -> ImportOptions {
        ImportOptions {
            dry_run,
            sessions: SessionPolicy::RequireExisting,
            keep_going,
        }
    }

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
        let mut lines = Vec::new();
        for (keep_going, dry_run, exit) in [
            (false, false, ExitCode::Usage),
            (false, true, ExitCode::Usage),
            (true, false, ExitCode::Partial),
            (true, true, ExitCode::Partial),
        ] {
            let options = options(keep_going, dry_run);
            let failure = import_shortfall(&document, "reviewed.jsonl", options).unwrap();
            assert_eq!(failure.exit, exit);
            lines.push(failure.to_string());
        }
        insta::assert_snapshot!("recall_import_shortfall", lines.join("\n"));
        let clean = ImportDocument::from(&samples::import_report(false));
        let options = options(false, false);
        assert_eq!(import_shortfall(&clean, "reviewed.jsonl", options), None);
    }

    #[test]
    fn every_unusable_line_is_listed_up_to_a_bound() {
        let mut report = samples::stopped_import();
        let problem = report.problems[0].clone();
        report.problems.extend(std::iter::repeat_n(problem, 299));
        let document = ImportDocument::from(&report);
        let text = import(&document);
        assert_eq!(text.matches("unknown entry type").count(), 200);
        assert!(text.ends_with("and 100 more; --json lists all\n"));
        assert_eq!(numbers(&document), "lines 3, 3, 3, 3, 3, and 295 more");
    }

    #[test]
    fn a_conflict_says_what_to_do() {
        let mut report = samples::import_report(false);
        report.items[1].skipped = Some(SkipReason::Conflict);
        let text = import(&ImportDocument::from(&report));
        assert!(
            text.contains("line 2: skipped  pool-close") && text.contains("another candidate_id"),
            "{text}"
        );
    }

    // W11
    #[test]
    fn a_large_import_is_not_listed_line_by_line() {
        let mut report = samples::import_report(false);
        let item = report.items[0].clone();
        report.items.extend(std::iter::repeat_n(item, 5_000));
        let text = import(&ImportDocument::from(&report));
        assert!(text.lines().count() < 80, "{}", text.lines().count());
        assert!(text.contains("more; --json lists all"));
    }
}
