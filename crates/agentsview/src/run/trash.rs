//! `agentsview session trash`, `restore` and `delete`.

use agentsview_api::{DeletionDocument, ExitCode, TrashDocument};
use recall_core::{Clock, EntryFilter, SessionId, Status, SystemClock};
use recall_engine::{Engine, StatsRequest};
use recall_store::{Removal, SessionState};

use super::Place;
use super::session::unknown;
use crate::cli::{DeleteArgs, Format};
use crate::failure::Failure;
use crate::output::Output;
use crate::render;

/// Hides a session. Its entries are looked at beforehand: afterwards none of them is trusted.
pub(super) async fn trash(
    id: &SessionId,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    let engine = place.changing().await?;
    let (entries, trusted) = (entries(&engine, id).await?, trusted(&engine, id).await?);
    let changed = engine
        .store()
        .trash_session(id, SystemClock.now())
        .await?
        .ok_or_else(|| unknown(id))?;
    engine.close().await;
    answer(id, true, changed, (entries, trusted), format)
}

/// Brings a session back. Its entries are looked at afterwards: trust comes back as far as it was
/// there, and as far as the transcript still says what they cite.
pub(super) async fn restore(
    id: &SessionId,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    let engine = place.changing().await?;
    let changed = engine
        .store()
        .restore_session(id)
        .await?
        .ok_or_else(|| unknown(id))?;
    let (entries, trusted) = (entries(&engine, id).await?, trusted(&engine, id).await?);
    engine.close().await;
    answer(id, false, changed, (entries, trusted), format)
}

fn answer(
    id: &SessionId,
    trashed: bool,
    changed: bool,
    (entries, trusted): (u64, u64),
    format: Format,
) -> Result<Output, Failure> {
    let document = TrashDocument {
        session_id: id.to_string(),
        trashed,
        changed,
        entries,
        entries_affected: if changed { trusted } else { 0 },
    };
    Output::document(format, &document, render::trash)
}

/// Forgets a session for good, or says what that would lose.
pub(super) async fn delete(
    args: &DeleteArgs,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    let id = &args.session.id;
    let removal = if args.yes {
        let engine = place.changing().await?;
        let removal = engine.delete_session(id).await;
        engine.close().await;
        removal?.ok_or_else(|| unknown(id))?
    } else {
        kept_out_already(id, &place.reading().await?).await?
    };
    let document = DeletionDocument::new(id, &removal);
    Output::document(format, &document, render::deletion)
}

/// That nothing is left to forget of the session; else why nothing is forgotten without a word.
async fn kept_out_already(id: &SessionId, engine: &Engine) -> Result<Removal, Failure> {
    let Some(session) = engine.store().session(id).await? else {
        let state = engine.store().snapshot().await?.session_state(id).await?;
        return if state == SessionState::Excluded {
            Ok(Removal::default())
        } else {
            Err(unknown(id))
        };
    };
    let lost = render::loss(session.message_count, entries(engine, id).await?);
    Err(Failure::new(
        ExitCode::Refused,
        format!("deleting session {id} would forget {lost} for good"),
    )
    .hint("say --yes to delete it, or hide it with `agentsview session trash`"))
}

/// How many entries of any status rest on the session.
async fn entries(engine: &Engine, id: &SessionId) -> Result<u64, Failure> {
    let mut all = 0;
    for status in Status::ALL {
        let filter = EntryFilter {
            status: Some(*status),
            ..of_session(id)
        };
        all += counted(engine, filter).await?;
    }
    Ok(all)
}

async fn trusted(engine: &Engine, id: &SessionId) -> Result<u64, Failure> {
    let filter = EntryFilter {
        trusted_only: true,
        ..of_session(id)
    };
    counted(engine, filter).await
}

fn of_session(id: &SessionId) -> EntryFilter {
    EntryFilter {
        source_session_id: Some(id.clone()),
        ..EntryFilter::default()
    }
}

async fn counted(engine: &Engine, filter: EntryFilter) -> Result<u64, Failure> {
    let request = StatsRequest {
        filter,
        ..StatsRequest::default()
    };
    Ok(engine.stats(&request).await?.summary.count)
}
