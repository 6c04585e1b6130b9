//! Builds the rows of a session from its items, in the order of the file.

mod joins;

use std::collections::{HashMap, HashSet};

use recall_core::{Ordinal, Role, SourceUuid, Timestamp};

use super::calls::Call;
use super::prompt::{self, Part};
use super::record::{Field, Item, has_image, texts};
use super::usage;
use crate::text::{marked_thinking, storable};
use crate::{ParsedMessage, Termination, TokenUsage};

/// How far the last turn came, as the file's events tell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Turn {
    /// Older files do not tell.
    #[default]
    Unknown,
    /// Under way.
    Open,
    /// Done, when there were this many rows.
    Complete { rows: usize },
    /// Interrupted.
    Aborted,
}

/// The row of a call, and whether something is still expected for it.
#[derive(Debug)]
struct CallPlace {
    row: usize,
    awaits_result: bool,
    /// The result came, and the call itself did not.
    is_missing: bool,
}

/// The rows so far, and what is needed to place the next ones.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    rows: Vec<ParsedMessage>,
    calls: HashMap<String, CallPlace>,
    /// Rows of the calls that started agents, by the agent's native id.
    spawned: HashMap<String, usize>,
    seen_ids: HashSet<String>,
    model: String,
    /// Reasoning that waits for the answer it led to.
    thinking: String,
    thinking_time: Option<Timestamp>,
    /// The first row after the last prompt.
    turn_start: usize,
    turn: Turn,
    last_count: String,
    /// A count that came before the answer it is for.
    held_usage: Option<TokenUsage>,
    first_prompt: Option<String>,
    /// Whether a turn was interrupted and no prompt came since.
    may_replay: bool,
    /// The directory that injected surroundings name; empty if none.
    cwd: String,
}

impl Transcript {
    pub(super) fn set_model(&mut self, model: String) {
        if !model.is_empty() {
            self.model = model;
        }
    }

    pub(super) fn cwd(&self) -> &str {
        &self.cwd
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.thinking.is_empty()
    }

    /// Forgets all rows, which turned out to be another session's.
    pub(super) fn clear(&mut self) {
        *self = Self {
            model: std::mem::take(&mut self.model),
            cwd: std::mem::take(&mut self.cwd),
            ..Self::default()
        };
    }

    /// Takes a piece of the conversation. Items that are not of the conversation are passed over.
    pub(super) fn item(&mut self, item: &Item<'_>, time: Option<Timestamp>) {
        let Some(kind) = item.kind.text() else {
            return;
        };
        match (kind.as_ref(), item.role.text().as_deref()) {
            ("message", Some("user")) => self.user_message(item, time),
            ("message", Some("assistant")) => self.assistant_message(item, time),
            ("agent_message", _) => self.agent_message(item, time),
            ("reasoning", _) => self.reasoning(item, time),
            ("function_call_output" | "custom_tool_call_output" | "local_shell_call_output", _) => {
                self.result(item, &kind, time);
            }
            _ => {
                if let Some(call) = Call::of(item, &kind) {
                    self.call(call, item, &kind, time);
                }
            }
        }
    }

    fn user_message(&mut self, item: &Item<'_>, time: Option<Timestamp>) {
        let parts = texts(item.content);
        let mut prompts = Vec::new();
        for text in &parts {
            match prompt::part(text) {
                Part::Prompt(prompt) => prompts.push(prompt),
                Part::TurnAborted => self.may_replay = true,
                Part::SubagentNotification(note) => self.note(note, time),
                Part::Injected => {
                    if let Some(cwd) = prompt::working_directory(text) {
                        cwd.clone_into(&mut self.cwd);
                    }
                }
            }
        }
        if parts.is_empty() && has_image(item.content) {
            prompts.push("[Image]");
        }
        if prompts.is_empty() {
            return;
        }
        let prompt = storable(prompts.join("\n"));
        if std::mem::take(&mut self.may_replay) && self.first_prompt.as_ref() == Some(&prompt) {
            return;
        }
        self.flush_thinking();
        self.first_prompt.get_or_insert_with(|| prompt.clone());
        if matches!(self.turn, Turn::Complete { .. } | Turn::Aborted) {
            self.turn = Turn::Unknown;
        }
        self.push(Role::User, "message", item.id, time).content = prompt;
        self.held_usage = None;
        self.turn_start = self.rows.len();
    }

    fn assistant_message(&mut self, item: &Item<'_>, time: Option<Timestamp>) {
        let text = texts(item.content).join("\n");
        if !text.trim().is_empty() {
            self.answer("message", item.id, time, storable(text));
        }
    }

    /// What another agent wrote to this one: it stands in the person's place.
    fn agent_message(&mut self, item: &Item<'_>, time: Option<Timestamp>) {
        let text = texts(item.content).join("\n");
        if text.trim().is_empty() {
            return;
        }
        let header = match item.author.text() {
            Some(author) => format!("[Message from {author}]"),
            None => "[Message]".to_owned(),
        };
        let row = self.push(Role::User, "agent_message", item.id, time);
        row.content = storable(format!("{header}\n{text}"));
        row.is_system = true;
        "agent_message".clone_into(&mut row.source_subtype);
    }

    fn reasoning(&mut self, item: &Item<'_>, time: Option<Timestamp>) {
        let mut parts = texts(item.summary);
        if parts.is_empty() {
            parts = texts(item.content);
        }
        if self.thinking.is_empty() {
            self.thinking_time = time;
        }
        for part in parts {
            if !self.thinking.is_empty() {
                self.thinking.push_str("\n\n");
            }
            self.thinking.push_str(part.trim());
        }
    }

    /// The conversation was cut down to this summary.
    pub(super) fn compacted(&mut self, summary: Field<'_>, time: Option<Timestamp>) {
        let Some(summary) = summary.text() else {
            return;
        };
        let row = self.push(Role::Assistant, "compacted", Field::default(), time);
        row.content = storable(summary.into_owned());
        row.is_system = true;
        row.is_compact_boundary = true;
        "compact_boundary".clone_into(&mut row.source_subtype);
    }

    /// Adds a row of the model with the thinking that led to it, and says which it is.
    fn answer(
        &mut self,
        kind: &str,
        stable_id: Field<'_>,
        time: Option<Timestamp>,
        text: String,
    ) -> usize {
        let thinking = storable(std::mem::take(&mut self.thinking));
        let usage = self.held_usage.take();
        let model = self.model.clone();
        let row = self.push(Role::Assistant, kind, stable_id, time);
        row.content = match (thinking.is_empty(), text.is_empty()) {
            (true, _) => text,
            (false, true) => marked_thinking(&thinking),
            (false, false) => format!("{}\n{text}", marked_thinking(&thinking)),
        };
        row.thinking_text = thinking;
        row.usage = usage;
        row.model = model;
        self.rows.len() - 1
    }

    /// Thinking that no answer followed is a row of its own.
    fn flush_thinking(&mut self) {
        if !self.thinking.is_empty() {
            let time = self.thinking_time;
            self.answer("reasoning", Field::default(), time, String::new());
        }
    }

    fn push(
        &mut self,
        role: Role,
        kind: &str,
        stable_id: Field<'_>,
        timestamp: Option<Timestamp>,
    ) -> &mut ParsedMessage {
        // An id that a row has already is no anchor for another.
        let source_uuid = stable_id
            .text()
            .and_then(|id| SourceUuid::new(id).ok())
            .filter(|id| self.seen_ids.insert(id.as_str().to_owned()));
        let ordinal = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        self.rows.push(ParsedMessage {
            timestamp,
            source_type: kind.to_owned(),
            source_uuid,
            ..ParsedMessage::new(Ordinal::new(ordinal), role, String::new())
        });
        let last = self.rows.len() - 1;
        &mut self.rows[last]
    }

    /// Takes the `info` of a count of tokens. A count is written after the answer it is for, in
    /// older files before it; the same one is written again at the start of the next request.
    pub(super) fn count(&mut self, info: Field<'_>) {
        if self.last_count == info.raw() {
            return;
        }
        let Some(usage) = usage::of(info) else {
            return;
        };
        info.raw().clone_into(&mut self.last_count);
        let last_answer = self.rows[self.turn_start..]
            .iter_mut()
            .rfind(|row| row.role == Role::Assistant && !row.is_system);
        match last_answer {
            Some(row) if row.usage.is_none() => row.usage = Some(usage),
            _ => self.held_usage = Some(usage),
        }
    }

    pub(super) fn turn_started(&mut self) {
        self.turn = Turn::Open;
    }

    pub(super) fn turn_completed(&mut self) {
        self.turn = Turn::Complete {
            rows: self.rows.len(),
        };
    }

    pub(super) fn turn_aborted(&mut self) {
        self.turn = Turn::Aborted;
        self.may_replay = true;
    }

    /// The rows, and how they end.
    pub(super) fn finish(mut self, truncated: bool) -> (Vec<ParsedMessage>, Option<Termination>) {
        self.flush_thinking();
        let is_pending = self
            .calls
            .values()
            .any(|place| place.awaits_result && place.row >= self.turn_start);
        let termination = if truncated {
            Some(Termination::Truncated)
        } else if is_pending {
            Some(Termination::ToolCallPending)
        } else {
            match self.turn {
                Turn::Unknown => None,
                // The agent was in the middle of its work, whether or not a call was out.
                Turn::Open | Turn::Aborted => Some(Termination::ToolCallPending),
                Turn::Complete { rows } if rows == self.rows.len() => {
                    Some(Termination::AwaitingUser)
                }
                Turn::Complete { .. } => Some(Termination::Clean),
            }
        };
        (self.rows, termination)
    }
}
