//! One entry in full.

use std::borrow::Cow;

use agentsview_api::{EntryDocument, EvidenceDocument};
use recall_core::RevocationReason;
use recall_text::{clean_line, truncate};
use recall_trust::trusted::explain;

use super::page::{Fields, Page, commas, named, words};

/// How much of a quote is shown, in bytes.
const QUOTE_BYTES: usize = 220;

/// An entry in full. Its standing is always there: an entry whose evidence was revoked must not
/// look like one that holds.
pub(crate) fn entry(entry: &EntryDocument, with_evidence: bool) -> String {
    let mut page = Page::new();
    let mut fields = Fields::new();
    fields.line("id", &entry.id);
    fields.line("title", &entry.title);
    fields.line(
        "kind",
        commas([
            &entry.entry_type,
            &claim(entry),
            &named("scope", &entry.scope),
        ]),
    );
    fields.line(
        "status",
        commas([&entry.status, rejected(entry), &links(entry)]),
    );
    fields.block("trusted", &trusted(entry));
    fields.line("flagged", flagged(entry));
    fields.line("review", &entry.review_state);
    fields.line("transferable", yes_no(entry.transferable));
    fields.line(
        "provenance",
        if entry.provenance_ok {
            "ok".to_owned()
        } else if entry.revoked_at.is_empty() {
            "not verified".to_owned()
        } else {
            revocation(entry)
        },
    );
    fields.block("body", &entry.body);
    fields.block("trigger", &entry.trigger);
    if let Some(confidence) = entry.confidence {
        fields.line("confidence", format_args!("{confidence:.2}"));
    }
    fields.block("uncertainty", &entry.uncertainty);
    fields.line(
        "context",
        commas([
            named("project", &entry.project),
            named("directory", &entry.cwd),
            named("branch", &entry.git_branch),
            named("agent", &entry.agent),
        ]),
    );
    fields.line("source", commas([&source(entry), withdrawn(entry)]));
    fields.line("stored", &entry.created_at);
    if entry.updated_at != entry.created_at {
        fields.line("changed", &entry.updated_at);
    }
    if !with_evidence {
        fields.line("evidence", commas(entry.evidence.iter().map(place)));
    }
    fields.write(&mut page);
    if with_evidence {
        page.gap();
        page.line("evidence");
        evidence(&mut page, "  ", &entry.evidence);
    }
    page.finish()
}

fn trusted(entry: &EntryDocument) -> String {
    if entry.trusted {
        "yes".to_owned()
    } else {
        format!("no: {}", entry.not_trusted_because.join("\n"))
    }
}

/// Where an entry came from.
pub(super) fn source(entry: &EntryDocument) -> String {
    commas([
        named("session", &entry.source_session_id),
        named("episode", &entry.source_episode_id),
        named("run", &entry.source_run_id),
        named("by", &entry.extractor_method),
        named("model", &entry.model),
    ])
}

/// The entries that this one replaced or was replaced by.
pub(super) fn links(entry: &EntryDocument) -> String {
    commas([
        named("replaces", &entry.supersedes_entry_id),
        named("replaced by", &entry.superseded_by_entry_id),
    ])
}

/// That an entry reads like instructions to an agent, and why.
pub(super) fn flagged(entry: &EntryDocument) -> String {
    if entry.reads_like_instructions.is_empty() {
        return String::new();
    }
    let reasons = commas(&entry.reads_like_instructions);
    format!("reads like instructions ({reasons})")
}

/// The kind that an entry claims to be, if a person has to grant it.
pub(super) fn claim(entry: &EntryDocument) -> String {
    named("claims to be a", &entry.claimed_type)
}

pub(super) fn rejected(entry: &EntryDocument) -> &'static str {
    if entry.rejected { "rejected" } else { "" }
}

pub(super) fn withdrawn(entry: &EntryDocument) -> &'static str {
    if entry.source_withdrawn {
        "in the trash"
    } else {
        ""
    }
}

/// When and why the evidence was revoked, if it was.
pub(super) fn revocation(entry: &EntryDocument) -> String {
    if entry.revoked_at.is_empty() {
        return String::new();
    }
    format!(
        "revoked at {}: {}",
        entry.revoked_at,
        reason(&entry.revocation_reason)
    )
}

/// A revocation reason with its word: `the cited text had changed (content_digest_mismatch)`.
pub(super) fn reason(word: &str) -> String {
    match word.parse::<RevocationReason>() {
        Ok(reason) => format!("{} ({word})", explain(reason)),
        Err(_) => word.to_owned(),
    }
}

/// Each evidence row: where it is, who speaks there, and below that what it quotes, a quote a line.
pub(super) fn evidence(page: &mut Page, indent: &str, rows: &[EvidenceDocument]) {
    if rows.is_empty() {
        page.line(format_args!("{indent}(no evidence)"));
    }
    for row in rows {
        page.line(format_args!("{indent}{}", clean_line(&place(row))));
        for quote in quotes(row) {
            let quote = truncate(&quote, QUOTE_BYTES);
            page.line(format_args!("{indent}  \"{quote}\""));
        }
    }
}

/// What a row quotes, a quote a line.
pub(super) fn quotes(row: &EvidenceDocument) -> impl Iterator<Item = String> {
    let quotes = row.snippet.lines().map(clean_line);
    quotes
        .filter(|quote| !quote.is_empty())
        .map(Cow::into_owned)
}

fn place(row: &EvidenceDocument) -> String {
    let range = format!(
        "{}:{}-{}",
        row.session_id, row.message_start_ordinal, row.message_end_ordinal
    );
    let tool = if row.tool_use_id.is_empty() {
        String::new()
    } else {
        format!(" tool {}", row.tool_use_id)
    };
    let speakers = if row.speakers.is_empty() {
        String::new()
    } else {
        format!(" (said by {})", words(&row.speakers))
    };
    format!("{range}{tool}{speakers}")
}

pub(super) fn yes_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    // W17
    #[test]
    fn an_entry_shows_its_standing() {
        let document = EntryDocument::from(&samples::pool_entry());
        let text = entry(&document, false);
        for word in ["human_reviewed", "transferable  yes", "provenance    ok"] {
            assert!(text.contains(word), "{word}: {text}");
        }
        insta::assert_snapshot!("recall_get", text);
        insta::assert_snapshot!("recall_get_evidence", entry(&document, true));
    }

    #[test]
    fn a_revoked_entry_looks_revoked() {
        let document = EntryDocument::from(&samples::revoked_entry());
        insta::assert_snapshot!("recall_get_revoked", entry(&document, false));
        let [claimed, revoked, withdrawn] = samples::queue().entries.try_into().unwrap();
        assert!(entry(&claimed, false).contains("fact, claims to be a preference"));
        assert!(entry(&withdrawn, false).contains("in the trash"));
        insta::assert_snapshot!("recall_get_revoked_in_force", entry(&revoked, false));
    }

    // S-C07
    #[test]
    fn an_entry_is_one_document() {
        let document = EntryDocument::from(&samples::pool_entry());
        insta::assert_snapshot!("recall_get_json", samples::json(&document));
    }

    #[test]
    fn hostile_text_reaches_no_terminal() {
        let document = EntryDocument::from(&samples::hostile_entry());
        let text = entry(&document, true);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("recall_get_hostile", text);
    }
}
