//! Cutting text to a number of bytes.

use std::borrow::Cow;

use unicode_normalization::char::is_combining_mark;

use crate::clean::is_joiner;

/// Stands where text was left out; 3 bytes.
pub const CUT_MARK: &str = "…";

/// At most `bytes` bytes of a text, with [`CUT_MARK`] at the end if something is missing and the
/// mark fits. Never cuts through a character.
///
/// ```
/// assert_eq!(recall_text::truncate("naïveté", 7), "naï…");
/// assert_eq!(recall_text::truncate("short", 7), "short");
/// ```
pub fn truncate(text: &str, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes {
        return Cow::Borrowed(text);
    }
    match bytes.checked_sub(CUT_MARK.len()) {
        Some(room) => Cow::Owned(format!("{}{CUT_MARK}", front(text, room).trim_end())),
        None => Cow::Borrowed(front(text, bytes)),
    }
}

/// The longest start of a text that has at most `bytes` bytes and does not part a letter from its
/// marks, or an emoji from its parts.
pub(crate) fn front(text: &str, bytes: usize) -> &str {
    let end = text.floor_char_boundary(bytes);
    let mut start = end;
    while is_within_letter(text, start) && end - start < LONGEST_LETTER {
        start = text.floor_char_boundary(start - 1);
    }
    // A longer run of marks is no letter that anybody reads.
    &text[..if is_within_letter(text, start) {
        end
    } else {
        start
    }]
}

/// The longest end of a text that has at most `bytes` bytes and does not begin within a letter.
pub(crate) fn back(text: &str, bytes: usize) -> &str {
    let mut start = text.ceil_char_boundary(text.len().saturating_sub(bytes));
    while is_within_letter(text, start) {
        start = text.ceil_char_boundary(start + 1);
    }
    &text[start..]
}

/// More bytes than a family emoji takes, or a letter with its marks.
const LONGEST_LETTER: usize = 48;

/// Whether the character at a place is shown as one with the one before it.
fn is_within_letter(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let Some((last, next)) = before.chars().next_back().zip(after.chars().next()) else {
        return false;
    };
    last == '\u{200d}'
        || is_combining_mark(next)
        || is_joiner(next)
        || matches!(next, '\u{1f3fb}'..='\u{1f3ff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_read_as_one_character_is_not_parted() {
        assert_eq!(front("cafe\u{301}!", 4), "caf");
        assert_eq!(front("ab👩\u{200d}👧!", 10), "ab");
        assert_eq!(front("a👍\u{1f3fd}", 6), "a");
        assert_eq!(back("acafe\u{301}!", 3), "!");
        assert_eq!(back("👩\u{200d}👧!", 5), "!");
        let endless = format!("e{}", "\u{301}".repeat(100));
        assert_eq!(front(&endless, 101).len(), 101);
    }

    proptest! {
        // ranking behaviour 61
        #[test]
        fn a_cut_text_fits_and_starts_like_the_whole(text in "\\PC{0,40}", bytes in 0_usize..60) {
            let cut = truncate(&text, bytes);
            prop_assert!(cut.len() <= bytes);
            if text.len() <= bytes {
                prop_assert_eq!(cut, text.as_str());
            } else if bytes < CUT_MARK.len() {
                prop_assert_eq!(cut, front(&text, bytes));
            } else {
                let kept = cut.strip_suffix(CUT_MARK);
                prop_assert_eq!(kept, Some(front(&text, bytes - CUT_MARK.len()).trim_end()));
            }
        }
    }
}
