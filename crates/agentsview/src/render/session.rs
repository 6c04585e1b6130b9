//! Sessions and their messages.

use agentsview_api::{
    MessageDocument, MessagesDocument, SessionDocument, SessionListDocument, ToolCallDocument,
    ToolResultDocument,
};
use recall_text::{CUT_MARK, clean_line, truncate};

use super::entry::yes_no;
use super::page::{Fields, Page, bytes, commas, count, minute, named, some};
use super::shown::Shown;
use super::table;

/// How much of a session's name a row shows, in bytes.
const NAME_BYTES: usize = 60;

/// How much of a project or a branch a row shows, in characters.
const PLACE_CHARS: usize = 20;

/// How much of what a tool gave back is shown.
pub(super) const RESULT: Shown<'static> = Shown {
    lines: 5,
    bytes: 400,
    quotes: &[],
};

/// A row a session.
pub(crate) fn session_list(document: &SessionListDocument) -> String {
    let mut page = Page::new();
    if document.sessions.is_empty() {
        page.line("(no sessions)");
        return page.finish();
    }
    table::write(
        &mut page,
        [
            "SESSION",
            "AGENT",
            "PROJECT",
            "BRANCH",
            "MESSAGES",
            "ENDED (UTC)",
            "NAME",
        ],
        &[4],
        document.sessions.iter().map(|session| {
            [
                session.id.clone(),
                session.agent.clone(),
                bounded(&session.project),
                bounded(&session.git_branch),
                session.message_count.to_string(),
                minute(&session.ended_at),
                truncate(&clean_line(title(session)), NAME_BYTES).into_owned(),
            ]
        }),
    );
    if document
        .sessions
        .iter()
        .any(|session| !session.trashed_at.is_empty())
    {
        page.line("in the trash; bring one back with `agentsview session restore <id>`");
    }
    let shown = document.sessions.len() as u64;
    if let Some(more) = document.total.checked_sub(shown).filter(|more| *more > 0) {
        page.line(format_args!("and {more} more; see --limit"));
    }
    page.finish()
}

/// For standard error: how many sessions a list kept back, if any, and which of the flags that were
/// not given may show them.
pub(crate) fn hidden_sessions(document: &SessionListDocument, flags: &[&str]) -> Option<String> {
    (document.hidden > 0).then(|| {
        format!(
            "{} not shown, automated or started by another; add {}",
            count(document.hidden, "session", "sessions"),
            flags.join(" or ")
        )
    })
}

/// One session in full.
pub(crate) fn session(session: &SessionDocument) -> String {
    let known = |known: bool, number: u64| {
        if known {
            number.to_string()
        } else {
            String::new()
        }
    };
    let mut fields = Fields::new();
    fields.line("id", &session.id);
    fields.line("name", &session.name);
    fields.line("agent", agent(session));
    fields.line("project", &session.project);
    fields.line("directory", &session.cwd);
    fields.line("branch", &session.git_branch);
    fields.line("machine", &session.machine);
    fields.line(
        "parent",
        commas([&session.parent_session_id, &session.relationship_type]),
    );
    fields.line("started", &session.started_at);
    fields.line(
        "ended",
        commas([&session.ended_at, &session.termination_status]),
    );
    fields.line(
        "messages",
        format_args!(
            "{}, {} by a person, {}",
            session.message_count,
            session.user_message_count,
            count(session.tool_call_count, "tool call", "tool calls")
        ),
    );
    fields.line(
        "output tokens",
        known(session.has_total_output_tokens, session.total_output_tokens),
    );
    fields.line(
        "fullest context",
        known(session.has_peak_context_tokens, session.peak_context_tokens),
    );
    fields.line("automated", yes_no(session.is_automated));
    fields.line("secrets", secrets(session));
    fields.line("passed over", passed_over(session));
    fields.line("revision", &session.transcript_revision);
    fields.line("stored", &session.created_at);
    fields.line("in the trash", named("since", &session.trashed_at));
    fields.line("first message", &session.first_message);
    let mut page = Page::new();
    fields.write(&mut page);
    page.finish()
}

/// The messages one after the other, each under its own head.
pub(crate) fn messages(document: &MessagesDocument) -> String {
    let mut page = Page::new();
    if document.messages.is_empty() {
        page.line("(no messages)");
    }
    for message in &document.messages {
        page.gap();
        message_head(&mut page, message, &message.role);
        page.block("", &message.content);
        for call in &message.tool_calls {
            tool_call(&mut page, call, "", RESULT);
        }
    }
    page.finish()
}

/// The line above a message: its ordinal, whose it is, and what else is known.
pub(super) fn message_head(page: &mut Page, message: &MessageDocument, who: &str) {
    let aside = if message.is_sidechain { "aside" } else { "" };
    let head = commas([
        who,
        &message.timestamp,
        &message.model,
        &named("system", &message.source_subtype),
        aside,
    ]);
    page.line(format_args!("--- #{} {head}", message.ordinal));
}

/// The id that evidence cites a tool use by, a remark, and so much of what came back.
pub(super) fn tool_call(page: &mut Page, call: &ToolCallDocument, remark: &str, shown: Shown<'_>) {
    let id = if call.tool_use_id.is_empty() {
        "(without an id)"
    } else {
        &call.tool_use_id
    };
    page.line(format_args!(
        "  tool use {}  {} ({}){remark}",
        clean_line(id),
        clean_line(&call.tool_name),
        clean_line(&call.category)
    ));
    for result in &call.result_events {
        tool_result(page, result, shown);
    }
}

fn tool_result(page: &mut Page, result: &ToolResultDocument, shown: Shown<'_>) {
    page.line(format_args!(
        "    {}",
        commas(["result", &result.status, &bytes(result.content_length)])
    ));
    page.block("      ", &shown.of(result.content.trim()));
}

/// The agent with its program's version, which says nothing without the agent.
fn agent(session: &SessionDocument) -> String {
    if session.agent.is_empty() {
        String::new()
    } else {
        commas([&session.agent, &session.source_version])
    }
}

/// A text that may not push the other columns away.
fn bounded(text: &str) -> String {
    let text = clean_line(text);
    match text.char_indices().nth(PLACE_CHARS) {
        None => text.into_owned(),
        Some(_) => text
            .chars()
            .take(PLACE_CHARS - 1)
            .chain(CUT_MARK.chars())
            .collect(),
    }
}

fn title(session: &SessionDocument) -> &str {
    if session.name.is_empty() {
        &session.first_message
    } else {
        &session.name
    }
}

fn secrets(session: &SessionDocument) -> String {
    if session.secrets_rules_version.is_empty() {
        "not scanned as it is now".to_owned()
    } else {
        count(
            session.secret_leak_count,
            "definite finding",
            "definite findings",
        )
    }
}

fn passed_over(session: &SessionDocument) -> String {
    commas([
        some(
            session.parser_malformed_lines,
            "unreadable line",
            "unreadable lines",
        ),
        some(
            session.parser_oversized_lines,
            "overlong line",
            "overlong lines",
        ),
        if session.is_truncated {
            "the file is unfinished"
        } else {
            ""
        }
        .to_owned(),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::samples;

    #[test]
    fn sessions_are_a_table() {
        let document = SessionListDocument::from(&samples::session_page());
        let text = session_list(&document);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("session_list", text);
        insta::assert_snapshot!("session_list_json", samples::json(&document));
        let hidden = hidden_sessions(&document, &["--include-children"]).unwrap();
        assert!(hidden.starts_with("3 sessions not shown"), "{hidden}");
        assert!(hidden.ends_with("add --include-children"), "{hidden}");
        let none = SessionListDocument::default();
        assert_eq!(hidden_sessions(&none, &["--include-children"]), None);
    }

    #[test]
    fn a_list_says_how_many_did_not_fit() {
        let mut document = SessionListDocument::from(&samples::session_page());
        document.total = 12;
        let text = session_list(&document);
        assert!(text.ends_with("and 10 more; see --limit\n"), "{text}");
    }

    #[test]
    fn a_long_branch_leaves_room_for_the_other_columns() {
        assert_eq!(bounded("feature/backup"), "feature/backup");
        assert_eq!(bounded(&"é".repeat(20)), "é".repeat(20));
        assert_eq!(bounded(&"é".repeat(21)), "é".repeat(19) + "…");
    }

    #[test]
    fn a_version_is_not_shown_as_an_agent() {
        let mut document = SessionDocument::from(&samples::sessions()[0]);
        document.agent.clear();
        assert!(!session(&document).contains("2.0.31"));
    }

    #[test]
    fn a_session_is_a_list_of_fields() {
        let document = SessionDocument::from(&samples::sessions()[0]);
        insta::assert_snapshot!("session_get", session(&document));
        let other = SessionDocument::from(&samples::sessions()[1]);
        let text = session(&other);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("session_get_hostile", text);
    }

    #[test]
    fn messages_stand_under_their_heads() {
        let document = samples::messages();
        let text = messages(&document);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("session_messages", text);
        insta::assert_snapshot!("session_messages_json", samples::json(&document));
    }

    #[test]
    fn a_long_result_is_shown_by_its_beginning() {
        let mut document = samples::messages();
        let result = &mut document.messages[1].tool_calls[0].result_events[0];
        result.content = "row\n".repeat(9);
        let text = messages(&document);
        assert_eq!(text.matches("      row\n").count(), 5, "{text}");
        assert!(text.ends_with("      …\n"), "{text}");

        let result = &mut document.messages[1].tool_calls[0].result_events[0];
        result.content = "x".repeat(9_000);
        let text = messages(&document);
        assert!(text.len() < 800 && text.ends_with("x…\n"), "{text}");
    }
}
