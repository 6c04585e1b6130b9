//! Words in the question's own sequence.

/// The boost of a run of `n` words is `STEP * (n - 1)`, never more than `MOST` (ranking W10: a
/// pasted sentence must not outweigh everything else).
const STEP: f64 = 0.75;
const MOST: f64 = 3.0;

/// A character of a script without blanks counts as this much of a word.
const CHARACTER: f64 = 0.5;

/// The meaningful words of a question as term numbers, ready to be looked for in documents.
#[derive(Debug, Default)]
pub(crate) struct Phrase {
    /// Term and position in the question, sorted; a repeated word has several positions.
    places: Vec<(u32, usize)>,
    /// How much the word at each position counts.
    sizes: Vec<f64>,
    /// One bit for each term by its lowest bits: most words of a document are no words of the
    /// question, and one look tells.
    sieve: [u64; 16],
}

impl Phrase {
    /// From the words in order; `None` for a word that no document holds.
    pub(crate) fn new(words: impl IntoIterator<Item = (Option<u32>, bool)>) -> Self {
        let mut phrase = Self::default();
        for (position, (term, character)) in words.into_iter().enumerate() {
            phrase.sizes.push(if character { CHARACTER } else { 1.0 });
            if let Some(term) = term {
                phrase.places.push((term, position));
                let (word, bit) = sieve_place(term);
                phrase.sieve[word] |= bit;
            }
        }
        phrase.places.sort_unstable();
        phrase
    }

    /// The boost for the longest run that question and document share. Stop words are absent from
    /// both, so they do not break a run.
    pub(crate) fn boost(&self, sequence: &[u32]) -> f64 {
        let mut longest: f64 = 0.0;
        // Runs that end at the previous word of the document: position in the question and size.
        let mut runs: Vec<(usize, f64)> = Vec::new();
        let mut grown = Vec::new();
        for term in sequence {
            let (word, bit) = sieve_place(*term);
            if self.sieve[word] & bit == 0 {
                runs.clear();
                continue;
            }
            let from = self.places.partition_point(|(other, _)| other < term);
            let here = self.places[from..]
                .iter()
                .take_while(|(other, _)| other == term);
            for (_, position) in here {
                let before = runs
                    .iter()
                    .find(|(end, _)| end + 1 == *position)
                    .map_or(0.0, |(_, size)| *size);
                let size = before + self.sizes[*position];
                longest = longest.max(size);
                grown.push((*position, size));
            }
            std::mem::swap(&mut runs, &mut grown);
            grown.clear();
        }
        (STEP * (longest - 1.0)).clamp(0.0, MOST)
    }
}

fn sieve_place(term: u32) -> (usize, u64) {
    ((term >> 6) as usize % 16, 1 << (term % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &[u32], document: &[u32], boost: f64) {
        let phrase = Phrase::new(query.iter().map(|term| (Some(*term), false)));
        assert!(
            (phrase.boost(document) - boost).abs() < 1e-12,
            "{}",
            phrase.boost(document)
        );
    }

    // ranking behaviours 18 to 21, with a bound instead of nested windows; W10
    #[test]
    fn a_longer_run_counts_more_up_to_a_bound() {
        check(&[1, 2, 3], &[9, 1, 8], 0.0);
        check(&[1, 2, 3], &[9, 1, 2, 8], 0.75);
        check(&[1, 2, 3], &[1, 2, 3], 1.5);
        check(&[1, 2, 3], &[3, 2, 1], 0.0);
        check(&[1, 2, 3, 4, 5, 6, 7, 8], &[1, 2, 3, 4, 5, 6, 7, 8], 3.0);
    }

    #[test]
    fn a_repeated_word_finds_its_best_run() {
        check(&[1, 2, 1, 3], &[1, 3], 0.75);
        check(&[1, 1], &[1, 1, 1], 0.75);
    }

    #[test]
    fn characters_count_half() {
        let phrase = Phrase::new([(Some(1), true), (Some(2), true), (Some(3), true)]);
        assert!((phrase.boost(&[1, 2, 3]) - 0.375).abs() < 1e-12);
    }
}
