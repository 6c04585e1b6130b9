//! A long file says why it is one.

use super::Violation;
use super::source::Source;

const MAX_LINES: usize = 600;
/// How the sentence starts that gives the reason, in the head doc.
const REASON: &str = "One file because";

pub(crate) fn check(source: &Source) -> Vec<Violation> {
    let lines = source.text.lines().count();
    if lines <= MAX_LINES || source.head_doc().any(|line| line.contains(REASON)) {
        return Vec::new();
    }
    let message = format!(
        "{lines} lines; split it, or say in a sentence of the head doc that starts \"{REASON}\" \
         why it is one file"
    );
    vec![Violation::at(source, lines, message)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_over_the_limit_needs_a_reason() {
        let long = "const A: u8 = 1;\n".repeat(MAX_LINES + 1);
        let check = |code: &str| check(&Source::sample("recall-text", "src/a.rs", code)).len();
        assert_eq!(check(&long), 1);
        assert_eq!(
            check(&format!(
                "//! Table. One file because a table reads as one.\n{long}"
            )),
            0
        );
        assert_eq!(check(&"const A: u8 = 1;\n".repeat(MAX_LINES)), 0);
    }
}
