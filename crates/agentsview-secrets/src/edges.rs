//! Whether a token starts or ends at a place.
//!
//! Transcript text is often escaped once more than the key in it: tool input is JSON, addresses are
//! percent-encoded, terminal output keeps its colours. The letter that ends such an escape is not
//! part of the token behind it.

/// Whether nothing in front of `at` could belong to the same token. One hyphen joins it to a word,
/// but is the sign of a diff or of an option where there is no word.
pub(crate) fn starts_token(text: &str, at: usize) -> bool {
    let before = &text.as_bytes()[..at];
    let joined = before.strip_suffix(b"-").unwrap_or(before);
    match joined.last() {
        Some(byte) if is_word_byte(*byte) => ends_with_escape(joined),
        _ => true,
    }
}

/// Whether the word before `at` ends there.
pub(crate) fn ends_word(text: &str, at: usize) -> bool {
    text.as_bytes()
        .get(at)
        .is_none_or(|byte| !is_word_byte(*byte))
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn ends_with_escape(before: &[u8]) -> bool {
    let hex = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
    match before {
        [.., b'\\', b'n' | b'r' | b't' | b'b' | b'f' | b'0'] => true,
        [.., b'%', a, b] if hex(&[*a, *b]) => true,
        [.., b'\\', b'x', a, b] if hex(&[*a, *b]) => true,
        [.., b'\\', b'u', a, b, c, d] if hex(&[*a, *b, *c, *d]) => true,
        [colour @ .., b'm'] => {
            let digits = colour
                .iter()
                .rev()
                .take_while(|byte| byte.is_ascii_digit() || **byte == b';')
                .take(LONGEST_COLOUR)
                .count();
            colour[..colour.len() - digits].ends_with(b"[")
        }
        _ => false,
    }
}

/// `38;2;255;255;255` and a second one of its kind.
const LONGEST_COLOUR: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_starts_after_anything_that_cannot_be_part_of_it() {
        for before in [
            "", " ", "=", "\"", "é", "…", ":", "/", "-", "\n-", "\\n-", "--",
        ] {
            assert!(
                starts_token(&format!("{before}TOKEN"), before.len()),
                "{before}"
            );
        }
        for before in ["a", "Z", "0", "_", "a-", "_-", "an", "x41", "m"] {
            assert!(
                !starts_token(&format!("{before}TOKEN"), before.len()),
                "{before}"
            );
        }
    }

    #[test]
    fn a_token_starts_after_an_escape_of_json_of_an_address_or_of_a_terminal() {
        for before in [
            r"\n", r"\t", r"\u001b", r"\x1b", "%3D", "%20", "[0m", "[1;32m", "[m",
        ] {
            assert!(
                starts_token(&format!("{before}TOKEN"), before.len()),
                "{before}"
            );
        }
    }

    #[test]
    fn a_word_ends_before_anything_but_a_letter_a_digit_or_an_underscore() {
        assert!(ends_word("word", 4));
        assert!(ends_word("word-", 4));
        assert!(ends_word("wordé", 4));
        assert!(!ends_word("words", 4));
        assert!(!ends_word("word_", 4));
    }
}
