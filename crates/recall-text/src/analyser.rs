//! The one analyser: text in, search terms with their places out.
//!
//! Entries and queries pass through the same code, so that what is stored and what is asked can
//! meet. Words are folded (case, width, compatibility forms, accents, variants of Chinese
//! characters) and brought to their stems; places always count bytes of the text as given, whatever
//! folding does to lengths.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use crate::character::{Class, class, continues_syllable};
use crate::compound::{self, Joint, LONGEST_TERM, Leaf};
use crate::fold::fold;
use crate::stem::stem;

/// What a token is to the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A word that has no parts; `c++`, `c#`, `f#` and `.net` are words too.
    Word,
    /// A whole name in camelCase, `snake_case` or kebab-case, without its joints:
    /// `busy_timeout`, `busyTimeout` and `busy-timeout` all give `busytimeout`.
    Identifier,
    /// A whole path, file name, dotted symbol or version number, its joints written `/`, `.`, `:`
    /// and `@`.
    Compound,
    /// One word of an identifier or compound.
    Part,
    /// One character of a script that is written without blanks, or a Korean syllable.
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
    /// What is looked up: the stem of a word or part, the joined spelling of an identifier or
    /// compound, the characters themselves. Never empty.
    pub term: Cow<'t, str>,
    /// The folded spelling, which is the term except where a word was brought to its stem.
    pub surface: Cow<'t, str>,
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
    pub const VERSION: &'static str = "analyser-v2";

    /// Every term of a text, in order; a whole comes before its parts.
    ///
    /// ```
    /// use recall_text::Analyser;
    ///
    /// let terms: Vec<_> = Analyser::terms("retries of busyTimeout in store/pool.go")
    ///     .map(|token| token.term.into_owned())
    ///     .collect();
    /// assert_eq!(
    ///     terms,
    ///     ["retri", "of", "busytimeout", "busi", "timeout", "in", "store/pool.go", "pool.go",
    ///      "store", "pool", "go"]
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
        loop {
            if let Some(token) = self.ready.pop_front() {
                return Some(token);
            }
            let (start, first) = self.next_start()?;
            if let Some((span, name)) = symbol_name(self.text, start) {
                self.next = span.end;
                return Some(self.leaf(span, Cow::Borrowed(name), TokenKind::Word));
            } else if let Some(length) = plain_word(&self.text[start..]) {
                self.next = start + length;
                if length <= LONGEST_TERM {
                    let surface = fold(&self.text[start..self.next]);
                    return Some(self.leaf(start..self.next, surface, TokenKind::Word));
                }
            } else if first == Class::Cjk {
                self.read_cjk(start);
            } else {
                self.read_compound(start);
            }
        }
    }
}

impl<'t> Tokens<'t> {
    /// Where the next word or character starts.
    fn next_start(&self) -> Option<(usize, Class)> {
        let rest = &self.text[self.next..];
        rest.char_indices()
            .map(|(at, c)| (self.next + at, class(c)))
            .find(|(_, class)| matches!(class, Class::Word | Class::Cjk))
    }

    fn read_compound(&mut self, start: usize) {
        let (mut leaves, end) = compound::leaves(self.text, start);
        self.next = end;
        let first = self.position;
        let starts_segment = |leaf: &Leaf<'_>| matches!(leaf.joint, Joint::Hard(_));
        // A compound also goes by its last name: `pool.go` for `store/pool.go`.
        let file = leaves
            .iter()
            .rposition(|leaf| leaf.joint == Joint::Hard('/'));
        for from in [Some(0), file].into_iter().flatten() {
            if leaves.iter().skip(from + 1).any(starts_segment) {
                self.push_whole(&leaves[from..], TokenKind::Compound, add(first, from));
            }
        }
        let mut at = 0;
        let alone = leaves.len() == 1;
        for segment in leaves.chunk_by_mut(|_, leaf| !starts_segment(leaf)) {
            let version = |leaf: &Leaf<'_>| leaf.joint == Joint::Version;
            if segment.len() > 1 && !segment.iter().skip(1).all(version) {
                self.push_whole(segment, TokenKind::Identifier, add(first, at));
            }
            for number in segment.chunk_by_mut(|_, leaf| version(leaf)) {
                if number.len() > 1 {
                    self.push_whole(number, TokenKind::Compound, add(first, at));
                }
                at += number.len();
                for leaf in number {
                    let kind = if alone {
                        TokenKind::Word
                    } else {
                        TokenKind::Part
                    };
                    let token = self.leaf(leaf.span.clone(), std::mem::take(&mut leaf.word), kind);
                    self.ready.push_back(token);
                }
            }
        }
    }

    fn push_whole(&mut self, leaves: &[Leaf<'t>], kind: TokenKind, position: u32) {
        let [first, .., last] = leaves else { return };
        let span = first.span.start..last.span.end;
        if span.len() <= LONGEST_TERM {
            let term = compound::joined(leaves, kind == TokenKind::Identifier);
            let leaves = add(0, leaves.len());
            self.push(span, Cow::Owned(term), kind, position, leaves);
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
            let mut last = c;
            let mut end = start + at + c.len_utf8();
            while let Some((at, more)) = chars.next_if(|(_, more)| {
                class(*more) == Class::Attached || continues_syllable(last, *more)
            }) {
                last = more;
                end = start + at + more.len_utf8();
            }
            let span = start + at..end;
            let character = fold(&self.text[span.clone()]);
            if character.is_empty() || span.len() > LONGEST_TERM {
                previous = None;
                continue;
            }
            let pair = previous.map(|before| before..end);
            if let Some(pair) = pair.filter(|pair| pair.len() <= LONGEST_TERM) {
                let term = fold(&self.text[pair.clone()]);
                let position = self.position.saturating_sub(1);
                self.push(pair, term, TokenKind::CjkPair, position, 2);
            }
            previous = Some(span.start);
            let token = self.leaf(span, character, TokenKind::CjkChar);
            self.ready.push_back(token);
        }
    }

    /// The leaf at the next position.
    fn leaf(&mut self, span: Range<usize>, surface: Cow<'t, str>, kind: TokenKind) -> Token<'t> {
        let position = self.position;
        self.position = position.saturating_add(1);
        Token {
            term: stem_of(&surface),
            surface,
            span,
            position,
            leaves: 1,
            kind,
        }
    }

    fn push(
        &mut self,
        span: Range<usize>,
        term: Cow<'t, str>,
        kind: TokenKind,
        position: u32,
        leaves: u32,
    ) {
        self.ready.push_back(Token {
            surface: term.clone(),
            term,
            span,
            position,
            leaves,
            kind,
        });
    }
}

/// The stem of a word, borrowed from the text where the word is.
fn stem_of<'t>(surface: &Cow<'t, str>) -> Cow<'t, str> {
    match surface {
        Cow::Borrowed(word) => stem(word),
        Cow::Owned(word) => Cow::Owned(stem(word).into_owned()),
    }
}

/// The length of the ordinary word that a text starts with: ASCII letters and digits of which only
/// the first may be a capital, no joint behind them. Most words are, and need none of the work of a
/// name.
fn plain_word(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let capital = usize::from(bytes.first().is_some_and(u8::is_ascii_uppercase));
    let length = capital
        + bytes[capital..]
            .iter()
            .take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            .count();
    let ends = match (bytes.get(length), bytes.get(length + 1)) {
        (Some(b'.' | b':'), next) => next.is_none_or(|next| matches!(next, b' ' | b'\n')),
        (Some(b'_' | b'-' | b'/' | b'\\' | b'@' | b'#' | b'+'), _) => false,
        (Some(byte), _) => byte.is_ascii() && !byte.is_ascii_alphanumeric(),
        (None, _) => true,
    };
    (length > 0 && ends).then_some(length)
}

/// Names that end or start in a symbol, where one starts at `start`.
fn symbol_name(text: &str, start: usize) -> Option<(Range<usize>, &'static str)> {
    let bytes = text.as_bytes();
    let letter = bytes.get(start)?.to_ascii_lowercase();
    let rest = text.get(start + 1..)?;
    let ends = |rest: &str| !rest.starts_with(|c| class(c) == Class::Word);
    match letter {
        b'c' if rest.starts_with("++") => Some((start..start + 3, "c++")),
        b'c' if rest.starts_with('#') => Some((start..start + 2, "c#")),
        b'f' if rest.starts_with('#') => Some((start..start + 2, "f#")),
        b'n' if start > 0 && bytes[start - 1] == b'.' => {
            let is_net = rest.get(..2)?.eq_ignore_ascii_case("et") && ends(&rest[2..]);
            is_net.then_some((start - 1..start + 3, ".net"))
        }
        _ => None,
    }
}
/// The position `leaves` behind one.
fn add(position: u32, leaves: usize) -> u32 {
    position.saturating_add(u32::try_from(leaves).unwrap_or(u32::MAX))
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
mod tests;
