//! Invented ranked entries for tests.

use recall_core::{
    Confidence, Entry, EntryId, EntryType, EpisodeId, Evidence, Ordinal, OrdinalRange, RankedEntry,
    ReviewState, RunId, Scope, SessionId, Status, Timestamp, ToolUseId,
};

/// A reviewed entry with one row of evidence.
pub(crate) fn ranked(id: &str, title: &str, body: &str) -> RankedEntry {
    let now: Timestamp = "2026-03-18T12:00:00Z".parse().unwrap();
    let session = SessionId::new("session-1").unwrap();
    RankedEntry::unranked(Entry {
        id: EntryId::new(id).unwrap(),
        entry_type: EntryType::Procedure,
        scope: Scope::Project,
        status: Status::Accepted,
        review_state: ReviewState::HumanReviewed,
        title: title.to_owned(),
        body: body.to_owned(),
        trigger: String::new(),
        confidence: Some(Confidence::new(0.9).unwrap()),
        uncertainty: String::new(),
        project: String::new(),
        cwd: String::new(),
        git_branch: String::new(),
        agent: String::new(),
        source_session_id: session.clone(),
        source_episode_id: Some(EpisodeId::new("episode-1").unwrap()),
        source_run_id: Some(RunId::new("run-1").unwrap()),
        extractor_method: String::new(),
        model: String::new(),
        transferable: true,
        provenance_ok: true,
        revocation: None,
        claimed_type: None,
        is_rejected: false,
        is_source_withdrawn: false,
        supersedes: None,
        superseded_by: None,
        created_at: now,
        updated_at: now,
        evidence: vec![Evidence {
            id: 1,
            tool_use_id: Some(ToolUseId::new("tool-7").unwrap()),
            ..Evidence::claimed(
                session,
                OrdinalRange::new(Ordinal::new(4), Ordinal::new(9)).unwrap(),
            )
        }],
    })
}

pub(crate) fn with_snippet(mut ranked: RankedEntry, snippet: &str) -> RankedEntry {
    ranked.entry.evidence[0].snippets = vec![snippet.to_owned()];
    ranked
}
