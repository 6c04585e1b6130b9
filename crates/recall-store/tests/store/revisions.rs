//! Both counters rise when something changed, and only then.

use recall_core::EntryId;

use crate::made::{Archive, archive, entry};

async fn counters(archive: &Archive) -> (u64, u64) {
    let (corpus, query) = archive.store.revisions().await.unwrap();
    (corpus.get(), query.get())
}

/// How far both counters move with one statement.
async fn moved(archive: &Archive, sql: &'static str) -> (u64, u64) {
    let before = counters(archive).await;
    archive.raw(sql).await.unwrap();
    let after = counters(archive).await;
    (after.0 - before.0, after.1 - before.1)
}

// S-V06
#[tokio::test]
async fn each_kind_of_change_moves_its_own_counters() {
    let archive = archive().await.with_session("s1").await;
    archive.insert(&entry("a", "s1")).await.unwrap();
    assert_eq!(
        counters(&archive).await,
        (1, 2),
        "the entry, and its evidence row"
    );
    for (sql, expected) in [
        ("UPDATE recall_entries SET title = 'New'", (1, 1)),
        ("UPDATE recall_entries SET body = 'New'", (1, 1)),
        ("UPDATE recall_entries SET trigger = 'New'", (1, 1)),
        ("UPDATE recall_entries SET project = 'other'", (0, 1)),
        (
            "UPDATE recall_entries SET review_state = 'human_reviewed'",
            (0, 1),
        ),
        ("UPDATE recall_entries SET provenance_ok = 0", (0, 1)),
        ("UPDATE recall_entries SET provenance_ok = 0", (0, 0)),
        ("UPDATE recall_entries SET status = 'archived'", (1, 1)),
        ("UPDATE recall_entries SET title = 'Newer'", (0, 1)),
        ("UPDATE recall_entries SET status = 'accepted'", (1, 1)),
        (
            "UPDATE recall_evidence SET snippets = json_array('new')",
            (0, 1),
        ),
        (
            "UPDATE recall_evidence SET snippets = json_array('new')",
            (0, 0),
        ),
        ("DELETE FROM recall_evidence", (0, 1)),
        ("DELETE FROM recall_entries", (1, 1)),
    ] {
        assert_eq!(moved(&archive, sql).await, expected, "{sql}");
    }
}

#[tokio::test]
async fn the_logs_hold_one_row_an_entry_and_learn_of_deletions() {
    let archive = archive().await.with_session("s1").await;
    archive.insert(&entry("a", "s1")).await.unwrap();
    archive
        .raw("UPDATE recall_entries SET title = 'x'; DELETE FROM recall_entries")
        .await
        .unwrap();
    archive
        .raw(
            "CREATE TABLE seen AS SELECT \
             (SELECT count(*) FROM recall_embedding_changes) AS changes, \
             (SELECT count(*) FROM recall_query_changes) AS queries, \
             (SELECT count(*) FROM recall_embedding_deletions) AS deletions; \
             CREATE TABLE proof (ok INTEGER CHECK (ok = 1)); \
             INSERT INTO proof SELECT changes = 1 AND queries = 1 AND deletions = 1 FROM seen",
        )
        .await
        .unwrap();
    archive.insert(&entry("a", "s1")).await.unwrap();
    archive
        .raw("INSERT INTO proof SELECT count(*) = 0 FROM recall_embedding_deletions")
        .await
        .unwrap();
    assert!(
        archive
            .store
            .entry(&EntryId::new("a").unwrap())
            .await
            .unwrap()
            .is_some()
    );
}
