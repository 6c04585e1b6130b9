//! How much of a long text is shown: its beginning, and what stands around the quotes further on.

use std::ops::Range;

use recall_text::{CUT_MARK, clean_block};

/// Bytes and line breaks before a quote, and as many after it.
const AROUND_BYTES: usize = 300;
const AROUND_LINES: usize = 2;

/// How much of a text is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown<'a> {
    /// Lines of its beginning.
    pub(super) lines: usize,
    /// Bytes of its beginning.
    pub(super) bytes: usize,
    /// What is to be seen wherever it stands.
    pub(super) quotes: &'a [String],
}

impl Shown<'_> {
    /// What is shown of this text, cleaned, with [`CUT_MARK`] where something is left out.
    pub(super) fn of(&self, text: &str) -> String {
        let text = clean_block(text);
        let text = text.trim_end();
        let lines: usize = text
            .split_inclusive('\n')
            .take(self.lines)
            .map(str::len)
            .sum();
        let beginning = if lines > self.bytes {
            0..text.floor_char_boundary(self.bytes.saturating_sub(CUT_MARK.len()))
        } else {
            0..lines
        };
        let stretches = joined(std::iter::once(beginning).chain(windows(text, self.quotes)));
        let mut shown = String::new();
        let mut end = 0;
        for stretch in stretches {
            leave_out(&mut shown, text, end..stretch.start);
            if !shown.is_empty() {
                shown.push('\n');
            }
            shown.push_str(text[stretch.clone()].trim_matches('\n'));
            end = stretch.end;
        }
        leave_out(&mut shown, text, end..text.len());
        shown
    }
}

/// Marks a gap: within its line if it begins there, on a line of its own otherwise.
fn leave_out(shown: &mut String, text: &str, gap: Range<usize>) {
    if text[gap.clone()].trim().is_empty() {
        return;
    }
    let is_within_line = !text[..gap.start].ends_with('\n') && !text[gap].starts_with('\n');
    shown.truncate(shown.trim_end().len());
    if !is_within_line && !shown.is_empty() {
        shown.push('\n');
    }
    shown.push_str(CUT_MARK);
}

/// The surroundings of each quote where it stands first, in their order.
fn windows(text: &str, quotes: &[String]) -> Vec<Range<usize>> {
    let folded = Folded::new(text);
    let mut windows: Vec<Range<usize>> = quotes
        .iter()
        .filter_map(|quote| folded.find(quote))
        .map(|quote| around(text, &quote))
        .collect();
    windows.sort_by_key(|window| window.start);
    windows
}

/// The stretches, each that begins within the one before made one with it.
fn joined(stretches: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for stretch in stretches {
        match joined.last_mut() {
            Some(last) if stretch.start <= last.end => last.end = last.end.max(stretch.end),
            _ => joined.push(stretch),
        }
    }
    joined
}

fn around(text: &str, quote: &Range<usize>) -> Range<usize> {
    let earliest = text.ceil_char_boundary(quote.start.saturating_sub(AROUND_BYTES));
    let before = &text[earliest..quote.start];
    let start = before
        .rmatch_indices('\n')
        .nth(AROUND_LINES)
        .map_or(earliest, |(at, _)| earliest + at + 1);
    let latest = text.floor_char_boundary((quote.end + AROUND_BYTES).min(text.len()));
    let after = &text[quote.end..latest];
    let end = after
        .match_indices('\n')
        .nth(AROUND_LINES)
        .map_or(latest, |(at, _)| quote.end + at);
    start..end
}

/// A text with its white space folded as a quotation is compared, and the way back.
struct Folded {
    text: String,
    /// Where each word begins, here and in the text.
    words: Vec<(usize, usize)>,
}

impl Folded {
    fn new(whole: &str) -> Self {
        let mut text = String::with_capacity(whole.len());
        let mut words = Vec::new();
        let mut in_word = false;
        for (at, c) in whole.char_indices() {
            if c.is_whitespace() {
                in_word = false;
                continue;
            }
            if !in_word {
                if !text.is_empty() {
                    text.push(' ');
                }
                words.push((text.len(), at));
                in_word = true;
            }
            text.push(c);
        }
        Self { text, words }
    }

    fn find(&self, quote: &str) -> Option<Range<usize>> {
        let quote = Self::new(&clean_block(quote)).text;
        let start = self.text.find(&quote).filter(|_| !quote.is_empty())?;
        Some(self.unfolded(start)..self.unfolded(start + quote.len()))
    }

    fn unfolded(&self, at: usize) -> usize {
        let next = self.words.partition_point(|(folded, _)| *folded <= at);
        let word = next.checked_sub(1).and_then(|word| self.words.get(word));
        word.map_or(0, |(folded, whole)| whole + (at - folded))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str, lines: usize, bytes: usize, quotes: &[&str]) -> String {
        let quotes: Vec<String> = quotes.iter().map(|quote| (*quote).to_owned()).collect();
        Shown {
            lines,
            bytes,
            quotes: &quotes,
        }
        .of(text)
    }

    #[test]
    fn a_text_that_fits_is_whole() {
        assert_eq!(shown("a\nb\n", 2, 10, &["b"]), "a\nb");
        assert_eq!(shown("", 2, 10, &["b"]), "");
    }

    #[test]
    fn a_long_text_is_shown_by_its_beginning() {
        assert_eq!(shown("a\nb\nc\n", 2, 10, &[]), "a\nb\n…");
        assert_eq!(shown(&"x".repeat(90), 2, 10, &[]), "xxxxxxx…");
    }

    #[test]
    fn a_quote_further_on_is_shown_with_what_surrounds_it() {
        let mut lines: Vec<String> = (0..40).map(|row| format!("row {row}")).collect();
        lines[20] = "the pool   still".to_owned();
        lines[21] = "holds two".to_owned();
        let text = lines.join("\n");
        assert_eq!(
            shown(&text, 2, 400, &["pool still holds", "row 1"]),
            "row 0\nrow 1\nrow 2\nrow 3\n…\nrow 18\nrow 19\nthe pool   still\nholds two\nrow 22\nrow 23\n…"
        );
        let near = shown(&text, 19, 400, &["pool still holds"]);
        assert!(near.contains("row 18\nrow 19\nthe pool"), "{near}");
        let one_line = format!("{}needle{}", "é".repeat(5_000), "é".repeat(5_000));
        let found = shown(&one_line, 5, 400, &["needle"]);
        assert!(found.contains("éneedleé") && found.len() < 1_200, "{found}");
    }

    proptest! {
        #[test]
        fn a_quote_is_always_shown(
            before in "[aé \n]{0,900}", quote in "[xy]{1,9}( [xy]{1,9})?", after in "[aé \n]{0,900}",
            lines in 0_usize..9, bytes in 0_usize..90,
        ) {
            let text = format!("{before}{quote}{after}");
            prop_assert!(shown(&text, lines, bytes, &[&quote]).contains(&quote));
        }
    }
}
