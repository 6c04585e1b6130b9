//! Invented documents and entries for tests.

use recall_core::{
    Confidence, Entry, EntryId, Evidence, FILTERS, Ordinal, OrdinalRange, ReviewState, SessionId,
    Timestamp,
};

use crate::Document;

pub(crate) fn now() -> Timestamp {
    "2026-03-18T12:00:00Z".parse().unwrap()
}

pub(crate) fn document(id: &str) -> Document<'static> {
    Document {
        id: EntryId::new(id).unwrap(),
        title: "",
        trigger: "",
        body: "",
        evidence: Vec::new(),
        properties: [None; FILTERS.len()],
        trusted: false,
        flagged: false,
        confidence: 0.0,
        updated_at: now(),
    }
}

pub(crate) fn entry(id: &str, title: &str, body: &str) -> Entry {
    let (id, session) = (EntryId::new(id), SessionId::new("s1"));
    Entry {
        review_state: ReviewState::HumanReviewed,
        transferable: true,
        provenance_ok: true,
        ..Entry::new(id.unwrap(), session.unwrap(), title, body, now())
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
