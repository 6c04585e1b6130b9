//! Sessions that are hidden, brought back, or forgotten for good.

use recall_core::{EntryFilter, SessionId, Status};
use recall_store::{Growth, MessageQuery, SessionOutcome, SessionQuery};

use crate::made::{Archive, archive, draft, entry, file, message, new_entry, now, session};

fn id(session: &str) -> SessionId {
    SessionId::new(session).unwrap()
}

async fn listed(archive: &Archive, trashed: bool) -> usize {
    let query = SessionQuery {
        trashed,
        limit: 10,
        ..SessionQuery::default()
    };
    archive.store.sessions(&query).await.unwrap().sessions.len()
}

#[tokio::test]
async fn a_trashed_session_is_hidden_and_comes_back_whole() {
    let archive = archive().await.with_session("s1").await;
    archive.insert(&entry("a", "s1")).await.unwrap();
    assert_eq!(
        archive.store.trash_session(&id("s1"), now()).await.unwrap(),
        Some(true)
    );
    assert_eq!(
        archive.store.trash_session(&id("s1"), now()).await.unwrap(),
        Some(false),
        "once is enough"
    );
    assert_eq!(
        (listed(&archive, false).await, listed(&archive, true).await),
        (0, 1)
    );
    let (_, before) = archive.store.revisions().await.unwrap();
    let all = archive.store.entries(&EntryFilter::default(), None).await;
    assert!(all.unwrap()[0].is_source_withdrawn);

    assert_eq!(
        archive.store.restore_session(&id("s1")).await.unwrap(),
        Some(true)
    );
    assert_eq!(
        (listed(&archive, false).await, listed(&archive, true).await),
        (1, 0)
    );
    let all = archive.store.entries(&EntryFilter::default(), None).await;
    let entry = all.unwrap().remove(0);
    assert!(!entry.is_source_withdrawn && entry.provenance_ok);
    let (_, after) = archive.store.revisions().await.unwrap();
    assert!(after > before, "a query can see it");
    assert_eq!(
        archive.store.restore_session(&id("ghost")).await.unwrap(),
        None
    );
}

#[tokio::test]
async fn the_evidence_of_a_trashed_session_is_verified_all_the_same() {
    let archive = archive().await.with_session("s1").await;
    archive.insert(&entry("a", "s1")).await.unwrap();
    archive.store.trash_session(&id("s1"), now()).await.unwrap();
    let rewritten = session("s1", vec![message(0, "text 0"), message(1, "other")]);
    archive
        .apply(file(
            "/srv/sessions/s1.jsonl",
            Growth::Rewrite,
            vec![rewritten],
        ))
        .await;
    archive.store.restore_session(&id("s1")).await.unwrap();
    let all = archive.store.entries(&EntryFilter::default(), None).await;
    assert!(
        !all.unwrap()[0].provenance_ok,
        "nothing is trusted by a detour"
    );
}

#[tokio::test]
async fn a_deleted_session_leaves_nothing_and_stays_out() {
    let archive = archive().await.with_session("s1").await;
    let secret = "a sentence that nobody else says";
    let told = session("s1", vec![message(0, "text 0"), message(1, secret)]);
    let update = || {
        file(
            "/srv/sessions/s1.jsonl",
            Growth::Rewrite,
            vec![told.clone()],
        )
    };
    archive.apply(update()).await;
    let mut own = draft("a", "s1");
    own.body = format!("It said {secret}");
    archive.insert(&new_entry(own)).await.unwrap();

    let removal = archive
        .store
        .delete_session(&id("s1"), now())
        .await
        .unwrap()
        .unwrap();
    assert!(removal.was_stored);
    assert_eq!((removal.messages, removal.entries.len()), (2, 1));
    assert!(archive.store.session(&id("s1")).await.unwrap().is_none());
    assert_eq!(archive.apply(update()).await, [SessionOutcome::Excluded]);
    let messages = archive
        .store
        .messages(&id("s1"), &MessageQuery::default())
        .await;
    assert!(messages.unwrap().is_empty());

    let again = archive
        .store
        .delete_session(&id("s1"), now())
        .await
        .unwrap()
        .unwrap();
    assert!(!again.was_stored);
    for _ in 0..2 {
        let unknown = archive.store.delete_session(&id("s-1"), now()).await;
        assert_eq!(unknown.unwrap(), None, "nothing is kept out by a slip");
    }
    let paths = archive.paths.clone();
    archive.store.close().await;
    for name in ["archive.db", "archive.db-wal"] {
        let bytes = std::fs::read(paths.database.with_file_name(name)).unwrap_or_default();
        let told = bytes
            .windows(secret.len())
            .any(|window| window == secret.as_bytes());
        assert!(!told, "{name} still tells");
    }
}

// S-R03; model weakness 5
#[tokio::test]
async fn a_deleted_successor_puts_its_predecessor_in_force_unless_that_was_rejected() {
    for rejected in [false, true] {
        let archive = archive()
            .await
            .with_session("s1")
            .await
            .with_session("s2")
            .await;
        archive.insert(&entry("old", "s1")).await.unwrap();
        let mut new = draft("new", "s2");
        new.supersedes = Some(recall_core::EntryId::new("old").unwrap());
        archive.insert(&new_entry(new)).await.unwrap();
        if rejected {
            archive
                .raw(
                    "INSERT INTO recall_review_log (entry_id, action, reviewer, decided_at) \
                     VALUES ('old', 'reject', 'kim', '2026-03-04T05:06:07.000Z')",
                )
                .await
                .unwrap();
        }
        let removal = archive
            .store
            .delete_session(&id("s2"), now())
            .await
            .unwrap()
            .unwrap();
        assert_eq!(removal.restored.len(), usize::from(!rejected));
        let old = recall_core::EntryId::new("old").unwrap();
        let old = archive.store.entry(&old).await.unwrap().unwrap();
        let status = if rejected {
            Status::Archived
        } else {
            Status::Accepted
        };
        assert_eq!((old.status, old.superseded_by), (status, None));
    }
}

#[tokio::test]
async fn the_review_log_is_append_only() {
    let archive = archive().await.with_session("s1").await;
    archive.insert(&entry("a", "s1")).await.unwrap();
    archive
        .raw(
            "INSERT INTO recall_review_log (entry_id, action, reviewer, decided_at) \
             VALUES ('a', 'archive', 'kim', '2026-03-04T05:06:07.000Z')",
        )
        .await
        .unwrap();
    for sql in [
        "UPDATE recall_review_log SET note = 'x'",
        "DELETE FROM recall_review_log",
    ] {
        let refused = archive.raw(sql).await.unwrap_err().to_string();
        assert!(refused.contains("append-only"), "{sql}: {refused}");
    }
}
