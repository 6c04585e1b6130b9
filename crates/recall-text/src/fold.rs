//! One spelling for case, width, accents and variants of a character.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use crate::clean::{is_invisible, is_joiner};
use crate::han::simplified;

/// Lower case, compatibility forms resolved, Latin, Greek and Cyrillic accents dropped, traditional
/// Chinese characters simplified. The marks of other scripts are vowels and stay.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    if text.chars().all(is_folded) {
        return Cow::Borrowed(text);
    }
    let visible = |c: &char| !(is_invisible(*c) || is_joiner(*c) || c.is_whitespace());
    let folded: String = text
        .chars()
        .flat_map(char::to_lowercase)
        .nfkd()
        .filter(|c| visible(c) && !matches!(c, '\u{300}'..='\u{36f}'))
        .nfc()
        .flat_map(char::to_lowercase)
        .flat_map(letters)
        .map(simplified)
        .collect();
    Cow::Owned(folded)
}

/// Whether folding surely leaves a character as it is, whatever stands beside it.
fn is_folded(c: char) -> bool {
    match c {
        '\u{4e00}'..='\u{9fff}' => simplified(c) == c,
        _ => matches!(c,
            'a'..='z' | '0'..='9'
            | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fc}' | '\u{ac00}'..='\u{d7a3}'),
    }
}

/// The plain letters that a letter is also written with, where Unicode sees no accent.
fn letters(c: char) -> impl Iterator<Item = char> {
    let (first, second) = match c {
        'ß' => ('s', Some('s')),
        'æ' => ('a', Some('e')),
        'œ' => ('o', Some('e')),
        'þ' => ('t', Some('h')),
        'ø' => ('o', None),
        'ł' => ('l', None),
        'đ' | 'ð' => ('d', None),
        'ħ' => ('h', None),
        'ŧ' => ('t', None),
        'ı' => ('i', None),
        'ς' => ('σ', None),
        _ => (c, None),
    };
    std::iter::once(first).chain(second)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn accents_case_width_and_ligatures_fold() {
        for (text, folded) in [
            ("Café", "cafe"),
            ("CAFE\u{301}", "cafe"),
            ("ﬁle", "file"),
            ("Ｗｉｄｅ", "wide"),
            ("STRASSE", "strasse"),
            ("Straße", "strasse"),
            ("Øre", "ore"),
            ("ΛΌΓΟΣ", "λογοσ"),
            ("λόγος", "λογοσ"),
            ("ЁЛКА", "елка"),
            ("İx", "ix"),
            ("ｶﾞ", "ガ"),
            ("か\u{3099}", "が"),
            ("資料", "资料"),
            ("\u{1112}\u{1161}\u{11ab}", "한"),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_folded_folds_no_further(
            text in prop::collection::vec(any::<char>(), 0..20).prop_map(String::from_iter)
        ) {
            let once = fold(&text).into_owned();
            prop_assert_eq!(fold(&once), once.as_str());
        }

        #[test]
        fn composed_and_decomposed_text_fold_alike(
            text in prop::collection::vec(any::<char>(), 0..20).prop_map(String::from_iter)
        ) {
            let composed: String = text.nfc().collect();
            let decomposed: String = text.nfd().collect();
            prop_assert_eq!(fold(&composed), fold(&decomposed));
        }
    }
}
