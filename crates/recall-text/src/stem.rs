//! One stem for the forms of a word, whatever language it is of.
//!
//! Entries and questions are short, mix languages and say of themselves in none. So there is one
//! rule for every word of Latin letters, on both sides: Snowball's English stemmer (Porter2), and
//! around it the endings that tell singular from plural and masculine from feminine in the larger
//! languages of the west, as in Savoy's light stemmers ("Light stemming approaches for the French,
//! Portuguese, German and Hungarian languages", 2006). What English has too is left to Porter2;
//! what remains is cut only from words so long that hardly an English one is concerned.
//!
//! A wrong meeting is worse than a missed one: `authority` and `author` come apart by a table
//! ([`words`]).

mod memo;
mod words;

use std::borrow::Cow;

use snowball_stemmers_rs::{Algorithm, Stemmer};

use crate::stop::is_stop_word;

/// Shorter words are names and abbreviations rather than forms: `ios`, `aws`, `dns`.
const SHORTEST: usize = 4;

/// Longer runs of letters are encoded data.
const LONGEST: usize = 40;

/// The stem of a folded word.
///
/// Words of fewer than four letters, words with anything in them but Latin letters, and stop words
/// are their own stems, and no other word has a stop word for its stem. The stem of a stem may be
/// shorter still.
///
/// ```
/// use recall_text::stem;
///
/// assert_eq!(stem("connections"), stem("connected"));
/// assert_eq!(stem("verbindungen"), stem("verbindung"));
/// assert_ne!(stem("university"), stem("universe"));
/// assert_eq!(stem("sha256"), "sha256");
/// ```
pub fn stem(folded: &str) -> Cow<'_, str> {
    let letters = (SHORTEST..=LONGEST).contains(&folded.len())
        && folded.bytes().all(|byte| byte.is_ascii_lowercase());
    if letters {
        memo::remember(folded, unremembered)
    } else {
        Cow::Borrowed(folded)
    }
}

/// [`stem`] of four letters or more.
fn unremembered(word: &str) -> Cow<'_, str> {
    if is_stop_word(word) {
        return Cow::Borrowed(word);
    }
    let regular = words::regular(word).unwrap_or(word);
    let respelt = spelling(regular);
    let stem = stem_of_regular(respelt.as_deref().unwrap_or(regular));
    if is_stop_word(&stem) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(stem)
}

fn stem_of_regular(word: &str) -> String {
    if let Some(stem) = words::apart(word) {
        return stem.to_owned();
    }
    let stem = english(word);
    match inflection(&stem) {
        Some(bare) => english(bare).into_owned(),
        None => stem.into_owned(),
    }
}

fn english(word: &str) -> Cow<'_, str> {
    Stemmer::create(Algorithm::English).stem(word)
}

/// Another spelling with the stem that a word should have.
fn spelling(word: &str) -> Option<String> {
    words::american(word).or_else(|| {
        RESPELT.iter().find_map(|(ending, least, with)| {
            let front = word.strip_suffix(ending)?;
            (front.len() >= *least).then(|| format!("{front}{with}"))
        })
    })
}

/// A word without an ending that English does not have.
fn inflection(word: &str) -> Option<&str> {
    let (ending, _, cut) = ENDINGS.iter().find(|(ending, least, _)| {
        word.strip_suffix(ending)
            .is_some_and(|front| front.len() >= *least)
    })?;
    // `modular` and `regular` are English.
    (*ending != "ar" || !word.ends_with("ular")).then(|| &word[..word.len() - cut])
}

/// Endings that are spelled in another way before the English stemmer sees them: what they are, how
/// many letters must stand before them, and the other way.
const RESPELT: &[(&str, usize, &str)] = &[
    // optimise, organisation
    ("ise", 5, "ize"),
    ("ised", 5, "ize"),
    ("ises", 5, "ize"),
    ("ising", 5, "ize"),
    ("isation", 5, "ization"),
    ("isations", 5, "ization"),
    // réseaux, journaux
    ("eaux", 3, "eau"),
    ("aux", 4, "al"),
    // funções, conexões, versões
    ("coes", 3, "cao"),
    ("xoes", 3, "xao"),
    ("soes", 3, "sao"),
    // connessioni, parametri
    ("i", 7, "e"),
];

/// Endings that the English stemmer leaves: what they are, how many letters must stand before them,
/// and how many are cut. The first that fits counts.
const ENDINGS: &[(&str, usize, usize)] = &[
    // partielle, ancienne
    ("ell", 3, 1),
    ("enn", 3, 1),
    // Verbindungen, verbindingen, Containern
    ("en", 5, 2),
    ("ern", 4, 1),
    // reiniciado, reiniciando, reiniciar, corrompido
    ("ado", 5, 3),
    ("ada", 5, 3),
    ("ido", 5, 3),
    ("ida", 5, 3),
    ("ando", 5, 4),
    ("endo", 5, 4),
    ("ar", 5, 2),
    // parametro, reinicia
    ("o", 6, 1),
    ("a", 6, 1),
    // catalogue, dialogue
    ("logu", 2, 1),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_forms_of_a_word_meet() {
        for forms in [
            "migration migrations",
            "connection connections connected connecting",
            "index indexes indices indexed",
            "matrix matrices",
            "vertex vertices",
            "cluster clusters clustering",
            "retry retries retried retrying",
            "cache caches cached caching",
            "commit commits committed committing",
            "alias aliases aliased",
            "analysis analyses",
            "canvas canvases",
            "cpu cpus",
            "panic panics panicked panicking",
            "build builds building built",
            "write writes writing wrote written",
            "break breaks broke broken",
            "container containers",
            "authorize authorise authorized authorised authorization authorisation",
            "optimise optimize optimising optimization optimisations",
            "behaviour behavior behaviours",
            "catalogue catalog catalogs",
            "cancelled canceled canceling",
            "process processes processing processed",
            "dependency dependencies",
            // French, as folded
            "requete requetes",
            "partiel partiels partielle partielles",
            "lente lentes",
            "reseau reseaux",
            "journal journaux",
            // German
            "datenbank datenbanken",
            "verbindung verbindungen",
            "fehler fehlern fehlers",
            "spalte spalten",
            "doppelt doppelte doppelter doppelten doppeltes",
            "benutzer benutzern",
            // Dutch
            "verbinding verbindingen",
            // Spanish, Portuguese, Italian
            "conexion conexiones",
            "reinicia reiniciar reiniciado reiniciada reiniciados reiniciando",
            "duplicado duplicada duplicados",
            "conexao conexoes",
            "parametro parametri parametros",
            "connessione connessioni",
        ] {
            let stems: Vec<_> = forms.split(' ').map(stem).collect();
            assert!(
                stems.iter().all(|stem| *stem == stems[0]),
                "{forms}: {stems:?}"
            );
        }
    }

    #[test]
    fn words_of_different_sense_stay_apart() {
        for words in [
            "server serve",
            "policy police",
            "universe university universal",
            "general generate",
            "news new",
            "process procedure",
            "container contain",
            "author authority authorize",
            "import important",
            "relate relative",
            "operate operator",
            "organ organize",
            "experience experiment",
            "internal international internet",
            "position positive",
            "transition transitive",
            "directory direction directive",
            "express expression",
            "react reaction",
            "access accessible",
            "object objective",
            "conversion conversation",
            "settings set",
            "heading head",
            "state static status",
            "token tokio",
            "schema scheme",
            "command commander",
            "integration integrity",
            "busy business",
            "ios io",
            "aws aw",
        ] {
            let stems: Vec<_> = words.split(' ').map(stem).collect();
            for (at, one) in stems.iter().enumerate() {
                assert!(!stems[at + 1..].contains(one), "{words}: {stems:?}");
            }
        }
    }

    #[test]
    fn no_word_turns_into_a_stop_word() {
        for word in ["does", "cans", "willing", "notes", "into", "these"] {
            assert_eq!(is_stop_word(&stem(word)), is_stop_word(word), "{word}");
        }
    }

    proptest! {
        #[test]
        fn a_stem_is_a_few_letters_and_never_empty(word in "[a-z]{0,60}") {
            let stem = stem(&word);
            prop_assert!(stem.is_empty() == word.is_empty());
            prop_assert!(stem.bytes().all(|byte| byte.is_ascii_lowercase()));
        }

        #[test]
        fn memory_changes_no_stem(words in prop::collection::vec("[a-e]{1,3}(ing|ed|s|en|o)?", 0..40)) {
            for word in words.iter().filter(|word| word.len() >= SHORTEST) {
                prop_assert_eq!(stem(word), unremembered(word));
            }
        }
    }
}
