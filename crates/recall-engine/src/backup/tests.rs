use proptest::prelude::*;
use recall_core::digest::{ContentDigest, ContentVersion};
use recall_core::{
    Confidence, Entry, EntryId, EntryType, EpisodeId, Evidence, Ordinal, OrdinalRange,
    ReviewAction, ReviewState, Revocation, RevocationReason, RunId, Scope, SessionId, SourceUuid,
    Speaker, Status, Timestamp, ToolUseId,
};
use recall_store::ReplacedWording;
use recall_trust::review::{Decision, Standing, Wording};

use super::*;

fn entry(id: &str, texts: &[String], confidence: Option<f64>) -> Entry {
    let now: Timestamp = "2026-03-04T05:06:07.008Z".parse().unwrap();
    let session = SessionId::new("codex:s1").unwrap();
    let range = OrdinalRange::new(Ordinal::new(3), Ordinal::new(5)).unwrap();
    let digest = |digit: &str| digit.repeat(64);
    let title = format!("t{}", texts[0].replace(['\n', '\r'], ""));
    let body = format!("b{}", texts[1]);
    Entry {
        scope: Scope::File,
        status: Status::Archived,
        review_state: ReviewState::CalibratedAuto,
        trigger: texts[2].clone(),
        confidence: confidence.map(|it| Confidence::new(it).unwrap()),
        uncertainty: texts[3].clone(),
        project: texts[4].clone(),
        cwd: "/srv/code".to_owned(),
        git_branch: "main".to_owned(),
        agent: "codex".to_owned(),
        source_episode_id: EpisodeId::optional("episode").unwrap(),
        source_run_id: RunId::optional("run").unwrap(),
        extractor_method: "rules".to_owned(),
        model: "none".to_owned(),
        transferable: true,
        revocation: Some(Revocation {
            reason: RevocationReason::WindowInvalid,
            at: now,
        }),
        claimed_type: Some(EntryType::Decision),
        evidence: vec![Evidence {
            start_uuid: Some(SourceUuid::new("u3").unwrap()),
            message_count: Some(2),
            content_bytes: Some(40),
            content_digest: ContentDigest::from_stored(ContentVersion::V1, digest("0")),
            opening_digest: Some(digest("a")),
            speakers: vec![Speaker::ToolOutput, Speaker::FetchedPage],
            tool_use_id: Some(ToolUseId::new("t1").unwrap()),
            snippets: vec![texts[5].clone()],
            ..Evidence::claimed(session.clone(), range)
        }],
        ..Entry::new(EntryId::new(id).unwrap(), session, title, body, now)
    }
}

fn backup(texts: &[String], confidence: Option<f64>) -> Backup {
    let entry = entry("e1", texts, confidence);
    let decision = Decision {
        number: 3,
        entry_id: entry.id.clone(),
        action: ReviewAction::Edit,
        reviewer: "kim".to_owned(),
        at: entry.created_at,
        note: texts[2].clone(),
        standing: Some((Standing::of(&entry), Standing::of(&entry))),
        other: EntryId::optional("e0").unwrap(),
        undoes: None,
        undone_by: Some(9),
    };
    let undo = Decision {
        number: 9,
        action: ReviewAction::Undo,
        undoes: Some(3),
        undone_by: None,
        standing: None,
        ..decision.clone()
    };
    Backup {
        created_at: entry.created_at,
        wordings: vec![ReplacedWording {
            entry_id: entry.id.clone(),
            replaced_by: 3,
            wording: Wording::of(&entry),
        }],
        decisions: vec![decision, undo],
        entries: vec![entry],
    }
}

fn written(backup: &Backup) -> Vec<u8> {
    let mut bytes = Vec::new();
    backup.write_to(&mut bytes).unwrap();
    bytes
}

// B-12
proptest! {
    #[test]
    fn a_backup_reads_back_as_what_was_written(
        texts in prop::collection::vec(any::<String>(), 6),
        confidence in prop::option::of(0.0..=1.0),
    ) {
        let backup = backup(&texts, confidence);
        let bytes = written(&backup);
        prop_assert_eq!(Backup::read_from(&mut bytes.as_slice()).unwrap(), backup);
        let text = String::from_utf8(bytes).unwrap();
        let clean = recall_text::clean_block(&text).into_owned();
        prop_assert_eq!(clean, text);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(
        at in any::<prop::sample::Index>(),
        with in prop::collection::vec(any::<u8>(), 0..4),
    ) {
        let texts = vec!["text".to_owned(); 6];
        let mut bytes = written(&backup(&texts, None));
        let at = at.index(bytes.len());
        bytes.splice(at..(at + 2).min(bytes.len()), with);
        let _ = Backup::read_from(&mut bytes.as_slice());
    }
}
