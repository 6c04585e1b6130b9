//! Backup, restore, reset and export over a real archive (B-12, S-L05).

mod export;
mod forged;
mod reset;

use recall_core::{EntryId, Scope, SessionId, Status};
use recall_engine::{
    Backup, EngineError, ExportRequest, Holdings, RestoreMode, RestoreReport, RestoreSkip,
    ReviewLog, ReviewRequest,
};
use recall_trust::evidence::Doubt;
use recall_trust::insertion::{Confirmed, RestoredEvidence};
use recall_trust::review::Edit;
use recall_trust::trusted::is_trusted;

use crate::world::{PLACEHOLDER, VERIFIED, World, line, replacing, someone, world};

fn yes() -> Confirmed {
    Confirmed::given(true).unwrap()
}

fn id(id: &str) -> EntryId {
    EntryId::new(id).unwrap()
}

/// An archive with every kind of entry and decision.
async fn lived_in() -> World {
    let world = world().await;
    let quoting = r#""confidence":0.9255432525486791,"evidence":{"ordinal_start":1,"ordinal_end":3,"tool_use_ids":["t1"],"snippets":["database is locked"]}"#;
    let lines = [
        line("old", ""),
        replacing("mid", "old"),
        replacing("new", "mid"),
        line("quoting", quoting),
        line("wrong", ""),
        line("edited", ""),
        line("undone", ""),
    ];
    let report = world.import(&lines, VERIFIED).await;
    assert!(report.committed, "{report:?}");
    let absent = world
        .import(&[line("absent", r#""session_id":"s9""#)], PLACEHOLDER)
        .await;
    assert!(absent.committed);
    let edit = ReviewRequest::Edit(Edit {
        title: Some("One writer alone".to_owned()),
        body: Some("Two writers \u{202e}lock\u{1b}[2J it.\n".to_owned()),
        scope: Some(Scope::Tool),
        ..Edit::default()
    });
    for (entry, request, note) in [
        ("edited", edit, ""),
        ("wrong", ReviewRequest::Reject, "It was the backup job."),
        ("undone", ReviewRequest::Archive, ""),
    ] {
        world
            .engine
            .review(&id(entry), &request, note, &someone())
            .await
            .unwrap();
    }
    world.engine.undo(&someone()).await.unwrap().unwrap();
    world
}

async fn backup(world: &World) -> Vec<u8> {
    let mut bytes = Vec::new();
    world
        .engine
        .export(&ExportRequest::Backup, &mut bytes)
        .await
        .unwrap();
    bytes
}

async fn restore(world: &World, bytes: &[u8]) -> Result<RestoreReport, EngineError> {
    let mut input = bytes;
    world
        .engine
        .restore(&mut input, RestoreMode::Write(yes()))
        .await
}

async fn reset(world: &World, log: ReviewLog) -> Holdings {
    let mut save = |_: &Backup| Ok(());
    world.engine.reset(log, yes(), &mut save).await.unwrap()
}

fn skips(report: &RestoreReport) -> Vec<RestoreSkip> {
    let fates = report.entries.iter().map(|item| item.fate);
    fates.filter_map(Result::err).collect()
}

// B-12
#[tokio::test]
async fn a_backup_comes_back_byte_for_byte_whether_or_not_the_log_was_kept() {
    for log in [ReviewLog::Keep, ReviewLog::Forget] {
        let world = lived_in().await;
        let before = backup(&world).await;
        assert_eq!(reset(&world, log).await.entries, 8);
        assert_ne!(backup(&world).await, before);
        let report = restore(&world, &before).await.unwrap();
        assert_eq!(skips(&report), []);
        assert!(
            report
                .entries
                .iter()
                .all(|item| item.fate == Ok(RestoredEvidence::AsItWas))
        );
        assert_eq!(report.decisions.left_out, 0);
        let after = backup(&world).await;
        assert_eq!(
            String::from_utf8(after).unwrap(),
            String::from_utf8(before).unwrap()
        );
        assert!(is_trusted(&world.entry("new").await.unwrap()));
        assert!(world.entry("wrong").await.unwrap().is_rejected);
    }
}

#[tokio::test]
async fn a_backup_is_harmless_on_a_terminal() {
    let world = lived_in().await;
    let text = String::from_utf8(backup(&world).await).unwrap();
    assert!(
        text.contains("\\u202e") && text.contains("\\u001b"),
        "{text}"
    );
    assert!(!text.contains(['\u{202e}', '\u{1b}']));
}

#[tokio::test]
async fn restoring_what_is_there_changes_nothing() {
    let world = lived_in().await;
    let before = backup(&world).await;
    let revisions = world.engine.store().revisions().await.unwrap();
    let report = restore(&world, &before).await.unwrap();
    assert_eq!(skips(&report), [RestoreSkip::Duplicate; 8]);
    assert_eq!(report.decisions.restored, 0);
    assert_eq!(report.wordings.restored, 0);
    assert_eq!(backup(&world).await, before);
    assert_eq!(world.engine.store().revisions().await.unwrap(), revisions);
}

#[tokio::test]
async fn an_entry_that_was_imported_anew_gets_its_wordings_back_with_its_decisions() {
    for log in [ReviewLog::Keep, ReviewLog::Forget] {
        let world = world().await;
        world.import(&[line("a", "")], VERIFIED).await;
        let edit = ReviewRequest::Edit(Edit {
            body: Some("Better.".to_owned()),
            ..Edit::default()
        });
        world
            .engine
            .review(&id("a"), &edit, "", &someone())
            .await
            .unwrap();
        let bytes = backup(&world).await;
        reset(&world, log).await;
        world
            .import(&[line("a", r#""body":"Better.""#)], VERIFIED)
            .await;
        let report = restore(&world, &bytes).await.unwrap();
        assert_eq!(skips(&report), [RestoreSkip::Duplicate]);
        assert_eq!(report.wordings.restored, 1, "{log:?}");
        let wordings = world.engine.history(&id("a")).await.unwrap().wordings;
        assert_eq!(wordings.len(), 1, "{log:?}");
        let again = restore(&world, &bytes).await.unwrap();
        assert_eq!((again.wordings.present, again.wordings.restored), (1, 0));
        if log == ReviewLog::Forget {
            let undone = world.engine.undo(&someone()).await.unwrap().unwrap();
            assert_eq!(undone.entry.unwrap().body, wordings[0].wording.body);
        }
    }
}

#[tokio::test]
async fn a_dry_run_says_the_same_and_writes_nothing() {
    let world = lived_in().await;
    let bytes = backup(&world).await;
    reset(&world, ReviewLog::Forget).await;
    let empty = backup(&world).await;
    let mut input = bytes.as_slice();
    let dry = world
        .engine
        .restore(&mut input, RestoreMode::DryRun)
        .await
        .unwrap();
    assert_eq!(backup(&world).await, empty);
    let real = restore(&world, &bytes).await.unwrap();
    assert_eq!(
        real,
        RestoreReport {
            dry_run: false,
            ..dry
        }
    );
}

// B-12, S-E01
#[tokio::test]
async fn what_does_not_verify_any_more_comes_back_unverified_and_can_be_confirmed_later() {
    let world = lived_in().await;
    let bytes = backup(&world).await;
    reset(&world, ReviewLog::Keep).await;
    world.store_session("Something else").await;
    let report = restore(&world, &bytes).await.unwrap();
    let fate = |id: &str| {
        let item = report.entries.iter().find(|item| item.id.as_str() == id);
        item.unwrap().fate
    };
    assert!(matches!(
        fate("new"),
        Ok(RestoredEvidence::Unverified(Doubt::NotThere(_)))
    ));
    assert_eq!(fate("quoting"), Ok(RestoredEvidence::AsItWas));
    let entry = world.entry("new").await.unwrap();
    assert!(!entry.provenance_ok && entry.revocation.is_none());
    assert!(entry.evidence[0].content_digest.is_some());

    world.store_session("The tests fail").await;
    world
        .engine
        .reverify(&recall_engine::ReverifyScope::All)
        .await
        .unwrap();
    assert!(is_trusted(&world.entry("new").await.unwrap()));
    assert_eq!(
        skips(&restore(&world, &bytes).await.unwrap()),
        [RestoreSkip::Duplicate; 8]
    );
}

// S-E03
#[tokio::test]
async fn what_was_revoked_stays_revoked() {
    let world = lived_in().await;
    world.store_session("Something else").await;
    assert!(world.entry("new").await.unwrap().revocation.is_some());
    let bytes = backup(&world).await;
    reset(&world, ReviewLog::Keep).await;
    world.store_session("The tests fail").await;
    restore(&world, &bytes).await.unwrap();
    let entry = world.entry("new").await.unwrap();
    assert!(!entry.provenance_ok && entry.revocation.is_some());
    assert_eq!(backup(&world).await, bytes);
}

#[tokio::test]
async fn another_archive_stands_in_for_the_sessions_that_it_has_not() {
    let world = lived_in().await;
    let bytes = backup(&world).await;
    let other = crate::world::world().await;
    other
        .engine
        .store()
        .trash_session(
            &SessionId::new("s1").unwrap(),
            "2026-03-04T05:06:07Z".parse().unwrap(),
        )
        .await
        .unwrap();
    let report = restore(&other, &bytes).await.unwrap();
    assert_eq!(skips(&report), []);
    let entry = other.entry("new").await.unwrap();
    assert!(entry.provenance_ok && entry.is_source_withdrawn && !is_trusted(&entry));
    assert!(!other.entry("absent").await.unwrap().provenance_ok);
}

#[tokio::test]
async fn a_session_that_was_removed_for_good_stays_removed() {
    let world = lived_in().await;
    // The successor of `elsewhere` goes with its session.
    let lines = [
        line("elsewhere", r#""session_id":"s8""#),
        line(
            "gone",
            r#""session_id":"s9","supersedes_entry_id":"elsewhere""#,
        ),
    ];
    assert!(world.import(&lines, PLACEHOLDER).await.committed);
    let bytes = backup(&world).await;
    world
        .engine
        .store()
        .delete_session(
            &SessionId::new("s9").unwrap(),
            "2026-03-04T05:06:07Z".parse().unwrap(),
        )
        .await
        .unwrap()
        .unwrap();
    reset(&world, ReviewLog::Keep).await;
    let report = restore(&world, &bytes).await.unwrap();
    assert_eq!(skips(&report), [RestoreSkip::SourceRemoved; 2]);
    let entry = world.entry("elsewhere").await.unwrap();
    assert_eq!(
        (entry.status, entry.superseded_by),
        (Status::Accepted, None)
    );
    // What comes out again is sound.
    let again = backup(&world).await;
    reset(&world, ReviewLog::Forget).await;
    restore(&world, &again).await.unwrap();
    assert_eq!(backup(&world).await, again);
}

#[tokio::test]
async fn an_entry_that_says_something_else_is_a_conflict_and_stays() {
    let world = lived_in().await;
    let bytes = backup(&world).await;
    reset(&world, ReviewLog::Forget).await;
    let other = line("mid", r#""body":"Another conclusion.""#);
    world.import(&[other, line("wrong", "")], VERIFIED).await;
    let report = restore(&world, &bytes).await.unwrap();
    assert_eq!(skips(&report), [RestoreSkip::Conflict; 2]);
    // The rejection is about an entry that stays as it is here.
    assert_eq!(report.decisions.left_out, 2, "{:?}", report.decisions);
    let kept = world.entry("wrong").await.unwrap();
    assert!(is_trusted(&kept) && !kept.is_rejected);
    assert_eq!(
        world.entry("mid").await.unwrap().body,
        "Another conclusion."
    );
    let old = world.entry("old").await.unwrap();
    assert_eq!((old.status, old.superseded_by), (Status::Archived, None));
    assert_eq!(world.entry("new").await.unwrap().supersedes, None);
    let again = backup(&world).await;
    reset(&world, ReviewLog::Forget).await;
    restore(&world, &again).await.unwrap();
    assert_eq!(backup(&world).await, again);
}
