//! Text as a reader takes it, whatever characters it is spelled with.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::compose;

use super::constant;

/// What no reader sees: colours of a terminal, control characters other than blanks, and characters
/// without a shape.
static UNSEEN: LazyLock<Regex> = LazyLock::new(|| {
    constant(
        r"\x1b\[[\x20-\x3f]*[\x40-\x7e]|[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]|\p{Default_Ignorable_Code_Point}",
    )
});

/// A text in lower case, its compatibility forms resolved, without accents and without what cannot
/// be seen; letters of another alphabet amid Latin ones are the Latin ones that they look like.
pub(super) struct Folded<'t> {
    pub(super) text: Cow<'t, str>,
    /// For each byte of `text`, the bytes of the whole that it stands for. Empty if they are equal.
    places: Vec<Range<usize>>,
}

impl<'t> Folded<'t> {
    pub(super) fn of(whole: &'t str) -> Self {
        if is_plain(whole) {
            return Self {
                text: lower(whole),
                places: Vec::new(),
            };
        }
        let letters = letters(whole);
        let mut text = String::with_capacity(whole.len());
        let mut places = Vec::with_capacity(whole.len());
        for letter in letters {
            text.push(letter.folded);
            places.resize(text.len(), letter.place);
        }
        Self {
            text: Cow::Owned(text),
            places,
        }
    }

    /// Where a stretch of the folded text stands in the whole.
    pub(super) fn place(&self, folded: &Range<usize>) -> Range<usize> {
        if self.places.is_empty() || folded.is_empty() {
            return folded.clone();
        }
        self.places[folded.start].start..self.places[folded.end - 1].end
    }
}

/// A text folded, when where its parts stood does not matter.
pub(super) fn fold(whole: &str) -> Cow<'_, str> {
    Folded::of(whole).text
}

/// Whether folding changes nothing but case.
fn is_plain(text: &str) -> bool {
    text.bytes()
        .all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r'))
}

fn lower(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

struct Letter {
    folded: char,
    place: Range<usize>,
}

fn letters(whole: &str) -> Vec<Letter> {
    let mut letters = Vec::with_capacity(whole.len());
    let mut from = 0;
    for unseen in UNSEEN.find_iter(whole) {
        push_seen(&mut letters, whole, from..unseen.start());
        from = unseen.end();
    }
    push_seen(&mut letters, whole, from..whole.len());
    let mut word = 0;
    for end in 0..=letters.len() {
        if letters.get(end).is_none_or(|it| !it.folded.is_alphabetic()) {
            unmask(&mut letters[word..end]);
            word = end + 1;
        }
    }
    letters
}

fn push_seen(letters: &mut Vec<Letter>, whole: &str, part: Range<usize>) {
    for (at, c) in whole[part.clone()].char_indices() {
        let place = part.start + at..part.start + at + c.len_utf8();
        // Ideographs have one form and no case.
        if matches!(c, '\0'..='\x7f' | '\u{4e00}'..='\u{9fff}') {
            let folded = c.to_ascii_lowercase();
            letters.push(Letter { folded, place });
            continue;
        }
        for c in std::iter::once(c).nfkd() {
            if is_accent(c) {
                continue;
            }
            // Syllables that were written in parts are read as one.
            let before = letters.last_mut();
            if let Some((last, whole)) =
                before.and_then(|last| compose(last.folded, c).map(|whole| (last, whole)))
            {
                last.folded = whole;
                last.place.end = place.end;
                continue;
            }
            for folded in c.to_lowercase().filter(|c| !is_accent(*c)) {
                let place = place.clone();
                letters.push(Letter { folded, place });
            }
        }
    }
}

/// The marks of Latin, Greek and Cyrillic letters; those of other scripts tell letters apart.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Reads a word as Latin if it has a Latin letter: nobody mixes alphabets within a word but to
/// hide it.
fn unmask(word: &mut [Letter]) {
    if word.iter().any(|letter| letter.folded.is_ascii()) {
        for letter in word {
            letter.folded = latin(letter.folded);
        }
    }
}

/// The Latin letter that a small letter passes for.
fn latin(c: char) -> char {
    match c {
        'а' | 'α' | 'ɑ' => 'a',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ε' => 'e',
        'ɡ' => 'g',
        'һ' | 'н' => 'h',
        'і' | 'ι' | 'ı' | 'ɩ' => 'i',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' => 'l',
        'м' => 'm',
        'η' | 'п' => 'n',
        'о' | 'ο' | 'σ' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'г' => 'r',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' => 'u',
        'ν' => 'v',
        'ԝ' | 'ω' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_disguised_word_is_read_as_it_looks() {
        for disguised in [
            "ignore",
            "IGNORE",
            "ｉｇｎｏｒｅ",
            "ig\u{200b}no\u{ad}re",
            "i\u{e0041}gnore\u{fe0f}",
            "\u{1b}[31mig\u{1b}[0mnore",
            "ignоrе",
            "ígnörè",
            "𝐢𝐠𝐧𝐨𝐫𝐞",
        ] {
            assert_eq!(fold(disguised), "ignore", "{disguised:?}");
        }
    }

    #[test]
    fn a_word_of_one_alphabet_keeps_it() {
        assert_eq!(fold("Сорт сахара"), "сорт сахара");
        assert_eq!(fold("が 지시를 ﾃﾞ"), "が 지시를 デ");
        assert_eq!(fold("か\u{3099}"), "が");
        assert_eq!(fold("\u{110c}\u{1175}"), "지");
    }

    #[test]
    fn a_stretch_is_found_again_in_the_whole() {
        let whole = "é ig\u{200b}nоre it";
        let folded = Folded::of(whole);
        let at = folded.text.find("ignore").unwrap();
        assert_eq!(&whole[folded.place(&(at..at + 6))], "ig\u{200b}nоre");
    }

    proptest! {
        #[test]
        fn every_place_is_a_stretch_of_the_whole(whole in any::<String>()) {
            let folded = Folded::of(&whole);
            for (at, c) in folded.text.char_indices() {
                let place = folded.place(&(at..at + c.len_utf8()));
                prop_assert!(whole.get(place.clone()).is_some_and(|part| !part.is_empty()), "{place:?}");
            }
        }
    }
}
