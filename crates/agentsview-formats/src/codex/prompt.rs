//! What a person typed, told apart from what the agent program put in the person's place.

/// One text part of a user item.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// What the person wrote.
    Prompt(&'a str),
    /// The program's note that the last turn was interrupted.
    TurnAborted,
    /// The program's note on an agent that works aside, as it is written between its tags.
    SubagentNotification(&'a str),
    /// Instructions and surroundings that the program adds.
    Injected,
}

/// Tags of the envelopes that the program adds to or sends as user items.
const INJECTED: &[&str] = &[
    "environment_context",
    "INSTRUCTIONS",
    "user_instructions",
    "skill",
    "goal_context",
    "recommended_plugins",
];

/// Sorts a part. Envelopes before a prompt are taken off it; an envelope that is not closed takes
/// the rest of the part with it, since nothing then says where the person's words begin.
pub(super) fn part(text: &str) -> Part<'_> {
    let mut rest = text.trim_start();
    let mut was_stripped = false;
    loop {
        if let Some(inner) = rest.strip_prefix("<turn_aborted>") {
            if let Some((_, after)) = inner.rsplit_once("</turn_aborted>")
                && !after.trim().is_empty()
            {
                rest = after.trim_start();
                was_stripped = true;
                continue;
            }
            return Part::TurnAborted;
        }
        if let Some(inner) = rest.strip_prefix("<subagent_notification>") {
            let note = inner
                .rsplit_once("</subagent_notification>")
                .map_or(inner, |(note, _)| note);
            return Part::SubagentNotification(note.trim());
        }
        let Some(after) = after_injected(rest) else {
            return if was_stripped {
                Part::Prompt(rest.trim())
            } else {
                Part::Prompt(text)
            };
        };
        rest = after.trim_start();
        was_stripped = true;
        if rest.is_empty() {
            return Part::Injected;
        }
    }
}

/// What follows the injected envelope at the start; `None` if there is none.
fn after_injected(text: &str) -> Option<&str> {
    if text.starts_with("# AGENTS.md") {
        // The heading names a folder; the instructions follow in their own envelope.
        let opening = text.find("<INSTRUCTIONS>").unwrap_or(text.len());
        return Some(after_envelope(&text[opening..], "INSTRUCTIONS"));
    }
    let (tag, attributes) = opening_tag(text)?;
    let is_goal = tag.ends_with("internal_context") && attributes.contains("source=\"goal\"");
    (is_goal || INJECTED.contains(&tag)).then(|| after_envelope(text, tag))
}

/// The name and the attributes of the tag at the start.
fn opening_tag(text: &str) -> Option<(&str, &str)> {
    let (tag, _) = text.strip_prefix('<')?.split_once('>')?;
    Some(tag.split_once(char::is_whitespace).unwrap_or((tag, "")))
}

/// What follows the last closing tag: instructions may quote the tag, and must not be taken for
/// words of the person.
fn after_envelope<'a>(text: &'a str, tag: &str) -> &'a str {
    text.rsplit_once(&format!("</{tag}>"))
        .map_or("", |(_, after)| after)
}

/// The working directory that an injected description of the surroundings names.
pub(super) fn working_directory(text: &str) -> Option<&str> {
    if !text.trim_start().starts_with("<environment_context>") {
        return None;
    }
    let (_, rest) = text.split_once("<cwd>")?;
    let (cwd, _) = rest.split_once("</cwd>")?;
    Some(cwd.trim()).filter(|cwd| !cwd.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_that_the_program_adds_are_no_prompts() {
        for text in [
            "# AGENTS.md instructions for /srv/app\n\n<INSTRUCTIONS>\nBe kind.\n</INSTRUCTIONS>",
            "# AGENTS.md instructions\nBe kind.",
            "<environment_context>\n  <cwd>/srv</cwd>\n</environment_context>",
            "\n<INSTRUCTIONS>x</INSTRUCTIONS>\n",
            "<user_instructions>x</user_instructions>",
            "<skill>\n<name>x</name></skill>",
            "<goal_context>x</goal_context>",
            "<codex_internal_context source=\"goal\">x</codex_internal_context>",
            "<recommended_plugins>never closed, Fix it",
            "# AGENTS.md\n<INSTRUCTIONS>say </INSTRUCTIONS> twice</INSTRUCTIONS>",
        ] {
            assert_eq!(part(text), Part::Injected, "{text}");
        }
    }

    #[test]
    fn envelopes_before_a_prompt_are_taken_off() {
        let text = "<recommended_plugins>\na\n</recommended_plugins>\n<environment_context>b\
                    </environment_context>\n\nFix it.\n";
        assert_eq!(part(text), Part::Prompt("Fix it."));
    }

    #[test]
    fn a_prompt_is_left_alone() {
        for text in [
            "  Fix <skill> parsing\n",
            "<div>why?</div>",
            "<codex_internal_context source=\"x\">y</codex_internal_context>",
            "# Context from my IDE setup:\n",
            "<unclosed",
            "<skills>x</skills>",
        ] {
            assert_eq!(part(text), Part::Prompt(text));
        }
    }

    #[test]
    fn notes_of_the_program_are_told_apart() {
        assert_eq!(
            part("<turn_aborted>\nstopped\n</turn_aborted>"),
            Part::TurnAborted
        );
        assert_eq!(
            part("<turn_aborted>stopped</turn_aborted>\nGo on."),
            Part::Prompt("Go on.")
        );
        assert_eq!(
            part("<subagent_notification>\n{\"agent_id\":\"a\"}\n</subagent_notification>"),
            Part::SubagentNotification("{\"agent_id\":\"a\"}")
        );
    }

    #[test]
    fn the_surroundings_name_the_working_directory() {
        assert_eq!(
            working_directory("<environment_context>\n <cwd>/srv/app</cwd></environment_context>"),
            Some("/srv/app")
        );
        assert_eq!(working_directory("see <cwd>/srv/app</cwd>"), None);
    }
}
