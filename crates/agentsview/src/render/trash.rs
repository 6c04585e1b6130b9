//! What became of sessions that the user does not want.

use agentsview_api::{DeletionDocument, TrashDocument};
use recall_text::clean_line;

use super::page::{Page, commas, count, shell};

/// Messages and entries that are or would be gone.
pub(crate) fn loss(messages: u64, entries: u64) -> String {
    format!(
        "{} and {}",
        count(messages, "message", "messages"),
        count(entries, "entry", "entries")
    )
}

/// A session put in the trash or brought back, and what that means for its entries.
pub(crate) fn trash(document: &TrashDocument) -> String {
    let mut page = Page::new();
    let id = clean_line(&document.session_id);
    let (news, no_news) = if document.trashed {
        ("is in the trash", "is in the trash already")
    } else {
        ("is back", "is not in the trash")
    };
    if !document.changed {
        page.line(format_args!("session {id} {no_news}; nothing was changed"));
        return page.finish();
    }
    page.line(format_args!("session {id} {news}"));
    let all = count(document.entries, "entry", "entries");
    let affected = document.entries_affected;
    match (document.entries, affected, document.trashed) {
        (0, ..) => page.line("no entry rests on it"),
        (_, 0, true) => page.line(format_args!(
            "no trust to withdraw: of its {all} none was trusted"
        )),
        (_, 0, false) => page.line(format_args!("of its {all} none is trusted")),
        (_, _, true) => page.line(format_args!("trust withdrawn from {affected} of its {all}")),
        (_, _, false) => page.line(format_args!("trust is back for {affected} of its {all}")),
    }
    if document.trashed {
        page.line(format_args!(
            "bring it back with `agentsview session restore {}`",
            shell(&document.session_id)
        ));
    }
    page.finish()
}

/// A session forgotten for good.
pub(crate) fn deletion(document: &DeletionDocument) -> String {
    let mut page = Page::new();
    let id = clean_line(&document.session_id);
    if document.was_stored {
        let lost = loss(document.messages, document.entries.len() as u64);
        page.line(format_args!(
            "session {id} is forgotten for good, with {lost}"
        ));
    } else {
        page.line(format_args!(
            "session {id} was forgotten before; its id stays out of every later sync and import"
        ));
        return page.finish();
    }
    if !document.entries.is_empty() {
        page.line(format_args!(
            "entries forgotten: {}",
            commas(&document.entries)
        ));
    }
    if !document.restored_entries.is_empty() {
        page.line(format_args!(
            "in force again, since what had replaced them is gone: {}",
            commas(&document.restored_entries)
        ));
    }
    page.line("its id stays out of every later sync and import; the agent's own file is untouched");
    page.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    fn trashed(trashed: bool, changed: bool, entries: u64, entries_affected: u64) -> String {
        let text = trash(&TrashDocument {
            session_id: samples::HOSTILE.to_owned(),
            trashed,
            changed,
            entries,
            entries_affected,
        });
        samples::assert_harmless(&text);
        text
    }

    #[test]
    fn the_trash_says_what_happened_to_the_entries() {
        let texts = [
            trashed(true, true, 3, 2),
            trashed(true, true, 1, 0),
            trashed(true, true, 0, 0),
            trashed(true, false, 3, 0),
            trashed(false, true, 3, 2),
            trashed(false, true, 3, 0),
            trashed(false, false, 3, 0),
        ];
        insta::assert_snapshot!("session_trash", texts.join("\n"));
    }

    #[test]
    fn a_deletion_names_what_is_gone_and_what_is_back() {
        let mut document = DeletionDocument {
            session_id: "s-harbour-1".to_owned(),
            was_stored: true,
            messages: 12,
            entries: vec!["pool-close".to_owned(), samples::HOSTILE.to_owned()],
            restored_entries: vec!["pool-sleep".to_owned()],
        };
        let text = deletion(&document);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("session_delete", text);
        insta::assert_snapshot!("session_delete_json", samples::json(&document));
        document.was_stored = false;
        document.messages = 0;
        document.entries.clear();
        document.restored_entries.clear();
        insta::assert_snapshot!("session_delete_unknown", deletion(&document));
    }
}
