//! What the database itself refuses, whoever writes.

use recall_core::{EntryFilter, EntryId, Evidence, Status};
use recall_store::StoreError;

use crate::made::{archive, draft, entry, new_entry};

#[tokio::test]
async fn model_003_an_omitted_review_state_is_unreviewed_in_the_database_too() {
    let archive = archive().await.with_session("s1").await;
    archive
        .raw(
            "INSERT INTO recall_entries (id, type, scope, title, body, source_session_id, \
             created_at, updated_at) VALUES ('raw', 'fact', 'project', 't', 'b', 's1', \
             '2026-03-04T05:06:07.000Z', '2026-03-04T05:06:07.000Z')",
        )
        .await
        .unwrap();
    let stored = archive
        .store
        .entry(&EntryId::new("raw").unwrap())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(stored.review_state.as_str(), "unreviewed_auto");
}

// S-M01..S-M04, model weakness 27
#[tokio::test]
async fn words_ranges_and_links_are_constrained() {
    let archive = archive().await.with_session("s1").await;
    archive.insert(&entry("a", "s1")).await.unwrap();
    for wrong in [
        "UPDATE recall_entries SET type = 'rumor'",
        "UPDATE recall_entries SET scope = 'galaxy'",
        "UPDATE recall_entries SET status = 'rejected'",
        "UPDATE recall_entries SET review_state = 'self_approved'",
        "UPDATE recall_entries SET confidence = 1.2",
        "UPDATE recall_entries SET transferable = 2",
        "UPDATE recall_entries SET supersedes_entry_id = 'a'",
        "UPDATE recall_entries SET superseded_by_entry_id = 'ghost'",
        "UPDATE recall_evidence SET message_end_ordinal = -1",
        "UPDATE recall_evidence SET content_digest = 'XYZ'",
        "UPDATE recall_evidence SET digest_version = NULL",
        "INSERT INTO sessions (id, agent, created_at, modified_at) VALUES ('s2', 'claude', '', '');\
         UPDATE recall_evidence SET session_id = 's2'",
    ] {
        assert!(archive.raw(wrong).await.is_err(), "{wrong}");
    }
}

// S-M06
#[tokio::test]
async fn model_011_an_entry_needs_its_session_and_goes_with_it() {
    let archive = archive().await.with_session("s1").await;
    let orphan = archive.insert(&entry("a", "ghost")).await;
    assert!(
        matches!(orphan, Err(StoreError::NoSourceSession { .. })),
        "{orphan:?}"
    );
    archive.insert(&entry("a", "s1")).await.unwrap();
    archive
        .raw("DELETE FROM sessions WHERE id = 's1'")
        .await
        .unwrap();
    assert_eq!(
        archive
            .store
            .entry(&EntryId::new("a").unwrap())
            .await
            .unwrap(),
        None
    );
}

// S-R03
#[tokio::test]
async fn two_replacements_never_branch_from_one_entry() {
    let archive = archive().await.with_session("s1").await;
    archive.insert(&entry("old", "s1")).await.unwrap();
    let replacement = |id: &str| {
        let mut draft = draft(id, "s1");
        draft.supersedes = Some(EntryId::new("old").unwrap());
        new_entry(draft)
    };
    archive.insert(&replacement("new")).await.unwrap();
    let second = archive.insert(&replacement("other")).await;
    assert!(
        matches!(second, Err(StoreError::NotActive(_))),
        "{second:?}"
    );
    let old = archive
        .store
        .entry(&EntryId::new("old").unwrap())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(old.status, Status::Archived);
    assert_eq!(old.superseded_by, Some(EntryId::new("new").unwrap()));
    // Behind the back of the boundary, the index still refuses.
    let raw = "UPDATE recall_entries SET supersedes_entry_id = 'old' WHERE id <> 'old'; \
               INSERT INTO recall_entries (id, type, scope, title, body, source_session_id, \
               supersedes_entry_id, created_at, updated_at) VALUES ('raw', 'fact', 'project', \
               't', 'b', 's1', 'old', '', '')";
    assert!(archive.raw(raw).await.is_err());
}

#[tokio::test]
async fn a_deleted_successor_brings_its_predecessor_back() {
    let archive = archive()
        .await
        .with_session("s1")
        .await
        .with_session("s2")
        .await;
    archive.insert(&entry("old", "s1")).await.unwrap();
    let mut new = draft("new", "s2");
    new.supersedes = Some(EntryId::new("old").unwrap());
    archive.insert(&new_entry(new)).await.unwrap();
    archive
        .raw("DELETE FROM sessions WHERE id = 's2'")
        .await
        .unwrap();
    let old = archive
        .store
        .entry(&EntryId::new("old").unwrap())
        .await
        .unwrap()
        .unwrap();
    assert_eq!((old.status, old.superseded_by), (Status::Accepted, None));
}

// S-M06
#[tokio::test]
async fn a_deleted_predecessor_leaves_its_successor_in_force() {
    for sql in [
        "DELETE FROM recall_entries WHERE id = 'old'",
        "DELETE FROM sessions WHERE id = 's1'",
    ] {
        let archive = archive()
            .await
            .with_session("s1")
            .await
            .with_session("s2")
            .await;
        archive.insert(&entry("old", "s1")).await.unwrap();
        let mut new = draft("new", "s2");
        new.supersedes = Some(EntryId::new("old").unwrap());
        archive.insert(&new_entry(new)).await.unwrap();
        archive.raw(sql).await.unwrap();
        let new = archive
            .store
            .entry(&EntryId::new("new").unwrap())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            (new.status, new.supersedes),
            (Status::Accepted, None),
            "{sql}"
        );
    }
}

#[tokio::test]
async fn an_id_is_stored_once() {
    let archive = archive().await.with_session("s1").await;
    archive.insert(&entry("a", "s1")).await.unwrap();
    let again = archive.insert(&entry("a", "s1")).await;
    assert!(
        matches!(again, Err(StoreError::EntryExists(_))),
        "{again:?}"
    );
}

#[tokio::test]
async fn model_014_every_entry_of_a_long_listing_gets_its_evidence() {
    let archive = archive().await.with_session("s1").await;
    let mut transaction = archive
        .store
        .begin(recall_store::Durability::Process)
        .await
        .unwrap();
    for number in 0..1100 {
        transaction
            .insert(&entry(&format!("e{number}"), "s1"), crate::made::now())
            .await
            .unwrap();
    }
    transaction.commit().await.unwrap();
    let entries = archive
        .store
        .entries(&EntryFilter::default(), None)
        .await
        .unwrap();
    assert_eq!(entries.len(), 1100);
    assert!(entries.iter().all(|entry| entry.evidence.len() == 1));
    let evidence: Evidence = entries[0].evidence[0].clone();
    assert!(evidence.id > 0);
}

#[tokio::test]
async fn model_015_a_vacuum_leaves_every_entry_with_its_texts_and_evidence() {
    let archive = archive().await.with_session("s1").await;
    for id in ["a", "b", "c"] {
        archive.insert(&entry(id, "s1")).await.unwrap();
    }
    archive
        .raw("DELETE FROM recall_entries WHERE id = 'b'; VACUUM")
        .await
        .unwrap();
    let entries = archive.store.entries(&EntryFilter::default(), None).await;
    let quoted: Vec<(String, String)> = entries
        .unwrap()
        .into_iter()
        .map(|entry| (entry.title, entry.evidence[0].snippet().into_owned()))
        .collect();
    let expected = ["a", "c"].map(|id| (format!("Title of {id}"), "text 0".to_owned()));
    assert_eq!(quoted, expected);
}
