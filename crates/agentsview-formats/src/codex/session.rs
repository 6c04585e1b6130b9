//! Who a session is: what it says of itself, and which turns it copied from its parent.

use std::collections::HashSet;

use serde::Deserialize;

use super::record::{Event, Field, Line, SessionMeta, TurnContext, object};
use crate::Relationship;

/// The first line of a session, settled.
#[derive(Debug, Default)]
pub(super) struct Identity {
    pub(super) native_id: String,
    pub(super) cwd: String,
    pub(super) git_branch: String,
    pub(super) version: String,
    /// Native id of the parent, and how this session hangs on it.
    pub(super) parent: Option<(String, Relationship)>,
    /// Whether the program itself started it, for example to review.
    pub(super) is_automated: bool,
    /// Whether a program ran the agent, without its terminal.
    pub(super) is_headless: bool,
}

impl Identity {
    pub(super) fn new(meta: &SessionMeta<'_>) -> Self {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Git<'a> {
            #[serde(borrow)]
            branch: Field<'a>,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Source<'a> {
            #[serde(borrow)]
            subagent: Field<'a>,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Subagent<'a> {
            #[serde(borrow)]
            thread_spawn: Field<'a>,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Spawn<'a> {
            #[serde(borrow)]
            parent_thread_id: Field<'a>,
        }
        let subagent = meta
            .source
            .object::<Source<'_>>()
            .map(|source| source.subagent)
            .unwrap_or_default();
        let spawn = subagent
            .object::<Subagent<'_>>()
            .map(|subagent| subagent.thread_spawn)
            .unwrap_or_default();
        let native_id = meta.id.owned();
        // A spawned agent may also be forked, to know the conversation so far; its place is still
        // below the one that spawned it.
        let parent = spawn
            .object::<Spawn<'_>>()
            .and_then(|spawn| spawn.parent_thread_id.text())
            .or_else(|| {
                subagent
                    .is_present()
                    .then(|| meta.parent_thread_id.text())?
            })
            .map(|parent| (parent.into_owned(), Relationship::Subagent))
            .or_else(|| {
                let parent = meta.forked_from_id.owned();
                (!parent.is_empty()).then_some((parent, Relationship::Fork))
            })
            .filter(|(parent, _)| *parent != native_id);
        Self {
            native_id,
            cwd: meta.cwd.owned(),
            git_branch: meta
                .git
                .object::<Git<'_>>()
                .map(|git| git.branch.owned())
                .unwrap_or_default(),
            version: meta.cli_version.owned(),
            parent,
            is_automated: subagent.is_present() && !spawn.is_present(),
            is_headless: meta.source.text().as_deref() == Some("exec"),
        }
    }
}

/// The ids of all turns in a session's file.
pub(super) fn turn_ids(file: &[u8]) -> HashSet<String> {
    file.split(|byte| *byte == b'\n')
        .filter_map(|line| {
            let line: Line<'_> = object(line)?;
            let turn_id = match line.kind.text()?.as_ref() {
                "turn_context" => line.payload.object::<TurnContext<'_>>()?.turn_id,
                "event_msg" => line.payload.object::<Event<'_>>()?.turn_id,
                _ => return None,
            };
            turn_id.text().map(std::borrow::Cow::into_owned)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(meta: &str) -> Identity {
        Identity::new(&object(meta.as_bytes()).unwrap())
    }

    #[test]
    fn a_spawned_agent_hangs_on_its_spawner_even_when_forked() {
        let spawned = identity(
            r#"{"id":"c","forked_from_id":"f","source":{"subagent":{"thread_spawn":{"parent_thread_id":"p"}}}}"#,
        );
        assert_eq!(
            spawned.parent,
            Some(("p".to_owned(), Relationship::Subagent))
        );
        assert!(!spawned.is_automated);
        let forked = identity(r#"{"id":"c","forked_from_id":"f","source":"cli"}"#);
        assert_eq!(forked.parent, Some(("f".to_owned(), Relationship::Fork)));
        let own = identity(r#"{"id":"c","forked_from_id":"c"}"#);
        assert_eq!(own.parent, None);
    }

    #[test]
    fn a_session_that_the_program_started_for_itself_is_automated() {
        let review =
            identity(r#"{"id":"c","parent_thread_id":"p","source":{"subagent":"review"}}"#);
        assert!(review.is_automated);
        assert_eq!(
            review.parent,
            Some(("p".to_owned(), Relationship::Subagent))
        );
        let run = identity(r#"{"id":"c","source":"exec"}"#);
        assert!(run.is_headless && !run.is_automated);
    }

    #[test]
    fn the_turns_of_a_file_are_found_whatever_else_it_holds() {
        let file = b"{\"type\":\"turn_context\",\"payload\":{\"turn_id\":\"t1\"}}\noops\n\n\
            {\"type\":\"event_msg\",\"payload\":{\"type\":\"task_started\",\"turn_id\":\"t2\"}}\n\
            {\"type\":\"turn_context\",\"payload\":{\"turn_id\":7}}";
        assert_eq!(turn_ids(file), ["t1".to_owned(), "t2".to_owned()].into());
    }
}
