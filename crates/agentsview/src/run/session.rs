//! `agentsview session`.

use agentsview_api::{ExitCode, MessagesDocument, SessionDocument, SessionListDocument};
use recall_core::SessionId;
use recall_engine::Engine;
use recall_store::SessionRecord;

use super::Place;
use crate::cli::{Format, SessionCommand};
use crate::failure::Failure;
use crate::output::Output;
use crate::render;

pub(super) async fn run(
    command: &SessionCommand,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    let engine = place.reading().await?;
    match command {
        SessionCommand::List(args) => {
            let (sessions, hidden) = engine.store().sessions(&args.query()).await?;
            let document = SessionListDocument::new(&sessions, hidden);
            let notice = render::hidden_sessions(&document);
            Ok(Output::document(format, &document, render::session_list)?.notice(notice))
        }
        SessionCommand::Get { id } => {
            let record = found(&engine, id).await?;
            Output::document(format, &SessionDocument::from(&record), render::session)
        }
        SessionCommand::Messages(args) => {
            let record = found(&engine, &args.id).await?;
            let messages = engine.store().messages(&args.id, &args.query()).await?;
            let document = MessagesDocument::new(&args.id, record.transcript_revision, &messages);
            Output::document(format, &document, render::messages)
        }
    }
}

async fn found(engine: &Engine, id: &SessionId) -> Result<SessionRecord, Failure> {
    engine.store().session(id).await?.ok_or_else(|| {
        Failure::new(ExitCode::NotFound, format!("session {id} not found"))
            .hint("see `agentsview session list`")
    })
}
