//! Text as it is stored.

/// Drops control characters other than tab and line ends, as stored text never holds them.
pub(crate) fn storable(text: String) -> String {
    let unwanted = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if may_hold_control(text.as_bytes()) && text.contains(unwanted) {
        text.replace(unwanted, "")
    } else {
        text
    }
}

/// Looks at every byte without deciding in between, which is many times faster than looking for the
/// first unwanted character. The controls beyond ASCII begin with 0xC2 in UTF-8.
fn may_hold_control(bytes: &[u8]) -> bool {
    let is_suspect = |byte: u8| matches!(byte, 0..=8 | 0x0b | 0x0c | 0x0e..=0x1f | 0x7f | 0xc2);
    bytes
        .iter()
        .fold(false, |found, byte| found | is_suspect(*byte))
}

/// Thinking as it stands among the rest of a row's content.
pub(crate) fn marked_thinking(thinking: &str) -> String {
    format!("[Thinking]\n{thinking}\n[/Thinking]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_go_and_line_ends_stay() {
        assert_eq!(
            storable("a\u{1b}[0m\u{0}\tb\r\n\u{9b}".to_owned()),
            "a[0m\tb\r\n"
        );
        for unwanted in ["\u{7f}", "\u{80}", "\u{9f}", "\u{1f}"] {
            assert_eq!(storable(unwanted.to_owned()), "");
        }
        assert_eq!(storable("ä\u{a0}\u{e0c2}".to_owned()), "ä\u{a0}\u{e0c2}");
    }
}
