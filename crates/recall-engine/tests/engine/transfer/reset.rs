//! What a reset forgets and what it leaves alone (S-L05).

use std::io;

use recall_core::SessionId;
use recall_engine::{Backup, EngineError, Holdings, QueryRequest, ReviewLog};
use recall_store::{MessageQuery, SessionQuery};

use super::{backup, lived_in, reset, yes};
use crate::world::{VERIFIED, line, outcomes};

// S-L05
#[tokio::test]
async fn a_reset_leaves_the_archive_of_sessions_alone() {
    let world = lived_in().await;
    let sessions = || async {
        let store = world.engine.store();
        let query = SessionQuery {
            limit: 100,
            ..SessionQuery::default()
        };
        let messages = store
            .messages(&SessionId::new("s1").unwrap(), &MessageQuery::default())
            .await
            .unwrap();
        (
            store.sessions(&query).await.unwrap(),
            store.totals().await.unwrap(),
            messages,
        )
    };
    let before = sessions().await;
    let mut saved = None;
    let mut save = |backup: &Backup| {
        saved = Some(backup.clone());
        Ok(())
    };
    let holdings = world
        .engine
        .reset(ReviewLog::Keep, yes(), &mut save)
        .await
        .unwrap();
    assert_eq!(
        holdings,
        Holdings {
            entries: 8,
            reviewed: 8,
            wordings: 1,
            decisions: 6,
        }
    );
    assert_eq!(saved.unwrap().holdings(), holdings);
    assert_eq!(sessions().await, before);
    let query = QueryRequest::new("writers");
    assert!(world.engine.query(&query).await.unwrap().entries.is_empty());
    // What was rejected stays rejected.
    let report = world.import(&[line("wrong", "")], VERIFIED).await;
    assert_eq!(outcomes(&report), ["rejected"]);
    reset(&world, ReviewLog::Forget).await;
    let report = world.import(&[line("wrong", "")], VERIFIED).await;
    assert_eq!(outcomes(&report), ["ok"]);
}

#[tokio::test]
async fn a_backup_that_cannot_be_saved_stops_the_reset() {
    let world = lived_in().await;
    let before = backup(&world).await;
    let mut save = |_: &Backup| Err(io::Error::other("disk full"));
    let error = world
        .engine
        .reset(ReviewLog::Forget, yes(), &mut save)
        .await;
    assert!(matches!(error, Err(EngineError::BackupNotSaved(_))));
    assert_eq!(backup(&world).await, before);
}
