//! What a text quotes.

use std::ops::Range;

/// Longer quotations are prose, not names or commands; in bytes.
const LONGEST: usize = 200;

/// The insides of everything between a pair of backticks, double quotes or single quotes on one
/// line. A single quote opens only at the start or after white space or an opening bracket, so
/// that an apostrophe does not.
pub(crate) fn quoted(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut next = 0;
    let mut previous = ' ';
    for (at, c) in text.char_indices() {
        let opens = match c {
            '`' | '"' => true,
            '\'' => previous.is_whitespace() || matches!(previous, '(' | '['),
            _ => false,
        };
        previous = c;
        if at < next || !opens {
            continue;
        }
        let start = at + 1;
        let end = text.floor_char_boundary(start + LONGEST);
        let line = text[start..end].split('\n').next().unwrap_or_default();
        if let Some(length) = line.find(c) {
            found.push(start..start + length);
            next = start + length + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insides(text: &str) -> Vec<&str> {
        quoted(text).into_iter().map(|span| &text[span]).collect()
    }

    // ranking behaviour 17
    #[test]
    fn an_apostrophe_opens_nothing() {
        assert_eq!(insides("it's `go test` and don't"), ["go test"]);
        assert_eq!(insides("say \"a b\", 'c d' or `open"), ["a b", "c d"]);
        assert_eq!(insides("\"first\nline\""), Vec::<&str>::new());
    }
}
