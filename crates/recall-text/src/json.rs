//! JSON that does no harm where it is shown.

use std::fmt::Write;

use crate::clean_block;

/// The same JSON with every character escaped that would do harm on a terminal. JSON itself escapes
/// only the controls below U+0020; anything else of that kind can only stand inside a string.
///
/// ```
/// assert_eq!(recall_text::escape_json("\"a\u{202e}b\""), r#""a\u202eb""#);
/// ```
pub fn escape_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len() + 1);
    let mut bytes = [0; 4];
    for c in json.chars() {
        let text: &str = c.encode_utf8(&mut bytes);
        if (c == '\u{7f}' || !c.is_ascii()) && clean_block(text) != text {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}
