//! `agentsview recall review`: a queue of entries, one at a time beside its evidence, decided upon
//! with single keys (B-01, B-13).
//!
//! [`state::Desk`] is a value: a key goes in, an [`Action`] comes out, and what the world answers
//! goes in again (`outcome`). [`screen::draw`] makes rows of it. Only [`run`] here, [`archive`] and
//! [`terminal`] touch the outside.
//!
//! The archive is opened for writing only while a decision is written down, so a sync can run while
//! a person reads. A decision is made on what was read: if that changed meanwhile, it is shown again
//! instead.

mod archive;
mod borrowed;
mod draft;
mod editor;
mod input;
mod keys;
mod line;
mod outcome;
mod screen;
mod state;
mod terminal;
mod words;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

use std::io;

use agentsview_api::ExitCode;
use recall_engine::{QueueRequest, ReviewRequest};

use archive::{Archive, Obstacle};
use input::Input;
use state::{Action, Desk, Proposal, Tone};
use terminal::{RealTerminal, Terminal};

use crate::failure::Failure;
use crate::output::Output;
use crate::run::Place;
use crate::run::review::signer;

/// Reviews what is asked for on the terminal of this process.
pub(crate) async fn review(request: &QueueRequest, place: &Place) -> Result<Output, Failure> {
    let terminal = RealTerminal::of_process(place.editor()).map_err(Failure::usage)?;
    let mut terminal = terminal.ok_or_else(|| {
        Failure::usage("a review asks at a terminal, and this is none")
            .hint("see `agentsview recall review list`")
    })?;
    run(request, place, &mut terminal).await
}

/// Reviews what waits at a place and is asked for; answers with what was decided.
pub(crate) async fn run(
    request: &QueueRequest,
    place: &Place,
    terminal: &mut dyn Terminal,
) -> Result<Output, Failure> {
    let archive = Archive {
        place,
        reviewer: signer(place)?,
    };
    let queue = archive.queue(request).await?;
    if queue.entries.is_empty() {
        return Ok(Output::text("nothing waits for review\n".to_owned()));
    }
    let ids = queue.entries.into_iter().map(|entry| entry.id).collect();
    let mut desk = Desk::new(ids, queue.total);
    let mut action = Action::Load;
    let mut is_new = true;
    loop {
        is_new |= action != Action::Stay;
        action = match action {
            Action::Stay => {
                let (screen, extent) = screen::draw(&desk, terminal.size());
                desk.measured(extent);
                terminal.show(&screen).map_err(|error| unusable(&error))?;
                if std::mem::take(&mut is_new) {
                    // Whatever was typed so far was meant for what lay there before.
                    terminal.forget_typed().map_err(|error| unusable(&error))?;
                }
                match terminal.input() {
                    Ok(Input::Key(key)) => desk.press(&key),
                    Ok(Input::Paste(text)) => {
                        desk.paste(&text);
                        Action::Stay
                    }
                    // Whoever sat here is gone.
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Action::Quit,
                    Err(error) => return Err(unusable(&error)),
                }
            }
            Action::Load => {
                load(&archive, &mut desk).await?;
                Action::Stay
            }
            Action::Decide(proposal) => {
                let draft = desk.draft();
                decide(&archive, &mut desk, proposal, draft).await
            }
            Action::Undo(number) => match archive.undo(number).await {
                Ok(undone) => desk.taken_back(&undone),
                Err(Obstacle::Busy(why) | Obstacle::Changed(why) | Obstacle::Refused(why)) => {
                    desk.not_taken_back(&why);
                    Action::Stay
                }
            },
            Action::Edit(draft) => edit(&archive, &mut desk, terminal, draft).await,
            Action::Quit => break,
        };
    }
    let summary = words::summary(desk.decisions(), desk.waiting());
    Ok(Output::text(summary))
}

/// Puts the item of the current entry onto the desk; passes over what is gone.
async fn load(archive: &Archive<'_>, desk: &mut Desk) -> Result<(), Failure> {
    while let Some(id) = desk.current().cloned() {
        match archive.item(&id).await? {
            Some(item) => {
                desk.lay(item);
                break;
            }
            None => desk.gone(),
        }
    }
    Ok(())
}

async fn decide(
    archive: &Archive<'_>,
    desk: &mut Desk,
    proposal: Proposal,
    draft: Option<String>,
) -> Action {
    let Some(read) = desk.item() else {
        return Action::Stay;
    };
    match archive.decide(&proposal, read).await {
        Ok(reviewed) => desk.decided(&proposal, &reviewed),
        Err(Obstacle::Changed(why)) => desk.changed(draft, &why),
        Err(Obstacle::Busy(why)) => {
            desk.busy(proposal, draft, &why);
            Action::Stay
        }
        Err(Obstacle::Refused(why)) => {
            desk.refused(&proposal, draft, &why);
            Action::Stay
        }
    }
}

async fn edit(
    archive: &Archive<'_>,
    desk: &mut Desk,
    terminal: &mut dyn Terminal,
    draft: Option<String>,
) -> Action {
    let Some(item) = desk.item() else {
        return Action::Stay;
    };
    let text = draft.clone().unwrap_or_else(|| draft::text(&item.entry));
    let edited = match terminal.edit(&text) {
        Ok(edited) => edited,
        Err(error) => {
            match draft {
                Some(draft) => desk.misread(draft, &error.to_string()),
                None => desk.unedited(Tone::Refused, &words::sentence(&error.to_string())),
            }
            return Action::Stay;
        }
    };
    match draft::read(&edited, &item.entry) {
        Ok(None) => {
            desk.unedited(Tone::Notice, "Nothing was changed.");
            Action::Stay
        }
        Ok(Some(edit)) => {
            let proposal = Proposal {
                id: item.entry.id.clone(),
                request: ReviewRequest::Edit(edit),
                note: String::new(),
            };
            decide(archive, desk, proposal, Some(edited)).await
        }
        Err(error) => {
            desk.misread(edited, &error.to_string());
            Action::Stay
        }
    }
}

fn unusable(error: &io::Error) -> Failure {
    Failure::new(
        ExitCode::Failure,
        format!("the terminal cannot be used: {error}"),
    )
    .hint("see `agentsview recall review list`")
}
