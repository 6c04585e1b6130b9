//! `agentsview sync`.

use std::path::Path;

use agentsview_api::SyncDocument;
use agentsview_sync::SyncOptions;
use recall_config::AGENT_FOLDERS;
use recall_core::SystemClock;
use recall_text::clean_line;

use super::Place;
use super::progress::Bar;
use crate::cli::{Format, SyncArgs};
use crate::failure::Failure;
use crate::output::Output;
use crate::render;

pub(super) async fn sync(
    args: &SyncArgs,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    let roots = place.session_roots()?;
    let engine = place.writing().await?;
    let bar = Bar::new("Syncing");
    let options = SyncOptions {
        roots: &roots,
        full: args.full,
    };
    let report = agentsview_sync::sync(engine.store(), &options, &SystemClock, &mut |progress| {
        bar.set(progress.files_done, progress.files_found);
    })
    .await?;
    drop(bar);
    engine.close().await;
    let nothing_found = (report.files_found == 0 && report.problems.is_empty()).then(|| {
        let looked: Vec<String> = roots
            .iter()
            .map(|root| root.path.display().to_string())
            .collect();
        format!("no session files found in {}", looked.join(", "))
    });
    let document = SyncDocument::from(&report);
    let mut output = Output::document(format, &document, render::sync)?.notice(nothing_found);
    for folder in place.missing_roots()? {
        output = output.notice(Some(missing(&folder)));
    }
    Ok(output.short_of(render::sync_shortfall(&document)))
}

/// A remark and no ending: the folders of the other agents were read all the same.
fn missing(folder: &Path) -> String {
    let variables: Vec<&str> = AGENT_FOLDERS
        .iter()
        .flat_map(|folders| [folders.sessions_variable, folders.directory_variable])
        .collect();
    format!(
        "agentsview: the session folder {} does not exist; check {}",
        clean_line(&folder.display().to_string()),
        variables.join(", ")
    )
}
