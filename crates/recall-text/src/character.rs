//! What part a character plays in finding words.

use unicode_normalization::char::is_combining_mark;

use crate::clean::{is_invisible, is_joiner};

/// What part a character plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// A letter or digit of a script with blanks between words, or `_`.
    Word,
    /// A character of a script without them, or a Korean syllable.
    Cjk,
    /// Belongs to the character before it: marks, joiners, invisible characters.
    Attached,
    /// Anything else.
    Other,
}

/// The part a character plays.
pub(crate) fn class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '\u{ff3f}' => Class::Word,
        _ if c.is_ascii() => Class::Other,
        // The most frequent ones need no look at the tables.
        '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}' => Class::Cjk,
        // The half-width voicing marks of Japanese are letters to Unicode and marks to a reader.
        '\u{ff9e}' | '\u{ff9f}' => Class::Attached,
        _ if is_combining_mark(c) || is_invisible(c) || is_joiner(c) => Class::Attached,
        '\u{e00}'..='\u{eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{30fa}'
        | '\u{30fc}'..='\u{318f}'
        | '\u{31a0}'..='\u{31bf}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ffdc}'
        | '\u{20000}'..='\u{3ffff}' => Class::Cjk,
        _ if c.is_alphanumeric() => Class::Word,
        _ => Class::Other,
    }
}

/// The ASCII character that a full-width one stands for; any other character itself.
///
/// The full-width colon is left alone: it ends a clause of Chinese and joins no names.
pub(crate) fn narrow(c: char) -> char {
    match c {
        '\u{ff1a}' => c,
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

/// Whether a character goes on with the Korean syllable whose letters before it are written one by
/// one, as in file names of some systems: a vowel behind a leading consonant, or a final consonant
/// behind a vowel.
pub(crate) fn continues_syllable(before: char, c: char) -> bool {
    let open_syllable =
        matches!(before, '\u{ac00}'..='\u{d7a3}') && (before as u32 - 0xac00).is_multiple_of(28);
    match c {
        '\u{1161}'..='\u{1175}' => matches!(before, '\u{1100}'..='\u{1112}'),
        '\u{11a8}'..='\u{11c2}' => open_syllable || matches!(before, '\u{1161}'..='\u{1175}'),
        _ => false,
    }
}
