//! Where the rules match: one pass over the literals of all rules, then a pattern at each hit.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, Input, MatchKind};
use regex::Regex;

use crate::edges::{ends_word, starts_token};
use crate::rules::{Edges, MaskStyle, RULES, Rule};

/// A match that passed the rule's tests, before any overlap is resolved.
#[derive(Debug, Clone)]
pub(crate) struct RawMatch {
    pub(crate) rule: &'static Rule,
    pub(crate) range: Range<usize>,
    literal: &'static str,
}

impl RawMatch {
    /// How the match is shown; `text` is what was searched.
    pub(crate) fn masked(&self, text: &str) -> String {
        match self.rule.mask {
            MaskStyle::Label(label) => label.to_owned(),
            MaskStyle::Ends => {
                // A match of this style is ASCII, so that a byte is a character.
                format!(
                    "{}…{}",
                    self.literal,
                    &text[self.range.end - 4..self.range.end]
                )
            }
        }
    }
}

struct Search {
    literals: AhoCorasick,
    /// Rule and literal by the number of the literal.
    owners: Vec<(usize, &'static str)>,
    patterns: Vec<Regex>,
}

#[expect(
    clippy::expect_used,
    reason = "the table is constant, and every test here builds it; going on without a rule would \
              let its credentials pass"
)]
static SEARCH: LazyLock<Search> = LazyLock::new(|| {
    let owners: Vec<_> = RULES
        .iter()
        .enumerate()
        .flat_map(|(index, rule)| rule.literals.iter().map(move |literal| (index, *literal)))
        .collect();
    Search {
        literals: AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostFirst)
            .build(owners.iter().map(|(_, literal)| literal))
            .expect("the literals fit an automaton"),
        owners,
        patterns: RULES
            .iter()
            .map(|rule| Regex::new(&format!(r"\A(?:{})", rule.pattern)).expect("a valid pattern"))
            .collect(),
    }
});

/// Every match in `text`, by rising start.
pub(crate) fn raw_matches(text: &str) -> Vec<RawMatch> {
    let search = &*SEARCH;
    let mut matches = Vec::new();
    // Where the last match of each rule ended, accepted or not. A literal inside it starts nothing
    // that reaches further, and looking there again could cost the square of its length. One that
    // straddles its end is another token, glued to it.
    let mut done = vec![0; RULES.len()];
    let mut from = 0;
    while let Some(hit) = search
        .literals
        .find(Input::new(text).span(from..text.len()))
    {
        // One byte on, not past the literal: the next one may overlap it.
        from = hit.start() + 1;
        let (index, literal) = search.owners[hit.pattern().as_usize()];
        let rule = &RULES[index];
        if hit.end() <= done[index] || !starts(rule, text, hit.start()) {
            continue;
        }
        let Some(found) = search.patterns[index].find(&text[hit.start()..]) else {
            continue;
        };
        let range = hit.start()..hit.start() + found.end();
        if rule.edges == Edges::Both && !ends_word(text, range.end) {
            continue;
        }
        done[index] = range.end;
        let body = &text[hit.end()..range.end];
        if rule
            .validators
            .iter()
            .all(|validator| validator.accepts(body))
        {
            matches.push(RawMatch {
                rule,
                range,
                literal,
            });
        }
    }
    matches
}

fn starts(rule: &Rule, text: &str, at: usize) -> bool {
    match rule.edges {
        Edges::Free => true,
        Edges::Start | Edges::Both => starts_token(text, at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{BODY, credential};

    fn rules_in(text: &str) -> Vec<&'static str> {
        raw_matches(text)
            .iter()
            .map(|found| found.rule.name)
            .collect()
    }

    #[test]
    fn every_rule_finds_its_own_format_with_the_right_bounds() {
        for rule in RULES {
            let credential = credential(rule.name);
            let text = format!("über \"{credential}\", and on");
            let matches = raw_matches(&text);
            assert_eq!(matches.len(), 1, "{}", rule.name);
            assert_eq!(matches[0].rule.name, rule.name);
            assert_eq!(&text[matches[0].range.clone()], credential);
        }
    }

    #[test]
    fn a_fixed_length_is_not_found_inside_a_longer_word() {
        let key = credential("aws-access-key");
        assert!(rules_in(&format!("{key}Q")).is_empty());
        assert!(rules_in(&format!("Q{key}")).is_empty());
        let key = credential("npm-token");
        assert!(rules_in(&format!("{key}_x")).is_empty());
    }

    #[test]
    fn a_key_in_the_json_of_a_tool_call_is_found() {
        let key = credential("google-api-key");
        let json = format!(r#"{{"content":"first line\n{key}\nlast line"}}"#);
        assert_eq!(rules_in(&json), ["google-api-key"]);
    }

    #[test]
    fn a_placeholder_is_no_match() {
        for text in [
            format!("AKIA{}", "IOSFODNN7EXAMPLE"),
            format!("AKIA{}", "1234567890ABCDEF"),
            format!("ghp_{}", "x".repeat(36)),
            format!("ghp_{}", "A1b2".repeat(9)),
            format!(
                "xoxb-{}-{}-{}",
                "123456789012",
                "1234567890123",
                &BODY[..24]
            ),
            format!("AIza{}{}", "SyA-", "X".repeat(31)),
            format!("sk-ant-{}", "..."),
        ] {
            assert!(rules_in(&text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_removed_key_in_a_diff_is_found() {
        let diff = format!("-{}", credential("private-key-block").replace('\n', "\n-"));
        assert_eq!(rules_in(&diff), ["private-key-block"]);
    }

    #[test]
    fn two_keys_that_share_a_character_are_both_found() {
        let text = format!("sk-ant-{}{}", BODY, credential("private-key-block"));
        assert_eq!(rules_in(&text), ["anthropic-key", "private-key-block"]);
    }

    #[test]
    fn text_that_repeats_a_literal_costs_linear_time() {
        const BYTES: usize = 100_000;
        // The square of this would take a minute.
        for literal in RULES.iter().flat_map(|rule| rule.literals) {
            assert!(
                raw_matches(&literal.repeat(BYTES / literal.len())).len() <= 1,
                "{literal}"
            );
        }
        let opening = "-----BEGIN PRIVATE KEY-----\n";
        assert!(rules_in(&opening.repeat(BYTES / opening.len())).is_empty());
    }
}
