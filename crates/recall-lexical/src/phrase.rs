//! Words in the question's own sequence.

use std::collections::{HashMap, VecDeque};

/// A character of a script without blanks counts as this much of a word.
const CHARACTER: f64 = 0.5;

/// A longer run counts as one of this size, in words (ranking W10: a pasted sentence must not
/// outweigh everything else).
const ENOUGH: f64 = 5.0;

/// No run of fewer terms is surely [`ENOUGH`]: ten characters.
const LONGEST_RUN: usize = 10;

/// The meaningful words of a question as term numbers, ready to be looked for in documents.
#[derive(Debug, Default)]
pub(crate) struct Phrase {
    /// Every run of at most [`LONGEST_RUN`] terms of the question, and its size.
    runs: HashMap<Box<[u32]>, f64>,
    /// One bit for each term by its lowest bits: most words of a document are no words of the
    /// question, and one look tells.
    sieve: [u64; 16],
}

impl Phrase {
    /// From the words in order; `None` for a word that no document holds. `true` marks a character
    /// of a script without blanks.
    pub(crate) fn new(words: impl IntoIterator<Item = (Option<u32>, bool)>) -> Self {
        let mut phrase = Self::default();
        let mut latest: VecDeque<(u32, f64)> = VecDeque::new();
        for (term, character) in words {
            let Some(term) = term else {
                latest.clear();
                continue;
            };
            latest.truncate(LONGEST_RUN - 1);
            latest.push_front((term, if character { CHARACTER } else { 1.0 }));
            phrase.add_runs(&latest);
            let (word, bit) = sieve_place(term);
            phrase.sieve[word] |= bit;
        }
        phrase
    }

    /// Adds every run that ends at the latest word; the latest stands first.
    fn add_runs(&mut self, latest: &VecDeque<(u32, f64)>) {
        let mut size = 0.0;
        for (length, (_, part)) in (1..).zip(latest) {
            size += part;
            let terms = latest.iter().take(length).rev().map(|(term, _)| *term);
            self.runs.insert(terms.collect(), size);
        }
    }

    /// The size of the longest run of words that question and document share, at most [`ENOUGH`].
    /// Stop words are absent from both, so they do not break a run.
    pub(crate) fn longest_run(&self, sequence: &[u32]) -> f64 {
        largest_run(sequence, |run| self.size(run)).min(ENOUGH)
    }

    /// The size of the longest run that any document could share.
    pub(crate) fn largest(&self) -> f64 {
        self.runs.values().copied().fold(0.0, f64::max).min(ENOUGH)
    }

    /// The size of a run of terms; `None` if the question does not hold it.
    fn size(&self, run: &[u32]) -> Option<f64> {
        let (word, bit) = sieve_place(*run.last()?);
        if self.sieve[word] & bit == 0 {
            return None;
        }
        self.runs.get(run).copied()
    }
}

/// The size of the largest run in a document, or any size that is [`ENOUGH`].
///
/// A part of a shared run is shared too, so a window that only ever moves on finds the longest run
/// that ends at each word: it asks for the size of at most two runs a word.
fn largest_run(sequence: &[u32], mut size: impl FnMut(&[u32]) -> Option<f64>) -> f64 {
    let mut largest: f64 = 0.0;
    let mut start = 0;
    for end in 1..=sequence.len() {
        while start < end {
            if let Some(size) = size(&sequence[start..end]) {
                largest = largest.max(size);
                break;
            }
            start += 1;
        }
        if largest >= ENOUGH {
            break;
        }
    }
    largest
}

fn sieve_place(term: u32) -> (usize, u64) {
    ((term >> 6) as usize % 16, 1 << (term % 64))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::index::approximate;
    use crate::query::{MOST_WORDS, Query};

    #[track_caller]
    fn check(query: &[u32], document: &[u32], size: f64) {
        let phrase = Phrase::new(query.iter().map(|term| (Some(*term), false)));
        let longest = phrase.longest_run(document);
        assert!((longest - size).abs() < 1e-12, "{longest}");
    }

    // ranking behaviours 18 to 21, with a bound instead of nested windows; W10
    #[test]
    fn a_longer_run_counts_more_up_to_a_bound() {
        check(&[1, 2, 3], &[9, 8], 0.0);
        check(&[1, 2, 3], &[9, 1, 8], 1.0);
        check(&[1, 2, 3], &[9, 1, 2, 8], 2.0);
        check(&[1, 2, 3], &[1, 2, 3], 3.0);
        check(&[1, 2, 3], &[3, 2, 1], 1.0);
        check(&[1, 2, 3, 4, 5, 6, 7, 8], &[1, 2, 3, 4, 5, 6, 7, 8], 5.0);
    }

    #[test]
    fn a_repeated_word_finds_its_best_run() {
        check(&[1, 2, 1, 3], &[1, 3], 2.0);
        check(&[1, 1], &[1, 1, 1], 2.0);
    }

    #[test]
    fn characters_count_half() {
        let phrase = Phrase::new([(Some(1), true), (Some(2), true), (Some(3), true)]);
        assert!((phrase.longest_run(&[1, 2, 3]) - 1.5).abs() < 1e-12);
    }

    // No question may hold the search up, however it repeats itself.
    #[test]
    fn a_document_is_walked_through_once_however_often_words_repeat() {
        let count =
            |query: &str, document: &[u32]| {
                let numbers = [("lock", 0), ("pool", 1)];
                let number = |word: &str| numbers.iter().find(|(name, _)| *name == word);
                let query = Query::parse(query);
                let phrase =
                    Phrase::new(query.sequence.iter().map(|(word, character)| {
                        (number(word).map(|(_, term)| *term), *character)
                    }));
                assert!(phrase.runs.len() <= MOST_WORDS * LONGEST_RUN);
                let mut looks = 0;
                largest_run(document, |run| {
                    looks += 1;
                    assert!(run.len() <= LONGEST_RUN);
                    phrase.size(run)
                });
                looks
            };
        let repeated = "pool ".repeat(64 * 1024 / 5);
        assert_eq!(count(&repeated, &vec![1; 12_000]), 5);
        // Runs that are never enough make the walk go all the way.
        let broken: Vec<u32> = [1, 1, 1, 1, 7].repeat(2_400);
        assert!(count(&repeated, &broken) <= 2 * broken.len());
        assert!(count(&format!("lock {repeated}"), &broken) <= 2 * broken.len());
    }

    proptest! {
        #[test]
        fn the_walk_finds_what_comparing_every_stretch_finds(
            query in prop::collection::vec(0_u32..4, 0..12),
            document in prop::collection::vec(0_u32..4, 0..30),
        ) {
            let shared = (1..=query.len())
                .flat_map(|length| query.windows(length))
                .filter(|run| document.windows(run.len()).any(|stretch| stretch == *run))
                .map(<[u32]>::len)
                .max()
                .unwrap_or(0);
            let phrase = Phrase::new(query.iter().map(|term| (Some(*term), false)));
            let longest = approximate(shared).min(ENOUGH);
            prop_assert!((phrase.longest_run(&document) - longest).abs() < 1e-12);
        }
    }
}
