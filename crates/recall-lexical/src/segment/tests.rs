//! What a segment keeps, and what it makes of bytes that are none.

use std::sync::Arc;

use recall_core::FilterKey;

use super::*;
use crate::document::Document;
use crate::entity::MOST_ENTITIES;
use crate::fixtures::{document, entry, with_snippet};

fn bytes_of(documents: Vec<Document<'_>>) -> Vec<u8> {
    documents
        .into_iter()
        .collect::<SegmentBuilder>()
        .finish()
        .unwrap()
}

fn open(bytes: Vec<u8>) -> Result<Segment, SegmentError> {
    Segment::open(Arc::new(bytes))
}

#[test]
fn what_was_added_is_found_by_term_id_and_property() {
    let stored = with_snippet(entry("b", "Pool pool", "the pool waits"), "pool");
    let segment = open(bytes_of(vec![document("a"), Document::from_entry(&stored)])).unwrap();
    assert_eq!(
        (segment.len(), segment.document("b"), segment.document("c")),
        (2, Some(1), None)
    );
    let pool = segment.term("pool").unwrap();
    let postings: Vec<Posting> = segment.postings(pool).iter().collect();
    assert_eq!(
        postings,
        [Posting {
            document: 1,
            counts: [2, 0, 1, 1]
        }]
    );
    assert_eq!(segment.postings(pool).of(0), None);
    let record = segment.records().get(1).unwrap();
    assert!(record.trusted() && !record.flagged());
    assert_eq!(
        segment.property(record, FilterKey::Status),
        Some("accepted")
    );
    assert_eq!(segment.property(record, FilterKey::Project), None);
    assert_eq!(record.lengths(), [2, 0, 2, 1], "stop words have no length");
}

// B-02
#[test]
fn a_long_word_is_found_one_letter_away_and_with_two_swapped() {
    let mut stored = document("a");
    stored.body = "The migration deadlocks";
    let segment = open(bytes_of(vec![stored])).unwrap();
    let migration = segment.term("migrat").unwrap();
    for near in [
        "migraton",
        "migrations",
        "migratoin",
        "nigration",
        "migrattion",
    ] {
        assert_eq!(segment.terms_near(near), [migration], "{near}");
    }
    for far in ["migrtn", "imgratino", ""] {
        assert!(segment.terms_near(far).is_empty(), "{far}");
    }
}

#[test]
fn a_page_of_names_gives_a_bounded_number_of_entities() {
    let lines: Vec<String> = (0..3_000)
        .map(|number| format!("p{number}.rs error: case {number} failed."))
        .collect();
    let body = lines.join("\n");
    let mut page = document("a");
    page.body = &body;
    let segment = open(bytes_of(vec![page])).unwrap();
    assert_eq!(segment.entities.0.len(), MOST_ENTITIES);
    assert_eq!(segment.with_entity("p0.rs").iter().collect::<Vec<_>>(), [0]);
}

#[test]
fn the_same_documents_give_the_same_bytes() {
    let documents = || {
        let mut one = document("a");
        one.body = "busy_timeout in store/pool.go, error: pool closed.";
        vec![one, document("b")]
    };
    assert_eq!(bytes_of(documents()), bytes_of(documents()));
}

#[test]
fn bytes_of_something_else_are_told() {
    let foreign = |bytes: &[u8]| matches!(open(bytes.to_vec()), Err(SegmentError::Foreign));
    assert!(foreign(b"") && foreign(b"SQLite format 3\0") && foreign(&[0; 300]));
    let mut other = bytes_of(vec![document("a")]);
    // A letter in the name of the rules.
    other[12] ^= 1;
    let refused = open(other).unwrap_err();
    assert!(
        matches!(refused, SegmentError::OtherVersion(_)),
        "{refused}"
    );
}

#[test]
fn a_segment_that_was_cut_or_grew_is_damaged() {
    let whole = bytes_of(vec![document("a")]);
    for length in 0..whole.len() {
        assert!(open(whole[..length].to_vec()).is_err(), "{length}");
    }
    let mut longer = whole;
    longer.push(0);
    assert!(matches!(open(longer), Err(SegmentError::Damaged(_))));
}

#[test]
fn no_document_is_a_segment_too() {
    let segment = open(bytes_of(Vec::new())).unwrap();
    assert!(segment.is_empty() && segment.term("pool").is_none());
    assert!(segment.parts().map(|(_, size)| size).sum::<usize>() < segment.size());
}
