//! What an entry says, sentence by sentence.

use std::collections::{BTreeMap, BTreeSet};

use recall_core::Entry;
use recall_text::sentences;

use super::clause::{self, Claim};
use super::lexeme::lexemes;
use super::setting::{Setting, settings};

/// How much of a title and of a body is read for what it says, from its start, in bytes.
const MOST_BODY: usize = 8 * 1024;

/// How many clauses and how many values of one entry count, from its start.
const MOST_CLAIMS: usize = 64;

/// What is read of an entry. Its trigger says when it applies and advises nothing.
fn texts(entry: &Entry) -> [&str; 2] {
    let body = &entry.body;
    [&entry.title, body].map(|text| &text[..text.floor_char_boundary(MOST_BODY)])
}

/// What an entry says, sentence by sentence.
#[derive(Debug, Default)]
pub(super) struct Reading<'e> {
    /// Claims and their sentences.
    pub(super) claims: Vec<(Claim, &'e str)>,
    /// The values it gives, but for settings to which it gives several.
    pub(super) values: Vec<Given<'e>>,
}

/// A value that an entry gives to something.
#[derive(Debug)]
pub(super) struct Given<'e> {
    pub(super) setting: Setting,
    pub(super) sentence: &'e str,
    /// What else the sentence holds; read only if the setting has no telling name.
    pub(super) others: BTreeSet<String>,
    /// When and where it holds.
    pub(super) condition: BTreeSet<String>,
}

impl<'e> Reading<'e> {
    pub(super) fn of(entry: &'e Entry) -> Self {
        let mut reading = Self::default();
        for text in texts(entry) {
            let mut fenced = false;
            for span in sentences(text) {
                let sentence = &text[span];
                if sentence.starts_with("```") {
                    fenced = !fenced;
                } else {
                    reading.add(sentence, fenced);
                }
            }
        }
        reading.claims.truncate(MOST_CLAIMS);
        reading.values.truncate(MOST_CLAIMS);
        reading.keep_the_unambiguous();
        reading
    }

    /// Adds what a sentence says. Code in a fence sets values and advises nothing.
    fn add(&mut self, sentence: &'e str, fenced: bool) {
        if self.claims.len() >= MOST_CLAIMS && self.values.len() >= MOST_CLAIMS {
            return;
        }
        let lexemes = lexemes(sentence);
        let said = clause::read(sentence, &lexemes);
        for setting in settings(sentence, &lexemes, &said.asserted) {
            let value = &sentence[setting.written.clone()].to_lowercase();
            let others = clause::stems(&lexemes).filter(|stem| stem != value);
            self.values.push(Given {
                others: others.collect(),
                condition: said.condition.clone(),
                setting,
                sentence,
            });
        }
        if !fenced {
            let claims = said.claims.into_iter().map(|claim| (claim, sentence));
            self.claims.extend(claims);
        }
    }

    /// Drops the settings to which the entry itself gives several values: it tells a story.
    fn keep_the_unambiguous(&mut self) {
        let mut first: BTreeMap<&str, &Setting> = BTreeMap::new();
        let mut torn: BTreeSet<String> = BTreeSet::new();
        for Given { setting, .. } in &self.values {
            let first = first.entry(&setting.key).or_insert(setting);
            if first.value.differs(&setting.value) {
                torn.insert(setting.key.clone());
            }
        }
        self.values
            .retain(|given| !torn.contains(&given.setting.key));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.claims.is_empty() && self.values.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::entry;

    // No entry may hold the review up, however long it is.
    #[test]
    fn a_long_body_is_read_within_bounds() {
        for body in [
            "Never use a_b. ".repeat(40_000),
            "never use a_b, ".repeat(40_000),
            "a_b = 1; ".repeat(40_000),
            "不要使用缓存，".repeat(20_000),
            "not ".repeat(100_000),
            "`".repeat(100_000),
        ] {
            let long = entry("a", "", &body);
            let reading = Reading::of(&long);
            assert!(reading.claims.len() <= MOST_CLAIMS && reading.values.len() <= MOST_CLAIMS);
            for (claim, _) in &reading.claims {
                assert!(claim.names.len() + claim.words.len() <= 32);
            }
        }
    }

    #[test]
    fn a_story_of_several_values_gives_none() {
        let entry = entry(
            "a",
            "",
            "a_b = 1 failed. a_b = 2 worked. c_d = 3. c_d = 3.0",
        );
        let reading = Reading::of(&entry);
        let values = reading.values.iter();
        let keys: Vec<&str> = values.map(|given| given.setting.key.as_str()).collect();
        assert_eq!(keys, ["cd", "cd"]);
    }

    #[test]
    fn code_in_a_fence_sets_values_and_advises_nothing() {
        let entry = entry("a", "", "```\nnever use tabs\na_b = 1\n```\nuse tabs");
        let reading = Reading::of(&entry);
        assert_eq!((reading.claims.len(), reading.values.len()), (1, 1));
    }
}
