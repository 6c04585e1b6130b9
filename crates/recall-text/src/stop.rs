//! Words that say nothing about what a text is about.
//!
//! Kept short on purpose: a word that can name something in a code base is not here, be it English
//! (`agent`, `task`, `name`, `first`, `true`, `use`) or not (`die`, `du`, `en`, `es`, `com`, `em`).

/// English function words, what is left of their short forms (`don't`), and the frame of a question.
const ENGLISH: &[&str] = &[
    "a", "about", "am", "an", "and", "any", "are", "aren", "as", "at", "be", "been", "being",
    "but", "by", "can", "could", "couldn", "did", "didn", "do", "does", "doesn", "doing", "don",
    "for", "from", "had", "hadn", "has", "hasn", "have", "having", "he", "her", "him", "his",
    "how", "i", "if", "in", "into", "is", "isn", "it", "its", "ll", "me", "my", "no", "not", "of",
    "on", "or", "our", "she", "should", "shouldn", "so", "than", "that", "the", "their", "them",
    "then", "there", "these", "they", "this", "those", "to", "ve", "was", "wasn", "we", "were",
    "weren", "what", "when", "where", "which", "who", "whom", "whose", "why", "will", "with",
    "would", "wouldn", "you", "your",
];

/// Articles, particles and question words of the larger languages in Latin letters, as folded.
/// Where most entries are English, these are rare words and would weigh most.
const OTHER_LATIN: &[&str] = &[
    "aber", "al", "ao", "aos", "att", "au", "auf", "aux", "av", "avec", "bei", "beim", "ce", "ces",
    "cette", "che", "como", "con", "cuando", "dans", "das", "dass", "dat", "de", "del", "della",
    "delle", "dello", "dem", "den", "der", "des", "det", "donde", "een", "ein", "eine", "einem",
    "einen", "einer", "eines", "el", "est", "esta", "este", "estos", "et", "fur", "gli", "het",
    "hur", "ikke", "il", "im", "inte", "ist", "la", "las", "le", "les", "leur", "los", "mais",
    "naar", "nao", "nas", "nel", "nella", "nicht", "niet", "nos", "nous", "och", "oder", "og",
    "ook", "ou", "par", "para", "pas", "pela", "pelo", "perche", "por", "porque", "pour",
    "pourquoi", "qu", "que", "quel", "quelle", "quelles", "quels", "qui", "se", "sich", "sind",
    "som", "sono", "sont", "sur", "sus", "uma", "un", "una", "unas", "und", "une", "unos", "van",
    "varfor", "von", "voor", "vous", "waarom", "warum", "wat", "wenn", "werden", "wie", "wir",
    "wird", "zijn", "zu", "zum", "zur",
];

/// Pairs of characters that are nothing but grammar or the frame of a question, in Chinese,
/// Japanese and Korean.
const PAIRS: &[&str] = &[
    "ある", "いつ", "いる", "から", "くだ", "こと", "さい", "され", "した", "して", "しょ", "する",
    "せん", "ため", "ださ", "った", "って", "てい", "ても", "です", "では", "とは", "どう", "どこ",
    "ない", "なぜ", "など", "なる", "には", "のが", "ので", "のに", "のは", "のを", "まし", "ます",
    "ませ", "まで", "ょう", "よう", "より", "られ", "れた", "れる", "为什", "为何", "为啥", "么办",
    "什么", "他们", "你们", "可以", "哪个", "哪些", "哪里", "如何", "应该", "怎么", "怎样", "我们",
    "是否", "这个", "这些", "那个", "那些", "까지", "는데", "니다", "됩니", "때문", "떻게", "무엇",
    "부터", "습니", "어떻", "언제", "에게", "에서", "으로", "입니", "하고", "하는", "하면", "합니",
    "해야",
];

/// No stop word is longer, in bytes. Most words that are not are told by this alone.
const LONGEST: usize = 8;

/// Whether a folded word, a term of [`Analyser`](crate::Analyser) or a pair of characters is a stop
/// word. Such a term is left out of questions unless it is quoted.
///
/// ```
/// use recall_text::is_stop_word;
///
/// assert!(is_stop_word("which") && is_stop_word("怎么"));
/// assert!(!is_stop_word("task"));
/// ```
pub fn is_stop_word(term: &str) -> bool {
    let listed = |list: &[&str]| list.binary_search(&term).is_ok();
    if term.len() > LONGEST {
        false
    } else if term.is_ascii() {
        listed(ENGLISH) || listed(OTHER_LATIN)
    } else {
        listed(PAIRS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Analyser;

    #[test]
    fn the_lists_are_sorted_for_their_binary_search() {
        for list in [ENGLISH, OTHER_LATIN, PAIRS] {
            assert!(list.is_sorted());
            assert!(list.iter().all(|word| word.len() <= LONGEST));
        }
    }

    #[test]
    fn a_stop_word_is_what_the_analyser_makes_of_it() {
        for word in [ENGLISH, OTHER_LATIN, PAIRS].concat() {
            let found = Analyser::terms(word).any(|token| token.term == word);
            assert!(found, "{word}");
        }
    }

    // ranking W12
    #[test]
    fn words_that_name_things_can_be_searched() {
        for word in [
            "agent", "task", "custom", "name", "first", "label", "true", "between", "die", "mit",
            "en", "es", "du", "com", "di", "os", "lo", "su", "go", "db",
        ] {
            assert!(!is_stop_word(word), "{word}");
        }
        assert!(is_stop_word("the") && is_stop_word("what"));
    }

    #[test]
    fn the_frame_of_a_question_is_told_from_its_subject_in_other_scripts() {
        let subject = |text| -> Vec<_> {
            Analyser::terms(text)
                .filter(|token| token.kind == crate::TokenKind::CjkPair)
                .filter(|token| !is_stop_word(&token.term))
                .map(|token| token.term)
                .collect()
        };
        assert_eq!(subject("怎麼 重连 为什么"), ["重连"]);
        assert_eq!(subject("接続 する のは なぜ"), ["接続"]);
        assert_eq!(subject("연결 에서 어떻게"), ["연결"]);
    }
}
