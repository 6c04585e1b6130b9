//! Where the sentences of a text stand.

use std::ops::Range;

/// The sentences of a text, as places in it without the white space around them: up to `.`, `!` or
/// `?` before white space, up to their wide forms, or up to the end of a line.
///
/// ```
/// let text = "See pool.go. 不要重试。";
/// let sentences: Vec<&str> = recall_text::sentences(text).into_iter().map(|at| &text[at]).collect();
/// assert_eq!(sentences, ["See pool.go.", "不要重试。"]);
/// ```
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next_is_blank = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = match c {
            '\n' | '。' | '！' | '？' => true,
            '.' | '!' | '?' => next_is_blank,
            _ => false,
        };
        if ends {
            spans.push(start..at + c.len_utf8());
            start = at + c.len_utf8();
        }
    }
    spans.push(start..text.len());
    spans
        .into_iter()
        .map(|span| {
            let whole = &text[span.clone()];
            let start = span.start + (whole.len() - whole.trim_start().len());
            start..start.max(span.start + whole.trim_end().len())
        })
        .filter(|span| !span.is_empty())
        .collect()
}
