//! Real session files of the shared corpus, where it is at hand.

use std::path::Path;

use crate::world::{World, ran};

#[test]
fn the_shared_sessions_sync_without_loss_and_twice_changes_nothing() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/sessions");
    if !shared.exists() {
        eprintln!("skipped: {} is not here", shared.display());
        return;
    }
    let world = World::new();
    let sync = || {
        let mut command = world.command();
        command
            .env("CLAUDE_PROJECTS_DIR", shared.join("claude"))
            .env("CODEX_SESSIONS_DIR", shared.join("codex/sessions"))
            .args(["sync", "--json"]);
        ran(&mut command)
    };
    let first = sync();
    assert_eq!(first.exit, 0, "{first:?}");
    let report = first.json();
    assert_eq!(report["files_found"], report["files_read"]);
    assert_eq!(report["sessions_added"], report["total_sessions"]);
    let again = sync().json();
    assert_eq!(again["files_read"], 0);
    assert_eq!(again["total_messages"], report["total_messages"]);
}
