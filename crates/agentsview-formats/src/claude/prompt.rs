//! What stands in the user's place: prompts, commands, and what the program put there itself.

/// Text of the user's side of a conversation that becomes a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    /// What the program meant by it; `None` if a person wrote it.
    pub(super) system: Option<SystemKind>,
    /// Whether it stood in front of a prompt on the same line, and so needs an id of its own.
    pub(super) is_context: bool,
}

/// Kinds of rows that the program put in the user's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SystemKind {
    Continuation,
    Resume,
    Interrupted,
    TaskNotification,
    StopHook,
    SystemReminder,
    IdeOpenedFile,
    IdeSelection,
}

impl SystemKind {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Continuation => "continuation",
            Self::Resume => "resume",
            Self::Interrupted => "interrupted",
            Self::TaskNotification => "task_notification",
            Self::StopHook => "stop_hook",
            Self::SystemReminder => "system_reminder",
            Self::IdeOpenedFile => "ide_opened_file",
            Self::IdeSelection => "ide_selection",
        }
    }
}

/// Texts that the program begins a message with when no person wrote it.
const OPENINGS: &[(&str, SystemKind)] = &[
    ("This session is being continued", SystemKind::Continuation),
    ("<local-command-caveat>", SystemKind::Resume),
    ("[Request interrupted by user", SystemKind::Interrupted),
    ("<task-notification>", SystemKind::TaskNotification),
    ("Stop hook feedback:", SystemKind::StopHook),
];

/// Envelopes that editors put before a prompt.
const IDE_ENVELOPES: &[(&str, SystemKind)] = &[
    ("ide_opened_file", SystemKind::IdeOpenedFile),
    ("ide_selection", SystemKind::IdeSelection),
];

const REMINDER: &str = "system-reminder";

/// The rows that a user line's text makes, in order; none if it is the output of a local command.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let start = text.trim_start();
    if let Some((_, kind)) = OPENINGS
        .iter()
        .find(|(opening, _)| start.starts_with(opening))
    {
        return vec![whole(text, Some(*kind))];
    }
    if start.trim_end().is_empty() || start.starts_with("<local-command-") {
        return Vec::new();
    }
    if let Some(command) = command(text) {
        return vec![whole(&command, None)];
    }
    with_envelopes_split(text)
}

fn whole(text: &str, system: Option<SystemKind>) -> Piece {
    Piece {
        text: text.to_owned(),
        system,
        is_context: false,
    }
}

/// Reminders before a prompt go; what an editor says about itself becomes a row before it.
fn with_envelopes_split(text: &str) -> Vec<Piece> {
    let mut rest = text;
    let mut context: Vec<&str> = Vec::new();
    let mut context_kind = None;
    loop {
        let start = rest.trim_start();
        if let Some((_, after)) = envelope(start, REMINDER) {
            rest = after;
            continue;
        }
        let found = IDE_ENVELOPES
            .iter()
            .find_map(|&(tag, kind)| Some((kind, envelope(start, tag)?)));
        let Some((kind, (envelope, after))) = found else {
            break;
        };
        context_kind.get_or_insert(kind);
        context.push(envelope);
        rest = after;
    }
    let is_untouched = rest.len() == text.len();
    let prompt = if is_untouched { text } else { rest.trim() };
    let mut pieces = Vec::new();
    if context_kind.is_some() {
        pieces.push(Piece {
            is_context: !prompt.is_empty(),
            ..whole(&context.join("\n"), context_kind)
        });
    }
    if let Some(command) = command(prompt) {
        pieces.push(whole(&command, None));
    } else if !prompt.is_empty() {
        pieces.push(whole(prompt, None));
    } else if pieces.is_empty() {
        pieces.push(whole(text, Some(SystemKind::SystemReminder)));
    }
    pieces
}

/// `<tag>…</tag>` at the start of the text, and what follows it.
fn envelope<'a>(text: &'a str, tag: &str) -> Option<(&'a str, &'a str)> {
    let inside = text
        .strip_prefix('<')?
        .strip_prefix(tag)?
        .strip_prefix('>')?;
    let closing = format!("</{tag}>");
    let end = text.len() - inside.len() + inside.find(&closing)? + closing.len();
    Some(text.split_at(end))
}

/// `/name arguments`, if the text is nothing but the envelope of a slash command.
fn command(text: &str) -> Option<String> {
    const TAGS: &[&str] = &["command-name", "command-message", "command-args"];
    let mut rest = text.trim();
    if !rest.starts_with("<command-") {
        return None;
    }
    let mut parts = [""; TAGS.len()];
    while !rest.is_empty() {
        let (at, tag) = TAGS
            .iter()
            .enumerate()
            .find(|(_, tag)| envelope(rest, tag).is_some())?;
        let (envelope, after) = envelope(rest, tag)?;
        parts[at] = inside(envelope, tag);
        rest = after.trim_start();
    }
    let [name, _, arguments] = parts;
    let name = name.trim_start_matches('/');
    if name.is_empty() {
        return None;
    }
    Some(format!("/{name} {arguments}").trim_end().to_owned())
}

/// The text of the first element of that name, anywhere in the text.
pub(super) fn element<'a>(text: &'a str, tag: &str) -> Option<&'a str> {
    let start = text.find(&format!("<{tag}>"))?;
    let (envelope, _) = envelope(&text[start..], tag)?;
    Some(inside(envelope, tag)).filter(|text| !text.is_empty())
}

fn inside<'a>(envelope: &'a str, tag: &str) -> &'a str {
    let opening = tag.len() + "<>".len();
    let closing = tag.len() + "</>".len();
    envelope
        .get(opening..envelope.len().saturating_sub(closing))
        .unwrap_or_default()
        .trim()
}

/// The name that a `/rename` gives; `None` for every other text.
pub(super) fn new_name(text: &str) -> Option<String> {
    let name = command(text)?.strip_prefix("/rename ")?.trim().to_owned();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as `kind: text`, context marked with `+`.
    fn rows(text: &str) -> Vec<String> {
        pieces(text)
            .into_iter()
            .map(|piece| {
                let kind = piece.system.map_or("user", SystemKind::as_str);
                let mark = if piece.is_context { "+" } else { "" };
                format!("{kind}{mark}: {}", piece.text)
            })
            .collect()
    }

    #[test]
    fn what_the_program_put_there_is_told_from_what_a_person_wrote() {
        let cases = [
            ("Fix it.", "user: Fix it."),
            (
                "This session is being continued from before.",
                "continuation: This session is being continued from before.",
            ),
            (
                "<local-command-caveat>Mind.</local-command-caveat>",
                "resume: <local-command-caveat>Mind.</local-command-caveat>",
            ),
            (
                "[Request interrupted by user for tool use]",
                "interrupted: [Request interrupted by user for tool use]",
            ),
            (
                "<task-notification>\ndone</task-notification>",
                "task_notification: <task-notification>\ndone</task-notification>",
            ),
            (
                "Stop hook feedback:\nno",
                "stop_hook: Stop hook feedback:\nno",
            ),
            (
                "<system-reminder>a</system-reminder>",
                "system_reminder: <system-reminder>a</system-reminder>",
            ),
            (
                "<ide_selection>x</ide_selection>",
                "ide_selection: <ide_selection>x</ide_selection>",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(rows(text), [expected], "{text}");
        }
        for text in ["", " \n", "<local-command-stdout>x</local-command-stdout>"] {
            assert_eq!(rows(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_command_is_shown_as_it_was_typed() {
        let cases = [
            (
                "<command-name>/clear</command-name>\n  <command-message>clear</command-message>\n  <command-args></command-args>",
                "user: /clear",
            ),
            (
                "<command-message>plan…</command-message>\n<command-name>/plan</command-name>\n<command-args>two steps</command-args>",
                "user: /plan two steps",
            ),
            ("<command-name>bare</command-name>", "user: /bare"),
            (
                "<command-name>/a</command-name> and why?",
                "user: <command-name>/a</command-name> and why?",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(rows(text), [expected], "{text}");
        }
    }

    #[test]
    fn reminders_before_a_prompt_go_and_editor_context_becomes_a_row() {
        let text = "<system-reminder>\na\n</system-reminder>\n<ide_opened_file>x.rs</ide_opened_file>\n<ide_selection>y</ide_selection>\nWhy? <system-reminder>b</system-reminder>";
        assert_eq!(
            rows(text),
            [
                "ide_opened_file+: <ide_opened_file>x.rs</ide_opened_file>\n<ide_selection>y</ide_selection>",
                "user: Why? <system-reminder>b</system-reminder>"
            ]
        );
        assert_eq!(
            rows("<system-reminder>unclosed"),
            ["user: <system-reminder>unclosed"]
        );
    }

    #[test]
    fn only_a_rename_renames() {
        let rename = "<command-name>/rename</command-name><command-args> New name </command-args>";
        assert_eq!(new_name(rename).as_deref(), Some("New name"));
        assert_eq!(new_name("/rename x"), None);
        assert_eq!(new_name("<command-name>/rename</command-name>"), None);
    }

    #[test]
    fn an_element_is_found_anywhere() {
        let text = "x <task-id> a1 </task-id><b></b>";
        assert_eq!(element(text, "task-id"), Some("a1"));
        assert_eq!(element(text, "b"), None);
        assert_eq!(element(text, "c"), None);
    }
}
