//! What waits for a person, and an entry beside its evidence.

use agentsview_api::{
    ContradictionDocument, EntryDocument, EvidenceDocument, NearDuplicateDocument, PassageDocument,
    ReviewItemDocument, ReviewListDocument,
};
use recall_text::clean_line;

use super::decision::decision_line;
use super::entry::{entry, evidence, quotes, source};
use super::page::{Page, commas, count, named, shell, words};
use super::ranked::{headline, row};
use super::session::{RESULT, message_head, tool_call};
use super::shown::Shown;

/// How much of one cited message is shown.
const MESSAGE: Shown<'static> = Shown {
    lines: 60,
    bytes: 6_000,
    quotes: &[],
};

/// How much of what a cited tool use gave back is shown.
const CITED: Shown<'static> = Shown {
    lines: 40,
    bytes: 4_000,
    quotes: &[],
};

/// How many messages of one citation are shown; it may cite a thousand.
const MESSAGES: usize = 40;

/// The entries that wait, and how to look at one.
pub(crate) fn review_list(document: &ReviewListDocument) -> String {
    let mut page = Page::new();
    if document.total == 0 {
        page.line("no entry waits for a person");
        return page.finish();
    }
    page.line(format_args!(
        "{} for a person",
        count(document.total, "entry waits", "entries wait")
    ));
    for entry in &document.entries {
        row(&mut page, entry);
        let confidence = entry
            .confidence
            .map(|confidence| format!("confidence {confidence:.2}"))
            .unwrap_or_default();
        page.line(format_args!(
            "    {}",
            commas([
                named("project", &entry.project),
                named("agent", &entry.agent),
                source(entry),
                confidence,
            ])
        ));
    }
    let shown = document.entries.len() as u64;
    if let Some(more) = document.total.checked_sub(shown).filter(|more| *more > 0) {
        page.line(format_args!("and {more} more; see --limit"));
    }
    page.line("see one beside its evidence with `agentsview recall review show <id>`");
    page.finish()
}

/// An entry, what its evidence cites, what repeats or contradicts it, and what to type.
pub(crate) fn review_item(document: &ReviewItemDocument) -> String {
    let mut page = Page::new();
    for line in entry(&document.entry, false).lines() {
        page.line(line);
    }
    if !document.caution.is_empty() {
        page.gap();
        page.line(format_args!("take care: {}", clean_line(&document.caution)));
    }
    if !document.entry.revoked_at.is_empty() {
        page.gap();
        page.line("its evidence is revoked: below is what stands at that place now");
    }
    for cited in &document.passages {
        passage(&mut page, &document.entry, cited);
    }
    if !document.near_duplicates.is_empty() {
        page.gap();
        page.line("says nearly the same as");
        for duplicate in &document.near_duplicates {
            near_duplicate(&mut page, &document.entry, duplicate);
        }
    }
    if !document.contradictions.is_empty() {
        page.gap();
        page.line("contradicts");
        for found in &document.contradictions {
            contradiction(&mut page, &document.entry, found);
        }
    }
    if !document.decisions.is_empty() {
        page.gap();
        page.line("decided before");
        for decision in &document.decisions {
            page.line(format_args!("  {}", decision_line(decision)));
        }
    }
    page.gap();
    next(&mut page, &document.entry);
    page.finish()
}

/// The question that comes with an acceptance, below what it is about. `caution` is the label of an
/// entry that rests on nobody's word.
pub(crate) fn transferable_question(title: &str, caution: Option<&str>) -> String {
    let mut page = Page::new();
    page.line(clean_line(title));
    if let Some(caution) = caution {
        page.line(format_args!("Take care: {}.", clean_line(caution)));
    }
    page.finish() + "Does it hold outside its own session?"
}

fn passage(page: &mut Page, entry: &EntryDocument, passage: &PassageDocument) {
    page.gap();
    let place = format!(
        "cited: messages {}-{} of session {}",
        passage.message_start_ordinal, passage.message_end_ordinal, entry.source_session_id
    );
    page.line(clean_line(&place));
    let rows: Vec<EvidenceDocument> = entry
        .evidence
        .iter()
        .filter(|row| {
            row.message_start_ordinal == passage.message_start_ordinal
                && row.message_end_ordinal == passage.message_end_ordinal
        })
        .cloned()
        .collect();
    if !rows.is_empty() {
        evidence(page, "  ", &rows);
    }
    let quotes: Vec<String> = rows.iter().flat_map(quotes).collect();
    let around_quotes = |shown: Shown<'static>| Shown {
        quotes: &quotes,
        ..shown
    };
    if passage.messages.is_empty() {
        page.line("  (the archive has no messages there)");
    }
    for cited in passage.messages.iter().take(MESSAGES) {
        message_head(page, &cited.message, &words([&cited.speaker]));
        page.block("", &around_quotes(MESSAGE).of(&cited.message.content));
        for call in &cited.message.tool_calls {
            let cited = passage
                .cited_results
                .iter()
                .find(|cited| cited.tool_use_id == call.tool_use_id);
            match cited {
                Some(cited) => {
                    let remark = format!(", cited, said by {}", words([&cited.speaker]));
                    tool_call(page, call, &remark, around_quotes(CITED));
                }
                None => tool_call(page, call, "", RESULT),
            }
        }
    }
    if let Some(more) = passage
        .messages
        .len()
        .checked_sub(MESSAGES)
        .filter(|more| *more > 0)
    {
        page.line(format_args!(
            "and {}",
            count(more as u64, "more message", "more messages")
        ));
    }
    page.line(format_args!(
        "whole: agentsview session messages {} --from {} --limit {} --json",
        shell(&entry.source_session_id),
        passage.message_start_ordinal,
        passage.messages.len().max(1)
    ));
}

fn near_duplicate(page: &mut Page, ours: &EntryDocument, duplicate: &NearDuplicateDocument) {
    page.line(format_args!(
        "  {}  ({:.0} % alike)",
        headline(&duplicate.entry),
        duplicate.similarity * 100.0
    ));
    supersession(page, ours, &duplicate.entry);
}

fn contradiction(page: &mut Page, ours: &EntryDocument, found: &ContradictionDocument) {
    page.line(format_args!(
        "  {}  (on {})",
        headline(&found.entry),
        clean_line(&found.subject)
    ));
    page.line(format_args!(
        "    this one says:  {}",
        clean_line(&found.ours)
    ));
    page.line(format_args!(
        "    that one says:  {}",
        clean_line(&found.theirs)
    ));
    supersession(page, ours, &found.entry);
}

/// Both ways to settle it.
fn supersession(page: &mut Page, ours: &EntryDocument, theirs: &EntryDocument) {
    for (which, target, by) in [("this", theirs, ours), ("that", ours, theirs)] {
        page.line(format_args!(
            "    keep {which} one:  agentsview recall review supersede {} --by {}",
            shell(&target.id),
            shell(&by.id)
        ));
    }
}

fn next(page: &mut Page, entry: &EntryDocument) {
    let id = shell(&entry.id);
    let is_revoked = !entry.revoked_at.is_empty();
    let commands: &[&str] = match entry.status.as_str() {
        "accepted" if is_revoked => &[
            "archive ID",
            "supersede ID --by OTHER",
            "reject ID --reason TEXT",
        ],
        "accepted" => &[
            "accept ID --transferable",
            "edit ID --body TEXT",
            "reject ID --reason TEXT",
            "archive ID",
        ],
        _ => &["restore ID"],
    };
    if is_revoked {
        page.line("revoked evidence stays revoked, so accepting it brings no trust back");
    }
    page.line("decide with");
    for command in commands {
        page.line(format_args!(
            "  agentsview recall review {}",
            command.replace("ID", &id)
        ));
    }
    if entry.status == "accepted" && !entry.claimed_type.is_empty() {
        page.line(format_args!(
            "it stays a {}, unless accepted with --as {}",
            entry.entry_type, entry.claimed_type
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;
    use recall_core::Speaker;

    // B-01
    #[test]
    fn a_queue_says_why_each_entry_waits() {
        let document = samples::queue();
        let text = review_list(&document);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("recall_review_list", text);
        insta::assert_snapshot!("recall_review_list_json", samples::json(&document));
        let none = review_list(&ReviewListDocument::default());
        assert_eq!(none, "no entry waits for a person\n");
    }

    // B-01, B-13
    #[test]
    fn an_entry_stands_beside_its_evidence_and_its_rivals() {
        let document = samples::review_item();
        let text = review_item(&document);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("recall_review_show", text);
        insta::assert_snapshot!("recall_review_show_json", samples::json(&document));
    }

    // B-08
    #[test]
    fn what_a_tool_fetched_is_marked_where_it_is_cited() {
        let mut document = samples::review_item();
        document.passages[0].cited_results[0].speaker = Speaker::FetchedPage.to_string();
        let text = review_item(&document);
        assert!(text.contains(", cited, said by fetched page\n"), "{text}");
    }

    // S-E03
    #[test]
    fn nobody_is_told_to_accept_what_lost_its_evidence() {
        let mut document = samples::review_item();
        document.entry = samples::queue().entries.swap_remove(1);
        let text = review_item(&document);
        assert!(text.contains("what stands at that place now"), "{text}");
        assert!(!text.contains("review accept"), "{text}");
    }

    #[test]
    fn a_quote_is_seen_wherever_it_stands_in_what_is_cited() {
        let mut document = samples::review_item();
        document.entry.evidence[0].snippet = "the one that counts".to_owned();
        let passage = &mut document.passages[0];
        let long = "row\n".repeat(500) + "here is the one\nthat counts\n" + &"end\n".repeat(90);
        passage.messages[0].message.content.clone_from(&long);
        let calls = passage
            .messages
            .iter_mut()
            .flat_map(|it| &mut it.message.tool_calls);
        for result in calls.flat_map(|call| &mut call.result_events) {
            result.content.clone_from(&long);
        }
        let text = review_item(&document);
        assert!(text.contains("  \"the one that counts\"\n"), "{text}");
        assert!(
            text.contains("here is the one\nthat counts\nend\n"),
            "{text}"
        );
        let in_result = "      here is the one\n      that counts\n";
        assert!(text.contains(in_result), "{text}");
        assert_eq!(
            text.matches("\n      row").count(),
            CITED.lines + 2,
            "{text}"
        );
    }

    #[test]
    fn a_command_to_type_holds_an_id_as_one_word() {
        let mut document = samples::review_item();
        document.entry.id = "x; rm -rf '$HOME'".to_owned();
        let text = review_item(&document);
        let quoted = format!("archive {}\n", shell("x; rm -rf '$HOME'"));
        assert!(!quoted.contains("archive x"), "{quoted}");
        assert!(text.contains(&quoted), "{text}");
    }

    #[test]
    fn the_question_shows_what_it_is_about() {
        let text = transferable_question(samples::HOSTILE, Some("it cites nothing"));
        samples::assert_harmless(&text);
        insta::assert_snapshot!("transferable_question", text);
    }
}
