//! Where a name out of code starts, ends and comes apart.
//!
//! A *compound* is words held together by joints: `internal/store/pool.go`. Hard joints (`/`, `\`,
//! `.`, `::`) divide it into *segments*; soft joints (`-`, `_`) and changes of case divide a
//! segment into *words*.

use std::ops::Range;

use crate::analyser::{Class, class};

/// Whether a character joins words of one segment.
pub(crate) fn is_soft_joint(c: char) -> bool {
    matches!(c, '_' | '-' | '\u{2010}' | '\u{2011}')
}

/// The length of the joint that a text starts with, in bytes; 0 if it starts with none.
fn joint(text: &str) -> usize {
    let mut chars = text.chars();
    match chars.next() {
        Some('/' | '\\' | '.' | '-') => 1,
        Some(c @ ('\u{2010}' | '\u{2011}')) => c.len_utf8(),
        Some(':') if chars.next() == Some(':') => 2,
        _ => 0,
    }
}

/// The length of the compound that a text starts with, in bytes. A joint belongs to it only if a
/// word follows, so that the full stop of a sentence does not.
pub(crate) fn length(text: &str) -> usize {
    let mut end = 0;
    loop {
        let rest = &text[end..];
        let joint = if end == 0 { 0 } else { joint(rest) };
        let after = &rest[joint..];
        if after.chars().next().map(class) != Some(Class::Word) {
            return end;
        }
        let word = after
            .find(|c| !matches!(class(c), Class::Word | Class::Attached))
            .unwrap_or(after.len());
        end += joint + word;
    }
}

/// The segments of the compound at `span`, as places in `text`.
pub(crate) fn segments(text: &str, span: Range<usize>) -> Vec<Range<usize>> {
    let mut segments = Vec::new();
    let mut start = span.start;
    let mut at = span.start;
    while at < span.end {
        let c = text[at..span.end].chars().next().unwrap_or_default();
        let hard = match c {
            '/' | '\\' | '.' => 1,
            ':' => 2,
            _ => 0,
        };
        if hard > 0 {
            segments.push(start..at);
            start = at + hard;
        }
        at += hard.max(c.len_utf8());
    }
    segments.push(start..span.end);
    segments
}

/// Which segment the file name of a path starts at: the one behind the last slash. `None` without
/// a slash.
pub(crate) fn file_name(text: &str, segments: &[Range<usize>]) -> Option<usize> {
    let slash = |at: usize| matches!(text.as_bytes().get(at), Some(b'/' | b'\\'));
    (1..segments.len())
        .rev()
        .find(|index| slash(segments[*index].start.wrapping_sub(1)))
}

/// The words of one segment, as places in `text`.
pub(crate) fn words(text: &str, segment: Range<usize>) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = segment.start;
    let mut previous: Option<char> = None;
    let mut chars = text[segment.clone()].char_indices().peekable();
    while let Some((offset, c)) = chars.next() {
        let at = segment.start + offset;
        if is_soft_joint(c) {
            words.push(start..at);
            start = at + c.len_utf8();
            previous = None;
            continue;
        }
        if class(c) == Class::Attached {
            continue;
        }
        let next_is_lower = chars.peek().is_some_and(|(_, c)| c.is_lowercase());
        let turn = previous.is_some_and(|previous| {
            c.is_uppercase()
                && (previous.is_lowercase() || (previous.is_uppercase() && next_is_lower))
        });
        if turn {
            words.push(start..at);
            start = at;
        }
        previous = Some(c);
    }
    words.push(start..segment.end);
    words.retain(|word| !word.is_empty());
    words
}
