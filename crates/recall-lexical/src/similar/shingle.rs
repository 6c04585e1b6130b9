//! Texts as sets of shingles, and how much two sets have in common.
//!
//! Formulas: A. Z. Broder, *On the resemblance and containment of documents*, Compression and
//! Complexity of Sequences 1997, section 2. With `S` the set of shingles of a text,
//! `resemblance(A, B) = |S(A) ∩ S(B)| / |S(A) ∪ S(B)|` (the index of Jaccard) and
//! `containment(A, B) = |S(A) ∩ S(B)| / |S(A)|`.

use std::collections::HashSet;

use recall_core::Entry;
use recall_text::{Analyser, TokenKind, sentences};

use super::postings::{Key, key};
use crate::index::approximate;

/// A shingle covers two words, or four characters of a script without blanks: entries are short,
/// and longer ones would let a single changed word touch most of them. In halves of a word.
const WIDTH: usize = 4;

/// How many different shingles of one entry count, from its start: some twenty pages.
pub(super) const MOST_SHINGLES: usize = 8 * 1024;

/// Smaller sets lie inside a longer text by accident.
const CONTAINED_FROM: usize = 12;

/// The shingles of title, body and trigger, rising. None reaches from one sentence into the next,
/// so the order of sentences does not matter. Stop words count: `not` is one.
pub(super) fn shingles(entry: &Entry) -> Vec<Key> {
    let mut found = HashSet::new();
    for text in [&entry.title, &entry.body, &entry.trigger] {
        for span in sentences(text) {
            let leaves: Vec<(Key, usize)> = Analyser::terms(&text[span])
                .filter(|token| token.kind.is_leaf())
                .map(|token| (key(&token.term), halves(token.kind)))
                .collect();
            add_sentence(&leaves, &mut found);
            if found.len() >= MOST_SHINGLES {
                break;
            }
        }
    }
    let mut found: Vec<Key> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// Every run of leaves that is just wide enough; a narrower sentence is one shingle.
fn add_sentence(leaves: &[(Key, usize)], found: &mut HashSet<Key>) {
    let mut end = 0;
    let mut width = 0;
    for (start, (_, first)) in leaves.iter().enumerate() {
        while width < WIDTH && end < leaves.len() {
            width += leaves[end].1;
            end += 1;
        }
        if (width < WIDTH && start > 0) || found.len() >= MOST_SHINGLES {
            return;
        }
        let run = leaves[start..end].iter().map(|(leaf, _)| *leaf);
        found.insert(key(run.collect::<Vec<Key>>()));
        width -= first;
    }
}

fn halves(kind: TokenKind) -> usize {
    if kind == TokenKind::CjkChar { 1 } else { 2 }
}

/// How alike two texts are that share some of their shingles, from 0 to 1: their resemblance; or,
/// if one is less than half of the other, how much of it the other contains. The same both ways.
pub(super) fn similarity(shared: usize, a: usize, b: usize) -> f64 {
    let (short, long) = (a.min(b), a.max(b));
    let of = if short >= CONTAINED_FROM && 2 * short < long {
        short
    } else {
        a + b - shared
    };
    approximate(shared) / approximate(of.max(1))
}

/// How many keys two rising lists share.
pub(super) fn overlap(a: &[Key], b: &[Key]) -> usize {
    let mut rest = b.iter().peekable();
    a.iter()
        .filter(|key| {
            while rest.next_if(|other| other < key).is_some() {}
            rest.next_if_eq(key).is_some()
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::entry;

    fn count(body: &str) -> usize {
        shingles(&entry("a", "", body)).len()
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

    #[test]
    fn a_text_far_longer_is_judged_by_what_it_contains() {
        assert!((similarity(10, 20, 20) - 10.0 / 30.0).abs() < 1e-12);
        assert!((similarity(20, 20, 100) - 1.0).abs() < 1e-12);
        assert!((similarity(5, 5, 100) - 0.05).abs() < 1e-12);
        assert!(similarity(0, 0, 0).abs() < 1e-12);
    }

    // No entry may hold the review up, however long it is.
    #[test]
    fn a_long_text_gives_a_bounded_number_of_shingles() {
        let words: Vec<String> = (0..40_000).map(|number| format!("w{number}")).collect();
        assert_eq!(count(&words.join(" ")), MOST_SHINGLES);
        assert_eq!(count(&words.join(". ")), MOST_SHINGLES);
    }
}
