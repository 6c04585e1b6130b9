//! What becomes of entries when their session is hidden, forgotten or only gone from the disk.

use recall_core::{EntryFilter, EntryId, SessionId};
use recall_trust::trusted::is_trusted;

use crate::citing::{Cited, Write, later, said};
use crate::made::{Archive, archive, message, now};

const CITED: Cited<'static> = Cited {
    session: "s1",
    first: 2,
    last: 3,
    tools: &[],
};

async fn with_entry() -> Archive {
    let archive = archive().await;
    archive.store("s1", &said()).await;
    archive.cite("e", CITED).await;
    archive
}

async fn forget(archive: &Archive) -> recall_store::Removal {
    let session = SessionId::new("s1").unwrap();
    archive
        .store
        .delete_session(&session, later())
        .await
        .unwrap()
        .unwrap()
}

async fn journal(archive: &Archive) -> Vec<String> {
    archive
        .texts("SELECT entry_id FROM recall_embedding_deletions")
        .await
}

#[tokio::test]
async fn model_056_a_full_sync_keeps_the_journal_of_deletions() {
    let archive = with_entry().await;
    archive.raw("DELETE FROM recall_entries").await.unwrap();
    assert_eq!(journal(&archive).await, ["e"]);
    archive.write(Write::Full, "s1", &said()).await.unwrap();
    assert_eq!(journal(&archive).await, ["e"]);
}

#[tokio::test]
async fn model_057_a_full_sync_moves_no_counter_unless_something_changed() {
    let archive = with_entry().await;
    let before = archive.counters().await;
    archive.write(Write::Full, "s1", &said()).await.unwrap();
    assert_eq!(archive.counters().await, before);
    let mut edited = said();
    edited[2].content.push('!');
    archive.write(Write::Full, "s1", &edited).await.unwrap();
    assert_eq!(archive.counters().await, (before.0, before.1 + 1));
}

#[tokio::test]
async fn model_058_the_log_of_changes_outlives_a_full_sync() {
    let archive = with_entry().await;
    archive
        .raw("UPDATE recall_entries SET status = 'archived'")
        .await
        .unwrap();
    let changes = "SELECT entry_id || ' ' || revision FROM recall_embedding_changes";
    assert_eq!(archive.texts(changes).await, ["e 2"]);
    archive.write(Write::Full, "s1", &said()).await.unwrap();
    assert_eq!(archive.texts(changes).await, ["e 2"]);
}

#[tokio::test]
async fn model_062_no_evidence_outlives_its_session() {
    let archive = with_entry().await;
    let evidence = "SELECT entry_id FROM recall_evidence";
    assert_eq!(archive.texts(evidence).await, ["e"]);
    forget(&archive).await;
    assert!(archive.texts(evidence).await.is_empty());
}

// S-M06
#[tokio::test]
async fn model_065_a_forgotten_session_takes_its_entries_along_and_the_journal_says_so() {
    let archive = with_entry().await;
    let before = archive.counters().await;
    let removal = forget(&archive).await;
    assert_eq!(removal.entries, [EntryId::new("e").unwrap()]);
    assert_eq!((removal.was_stored, removal.messages), (true, 6));
    for table in ["recall_entries", "recall_evidence", "messages", "sessions"] {
        let count = format!("SELECT CAST(count(*) AS TEXT) FROM {table}");
        assert_eq!(archive.texts(count).await, ["0"], "{table}");
    }
    assert_eq!(journal(&archive).await, ["e"]);
    let after = archive.counters().await;
    assert_eq!(after.0, before.0 + 1);
    assert!(after.1 > before.1);
    let returned = archive.write(Write::Full, "s1", &said()).await.unwrap();
    assert_eq!(returned.sessions, [recall_store::SessionOutcome::Excluded]);
}

#[tokio::test]
async fn model_066_an_id_that_comes_back_leaves_the_journal() {
    let archive = with_entry().await;
    archive.raw("DELETE FROM recall_entries").await.unwrap();
    assert_eq!(journal(&archive).await, ["e"]);
    archive.cite("e", CITED).await;
    assert!(journal(&archive).await.is_empty());
}

// S-E06
#[tokio::test]
async fn model_067_a_hidden_session_withdraws_trust_and_gives_it_back() {
    let archive = with_entry().await;
    let session = SessionId::new("s1").unwrap();
    let trusted = EntryFilter {
        trusted_only: true,
        ..EntryFilter::default()
    };
    let count =
        async |filter: &EntryFilter| archive.store.entries(filter, None).await.unwrap().len();
    let before = archive.entry("e").await;
    assert!(is_trusted(&before));

    archive.store.trash_session(&session, now()).await.unwrap();
    let hidden = archive.entry("e").await;
    assert!(hidden.is_source_withdrawn && hidden.provenance_ok && !is_trusted(&hidden));
    assert_eq!(
        (count(&trusted).await, count(&EntryFilter::default()).await),
        (0, 1)
    );

    archive.store.restore_session(&session).await.unwrap();
    assert_eq!(archive.entry("e").await, before);
    assert_eq!(count(&trusted).await, 1);
}

#[tokio::test]
async fn forgotten_sessions_leave_no_text_in_the_file_however_many_go_at_once() {
    let archive = archive().await;
    let name = |task: u32, number: u32| format!("s{task}-{number}");
    for task in 0..3 {
        for number in 0..5 {
            let session = name(task, number);
            let words = format!("the words of {session} ").repeat(200);
            let said = [message(0, &words), message(1, &words)];
            archive.store(&session, &said).await;
            // What a rewrite removes was said in it too.
            archive
                .write(Write::Rewrite, &session, &said[..1])
                .await
                .unwrap();
        }
    }
    let forget_all = async |task| {
        for number in 0..5 {
            let session = SessionId::new(name(task, number)).unwrap();
            let removal = archive.store.delete_session(&session, later()).await;
            assert!(removal.unwrap().unwrap().was_stored);
        }
    };
    tokio::join!(forget_all(0), forget_all(1), forget_all(2));
    let bytes = std::fs::read(&archive.paths.database).unwrap();
    let left = String::from_utf8_lossy(&bytes);
    assert_eq!(left.matches("the words of").count(), 0);
}
