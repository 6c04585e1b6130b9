//! Which agent a call started.

use std::collections::HashMap;

use recall_core::{SessionId, ToolUseId};
use serde_json::Value;

use super::prompt;
use crate::{Agent, ParsedToolCall, ToolCategory};

/// The agents that progress lines and notices about tasks tell of.
#[derive(Debug, Default)]
pub(super) struct StartedAgents {
    by_call: HashMap<ToolUseId, String>,
}

impl StartedAgents {
    pub(super) fn note(&mut self, tool_use_id: Option<&str>, agent_id: Option<&str>) {
        let Some(id) = tool_use_id.and_then(|id| ToolUseId::new(id).ok()) else {
            return;
        };
        if let Some(agent_id) = agent_id.filter(|agent_id| !agent_id.is_empty()) {
            self.by_call.insert(id, agent_id.to_owned());
        }
    }

    /// A notice about a task says which call started it, as JSON or in elements.
    pub(super) fn note_notice(&mut self, text: Option<&str>) {
        let Some(text) = text.map(str::trim_start) else {
            return;
        };
        if text.starts_with("<task-notification>") {
            self.note(
                prompt::element(text, "tool-use-id"),
                prompt::element(text, "task-id"),
            );
        } else if text.starts_with('{')
            && let Ok(notice) = serde_json::from_str::<HashMap<String, Value>>(text)
        {
            let field = |keys: [&str; 2]| keys.iter().find_map(|key| notice.get(*key)?.as_str());
            self.note(
                field(["tool_use_id", "toolUseId"]),
                field(["task_id", "taskId"]),
            );
        }
    }

    /// The session of the agent that a call started: its result says so for certain; progress and
    /// notices only while the call is of a kind that starts agents, as they name other tasks too.
    pub(super) fn session_of(&self, call: &ParsedToolCall) -> Option<SessionId> {
        let results = call.results.iter().rev();
        let from_result = results
            .map(|result| &result.agent_id)
            .find(|agent| !agent.is_empty());
        let agent = match from_result {
            Some(agent) => agent,
            None if call.category == ToolCategory::Task => {
                self.by_call.get(call.tool_use_id.as_ref()?)?
            }
            None => return None,
        };
        Agent::Claude.session_id(&format!("agent-{agent}")).ok()
    }
}
