//! Backup, restore, reset and export over a real archive (B-12, S-L05).

use std::io;

use recall_core::{Entry, EntryFilter, EntryId, Scope, SessionId, Status};
use recall_engine::{
    Backup, BackupError, EngineError, ExportRequest, Holdings, QueryRequest, RestoreMode,
    RestoreReport, RestoreSkip, ReviewLog, ReviewRequest,
};
use recall_store::{MessageQuery, SessionQuery};
use recall_trust::evidence::Doubt;
use recall_trust::insertion::{Confirmed, RestoredEvidence};
use recall_trust::review::Edit;
use recall_trust::trusted::is_trusted;

use crate::world::{PLACEHOLDER, VERIFIED, World, line, outcomes, replacing, someone, world};

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

async fn refusal(world: &World, bytes: &[u8]) -> BackupError {
    let refused = restore(world, bytes).await.unwrap_err();
    assert!(matches!(refused, EngineError::Backup(_)), "{refused:?}");
    let EngineError::Backup(error) = refused else {
        unreachable!()
    };
    error
}

/// The lines of a backup with a right end.
fn sealed(lines: &[String]) -> Vec<u8> {
    use sha2::{Digest, Sha256};

    let text = lines.join("\n") + "\n";
    let hash = Sha256::digest(&text)
        .iter()
        .fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    let end = format!(r#"{{"end":{{"lines":{},"sha256":"{hash}"}}}}"#, lines.len());
    format!("{text}{end}\n").into_bytes()
}

/// The backup with a change to its lines before the end, sealed again: what a forger would make.
async fn forged(world: &World, change: impl Fn(&mut Vec<String>)) -> Vec<u8> {
    let bytes = backup(world).await;
    let mut lines: Vec<String> = String::from_utf8(bytes)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    lines.pop();
    change(&mut lines);
    sealed(&lines)
}

fn replace(lines: &mut [String], entry: &str, from: &str, to: &str) {
    let start = format!(r#"{{"entry":{{"id":"{entry}","#);
    let line = lines
        .iter_mut()
        .find(|line| line.starts_with(&start))
        .unwrap();
    assert!(line.contains(from), "{line}");
    *line = line.replace(from, to);
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
    reset(&world, ReviewLog::Keep).await;
    world
        .engine
        .store()
        .delete_session(
            &SessionId::new("s9").unwrap(),
            "2026-03-04T05:06:07Z".parse().unwrap(),
        )
        .await
        .unwrap();
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

#[tokio::test]
async fn a_rejected_id_comes_back_archived_whatever_the_file_says() {
    let world = lived_in().await;
    let bytes = forged(&world, |lines| {
        replace(
            lines,
            "wrong",
            r#""status":"archived""#,
            r#""status":"accepted""#,
        );
    })
    .await;
    reset(&world, ReviewLog::Keep).await;
    restore(&world, &bytes).await.unwrap();
    let entry = world.entry("wrong").await.unwrap();
    assert!(entry.is_rejected && entry.status == Status::Archived);
}

#[tokio::test]
async fn a_cut_altered_or_foreign_file_is_refused_as_what_it_is() {
    let world = lived_in().await;
    let bytes = backup(&world).await;
    reset(&world, ReviewLog::Forget).await;
    let empty = backup(&world).await;
    let line_ends: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] == b'\n').collect();
    for cut in [line_ends[2] + 1, line_ends[4] + 20] {
        assert!(matches!(
            refusal(&world, &bytes[..cut]).await,
            BackupError::Cut(_)
        ));
    }
    for at in (line_ends[0] + 1..*line_ends.iter().rev().nth(1).unwrap()).step_by(97) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1;
        assert!(
            matches!(
                refusal(&world, &flipped).await,
                BackupError::Altered { .. }
                    | BackupError::Line { .. }
                    | BackupError::AfterTheEnd(_)
            ),
            "{at}"
        );
    }
    let twice = [bytes.as_slice(), bytes.as_slice()].concat();
    assert!(matches!(
        refusal(&world, &twice).await,
        BackupError::AfterTheEnd(_)
    ));
    for foreign in [
        "",
        "\n",
        "{}",
        "[1]\n",
        r#"{"header":{"format":"x","version":1}}"#,
    ] {
        assert!(
            matches!(
                refusal(&world, foreign.as_bytes()).await,
                BackupError::NotABackup(_)
            ),
            "{foreign}"
        );
    }
    let newer = r#"{"header":{"format":"agentsview-recall-backup","version":2,"more":true}}"#;
    assert_eq!(
        refusal(&world, newer.as_bytes()).await.to_string(),
        "the backup has format version 2, and this program knows 1 at most"
    );
    let mut huge = bytes[..=line_ends[0]].to_vec();
    huge.resize(huge.len() + (9 << 20), b'x');
    assert!(matches!(
        refusal(&world, &huge).await,
        BackupError::LineTooLong { line: 2, .. }
    ));
    assert_eq!(backup(&world).await, empty);
}

#[tokio::test]
async fn a_file_cannot_use_up_the_numbers_of_the_log() {
    let world = lived_in().await;
    let bytes = forged(&world, |lines| {
        let undo = lines
            .iter_mut()
            .find(|line| line.contains(r#""undo""#))
            .unwrap();
        *undo = undo.replace(r#""number":6"#, r#""number":9223372036854775807"#);
    })
    .await;
    reset(&world, ReviewLog::Forget).await;
    let report = restore(&world, &bytes).await.unwrap();
    assert_eq!(report.decisions.restored, 6);
    let archive = ReviewRequest::Archive;
    let reviewed = world
        .engine
        .review(&id("undone"), &archive, "", &someone())
        .await
        .unwrap();
    assert_eq!(reviewed.decision.number, 7);
}

type Forgery = fn(&mut Vec<String>);

#[tokio::test]
async fn rows_that_contradict_each_other_are_refused() {
    let world = lived_in().await;
    let forgeries: [(&str, Forgery); 12] = [
        ("two entries", |lines| {
            let line = lines[lines.len() - 2].clone();
            lines.insert(lines.len() - 1, line);
            lines[0] = lines[0]
                .replace(r#""entries":8"#, r#""entries":9"#)
                .replace(r#""evidence":8"#, r#""evidence":9"#);
        }),
        ("counts other rows", |lines| {
            lines.remove(lines.len() - 2);
        }),
        ("replaces itself in the end", |lines| {
            replace(
                lines,
                "new",
                r#""superseded_by_entry_id":null"#,
                r#""superseded_by_entry_id":"old""#,
            );
            replace(
                lines,
                "new",
                r#""status":"accepted""#,
                r#""status":"archived""#,
            );
            replace(
                lines,
                "old",
                r#""supersedes_entry_id":null"#,
                r#""supersedes_entry_id":"new""#,
            );
        }),
        ("linked to one that is not linked to it", |lines| {
            replace(
                lines,
                "edited",
                r#""supersedes_entry_id":null"#,
                r#""supersedes_entry_id":"old""#,
            );
        }),
        ("still in force", |lines| {
            replace(
                lines,
                "old",
                r#""status":"archived""#,
                r#""status":"accepted""#,
            );
        }),
        ("cites session s2", |lines| {
            replace(lines, "new", r#""session_id":"s1""#, r#""session_id":"s2""#);
        }),
        ("claimed to be a fact in vain", |lines| {
            replace(
                lines,
                "new",
                r#""claimed_type":null"#,
                r#""claimed_type":"fact""#,
            );
        }),
        ("unknown field", |lines| {
            replace(lines, "new", r#""title":"#, r#""trusted":true,"title":"#);
        }),
        ("duplicate field", |lines| {
            replace(lines, "new", r#""title":"#, r#""title":"x","title":"#);
        }),
        ("cannot take decision", |lines| {
            let undo = lines
                .iter_mut()
                .find(|line| line.contains(r#""undo""#))
                .unwrap();
            *undo = undo.replace(r#""undoes":5"#, r#""undoes":1"#);
        }),
        ("does not follow", |lines| {
            lines[1] = lines[1].replace(r#""number":1"#, r#""number":9223372036854775807"#);
        }),
        ("not all of its evidence was bound", |lines| {
            let digest = lines
                .iter()
                .find(|line| line.contains(r#""id":"new""#))
                .unwrap();
            let start = digest.find(r#""content_digest":{"#).unwrap();
            let end = digest[start..].find('}').unwrap() + start + 1;
            let digest = digest[start..end].to_owned();
            replace(lines, "new", &digest, r#""content_digest":null"#);
        }),
    ];
    for (why, forgery) in forgeries {
        let bytes = forged(&world, forgery).await;
        let error = refusal(&world, &bytes).await.to_string();
        assert!(error.contains(why), "{why}: {error}");
    }
}

// S-E01, S-E06
#[tokio::test]
async fn a_forged_entry_is_not_trusted_for_a_text_that_is_not_there() {
    let world = lived_in().await;
    let bytes = forged(&world, |lines| {
        let line = lines
            .iter()
            .find(|line| line.contains(r#""id":"quoting""#))
            .unwrap();
        let digest = &line[line.find(r#""sha256":""#).unwrap()..][..74];
        let zeros = format!(r#""sha256":"{}"#, "0".repeat(64));
        let (from, zeros) = (digest.to_owned(), zeros);
        replace(lines, "quoting", &from, &zeros);
        replace(
            lines,
            "new",
            r#""snippets":[]"#,
            r#""snippets":["run it as root"]"#,
        );
    })
    .await;
    reset(&world, ReviewLog::Keep).await;
    restore(&world, &bytes).await.unwrap();
    for id in ["quoting", "new"] {
        let entry = world.entry(id).await.unwrap();
        assert!(!entry.provenance_ok && !is_trusted(&entry), "{id}");
    }
    assert!(is_trusted(&world.entry("edited").await.unwrap()));
}

#[tokio::test]
async fn an_entry_with_a_secret_is_left_out_and_the_rest_comes_back() {
    let world = lived_in().await;
    let bytes = forged(&world, |lines| {
        let token = ["ghp_", "q7VbT2mXw9LrKd4Yz8HsNc3JfGp6EaUo5RiQ"].concat();
        replace(lines, "quoting", "Two writers on one file", &token);
    })
    .await;
    reset(&world, ReviewLog::Keep).await;
    let report = restore(&world, &bytes).await.unwrap();
    assert_eq!(skips(&report), [RestoreSkip::Secret]);
    assert!(world.entry("quoting").await.is_none());
}

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

fn said(mut entry: Entry) -> Entry {
    let moment = "2026-03-04T05:06:07Z".parse().unwrap();
    (entry.created_at, entry.updated_at) = (moment, moment);
    entry.supersedes = None;
    for row in &mut entry.evidence {
        row.id = 0;
    }
    entry
}

async fn trusted(world: &World) -> Vec<Entry> {
    let filter = EntryFilter {
        trusted_only: true,
        ..EntryFilter::default()
    };
    let mut entries: Vec<Entry> = world
        .engine
        .store()
        .entries(&filter, None)
        .await
        .unwrap()
        .into_iter()
        .map(said)
        .collect();
    entries.sort_by(|one, other| one.id.cmp(&other.id));
    entries
}

async fn jsonl(world: &World, trusted_only: bool) -> String {
    let filter = EntryFilter {
        trusted_only,
        ..EntryFilter::default()
    };
    let mut bytes = Vec::new();
    world
        .engine
        .export(&ExportRequest::Jsonl(filter), &mut bytes)
        .await
        .unwrap();
    String::from_utf8(bytes).unwrap()
}

// B-12
#[tokio::test]
async fn trusted_entries_import_again_without_loss() {
    let world = lived_in().await;
    let before = trusted(&world).await;
    assert_eq!(before.len(), 4);
    let lines = jsonl(&world, true).await;
    reset(&world, ReviewLog::Forget).await;
    let lines: Vec<String> = lines.lines().map(str::to_owned).collect();
    let report = world.import(&lines, VERIFIED).await;
    assert_eq!(outcomes(&report), ["ok"; 4], "{report:?}");
    assert_eq!(trusted(&world).await, before);
}

#[tokio::test]
async fn an_import_passes_over_what_is_not_trusted() {
    let world = lived_in().await;
    let lines = jsonl(&world, false).await;
    reset(&world, ReviewLog::Forget).await;
    let lines: Vec<String> = lines.lines().map(str::to_owned).collect();
    let report = world.import(&lines, VERIFIED).await;
    assert_eq!(
        outcomes(&report),
        ["provenance_not_ok", "ok", "ok", "ok", "ok"]
    );
}
