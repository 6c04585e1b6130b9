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
