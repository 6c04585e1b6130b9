//! What a sync did.

use agentsview_api::{ExitCode, SyncDocument};
use recall_text::clean_line;

use super::page::{Page, bytes, commas, count, some};
use super::verification;
use crate::failure::Failure;

/// Why a sync is incomplete, if it is: lines that cannot be read are counted, but a file that cannot
/// be read at all is missing from the archive.
pub(crate) fn sync_shortfall(document: &SyncDocument) -> Option<Failure> {
    let first = document.failed.first()?;
    let files = count(document.failed.len() as u64, "file", "files");
    let path = &first.path;
    let which = match document.failed.len() {
        1 => path.clone(),
        all => format!("{path} and {} more", all - 1),
    };
    Some(
        Failure::new(
            ExitCode::Partial,
            format!("{files} could not be read: {which}"),
        )
        .hint("mend what is reported and sync again"),
    )
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
    verification::news(&mut page, &document.evidence);
    for problem in &document.failed {
        page.line(format_args!(
            "cannot read {}: {}",
            clean_line(&problem.path),
            clean_line(&problem.message)
        ));
    }
    if document.sessions_with_secrets > 0 {
        page.line(format_args!(
            "{} credentials; see `agentsview secrets list`",
            count(
                document.sessions_with_secrets,
                "session read holds",
                "sessions read hold"
            )
        ));
    }
    page.line(format_args!(
        "the archive holds {} and {}",
        count(document.total_sessions, "session", "sessions"),
        count(document.total_messages, "message", "messages")
    ));
    page.finish()
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
        let failure = sync_shortfall(&document).unwrap();
        samples::assert_harmless(&failure.to_string());
        assert_eq!(failure.exit, ExitCode::Partial);
        assert_eq!(
            failure.to_string(),
            "agentsview: 1 file could not be read: /srv/agents/ab.jsonl; mend what is reported and \
             sync again"
        );
    }

    #[test]
    fn a_sync_without_news_is_three_lines() {
        let document = SyncDocument::default();
        assert_eq!(sync(&document).lines().count(), 3);
        assert_eq!(sync_shortfall(&document), None);
    }
}
