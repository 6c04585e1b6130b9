//! Decisions in words.

use std::fmt::Write as _;

use recall_core::{ReviewAction, Status};
use recall_engine::Reviewed;
use recall_trust::trusted::failed_conditions;

/// What follows from a decision, in whole sentences. Names of entries in it are raw.
pub(super) fn after(reviewed: &Reviewed) -> String {
    let action = reviewed.decision.action;
    let Some(entry) = &reviewed.entry else {
        return done(action).to_owned() + ".";
    };
    match action {
        ReviewAction::Accept | ReviewAction::Restore => {
            let failed = failed_conditions(entry);
            if failed.is_empty() {
                return format!("{} and trusted.", done(action));
            }
            let why: Vec<_> = failed
                .iter()
                .map(|condition| condition.why_not(entry))
                .collect();
            format!("{}, not trusted: {}", done(action), why.join(" "))
        }
        ReviewAction::Edit if entry.status == Status::Accepted => {
            "Edited; the original is kept. It is not decided upon yet.".to_owned()
        }
        ReviewAction::Supersede => match &reviewed.decision.other {
            Some(by) => format!("{} by {by}, and archived.", done(action)),
            None => format!("{}.", done(action)),
        },
        _ => format!("{}.", done(action)),
    }
}

/// A decision was taken back.
pub(super) fn undone(action: ReviewAction) -> String {
    format!("Taken back: {}.", done(action).to_lowercase())
}

/// An error message as a sentence. Messages are fragments, and a status line stands alone.
pub(super) fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    let mut text = first.unwrap_or_default() + chars.as_str();
    if !text.ends_with(['.', '!', '?']) {
        text.push('.');
    }
    text
}

/// What was done at the desk and what is left, as one line.
pub(super) fn summary(decisions: impl Iterator<Item = ReviewAction>, waiting: u64) -> String {
    let decisions: Vec<ReviewAction> = decisions.collect();
    let mut parts = Vec::new();
    for action in ReviewAction::ALL {
        let number = decisions.iter().filter(|made| *made == action).count();
        if number > 0 {
            parts.push(format!("{number} {}", done(*action).to_lowercase()));
        }
    }
    let mut line = if parts.is_empty() {
        "nothing decided".to_owned()
    } else {
        parts.join(", ")
    };
    let _ = match waiting {
        0 => write!(line, "; nothing waits any more"),
        1 => write!(line, "; 1 entry still waits"),
        _ => write!(line, "; {waiting} entries still wait"),
    };
    line.push('\n');
    line
}

fn done(action: ReviewAction) -> &'static str {
    match action {
        ReviewAction::Accept => "Accepted",
        ReviewAction::Edit => "Edited",
        ReviewAction::Reject => "Rejected",
        ReviewAction::Supersede => "Superseded",
        ReviewAction::Archive => "Archived",
        ReviewAction::Restore => "Restored",
        ReviewAction::Undo => "Taken back",
    }
}
