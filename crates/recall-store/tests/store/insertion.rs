//! What comes in through the insertion boundary and what a raw statement may leave out.

use recall_core::{Confidence, EntryId, IdError, ReviewState, Status, UnknownWord};
use recall_trust::insertion::NewEntry;
use sqlx::AssertSqlSafe;

use crate::citing::{Cited, said};
use crate::made::{Archive, archive, draft, entry, new_entry};

/// A raw insert of an entry `raw` with one more column.
fn raw_insert(column: &str, value: &str) -> AssertSqlSafe<String> {
    AssertSqlSafe(format!(
        "INSERT INTO recall_entries (id, type, scope, title, body, source_session_id, created_at, \
         updated_at, {column}) VALUES ('raw', 'fact', 'project', 't', 'b', 's1', \
         '2026-03-04T05:06:07.000Z', '2026-03-04T05:06:07.000Z', {value})"
    ))
}

async fn ids(archive: &Archive) -> Vec<String> {
    archive
        .texts("SELECT id FROM recall_entries ORDER BY id")
        .await
}

// S-M04
#[tokio::test]
async fn model_004_a_blank_review_state_is_no_review_state() {
    assert_eq!(" ".parse::<ReviewState>().ok(), None);
    let archive = archive().await.with_session("s1").await;
    for blank in ["''", "'  '"] {
        let refused = archive.raw(raw_insert("review_state", blank)).await;
        assert!(refused.unwrap_err().to_string().contains("review_state"));
    }
    // Whoever has nothing to say about it says a kind of review, not a word.
    archive.insert(&entry("a", "s1")).await.unwrap();
    assert_eq!(ids(&archive).await, ["a"]);
    let stored = archive.entry("a").await;
    assert_eq!(stored.review_state, ReviewState::UnreviewedAuto);
}

// S-M04
#[tokio::test]
async fn model_005_an_unknown_review_state_is_refused_and_nothing_is_stored() {
    let unknown: Result<ReviewState, UnknownWord> = "self_approved".parse();
    let message = unknown.unwrap_err().to_string();
    assert!(message.contains("review state"), "{message}");
    let archive = archive().await.with_session("s1").await;
    let refused = archive
        .raw(raw_insert("review_state", "'self_approved'"))
        .await;
    assert!(refused.unwrap_err().to_string().contains("review_state"));
    assert!(ids(&archive).await.is_empty());
}

#[tokio::test]
async fn model_006_an_entry_needs_an_id() {
    let blank: Result<EntryId, IdError> = EntryId::new("  ");
    assert!(blank.is_err());
    let archive = archive().await.with_session("s1").await;
    let sql = raw_insert("model", "''").0.replace("'raw'", "''");
    assert!(archive.raw(AssertSqlSafe(sql)).await.is_err());
    assert!(ids(&archive).await.is_empty());
}

// S-M03
#[tokio::test]
async fn model_007_an_entry_without_a_status_is_in_force() {
    let archive = archive().await.with_session("s1").await;
    archive.raw(raw_insert("model", "''")).await.unwrap();
    archive.insert(&entry("a", "s1")).await.unwrap();
    for id in ["raw", "a"] {
        assert_eq!(archive.entry(id).await.status, Status::Accepted, "{id}");
    }
}

// S-E05
#[tokio::test]
async fn model_008_the_database_ties_evidence_to_the_session_of_its_entry() {
    let archive = archive()
        .await
        .with_session("s1")
        .await
        .with_session("s2")
        .await;
    archive.insert(&entry("a", "s1")).await.unwrap();
    let before = archive.entry("a").await;
    let foreign = "INSERT INTO recall_evidence (entry_id, session_id, message_start_ordinal, \
                   message_end_ordinal) VALUES ('a', 's2', 0, 0)";
    assert!(archive.raw(foreign).await.is_err());
    assert_eq!(archive.entry("a").await, before);
}

// S-E05
#[tokio::test]
async fn model_009_and_010_evidence_belongs_to_the_entry_that_it_came_with() {
    let archive = archive().await;
    archive.store("s1", &said()).await;
    let cited = |first| Cited {
        session: "s1",
        first,
        last: 3,
        tools: &[],
    };
    let first = archive.cite("a", cited(1)).await;
    let second = archive.cite("b", cited(2)).await;
    assert_eq!(
        archive.entry("a").await,
        first,
        "another entry took nothing from it"
    );
    assert_eq!(second.evidence[0].range.to_string(), "2-3");
    assert_eq!((first.evidence.len(), second.evidence.len()), (1, 1));
}

#[tokio::test]
async fn model_012_unknown_confidence_is_not_zero() {
    let archive = archive().await.with_session("s1").await;
    for (id, confidence) in [
        ("unknown", None),
        ("none", Confidence::new(0.0).ok()),
        ("half", Confidence::new(0.5).ok()),
    ] {
        let mut draft = draft(id, "s1");
        draft.confidence = confidence;
        let new: NewEntry = new_entry(draft);
        archive.insert(&new).await.unwrap();
        assert_eq!(archive.entry(id).await.confidence, confidence, "{id}");
    }
}

#[tokio::test]
async fn model_013_an_unknown_id_is_no_entry_and_no_error() {
    let ghost = EntryId::new("ghost").unwrap();
    assert_eq!(archive().await.store.entry(&ghost).await.unwrap(), None);
}
