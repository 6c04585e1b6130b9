//! What a question asks for.

use std::collections::BTreeSet;

use recall_text::{Analyser, Token, TokenKind, is_stop_word, looks_like_identifier};

use crate::entity::{LONGEST_KEY, is_exact};
use crate::light::is_light_word;
use crate::quoted::quoted;
use crate::segment::SHORTEST_MISSPELT;
use crate::temporal::{Named, When, named};

/// How many units of a question count, from its start; one bit each in the scorer.
pub(crate) const MOST_UNITS: usize = 64;

/// How many words of a question are looked at for its sequence and for entities, from its start.
pub(crate) const MOST_WORDS: usize = 4 * MOST_UNITS;

/// One word of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// The term that is looked up.
    pub(crate) key: String,
    /// As the name spells it, folded.
    pub(crate) spelling: String,
}

/// One thing that is asked for: a word, a name out of code, or a pair of characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unit {
    /// The term that is looked up.
    pub(crate) key: String,
    /// As the question spells it, in lower case.
    pub(crate) spelling: String,
    /// The key of an entity that is nothing but it.
    pub(crate) entity: String,
    /// The words of a name that carry meaning; empty for a plain word.
    pub(crate) parts: Vec<Word>,
    /// Whether it looks like a name out of code.
    pub(crate) identifier: bool,
    /// Whether it says little about what a text is about.
    pub(crate) light: bool,
    /// Whether it belongs to a time that the question names.
    pub(crate) temporal: bool,
    /// The positions that it covers, first and one past the last.
    pub(crate) positions: (u32, u32),
}

impl Unit {
    /// Whether it is a plain word, long enough that another one is not near it by chance.
    pub(crate) fn may_be_misspelt(&self) -> bool {
        self.parts.is_empty()
            && !self.identifier
            && self.entity.chars().all(char::is_alphabetic)
            && self.entity.chars().count() >= SHORTEST_MISSPELT
    }
}

/// A key that may name an entity, and the positions that it covers in the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    pub(crate) key: String,
    pub(crate) positions: (u32, u32),
}

/// A question, analysed.
///
/// Instruction-like text is the caller's to remove first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// In the order of the question, each key once.
    pub(crate) units: Vec<Unit>,
    /// The first [`MOST_WORDS`] words that carry meaning in their order, repeats included; `true`
    /// marks one character of a script without blanks.
    pub(crate) sequence: Vec<(String, bool)>,
    pub(crate) mentions: Vec<Mention>,
    pub(crate) when: Option<When>,
}

impl Query {
    /// Analyses a question. Stop words and single letters count only inside quotation marks.
    pub fn parse(text: &str) -> Self {
        let tokens: Vec<Token<'_>> = Analyser::terms(text).collect();
        let quoted = quoted(text);
        let said = |token: &Token<'_>| {
            // Quotations stand in order and apart: only the first that ends late enough can do.
            let quotation = quoted.partition_point(|span| span.end < token.span.end);
            let in_quotes = quoted
                .get(quotation)
                .is_some_and(|span| span.start <= token.span.start);
            in_quotes || carries_meaning(token)
        };
        let (when, temporal) = match named(&tokens) {
            Some(Named { when, positions }) => (Some(when), positions),
            None => (None, BTreeSet::new()),
        };
        let sequence = tokens
            .iter()
            .filter(|token| token.kind.is_leaf() && said(token))
            .take(MOST_WORDS)
            .map(|token| {
                let term = token.term.clone().into_owned();
                (term, token.kind == TokenKind::CjkChar)
            })
            .collect();
        Self {
            units: units(text, &tokens, &temporal, said),
            sequence,
            mentions: mentions(&tokens),
            when,
        }
    }
}

/// Not a stop word, and more than one letter or digit.
fn carries_meaning(token: &Token<'_>) -> bool {
    let term = token.surface.as_ref();
    let single = term.len() == 1 && term.is_ascii();
    !single && !is_stop_word(term)
}

fn units(
    text: &str,
    tokens: &[Token<'_>],
    temporal: &BTreeSet<u32>,
    said: impl Fn(&Token<'_>) -> bool,
) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut keys: BTreeSet<&str> = BTreeSet::new();
    // Leaves before this position belong to a unit already.
    let mut covered = 0;
    for (index, token) in tokens.iter().enumerate() {
        let positions = (token.position, token.position.saturating_add(token.leaves));
        let lone_character = token.kind == TokenKind::CjkChar
            && !neighbours(tokens, index).any(|near| near.kind == TokenKind::CjkPair);
        let whole = match token.kind {
            TokenKind::CjkPair => true,
            TokenKind::CjkChar => lone_character,
            _ => token.position >= covered,
        };
        if !whole {
            continue;
        }
        covered = covered.max(positions.1);
        let is_name = matches!(token.kind, TokenKind::Identifier | TokenKind::Compound);
        let words: Vec<&Token<'_>> = tokens[index..]
            .iter()
            .take_while(|part| is_name && part.position < positions.1)
            .filter(|part| part.kind == TokenKind::Part)
            .collect();
        let said_words = words.iter().filter(|part| said(part));
        let parts: Vec<Word> = said_words
            .map(|part| Word {
                key: part.term.clone().into_owned(),
                spelling: part.surface.clone().into_owned(),
            })
            .collect();
        let entity = if is_name {
            words
                .iter()
                .map(|part| part.surface.as_ref())
                .collect::<Vec<_>>()
                .join(" ")
        } else {
            token.surface.clone().into_owned()
        };
        // The numbers of a version say nothing each, the version does.
        let is_version = token.term.starts_with(char::is_numeric);
        let empty_name = is_name && parts.is_empty() && !is_version;
        if empty_name || !said(token) || !keys.insert(token.term.as_ref()) {
            continue;
        }
        let spelling = &text[token.span.clone()];
        units.push(Unit {
            key: token.term.clone().into_owned(),
            spelling: spelling.to_lowercase(),
            entity,
            parts,
            identifier: looks_like_identifier(spelling),
            light: is_light_word(&token.surface),
            temporal: temporal.contains(&token.position),
            positions,
        });
        if units.len() == MOST_UNITS {
            break;
        }
    }
    units
}

/// The tokens directly before and after one.
fn neighbours<'a, 't>(
    tokens: &'a [Token<'t>],
    index: usize,
) -> impl Iterator<Item = &'a Token<'t>> {
    let before = index.checked_sub(1).and_then(|before| tokens.get(before));
    let after = tokens.get(index + 1);
    let at = tokens[index].span.clone();
    before
        .into_iter()
        .chain(after)
        .filter(move |near| near.span.start < at.end && at.start < near.span.end)
}

/// Every key that an entity of an entry may have: names with joints, and runs of leaves.
fn mentions(tokens: &[Token<'_>]) -> Vec<Mention> {
    let exact = tokens
        .iter()
        .filter(|token| is_exact(token))
        .take(MOST_WORDS)
        .map(|token| Mention {
            key: token.term.clone().into_owned(),
            positions: (token.position, token.position.saturating_add(token.leaves)),
        });
    let leaves: Vec<&Token<'_>> = tokens
        .iter()
        .filter(|token| token.kind.is_leaf())
        .take(MOST_WORDS)
        .collect();
    let mut seen = BTreeSet::new();
    let mut mentions: Vec<Mention> = Vec::new();
    for start in 0..leaves.len() {
        let mut key = String::new();
        for leaf in leaves[start..].iter().take(LONGEST_KEY) {
            if !key.is_empty() {
                key.push(' ');
            }
            key.push_str(&leaf.surface);
            mentions.push(Mention {
                key: key.clone(),
                positions: (leaves[start].position, leaf.position.saturating_add(1)),
            });
        }
    }
    mentions.extend(exact);
    mentions.retain(|mention| seen.insert(mention.key.clone()));
    mentions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<String> {
        let units = Query::parse(text).units;
        units.into_iter().map(|unit| unit.spelling).collect()
    }

    // ranking behaviours 29 and 31; W12, W13
    #[test]
    fn the_words_of_a_question_count_in_order_and_short_ones_too() {
        assert_eq!(
            terms("What should the agent do if a MERGE hits NULL in db 137 or go?"),
            ["agent", "merge", "hits", "null", "db", "137", "go"]
        );
        let long: Vec<String> = (0..100).map(|number| format!("word{number}")).collect();
        assert_eq!(terms(&long.join(" ")).len(), MOST_UNITS);
    }

    #[test]
    fn quotation_marks_save_stop_words_and_single_letters() {
        assert_eq!(terms("the `where` of \"C\""), ["where", "c"]);
        assert_eq!(terms("the where of C"), Vec::<String>::new());
    }

    #[test]
    fn a_name_is_one_unit_with_its_words_as_parts() {
        let query = Query::parse("internal/store/pool.go busyTimeout and/or");
        let parts: Vec<_> = query
            .units
            .iter()
            .map(|unit| unit.entity.as_str())
            .collect();
        assert_eq!(
            terms("internal/store/pool.go busyTimeout and/or"),
            ["internal/store/pool.go", "busytimeout"]
        );
        assert_eq!(parts, ["internal store pool go", "busy timeout"]);
        assert!(query.units[1].identifier);
    }

    #[test]
    fn versions_and_names_with_symbols_count_however_short() {
        assert_eq!(
            terms("v1.2.3 of C++ and C# in .NET"),
            ["1.2.3", "c++", "c#", ".net"]
        );
    }

    // ranking W2
    #[test]
    fn scripts_without_blanks_are_asked_for_by_pairs() {
        assert_eq!(terms("数据库 锁"), ["数据", "据库", "锁"]);
    }

    #[test]
    fn of_a_page_the_first_words_count() {
        let query = Query::parse(&"`the` lock pool.go ".repeat(3_000));
        assert_eq!(query.sequence.len(), MOST_WORDS);
        assert_eq!(query.sequence[0].0, "the");
        let names: Vec<String> = (0..3_000).map(|it| format!("store/p{it}.go")).collect();
        let most = MOST_WORDS * LONGEST_KEY + MOST_WORDS;
        assert!(Query::parse(&names.join(" ")).mentions.len() <= most);
    }

    #[test]
    fn words_of_a_time_are_marked() {
        let query = Query::parse("crash yesterday");
        let marked: Vec<_> = query.units.iter().map(|unit| unit.temporal).collect();
        assert_eq!(marked, [false, true]);
    }
}
