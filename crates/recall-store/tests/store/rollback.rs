//! A transcript and what becomes of the evidence in it are one write: both or neither.

use agentsview_formats::ParsedMessage;
use recall_core::SessionId;
use recall_store::{MessageQuery, StoreError};
use recall_trust::trusted::is_trusted;

use crate::citing::{Cited, Write, later, one_before, said};
use crate::made::{Archive, archive, message};

const REFUSE_SHIFTS: &str = "CREATE TRIGGER refuse BEFORE UPDATE ON recall_evidence \
     BEGIN SELECT RAISE(ABORT, 'refused by the test'); END";
const REFUSE_TEXT: &str = "CREATE TRIGGER refuse BEFORE INSERT ON messages \
     WHEN NEW.content = 'poison' BEGIN SELECT RAISE(ABORT, 'refused by the test'); END";

fn cited(session: &str, ordinal: u32) -> Cited<'_> {
    Cited {
        session,
        first: ordinal,
        last: ordinal,
        tools: &[],
    }
}

/// Two sessions of equal text, each with an entry for two of its messages.
async fn two_sessions() -> Archive {
    let archive = archive().await;
    for session in ["s1", "s2"] {
        archive.store(session, &said()).await;
        for ordinal in [2, 3] {
            let id = format!("{session}-{ordinal}");
            archive.cite(&id, cited(session, ordinal)).await;
        }
    }
    archive
}

/// Message 2 changed, which revokes, and all of them moved, which shifts.
fn changed_and_moved() -> Vec<ParsedMessage> {
    let mut messages = said();
    messages[2].content.push('!');
    one_before(&messages)
}

/// Everything that a write may touch.
async fn contents(archive: &Archive) -> String {
    let mut contents = Vec::new();
    for session in ["s1", "s2"] {
        let id = SessionId::new(session).unwrap();
        contents.push(format!("{:?}", archive.store.session(&id).await.unwrap()));
        let messages = archive.store.messages(&id, &MessageQuery::default()).await;
        contents.push(format!("{:?}", messages.unwrap()));
        for ordinal in [2, 3] {
            let entry = archive.entry(&format!("{session}-{ordinal}")).await;
            contents.push(format!("{entry:?}"));
        }
    }
    let mut sources: Vec<_> = archive.store.sources().await.unwrap().into_iter().collect();
    sources.sort_by(|a, b| a.0.cmp(&b.0));
    contents.push(format!("{sources:?} {:?}", archive.counters().await));
    contents.join("\n")
}

fn is_refused<T: std::fmt::Debug>(result: &Result<T, StoreError>) -> bool {
    format!("{result:?}").contains("refused by the test")
}

#[tokio::test]
async fn model_048_and_063_a_failed_update_of_evidence_takes_the_transcript_and_revocations_along()
{
    for write in Write::ALL {
        let archive = two_sessions().await;
        archive.raw(REFUSE_SHIFTS).await.unwrap();
        let before = contents(&archive).await;
        let failed = archive.write(write, "s1", &changed_and_moved()).await;
        assert!(is_refused(&failed), "{write:?}: {failed:?}");
        assert_eq!(contents(&archive).await, before, "{write:?}");

        archive.raw("DROP TRIGGER refuse").await.unwrap();
        let applied = archive.write(write, "s1", &changed_and_moved()).await;
        let evidence = applied.unwrap().evidence;
        assert_eq!((evidence.revoked.len(), evidence.shifted.len()), (1, 1));
    }
}

#[tokio::test]
async fn model_049_of_a_batch_with_one_failing_session_nothing_is_stored() {
    let archive = two_sessions().await;
    let trigger = "CREATE TRIGGER refuse BEFORE UPDATE ON recall_evidence \
                   WHEN NEW.session_id = 's2' \
                   BEGIN SELECT RAISE(ABORT, 'refused by the test'); END";
    archive.raw(trigger).await.unwrap();
    let before = contents(&archive).await;
    let batch = ["s1", "s2"].map(|session| Write::Rewrite.update(session, &changed_and_moved()));
    let failed = archive.store.apply(&batch, |_| true, later()).await;
    assert!(is_refused(&failed), "{failed:?}");
    assert_eq!(contents(&archive).await, before);

    // Without the failing one, the next attempt stores the other.
    let applied = archive.store.apply(&batch[..1], |_| true, later()).await;
    assert_eq!(applied.unwrap().evidence.revoked.len(), 1);
}

#[tokio::test]
async fn model_050_a_batch_that_fails_at_its_end_revokes_nothing() {
    let archive = two_sessions().await;
    archive.raw(REFUSE_TEXT).await.unwrap();
    let before = contents(&archive).await;
    let poisoned = [said(), vec![message(10, "poison")]].concat();
    let batch = [
        Write::Rewrite.update("s1", &changed_and_moved()),
        Write::Append.update("s2", &poisoned),
    ];
    let failed = archive.store.apply(&batch, |_| true, later()).await;
    assert!(is_refused(&failed), "{failed:?}");
    assert_eq!(contents(&archive).await, before);
    assert!(is_trusted(&archive.entry("s1-2").await));
}
