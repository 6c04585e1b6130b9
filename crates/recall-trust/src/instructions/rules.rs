//! What the kinds of instruction look like.
//!
//! A rule names words of which one of each group must occur; only where they do is its pattern
//! tried, so that plain text costs one pass. Words and patterns are written as people spell them
//! and folded as the text is.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::Regex;

use super::fold::fold;
use super::{constant, east_asian, english, languages};

/// The rest of a sentence, which belongs to what it starts with.
pub(super) const REST: &str = "[^.!?。！？]*[.!?。！？]?";

/// The kinds of instruction, in the order of their labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    PriorOverride,
    RoleMarker,
    PrivilegedMarker,
    Exfiltration,
    Command,
    ExternalFetch,
    ChatTemplate,
    HiddenText,
}

impl Kind {
    pub(super) fn label(self) -> &'static str {
        match self {
            Self::PriorOverride => "prior_instruction_override",
            Self::RoleMarker => "role_marker_override",
            Self::PrivilegedMarker => "privileged_instruction_marker",
            Self::Exfiltration => "secret_exfiltration",
            Self::Command => "command_execution",
            Self::ExternalFetch => "external_instruction_fetch",
            Self::ChatTemplate => "chat_template_marker",
            Self::HiddenText => "hidden_text",
        }
    }
}

/// A rule as it is written down.
pub(super) struct Rule {
    pub(super) kind: Kind,
    /// Of each group one word must occur in the line.
    pub(super) words: [&'static [&'static str]; 2],
    pub(super) pattern: String,
}

impl Rule {
    pub(super) fn new(
        kind: Kind,
        words: [&'static [&'static str]; 2],
        pattern: impl Into<String>,
    ) -> Self {
        let pattern = pattern.into();
        Self {
            kind,
            words,
            pattern,
        }
    }
}

/// Every rule, ready to be tried.
pub(super) struct Rules {
    words: AhoCorasick,
    /// For each word, the group that it belongs to.
    groups: Vec<u128>,
    /// Groups that need no word.
    given: u128,
    all: Vec<Compiled>,
}

pub(super) struct Compiled {
    pub(super) kind: Kind,
    needs: u128,
    pub(super) pattern: Regex,
}

pub(super) static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let rules = english::rules().chain(languages::rules());
    Rules::new(rules.chain(east_asian::rules()))
});

impl Rules {
    #[expect(
        clippy::expect_used,
        reason = "the words are constants, and every test builds them"
    )]
    fn new(rules: impl Iterator<Item = Rule>) -> Self {
        let mut words: Vec<String> = Vec::new();
        let mut groups: Vec<u128> = Vec::new();
        let mut given = 0;
        let mut compiled = Vec::new();
        let mut next: u128 = 1;
        for rule in rules {
            let mut needs = 0;
            for group in rule.words {
                needs |= next;
                for word in group.iter().map(|word| fold(word)) {
                    if word.is_empty() {
                        given |= next;
                    } else if let Some(known) = words.iter().position(|it| *it == word) {
                        groups[known] |= next;
                    } else {
                        words.push(word.into_owned());
                        groups.push(next);
                    }
                }
                next <<= 1;
            }
            // Folded text is in small letters without accents: boundaries of ASCII words are enough
            // and cost less.
            let pattern = fold(&rule.pattern).replace(r"\b", r"(?-u:\b)");
            compiled.push(Compiled {
                kind: rule.kind,
                needs,
                pattern: constant(&pattern),
            });
        }
        let words = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::DFA))
            .build(words)
            .expect("constant words build");
        Self {
            words,
            groups,
            given,
            all: compiled,
        }
    }

    /// The rules whose words occur in a folded line.
    pub(super) fn candidates(&self, line: &str) -> impl Iterator<Item = &Compiled> {
        let mut found = 0;
        for word in self.words.find_overlapping_iter(line) {
            found |= self.groups[word.pattern().as_usize()];
        }
        // Most lines hold no word at all.
        let rules: &[Compiled] = if found == 0 { &[] } else { &self.all };
        let lacking = !(found | self.given);
        rules.iter().filter(move |rule| rule.needs & lacking == 0)
    }
}
