//! Files that are damaged, and files that somebody made.

use recall_core::Status;
use recall_engine::{BackupError, EngineError, RestoreSkip, ReviewLog, ReviewRequest};
use recall_trust::trusted::is_trusted;

use super::{backup, id, lived_in, reset, restore, skips};
use crate::world::{World, someone};

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
