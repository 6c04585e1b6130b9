//! Claude Code: `<project folder>/<session>.jsonl`, and the agents that a session started in
//! `<project folder>/<session>/subagents/**/agent-<id>.jsonl`.
//!
//! The steps, a module each: a [`mod@line`] is read past all that does not matter, becomes a [`turn`]
//! with the user's [`prompt`] or a part of the model's [`answer`], the turns of a file fall into
//! conversations by their [`tree`], and each conversation becomes a [`transcript`].

mod agents;
mod answer;
mod copied;
mod facts;
mod files;
mod line;
mod loose;
mod prompt;
mod repair;
mod saved;
#[cfg(test)]
mod tests;
mod transcript;
mod tree;
mod turn;

use recall_core::SessionId;

pub(crate) use self::files::is_session_file;

use self::agents::StartedAgents;
use self::facts::Facts;
use self::line::{Block, Content, Line};
use self::transcript::Transcript;
use self::turn::Turn;
use crate::text::storable;
use crate::{
    Agent, LineParser, Malformed, ParsedMessage, ParsedSession, Relationship, SourceFile,
    Surroundings, Termination, automated, project,
};

/// Text that stands for a session made only to look up the usage limits.
const USAGE_PROBE: &str = "/usage";

pub(crate) struct Parser<'a> {
    surroundings: &'a dyn Surroundings,
    stem: String,
    /// The folder of the project, whose name is the working directory with dashes for slashes.
    folder: String,
    /// The session that a subagent's file lies under.
    owner: Option<String>,
    facts: Facts,
    turns: Vec<Turn>,
    /// Prompts typed while the agent worked.
    queued: Vec<Turn>,
    agents: StartedAgents,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(source: &SourceFile, surroundings: &'a dyn Surroundings) -> Self {
        let parts: Vec<&str> = source
            .relative_path
            .iter()
            .filter_map(|part| part.to_str())
            .collect();
        let below = parts.iter().position(|part| *part == "subagents");
        let owner = below.and_then(|at| parts.get(at.checked_sub(1)?));
        let folder = (parts.len() > 1).then(|| parts[0]);
        let stem = Agent::Claude.native_id(&source.relative_path);
        Self {
            surroundings,
            stem: storable(stem.unwrap_or_default().to_owned()),
            folder: storable(folder.unwrap_or_default().to_owned()),
            owner: owner.map(|owner| storable((*owner).to_owned())),
            facts: Facts::default(),
            turns: Vec::new(),
            queued: Vec::new(),
            agents: StartedAgents::default(),
        }
    }

    fn take(&mut self, line: Line<'_>) {
        self.facts.note(&line);
        match line.kind.as_deref() {
            Some("user") => {
                self.agents.note_notice(first_text(&line.message.content));
                let mut turn = Turn::user(line);
                saved::restore(&mut turn, self.surroundings);
                self.turns.push(turn);
            }
            Some("assistant") => self.turns.push(Turn::assistant(line)),
            Some("attachment") if line.attachment.kind.as_deref() == Some("queued_command") => {
                self.agents.note_notice(first_text(&line.attachment.prompt));
                self.queued.push(Turn::queued(line));
            }
            Some("progress") if line.data.kind.as_deref() == Some("agent_progress") => {
                self.agents.note(
                    line.parent_tool_use_id.as_deref(),
                    line.data.agent_id.as_deref(),
                );
            }
            Some("queue-operation") if line.operation.as_deref() == Some("enqueue") => {
                self.agents.note_notice(line.content.as_deref());
            }
            _ => {}
        }
    }

    fn parent(&self) -> Option<(SessionId, Relationship)> {
        if let Some(owner) = &self.owner {
            return Some((
                Agent::Claude.session_id(owner).ok()?,
                Relationship::Subagent,
            ));
        }
        let relationship = if self.stem.starts_with("agent-") {
            Relationship::Subagent
        } else {
            Relationship::Continuation
        };
        let parent = self.foreign_id()?;
        Some((Agent::Claude.session_id(parent).ok()?, relationship))
    }

    /// The session that the file's first lines belong to, if it is another one.
    fn foreign_id(&self) -> Option<&str> {
        let id = self.facts.session_id.as_str();
        (!id.is_empty() && id != self.stem).then_some(id)
    }

    /// Leaves out what a background session repeats of the session that it was started from.
    fn drop_copied_turns(&mut self) {
        if self.facts.root_kind.as_deref() != Some("bg") {
            return;
        }
        let other = self
            .foreign_id()
            .and_then(|id| self.surroundings.session_file(id));
        if let Some(other) = other {
            copied::drop_copied(&mut self.turns, &other);
        }
    }

    fn session(&self, id: SessionId) -> ParsedSession {
        let facts = &self.facts;
        let cwd = &facts.place.cwd;
        let project = if cwd.is_empty() {
            project::of_claude_folder(&self.folder)
        } else {
            project::name(cwd, &facts.place.git_branch, self.surroundings)
        };
        ParsedSession {
            id,
            agent: Agent::Claude,
            project,
            cwd: cwd.clone(),
            git_branch: facts.place.git_branch.clone(),
            source_session_id: facts.session_id.clone(),
            source_version: facts.version.clone(),
            parent: self.parent(),
            name: facts.name.clone(),
            started_at: facts.started_at,
            ended_at: facts.ended_at,
            termination: None,
            is_automated: false,
            messages: Vec::new(),
        }
    }
}

impl LineParser for Parser<'_> {
    fn line(&mut self, line: &[u8]) -> Result<(), Malformed> {
        if let Ok(line) = serde_json::from_slice(line) {
            self.take(line);
            return Ok(());
        }
        if let Some(line) = repair::repaired(line)
            && let Ok(line) = serde_json::from_slice(&line)
        {
            self.take(line);
            return Ok(());
        }
        // A value that is no record says nothing, and is no sign of damage either.
        match serde_json::from_slice::<serde::de::IgnoredAny>(line) {
            Ok(_) => Ok(()),
            Err(_) => Err(Malformed),
        }
    }

    fn finish(mut self: Box<Self>, truncated: bool) -> Vec<ParsedSession> {
        self.facts.settle();
        self.drop_copied_turns();
        let Ok(own_id) = Agent::Claude.session_id(&self.stem) else {
            return Vec::new();
        };
        let own_session = self.session(own_id);
        let strands = tree::strands(&self.turns);
        let mut turns: Vec<Option<Turn>> = std::mem::take(&mut self.turns)
            .into_iter()
            .map(Some)
            .collect();
        let mut queued = std::mem::take(&mut self.queued);
        let mut sessions: Vec<ParsedSession> = Vec::with_capacity(strands.len());
        for strand in strands {
            let mut session = own_session.clone();
            if let Some(origin) = strand.origin {
                let first = turns.get(origin.first).and_then(Option::as_ref);
                let first_uuid = first.map(|turn| turn.uuid.as_str()).unwrap_or_default();
                let fork = format!("{}-{first_uuid}", self.stem);
                let Ok(id) = Agent::Claude.session_id(&fork) else {
                    continue;
                };
                session.id = id;
                session.name.clear();
                let parent = sessions.get(origin.strand);
                session.parent = parent.map(|parent| (parent.id.clone(), Relationship::Fork));
            }
            let own = strand.turns.iter();
            let own = own
                .filter_map(|&turn| turns.get_mut(turn)?.take())
                .collect();
            let mut transcript = Transcript::default();
            for turn in splice(own, std::mem::take(&mut queued)) {
                transcript.take(turn);
            }
            (session.messages, session.termination) = transcript.finish(&self.agents);
            if strand.origin.is_some() {
                (session.started_at, session.ended_at) = transcript::span(&session.messages);
            } else if truncated {
                session.termination = Some(Termination::Truncated);
            }
            session.is_automated = automated::is_automated(&session, self.facts.is_headless());
            sessions.push(session);
        }
        sessions.retain(|session| !session.messages.is_empty() && !is_usage_probe(session));
        sessions
    }
}

fn first_text<'a>(content: &'a Content<Block<'_>>) -> Option<&'a str> {
    content.0.first()?.text.as_deref()
}

/// Puts the prompts of a queue where their times belong, but not into the middle of an answer.
fn splice(turns: Vec<Turn>, mut queued: Vec<Turn>) -> Vec<Turn> {
    if queued.is_empty() {
        return turns;
    }
    queued.sort_by_key(|turn| (turn.timestamp.is_none(), turn.timestamp));
    let mut queued = queued.into_iter().peekable();
    let mut spliced: Vec<Turn> = Vec::with_capacity(turns.len() + queued.len());
    for turn in turns {
        let is_inside = spliced
            .last()
            .is_some_and(|last| last.is_continued_by(&turn));
        if turn.timestamp.is_some() && !is_inside {
            while let Some(prompt) = queued
                .next_if(|prompt| prompt.timestamp.is_some() && prompt.timestamp < turn.timestamp)
            {
                spliced.push(prompt);
            }
        }
        spliced.push(turn);
    }
    spliced.extend(queued);
    spliced
}

fn is_usage_probe(session: &ParsedSession) -> bool {
    let mut texts = session
        .user_messages()
        .map(|message: &ParsedMessage| message.content.trim());
    texts.next() == Some(USAGE_PROBE) && texts.next().is_none()
}
