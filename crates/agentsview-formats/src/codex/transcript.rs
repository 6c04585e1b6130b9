//! Builds the rows of a session from its items, in the order of the file.

use std::collections::{HashMap, HashSet};

use recall_core::{Ordinal, Role, SourceUuid, Timestamp};
use serde::Deserialize;

use super::calls::Call;
use super::output::{self, AgentState};
use super::prompt::{self, Part};
use super::record::{Field, Item, has_image, texts};
use super::session::session_id;
use crate::text::{marked_thinking, storable};
use crate::{ParsedMessage, ParsedToolCall, Termination, TokenUsage, ToolCategory, ToolResult};

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
            ("reasoning", _) => self.reasoning(item),
            ("function_call_output" | "custom_tool_call_output" | "local_shell_call_output", _) => {
                self.result(item, &kind, time)
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
        row.source_subtype = "agent_message".to_owned();
    }

    fn reasoning(&mut self, item: &Item<'_>) {
        let mut parts = texts(item.summary);
        if parts.is_empty() {
            parts = texts(item.content);
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
        row.source_subtype = "compact_boundary".to_owned();
    }

    fn call(&mut self, call: Call, item: &Item<'_>, kind: &str, time: Option<Timestamp>) {
        let key = item.call_id.text().or_else(|| item.id.text());
        let key = key.map(std::borrow::Cow::into_owned).unwrap_or_default();
        let stable_id = if item.id.text().is_some() {
            item.id
        } else {
            item.call_id
        };
        let awaits_result = call.awaits_result;
        let header = call.header();
        let parsed = call.parsed(&key);
        if let Some(place) = self.calls.get_mut(&key).filter(|place| place.is_missing) {
            // Its result came first and holds its place.
            place.is_missing = false;
            let row = &mut self.rows[place.row];
            row.content = header;
            kind.clone_into(&mut row.source_type);
            for stand_in in &mut row.tool_calls {
                let results = std::mem::take(&mut stand_in.results);
                *stand_in = ParsedToolCall {
                    results,
                    ..parsed.clone()
                };
            }
            return;
        }
        let row = self.answer(kind, stable_id, time, header);
        self.rows[row].tool_calls.push(parsed);
        if !key.is_empty() {
            let place = CallPlace {
                row,
                awaits_result,
                is_missing: false,
            };
            self.calls.insert(key, place);
        }
    }

    fn result(&mut self, item: &Item<'_>, kind: &str, time: Option<Timestamp>) {
        let output = output::read(item.output);
        let key = item.call_id.owned();
        let row = match self.calls.get_mut(&key) {
            Some(place) => {
                place.awaits_result = false;
                place.row
            }
            None => self.stand_in(Call::unknown(), &key, kind, time),
        };
        let Some(call) = self.rows[row].tool_calls.last_mut() else {
            return;
        };
        let result = |status: &str, content: String, agent_id: &str| ToolResult {
            source: kind.to_owned(),
            status: status.to_owned(),
            content: storable(content),
            timestamp: time,
            agent_id: agent_id.to_owned(),
        };
        if matches!(call.tool_name.as_str(), "wait" | "wait_agent") {
            let waited = output::waited_agents(&output.content);
            if !waited.is_empty() {
                if let [only] = waited.as_slice() {
                    call.subagent_session_id = session_id(&only.agent_id);
                }
                for agent in waited {
                    let result = result(&agent.status, agent.content, &agent.agent_id);
                    call.results.push(result);
                }
                return;
            }
        }
        let started = (call.category == ToolCategory::Task)
            .then(|| output::started_agent(&output.content))
            .flatten();
        let agent_id = started.clone().unwrap_or_default();
        call.results
            .push(result(output.status, output.content, &agent_id));
        if let Some(agent_id) = started {
            self.link(row, agent_id);
        }
    }

    /// The call of that id started this agent.
    pub(super) fn spawned(&mut self, call_id: &str, agent_id: String) {
        if let Some(place) = self.calls.get(call_id) {
            self.link(place.row, agent_id);
        }
    }

    fn link(&mut self, row: usize, agent_id: String) {
        if let Some(call) = self.rows[row].tool_calls.last_mut() {
            call.subagent_session_id = session_id(&agent_id);
            self.spawned.insert(agent_id, row);
        }
    }

    /// The program's note on an agent becomes a result of the call that started it.
    fn note(&mut self, note: &str, time: Option<Timestamp>) {
        const KIND: &str = "subagent_notification";
        let Some(AgentState {
            agent_id,
            status,
            content,
        }) = output::noted_agent(note)
        else {
            return;
        };
        let row = match self.spawned.get(&agent_id) {
            Some(row) => *row,
            None => {
                let row = self.stand_in(Call::spawn(), "", KIND, time);
                self.link(row, agent_id.clone());
                row
            }
        };
        if let Some(call) = self.rows[row].tool_calls.last_mut() {
            call.results.push(ToolResult {
                source: KIND.to_owned(),
                status,
                content: storable(content),
                timestamp: time,
                agent_id,
            });
        }
    }

    /// A row for a call that the file does not hold, so that its result is not lost.
    fn stand_in(&mut self, call: Call, key: &str, kind: &str, time: Option<Timestamp>) -> usize {
        let header = call.header();
        let row = self.answer(kind, Field::default(), time, header);
        self.rows[row].tool_calls.push(call.parsed(key));
        if !key.is_empty() {
            let place = CallPlace {
                row,
                awaits_result: false,
                is_missing: true,
            };
            self.calls.insert(key.to_owned(), place);
        }
        row
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
            self.answer("reasoning", Field::default(), None, String::new());
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
            ordinal: Ordinal::new(ordinal),
            role,
            content: String::new(),
            thinking_text: String::new(),
            timestamp,
            is_system: false,
            model: String::new(),
            usage: None,
            source_type: kind.to_owned(),
            source_subtype: String::new(),
            source_uuid,
            source_parent_uuid: String::new(),
            provider_message_id: String::new(),
            provider_request_id: String::new(),
            is_sidechain: false,
            is_compact_boundary: false,
            tool_calls: Vec::new(),
        });
        let last = self.rows.len() - 1;
        &mut self.rows[last]
    }

    /// Takes the `info` of a count of tokens. A count is written after the answer it is for, in
    /// older files before it; the same one is written again at the start of the next request.
    pub(super) fn count(&mut self, info: Field<'_>) {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Info<'a> {
            #[serde(borrow)]
            last_token_usage: Field<'a>,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Count<'a> {
            #[serde(borrow)]
            input_tokens: Field<'a>,
            #[serde(borrow)]
            cached_input_tokens: Field<'a>,
            #[serde(borrow)]
            output_tokens: Field<'a>,
        }
        let Some(count) = info
            .object::<Info<'_>>()
            .and_then(|info| info.last_token_usage.object::<Count<'_>>())
        else {
            return;
        };
        if self.last_count == info.raw() {
            return;
        }
        info.raw().clone_into(&mut self.last_count);
        let cached = count.cached_input_tokens.number();
        let usage = TokenUsage {
            input_tokens: count
                .input_tokens
                .number()
                .map(|input| input.saturating_sub(cached.unwrap_or(0))),
            output_tokens: count.output_tokens.number(),
            cache_creation_input_tokens: None,
            cache_read_input_tokens: cached,
        };
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
