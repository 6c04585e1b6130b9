//! From turns in order to the rows of a session.

use std::collections::{HashMap, HashSet};

use recall_core::{Ordinal, Role, SourceUuid, Timestamp, ToolUseId};

use super::agents::StartedAgents;
use super::answer::{Answer, Part};
use super::prompt::Piece;
use super::turn::{Input, Side, Turn};
use crate::{ParsedMessage, ParsedToolCall, Termination, ToolResult};

/// Stands behind the id of a line for the row of what an editor put before the prompt.
const CONTEXT_SUFFIX: &str = ":ide-context";

/// The rows of one conversation.
#[derive(Default)]
pub(super) struct Transcript {
    pub(super) messages: Vec<ParsedMessage>,
    next_ordinal: u32,
    /// The answer whose lines are still coming.
    answer: Option<(Turn, Answer)>,
    results: Vec<Arrival>,
    ends_turn: bool,
}

/// A result, and how many rows stood before it.
struct Arrival {
    rows: usize,
    id: ToolUseId,
    result: ToolResult,
}

impl Transcript {
    pub(super) fn take(&mut self, mut turn: Turn) {
        let side = std::mem::replace(&mut turn.side, Side::User(Input::default()));
        match side {
            Side::Assistant(answer) => self.take_answer(turn, answer),
            Side::User(input) => {
                self.close_answer();
                self.take_input(&turn, input);
            }
            Side::Summary(text) => {
                self.close_answer();
                if !text.trim().is_empty() {
                    self.push(ParsedMessage {
                        is_system: true,
                        is_compact_boundary: true,
                        source_subtype: "compact_summary".to_owned(),
                        ..row(&turn, Role::Assistant, text)
                    });
                }
            }
        }
    }

    fn take_answer(&mut self, turn: Turn, answer: Answer) {
        if let Some((_, open)) = &mut self.answer
            && open.is_continued_by(&answer)
        {
            open.extend(answer);
            return;
        }
        self.close_answer();
        self.answer = Some((turn, answer));
    }

    fn close_answer(&mut self) {
        let Some((turn, answer)) = self.answer.take() else {
            return;
        };
        if answer.parts.is_empty() {
            return;
        }
        let message = ParsedMessage {
            thinking_text: answer.thinking(),
            model: answer.model.clone(),
            usage: answer.usage,
            provider_message_id: answer.message_id.clone(),
            provider_request_id: answer.request_id.clone(),
            ..row(&turn, Role::Assistant, answer.content())
        };
        self.push(message);
        self.ends_turn = answer.is_turn_end;
        if let Some(message) = self.messages.last_mut() {
            message.tool_calls = answer.parts.into_iter().filter_map(call).collect();
        }
    }

    fn take_input(&mut self, turn: &Turn, input: Input) {
        let rows = self.messages.len();
        // Results alone are shown with their calls; their place stays empty, so that the ordinals
        // of the rows after them do not depend on where results are shown.
        if input.pieces.is_empty() && !input.results.is_empty() {
            self.next_ordinal += 1;
        }
        let arrivals = input.results.into_iter();
        self.results
            .extend(arrivals.map(|(id, result)| Arrival { rows, id, result }));
        for piece in input.pieces {
            self.push(piece_row(turn, piece));
        }
    }

    fn push(&mut self, message: ParsedMessage) {
        let ordinal = Ordinal::new(self.next_ordinal);
        self.next_ordinal += 1;
        self.ends_turn = false;
        self.messages.push(ParsedMessage { ordinal, ..message });
    }

    /// The rows, with every result at its call, and how they end.
    pub(super) fn finish(
        mut self,
        agents: &StartedAgents,
    ) -> (Vec<ParsedMessage>, Option<Termination>) {
        self.close_answer();
        self.attach_results();
        for message in &mut self.messages {
            for call in &mut message.tool_calls {
                call.subagent_session_id = agents.session_of(call);
            }
        }
        self.count_usage_once();
        let termination = self.termination();
        (self.messages, termination)
    }

    fn attach_results(&mut self) {
        let mut places: HashMap<ToolUseId, Vec<(usize, usize)>> = HashMap::new();
        for (row, message) in self.messages.iter().enumerate() {
            for (index, call) in message.tool_calls.iter().enumerate() {
                if let Some(id) = &call.tool_use_id {
                    places.entry(id.clone()).or_default().push((row, index));
                }
            }
        }
        for Arrival { rows, id, result } in std::mem::take(&mut self.results) {
            let Some(places) = places.get(&id) else {
                continue;
            };
            // An id that occurs twice was copied: the result is of the call just before it.
            let before = places.partition_point(|(row, _)| *row < rows);
            let Some(&(row, index)) = places.get(before.saturating_sub(1)) else {
                continue;
            };
            let message = self.messages.get_mut(row);
            if let Some(call) = message.and_then(|message| message.tool_calls.get_mut(index)) {
                call.results.push(result);
            }
        }
    }

    /// An answer that results interrupt makes several rows which all report its usage; only the
    /// last of them has the final numbers.
    fn count_usage_once(&mut self) {
        let mut counted = HashSet::new();
        for message in self.messages.iter_mut().rev() {
            if message.usage.is_none() || message.provider_message_id.is_empty() {
                continue;
            }
            let answer = (&message.provider_message_id, &message.provider_request_id);
            if !counted.insert((answer.0.clone(), answer.1.clone())) {
                message.usage = None;
            }
        }
    }

    fn termination(&self) -> Option<Termination> {
        let answers = self.messages.iter().rev();
        let last = answers
            .clone()
            .find(|message| message.role == Role::Assistant && !message.is_system)?;
        if last.tool_calls.iter().any(|call| call.results.is_empty()) {
            return Some(Termination::ToolCallPending);
        }
        Some(if self.ends_turn {
            Termination::AwaitingUser
        } else {
            Termination::Clean
        })
    }
}

fn row(turn: &Turn, role: Role, content: String) -> ParsedMessage {
    ParsedMessage {
        timestamp: turn.timestamp,
        source_type: turn.source_type.clone(),
        source_uuid: SourceUuid::new(&turn.uuid).ok(),
        source_parent_uuid: turn.parent_uuid.clone(),
        is_sidechain: turn.is_sidechain,
        ..ParsedMessage::new(Ordinal::FIRST, role, content)
    }
}

fn piece_row(turn: &Turn, piece: Piece) -> ParsedMessage {
    let mut message = row(turn, Role::User, piece.text);
    if let Some(kind) = piece.system {
        message.is_system = true;
        kind.as_str().clone_into(&mut message.source_subtype);
    }
    if piece.is_context && message.source_uuid.is_some() {
        let uuid = format!("{}{CONTEXT_SUFFIX}", turn.uuid);
        message.source_uuid = SourceUuid::new(uuid).ok();
    }
    message
}

fn call(part: Part) -> Option<ParsedToolCall> {
    match part {
        Part::Call(call) => Some(call.call),
        Part::Text(_) | Part::Thinking(_) => None,
    }
}

/// The earliest and the latest time among the rows.
pub(super) fn span(messages: &[ParsedMessage]) -> (Option<Timestamp>, Option<Timestamp>) {
    let times = || messages.iter().filter_map(|message| message.timestamp);
    (times().min(), times().max())
}
