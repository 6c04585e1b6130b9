//! Words that say where something holds: `in CI`, `测试环境`.

use super::lexeme::{Lexeme, What};

/// Where something holds, as spelled. A rule for one of these says nothing about the others.
const PLACES: &[&str] = &[
    "ci",
    "dev",
    "development",
    "linux",
    "macos",
    "nightly",
    "prod",
    "production",
    "staging",
    "生产",
    "本地",
    "开发",
];

/// As [`PLACES`] behind a preposition; else they are things, as in `run the tests`.
const PLACES_OR_THINGS: &[&str] = &[
    "debug", "local", "release", "releases", "test", "tests", "windows", "测试", "调试",
];

/// Whether the word at a place in a clause says where it holds.
pub(super) fn is_place(sentence: &str, clause: &[Lexeme], at: usize) -> bool {
    let What::Word { .. } = &clause[at].what else {
        return false;
    };
    let span = &clause[at].span;
    let word = sentence[span.clone()].to_lowercase();
    // `in tests`, `in the tests`
    let behind_preposition = || {
        let near = clause[at.saturating_sub(2)..at].iter();
        near.filter(|near| near.what == What::Filler).any(|near| {
            ["in", "on", "for"].contains(&sentence[near.span.clone()].to_lowercase().as_str())
        }) || sentence[..span.start].ends_with('在')
            || sentence[span.end..].starts_with(['中', '里', '时', '环'])
    };
    PLACES.contains(&word.as_str())
        || (PLACES_OR_THINGS.contains(&word.as_str()) && behind_preposition())
}

#[cfg(test)]
mod tests {
    use super::super::lexeme::lexemes;
    use super::*;

    fn places(sentence: &str) -> Vec<&str> {
        let lexemes = lexemes(sentence);
        let places = (0..lexemes.len()).filter(|at| is_place(sentence, &lexemes, *at));
        places
            .map(|at| &sentence[lexemes[at].span.clone()])
            .collect()
    }

    #[test]
    fn tests_are_a_place_or_a_thing() {
        assert_eq!(places("Run it in the tests and in CI"), ["tests", "CI"]);
        assert_eq!(places("Run the tests"), Vec::<&str>::new());
        assert_eq!(places("在测试环境运行"), ["测试"]);
        assert_eq!(places("运行测试"), Vec::<&str>::new());
    }
}
