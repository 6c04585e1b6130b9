//! By what an entry is found among others.

use recall_core::Entry;
use recall_text::{Analyser, TokenKind, is_stop_word, sentences};

use super::postings::{Key, key};
use super::shingle;

/// How many shingles of one entry count, from its start, repeats included: some twenty pages.
pub(super) const MOST_SHINGLES: usize = 8 * 1024;

/// How many terms of one entry count, from its start, repeats included.
pub(super) const MOST_TERMS: usize = 2 * 1024;

/// How many tokens of one sentence are read: a character gives two.
const MOST_TOKENS: usize = 2 * MOST_SHINGLES;

/// How much a shared name counts beside a shared word.
const NAME_WEIGHT: u32 = 4;

/// What an entry may share with others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Keys {
    /// The shingles of title, body and trigger, rising. None reaches from one sentence into the
    /// next, so the order of sentences does not matter. Stop words count: `not` is one.
    pub(super) shingles: Vec<Key>,
    /// Its terms but for stop words, rising, and how much each counts.
    pub(super) terms: Vec<(Key, u32)>,
}

impl Keys {
    pub(super) fn of(entry: &Entry) -> Self {
        let mut keys = Self::default();
        let mut leaves: Vec<(Key, TokenKind)> = Vec::new();
        for text in [&entry.title, &entry.body, &entry.trigger] {
            for span in sentences(text) {
                if keys.shingles.len() >= MOST_SHINGLES {
                    break;
                }
                leaves.clear();
                for token in Analyser::terms(&text[span]).take(MOST_TOKENS) {
                    let term = key(&token.term);
                    if token.kind.is_leaf() {
                        leaves.push((key(&token.surface), token.kind));
                    }
                    if token.kind != TokenKind::CjkChar
                        && keys.terms.len() < MOST_TERMS
                        && !is_stop_word(&token.term)
                    {
                        keys.terms.push((term, weight(token.kind)));
                    }
                }
                keys.shingles.extend(shingle::shingles(&leaves));
            }
        }
        keys.shingles.truncate(MOST_SHINGLES);
        keys.shingles.sort_unstable();
        keys.shingles.dedup();
        keys.terms.sort_unstable();
        keys.terms.dedup_by_key(|(key, _)| *key);
        keys
    }
}

fn weight(kind: TokenKind) -> u32 {
    match kind {
        TokenKind::Identifier | TokenKind::Compound => NAME_WEIGHT,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::entry;

    fn count(body: &str) -> usize {
        Keys::of(&entry("a", "", body)).shingles.len()
    }

    #[test]
    fn a_shingle_is_two_words_or_four_characters_within_a_sentence() {
        assert_eq!(count("one two three. four five"), 3);
        assert_eq!(count("one. two"), 2);
        assert_eq!(count("数据库锁定了"), 3);
        assert_eq!(count("数据 pool"), 1);
        assert_eq!(count("数据"), 1);
        assert_eq!(count(" … "), 0);
    }

    // No entry may hold the review up, however long it is.
    #[test]
    fn a_long_text_gives_a_bounded_number_of_keys() {
        let words: Vec<String> = (0..40_000).map(|number| format!("w{number}")).collect();
        for body in [words.join(" "), words.join(". ")] {
            assert_eq!(count(&body), MOST_SHINGLES);
            assert_eq!(Keys::of(&entry("a", "", &body)).terms.len(), MOST_TERMS);
        }
    }
}
