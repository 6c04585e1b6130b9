//! `agentsview session`.

use agentsview_api::{ExitCode, MessagesDocument, SessionDocument, SessionListDocument};
use recall_core::SessionId;

use super::{Place, trash};
use crate::cli::{Format, SessionCommand};
use crate::failure::Failure;
use crate::output::Output;
use crate::render;

pub(super) async fn run(
    command: &SessionCommand,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    match command {
        SessionCommand::List(args) => {
            let engine = place.reading().await?;
            let page = engine.store().sessions(&args.query()).await?;
            let document = SessionListDocument::from(&page);
            let notice = render::hidden_sessions(&document, &args.flags_for_more());
            Ok(Output::document(format, &document, render::session_list)?.notice(notice))
        }
        SessionCommand::Get(session) => {
            let engine = place.reading().await?;
            let record = engine.store().session(&session.id).await?;
            let record = record.ok_or_else(|| unknown(&session.id))?;
            Output::document(format, &SessionDocument::from(&record), render::session)
        }
        SessionCommand::Messages(args) => {
            let engine = place.reading().await?;
            let read = engine.store().transcript(&args.id, &args.query()).await?;
            let (record, messages) = read.ok_or_else(|| unknown(&args.id))?;
            let document = MessagesDocument::new(&args.id, record.transcript_revision, &messages);
            Output::document(format, &document, render::messages)
        }
        SessionCommand::Trash(session) => trash::trash(&session.id, place, format).await,
        SessionCommand::Restore(session) => trash::restore(&session.id, place, format).await,
        SessionCommand::Delete(args) => trash::delete(args, place, format).await,
    }
}

pub(super) fn unknown(id: &SessionId) -> Failure {
    Failure::new(ExitCode::NotFound, format!("session {id} not found"))
        .hint("see `agentsview session list`")
}
