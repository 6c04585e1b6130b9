//! However a file came to be what it is, the archive holds what a fresh parse gives.

use std::fs;

use proptest::prelude::*;

use crate::world::{FILE, SESSION, World, line, lines, world};

#[tokio::test]
async fn syncing_the_same_tree_twice_changes_nothing() {
    let world = world().await;
    world.write(FILE, lines(8));
    let first = world.sync(false).await;
    assert_eq!((first.files_read, first.sessions_added), (1, 1));
    let before = (world.session(SESSION).await, world.messages(SESSION).await);
    let second = world.sync(false).await;
    assert_eq!((second.files_read, second.files_unchanged), (0, 1));
    let full = world.sync(true).await;
    assert_eq!((full.files_read, full.sessions_unchanged), (1, 1));
    assert_eq!(
        (world.session(SESSION).await, world.messages(SESSION).await),
        before
    );
}

#[tokio::test]
async fn growth_is_appended_and_a_late_result_joins_its_call() {
    let world = world().await;
    world.write(FILE, lines(2));
    world.sync(false).await;
    assert!(
        world.messages(SESSION).await[1].tool_calls[0]
            .results
            .is_empty()
    );
    world.write(FILE, lines(4));
    let report = world.sync(false).await;
    assert_eq!(report.sessions_appended, 1);
    let messages = world.messages(SESSION).await;
    assert_eq!(messages[1].tool_calls[0].results[0].content, "done 2");
    let ordinals: Vec<u32> = messages
        .iter()
        .map(|message| message.ordinal.get())
        .collect();
    assert_eq!(
        ordinals,
        [0, 1, 3],
        "the row that only carried the result is not stored"
    );
}

#[tokio::test]
async fn a_rewrite_of_equal_size_and_time_is_seen() {
    let world = world().await;
    world.write(FILE, lines(4));
    world.sync(false).await;
    let path = world.path(FILE);
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    world.write(FILE, lines(4).replace("Answer 3", "Anders 3"));
    fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(modified)
        .unwrap();
    let report = world.sync(false).await;
    assert_eq!(report.sessions_rewritten, 1);
    assert_eq!(world.messages(SESSION).await[2].content, "Anders 3");
}

#[tokio::test]
async fn a_longer_file_with_another_beginning_is_a_rewrite() {
    let world = world().await;
    world.write(FILE, lines(4));
    world.sync(false).await;
    world.write(FILE, lines(8).replace("Prompt 0", "Prompt zero"));
    let report = world.sync(false).await;
    assert_eq!(
        (report.sessions_appended, report.sessions_rewritten),
        (0, 1)
    );
    assert_eq!(world.messages(SESSION).await[0].content, "Prompt zero");
}

#[tokio::test]
async fn a_deleted_file_keeps_its_session() {
    let world = world().await;
    world.write(FILE, lines(4));
    world.sync(false).await;
    fs::remove_file(world.path(FILE)).unwrap();
    world.sync(false).await;
    assert_eq!(world.messages(SESSION).await.len(), 3);
}

#[tokio::test]
async fn a_codex_session_takes_its_name_from_the_index_beside_the_folder() {
    let id = "019c8a4c-ed82-79a1-aa28-7738fc5ab61a";
    let world = world().await;
    let meta = format!(
        r#"{{"timestamp":"2026-03-04T05:06:07Z","type":"session_meta","payload":{{"id":"{id}","cwd":"/srv/code/app"}}}}"#
    );
    let item = r#"{"timestamp":"2026-03-04T05:06:08Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello"}]}}"#;
    let file = format!("codex/sessions/2026/03/04/rollout-2026-03-04T05-06-07-{id}.jsonl");
    world.write(&file, format!("{meta}\n{item}\n"));
    world.sync(false).await;
    let session = format!("codex:{id}");
    assert_eq!(world.session(&session).await.unwrap().name, "");
    world.write(
        "codex/session_index.jsonl",
        format!(r#"{{"id":"{id}","thread_name":"Greeting"}}"#),
    );
    let report = world.sync(false).await;
    assert_eq!(report.files_read, 0);
    assert_eq!(world.session(&session).await.unwrap().name, "Greeting");
    world.sync(true).await;
    assert_eq!(world.session(&session).await.unwrap().name, "Greeting");
}

/// What a fresh archive makes of the same bytes.
async fn fresh(bytes: &[u8]) -> World {
    let fresh = world().await;
    fresh.write(FILE, bytes);
    fresh.sync(false).await;
    fresh
}

/// Revisions and scan stamps count how it came about; everything else must be equal.
async fn assert_same(grown: &World, fresh: &World) -> Result<(), TestCaseError> {
    prop_assert_eq!(grown.messages(SESSION).await, fresh.messages(SESSION).await);
    let mut grown = grown.session(SESSION).await;
    if let (Some(grown), Some(fresh)) = (&mut grown, fresh.session(SESSION).await) {
        grown.transcript_revision = fresh.transcript_revision;
    }
    prop_assert_eq!(grown, fresh.session(SESSION).await);
    Ok(())
}

fn block_on(test: impl Future<Output = Result<(), TestCaseError>>) -> Result<(), TestCaseError> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(test)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_prefix_and_then_the_rest_equals_one_full_parse(
        count in 1_usize..12,
        cuts in prop::collection::vec(0.0..1.0_f64, 1..4),
    ) {
        block_on(async {
            let bytes = lines(count);
            let grown = world().await;
            let mut cuts: Vec<usize> = cuts
                .iter()
                .map(|cut| {
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss,
                             clippy::cast_precision_loss, reason = "a share of a small length")]
                    let at = (bytes.len() as f64 * cut) as usize;
                    at
                })
                .collect();
            cuts.sort_unstable();
            cuts.push(bytes.len());
            for cut in cuts {
                grown.write(FILE, &bytes[..cut]);
                grown.sync(false).await;
            }
            assert_same(&grown, &fresh(bytes.as_bytes()).await).await
        })?;
    }

    #[test]
    fn any_rewrite_in_place_equals_a_fresh_parse(
        count in 2_usize..10,
        kept in prop::collection::vec(any::<bool>(), 10),
        changed in prop::collection::vec(any::<bool>(), 10),
    ) {
        block_on(async {
            let grown = world().await;
            grown.write(FILE, lines(count));
            grown.sync(false).await;
            // The first line stays, so that the session stays.
            let rewritten: String = (0..count + 2)
                .filter(|number| *number == 0 || kept[number % kept.len()])
                .map(|number| {
                    let line = line(number);
                    if changed[number % changed.len()] {
                        line.replace("Looking", "Watching").replace("Prompt", "Ask") + "\n"
                    } else {
                        line + "\n"
                    }
                })
                .collect();
            grown.write(FILE, &rewritten);
            grown.sync(false).await;
            assert_same(&grown, &fresh(rewritten.as_bytes()).await).await
        })?;
    }
}
