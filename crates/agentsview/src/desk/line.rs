//! A line that is being typed.

use console::Key;
// A note may have this many bytes, so nothing that is typed is refused later.
use recall_trust::limits::MAX_NOTE_BYTES;

/// A line that is being typed, without a cursor inside it: what is wrong is deleted from its end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Line(String);

impl Line {
    /// What was typed so far.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Takes a key if it belongs to typing.
    pub(super) fn take(&mut self, key: &Key) {
        match key {
            Key::Char(c) if !c.is_control() && self.0.len() + c.len_utf8() <= MAX_NOTE_BYTES => {
                self.0.push(*c);
            }
            // Ctrl-U and Ctrl-W, as in a shell.
            Key::Char('\u{15}') => self.0.clear(),
            Key::Char('\u{17}') => {
                let kept = self.0.trim_end();
                let start = kept.rfind(' ').map_or(0, |blank| blank + 1);
                self.0.truncate(start);
            }
            Key::Backspace => {
                self.0.pop();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_and_deleting_work_from_the_end() {
        let mut line = Line::default();
        for c in "too  lätt".chars() {
            line.take(&Key::Char(c));
        }
        line.take(&Key::Backspace);
        assert_eq!(line.text(), "too  lät");
        line.take(&Key::Char('\u{17}'));
        assert_eq!(line.text(), "too  ");
        line.take(&Key::Char('\u{17}'));
        assert_eq!(line.text(), "");
        line.take(&Key::Char('x'));
        line.take(&Key::Char('\u{15}'));
        assert_eq!(line.text(), "");
    }

    #[test]
    fn nothing_but_text_is_taken_and_not_without_end() {
        let mut line = Line::default();
        for key in [Key::Char('\u{7}'), Key::ArrowLeft, Key::Tab, Key::Unknown] {
            line.take(&key);
        }
        assert_eq!(line.text(), "");
        for _ in 0..3000 {
            line.take(&Key::Char('é'));
        }
        assert_eq!(line.text().len(), MAX_NOTE_BYTES);
    }
}
