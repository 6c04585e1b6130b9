//! The trust conditions in SQL are those of `recall-trust`.

use recall_core::{EntryFilter, ReviewState, Status};
use recall_trust::trusted::is_trusted;

use crate::made::{archive, entry};

// S-E06, S-E07
#[tokio::test]
async fn model_075_sql_and_rust_trust_the_same_entries_in_every_state() {
    let archive = archive().await.with_session("s1").await;
    let mut expected = Vec::new();
    let mut number = 0;
    for status in Status::ALL {
        for review_state in ReviewState::ALL {
            for (transferable, provenance_ok) in
                [(false, false), (false, true), (true, false), (true, true)]
            {
                let new = entry(&format!("e{number:02}"), "s1");
                number += 1;
                archive.insert(&new).await.unwrap();
                let id = &new.entry().id;
                let sql = format!(
                    "UPDATE recall_entries SET status = '{status}', \
                     review_state = '{review_state}', transferable = {transferable}, \
                     provenance_ok = {provenance_ok} WHERE id = '{id}'"
                );
                archive.raw(sqlx::AssertSqlSafe(sql)).await.unwrap();
                if is_trusted(&archive.store.entry(id).await.unwrap().unwrap()) {
                    expected.push(id.to_string());
                }
            }
        }
    }
    let filter = EntryFilter {
        trusted_only: true,
        ..EntryFilter::default()
    };
    let trusted = archive.store.entries(&filter, None).await.unwrap();
    let trusted: Vec<String> = trusted
        .into_iter()
        .map(|entry| entry.id.to_string())
        .collect();
    assert_eq!(trusted, expected);
    assert_eq!(expected.len(), 1);
}
