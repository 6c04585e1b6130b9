//! Text as it is stored.

/// Drops control characters other than tab and line ends, as stored text never holds them.
pub(crate) fn storable(text: String) -> String {
    let unwanted = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if text.contains(unwanted) {
        text.replace(unwanted, "")
    } else {
        text
    }
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
    }
}
