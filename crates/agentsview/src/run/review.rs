//! `agentsview recall review`, and looking back on what was decided.

use std::io::{self, IsTerminal, Read};

use agentsview_api::{
    ExitCode, HistoryDocument, ReverifyDocument, ReviewItemDocument, ReviewListDocument,
    ReviewedDocument,
};
use recall_core::{EntryId, Status};
use recall_engine::{QueueRequest, ReverifyScope, ReviewRequest};
use recall_trust::evidence::speakers;
use recall_trust::review::{Edit, Reviewer};

use super::Place;
use super::question::yes_or_no;
use crate::cli::{
    AcceptArgs, ChangeArgs, DecideCommand, Format, QueueArgs, ReviewArgs, ReviewCommand,
};
use crate::desk;
use crate::failure::Failure;
use crate::output::Output;
use crate::render;

/// How much of standard input is read for one text; no text of an entry may be as long.
const MOST_INPUT: u64 = 1024 * 1024;

pub(super) async fn run(
    args: &ReviewArgs,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    match &args.command {
        None => desk::review(&queue_request(&args.queue, place)?, place).await,
        Some(ReviewCommand::List(args)) => list(args, place, format).await,
        Some(ReviewCommand::Show(entry)) => {
            let item = place.reading().await?.review_item(&entry.id).await?;
            let document = ReviewItemDocument::from(&item);
            Output::document(format, &document, render::review_item)
        }
        Some(ReviewCommand::Decide(command)) => decide(command, place, format).await,
    }
}

/// Who signs what is decided here.
pub(crate) fn signer(place: &Place) -> Result<Reviewer, Failure> {
    place.reviewer()?.ok_or_else(|| {
        Failure::usage("a decision is signed, and nobody is known who could sign it").hint(
            "set `name` under [review] in the configuration file (docs/configuration.md), or the \
             variable USER",
        )
    })
}

/// What the flags ask for.
fn queue_request(args: &QueueArgs, place: &Place) -> Result<QueueRequest, Failure> {
    let filter = args.filter.resolve(false, place.surroundings())?;
    if filter.effective_status() != Status::Accepted {
        return Err(Failure::usage("only entries in force wait for a person")
            .hint("leave out --status, or use `agentsview recall list`"));
    }
    Ok(QueueRequest {
        filter,
        order: args.order.into(),
        limit: args.limit,
    })
}

async fn list(args: &QueueArgs, place: &Place, format: Format) -> Result<Output, Failure> {
    let request = queue_request(args, place)?;
    let queue = place.reading().await?.review_queue(&request).await?;
    let document = ReviewListDocument::from(&queue);
    Output::document(format, &document, render::review_list)
}

/// Writes one decision down. Whatever has to be asked or read is asked and read before the archive
/// is locked.
async fn decide(command: &DecideCommand, place: &Place, format: Format) -> Result<Output, Failure> {
    let by = signer(place)?;
    let (id, request, note) = match command {
        DecideCommand::Accept(args) => {
            let request = ReviewRequest::Accept {
                transferable: transferable(args, place).await?,
                entry_type: args.entry_type,
            };
            (&args.entry.id, request, args.note.note.as_str())
        }
        DecideCommand::Edit(args) => {
            let request = ReviewRequest::Edit(edit(&args.change)?);
            (&args.entry.id, request, args.note.note.as_str())
        }
        DecideCommand::Reject(args) => {
            (&args.entry.id, ReviewRequest::Reject, args.reason.as_str())
        }
        DecideCommand::Supersede(args) => {
            let request = ReviewRequest::Supersede {
                by: args.by.clone(),
            };
            (&args.entry.id, request, args.note.note.as_str())
        }
        DecideCommand::Archive(args) => (
            &args.entry.id,
            ReviewRequest::Archive,
            args.note.note.as_str(),
        ),
        DecideCommand::Restore(args) => (
            &args.entry.id,
            ReviewRequest::Restore,
            args.note.note.as_str(),
        ),
    };
    let engine = place.changing().await?;
    let reviewed = engine.review(id, &request, note, &by).await;
    engine.close().await;
    let document = ReviewedDocument::from(&reviewed?);
    Output::document(format, &document, render::reviewed)
}

/// Whether the entry holds outside its own session: as said, else as a person answers.
async fn transferable(args: &AcceptArgs, place: &Place) -> Result<bool, Failure> {
    if let Some(transferable) = args.transferable {
        return Ok(transferable);
    }
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Err(Failure::usage(
            "an acceptance says whether the entry holds outside its own session",
        )
        .hint("say --transferable or --transferable=false"));
    }
    let engine = place.reading().await?;
    let entry = engine.entry(&args.entry.id).await?;
    engine.close().await;
    let question = render::transferable_question(&entry.title, speakers::warning(&entry));
    yes_or_no(&mut stdin.lock(), &mut io::stderr(), &question)
}

fn edit(change: &ChangeArgs) -> Result<Edit, Failure> {
    let texts = [
        &change.title,
        &change.body,
        &change.trigger,
        &change.uncertainty,
    ];
    let from_input = texts
        .iter()
        .filter(|text| is_input(text.as_deref()))
        .count();
    if from_input > 1 {
        return Err(
            Failure::usage("only one text can be read from standard input")
                .hint("give the others on the command line"),
        );
    }
    let input = if from_input == 1 {
        Some(read_text(&mut io::stdin())?)
    } else {
        None
    };
    let given = |text: &Option<String>| {
        if is_input(text.as_deref()) {
            input.clone()
        } else {
            text.clone()
        }
    };
    Ok(Edit {
        title: given(&change.title),
        body: given(&change.body),
        trigger: given(&change.trigger),
        uncertainty: given(&change.uncertainty),
        scope: change.scope,
        entry_type: change.entry_type,
    })
}

fn is_input(text: Option<&str>) -> bool {
    text == Some("-")
}

/// A text without the line end that every file has.
fn read_text(input: &mut impl Read) -> Result<String, Failure> {
    let mut text = String::new();
    match input.take(MOST_INPUT).read_to_string(&mut text) {
        Ok(_) => Ok(text.trim_end_matches(['\n', '\r']).to_owned()),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            Err(Failure::usage("standard input is not UTF-8 text"))
        }
        Err(error) => Err(Failure::new(
            ExitCode::Failure,
            format!("cannot read standard input: {error}"),
        )),
    }
}

pub(super) async fn history(
    id: &EntryId,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    let history = place.reading().await?.history(id).await?;
    let document = HistoryDocument::from(&history);
    Output::document(format, &document, render::history)
}

pub(super) async fn undo(place: &Place, format: Format) -> Result<Output, Failure> {
    let by = signer(place)?;
    let engine = place.changing().await?;
    let reviewed = engine.undo(&by).await;
    engine.close().await;
    let reviewed = reviewed?.ok_or_else(|| {
        Failure::new(ExitCode::NotFound, "there is no decision to take back")
            .hint("`agentsview recall history <id>` has what was decided about an entry")
    })?;
    let document = ReviewedDocument::from(&reviewed);
    Output::document(format, &document, render::reviewed)
}

pub(super) async fn reverify(
    scope: &ReverifyScope,
    place: &Place,
    format: Format,
) -> Result<Output, Failure> {
    let engine = place.changing().await?;
    let report = engine.reverify(scope).await;
    engine.close().await;
    let document = ReverifyDocument::from(&report?);
    Output::document(format, &document, render::reverify)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_from_standard_input_loses_its_last_line_end_and_must_be_text() {
        assert_eq!(
            read_text(&mut &b"one\n\n  two\r\n"[..]).unwrap(),
            "one\n\n  two"
        );
        assert_eq!(
            read_text(&mut &b"\xff"[..]).unwrap_err().exit,
            ExitCode::Usage
        );
    }

    #[test]
    fn two_texts_cannot_both_come_from_standard_input() {
        let dash = || Some("-".to_owned());
        let change = ChangeArgs {
            title: dash(),
            body: dash(),
            trigger: None,
            uncertainty: None,
            scope: None,
            entry_type: None,
        };
        assert_eq!(edit(&change).unwrap_err().exit, ExitCode::Usage);
    }
}
