//! The lower part of the screen: what is asked, what happened, which keys there are.

use recall_text::clean_line;

use super::checks::said;
use super::entry::other_entry;
use super::{Row, Style, listed, paragraph};
use crate::desk::keys::REASONS;
use crate::desk::state::{Desk, Direction, Mode, Tone};

/// How many similar entries a supersession lists; more can be named by their ids.
const MOST_LISTED: usize = 5;

/// What Escape does to a question.
const NOTHING: &str = "Esc decide nothing";

/// Question, message and keys.
pub(super) fn bottom(desk: &Desk, columns: usize) -> Vec<Row> {
    let mut rows = question(desk, columns);
    if let Some(message) = &desk.message {
        let style = match message.tone {
            Tone::Done => Style::Good,
            Tone::Notice => Style::Plain,
            Tone::Refused => Style::Bad,
        };
        rows.extend(paragraph(style, 0, &clean_line(&message.text), columns));
    }
    let keys = keys(desk).iter().map(|key| (Style::Faint, *key));
    rows.extend(listed(keys, "  ", columns));
    rows
}

fn question(desk: &Desk, columns: usize) -> Vec<Row> {
    let ask = |text: &str| paragraph(Style::Strong, 0, text, columns);
    let say = |text: &str| paragraph(Style::Plain, 0, text, columns);
    let warn = |text: &str| paragraph(Style::Warning, 0, text, columns);
    let mut rows = Vec::new();
    match desk.mode() {
        Mode::Viewing | Mode::Help => {}
        Mode::Kind { claimed } => {
            let Some(item) = desk.item() else {
                return rows;
            };
            rows.extend(ask(&format!(
                "Accept as which kind? It claims to be a {claimed}."
            )));
            let (_, who) = said(&item.entry);
            rows.extend(warn(&who));
            rows.extend(say(&format!(
                "  1  a {claimed}, as it claims: I have read what it rests on"
            )));
            rows.extend(say(&format!("  2  a {}, as it is", item.entry.entry_type)));
        }
        Mode::Transferable { entry_type } => {
            let kind = entry_type.or_else(|| desk.item().map(|item| item.entry.entry_type));
            let kind = kind.map(|kind| format!(" as a {kind}")).unwrap_or_default();
            rows.extend(ask(&format!(
                "Accept{kind}. Does it hold outside its own session (transferable)?"
            )));
        }
        Mode::Reason(line) => {
            let reasons: Vec<String> = (1..)
                .zip(REASONS)
                .map(|(number, reason)| format!("{number} {reason}"))
                .collect();
            rows.extend(ask(&format!("Reject: why? {}", reasons.join("  "))));
            rows.extend(say(&format!(
                "a number alone, or your own words, then Enter: {}_",
                line.text()
            )));
        }
        Mode::Note(line) => {
            rows.extend(ask(
                "Archive it? Enter archives it, with a note if you type one.",
            ));
            rows.extend(say(&format!("note: {}_", line.text())));
        }
        Mode::Replacement { direction, line } => {
            rows.extend(ask(match direction {
                Direction::ByOther => "This entry is replaced by which other? It is archived.",
                Direction::OfOther => "This entry replaces which other? The other is archived.",
            }));
            let candidates = desk.candidates();
            let named = line.text().trim().parse::<usize>().ok();
            for (number, entry) in (1..).zip(candidates.into_iter().take(MOST_LISTED)) {
                let line = format!("  {number}  {}  {}", entry.id, entry.title);
                rows.push(Row::of(Style::Plain, &line));
                if named == Some(number) {
                    rows.extend(other_entry(entry, columns));
                }
            }
            rows.extend(say(&format!("number or id: {}_", line.text())));
        }
        Mode::Held { proposal, draft } => {
            rows.extend(ask(match (proposal, draft) {
                (Some(_), None) => "It is kept. Enter tries it again.",
                (Some(_), Some(_)) => {
                    "Your text is kept. Enter tries it again, e opens it in the editor."
                }
                (None, _) => "Your text is kept. e opens it in the editor again.",
            }));
        }
    }
    rows
}

fn keys(desk: &Desk) -> &'static [&'static str] {
    match desk.mode() {
        Mode::Viewing if desk.item().is_none() => &["u undo", "p back", "q quit"],
        Mode::Viewing => &[
            "a accept",
            "e edit",
            "x reject",
            "s supersede",
            "t transferable",
            "r archive",
            "u undo",
            "n/p next, back",
            "space/b scroll",
            "? help",
            "q quit",
        ],
        Mode::Help => &["any key: back"],
        Mode::Kind { .. } => &["1 2", NOTHING],
        Mode::Transferable { .. } => &["y yes", "n no", NOTHING],
        Mode::Reason(_) => &["Enter reject", NOTHING],
        Mode::Note(_) => &["Enter archive", NOTHING],
        Mode::Replacement { .. } => &["Enter supersede", "Tab other direction", NOTHING],
        Mode::Held { .. } => &["Esc throw it away"],
    }
}

/// Every key in words.
pub(super) fn help(columns: usize) -> Vec<Row> {
    const KEYS: [(&str, &str); 13] = [
        ("n j →", "next entry; this one keeps waiting"),
        ("p k ←", "back"),
        ("space b", "scroll down and up; also PgDn PgUp ↓ ↑ Home End"),
        (
            "a",
            "accept: it is right. Asks whether it holds outside its own session",
        ),
        (
            "t",
            "say that now for the coming acceptance, so that it is not asked",
        ),
        (
            "e",
            "edit title, trigger, scope, type, uncertainty and body in your editor",
        ),
        ("x", "reject with a reason: it is wrong, and stays rejected"),
        (
            "s",
            "supersede: another entry says it better, or this one says it better",
        ),
        ("r", "archive: not wrong, no longer wanted"),
        ("u", "take the last decision made here back"),
        ("?", "this page"),
        (
            "q",
            "quit; also Ctrl-C. Every decision is written down at once",
        ),
        ("Esc", "leave a question without an answer"),
    ];
    let mut rows = vec![Row::of(Style::Strong, "Keys"), Row::default()];
    for (key, meaning) in KEYS {
        let text = format!("{key:9}{meaning}");
        rows.extend(paragraph(Style::Plain, 0, &text, columns));
    }
    rows.push(Row::default());
    rows.extend(paragraph(
        Style::Plain,
        0,
        "Trusted is an entry that is accepted by a person, transferable, and whose evidence still \
         stands in the transcript. Text of tools and fetched pages is marked with !!: nobody said it.",
        columns,
    ));
    rows
}
