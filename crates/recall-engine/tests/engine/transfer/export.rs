//! Entries that leave as lines of an import (B-12).

use recall_core::{Entry, EntryFilter};
use recall_engine::{ExportRequest, ReviewLog};

use super::{lived_in, reset};
use crate::world::{VERIFIED, World, outcomes};

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
