//! What was decided, in words.

use agentsview_api::{DecisionDocument, EntryDocument, ReviewedDocument};
use recall_core::ReviewAction;
use recall_text::clean_line;

use super::page::{Page, minute, shell};
use super::ranked::headline;

/// A decision that was written down, and what the entry is now.
pub(crate) fn reviewed(document: &ReviewedDocument) -> String {
    let mut page = Page::new();
    let decision = &document.decision;
    match &document.entry {
        Some(entry) => {
            page.line(sentence(document, entry));
            page.line(format_args!("  {}", headline(entry)));
            advice(&mut page, document, entry);
        }
        None => page.line(format_args!(
            "The id {} is rejected no longer; the archive has no entry of it.",
            clean_line(&decision.entry_id)
        )),
    }
    page.finish()
}

fn sentence(document: &ReviewedDocument, entry: &EntryDocument) -> String {
    let decision = &document.decision;
    let other = clean_line(&decision.other_entry_id);
    let trust = trust(entry);
    match (decision.action.parse(), &document.undone) {
        (Ok(ReviewAction::Accept), _) if entry.trusted => "Accepted and trusted.".to_owned(),
        (Ok(ReviewAction::Accept), _) => format!("Accepted, {trust}"),
        (Ok(ReviewAction::Edit), _) => {
            format!("Edited, the earlier wording is kept; the entry is {trust}")
        }
        (Ok(ReviewAction::Reject), _) => "Rejected; its id stays rejected.".to_owned(),
        (Ok(ReviewAction::Supersede), _) => format!("Replaced by {other}."),
        (Ok(ReviewAction::Archive), _) => "Archived.".to_owned(),
        (Ok(ReviewAction::Restore), _) if other.is_empty() => format!("In force again, {trust}"),
        (Ok(ReviewAction::Restore), _) => {
            format!("In force again, and {other} replaces it no longer; the entry is {trust}")
        }
        (_, Some(undone)) => format!("Took back {}. The entry is {trust}", decision_line(undone)),
        (_, None) => format!("Decided; the entry is {trust}"),
    }
}

/// What a person may want to do next.
fn advice(page: &mut Page, document: &ReviewedDocument, entry: &EntryDocument) {
    let decision = &document.decision;
    let id = shell(&entry.id);
    let action = decision.action.parse();
    if action == Ok(ReviewAction::Accept) {
        if !document.caution.is_empty() {
            page.line(format_args!(
                "Take care: {}.",
                clean_line(&document.caution)
            ));
        }
        let claimed = decision
            .before
            .as_ref()
            .map_or("", |before| &before.claimed_type);
        if !claimed.is_empty() && claimed != entry.entry_type {
            let flag = if entry.transferable {
                "--transferable"
            } else {
                "--transferable=false"
            };
            page.line(format_args!(
                "It stays a {}; `agentsview recall review accept {id} {flag} --as {claimed}` would \
                 make it a {claimed}.",
                entry.entry_type
            ));
        }
    }
    if matches!(action, Ok(ReviewAction::Reject | ReviewAction::Archive)) {
        page.line(format_args!(
            "`agentsview recall review restore {id}` puts it in force again."
        ));
    }
}

/// `trusted.`, or why not: a sentence a condition.
pub(super) fn trust(entry: &EntryDocument) -> String {
    if entry.trusted {
        "trusted.".to_owned()
    } else {
        format!(
            "not trusted: {}",
            clean_line(&entry.not_trusted_because.join(" "))
        )
    }
}

/// One row of the review log: `#3, 2026-03-04 05:06: kim accepted it, transferable: "checked"`.
pub(super) fn decision_line(decision: &DecisionDocument) -> String {
    let note = if decision.note.is_empty() {
        String::new()
    } else {
        format!(": \"{}\"", decision.note)
    };
    let undone = decision
        .undone_by
        .map(|number| format!(" (taken back by #{number})"))
        .unwrap_or_default();
    let line = format!(
        "#{}, {}: {} {}{note}{undone}",
        decision.number,
        minute(&decision.decided_at),
        decision.reviewer,
        what(decision)
    );
    clean_line(&line).into_owned()
}

fn what(decision: &DecisionDocument) -> String {
    let other = &decision.other_entry_id;
    match decision.action.parse() {
        Ok(ReviewAction::Accept) => accepted(decision),
        Ok(ReviewAction::Edit) => format!("edited it{}", kind(decision, ", as a")),
        Ok(ReviewAction::Reject) => "rejected it".to_owned(),
        Ok(ReviewAction::Supersede) => format!("replaced it by {other}"),
        Ok(ReviewAction::Archive) => "archived it".to_owned(),
        Ok(ReviewAction::Restore) if other.is_empty() => "put it in force again".to_owned(),
        Ok(ReviewAction::Restore) => format!("put it in force again, instead of {other}"),
        Ok(ReviewAction::Undo) => match decision.undoes {
            Some(number) => format!("took #{number} back{}", kind(decision, ", again as a")),
            None => "took a decision back".to_owned(),
        },
        Err(_) => decision.action.clone(),
    }
}

/// The kind that the entry became and the one that it was, behind `as_a`; nothing if that stayed.
fn kind(decision: &DecisionDocument, as_a: &str) -> String {
    match (&decision.before, &decision.after) {
        (Some(before), Some(after)) if before.entry_type != after.entry_type => {
            format!(
                "{as_a} {}, it was a {}",
                after.entry_type, before.entry_type
            )
        }
        _ => String::new(),
    }
}

fn accepted(decision: &DecisionDocument) -> String {
    let Some(after) = &decision.after else {
        return "accepted it".to_owned();
    };
    let kind = kind(decision, " as a");
    let reach = if after.transferable {
        "transferable"
    } else {
        "not transferable"
    };
    format!("accepted it{kind}, {reach}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    // B-01
    #[test]
    fn a_decision_that_changed_the_kind_says_so() {
        let mut decision = samples::history().decisions.swap_remove(1);
        assert!(!decision_line(&decision).contains("it was a"));
        let kind = |standing: &mut Option<agentsview_api::StandingDocument>, word: &str| {
            standing.as_mut().unwrap().entry_type = word.to_owned();
        };
        kind(&mut decision.before, "fact");
        kind(&mut decision.after, "decision");
        let line = decision_line(&decision);
        assert!(
            line.contains("edited it, as a decision, it was a fact"),
            "{line}"
        );
    }

    // B-01
    #[test]
    fn every_decision_says_in_words_what_the_entry_is_now() {
        let mut texts = Vec::new();
        for document in samples::decided() {
            let text = reviewed(&document);
            samples::assert_harmless(&text);
            texts.push(text);
        }
        insta::assert_snapshot!("recall_reviewed", texts.join("\n"));
        insta::assert_snapshot!(
            "recall_reviewed_json",
            samples::json(&samples::decided()[0])
        );
    }
}
