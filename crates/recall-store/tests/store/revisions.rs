//! Both counters rise when something changed, and only then.

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

async fn assert_moves(archive: &Archive, changes: &[(&'static str, (u64, u64))]) {
    for (sql, expected) in changes {
        assert_eq!(moved(archive, sql).await, *expected, "{sql}");
    }
}

async fn with_entry() -> Archive {
    let archive = archive().await.with_session("s1").await;
    archive.insert(&entry("a", "s1")).await.unwrap();
    archive
}

// S-V06
#[tokio::test]
async fn model_069_an_accepted_entry_is_news_to_both_counters_and_an_archived_one_to_one() {
    let archive = with_entry().await;
    assert_eq!(
        counters(&archive).await,
        (1, 2),
        "the entry, and its evidence row"
    );
    let archived = "INSERT INTO recall_entries (id, type, scope, status, title, body, \
        source_session_id, created_at, updated_at) \
        VALUES ('b', 'fact', 'project', 'archived', 't', 'b', 's1', '', '')";
    assert_moves(&archive, &[(archived, (0, 1))]).await;
}

// S-V06
#[tokio::test]
async fn model_070_leaving_and_entering_force_are_changes_of_the_corpus() {
    let changes = [
        ("UPDATE recall_entries SET status = 'archived'", (1, 1)),
        ("UPDATE recall_entries SET status = 'accepted'", (1, 1)),
        ("UPDATE recall_entries SET status = 'accepted'", (0, 0)),
        ("DELETE FROM recall_entries", (1, 2)),
    ];
    assert_moves(&with_entry().await, &changes).await;
}

// S-V06
#[tokio::test]
async fn model_071_what_is_embedded_changes_the_corpus_while_it_is_in_force() {
    let changes = [
        ("UPDATE recall_entries SET title = 'New'", (1, 1)),
        ("UPDATE recall_entries SET body = 'New'", (1, 1)),
        ("UPDATE recall_entries SET trigger = 'New'", (1, 1)),
        ("UPDATE recall_entries SET trigger = 'New'", (0, 0)),
        ("UPDATE recall_entries SET status = 'archived'", (1, 1)),
        ("UPDATE recall_entries SET title = 'Newer'", (0, 1)),
        ("UPDATE recall_entries SET body = 'Newer'", (0, 1)),
        ("UPDATE recall_entries SET trigger = 'Newer'", (0, 1)),
    ];
    assert_moves(&with_entry().await, &changes).await;
}

// S-V06
#[tokio::test]
async fn model_072_context_and_standing_are_seen_by_queries_alone() {
    let changes = [
        ("UPDATE recall_entries SET project = 'other'", (0, 1)),
        (
            "UPDATE recall_entries SET review_state = 'human_reviewed'",
            (0, 1),
        ),
        ("UPDATE recall_entries SET provenance_ok = 0", (0, 1)),
        ("UPDATE recall_entries SET provenance_ok = 0", (0, 0)),
    ];
    assert_moves(&with_entry().await, &changes).await;
}

// S-V06
#[tokio::test]
async fn model_073_evidence_is_seen_by_queries_alone() {
    let inserted = "INSERT INTO recall_evidence (entry_id, session_id, message_start_ordinal, \
        message_end_ordinal) VALUES ('a', 's1', 0, 0)";
    let changes = [
        (inserted, (0, 1)),
        (
            "DELETE FROM recall_evidence WHERE content_digest IS NULL",
            (0, 1),
        ),
        (
            "UPDATE recall_evidence SET snippets = json_array('new')",
            (0, 1),
        ),
        (
            "UPDATE recall_evidence SET snippets = json_array('new')",
            (0, 0),
        ),
        ("DELETE FROM recall_evidence", (0, 1)),
    ];
    assert_moves(&with_entry().await, &changes).await;
}

#[tokio::test]
async fn model_074_the_log_holds_the_latest_change_of_an_entry_alone() {
    let archive = with_entry().await;
    for sql in [
        "UPDATE recall_entries SET title = 'x'",
        "UPDATE recall_entries SET body = 'y'",
    ] {
        archive.raw(sql).await.unwrap();
    }
    let (corpus, query) = counters(&archive).await;
    let rows = async |table: &str| {
        let sql = format!("SELECT entry_id || ' ' || revision FROM {table}");
        archive.texts(sql).await
    };
    assert_eq!(
        rows("recall_embedding_changes").await,
        [format!("a {corpus}")]
    );
    assert_eq!(rows("recall_query_changes").await, [format!("a {query}")]);
}
