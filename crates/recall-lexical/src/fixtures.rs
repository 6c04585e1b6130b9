//! Invented documents and entries for tests.

use recall_core::{
    Confidence, Entry, EntryId, EntryType, Evidence, Ordinal, OrdinalRange, ReviewState, Scope,
    SessionId, Status, Timestamp,
};

use crate::Document;

pub(crate) fn now() -> Timestamp {
    "2026-03-18T12:00:00Z".parse().unwrap()
}

pub(crate) fn document(id: &str) -> Document<'static> {
    Document {
        id: EntryId::new(id).unwrap(),
        title: "",
        body: "",
        trigger: "",
        snippets: Vec::new(),
        surroundings: [""; 4],
        source: "s1",
        session: SessionId::new("s1").unwrap(),
        run: None,
        confidence: 0.0,
        updated_at: now(),
    }
}

pub(crate) fn entry(id: &str, title: &str, body: &str) -> Entry {
    Entry {
        id: EntryId::new(id).unwrap(),
        entry_type: EntryType::Fact,
        scope: Scope::Project,
        status: Status::Accepted,
        review_state: ReviewState::HumanReviewed,
        title: title.to_owned(),
        body: body.to_owned(),
        trigger: String::new(),
        confidence: None,
        uncertainty: String::new(),
        project: String::new(),
        cwd: String::new(),
        git_branch: String::new(),
        agent: String::new(),
        source_session_id: SessionId::new("s1").unwrap(),
        source_episode_id: None,
        source_run_id: None,
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
        created_at: now(),
        updated_at: now(),
        evidence: Vec::new(),
    }
}

pub(crate) fn with_snippet(mut entry: Entry, snippet: &str) -> Entry {
    let range = OrdinalRange::new(Ordinal::FIRST, Ordinal::FIRST).unwrap();
    entry.evidence.push(Evidence {
        snippets: vec![snippet.to_owned()],
        ..Evidence::claimed(entry.source_session_id.clone(), range)
    });
    entry
}

pub(crate) fn with_confidence(mut entry: Entry, confidence: f64) -> Entry {
    entry.confidence = Some(Confidence::new(confidence).unwrap());
    entry
}
