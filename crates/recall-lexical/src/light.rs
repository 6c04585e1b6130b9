//! Words that say little about what a text is about.
//!
//! They are searched like all others, since each of them can be what somebody looks for; but beside
//! a word that names something they count for less (ranking W1, W12).

/// Where, when, how much, and what is done with anything.
const LIGHT_WORDS: &[&str] = &[
    "after", "again", "against", "all", "also", "always", "am", "because", "before", "being",
    "between", "both", "down", "during", "each", "ever", "few", "first", "get", "getting", "go",
    "going", "got", "had", "having", "he", "her", "here", "him", "his", "just", "kind", "like",
    "made", "make", "many", "may", "might", "more", "most", "much", "must", "need", "new", "now",
    "off", "once", "one", "only", "other", "out", "over", "own", "per", "same", "several", "she",
    "some", "such", "take", "through", "too", "took", "two", "type", "under", "until", "up",
    "upon", "us", "use", "used", "using", "very", "via", "want", "way", "while", "whom", "whose",
    "within", "without", "yes",
];

/// Whether a folded word is one of them.
pub(crate) fn is_light_word(word: &str) -> bool {
    LIGHT_WORDS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_for_its_binary_search() {
        assert!(LIGHT_WORDS.is_sorted());
        assert!(is_light_word("before") && !is_light_word("lock"));
    }
}
