//! Joins results, and the agents that calls start, to the rows of their calls.

use recall_core::Timestamp;

use super::super::calls::Call;
use super::super::output::{self, AgentState};
use super::super::record::{Field, Item};
use super::{CallPlace, Transcript};
use crate::text::storable;
use crate::{Agent, ParsedToolCall, ToolCategory, ToolResult};

impl Transcript {
    pub(super) fn call(
        &mut self,
        call: Call,
        item: &Item<'_>,
        kind: &str,
        time: Option<Timestamp>,
    ) {
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

    pub(super) fn result(&mut self, item: &Item<'_>, kind: &str, time: Option<Timestamp>) {
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
                    call.subagent_session_id = Agent::Codex.session_id(&only.agent_id).ok();
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
    pub(in super::super) fn spawned(&mut self, call_id: &str, agent_id: String) {
        if let Some(place) = self.calls.get(call_id) {
            self.link(place.row, agent_id);
        }
    }

    fn link(&mut self, row: usize, agent_id: String) {
        if let Some(call) = self.rows[row].tool_calls.last_mut() {
            call.subagent_session_id = Agent::Codex.session_id(&agent_id).ok();
            self.spawned.insert(agent_id, row);
        }
    }

    /// The program's note on an agent becomes a result of the call that started it.
    pub(super) fn note(&mut self, note: &str, time: Option<Timestamp>) {
        const KIND: &str = "subagent_notification";
        let Some(AgentState {
            agent_id,
            status,
            content,
        }) = output::noted_agent(note)
        else {
            return;
        };
        let known = self.spawned.get(&agent_id).copied();
        let row = known.unwrap_or_else(|| {
            let row = self.stand_in(Call::spawn(), "", KIND, time);
            self.link(row, agent_id.clone());
            row
        });
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
}
