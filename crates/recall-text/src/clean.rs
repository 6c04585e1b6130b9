//! Makes hostile text safe to print and to pack.
//!
//! Transcripts hold whatever a tool printed. Three kinds of character do harm when such text is
//! shown again: terminal controls (they move the cursor, retitle windows, fill the clipboard),
//! bidirectional controls (they show other text than is stored), and invisible characters (they
//! carry words that a model reads and a person does not see).

use std::borrow::Cow;

/// One line: every harmful character removed, every run of white space folded to one blank, no
/// blank at either end.
///
/// ```
/// assert_eq!(recall_text::clean_line(" pool\t\u{1b}[31mclosed\u{1b}[0m\n"), "pool closed");
/// ```
pub fn clean_line(text: &str) -> Cow<'_, str> {
    if is_clean_line(text) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len());
    scan(text, |c| {
        if !c.is_whitespace() {
            line.push(c);
        } else if !line.is_empty() && !line.ends_with(' ') {
            line.push(' ');
        }
    });
    line.truncate(line.trim_end().len());
    Cow::Owned(line)
}

/// Many lines: every harmful character removed; line feed and tab stay, every other line break
/// becomes a line feed, and all other white space stays as it is.
///
/// ```
/// assert_eq!(recall_text::clean_block("a\r\n\tb\u{202e}c\u{7}"), "a\n\tbc");
/// ```
pub fn clean_block(text: &str) -> Cow<'_, str> {
    if !text
        .chars()
        .any(|c| needs_care(c) && !matches!(c, '\n' | '\t'))
    {
        return Cow::Borrowed(text);
    }
    let mut block = String::with_capacity(text.len());
    let mut after_return = false;
    scan(text, |c| {
        match c {
            // The line feed of a pair was already written for its carriage return.
            '\n' if after_return => {}
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => block.push('\n'),
            _ => block.push(c),
        }
        after_return = c == '\r';
    });
    Cow::Owned(block)
}

fn is_clean_line(text: &str) -> bool {
    let mut after_blank = true;
    for c in text.chars() {
        if needs_care(c) || (c.is_whitespace() && (c != ' ' || after_blank)) {
            return false;
        }
        after_blank = c == ' ';
    }
    text.is_empty() || !after_blank
}

/// Whether a character has to be looked at: removed, replaced, or kept only in some places.
fn needs_care(c: char) -> bool {
    // Nearly every character is one of these.
    if matches!(c, ' '..='~') {
        return false;
    }
    c.is_control() || is_invisible(c) || is_joiner(c) || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Characters without a shape of their own that are removed wherever they stand.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{ffa0}'
        | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Joiners and the two common variation selectors: needed to spell Persian, Indic scripts and
/// emoji, abused to hide bits. They stay only as a single one behind a visible character.
pub(crate) fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

/// Hands every harmless character to `keep`, line breaks and tabs included.
fn scan(text: &str, mut keep: impl FnMut(char)) {
    let mut rest = text;
    let mut joinable = false;
    while let Some(c) = rest.chars().next() {
        let tail = &rest[c.len_utf8()..];
        rest = match c {
            '\u{1b}' => after_escape(tail),
            '\u{9b}' => after_parameters(tail),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => after_string(tail),
            _ => tail,
        };
        let joiner = is_joiner(c);
        let broken = c.is_control() && !c.is_whitespace();
        if !(broken || is_invisible(c) || (joiner && !joinable)) {
            keep(c);
            joinable = !joiner && !c.is_whitespace();
        }
    }
}

/// What follows an escape sequence whose escape character has been read.
fn after_escape(text: &str) -> &str {
    let mut chars = text.chars();
    match chars.next() {
        Some('[') => after_parameters(chars.as_str()),
        Some(']' | 'P' | 'X' | '^' | '_') => after_string(chars.as_str()),
        _ => {
            let end = text.trim_start_matches(|c| matches!(c, ' '..='/'));
            end.strip_prefix(|c| matches!(c, '0'..='~')).unwrap_or(end)
        }
    }
}

/// What follows a control sequence (CSI): parameters, intermediates, one final character.
fn after_parameters(text: &str) -> &str {
    let end = text.trim_start_matches(|c| matches!(c, ' '..='?'));
    end.strip_prefix(|c| matches!(c, '@'..='~')).unwrap_or(end)
}

/// What follows a control string (OSC, DCS and their kin). One that does not end on its own line
/// loses only its opening, so that a stray opening cannot hide the text behind it.
fn after_string(text: &str) -> &str {
    let line = text.split(['\n', '\r']).next().unwrap_or(text);
    let bell = line.find(['\u{7}', '\u{9c}']);
    let escape = line.find('\u{1b}');
    match (bell, escape) {
        (Some(bell), escape) if escape.is_none_or(|escape| bell < escape) => {
            let after = &text[bell..];
            after.strip_prefix(['\u{7}', '\u{9c}']).unwrap_or(after)
        }
        // The escape itself is read again: it ends the string and is removed like any other.
        (_, Some(escape)) => &text[escape..],
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn terminal_sequences_vanish_with_their_parameters() {
        for (hostile, clean) in [
            ("a\u{1b}[2J\u{1b}[1;31mb", "ab"),
            ("a\u{9b}31mb", "ab"),
            ("a\u{1b}]0;title\u{7}b", "ab"),
            ("a\u{1b}]52;c;Zm9v\u{1b}\\b", "ab"),
            ("a\u{9d}8;;https://x.invalid\u{9c}b", "ab"),
            ("a\u{1b}Pq#0\u{1b}\\b", "ab"),
            ("a\u{1b}(Bb\u{1b}cd", "abd"),
            ("bell\u{7} and\u{0} delete\u{7f}", "bell and delete"),
        ] {
            assert_eq!(clean_line(hostile), clean, "{hostile:?}");
        }
    }

    #[test]
    fn an_unended_control_string_hides_nothing() {
        assert_eq!(clean_line("a\u{1b}]0;still here\nb"), "a0;still here b");
    }

    #[test]
    fn direction_overrides_and_hidden_characters_vanish() {
        assert_eq!(clean_line("a\u{202e}b\u{2066}c\u{200f}d\u{61c}e"), "abcde");
        assert_eq!(
            clean_line("vi\u{200b}si\u{e0041}\u{e007f}ble\u{feff}"),
            "visible"
        );
    }

    #[test]
    fn spelling_with_joiners_survives_and_a_run_of_them_does_not() {
        let persian = "می\u{200c}خواهم";
        assert_eq!(clean_line(persian), persian);
        let family = "👩\u{200d}👧";
        assert_eq!(clean_line(family), family);
        assert_eq!(clean_line("a\u{200d}\u{200c}\u{200d}b"), "a\u{200d}b");
        assert_eq!(clean_line("\u{200d}b"), "b");
    }

    #[test]
    fn a_block_keeps_lines_and_tabs() {
        assert_eq!(clean_block("a\r\n\tb\rc\u{2028}d\u{b}e"), "a\n\tb\nc\nd\ne");
        assert!(matches!(clean_block("plain\n\ttext"), Cow::Borrowed(_)));
        assert!(matches!(clean_line("plain text"), Cow::Borrowed(_)));
    }

    fn hostile_text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            any::<char>().prop_map(String::from),
            prop::sample::select(vec![
                "\u{1b}",
                "[",
                "]",
                "31m",
                "\u{7}",
                "\u{9b}",
                "\u{9d}",
                "\u{9c}",
                "\\",
                "\r",
                "\n",
                "\t",
                "  ",
                "\u{200d}",
                "\u{fe0f}",
                "\u{202e}",
                "\u{e0020}",
                "word",
                "Ⱥ",
            ])
            .prop_map(str::to_owned),
        ];
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    fn harmful(c: char) -> bool {
        is_invisible(c) || (c.is_control() && !matches!(c, '\n' | '\t'))
    }

    proptest! {
        #[test]
        fn clean_text_holds_nothing_harmful_and_cleaning_twice_changes_nothing(
            text in hostile_text()
        ) {
            let line = clean_line(&text).into_owned();
            prop_assert!(!line.chars().any(|c| harmful(c) || (c.is_whitespace() && c != ' ')));
            prop_assert!(!line.contains("  ") && line.trim() == line);
            prop_assert_eq!(clean_line(&line), line.as_str());

            let block = clean_block(&text).into_owned();
            prop_assert!(!block.chars().any(harmful));
            prop_assert_eq!(clean_block(&block), block.as_str());
        }

        #[test]
        fn printable_text_is_left_alone(text in "[a-zA-Z0-9äöüßéЖ数据库。-]{0,40}") {
            prop_assert_eq!(clean_line(&text), text.as_str());
        }
    }
}
