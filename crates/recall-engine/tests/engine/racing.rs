//! An import and a rewrite of the transcript that it cites, at once.

use std::sync::Arc;

use recall_core::{Entry, RevocationReason};
use recall_engine::ImportOptions;
use recall_trust::evidence::{self, Selection};

use crate::world::{VERIFIED, World, line, outcomes, world};

/// How often an import meets a rewrite.
const ROUNDS: u32 = 40;
/// What the cited prompt says by turns.
const PROMPTS: [&str; 2] = ["The tests fail", "The tests fail again"];

/// Whether the entry has the digest that the committed transcript gives.
async fn is_of_the_transcript(world: &World, entry: &Entry) -> bool {
    let mut snapshot = world.engine.store().snapshot().await.unwrap();
    let (session, cited) = (&entry.source_session_id, &entry.evidence[0]);
    let messages = snapshot.cited_messages(session, cited.range).await.unwrap();
    let activity = evidence::SessionActivity::default();
    let window = evidence::window(session.clone(), cited.range, messages, activity).unwrap();
    let selection = Selection {
        range: cited.range,
        tool_use_ids: entry
            .evidence
            .iter()
            .filter_map(|row| row.tool_use_id.clone())
            .collect(),
    };
    let bound = evidence::bind(&window, &selection).unwrap();
    cited.content_digest.as_ref() == Some(bound.content_digest())
}

async fn check(world: &World) -> [u32; 2] {
    let [mut valid, mut revoked] = [0, 0];
    for round in 0..ROUNDS {
        let Some(entry) = world.entry(&format!("e{round}")).await else {
            continue;
        };
        if let Some(revocation) = entry.revocation {
            assert_eq!(revocation.reason, RevocationReason::ContentDigestMismatch);
            assert!(!entry.provenance_ok);
            revoked += 1;
        } else {
            assert!(entry.provenance_ok);
            assert!(is_of_the_transcript(world, &entry).await, "e{round}");
            valid += 1;
        }
    }
    [valid, revoked]
}

// S-E02, S-E03
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn model_120_an_import_that_races_a_rewrite_never_trusts_text_that_has_gone() {
    let world = Arc::new(world().await);
    let tools = r#""evidence":{"ordinal_start":0,"ordinal_end":3,"tool_use_ids":["t1"]}"#;
    let mut imported = 0;
    for round in 0..ROUNDS {
        let start = Arc::new(tokio::sync::Barrier::new(4));
        let mut rewrites = tokio::task::JoinSet::new();
        for prompt in PROMPTS {
            let (world, start) = (Arc::clone(&world), Arc::clone(&start));
            rewrites.spawn(async move {
                start.wait().await;
                world.store_session(prompt).await;
            });
        }
        let import = {
            let (world, start) = (Arc::clone(&world), Arc::clone(&start));
            let line = line(&format!("e{round}"), tools);
            tokio::spawn(async move {
                start.wait().await;
                let report = world.import(&[line], VERIFIED).await;
                assert_eq!(outcomes(&report).len(), 1);
                u32::from(report.committed)
            })
        };
        let dry = {
            let (world, start) = (Arc::clone(&world), Arc::clone(&start));
            tokio::spawn(async move {
                start.wait().await;
                let options = ImportOptions {
                    dry_run: true,
                    ..VERIFIED
                };
                world.import(&[line("dry", tools)], options).await
            })
        };
        while let Some(rewritten) = rewrites.join_next().await {
            rewritten.unwrap();
        }
        imported += import.await.unwrap();
        assert!(!dry.await.unwrap().committed);
        check(&world).await;
    }
    let [valid, revoked] = check(&world).await;
    assert_eq!(valid + revoked, imported, "a report that says so is kept");
    // One more prompt that no entry was bound to: not one of them survives it.
    world.store_session("Something else").await;
    assert_eq!(check(&world).await, [0, imported]);
}
