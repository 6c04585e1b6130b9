//! The trust conditions in SQL are those of `recall-trust`.

use std::fmt::Write as _;

use recall_core::{EntryFilter, ReviewState, SessionId, Status};
use recall_store::Store;
use recall_trust::trusted::is_trusted;

use crate::made::{archive, entry, now};

/// The ids of entries of both statuses that the program and that the database trust.
async fn trusted(store: &Store) -> (Vec<String>, Vec<String>) {
    let mut by_rust = Vec::new();
    for status in Status::ALL {
        let filter = EntryFilter {
            status: Some(*status),
            ..EntryFilter::default()
        };
        let entries = store.entries(&filter, None).await.unwrap();
        by_rust.extend(entries.into_iter().filter(is_trusted));
    }
    let filter = EntryFilter {
        trusted_only: true,
        ..EntryFilter::default()
    };
    let by_sql = store.entries(&filter, None).await.unwrap();
    let ids = |entries: Vec<recall_core::Entry>| {
        entries.iter().map(|entry| entry.id.to_string()).collect()
    };
    (ids(by_rust), ids(by_sql))
}

// S-E06, S-E07
#[tokio::test]
async fn model_075_sql_and_rust_trust_the_same_entries_in_every_state() {
    let sessions = ["kept", "hidden", "forgotten", "removed"];
    let mut archive = archive().await;
    for session in sessions {
        archive = archive.with_session(session).await;
    }
    let provenance = [
        "provenance_ok = 1",
        "provenance_ok = 0",
        "provenance_ok = 0, revocation_reason = 'window_invalid', revoked_at = '2026-03-04T05:06:07Z'",
    ];
    let mut transaction = archive
        .store
        .begin(recall_store::Durability::Process)
        .await
        .unwrap();
    let mut states = String::new();
    let mut number = 0;
    for session in sessions {
        for status in Status::ALL {
            for review_state in ReviewState::ALL {
                for transferable in [0, 1] {
                    for provenance in provenance {
                        let new = entry(&format!("{session}-{number:03}"), session);
                        number += 1;
                        transaction.insert(&new, now()).await.unwrap();
                        let id = &new.entry().id;
                        writeln!(
                            states,
                            "UPDATE recall_entries SET status = '{status}', review_state = \
                             '{review_state}', transferable = {transferable}, {provenance} \
                             WHERE id = '{id}';"
                        )
                        .unwrap();
                    }
                }
            }
        }
    }
    transaction.commit().await.unwrap();
    archive.raw(sqlx::AssertSqlSafe(states)).await.unwrap();
    let (by_rust, by_sql) = trusted(&archive.store).await;
    assert_eq!((by_rust.len(), &by_rust), (sessions.len(), &by_sql));

    let id = |session: &str| SessionId::new(session).unwrap();
    let store = &archive.store;
    store.trash_session(&id("hidden"), now()).await.unwrap();
    store.delete_session(&id("removed"), now()).await.unwrap();
    // Excluded while its rows are still there, as an id can be before its session ever comes.
    archive
        .raw("INSERT INTO excluded_sessions VALUES ('forgotten', '')")
        .await
        .unwrap();
    let (by_rust, by_sql) = trusted(store).await;
    assert_eq!((by_rust.len(), &by_rust), (1, &by_sql));
    assert!(by_sql[0].starts_with("kept-"), "{by_sql:?}");
}
