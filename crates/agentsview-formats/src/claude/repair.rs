//! Second chances for lines that are almost JSON.

use std::borrow::Cow;

use serde_json::Value;

/// The line with what usually spoils one put right; `None` if there is nothing to put right.
///
/// Programs that cut text by UTF-16 units write halves of surrogate pairs, which are no character;
/// and a key that occurs twice is legal JSON, of which the last occurrence counts.
pub(super) fn repaired(line: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(line);
    let was_broken = matches!(text, Cow::Owned(_));
    let (text, had_halves) = without_surrogate_halves(&text);
    match serde_json::from_str::<Value>(&text) {
        Ok(value) => value.is_object().then(|| value.to_string().into_bytes()),
        // It may be nested too deep for a value, and be a good line all the same.
        Err(_) => (was_broken || had_halves).then(|| text.into_bytes()),
    }
}

fn without_surrogate_halves(text: &str) -> (String, bool) {
    let mut clean = String::with_capacity(text.len());
    let mut changed = false;
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        clean.push_str(&rest[..at]);
        let escape = &rest[at..];
        let length = match (surrogate(escape), escape.get(6..).and_then(surrogate)) {
            (Some(Half::High), Some(Half::Low)) => 12,
            (Some(_), _) => {
                clean.push_str("\\ufffd");
                changed = true;
                rest = &escape[6..];
                continue;
            }
            // A backslash and the character after it, which may be a backslash itself.
            (None, _) => 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
        };
        clean.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    clean.push_str(rest);
    (clean, changed)
}

enum Half {
    High,
    Low,
}

fn surrogate(escape: &str) -> Option<Half> {
    let digits = escape.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xD800..=0xDBFF => Some(Half::High),
        0xDC00..=0xDFFF => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repaired_text(line: &str) -> Option<String> {
        repaired(line.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn halves_of_surrogate_pairs_become_replacement_characters() {
        let line = r#"{"a":"x\ud83d y\ude00 \ud83d\ude00 \\ud83d"}"#;
        let repaired = "{\"a\":\"x\u{fffd} y\u{fffd} \u{1f600} \\\\ud83d\"}";
        assert_eq!(repaired_text(line).unwrap(), repaired);
        let deep = "[".repeat(200) + &"]".repeat(200);
        let line = format!(r#"{{"a":"\udead","b":{deep}}}"#);
        let repaired = format!(r#"{{"a":"\ufffd","b":{deep}}}"#);
        assert_eq!(repaired_text(&line).unwrap(), repaired);
    }

    #[test]
    fn bytes_that_are_no_text_become_replacement_characters() {
        let line = repaired(b"{\"a\":\"\xff\"}").unwrap();
        assert_eq!(String::from_utf8(line).unwrap(), "{\"a\":\"\u{fffd}\"}");
    }

    #[test]
    fn the_last_of_two_equal_keys_counts() {
        assert_eq!(repaired_text(r#"{"a":1,"a":2}"#).unwrap(), r#"{"a":2}"#);
    }

    #[test]
    fn other_broken_lines_stay_broken() {
        for line in ["{\"a\":", "\\", "{\"a\":\"\\u12", "[1]"] {
            assert_eq!(repaired_text(line), None, "{line}");
        }
    }
}
