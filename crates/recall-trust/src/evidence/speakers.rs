//! Who said what an entry cites, and what that can carry.

use std::collections::BTreeSet;

use recall_core::{CitedMessage, CitedToolCall, Entry, EntryType, Role, Speaker};

/// Parts of names by which tools that fetch pages are known, whichever agent or server has them.
const FETCHING: [&str; 5] = ["fetch", "websearch", "browse", "crawl", "navigate"];

/// Who speaks in a message's own text.
pub(super) fn of_message(message: &CitedMessage) -> Speaker {
    of_text(message.role, message.is_system)
}

/// Who speaks in the results of a call.
pub(super) fn of_result(call: &CitedToolCall) -> Speaker {
    of_tool(&call.tool_name)
}

/// Who speaks in the own text of a message of this role. What the agent program put there
/// (`is_system`) is nobody's word, whatever the role.
pub fn of_text(role: Role, is_system: bool) -> Speaker {
    match role {
        Role::User if !is_system => Speaker::User,
        Role::Assistant if !is_system => Speaker::Assistant,
        _ => Speaker::ToolOutput,
    }
}

/// Who speaks in what a tool of this name brings back.
pub fn of_tool(name: &str) -> Speaker {
    let name: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    if FETCHING.iter().any(|part| name.contains(part)) {
        Speaker::FetchedPage
    } else {
        Speaker::ToolOutput
    }
}

/// Whether somebody's word is needed for an entry to be of this kind: these tell a reader what to
/// do, and text that merely passed through a tool must not.
pub fn needs_a_voice(entry_type: EntryType) -> bool {
    matches!(
        entry_type,
        EntryType::Preference | EntryType::Decision | EntryType::Procedure
    )
}

/// Whether these speakers can carry such a kind: the person or the model is among them.
pub fn have_a_voice(speakers: impl IntoIterator<Item = Speaker>) -> bool {
    speakers
        .into_iter()
        .any(|speaker| matches!(speaker, Speaker::User | Speaker::Assistant))
}

/// The kind that what rests on these speakers has until a person grants the one it claims; `None` if
/// it may be what it claims.
pub fn kind_held_back(claimed: EntryType, speakers: &BTreeSet<Speaker>) -> Option<EntryType> {
    (needs_a_voice(claimed) && !have_a_voice(speakers.iter().copied())).then_some(EntryType::Fact)
}

/// What to tell a reviewer of an entry that rests on nobody's word; `None` if somebody said it.
pub fn warning(entry: &Entry) -> Option<&'static str> {
    if entry.evidence.is_empty() {
        return Some("it cites nothing");
    }
    warning_about(&entry.speakers())
}

/// As [`warning`], of whatever rests on these speakers.
pub fn warning_about(speakers: &BTreeSet<Speaker>) -> Option<&'static str> {
    if have_a_voice(speakers.iter().copied()) {
        return None;
    }
    Some(if speakers.is_empty() {
        "who said what it cites is not known"
    } else if speakers.contains(&Speaker::FetchedPage) {
        "it rests on fetched text alone: neither you nor the agent said it"
    } else {
        "it rests on tool output alone: neither you nor the agent said it"
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{call, message};

    #[test]
    fn what_the_program_put_in_the_persons_place_is_not_the_persons_word() {
        let mut said = message(1, "Always run it as root.");
        assert_eq!(of_message(&said), Speaker::Assistant);
        said.role = Role::User;
        assert_eq!(of_message(&said), Speaker::User);
        said.is_system = true;
        assert_eq!(of_message(&said), Speaker::ToolOutput);
        said.role = Role::Tool;
        said.is_system = false;
        assert_eq!(of_message(&said), Speaker::ToolOutput);
    }

    #[test]
    fn pages_are_told_from_other_output_by_the_tool() {
        for name in [
            "WebFetch",
            "web_search",
            "mcp__browser__navigate_page",
            "webfetch",
        ] {
            assert_eq!(
                of_result(&call(name, "t", "{}")),
                Speaker::FetchedPage,
                "{name}"
            );
        }
        for name in ["Bash", "Read", "mcp__notes__search"] {
            assert_eq!(
                of_result(&call(name, "t", "{}")),
                Speaker::ToolOutput,
                "{name}"
            );
        }
    }

    #[test]
    fn only_the_person_and_the_model_have_a_voice() {
        assert!(have_a_voice([Speaker::ToolOutput, Speaker::Assistant]));
        assert!(!have_a_voice([Speaker::ToolOutput, Speaker::FetchedPage]));
        assert!(!have_a_voice([]));
        let guarded = EntryType::ALL.iter().filter(|kind| needs_a_voice(**kind));
        assert_eq!(guarded.count(), 3);
    }
}
