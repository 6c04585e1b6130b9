//! What a sync makes of entries, from the files on the disk to the entry in the archive
//! (S-E02, S-E03).

use std::fs;

use recall_core::{Entry, EntryId, RevocationReason};
use recall_engine::{ImportOptions, ListRequest, QueryRequest, SessionPolicy};
use recall_trust::review::Reviewer;
use recall_trust::trusted::is_trusted;

use crate::world::{FILE, SESSION, World, line, lines, world};

impl World {
    /// Imports an entry that cites messages 0 to 3 and the tool use between them.
    async fn import(&self, id: &str) -> Entry {
        let line = serde_json::json!({
            "candidate_id": id, "session_id": SESSION, "type": "fact", "scope": "project",
            "title": "Make runs everything", "body": "Run make.", "label": "correct",
            "transferable": true, "provenance_ok": true,
            "evidence": {
                "ordinal_start": 0, "ordinal_end": 3, "tool_use_ids": ["t1"],
                "snippets": ["Looking 1"],
            },
        });
        let options = ImportOptions {
            dry_run: false,
            sessions: SessionPolicy::RequireExisting,
            keep_going: false,
        };
        let reviewer = Reviewer::new("kim").unwrap();
        let line = line.to_string();
        let report = self
            .engine
            .import(&mut line.as_bytes(), options, &reviewer)
            .await
            .unwrap();
        assert!(report.committed, "{report:?}");
        self.entry(id).await
    }

    async fn entry(&self, id: &str) -> Entry {
        self.engine.entry(&EntryId::new(id).unwrap()).await.unwrap()
    }
}

async fn with_entry() -> (World, Entry) {
    let world = world().await;
    world.write(FILE, lines(8));
    world.sync(false).await;
    let entry = world.import("e").await;
    assert!(is_trusted(&entry));
    (world, entry)
}

async fn reason(world: &World) -> Option<RevocationReason> {
    let revocation = world.entry("e").await.revocation;
    revocation.map(|revocation| revocation.reason)
}

/// Puts another file in the place of the session's file.
fn replace(world: &World, bytes: &str) {
    world.write("claude/-srv-code-app/new", bytes);
    fs::rename(world.path("claude/-srv-code-app/new"), world.path(FILE)).unwrap();
}

#[tokio::test]
async fn model_054_a_full_sync_of_the_same_files_leaves_every_entry_as_it_was() {
    let (world, entry) = with_entry().await;
    let revisions = world.engine.store().revisions().await.unwrap();
    let report = world.sync(true).await;
    assert_eq!((report.files_read, report.sessions_unchanged), (1, 1));
    assert_eq!(report.evidence, recall_store::Verification::default());
    assert_eq!(world.entry("e").await, entry);
    assert_eq!(world.engine.store().revisions().await.unwrap(), revisions);
    let found = world
        .engine
        .query(&QueryRequest::new("what does make run"))
        .await
        .unwrap();
    assert_eq!(found.entries.len(), 1);
}

#[tokio::test]
async fn model_051_an_edit_outside_the_range_keeps_the_entry_through_a_full_sync() {
    let (world, entry) = with_entry().await;
    world.write(FILE, lines(8).replace("Answer 7", "Anders 7"));
    for full in [false, true] {
        let report = world.sync(full).await;
        assert_eq!(report.evidence.kept, u64::from(!full));
        assert_eq!(world.entry("e").await, entry);
    }
}

#[tokio::test]
async fn model_034_growth_keeps_the_entry() {
    let (world, entry) = with_entry().await;
    world.write(FILE, lines(12));
    let report = world.sync(false).await;
    assert_eq!((report.sessions_appended, report.evidence.kept), (1, 1));
    assert_eq!(world.entry("e").await, entry);
}

#[tokio::test]
async fn model_033_a_prompt_put_before_everything_shifts_the_entry() {
    for replaced in [false, true] {
        let (world, entry) = with_entry().await;
        let first = line(0)
            .replace("\"u0\"", "\"first\"")
            .replace("Prompt 0", "Hello");
        let rest = lines(8).replacen("\"parentUuid\":null", "\"parentUuid\":\"first\"", 1);
        let bytes = format!("{first}\n{rest}");
        if replaced {
            replace(&world, &bytes);
        } else {
            world.write(FILE, &bytes);
        }
        let report = world.sync(false).await;
        assert_eq!(report.evidence.shifted.len(), 1);
        let shifted = world.entry("e").await;
        assert_eq!(shifted.evidence[0].range.to_string(), "1-4");
        assert_eq!(
            shifted.evidence[0].content_digest,
            entry.evidence[0].content_digest
        );
        assert!(is_trusted(&shifted));
    }
}

#[tokio::test]
async fn model_044_and_047_cited_text_that_changes_is_revoked_for_good() {
    for replaced in [false, true] {
        let (world, _) = with_entry().await;
        let bytes = lines(8).replace("done 2", "gone 2");
        if replaced {
            replace(&world, &bytes);
        } else {
            world.write(FILE, &bytes);
        }
        let report = world.sync(false).await;
        assert_eq!(report.evidence.revoked.len(), 1);
        assert_eq!(
            reason(&world).await,
            Some(RevocationReason::ContentDigestMismatch)
        );
        let revoked = world.entry("e").await;
        world.write(FILE, lines(8));
        for full in [false, true] {
            let report = world.sync(full).await;
            assert_eq!(report.evidence, recall_store::Verification::default());
            assert_eq!(world.entry("e").await, revoked);
        }
    }
}

// model weakness 2
#[tokio::test]
async fn model_044_a_second_result_of_a_cited_call_is_found_as_it_is_appended() {
    let (world, _) = with_entry().await;
    let late = line(2)
        .replace("\"u2\"", "\"u2b\"")
        .replace("done 2", "done again");
    world.write(FILE, format!("{}{late}\n", lines(8)));
    world.sync(false).await;
    let results = &world.messages(SESSION).await[1].tool_calls[0].results;
    assert_eq!(results.len(), 2);
    let expected = Some(RevocationReason::ContentDigestMismatch);
    assert_eq!(reason(&world).await, expected);
}

#[tokio::test]
async fn model_068_a_session_whose_file_is_gone_keeps_its_entries() {
    let (world, entry) = with_entry().await;
    fs::remove_file(world.path(FILE)).unwrap();
    for full in [false, true] {
        world.sync(full).await;
        assert_eq!(world.entry("e").await, entry);
    }
    let listed = world.engine.list(&ListRequest::default()).await.unwrap();
    assert_eq!(listed.entries.len(), 1);
}
