//! An archive of an earlier schema opens as one of this, with everything in it.

use std::path::Path;

use recall_core::digest::{ContentVersion, content_digest};
use recall_core::{CitedMessage, EntryFilter, Ordinal, Role};
use recall_store::{Growth, Store, StorePaths};
use sqlx::migrate::Migrator;
use sqlx::sqlite::SqliteConnectOptions;

use crate::made::{file, message, now, session};

/// The digest of messages 0 and 1 of [`message`] by the first version's rules.
fn first_digest() -> String {
    let cited = |ordinal: u32, role| CitedMessage {
        ordinal: Ordinal::new(ordinal),
        role,
        content: format!("text {ordinal}"),
        is_system: false,
        source_uuid: None,
        tool_calls: vec![],
    };
    let messages = [cited(0, Role::User), cited(1, Role::Assistant)];
    content_digest(ContentVersion::V1, &messages, &[])
        .as_hex()
        .to_owned()
}

#[tokio::test]
async fn evidence_of_the_second_schema_verifies_and_moves_under_the_third() {
    let directory = tempfile::tempdir().unwrap();
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema");
    let earlier = directory.path().join("schema");
    std::fs::create_dir(&earlier).unwrap();
    for name in ["0001_archive.sql", "0002_recall.sql"] {
        std::fs::copy(schema.join(name), earlier.join(name)).unwrap();
    }
    let paths = StorePaths {
        database: directory.path().join("archive.db"),
        lock: directory.path().join("archive.lock"),
    };
    let options = SqliteConnectOptions::new()
        .filename(&paths.database)
        .create_if_missing(true);
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    Migrator::new(earlier)
        .await
        .unwrap()
        .run(&pool)
        .await
        .unwrap();
    sqlx::raw_sql(
        "INSERT INTO sessions (id, agent, created_at, modified_at) VALUES ('s1', 'claude', \
         '2026-03-04T05:06:07.000Z', '2026-03-04T05:06:07.000Z'); \
         INSERT INTO messages (session_key, ordinal, row_digest, role, content) VALUES \
         (1, 0, zeroblob(32), 'user', 'text 0'), (1, 1, zeroblob(32), 'assistant', 'text 1'); \
         INSERT INTO recall_entries (id, type, scope, title, body, source_session_id, \
         provenance_ok, created_at, updated_at) VALUES ('e', 'fact', 'project', 'T', 'B', 's1', 1, \
         '2026-03-04T05:06:07.000Z', '2026-03-04T05:06:07.000Z'); \
         INSERT INTO recall_evidence (entry_id, session_id, message_start_ordinal, \
         message_end_ordinal, content_digest, digest_version, snippet) \
         VALUES ('e', 's1', 0, 1, lower(hex(zeroblob(32))), 'recall-evidence-content/v1', 'text 0')",
    )
    .execute(&pool)
    .await
    .unwrap();
    sqlx::query("UPDATE recall_evidence SET content_digest = ?")
        .bind(first_digest())
        .execute(&pool)
        .await
        .unwrap();
    let revision: i64 = sqlx::query_scalar("SELECT revision FROM recall_query_state")
        .fetch_one(&pool)
        .await
        .unwrap();
    pool.close().await;

    let store = Store::open(&paths).await.unwrap();
    let (_, query) = store.revisions().await.unwrap();
    assert_eq!(
        query.get(),
        revision.unsigned_abs(),
        "nothing that a query sees changed"
    );
    let entries = store.entries(&EntryFilter::default(), None).await.unwrap();
    let row = &entries[0].evidence[0];
    assert_eq!(row.snippets, ["text 0"]);
    assert_eq!((row.message_count, row.content_bytes), (Some(2), Some(12)));
    assert_eq!(
        row.content_digest.as_ref().unwrap().version(),
        ContentVersion::V1
    );

    let mut moved: Vec<_> = (1..4)
        .map(|ordinal| message(ordinal, &format!("text {}", ordinal - 1)))
        .collect();
    moved[0].role = Role::User;
    moved[1].role = Role::Assistant;
    moved.insert(0, message(0, "before"));
    let update = file("/s1.jsonl", Growth::Rewrite, vec![session("s1", moved)]);
    let applied = store.apply(&[update], |_| true, now()).await.unwrap();
    assert_eq!(applied.evidence.shifted.len(), 1, "{:?}", applied.evidence);
    let entries = store.entries(&EntryFilter::default(), None).await.unwrap();
    let row = &entries[0].evidence[0];
    assert_eq!(row.range.to_string(), "1-2");
    assert_eq!(
        row.content_digest.as_ref().unwrap().as_hex(),
        first_digest()
    );
    assert_eq!(row.start_uuid.as_ref().unwrap().as_str(), "uuid-1");
}
