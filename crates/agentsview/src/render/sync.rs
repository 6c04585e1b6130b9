//! What a sync did.

use agentsview_api::{ExitCode, SyncDocument};
use recall_text::clean_line;

use super::page::{Page, commas, count, some};

/// How a sync ends: lines that cannot be read are counted, files that cannot be read at all leave
/// it incomplete.
pub(crate) fn sync_ending(document: &SyncDocument) -> ExitCode {
    if document.failed.is_empty() {
        ExitCode::Success
    } else {
        ExitCode::Partial
    }
}

/// What changed, what could not be read, and what the archive holds now.
pub(crate) fn sync(document: &SyncDocument) -> String {
    let mut page = Page::new();
    let changed =
        document.sessions_added + document.sessions_appended + document.sessions_rewritten;
    let kinds = commas([
        some(document.sessions_added, "new", "new"),
        some(document.sessions_appended, "grown", "grown"),
        some(document.sessions_rewritten, "rewritten", "rewritten"),
    ]);
    let colon = if kinds.is_empty() { "" } else { ": " };
    page.line(format_args!(
        "{}{colon}{kinds}",
        count(changed, "session changed", "sessions changed")
    ));
    page.line(format_args!(
        "read {} of {} ({})",
        document.files_read,
        count(document.files_found, "file", "files"),
        bytes(document.bytes_read)
    ));
    let flaws = commas([
        some(
            document.malformed_lines,
            "unreadable line",
            "unreadable lines",
        ),
        some(document.oversized_lines, "overlong line", "overlong lines"),
        some(
            document.truncated_files,
            "unfinished file",
            "unfinished files",
        ),
    ]);
    if !flaws.is_empty() {
        page.line(format_args!("passed over: {flaws}"));
    }
    for problem in &document.failed {
        page.line(format_args!(
            "cannot read {}: {}",
            clean_line(&problem.path),
            clean_line(&problem.message)
        ));
    }
    page.line(format_args!(
        "the archive holds {} and {}",
        count(document.total_sessions, "session", "sessions"),
        count(document.total_messages, "message", "messages")
    ));
    page.finish()
}

/// A size in the largest unit that keeps it above one.
fn bytes(number: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if number < 1000 {
        return format!("{number} B");
    }
    let mut whole = number;
    let mut unit = 0;
    while whole >= 1_000_000 && unit + 1 < UNITS.len() {
        whole /= 1000;
        unit += 1;
    }
    format!("{}.{} {}", whole / 1000, whole % 1000 / 100, UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    #[test]
    fn a_sync_says_what_changed_and_what_it_passed_over() {
        let document = SyncDocument::from(&samples::sync_report());
        let text = sync(&document);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("sync", text);
        insta::assert_snapshot!("sync_json", samples::json(&document));
        assert_eq!(sync_ending(&document), ExitCode::Partial);
    }

    #[test]
    fn a_sync_without_news_is_three_lines() {
        let document = SyncDocument::default();
        assert_eq!(sync(&document).lines().count(), 3);
        assert_eq!(sync_ending(&document), ExitCode::Success);
    }

    #[test]
    fn a_size_has_one_decimal_and_a_unit() {
        for (number, shown) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (1_234_567, "1.2 MB"),
            (999_999, "999.9 kB"),
            (5_000_000_000, "5.0 GB"),
            (u64::MAX, "18446744.0 TB"),
        ] {
            assert_eq!(bytes(number), shown);
        }
    }
}
