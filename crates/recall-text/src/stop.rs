//! Words that say nothing about what a text is about.

/// English function words and the frame of a question. Kept short on purpose: a word that can name
/// something in a code base (`agent`, `task`, `name`, `first`, `true`, `use`) is not here.
const STOP_WORDS: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "could",
    "did", "do", "does", "for", "from", "had", "has", "have", "how", "i", "if", "in", "into", "is",
    "it", "its", "me", "my", "no", "not", "of", "on", "or", "our", "should", "so", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "was", "we",
    "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

/// No stop word is longer, in bytes. Most words that are not are told by this alone.
const LONGEST: usize = 6;

/// Whether a folded term is a stop word.
pub fn is_stop_word(term: &str) -> bool {
    term.len() <= LONGEST && STOP_WORDS.binary_search(&term).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_for_its_binary_search() {
        assert!(STOP_WORDS.is_sorted());
        assert!(STOP_WORDS.iter().all(|word| word.len() <= LONGEST));
    }

    // ranking W12
    #[test]
    fn words_that_name_things_can_be_searched() {
        for word in [
            "agent", "task", "custom", "name", "first", "label", "true", "between",
        ] {
            assert!(!is_stop_word(word), "{word}");
        }
        assert!(is_stop_word("the") && is_stop_word("what"));
    }
}
