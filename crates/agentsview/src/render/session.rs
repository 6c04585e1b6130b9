//! Sessions and their messages.

use agentsview_api::{MessagesDocument, SessionDocument, SessionListDocument};
use recall_text::{clean_line, truncate};

use super::entry::yes_no;
use super::page::{Fields, Page, commas, count, named, some};
use super::table;

/// How much of a session's name a row shows, in bytes.
const NAME_BYTES: usize = 60;

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
            "SESSION", "AGENT", "PROJECT", "BRANCH", "MESSAGES", "ENDED", "NAME",
        ],
        &[4],
        document.sessions.iter().map(|session| {
            [
                session.id.clone(),
                session.agent.clone(),
                session.project.clone(),
                session.git_branch.clone(),
                session.message_count.to_string(),
                minute(&session.ended_at),
                truncate(&clean_line(title(session)), NAME_BYTES).into_owned(),
            ]
        }),
    );
    page.finish()
}

/// For standard error: how many sessions a list kept back, if any.
pub(crate) fn hidden_sessions(document: &SessionListDocument) -> Option<String> {
    (document.hidden > 0).then(|| {
        format!(
            "{} not shown, automated or started by another; add --include-automated or \
             --include-children",
            count(document.hidden, "session", "sessions")
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
    fields.line("agent", commas([&session.agent, &session.source_version]));
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
        let aside = if message.is_sidechain { "aside" } else { "" };
        let head = commas([
            message.role.as_str(),
            &message.timestamp,
            &message.model,
            &named("system", &message.source_subtype),
            aside,
        ]);
        page.line(format_args!("--- #{} {head}", message.ordinal));
        page.block("", &message.content);
    }
    page.finish()
}

fn title(session: &SessionDocument) -> &str {
    if session.name.is_empty() {
        &session.first_message
    } else {
        &session.name
    }
}

/// A stored time to the minute: `2026-03-04 05:06`.
fn minute(time: &str) -> String {
    time.chars().take(16).collect::<String>().replace('T', " ")
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
        let document = SessionListDocument::new(&samples::sessions(), 3);
        let text = session_list(&document);
        samples::assert_harmless(&text);
        insta::assert_snapshot!("session_list", text);
        insta::assert_snapshot!("session_list_json", samples::json(&document));
        assert!(
            hidden_sessions(&document)
                .unwrap()
                .starts_with("3 sessions not shown")
        );
        assert_eq!(hidden_sessions(&SessionListDocument::default()), None);
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
}
