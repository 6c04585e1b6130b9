//! Breaking text to a width in columns.

use recall_text::clean_block;
use unicode_width::UnicodeWidthChar;

/// What stands where text was cut off.
const CUT: &str = "…";

/// How wide a tab is drawn.
const TAB: &str = "    ";

/// The columns of a character. A variation selector asks for the wide form of the character before
/// it, which terminals grant or not: it counts as if they did.
fn columns_of(c: char) -> usize {
    if c == '\u{fe0f}' {
        1
    } else {
        c.width().unwrap_or(0)
    }
}

/// The columns that a text takes at most.
pub(super) fn width(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// As much of the text as fits, with a mark where it was cut.
pub(super) fn fitted(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    if columns == 0 {
        return String::new();
    }
    let (kept, _) = split(text, columns - width(CUT));
    format!("{kept}{CUT}")
}

/// Clean lines of at most this many columns, broken at blanks where there are any. A character
/// that is wider than that stands alone. Indents stay.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    for line in clean_block(text).lines() {
        let line = line.replace('\t', TAB);
        let mut rest = line.trim_end();
        loop {
            let (mut taken, mut after) = split(rest, columns);
            if after.is_empty() {
                lines.push(rest.to_owned());
                break;
            }
            if taken.is_empty() {
                let first = rest.chars().next().map_or(0, char::len_utf8);
                (taken, after) = rest.split_at(first);
            }
            if !after.starts_with(' ')
                && let Some(blank) = taken.rfind(' ')
                && !taken[..blank].trim().is_empty()
            {
                (taken, after) = rest.split_at(blank);
            }
            lines.push(taken.trim_end().to_owned());
            rest = after.trim_start_matches(' ');
            if rest.is_empty() {
                break;
            }
        }
    }
    lines
}

/// The beginning that fits, marks that belong to its last character included, and the rest.
fn split(text: &str, columns: usize) -> (&str, &str) {
    let mut taken = 0;
    for (index, c) in text.char_indices() {
        taken += columns_of(c);
        if taken > columns {
            return text.split_at(index);
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_breaks_at_a_blank_and_a_long_word_anywhere() {
        assert_eq!(
            wrap("close the pool first", 9),
            ["close the", "pool", "first"]
        );
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("    indented words", 12), ["    indented", "words"]);
        assert_eq!(wrap("one\n\ntwo  ", 9), ["one", "", "two"]);
        assert_eq!(wrap("a\tb", 20), ["a    b"]);
        assert_eq!(wrap("", 5), [""; 0]);
    }

    #[test]
    fn wide_and_combining_characters_count_as_they_are_drawn() {
        assert_eq!(wrap("数据库锁", 5), ["数据", "库锁"]);
        assert_eq!(wrap("e\u{301}e\u{301}e", 2), ["e\u{301}e\u{301}", "e"]);
        assert_eq!(wrap("数", 1), ["数"]);
        assert_eq!(fitted("数据库", 5), "数据…");
        assert_eq!(fitted("数据库", 4), "数…");
        assert_eq!(fitted("pool", 4), "pool");
        assert_eq!(fitted("pool", 0), "");
    }

    #[test]
    fn no_line_is_wider_than_it_may_be() {
        let text = "a 数据库\u{1b}[31m 👩\u{200d}👧 ❤\u{fe0f}❤\u{fe0f} words-and-more-words\r\nend";
        for columns in 2..30 {
            for line in wrap(text, columns) {
                assert!(width(&line) <= columns, "{columns}: {line:?}");
            }
        }
    }
}
