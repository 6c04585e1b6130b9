//! What a clause advises, advises against, or states.

use std::collections::BTreeMap;

use super::lexeme::{Lexeme, What};
use super::marker::Role;

/// Stands for every verb of using: `use`, `enable`, `采用`.
const USE: &str = "use";

/// On which side a clause stands. Verbs and properties are given by their stems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stance {
    /// Denies a verb or a property.
    Against(String),
    /// Affirms verbs and properties. `true` marks what it advises; the others are only stated.
    For(BTreeMap<String, bool>),
}

impl Stance {
    /// The stance of a clause; `None` if it denies too often to tell.
    pub(super) fn of(clause: &[Lexeme]) -> Option<Self> {
        let mut walk = Walk::default();
        for at in 0..clause.len() {
            walk.step(clause, at);
        }
        match (walk.denials, walk.focus) {
            (0, _) => Some(Self::For(walk.verbs)),
            (1, Some(focus)) => Some(Self::Against(focus)),
            (2, Some(focus)) if walk.is_taken_back => {
                Some(Self::For(BTreeMap::from([(focus, true)])))
            }
            _ => None,
        }
    }
}

/// A clause as far as it was read.
#[derive(Debug, Default)]
struct Walk {
    denials: usize,
    /// Whether the second denial took the first back: `do not disable`.
    is_taken_back: bool,
    /// Whether a denial still waits for what it denies.
    awaits_focus: bool,
    /// What is denied.
    focus: Option<String>,
    /// What stands outside a denial, and whether it is advised.
    verbs: BTreeMap<String, bool>,
}

impl Walk {
    fn step(&mut self, clause: &[Lexeme], at: usize) {
        match &clause[at].what {
            What::Marker(Role::Not) if !is_bare_not(clause, at) => {
                self.denials += 1;
                self.awaits_focus = true;
            }
            What::Marker(Role::Not | Role::Against | Role::InsteadOf) => {
                self.denials += 1;
                self.is_taken_back |= self.denials == 2 && self.awaits_focus;
                let next = clause.get(at + 1).map(|next| &next.what);
                match next {
                    Some(What::Word { stem, gerund: true }) => self.deny(stem),
                    _ => self.deny(USE),
                }
            }
            // Elsewhere it says where: `iterate over the rows`.
            What::Marker(Role::Over) if at == 0 => {
                self.denials += 1;
                self.deny(USE);
            }
            What::Marker(Role::Undo) if self.awaits_focus => {
                self.denials += 1;
                self.is_taken_back = self.denials == 2;
            }
            What::Marker(Role::Use | Role::Prefer | Role::Using) | What::Name(_)
                if self.awaits_focus =>
            {
                self.deny(USE);
            }
            What::Marker(Role::Use | Role::Prefer) => self.affirm(USE, clause, at),
            // Pairs of characters before the verb say where, the verb of use comes later.
            What::Word { stem, .. }
                if self.awaits_focus && !stem.is_ascii() && clause[at..].iter().any(is_use) =>
            {
                self.deny(USE);
            }
            What::Word { stem, .. } if self.awaits_focus => self.deny(stem),
            What::Word {
                stem,
                gerund: false,
            } => self.affirm(stem, clause, at),
            What::Word { .. } | What::Name(_) | What::Filler | What::Marker(_) => {}
        }
    }

    fn deny(&mut self, verb: &str) {
        self.focus = Some(verb.to_owned());
        self.awaits_focus = false;
    }

    fn affirm(&mut self, verb: &str, clause: &[Lexeme], at: usize) {
        *self.verbs.entry(verb.to_owned()).or_default() |= is_advised(clause, at);
    }
}

/// Whether a denial stands for "use": `, not B`.
fn is_bare_not(clause: &[Lexeme], at: usize) -> bool {
    let next = clause.get(at + 1).map(|next| &next.what);
    let is_short = clause[at].span.len() <= "not".len();
    at == 0
        && is_short
        && !matches!(
            next,
            Some(What::Marker(_) | What::Word { gerund: true, .. })
        )
}

fn is_use(lexeme: &Lexeme) -> bool {
    matches!(lexeme.what, What::Marker(Role::Use | Role::Using))
}

/// Whether the verb at a place is advised: behind a modal, or first but for words that mean
/// nothing.
fn is_advised(clause: &[Lexeme], at: usize) -> bool {
    let before = &clause[..at];
    let is_modal = |lexeme: &Lexeme| lexeme.what == What::Marker(Role::Modal);
    let means_nothing = |lexeme: &Lexeme| {
        matches!(
            lexeme.what,
            What::Marker(Role::Modal | Role::Lead | Role::And | Role::Contrast)
        )
    };
    before.last().is_some_and(is_modal) || before.iter().all(means_nothing)
}

#[cfg(test)]
mod tests {
    use super::super::clause::{Claim, read};
    use super::super::lexeme::lexemes;
    use super::*;

    /// The stances of a sentence: `-verb` for a denied one, `+verb` for an advised one.
    fn stances(sentence: &str) -> Vec<String> {
        let shown = |claim: &Claim| match &claim.stance {
            Stance::Against(focus) => vec![format!("-{focus}")],
            Stance::For(verbs) => verbs
                .iter()
                .filter(|(_, advised)| **advised)
                .map(|(verb, _)| format!("+{verb}"))
                .collect(),
        };
        read(sentence, &lexemes(sentence))
            .claims
            .iter()
            .flat_map(shown)
            .collect()
    }

    #[test]
    fn denials_deny_the_verb_behind_them() {
        for (sentence, stance) in [
            ("Do not use `mmap_size`.", "-use"),
            ("Don't retry on 503.", "-retri"),
            ("You must never edit pool.go by hand.", "-edit"),
            ("Avoid `mmap_size` on network drives.", "-use"),
            ("Avoid committing lock files.", "-commit"),
            ("The server no longer retries.", "-retri"),
            ("Disable the cache.", "-use"),
            ("不要在处理函数中使用 unwrap", "-use"),
            ("禁止手动编辑 pool.go", "-手动"),
        ] {
            assert_eq!(stances(sentence), [stance], "{sentence}");
        }
    }

    #[test]
    fn advice_stands_first_or_behind_a_modal() {
        for (sentence, stance) in [
            ("Always use `mmap_size`.", "+use"),
            ("Then run the tests.", "+run"),
            ("We must retry.", "+retri"),
            ("必须使用连接池", "+use"),
        ] {
            assert_eq!(stances(sentence), [stance], "{sentence}");
        }
        assert_eq!(
            stances("Using `mmap_size` breaks the build."),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_denial_that_is_taken_back_is_advice() {
        assert_eq!(stances("Do not disable the cache."), ["+use"]);
        assert_eq!(stances("Never forget to run the tests."), ["+run"]);
        assert_eq!(stances("不要禁用缓存"), ["+use"]);
    }

    #[test]
    fn one_sentence_may_advise_for_and_against() {
        assert_eq!(stances("Use tabs instead of spaces."), ["+use", "-use"]);
        assert_eq!(stances("Prefer tabs over spaces."), ["+use", "-use"]);
        assert_eq!(stances("Use tabs, not spaces."), ["+use", "-use"]);
        assert_eq!(stances("Do not use spaces but use tabs."), ["-use", "+use"]);
        assert_eq!(
            stances("Do not stop, restart or kill the worker."),
            ["-stop"]
        );
    }

    #[test]
    fn questions_hedges_and_reasons_advise_nothing() {
        for sentence in [
            "Should we use tabs?",
            "Do not use tabs unless the file has them.",
            "The build did not use the cache.",
            "It might use tabs.",
            "除非必要，不要使用缓存",
        ] {
            assert_eq!(stances(sentence), Vec::<String>::new(), "{sentence}");
        }
        assert_eq!(stances("Pin it because you must not use tabs."), ["+pin"]);
    }
}
