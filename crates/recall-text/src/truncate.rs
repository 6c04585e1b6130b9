//! Cutting text to a number of bytes.

use std::borrow::Cow;

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

/// The longest start of a text that has at most `bytes` bytes.
pub(crate) fn front(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
