//! What the lines of a file say about its session as a whole.

use std::borrow::Cow;

use recall_core::Timestamp;

use super::line::Line;
use super::prompt;
use crate::text::storable;
use crate::time::timestamp;

#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) place: Place,
    /// Of lines that are no user lines; stands in where those say nothing.
    other_place: Place,
    /// The first that a line carries; a resumed session begins with lines of the one before.
    pub(super) session_id: String,
    pub(super) version: String,
    pub(super) entrypoint: String,
    /// The kind of session that the first turn belongs to.
    pub(super) root_kind: Option<String>,
    pub(super) name: String,
    pub(super) started_at: Option<Timestamp>,
    pub(super) ended_at: Option<Timestamp>,
}

/// Where a session takes place.
#[derive(Debug, Default)]
pub(super) struct Place {
    pub(super) cwd: String,
    pub(super) git_branch: String,
}

impl Facts {
    pub(super) fn note(&mut self, line: &Line<'_>) {
        let time = line.timestamp.as_deref().and_then(timestamp);
        let time = time.or_else(|| line.snapshot.timestamp.as_deref().and_then(timestamp));
        if let Some(time) = time {
            self.started_at = Some(self.started_at.map_or(time, |start| start.min(time)));
            self.ended_at = self.ended_at.max(Some(time));
        }
        let is_user = line.kind.as_deref() == Some("user");
        let place = if is_user {
            &mut self.place
        } else {
            &mut self.other_place
        };
        keep_first(&mut place.cwd, line.cwd.as_ref());
        keep_first(&mut place.git_branch, line.git_branch.as_ref());
        keep_first(&mut self.session_id, line.session_id.as_ref());
        keep_first(&mut self.version, line.version.as_ref());
        keep_first(&mut self.entrypoint, line.entrypoint.as_ref());
        let is_turn = is_user || line.kind.as_deref() == Some("assistant");
        if is_turn && self.root_kind.is_none() {
            self.root_kind = Some(line.session_kind.as_deref().unwrap_or_default().to_owned());
        }
        self.note_name(line);
    }

    fn note_name(&mut self, line: &Line<'_>) {
        let new_name = match line.kind.as_deref() {
            Some("system") => line.content.as_deref().and_then(prompt::new_name),
            Some("user") => match line.message.content.0.as_slice() {
                [block] => block.text.as_deref().and_then(prompt::new_name),
                _ => None,
            },
            _ => None,
        };
        if let Some(name) = new_name {
            self.name = storable(name);
        }
    }

    /// All lines are in.
    pub(super) fn settle(&mut self) {
        let other = std::mem::take(&mut self.other_place);
        for (own, other) in [
            (&mut self.place.cwd, other.cwd),
            (&mut self.place.git_branch, other.git_branch),
        ] {
            if own.is_empty() {
                *own = other;
            }
        }
    }

    /// Whether a program drove the agent.
    pub(super) fn is_headless(&self) -> bool {
        let word = self.entrypoint.to_ascii_lowercase();
        word.starts_with("sdk") || word.contains("headless") || word.contains("action")
    }
}

fn keep_first(kept: &mut String, text: Option<&Cow<'_, str>>) {
    if kept.is_empty()
        && let Some(text) = text.filter(|text| !text.trim().is_empty())
    {
        *kept = storable(text.trim().to_owned());
    }
}
