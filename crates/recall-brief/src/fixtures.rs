//! Invented ranked entries for tests.

use recall_core::{
    Confidence, Entry, EntryId, EntryType, EpisodeId, Evidence, Ordinal, OrdinalRange, RankedEntry,
    ReviewState, RunId, SessionId, Timestamp, ToolUseId,
};

/// A reviewed entry with one row of evidence.
pub(crate) fn ranked(id: &str, title: &str, body: &str) -> RankedEntry {
    let now: Timestamp = "2026-03-18T12:00:00Z".parse().unwrap();
    let session = SessionId::new("session-1").unwrap();
    let id = EntryId::new(id).unwrap();
    RankedEntry::unranked(Entry {
        entry_type: EntryType::Procedure,
        review_state: ReviewState::HumanReviewed,
        confidence: Some(Confidence::new(0.9).unwrap()),
        source_episode_id: Some(EpisodeId::new("episode-1").unwrap()),
        source_run_id: Some(RunId::new("run-1").unwrap()),
        transferable: true,
        provenance_ok: true,
        evidence: vec![Evidence {
            id: 1,
            tool_use_id: Some(ToolUseId::new("tool-7").unwrap()),
            ..Evidence::claimed(
                session.clone(),
                OrdinalRange::new(Ordinal::new(4), Ordinal::new(9)).unwrap(),
            )
        }],
        ..Entry::new(id, session.clone(), title, body, now)
    })
}

pub(crate) fn with_snippet(mut ranked: RankedEntry, snippet: &str) -> RankedEntry {
    ranked.entry.evidence[0].snippets = vec![snippet.to_owned()];
    ranked
}
