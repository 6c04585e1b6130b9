//! What comes from the terminal: keys, and whole pastes.

use std::io;

use console::Key;

/// What a person did at the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// Pressed a key.
    Key(Key),
    /// Pasted a text. Line breaks in it are blanks, and there are no other control characters.
    Paste(String),
}

/// As much of a mark around a paste, `ESC [ 2 0 0 ~` before and `ESC [ 2 0 1 ~` behind it, as
/// [`console`] makes one key of.
const MARK: [char; 3] = ['[', '2', '0'];

const END: &str = "\u{1b}[201~";

/// Reads the keys of one input.
///
/// A paste begins and ends with marks (bracketed paste), so none of its characters is ever taken for
/// a command. Ctrl-C ends a paste whose end got lost.
pub(super) fn read(mut key: impl FnMut() -> io::Result<Key>) -> io::Result<Input> {
    match key()? {
        Key::UnknownEscSeq(sequence) if sequence == MARK => {
            if (key()?, key()?) == (Key::Char('0'), Key::Char('~')) {
                paste(key)
            } else {
                // The end of a paste whose beginning was thrown away.
                Ok(Input::Paste(String::new()))
            }
        }
        key => Ok(Input::Key(key)),
    }
}

fn paste(mut key: impl FnMut() -> io::Result<Key>) -> io::Result<Input> {
    let mut raw = String::new();
    loop {
        match key()? {
            Key::CtrlC => return Ok(Input::Key(Key::CtrlC)),
            Key::Char(c) => raw.push(c),
            Key::Enter | Key::Tab => raw.push(' '),
            // A mark that arrives in pieces is not recognised as one key.
            Key::Escape => raw.push('\u{1b}'),
            Key::UnknownEscSeq(sequence) => {
                raw.push('\u{1b}');
                raw.extend(sequence);
            }
            _ => {}
        }
        if let Some(text) = raw.strip_suffix(END) {
            let text = text.chars().filter(|c| !c.is_control()).collect();
            return Ok(Input::Paste(text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(last: char) -> Vec<Key> {
        vec![
            Key::UnknownEscSeq(MARK.to_vec()),
            Key::Char(last),
            Key::Char('~'),
        ]
    }

    fn typed(text: &str) -> Vec<Key> {
        text.chars().map(Key::Char).collect()
    }

    fn inputs(keys: Vec<Key>) -> Vec<Input> {
        let mut keys = keys.into_iter();
        let mut inputs = Vec::new();
        while let Ok(input) = read(|| keys.next().ok_or(io::ErrorKind::UnexpectedEof.into())) {
            inputs.push(input);
        }
        inputs
    }

    #[test]
    fn a_paste_is_one_input_without_line_breaks() {
        let parts = [
            typed("a"),
            mark('0'),
            typed("too\u{7} old"),
            vec![Key::Enter, Key::ArrowUp],
            typed("y"),
            mark('1'),
            vec![Key::Escape],
        ];
        let expected = [
            Input::Key(Key::Char('a')),
            Input::Paste("too old y".to_owned()),
            Input::Key(Key::Escape),
        ];
        assert_eq!(inputs(parts.concat()), expected);
    }

    #[test]
    fn the_end_of_a_paste_is_found_in_pieces() {
        let parts = [mark('0'), typed("n"), vec![Key::Escape], typed("[201~q")];
        let expected = [Input::Paste("n".to_owned()), Input::Key(Key::Char('q'))];
        assert_eq!(inputs(parts.concat()), expected);
    }

    #[test]
    fn an_end_without_a_beginning_is_no_key_and_a_paste_without_an_end_can_be_left() {
        let parts = [
            mark('1'),
            typed("q"),
            mark('0'),
            typed("ay"),
            vec![Key::CtrlC],
        ];
        let expected = [
            Input::Paste(String::new()),
            Input::Key(Key::Char('q')),
            Input::Key(Key::CtrlC),
        ];
        assert_eq!(inputs(parts.concat()), expected);
    }
}
