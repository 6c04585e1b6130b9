//! The one analyser: text in, search terms with their places out.
//!
//! Entries and queries pass through the same code, so that what is stored and what is asked can
//! meet. Terms are folded (case, compatibility forms, Latin accents); places always count bytes of
//! the text as given, whatever folding does to lengths.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::clean::{is_invisible, is_joiner};
use crate::compound;

/// Terms longer than this, in bytes of the text, are hashes and encoded data rather than words.
const LONGEST_TERM: usize = 256;

/// What a token is to the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A word that has no parts.
    Word,
    /// A whole name in camelCase, `snake_case` or kebab-case, without its joints:
    /// `busy_timeout`, `busyTimeout` and `busy-timeout` all give `busytimeout`.
    Identifier,
    /// A whole path, file name or dotted symbol, its joints written `/` and `.`.
    Compound,
    /// One word of an identifier or compound.
    Part,
    /// One character of a script that is written without blanks.
    CjkChar,
    /// Two adjacent characters of such a script.
    CjkPair,
}

impl TokenKind {
    /// Whether tokens of this kind follow one another at positions 0, 1, 2, …; the others lie over
    /// them.
    pub fn is_leaf(self) -> bool {
        matches!(self, Self::Word | Self::Part | Self::CjkChar)
    }
}

/// One search term and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'t> {
    /// The folded term.
    pub term: Cow<'t, str>,
    /// The bytes of the analysed text that it stands for.
    pub span: Range<usize>,
    /// The position of its first leaf, counted from 0 over the whole text.
    pub position: u32,
    /// How many leaves it covers: 1 for a leaf.
    pub leaves: u32,
    /// What it is.
    pub kind: TokenKind,
}

/// The analyser. It has no settings: two settings would be two analysers.
#[derive(Debug, Clone, Copy)]
pub struct Analyser;

impl Analyser {
    /// Names the rules; whatever stores terms stores this beside them.
    pub const VERSION: &'static str = "analyser-v1";

    /// Every term of a text, in order; a whole comes before its parts.
    ///
    /// ```
    /// use recall_text::Analyser;
    ///
    /// let terms: Vec<_> = Analyser::terms("set busyTimeout in store/pool.go")
    ///     .map(|token| token.term.into_owned())
    ///     .collect();
    /// assert_eq!(
    ///     terms,
    ///     ["set", "busytimeout", "busy", "timeout", "in", "store/pool.go", "pool.go", "store",
    ///      "pool", "go"]
    /// );
    /// ```
    pub fn terms(text: &str) -> impl Iterator<Item = Token<'_>> {
        Tokens {
            text,
            next: 0,
            position: 0,
            ready: VecDeque::new(),
        }
    }
}

/// What part a character plays in finding words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// A letter or digit of a script with blanks between words, or `_`.
    Word,
    /// A character of a script without them.
    Cjk,
    /// Belongs to the character before it: marks, joiners, invisible characters.
    Attached,
    /// Anything else.
    Other,
}

pub(crate) fn class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => Class::Word,
        _ if c.is_ascii() => Class::Other,
        // The half-width voicing marks of Japanese are letters to Unicode and marks to a reader.
        '\u{ff9e}' | '\u{ff9f}' => Class::Attached,
        _ if is_combining_mark(c) || is_invisible(c) || is_joiner(c) => Class::Attached,
        '\u{e00}'..='\u{eff}'
        | '\u{1000}'..='\u{11ff}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{30fa}'
        | '\u{30fc}'..='\u{318f}'
        | '\u{31a0}'..='\u{31bf}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ffdc}'
        | '\u{20000}'..='\u{3ffff}' => Class::Cjk,
        _ if c.is_alphanumeric() => Class::Word,
        _ => Class::Other,
    }
}

struct Tokens<'t> {
    text: &'t str,
    /// Where the unread text starts.
    next: usize,
    /// The position of the next leaf.
    position: u32,
    /// Tokens of the last stretch read that were not handed out yet.
    ready: VecDeque<Token<'t>>,
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        while self.ready.is_empty() {
            let rest = &self.text[self.next..];
            let (skipped, first) = rest
                .char_indices()
                .map(|(at, c)| (at, class(c)))
                .find(|(_, class)| matches!(class, Class::Word | Class::Cjk))?;
            let start = self.next + skipped;
            if let Some(length) = plain_word(&self.text[start..]) {
                self.next = start + length;
                self.push_leaf(start..self.next, TokenKind::Word);
            } else if first == Class::Cjk {
                self.read_cjk(start);
            } else {
                self.read_compound(start);
            }
        }
        self.ready.pop_front()
    }
}

impl Tokens<'_> {
    fn read_compound(&mut self, start: usize) {
        let end = start + compound::length(&self.text[start..]);
        self.next = end;
        let segments = compound::segments(self.text, start..end);
        let words: Vec<Vec<Range<usize>>> = segments
            .iter()
            .map(|segment| compound::words(self.text, segment.clone()))
            .collect();
        let first = self.position;
        // A compound also goes by its last name: `pool.go` for `store/pool.go`.
        let file = compound::file_name(self.text, &segments);
        for from in [Some(0), file].into_iter().flatten() {
            if segments.len() - from > 1 {
                let skipped: usize = words[..from].iter().map(Vec::len).sum();
                let covered: usize = words[from..].iter().map(Vec::len).sum();
                self.push(
                    segments[from].start..end,
                    TokenKind::Compound,
                    first.saturating_add(count(skipped)),
                    count(covered),
                );
            }
        }
        let alone = segments.len() == 1;
        for (segment, words) in segments.into_iter().zip(words) {
            if words.len() > 1 {
                self.push(
                    segment,
                    TokenKind::Identifier,
                    self.position,
                    count(words.len()),
                );
            }
            let kind = if alone && words.len() == 1 {
                TokenKind::Word
            } else {
                TokenKind::Part
            };
            for word in words {
                self.push_leaf(word, kind);
            }
        }
    }

    fn read_cjk(&mut self, start: usize) {
        let mut previous: Option<usize> = None;
        let mut chars = self.text[start..].char_indices().peekable();
        self.next = self.text.len();
        while let Some((at, c)) = chars.next() {
            match class(c) {
                Class::Cjk => {}
                // A mark is covered by the character that it stands behind.
                Class::Attached => continue,
                Class::Word | Class::Other => {
                    self.next = start + at;
                    break;
                }
            }
            let mut end = start + at + c.len_utf8();
            while let Some((at, mark)) = chars.next_if(|(_, c)| class(*c) == Class::Attached) {
                end = start + at + mark.len_utf8();
            }
            if let Some(before) = previous {
                let position = self.position.saturating_sub(1);
                self.push(before..end, TokenKind::CjkPair, position, 2);
            }
            self.push_leaf(start + at..end, TokenKind::CjkChar);
            previous = Some(start + at);
        }
    }

    fn push_leaf(&mut self, span: Range<usize>, kind: TokenKind) {
        let before = self.ready.len();
        self.push(span, kind, self.position, 1);
        if self.ready.len() > before {
            self.position = self.position.saturating_add(1);
        }
    }

    fn push(&mut self, span: Range<usize>, kind: TokenKind, position: u32, leaves: u32) {
        if span.len() > LONGEST_TERM {
            return;
        }
        let text = &self.text[span.clone()];
        let term = match kind {
            TokenKind::Identifier => Cow::Owned(
                fold(text)
                    .chars()
                    .filter(|c| !compound::is_soft_joint(*c))
                    .collect(),
            ),
            TokenKind::Compound => Cow::Owned(fold(text).replace('\\', "/").replace("::", ".")),
            _ => fold(text),
        };
        if !term.is_empty() {
            self.ready.push_back(Token {
                term,
                span,
                position,
                leaves,
                kind,
            });
        }
    }
}

/// The length of the ordinary word that a text starts with: ASCII letters and digits of which only
/// the first may be a capital, no joint behind them. Most words are, and need none of the work of a name.
fn plain_word(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let capital = usize::from(bytes.first().is_some_and(u8::is_ascii_uppercase));
    let length = capital
        + bytes[capital..]
            .iter()
            .take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            .count();
    let ends = match (bytes.get(length), bytes.get(length + 1)) {
        (None | Some(b' ' | b',' | b'\n' | b')'), _) => true,
        (Some(b'.' | b':'), next) => next.is_none_or(|next| matches!(next, b' ' | b'\n')),
        _ => false,
    };
    (length > 0 && ends).then_some(length)
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Lower case, compatibility forms resolved, Latin, Greek and Cyrillic accents dropped. The marks
/// of other scripts are vowels and stay.
fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    let visible = |c: &char| !(is_invisible(*c) || is_joiner(*c) || c.is_whitespace());
    let folded: String = text
        .chars()
        .flat_map(char::to_lowercase)
        .nfkd()
        .filter(|c| visible(c) && !matches!(c, '\u{300}'..='\u{36f}'))
        .nfc()
        .flat_map(char::to_lowercase)
        .collect();
    Cow::Owned(folded)
}

/// Whether a word of a text looks like a name out of code: it holds `_` between letters, a letter
/// beside a digit anywhere, or a lower-case letter directly before an upper-case one.
pub fn looks_like_identifier(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let mut has = (false, false, inner.contains('_'));
    let mut previous_lower = false;
    for c in inner.chars() {
        has.0 |= c.is_alphabetic();
        has.1 |= c.is_numeric();
        has.2 |= previous_lower && c.is_uppercase();
        previous_lower = c.is_lowercase();
    }
    let (letter, digit, joint) = has;
    joint || (letter && digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn terms(text: &str) -> Vec<String> {
        Analyser::terms(text)
            .map(|token| token.term.into_owned())
            .collect()
    }

    fn leaves(text: &str) -> Vec<String> {
        Analyser::terms(text)
            .filter(|token| token.kind.is_leaf())
            .map(|token| token.term.into_owned())
            .collect()
    }

    // B-02; ranking W4
    #[test]
    fn every_spelling_of_an_identifier_meets_the_others() {
        for spelling in [
            "busy_timeout",
            "busyTimeout",
            "BusyTimeout",
            "busy-timeout",
            "BUSY_TIMEOUT",
        ] {
            assert_eq!(
                terms(spelling),
                ["busytimeout", "busy", "timeout"],
                "{spelling}"
            );
        }
        assert_eq!(leaves("busy timeout"), leaves("busy_timeout"));
        assert!(terms("SQLite").contains(&"sqlite".to_owned()));
        assert_eq!(terms("HTTPServer"), ["httpserver", "http", "server"]);
        assert_eq!(terms("sha256 E0597 _x_ __"), ["sha256", "e0597", "x"]);
    }

    #[test]
    fn paths_and_dotted_names_are_whole_and_in_parts() {
        assert_eq!(
            terms(r"C:\srv\api-core"),
            ["c", "srv/api-core", "srv", "apicore", "api", "core"]
        );
        assert_eq!(
            terms("./internal/Pool.go:12"),
            [
                "internal/pool.go",
                "pool.go",
                "internal",
                "pool",
                "go",
                "12"
            ]
        );
        assert_eq!(terms("sync::Mutex."), ["sync.mutex", "sync", "mutex"]);
        assert_eq!(terms("end. Next"), ["end", "next"]);
    }

    // B-02; ranking W2
    #[test]
    fn scripts_without_blanks_give_characters_and_pairs() {
        assert_eq!(
            terms("数据库SQL锁"),
            ["数", "数据", "据", "据库", "库", "sql", "锁"]
        );
        assert_eq!(terms("ｶﾞ"), terms("ガ"));
    }

    #[test]
    fn accents_case_and_compatibility_forms_fold() {
        assert_eq!(
            terms("Café CAFE\u{301} ﬁle Ｗｉｄｅ"),
            ["cafe", "cafe", "file", "wide"]
        );
        assert_eq!(terms("ЁЛКА"), terms("елка"));
        assert_eq!(terms("हिन्दी").len(), 1, "vowel signs do not split a word");
    }

    // ranking W22
    #[test]
    fn places_count_bytes_of_the_text_as_given() {
        let text = "ȺȺ İx busy_timeout";
        let token = Analyser::terms(text)
            .find(|token| token.term == "busytimeout")
            .unwrap();
        assert_eq!(&text[token.span], "busy_timeout");
    }

    // ranking behaviour 5
    #[test]
    fn names_out_of_code_are_told_from_words_and_numbers() {
        for name in ["busy_timeout", "sha256", "useState", "k8s"] {
            assert!(looks_like_identifier(name), "{name}");
        }
        for word in ["1234", "handler", "Handler", "HTTP", "_private", ""] {
            assert!(!looks_like_identifier(word), "{word}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_analysed_and_every_span_lies_in_it(
            text in prop::collection::vec(any::<char>(), 0..60).prop_map(String::from_iter)
        ) {
            let mut next = 0;
            for token in Analyser::terms(&text) {
                prop_assert!(text.get(token.span.clone()).is_some());
                prop_assert!(!token.term.is_empty());
                if token.kind.is_leaf() {
                    prop_assert_eq!(token.position, next);
                    next += 1;
                } else {
                    prop_assert!(token.leaves >= 1);
                }
            }
        }

        #[test]
        fn wordlike_text_is_analysed_whatever_its_joints(text in "[aAÄ9_./:\\\\ -数ⱯȺ]{0,40}") {
            for token in Analyser::terms(&text) {
                prop_assert!(text.get(token.span.clone()).is_some());
            }
        }

        #[test]
        fn case_does_not_matter_to_plain_words(text in "[a-zäöéж ]{0,30}") {
            prop_assert_eq!(terms(&text), terms(&text.to_uppercase()));
        }
    }
}
