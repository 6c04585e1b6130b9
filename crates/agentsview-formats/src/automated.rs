//! Whether a person was behind a session, as far as its text tells.

use crate::ParsedSession;

/// How prompts begin that programs send on their own.
const OPENINGS: &[&str] = &[
    "You are a code reviewer.",
    "You are an automated",
    "You are reviewing a pull request",
    "You are reviewing the code changes",
    "Review the code changes in this pull request",
    "Review the following diff",
    "Write a commit message for",
    "Generate a commit message for",
    "Please write a 5-10 word title for the following conversation",
    "Summarize this coding conversation in under",
    "Analyze the following coding agent session",
    "Analyze this agent transcript",
    "Generate a title for this conversation",
];

/// Prompts that only keep something warm, without the punctuation at their end.
const PINGS: &[&str] = &["warmup", "warm up", "ping", "reply with ok", "say ok"];

/// How a prompt begins that stands for a plan. The program writes it when a person accepts a plan
/// and has the context cleared, so by itself it is a person's.
const ACCEPTED_PLAN: &str = "Implement the following plan:";

/// Whether the session's one prompt is of the kind that programs send. `is_headless` says that the
/// agent was driven by a program, which is no sign by itself: editors drive agents for people.
pub(crate) fn is_automated(session: &ParsedSession, is_headless: bool) -> bool {
    let mut prompts = session.user_messages();
    let Some(prompt) = prompts.next() else {
        return false;
    };
    if prompts.next().is_some() {
        return false;
    }
    let prompt = prompt.content.trim();
    let bare = prompt.trim_end_matches(['.', '!', '?']);
    OPENINGS.iter().any(|opening| prompt.starts_with(opening))
        || PINGS.iter().any(|ping| bare.eq_ignore_ascii_case(ping))
        || (is_headless && prompt.starts_with(ACCEPTED_PLAN))
}

#[cfg(test)]
mod tests {
    use crate::{Agent, Feeder, Nowhere, SourceFile};

    fn is_automated_after(prompts: &[&str], entrypoint: &str) -> bool {
        let source = SourceFile::new("p/s.jsonl");
        let mut feeder = Feeder::new(Agent::Claude.parser(&source, &Nowhere));
        for text in prompts {
            let line = serde_json::json!({
                "type": "user", "entrypoint": entrypoint, "message": {"content": text},
            });
            feeder.feed(format!("{line}\n").as_bytes());
        }
        feeder.finish().sessions[0].is_automated
    }

    #[test]
    fn one_prompt_of_a_program_makes_a_session_automated() {
        assert!(is_automated_after(&["Warmup"], "cli"));
        assert!(is_automated_after(&["Reply with OK."], "cli"));
        assert!(is_automated_after(
            &["You are a code reviewer. Read:"],
            "cli"
        ));
        assert!(!is_automated_after(&["Warmup", "And now?"], "cli"));
        assert!(!is_automated_after(
            &["Warm up the cache of the app."],
            "cli"
        ));
        assert!(!is_automated_after(
            &["[Request interrupted by user]"],
            "cli"
        ));
    }

    #[test]
    fn an_accepted_plan_is_a_persons_unless_a_program_drove_the_agent() {
        let plan = ["Implement the following plan:\n\n# Cache\n"];
        assert!(!is_automated_after(&plan, "cli"));
        assert!(!is_automated_after(&plan, ""));
        assert!(is_automated_after(&plan, "sdk-ts"));
        assert!(!is_automated_after(&["Fix it."], "sdk-ts"));
    }
}
