//! An entry as a text for an editor, and back.
//!
//! ```text
//! # instructions
//! title: …
//! trigger: …
//! scope: …
//! type: …
//! uncertainty: …
//! body:
//! … as it is …
//! --- end of the body ---
//! # instructions
//! ```
//!
//! A field goes on in lines that start with two blanks. Vim obeys settings ("modelines") that it
//! finds in the first and the last lines of a file, so instructions keep the entry's text, which may
//! be hostile, out of both.

use std::fmt::Write as _;

use recall_core::{Entry, EntryType, Scope, UnknownWord};
use recall_text::{clean_block, clean_line};
use recall_trust::review::Edit;

const HEAD: &str = "\
# Change what is wrong, save, and leave the editor.
#
# A field goes on in lines that start with two blanks. A field that is left out stays as it is.
# Leave the file as it is to change nothing.
#
# The entry:
";

const BODY: &str = "body:";

const END: &str = "--- end of the body ---";

/// What stands below the body.
fn tail() -> String {
    format!(
        "
# What stands here is not read.
#
# scope: {}
# type: {}
#
# The original is kept beside your wording, and nothing is accepted by editing.
",
        Scope::WORDS.join(", "),
        EntryType::WORDS.join(", ")
    )
}

/// Why a text is no entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum DraftError {
    #[error(
        "line {line}: there is no field {name:?}; the fields are title, trigger, scope, type, uncertainty and body"
    )]
    UnknownField { line: usize, name: String },
    #[error(
        "line {line}: this stands in no field; start it with a field's name and a colon, or with two blanks to go on with a field"
    )]
    NoField { line: usize },
    #[error("line {line}: {field} is there a second time")]
    Twice { line: usize, field: &'static str },
    #[error("the line \"body:\" is missing")]
    NoBody,
    #[error("the line \"{END}\" below the body is missing")]
    NoEnd,
    #[error(transparent)]
    Word(#[from] UnknownWord),
}

/// The text for the editor. It is cleaned: what a person cannot see cannot be vouched for.
pub(super) fn text(entry: &Entry) -> String {
    let mut text = HEAD.to_owned();
    let fields = Fields::of(entry);
    for (name, value) in NAMES.into_iter().zip(&fields.values) {
        let mut lines = value.lines();
        let first = lines.next().unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}",
            format_args!("{name}: {first}").to_string().trim_end()
        );
        for line in lines {
            let _ = writeln!(text, "  {line}");
        }
    }
    let _ = write!(text, "{BODY}\n{}\n{END}\n{}", fields.body, tail());
    text
}

/// What the text changes about the entry; `None` if nothing.
pub(super) fn read(text: &str, entry: &Entry) -> Result<Option<Edit>, DraftError> {
    let mut lines: Vec<&str> = text.lines().collect();
    // The body may hold such a line itself, so the last one counts.
    let end = lines.iter().rposition(|line| line.trim_end() == END);
    lines.truncate(end.ok_or(DraftError::NoEnd)?);
    let body = lines.iter().position(|line| line.trim_end() == BODY);
    let body = body.ok_or(DraftError::NoBody)?;
    let given = head(&lines[..body])?;

    let old = Fields::of(entry);
    let changed = |index: usize| -> Option<String> {
        given[index].clone().filter(|new| *new != old.values[index])
    };
    let new_body = lines[body + 1..].join("\n").trim_end().to_owned();
    let edit = Edit {
        title: changed(0),
        trigger: changed(1),
        scope: changed(2).map(|word| word.parse()).transpose()?,
        entry_type: changed(3).map(|word| word.parse()).transpose()?,
        uncertainty: changed(4),
        body: Some(new_body).filter(|new| *new != old.body),
    };
    Ok(Some(edit).filter(|edit| *edit != Edit::default()))
}

/// The fields above the body, in the order in which they are written.
const NAMES: [&str; 5] = ["title", "trigger", "scope", "type", "uncertainty"];

/// The values as a person sees them.
struct Fields {
    values: [String; 5],
    body: String,
}

impl Fields {
    fn of(entry: &Entry) -> Self {
        let block = |text: &str| {
            let text = clean_block(text);
            let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
            lines.join("\n")
        };
        Self {
            values: [
                clean_line(&entry.title).into_owned(),
                block(&entry.trigger),
                entry.scope.to_string(),
                entry.entry_type.to_string(),
                block(&entry.uncertainty),
            ],
            body: clean_block(&entry.body).trim_end().to_owned(),
        }
    }
}

fn head(lines: &[&str]) -> Result<[Option<String>; 5], DraftError> {
    let mut given: [Option<String>; 5] = Default::default();
    let mut current: Option<usize> = None;
    let mut blank = 0;
    for (number, line) in (1..).zip(lines) {
        if line.starts_with('#') {
            continue;
        }
        if line.trim().is_empty() {
            blank += 1;
            continue;
        }
        if let Some(more) = line.strip_prefix("  ") {
            let field = current.ok_or(DraftError::NoField { line: number })?;
            let value = given[field].get_or_insert_default();
            value.push_str(&"\n".repeat(blank + 1));
            value.push_str(more.trim_end());
        } else {
            let (name, value) = line
                .split_once(':')
                .ok_or(DraftError::NoField { line: number })?;
            let name = name.trim();
            let field = NAMES.iter().position(|known| *known == name);
            let field = field.ok_or_else(|| DraftError::UnknownField {
                line: number,
                name: name.to_owned(),
            })?;
            if given[field].is_some() {
                return Err(DraftError::Twice {
                    line: number,
                    field: NAMES[field],
                });
            }
            given[field] = Some(value.trim().to_owned());
            current = Some(field);
        }
        blank = 0;
    }
    Ok(given.map(|value| value.map(|value| value.trim().to_owned())))
}

#[cfg(test)]
mod tests;
