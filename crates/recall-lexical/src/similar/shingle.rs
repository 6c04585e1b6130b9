//! Texts as sets of shingles, and how much two sets have in common.
//!
//! Formulas: A. Z. Broder, *On the resemblance and containment of documents*, Compression and
//! Complexity of Sequences 1997, section 2. With `S` the set of shingles of a text,
//! `resemblance(A, B) = |S(A) ∩ S(B)| / |S(A) ∪ S(B)|` (the index of Jaccard) and
//! `containment(A, B) = |S(A) ∩ S(B)| / |S(A)|`.

use recall_text::TokenKind;

use super::postings::{Key, key};
use crate::index::approximate;

/// A shingle covers two words, or four characters of a script without blanks: entries are short,
/// and longer ones would let a single changed word touch most of them. In halves of a word.
const WIDTH: usize = 4;

/// Smaller sets lie inside a longer text by accident.
const CONTAINED_FROM: usize = 12;

/// The shingles of one sentence from its leaves, which stand with their kind: every run of them
/// that is just wide enough; a narrower sentence is one shingle.
pub(super) fn shingles(leaves: &[(Key, TokenKind)]) -> impl Iterator<Item = Key> {
    let mut end = 0;
    let mut width = 0;
    leaves
        .iter()
        .enumerate()
        .map_while(move |(start, (_, first))| {
            while width < WIDTH && end < leaves.len() {
                width += halves(leaves[end].1);
                end += 1;
            }
            let is_wide = width >= WIDTH || start == 0;
            width -= halves(*first);
            is_wide.then(|| key(&leaves[start..end]))
        })
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

    #[test]
    fn a_text_far_longer_is_judged_by_what_it_contains() {
        assert!((similarity(10, 20, 20) - 10.0 / 30.0).abs() < 1e-12);
        assert!((similarity(20, 20, 100) - 1.0).abs() < 1e-12);
        assert!((similarity(5, 5, 100) - 0.05).abs() < 1e-12);
        assert!(similarity(0, 0, 0).abs() < 1e-12);
    }
}
