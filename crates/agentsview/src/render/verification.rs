//! What became of evidence that was verified again.

use agentsview_api::{ReverifyDocument, RevokedEntryDocument, VerificationDocument};
use recall_text::clean_line;

use super::entry::reason;
use super::page::{FEW, Page, commas, count, some};

/// The answer of `recall reverify`.
pub(crate) fn reverify(document: &ReverifyDocument) -> String {
    let mut page = Page::new();
    let evidence = &document.evidence;
    let kinds = commas([
        some(evidence.kept, "entry holds", "entries hold"),
        some(
            evidence.shifted.len() as u64,
            "moved with its text",
            "moved with their text",
        ),
        some(evidence.revoked.len() as u64, "revoked", "revoked"),
        some(document.confirmed.len() as u64, "confirmed", "confirmed"),
        some(
            document.unconfirmed.len() as u64,
            "still unverified",
            "still unverified",
        ),
        some(document.stay_revoked, "stays revoked", "stay revoked"),
    ]);
    let kinds = if kinds.is_empty() {
        "no entry rests on them"
    } else {
        &kinds
    };
    page.line(format_args!(
        "looked at {}: {kinds}",
        count(document.sessions, "session", "sessions")
    ));
    news(&mut page, evidence);
    list(
        &mut page,
        "verified now",
        &document.confirmed,
        String::clone,
    );
    list(
        &mut page,
        "still unverified",
        &document.unconfirmed,
        |entry| format!("{}: {}", entry.entry_id, entry.message),
    );
    page.finish()
}

/// The entries whose evidence moved or was revoked, and where to look next. Nothing if there are
/// none: evidence that holds is no news.
pub(super) fn news(page: &mut Page, evidence: &VerificationDocument) {
    list(
        page,
        "evidence moved with its text",
        &evidence.shifted,
        String::clone,
    );
    list(
        page,
        "evidence revoked, no longer trusted",
        &evidence.revoked,
        revoked,
    );
    if !evidence.revoked.is_empty() {
        page.line(
            "see `agentsview recall history <id>`; `agentsview recall review list` has those that \
             wait for a person",
        );
    }
}

fn revoked(entry: &RevokedEntryDocument) -> String {
    format!(
        "{}: {} in session {}",
        entry.entry_id,
        reason(&entry.reason),
        entry.session_id
    )
}

fn list<T>(page: &mut Page, what: &str, items: &[T], line: impl Fn(&T) -> String) {
    if items.is_empty() {
        return;
    }
    page.line(format_args!(
        "{what}: {}",
        count(items.len() as u64, "entry", "entries")
    ));
    page.first(FEW, items, |page, item| {
        page.line(format_args!("  {}", clean_line(&line(item))));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;
    use agentsview_api::UnconfirmedEntryDocument;

    #[test]
    fn verifying_again_says_what_became_of_every_entry() {
        let document = ReverifyDocument {
            sessions: 2,
            evidence: VerificationDocument::from(&samples::sync_report().evidence),
            confirmed: vec!["pool-wait".to_owned()],
            unconfirmed: vec![UnconfirmedEntryDocument {
                entry_id: samples::HOSTILE.to_owned(),
                message: "the transcript of session s-2 is not in the archive".to_owned(),
            }],
            stay_revoked: 1,
        };
        let text = reverify(&document);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("recall_reverify", text);
        insta::assert_snapshot!("recall_reverify_json", samples::json(&document));
        let nothing = reverify(&ReverifyDocument::default());
        assert_eq!(nothing, "looked at 0 sessions: no entry rests on them\n");
    }

    #[test]
    fn a_great_many_revocations_are_not_all_listed() {
        let mut evidence = VerificationDocument::from(&samples::sync_report().evidence);
        let one = evidence.revoked[0].clone();
        evidence.revoked = std::iter::repeat_n(one, 5_000).collect();
        let mut page = Page::new();
        news(&mut page, &evidence);
        let text = page.finish();
        assert!(
            text.lines().count() < 30 && text.contains("4980 more"),
            "{text}"
        );
    }
}
