//! One writer, any number of readers, and no downgrade.

use std::collections::BTreeSet;

use recall_core::EntryFilter;
use recall_store::{Store, StoreError, StorePaths};

use crate::made::archive;

#[tokio::test]
async fn a_second_writer_is_refused_at_once_and_a_reader_is_not() {
    let archive = archive().await;
    let second = Store::open(&archive.paths).await;
    assert!(
        matches!(second, Err(StoreError::Locked { .. })),
        "{second:?}"
    );
    let reader = Store::open_read_only(&archive.paths).await.unwrap();
    assert!(
        reader
            .entries(&EntryFilter::default(), None)
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn reading_where_nothing_is_says_so_and_creates_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let paths = StorePaths {
        database: directory.path().join("none/archive.db"),
        lock: directory.path().join("none/archive.lock"),
    };
    let missing = Store::open_read_only(&paths).await;
    assert!(matches!(missing, Err(StoreError::NoArchive { .. })));
    assert!(!directory.path().join("none").exists());
}

#[tokio::test]
async fn an_archive_of_a_newer_version_is_refused_and_left_alone() {
    let archive = archive().await;
    archive
        .raw(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, \
             execution_time) VALUES (9999, 'from the future', 1, x'00', 0)",
        )
        .await
        .unwrap();
    let paths = archive.paths.clone();
    archive.store.close().await;
    for opened in [
        Store::open(&paths).await,
        Store::open_read_only(&paths).await,
    ] {
        assert!(
            matches!(opened, Err(StoreError::Newer { found: 9999, .. })),
            "{opened:?}"
        );
    }
}

#[tokio::test]
async fn a_file_that_is_no_archive_is_named_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let paths = StorePaths {
        database: directory.path().join("archive.db"),
        lock: directory.path().join("archive.lock"),
    };
    let garbage = "this is no database ".repeat(100);
    std::fs::write(&paths.database, &garbage).unwrap();
    for opened in [
        Store::open(&paths).await,
        Store::open_read_only(&paths).await,
    ] {
        let error = opened.unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
        assert!(error.to_string().contains("archive.db"), "{error}");
    }
    assert_eq!(std::fs::read_to_string(&paths.database).unwrap(), garbage);
}

#[tokio::test]
async fn a_database_of_another_program_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let paths = StorePaths {
        database: directory.path().join("archive.db"),
        lock: directory.path().join("archive.lock"),
    };
    let options = sqlx::sqlite::SqliteConnectOptions::new()
        .filename(&paths.database)
        .create_if_missing(true);
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    sqlx::raw_sql("CREATE TABLE theirs (x)")
        .execute(&pool)
        .await
        .unwrap();
    pool.close().await;
    for opened in [
        Store::open(&paths).await,
        Store::open_read_only(&paths).await,
    ] {
        assert!(
            matches!(opened, Err(StoreError::Foreign { .. })),
            "{opened:?}"
        );
    }
}

/// The index names that a list of index definitions has.
fn named(sql: &str) -> BTreeSet<String> {
    let words: Vec<&str> = sql.split_whitespace().collect();
    words
        .windows(2)
        .filter(|pair| pair[0] == "EXISTS")
        .map(|pair| pair[1].to_owned())
        .collect()
}

async fn indexes(paths: &StorePaths) -> BTreeSet<String> {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&paths.database);
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
    )
    .fetch_all(&pool)
    .await
    .unwrap();
    pool.close().await;
    names.into_iter().collect()
}

#[tokio::test]
async fn model_001_a_new_archive_has_every_index() {
    let expected = named(include_str!("../../../../schema/indexes.sql"));
    for needed in [
        "recall_entries_by_context",
        "recall_entries_by_kind",
        "recall_entries_by_session",
        "recall_entries_by_episode",
        "recall_entries_by_run",
        "recall_entries_by_update",
        "recall_entries_one_successor",
        "recall_entries_by_successor",
        "recall_evidence_by_entry",
        "recall_evidence_by_session",
        "recall_embedding_changes_by_revision",
        "recall_embedding_deletions_by_time",
        "messages_by_source_uuid",
    ] {
        assert!(expected.contains(needed), "{needed}");
    }
    assert_eq!(indexes(&archive().await.paths).await, expected);
}

#[tokio::test]
async fn model_002_a_lost_index_is_made_again_at_the_next_opening() {
    let made = archive().await;
    let before = indexes(&made.paths).await;
    for index in ["recall_entries_by_update", "recall_evidence_by_entry"] {
        let sql = format!("DROP INDEX {index}");
        made.raw(sqlx::AssertSqlSafe(sql)).await.unwrap();
    }
    assert_eq!(indexes(&made.paths).await.len(), before.len() - 2);
    let paths = made.paths.clone();
    made.store.close().await;
    Store::open(&paths).await.unwrap().close().await;
    assert_eq!(indexes(&paths).await, before);
}

#[cfg(unix)]
#[tokio::test]
async fn transcripts_are_readable_by_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;

    let archive = archive().await;
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&archive.paths.database), 0o600);
    assert_eq!(mode(archive.paths.database.parent().unwrap()), 0o700);
}
