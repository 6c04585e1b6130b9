//! Incremental writes: what is stored is what was parsed, and only differences are written.

use recall_core::{Ordinal, SessionId, TranscriptRevision};
use recall_store::{Growth, MessageQuery, SessionOutcome};

use crate::made::{Archive, archive, call, entry, file, message, session};

const PATH: &str = "/srv/sessions/s1.jsonl";

fn id() -> SessionId {
    SessionId::new("s1").unwrap()
}

async fn revision(archive: &Archive) -> TranscriptRevision {
    archive
        .store
        .session(&id())
        .await
        .unwrap()
        .unwrap()
        .transcript_revision
}

#[tokio::test]
async fn a_transcript_reads_back_as_it_was_parsed() {
    let archive = archive().await;
    let mut messages = vec![
        message(0, "Run it"),
        message(1, "Running"),
        message(3, "Done"),
    ];
    messages[1].tool_calls = vec![call("t1", Some("ok\nline 2")), call("t2", None)];
    let parsed = session("s1", messages.clone());
    let outcome = archive.apply(file(PATH, Growth::New, vec![parsed])).await;
    assert_eq!(outcome, [SessionOutcome::Added]);
    let stored = archive
        .store
        .messages(&id(), &MessageQuery::default())
        .await
        .unwrap();
    assert_eq!(stored, messages);
    let record = archive.store.session(&id()).await.unwrap().unwrap();
    assert_eq!((record.message_count, record.tool_call_count), (3, 2));
    assert_eq!(record.first_message, "Run it");
}

#[tokio::test]
async fn the_same_transcript_again_changes_nothing() {
    let archive = archive().await;
    let parsed = || {
        file(
            PATH,
            Growth::New,
            vec![session("s1", vec![message(0, "a")])],
        )
    };
    archive.apply(parsed()).await;
    let before = archive.store.session(&id()).await.unwrap();
    let mut again = parsed();
    again.growth = Growth::Rewrite;
    assert_eq!(archive.apply(again).await, [SessionOutcome::Unchanged]);
    assert_eq!(archive.store.session(&id()).await.unwrap(), before);
}

#[tokio::test]
async fn growth_appends_and_a_late_result_joins_its_call() {
    let archive = archive().await;
    let mut asked = message(1, "Running");
    asked.tool_calls = vec![call("t1", None)];
    let first = session("s1", vec![message(0, "Run it"), asked.clone()]);
    archive.apply(file(PATH, Growth::New, vec![first])).await;
    asked.tool_calls = vec![call("t1", Some("ok"))];
    let messages = vec![message(0, "Run it"), asked, message(3, "Done")];
    let grown = session("s1", messages.clone());
    let outcome = archive.apply(file(PATH, Growth::Append, vec![grown])).await;
    assert_eq!(outcome, [SessionOutcome::Appended]);
    assert_eq!(
        archive
            .store
            .messages(&id(), &MessageQuery::default())
            .await
            .unwrap(),
        messages
    );
    assert_eq!(revision(&archive).await, TranscriptRevision::new(2));
}

#[tokio::test]
async fn a_rewrite_leaves_no_stale_row() {
    let archive = archive().await.with_session("s1").await;
    let rewritten = session("s1", vec![message(0, "text 0"), message(2, "changed")]);
    let outcome = archive
        .apply(file(PATH, Growth::Rewrite, vec![rewritten.clone()]))
        .await;
    assert_eq!(outcome, [SessionOutcome::Rewritten]);
    let stored = archive
        .store
        .messages(&id(), &MessageQuery::default())
        .await
        .unwrap();
    assert_eq!(stored, rewritten.messages);
}

#[tokio::test]
async fn an_excluded_session_is_not_brought_back() {
    let archive = archive().await;
    archive
        .raw("INSERT INTO excluded_sessions VALUES ('s1', '')")
        .await
        .unwrap();
    let outcome = archive
        .apply(file(
            PATH,
            Growth::New,
            vec![session("s1", vec![message(0, "a")])],
        ))
        .await;
    assert_eq!(outcome, [SessionOutcome::Excluded]);
    assert_eq!(archive.store.session(&id()).await.unwrap(), None);
}

#[tokio::test]
async fn of_two_files_of_one_session_the_longer_one_holds_it_in_any_order() {
    for swapped in [false, true] {
        let archive = archive().await;
        let short = || {
            file(
                "/a.jsonl",
                Growth::New,
                vec![session("s1", vec![message(0, "a")])],
            )
        };
        let long = || {
            let messages = vec![message(0, "a"), message(1, "b")];
            file("/b.jsonl", Growth::New, vec![session("s1", messages)])
        };
        if swapped {
            archive.apply(short()).await;
            archive.apply(long()).await;
        } else {
            archive.apply(long()).await;
            assert_eq!(
                archive.apply(short()).await,
                [SessionOutcome::HeldElsewhere]
            );
        }
        let stored = archive
            .store
            .messages(&id(), &MessageQuery::default())
            .await
            .unwrap();
        assert_eq!(stored.len(), 2);
    }
}

#[tokio::test]
async fn the_rows_of_a_file_that_is_gone_are_kept_until_another_has_as_many() {
    let archive = archive().await.with_session("s1").await;
    let offer = async |count: u32| {
        let rows = (0..count)
            .map(|ordinal| message(ordinal, &format!("text {ordinal}")))
            .collect();
        let update = file("/moved.jsonl", Growth::Append, vec![session("s1", rows)]);
        archive
            .store
            .apply(&[update], |_| false, crate::made::now())
            .await
            .unwrap()
            .sessions
    };
    assert_eq!(offer(2).await, [SessionOutcome::HeldElsewhere]);
    assert_eq!(offer(4).await, [SessionOutcome::Unchanged]);
    assert_eq!(offer(5).await, [SessionOutcome::Appended]);
    assert_eq!(
        offer(2).await,
        [SessionOutcome::Rewritten],
        "a shorter file did not grow"
    );
}

#[tokio::test]
async fn two_files_of_one_session_may_come_in_one_batch() {
    let archive = archive().await;
    let messages = vec![message(0, "a"), message(1, "b")];
    let updates = [
        file(
            "/a.jsonl",
            Growth::New,
            vec![session("s1", vec![message(0, "a")])],
        ),
        file(
            "/b.jsonl",
            Growth::New,
            vec![session("s1", messages.clone())],
        ),
    ];
    let outcomes = archive
        .store
        .apply(&updates, |_| true, crate::made::now())
        .await
        .unwrap()
        .sessions;
    assert_eq!(outcomes, [SessionOutcome::Added, SessionOutcome::Rewritten]);
    let stored = archive
        .store
        .messages(&id(), &MessageQuery::default())
        .await
        .unwrap();
    assert_eq!(stored, messages);
}

#[tokio::test]
async fn model_055_a_fork_that_was_none_goes_unless_an_entry_depends_on_it() {
    let archive = archive().await;
    let fork = SessionId::new("s1-fork").unwrap();
    let both = || {
        vec![
            session("s1", vec![message(0, "a")]),
            session("s1-fork", vec![message(0, "a"), message(1, "b")]),
        ]
    };
    let alone = || {
        file(
            PATH,
            Growth::Append,
            vec![session("s1", vec![message(0, "a")])],
        )
    };
    archive.apply(file(PATH, Growth::New, both())).await;
    archive.apply(alone()).await;
    assert_eq!(archive.store.session(&fork).await.unwrap(), None);

    archive.apply(file(PATH, Growth::Append, both())).await;
    archive.insert(&entry("a", "s1-fork")).await.unwrap();
    archive.apply(alone()).await;
    assert!(archive.store.session(&fork).await.unwrap().is_some());
}

#[tokio::test]
async fn a_real_transcript_takes_the_place_of_a_placeholder() {
    let archive = archive().await;
    let entry = entry("a", "s1");
    let mut transaction = archive
        .store
        .begin(recall_store::Durability::PowerCut)
        .await
        .unwrap();
    transaction
        .insert_placeholder_session(&entry, crate::made::now())
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    let placeholder = archive.store.session(&id()).await.unwrap().unwrap();
    assert_eq!(
        (placeholder.machine.as_str(), placeholder.message_count),
        ("recall-import", 0)
    );
    let real = session("s1", vec![message(0, "a")]);
    archive.apply(file(PATH, Growth::New, vec![real])).await;
    let filled = archive.store.session(&id()).await.unwrap().unwrap();
    assert_eq!(
        (filled.machine.as_str(), filled.source_version.as_str()),
        ("", "2.1.40")
    );
    assert_eq!(
        archive
            .store
            .messages(&id(), &MessageQuery::default())
            .await
            .unwrap()[0]
            .ordinal,
        Ordinal::FIRST
    );
}

#[tokio::test]
async fn a_file_that_was_emptied_takes_no_session_out_of_the_archive() {
    let archive = archive().await.with_session("s1").await;
    let emptied = file("/srv/sessions/s1.jsonl", Growth::Rewrite, vec![]);
    assert_eq!(archive.apply(emptied).await, []);
    let stored = archive.store.session(&id()).await.unwrap().unwrap();
    assert_eq!(stored.message_count, 4);
}
