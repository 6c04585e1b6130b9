//! Codex CLI: one rollout file a session, one record a line.
//!
//! A line is an envelope `{timestamp, type, payload}`; files of the first versions hold the
//! payloads bare. The conversation is in the `response_item` lines; `event_msg` lines repeat it for
//! display, and are read for token counts, the ends of turns, names and started agents alone.

mod calls;
mod files;
mod names;
mod output;
mod prompt;
mod record;
mod session;
mod transcript;
mod usage;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use recall_core::Timestamp;

use self::record::{Event, Field, Item, Line, SessionMeta, TurnContext, object};
use self::session::{Identity, turn_ids};
use self::transcript::Transcript;
use crate::text::storable;
use crate::time::timestamp;
use crate::{
    Agent, LineParser, Malformed, ParsedSession, SourceFile, Surroundings, automated, project,
};

pub(crate) use self::files::{is_session_file, native_id};
pub use self::names::codex_thread_names;

/// Whose turn a line belongs to, in a session that copied its parent's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// No turn began yet.
    Unsettled,
    /// A turn of the parent.
    Parent,
    /// A turn of this session; none of the parent's can follow.
    Own,
}

pub(crate) struct Parser<'a> {
    surroundings: &'a dyn Surroundings,
    /// As the name of the file tells it; the file may tell another.
    native_id: String,
    identity: Option<Identity>,
    name: String,
    started_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
    /// Turns of the parent; empty if there is none, or its file is not there.
    parent_turns: HashSet<String>,
    owner: Owner,
    transcript: Transcript,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(source: &SourceFile, surroundings: &'a dyn Surroundings) -> Self {
        Self {
            surroundings,
            native_id: Agent::Codex
                .native_id(&source.relative_path)
                .unwrap_or_default()
                .to_owned(),
            identity: None,
            name: String::new(),
            started_at: None,
            ended_at: None,
            parent_turns: HashSet::new(),
            owner: Owner::Unsettled,
            transcript: Transcript::default(),
        }
    }

    /// The first one counts: a forked file goes on with a copy of its parent's.
    fn session_meta(&mut self, meta: &SessionMeta<'_>) {
        if self.identity.is_some() {
            return;
        }
        let identity = Identity::new(meta);
        if let Some((parent, _)) = &identity.parent
            && let Some(file) = self.surroundings.session_file(parent)
        {
            self.parent_turns = turn_ids(&file);
        }
        self.identity = Some(identity);
    }

    /// A line says which turn it belongs to.
    fn enter_turn(&mut self, turn_id: Option<&str>) {
        let Some(turn_id) = turn_id else {
            return;
        };
        if self.owner == Owner::Own || self.parent_turns.is_empty() {
            return;
        }
        if self.parent_turns.contains(turn_id) {
            self.owner = Owner::Parent;
            self.transcript.clear();
        } else {
            self.owner = Owner::Own;
        }
    }

    fn item(&mut self, item: &Item<'_>, time: Option<Timestamp>) {
        self.enter_turn(item.turn_id().as_deref());
        self.transcript.item(item, time);
        // A prompt may come before the line that says whose turn it opens; all else that stands
        // in a turn of the parent is the parent's.
        if self.owner == Owner::Parent && item.role.text().as_deref() != Some("user") {
            self.transcript.clear();
        }
    }

    fn event(&mut self, event: &Event<'_>) {
        let Some(kind) = event.kind.text() else {
            return;
        };
        let starts_turn = matches!(kind.as_ref(), "task_started" | "turn_started");
        if starts_turn {
            self.enter_turn(event.turn_id.text().as_deref());
        }
        if self.owner == Owner::Parent {
            return;
        }
        match kind.as_ref() {
            "token_count" => self.transcript.count(event.info),
            "task_complete" | "turn_complete" => self.transcript.turn_completed(),
            "turn_aborted" => self.transcript.turn_aborted(),
            "thread_name_updated" => self.rename(event),
            "collab_agent_spawn_end" => self.spawned(event.call_id, event.new_thread_id),
            "sub_agent_activity" => self.spawned(event.id, event.agent_thread_id),
            _ if starts_turn => self.transcript.turn_started(),
            _ => {}
        }
    }

    fn rename(&mut self, event: &Event<'_>) {
        let own_id = self.identity.as_ref().map(|it| it.native_id.as_str());
        let is_own = event
            .thread_id
            .text()
            .is_none_or(|id| Some(id.as_ref()) == own_id);
        if is_own && let Some(name) = event.thread_name.text() {
            name.trim().clone_into(&mut self.name);
        }
    }

    fn spawned(&mut self, call_id: Field<'_>, agent_id: Field<'_>) {
        if let (Some(call_id), Some(agent_id)) = (call_id.text(), agent_id.text()) {
            self.transcript.spawned(&call_id, agent_id.into_owned());
        }
    }

    fn bare_line(&mut self, line: &[u8], kind: Option<&str>, time: Option<Timestamp>) {
        if kind.is_some() {
            if let Some(item) = object(line) {
                self.item(&item, time);
            }
        } else if let Some(meta) = object::<SessionMeta<'_>>(line)
            && meta.id.text().is_some()
        {
            self.session_meta(&meta);
        }
    }
}

impl LineParser for Parser<'_> {
    fn line(&mut self, line: &[u8]) -> Result<(), Malformed> {
        let record: Line<'_> = object(line).ok_or(Malformed)?;
        let time = record.timestamp.text().as_deref().and_then(timestamp);
        if let Some(time) = time {
            self.started_at = Some(self.started_at.map_or(time, |start| start.min(time)));
            self.ended_at = self.ended_at.max(Some(time));
        }
        let kind = record.kind.text();
        let payload = record.payload;
        match kind.as_deref() {
            kind if !payload.is_present() => self.bare_line(line, kind, time),
            Some("session_meta") => {
                if let Some(meta) = payload.object() {
                    self.session_meta(&meta);
                }
            }
            Some("turn_context") => {
                if let Some(context) = payload.object::<TurnContext<'_>>() {
                    self.enter_turn(context.turn_id.text().as_deref());
                    self.transcript.set_model(context.model.owned());
                }
            }
            Some("response_item") => {
                if let Some(item) = payload.object() {
                    self.item(&item, time);
                }
            }
            Some("event_msg") => {
                if let Some(event) = payload.object() {
                    self.event(&event);
                }
            }
            Some("compacted") if self.owner != Owner::Parent => {
                if let Some(compacted) = payload.object::<record::Compacted<'_>>() {
                    self.transcript.compacted(compacted.message, time);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(self: Box<Self>, truncated: bool) -> Vec<ParsedSession> {
        if self.identity.is_none() && self.transcript.is_empty() {
            return Vec::new();
        }
        let identity = self.identity.unwrap_or_default();
        let told = Agent::Codex.session_id(&identity.native_id);
        let Ok(id) = told.or_else(|_| Agent::Codex.session_id(&self.native_id)) else {
            return Vec::new();
        };
        let cwd = if identity.cwd.is_empty() {
            self.transcript.cwd().to_owned()
        } else {
            identity.cwd
        };
        let (messages, termination) = self.transcript.finish(truncated);
        let parent = identity.parent.and_then(|(parent, relationship)| {
            Some((Agent::Codex.session_id(&parent).ok()?, relationship))
        });
        let mut session = ParsedSession {
            id,
            agent: Agent::Codex,
            project: project::name(&cwd, &identity.git_branch, self.surroundings),
            cwd: storable(cwd),
            git_branch: storable(identity.git_branch),
            source_session_id: storable(identity.native_id),
            source_version: storable(identity.version),
            parent,
            name: storable(self.name),
            started_at: self.started_at,
            ended_at: self.ended_at,
            termination,
            is_automated: identity.is_automated,
            messages,
        };
        session.is_automated |= automated::is_automated(&session, identity.is_headless);
        vec![session]
    }
}
