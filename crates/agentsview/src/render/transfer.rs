//! What an export, a restore and a reset did.

use std::borrow::Cow;

use agentsview_api::{
    ExitCode, ExportDocument, ResetDocument, RestoreDocument, RestoreItemDocument,
    RowCountsDocument,
};
use recall_engine::{Holdings, RestoreSkip, ReviewLog};
use recall_text::clean_line;

use super::entry::reason;
use super::page::{FEW, Page, commas, count, shell, some};
use crate::failure::Failure;

/// The doubt about an entry whose session the archive does not have.
const NO_TRANSCRIPT: &str = "no_transcript";

/// One line: what is where.
pub(crate) fn export(document: &ExportDocument) -> String {
    format!(
        "wrote {} as {} to {}\n",
        count(document.entries, "entry", "entries"),
        document.format,
        clean_line(&document.output)
    )
}

/// Why nothing was forgotten: what would have been lost.
pub(crate) fn unconfirmed_reset(holdings: Holdings, log: ReviewLog) -> Failure {
    let decisions = match log {
        ReviewLog::Keep => 0,
        ReviewLog::Forget => holdings.decisions,
    };
    let lost = commas([
        format!(
            "{}, {} of them reviewed",
            count(holdings.entries, "entry", "entries"),
            holdings.reviewed
        ),
        some(holdings.wordings, "replaced wording", "replaced wordings"),
        some(
            decisions,
            "decision of the review log",
            "decisions of the review log",
        ),
    ]);
    Failure::new(
        ExitCode::Refused,
        format!("the reset is not confirmed; it would forget {lost}"),
    )
    .hint("say --yes, and a backup is written first")
}

/// What is gone, and how to bring it back.
pub(crate) fn reset(document: &ResetDocument) -> String {
    let mut page = Page::new();
    page.line(commas([
        format!("forgot {}", count(document.entries, "entry", "entries")),
        some(document.wordings, "replaced wording", "replaced wordings"),
        if document.review_log_forgotten {
            some(document.decisions, "decision", "decisions")
        } else {
            String::new()
        },
    ]));
    if !document.review_log_forgotten && document.decisions > 0 {
        page.line("the review log is kept: what was rejected stays rejected");
    }
    page.line("the archived sessions are as they were");
    page.line(format_args!("backup: {}", clean_line(&document.backup)));
    page.line(format_args!(
        "bring it back with `agentsview recall restore {} --yes`",
        shell(&document.backup)
    ));
    page.finish()
}

/// The counts first, then what needs a look.
pub(crate) fn restore(document: &RestoreDocument) -> String {
    let mut page = Page::new();
    let restored = if document.dry_run {
        "would restore"
    } else {
        "restored"
    };
    page.line(commas([
        format!(
            "{restored} {}",
            count(document.restored, "entry", "entries")
        ),
        some_of(document.unverified, "unverified"),
        some_of(document.skipped, "skipped"),
    ]));
    rows(&mut page, "review log", document.decisions);
    rows(&mut page, "replaced wordings", document.wordings);
    let unverified: Vec<_> = document
        .restored_entries
        .iter()
        .filter(|item| !item.doubt.is_empty())
        .map(|item| (item, format!("unverified, {}", doubt(&item.doubt))))
        .collect();
    items(&mut page, &unverified);
    // A duplicate is no news.
    let skipped: Vec<_> = document
        .skipped_entries
        .iter()
        .filter(|item| item.reason != RestoreSkip::Duplicate.as_str())
        .map(|item| (item, format!("skipped, {}", skip(&item.reason))))
        .collect();
    items(&mut page, &skipped);
    let lacks_transcripts = unverified
        .iter()
        .any(|(item, _)| item.doubt == NO_TRANSCRIPT);
    if document.unverified > 0 && !document.dry_run {
        let sync = if lacks_transcripts {
            "`agentsview sync` brings transcripts, then "
        } else {
            ""
        };
        page.line(format_args!(
            "{sync}`agentsview recall reverify --all` looks at unverified evidence again"
        ));
    }
    page.finish()
}

/// Why less came back than the backup holds, if so: what the archive kept or may not keep.
pub(crate) fn restore_shortfall(document: &RestoreDocument) -> Option<Failure> {
    let missed = document
        .skipped_entries
        .iter()
        .filter(|item| item.reason != RestoreSkip::Duplicate.as_str())
        .count() as u64;
    (missed > 0).then(|| {
        Failure::new(
            ExitCode::Partial,
            format!(
                "{} of the backup {} not restored",
                count(missed, "entry", "entries"),
                if missed == 1 { "is" } else { "are" }
            ),
        )
        .hint("the reasons are in the answer")
    })
}

fn some_of(number: u64, what: &str) -> String {
    if number == 0 {
        String::new()
    } else {
        format!("{number} {what}")
    }
}

fn rows(page: &mut Page, what: &str, counts: RowCountsDocument) {
    let parts = commas([
        some_of(counts.restored, "restored"),
        some_of(counts.present, "there already"),
        some_of(counts.left_out, "left out"),
    ]);
    if !parts.is_empty() {
        page.line(format_args!("{what}: {parts}"));
    }
}

fn items(page: &mut Page, items: &[(&RestoreItemDocument, String)]) {
    page.first(FEW, items, |page, (item, what)| {
        page.line(format_args!(
            "  {}  {}  ({what})",
            clean_line(&item.id),
            clean_line(&item.title)
        ));
    });
}

fn doubt(word: &str) -> Cow<'static, str> {
    match word {
        NO_TRANSCRIPT => "its transcript is not in the archive".into(),
        "not_quoted" => "its quotation is not in the cited text".into(),
        word => reason(word).into(),
    }
}

fn skip(word: &str) -> &str {
    match word {
        "conflict" => "the archive has another entry of that id and keeps it",
        "source_removed" => "its session was removed for good",
        "secret" => "it holds what looks like a secret",
        reason => reason,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    fn item(id: &str, doubt: &str, reason: &str) -> RestoreItemDocument {
        RestoreItemDocument {
            id: id.to_owned(),
            title: "Close \u{1b}[2Jthe pool".to_owned(),
            evidence: String::new(),
            doubt: doubt.to_owned(),
            reason: reason.to_owned(),
        }
    }

    fn document(dry_run: bool) -> RestoreDocument {
        RestoreDocument {
            dry_run,
            restored: 3,
            unverified: 2,
            skipped: 2,
            restored_entries: vec![
                item("sound", "", ""),
                item("pool-close", "no_transcript", ""),
                item("pool-open", "content_digest_mismatch", ""),
            ],
            skipped_entries: vec![
                item("known", "", "duplicate"),
                item("pool-size", "", "conflict"),
            ],
            decisions: RowCountsDocument {
                restored: 4,
                present: 1,
                left_out: 2,
            },
            wordings: RowCountsDocument::default(),
        }
    }

    // B-12
    #[test]
    fn a_restore_says_what_needs_a_look() {
        let text = restore(&document(false));
        samples::assert_harmless(&text);
        insta::assert_snapshot!("recall_restore", text);
        insta::assert_snapshot!("recall_restore_dry_run", restore(&document(true)));
        insta::assert_snapshot!("recall_restore_json", samples::json(&document(false)));
    }

    #[test]
    fn only_what_did_not_come_back_makes_a_restore_partial() {
        let shortfall = restore_shortfall(&document(false)).unwrap();
        assert_eq!(shortfall.exit, ExitCode::Partial);
        assert!(
            shortfall
                .to_string()
                .contains("1 entry of the backup is not restored")
        );
        let mut again = document(false);
        again.skipped_entries.truncate(1);
        assert_eq!(restore_shortfall(&again), None);
    }

    // S-L05
    #[test]
    fn a_reset_says_where_the_backup_is() {
        let holdings = Holdings {
            entries: 7,
            reviewed: 5,
            wordings: 1,
            decisions: 6,
        };
        let path = "/srv/lab/backups/recall-2026-03-04T05-06-07.008Z.jsonl";
        let document = |log| ResetDocument::new(path.to_owned(), holdings, log);
        let kept = document(ReviewLog::Keep);
        insta::assert_snapshot!("recall_reset", reset(&kept));
        insta::assert_snapshot!("recall_reset_json", samples::json(&kept));
        insta::assert_snapshot!("recall_reset_all", reset(&document(ReviewLog::Forget)));
        let refusals = [ReviewLog::Keep, ReviewLog::Forget]
            .map(|log| unconfirmed_reset(holdings, log).to_string());
        insta::assert_snapshot!("recall_reset_unconfirmed", refusals.join("\n"));
    }

    #[test]
    fn an_export_says_where_it_is() {
        let document = ExportDocument {
            format: "jsonl".to_owned(),
            output: "/srv/lab/a\u{1b}b".to_owned(),
            entries: 1,
        };
        assert_eq!(export(&document), "wrote 1 entry as jsonl to /srv/lab/a\n");
    }
}
