//! `agentsview session`.

use agentsview_api::{ExitCode, MessagesDocument, SessionDocument, SessionListDocument};
use recall_core::SessionId;

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
            let page = engine.store().sessions(&args.query()).await?;
            let document = SessionListDocument::from(&page);
            let notice = render::hidden_sessions(&document, &args.flags_for_more());
            Ok(Output::document(format, &document, render::session_list)?.notice(notice))
        }
        SessionCommand::Get { id } => {
            let record = engine
                .store()
                .session(id)
                .await?
                .ok_or_else(|| unknown(id))?;
            Output::document(format, &SessionDocument::from(&record), render::session)
        }
        SessionCommand::Messages(args) => {
            let read = engine.store().transcript(&args.id, &args.query()).await?;
            let (record, messages) = read.ok_or_else(|| unknown(&args.id))?;
            let document = MessagesDocument::new(&args.id, record.transcript_revision, &messages);
            Output::document(format, &document, render::messages)
        }
    }
}

fn unknown(id: &SessionId) -> Failure {
    Failure::new(ExitCode::NotFound, format!("session {id} not found"))
        .hint("see `agentsview session list`")
}
