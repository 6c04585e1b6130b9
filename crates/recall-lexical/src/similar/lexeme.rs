//! The words of a sentence as a reader of advice takes them: markers, names and other words.

use std::ops::Range;

use recall_text::{Analyser, Token, TokenKind, is_stop_word, looks_like_identifier, stem};

use super::marker::{self, Role};
use crate::entity::{command, is_exact};
use crate::quoted::quoted;

/// How many terms of a sentence are read, from its start.
const MOST_TERMS: usize = 256;

/// One word or name, and where in the sentence it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lexeme {
    pub(super) what: What,
    pub(super) span: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    Marker(Role),
    /// A name out of code.
    Name(Name),
    /// A word that carries meaning, by its stem; a pair of characters is one.
    Word {
        stem: String,
        /// Whether it names an action without advising it: `running`.
        gerund: bool,
    },
    /// A stop word.
    Filler,
}

/// A name out of code by its key: every spelling of it has the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) key: String,
    pub(super) kind: NameKind,
}

/// What may be said of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    /// A setting, a flag or a quoted word: it may have a value.
    Setting,
    /// A dotted symbol or a word with digits: it has a value only behind an equals sign.
    Symbol,
    /// A path or a command: what follows is no value.
    Thing,
}

/// The lexemes of one sentence, in order and apart.
pub(super) fn lexemes(sentence: &str) -> Vec<Lexeme> {
    let tokens: Vec<Token<'_>> = Analyser::terms(sentence).take(MOST_TERMS).collect();
    let quotations = quoted(sentence);
    let mut quotations = quotations.as_slice();
    let mut found: Vec<Lexeme> = Vec::new();
    let mut next = 0;
    for (at, token) in tokens.iter().enumerate() {
        if token.span.start < next {
            continue;
        }
        // Quotations stand in order and apart: only the first that ends late enough can do.
        while quotations
            .first()
            .is_some_and(|span| span.end < token.span.end)
        {
            quotations = &quotations[1..];
        }
        let quotation = quotations
            .first()
            .filter(|span| span.start <= token.span.start);
        let (what, span) = match quotation {
            Some(quotation) => in_quotes(sentence, token, quotation),
            None => match marker_at(sentence, &tokens[at..], quotations.first()) {
                Some((role, end)) => (What::Marker(role), token.span.start..end),
                None => plain(sentence, token),
            },
        };
        if token.kind == TokenKind::CjkChar && !matches!(what, What::Marker(_)) {
            continue;
        }
        // Pairs overlap, so that `提交前` meets both `提交` and `交前`.
        let is_pair = token.kind == TokenKind::CjkPair;
        if is_pair && (reaches_marker(sentence, token) || marker::is_function_pair(&token.term)) {
            continue;
        }
        next = if is_pair { token.span.start } else { span.end };
        found.push(Lexeme { what, span });
    }
    found
}

/// The marker that tokens start with, and where it ends; it reaches into no quotation.
fn marker_at(
    sentence: &str,
    tokens: &[Token<'_>],
    next_quotation: Option<&Range<usize>>,
) -> Option<(Role, usize)> {
    let first = tokens.first()?;
    match first.kind {
        TokenKind::CjkPair | TokenKind::CjkChar => {
            let (role, length) = marker::of_characters(&sentence[first.span.start..])?;
            Some((role, first.span.start + length))
        }
        TokenKind::Word if !is_flag(sentence, first.span.start) => {
            let quotation = next_quotation.map_or(sentence.len(), |span| span.start);
            let words = tokens
                .iter()
                .take_while(|token| token.kind == TokenKind::Word && token.span.end <= quotation)
                .map(|token| token.surface.as_ref());
            let (role, count) = marker::of_words(&words)?;
            Some((role, tokens.get(count - 1)?.span.end))
        }
        _ => None,
    }
}

/// Whether the second character of a pair starts a marker.
fn reaches_marker(sentence: &str, pair: &Token<'_>) -> bool {
    let text = &sentence[pair.span.start..];
    text.char_indices()
        .nth(1)
        .is_some_and(|(second, _)| marker::of_characters(&text[second..]).is_some())
}

/// What a token inside quotation marks is: a quoted word or command is a name whole, and nothing
/// quoted is advice.
fn in_quotes(sentence: &str, token: &Token<'_>, quotation: &Range<usize>) -> (What, Range<usize>) {
    let inside = &sentence[quotation.clone()];
    let starts = inside.len() - inside.trim_start().len() + quotation.start == token.span.start;
    if starts && let Some(key) = command(inside) {
        return (name(key, NameKind::Thing), quotation.clone());
    }
    let whole = inside.trim().len() == token.span.len();
    let is_number = token.term.starts_with(|c: char| c.is_ascii_digit());
    if whole && token.kind == TokenKind::Word && !is_number {
        let key = token.surface.clone().into_owned();
        return (name(key, NameKind::Setting), token.span.clone());
    }
    plain(sentence, token)
}

/// What a token is by its own shape.
fn plain(sentence: &str, token: &Token<'_>) -> (What, Range<usize>) {
    let span = token.span.clone();
    let term = token.surface.clone().into_owned();
    if is_flag(sentence, span.start) {
        let dashes = sentence[..span.start].trim_end_matches('-').len();
        return (
            name(format!("--{term}"), NameKind::Setting),
            dashes..span.end,
        );
    }
    if term.starts_with(|c: char| c.is_ascii_digit()) {
        return (word(term, false), span);
    }
    let what = match token.kind {
        TokenKind::Identifier => name(term, NameKind::Setting),
        TokenKind::Compound if is_exact(token) && term.contains('/') => name(term, NameKind::Thing),
        TokenKind::Compound if is_exact(token) => name(term, NameKind::Symbol),
        TokenKind::Word if looks_like_identifier(&sentence[span.clone()]) => {
            name(term, NameKind::Symbol)
        }
        TokenKind::Word if is_stop_word(&term) => What::Filler,
        TokenKind::Word => {
            let gerund = term.len() > 4 && term.ends_with("ing");
            word(stem(&term).into_owned(), gerund)
        }
        _ => word(term, false),
    };
    (what, span)
}

fn name(key: String, kind: NameKind) -> What {
    What::Name(Name { key, kind })
}

fn word(stem: String, gerund: bool) -> What {
    What::Word { stem, gerund }
}

/// Whether the word at `start` stands behind one or two dashes that stand free themselves.
fn is_flag(sentence: &str, start: usize) -> bool {
    let before = &sentence[..start];
    let bare = before.trim_end_matches('-');
    (1..=2).contains(&(before.len() - bare.len()))
        && bare
            .chars()
            .next_back()
            .is_none_or(|c| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '(' | '['))
        && !sentence[start..].starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(sentence: &str) -> Vec<String> {
        lexemes(sentence)
            .into_iter()
            .filter_map(|lexeme| match lexeme.what {
                What::Marker(role) => Some(format!("<{role:?}>")),
                What::Name(name) => Some(format!("[{}]", name.key)),
                What::Word { stem, .. } => Some(stem),
                What::Filler => None,
            })
            .collect()
    }

    #[test]
    fn names_are_told_from_words_and_markers() {
        assert_eq!(
            shown("Don't set busyTimeout in store/pool.go, it fails with E0597"),
            [
                "<Not>",
                "<Use>",
                "[busytimeout]",
                "[store/pool.go]",
                "<Undo>",
                "[e0597]"
            ]
        );
        assert_eq!(
            shown("Never run `git push --force` or pass --no-verify"),
            ["<Not>", "run", "[git push force]", "pass", "[--noverify]"]
        );
        assert_eq!(shown("the `set` of “not”"), ["[set]", "<Not>"]);
    }

    #[test]
    fn quoted_text_advises_nothing() {
        assert_eq!(shown("It says \"do not retry\""), ["say", "retri"]);
    }

    #[test]
    fn scripts_without_blanks_give_markers_and_pairs() {
        assert_eq!(
            shown("提交前不要运行 cargo_test"),
            ["提交", "交前", "<Not>", "运行", "[cargotest]"]
        );
    }

    #[test]
    fn the_forms_of_a_verb_meet() {
        assert_eq!(
            shown("retry retries caching"),
            shown("retries retry caches")
        );
    }

    #[test]
    fn a_long_sentence_gives_a_bounded_number() {
        assert!(lexemes(&"word ".repeat(90_000)).len() <= MOST_TERMS);
    }
}
