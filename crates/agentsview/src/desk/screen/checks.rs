//! What can be told of an entry at a glance.

use recall_core::{Entry, ReviewState, Speaker, Status};
use recall_engine::ReviewItem;
use recall_trust::evidence::speakers;
use recall_trust::instructions::entry_flags;
use recall_trust::trusted::TrustCondition;

use super::Style;
use crate::desk::state::Desk;

/// The checks, most important first.
pub(super) fn checks(desk: &Desk, item: &ReviewItem) -> Vec<(Style, String)> {
    let entry = &item.entry;
    let mut checks = vec![evidence(item)];
    if entry.is_source_withdrawn {
        checks.push((
            Style::Bad,
            TrustCondition::SourceKept.why_not(entry).into_owned(),
        ));
    }
    checks.push(said(entry));
    let flags = entry_flags(entry);
    if !flags.is_empty() {
        let reasons = flags.join(", ");
        checks.push((
            Style::Warning,
            format!("reads like instructions: {reasons}"),
        ));
    }
    if let Some(claimed) = entry.claimed_type {
        checks.push((Style::Warning, format!("claims to be a {claimed}")));
    }
    for (found, _) in &item.duplicates {
        checks.push((Style::Warning, format!("duplicate of {}", found.id)));
    }
    for (found, _) in &item.contradictions {
        checks.push((Style::Warning, format!("contradicts {}", found.id)));
    }
    checks.push(standing(item));
    checks.push(match desk.transferable {
        None => (Style::Plain, "transferable: asked when accepted".to_owned()),
        Some(true) => (Style::Strong, "transferable: yes when accepted".to_owned()),
        Some(false) => (Style::Strong, "transferable: no when accepted".to_owned()),
    });
    checks
}

/// Who said what it cites, or the warning that nobody did.
pub(super) fn said(entry: &Entry) -> (Style, String) {
    if let Some(warning) = speakers::warning(entry) {
        return (Style::Warning, format!("WARNING: {warning}"));
    }
    let names: Vec<&str> = entry.speakers().into_iter().map(speaker).collect();
    (Style::Good, format!("said by {}", names.join(", ")))
}

fn evidence(item: &ReviewItem) -> (Style, String) {
    let entry = &item.entry;
    if entry.provenance_ok {
        (Style::Good, "evidence intact".to_owned())
    } else {
        let why = TrustCondition::ProvenanceOk.why_not(entry).into_owned();
        (Style::Bad, why)
    }
}

fn standing(item: &ReviewItem) -> (Style, String) {
    let entry = &item.entry;
    let text = match (entry.status, entry.review_state) {
        (Status::Archived, _) if entry.is_rejected => "rejected",
        (Status::Archived, _) if entry.superseded_by.is_some() => "replaced",
        (Status::Archived, _) => "archived",
        (Status::Accepted, ReviewState::HumanReviewed) => "reviewed before",
        (Status::Accepted, _) => "not reviewed",
    };
    (Style::Plain, text.to_owned())
}

/// A speaker as a reviewer reads it.
pub(super) fn speaker(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
        Speaker::ToolOutput => "tool output",
        Speaker::FetchedPage => "fetched page",
    }
}
