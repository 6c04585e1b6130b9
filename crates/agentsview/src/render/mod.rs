//! Layouts for people: a document in, text out.
//!
//! A layout knows the wire documents alone, so that it shows nothing that a program could not have
//! read as JSON. Every text that came from a transcript, an entry or a path is cleaned where it is
//! placed; [`crate::output::Output::document`] cleans the whole once more.

mod context;
mod decision;
mod entry;
mod explain;
mod history;
mod import;
mod page;
mod ranked;
mod review;
mod secrets;
mod session;
mod shown;
mod stats;
mod sync;
mod table;
mod transfer;
mod trash;
mod verification;

use agentsview_api::VersionDocument;

pub(crate) use context::brief;
pub(crate) use decision::reviewed;
pub(crate) use entry::entry;
pub(crate) use explain::explain;
pub(crate) use history::history;
pub(crate) use import::{import, import_shortfall};
pub(crate) use ranked::{list, query};
pub(crate) use review::{review_item, review_list, transferable_question};
pub(crate) use secrets::{findings, secret_scan};
pub(crate) use session::{hidden_sessions, messages, session, session_list};
pub(crate) use stats::stats;
pub(crate) use sync::{sync, sync_shortfall};
pub(crate) use transfer::{export, reset, restore, restore_shortfall, unconfirmed_reset};
pub(crate) use trash::{deletion, loss, trash};
pub(crate) use verification::reverify;

/// What to show of ranked entries beyond the usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct View {
    /// The parts of each score.
    pub(crate) scores: bool,
    /// The evidence of each entry.
    pub(crate) evidence: bool,
    /// Counts over the entries.
    pub(crate) summary: bool,
}

/// The version as one line.
pub(crate) fn version(document: &VersionDocument) -> String {
    let build = page::commas([
        page::named("commit", &document.commit),
        page::named("built", &document.build_date),
    ]);
    let build = if build.is_empty() {
        build
    } else {
        format!(" ({build})")
    };
    format!("{} {}{build}\n", document.name, document.version)
}

#[cfg(test)]
pub(crate) mod samples;
