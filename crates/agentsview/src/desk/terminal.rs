//! The terminal in front of the desk.

use std::io::{self, IsTerminal, Write};

use console::Term;

use super::borrowed::{self, Borrowed};
use super::editor::{self, EditorError};
use super::input::{self, Input};
use super::screen::{Screen, Size, Style};

/// What the desk needs of the outside.
pub(crate) trait Terminal {
    /// How much can be shown.
    fn size(&self) -> Size;
    /// Shows a screen in place of the one before.
    fn show(&mut self, screen: &Screen) -> io::Result<()>;
    /// Throws away what was typed and not read yet.
    fn forget_typed(&mut self) -> io::Result<()>;
    /// Waits for a person. [`io::ErrorKind::UnexpectedEof`] if nobody is left.
    fn input(&mut self) -> io::Result<Input>;
    /// Lets a person change a text.
    fn edit(&mut self, text: &str) -> Result<String, EditorError>;
}

/// The terminal of this process. It takes the screen with the first thing shown and gives it back
/// when it is dropped, however that comes.
pub(crate) struct RealTerminal {
    term: Term,
    editor: Vec<String>,
    colours: bool,
    borrowed: Borrowed,
}

impl RealTerminal {
    /// The terminal of this process; `None` if its input or output is none.
    pub(crate) fn of_process(editor: Option<&str>) -> Result<Option<Self>, EditorError> {
        let term = Term::stdout();
        if !io::stdin().is_terminal() || !term.is_term() {
            return Ok(None);
        }
        Ok(Some(Self {
            colours: term.features().colors_supported(),
            term,
            editor: editor::words(editor)?,
            borrowed: Borrowed::watched()?,
        }))
    }
}

impl Terminal for RealTerminal {
    fn size(&self) -> Size {
        let (rows, columns) = self.term.size();
        Size {
            columns: columns.into(),
            rows: rows.into(),
        }
    }

    fn show(&mut self, screen: &Screen) -> io::Result<()> {
        self.borrowed.take()?;
        self.term
            .write_all(painted(screen, self.colours).as_bytes())?;
        self.term.flush()
    }

    fn forget_typed(&mut self) -> io::Result<()> {
        borrowed::forget_typed()
    }

    fn input(&mut self) -> io::Result<Input> {
        input::read(|| self.term.read_key_raw())
    }

    fn edit(&mut self, text: &str) -> Result<String, EditorError> {
        self.borrowed.give_back();
        let edited = editor::edit(&self.editor, text);
        self.borrowed.take()?;
        edited
    }
}

/// Every row in its place, and nothing below. Terminals that can are asked to show it at once.
fn painted(screen: &Screen, colours: bool) -> String {
    let mut text = "\u{1b}[?2026h".to_owned();
    for (number, row) in (1..).zip(screen.rows()) {
        text.extend(["\u{1b}[", &usize::to_string(&number), ";1H\u{1b}[2K"]);
        for span in row.spans() {
            if let Some(column) = span.column() {
                text.extend(["\u{1b}[", &(column + 1).to_string(), "G"]);
            }
            text.extend(["\u{1b}[", code(span.style(), colours), "m"]);
            text.extend([span.text(), "\u{1b}[0m"]);
        }
    }
    text.push_str("\u{1b}[J\u{1b}[?2026l");
    text
}

/// The parameters of a style.
fn code(style: Style, colours: bool) -> &'static str {
    match (style, colours) {
        (Style::Plain, _) | (Style::Good, false) => "0",
        (Style::Strong, _) | (Style::Warning | Style::Bad, false) => "1",
        (Style::Faint, _) => "2",
        (Style::Bar, _) => "7",
        (Style::Good, true) => "32",
        (Style::Warning, true) => "1;33",
        (Style::Bad, true) => "1;31",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::samples::desk;
    use crate::desk::screen::draw;

    #[test]
    fn a_screen_is_painted_row_by_row_with_the_right_column_in_its_place() {
        let size = Size {
            columns: 100,
            rows: 8,
        };
        let (screen, _) = draw(&desk(), size);
        let painted = painted(&screen, true);
        for part in [
            "\u{1b}[1;1H\u{1b}[2K\u{1b}[7m Recall review",
            "\u{1b}[41G\u{1b}[2m │ ",
            "\u{1b}[32mevidence intact\u{1b}[0m",
        ] {
            assert!(painted.contains(part), "{part:?} in {painted:?}");
        }
        assert!(!painted.contains('\n'));
    }

    #[test]
    fn without_colours_only_weight_tells_styles_apart() {
        let (screen, _) = draw(
            &desk(),
            Size {
                columns: 80,
                rows: 24,
            },
        );
        let painted = painted(&screen, false);
        assert!(!painted.contains("[32m") && !painted.contains(";33m"));
    }
}
