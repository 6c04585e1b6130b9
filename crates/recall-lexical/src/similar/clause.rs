//! What the clauses of a sentence advise, advise against, or state.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::lexeme::{Lexeme, Name, What};
use super::marker::Role;

/// Stands for every verb of using: `use`, `enable`, `采用`.
pub(super) const USE: &str = "use";

/// How many names and words of one clause count, from its start.
const MOST_WORDS: usize = 32;

/// Where something holds, by stem. A rule for one of these says nothing about the others.
const PLACES: &[&str] = &[
    "ci",
    "dev",
    "development",
    "linux",
    "maco",
    "nightl",
    "prod",
    "production",
    "stag",
    "生产",
    "本地",
    "开发",
];

/// As [`PLACES`] behind a preposition; else they are things, as in `run the tests`.
const PLACES_OR_THINGS: &[&str] = &["debug", "local", "releas", "test", "window", "测试", "调试"];

/// What one clause says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Claim {
    /// Names it is about, and where in the sentence they stand.
    pub(super) names: BTreeMap<String, Range<usize>>,
    /// Its other words, and where they stand.
    pub(super) words: BTreeMap<String, Range<usize>>,
    /// When and where it holds; empty for always and everywhere.
    pub(super) condition: BTreeSet<String>,
    pub(super) stance: Stance,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stance {
    /// Denies a verb or a property.
    Against(String),
    /// Affirms verbs and properties. `true` marks what it advises; the others are only stated.
    For(BTreeMap<String, bool>),
}

impl Default for Stance {
    fn default() -> Self {
        Self::For(BTreeMap::new())
    }
}

/// What a sentence says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Said {
    pub(super) claims: Vec<Claim>,
    /// When and where the whole sentence holds.
    pub(super) condition: BTreeSet<String>,
    /// Which of the lexemes are asserted, so that a value there is the value to have.
    pub(super) asserted: Vec<bool>,
}

/// Reads the lexemes of a sentence. A question and a hedged sentence say nothing.
pub(super) fn read(sentence: &str, lexemes: &[Lexeme]) -> Said {
    let hedged = lexemes
        .iter()
        .any(|lexeme| lexeme.what == What::Marker(Role::Hedge));
    if hedged || sentence.ends_with(['?', '？']) {
        return Said {
            asserted: vec![false; lexemes.len()],
            ..Said::default()
        };
    }
    let mut said = Said {
        asserted: vec![true; lexemes.len()],
        ..Said::default()
    };
    // A denial reaches over the list that follows it: `do not stop, restart or kill it`.
    let mut denied = false;
    for range in clauses(sentence, lexemes) {
        let clause = &lexemes[range.clone()];
        match clause.first().map(|lexeme| &lexeme.what) {
            Some(What::Marker(Role::Condition)) => {
                said.condition.extend(stems(clause));
                said.asserted[range].fill(false);
                continue;
            }
            Some(What::Marker(Role::Reason)) => {
                said.asserted[range].fill(false);
                continue;
            }
            _ => {}
        }
        let claim = claim(sentence, clause);
        let starts_anew = leads(clause) || starts_with(clause, Role::Contrast);
        match &claim {
            Some(Claim {
                stance: Stance::Against(_),
                ..
            })
            | None => denied = true,
            Some(_) if starts_anew => denied = false,
            Some(_) => {}
        }
        said.condition.extend(places(sentence, clause));
        if denied {
            said.asserted[range].fill(false);
        }
        let holds = !denied
            || matches!(
                &claim,
                Some(Claim {
                    stance: Stance::Against(_),
                    ..
                })
            );
        said.claims.extend(claim.filter(|_| holds));
    }
    for claim in &mut said.claims {
        claim.condition.clone_from(&said.condition);
    }
    said
}

/// The clauses of a sentence: they end at punctuation and at some markers.
fn clauses(sentence: &str, lexemes: &[Lexeme]) -> Vec<Range<usize>> {
    let mut clauses = Vec::new();
    let mut start = 0;
    let mut prefers = false;
    let mut reasoning = false;
    for (at, lexeme) in lexemes.iter().enumerate() {
        let punctuated = at > 0
            && is_break(
                &sentence[lexemes[at - 1].span.end.min(lexeme.span.start)..lexeme.span.start],
            );
        let next = lexemes.get(at + 1).map(|next| &next.what);
        let marked = match lexeme.what {
            What::Marker(Role::InsteadOf | Role::Condition | Role::Reason | Role::Contrast) => true,
            What::Marker(Role::Over) => prefers,
            What::Marker(Role::And) => matches!(
                next,
                Some(What::Marker(
                    Role::Not | Role::Against | Role::Use | Role::Prefer | Role::Modal
                ))
            ),
            _ => false,
        };
        let fresh = lexeme.what == What::Marker(Role::Contrast);
        // A reason has commas of its own.
        if (punctuated && !reasoning) || (marked && (!reasoning || fresh)) {
            clauses.push(start..at);
            start = at;
            prefers = false;
            reasoning = false;
        }
        prefers |= lexeme.what == What::Marker(Role::Prefer);
        reasoning |= lexeme.what == What::Marker(Role::Reason);
    }
    clauses.push(start..lexemes.len());
    clauses.retain(|clause| !clause.is_empty());
    clauses
}

/// Whether what stands between two lexemes ends a clause.
fn is_break(between: &str) -> bool {
    between.contains([
        ',', ';', ':', '(', ')', '–', '—', '，', '；', '：', '、', '（', '）',
    ]) || between.contains(" - ")
}

/// What a clause says; `None` if it denies too often to tell.
fn claim(sentence: &str, clause: &[Lexeme]) -> Option<Claim> {
    let mut denials = 0;
    let mut focus = None;
    let mut verbs = BTreeMap::new();
    let mut awaits_focus = false;
    let mut taken_back = false;
    for (at, lexeme) in clause.iter().enumerate() {
        match &lexeme.what {
            What::Marker(Role::Not) if !is_bare_not(clause, at) => {
                denials += 1;
                awaits_focus = true;
            }
            What::Marker(Role::Not | Role::Against | Role::InsteadOf) => {
                denials += 1;
                taken_back |= denials == 2 && awaits_focus;
                focus = Some(match clause.get(at + 1).map(|next| &next.what) {
                    Some(What::Word { stem, gerund: true }) => stem.clone(),
                    _ => USE.to_owned(),
                });
                awaits_focus = false;
            }
            What::Marker(Role::Over) if at == 0 => {
                denials += 1;
                focus = Some(USE.to_owned());
            }
            What::Marker(Role::Undo) if awaits_focus => {
                denials += 1;
                taken_back = denials == 2;
            }
            What::Marker(role @ (Role::Use | Role::Prefer | Role::Using)) => {
                if awaits_focus {
                    focus = Some(USE.to_owned());
                    awaits_focus = false;
                } else if *role != Role::Using {
                    let advised = is_advised(clause, at);
                    *verbs.entry(USE.to_owned()).or_default() |= advised;
                }
            }
            What::Word { stem, gerund } => {
                if awaits_focus {
                    // Pairs of characters before the verb say where, the verb of use comes later.
                    let later = clause[at..].iter().any(is_use);
                    let characters = !stem.is_ascii();
                    focus = Some(if later && characters {
                        USE.to_owned()
                    } else {
                        stem.clone()
                    });
                    awaits_focus = false;
                } else if !gerund {
                    let advised = is_advised(clause, at);
                    *verbs.entry(stem.clone()).or_default() |= advised;
                }
            }
            What::Name(_) if awaits_focus => {
                focus = Some(USE.to_owned());
                awaits_focus = false;
            }
            What::Name(_) | What::Filler | What::Marker(_) => {}
        }
    }
    let stance = match (denials, focus) {
        (0, _) => Stance::For(verbs),
        (1, Some(focus)) => Stance::Against(focus),
        (2, Some(focus)) if taken_back => Stance::For(BTreeMap::from([(focus, true)])),
        _ => return None,
    };
    Some(about(sentence, clause, stance))
}

/// Whether a denial stands for "use": `, not B`.
fn is_bare_not(clause: &[Lexeme], at: usize) -> bool {
    let next = clause.get(at + 1).map(|next| &next.what);
    at == 0
        && clause[at].span.len() == "not".len()
        && !matches!(
            next,
            Some(What::Marker(_) | What::Word { gerund: true, .. })
        )
}

fn is_use(lexeme: &Lexeme) -> bool {
    matches!(lexeme.what, What::Marker(Role::Use | Role::Using))
}

/// Whether the verb at a place is advised: behind a modal, or first but for words that mean nothing.
fn is_advised(clause: &[Lexeme], at: usize) -> bool {
    let means_nothing = |lexeme: &Lexeme| {
        matches!(
            lexeme.what,
            What::Marker(Role::Modal | Role::Lead | Role::And | Role::Contrast)
        )
    };
    clause[..at]
        .last()
        .is_some_and(|last| last.what == What::Marker(Role::Modal))
        || clause[..at].iter().all(means_nothing)
}

/// Whether a clause starts with advice in so many words.
fn leads(clause: &[Lexeme]) -> bool {
    [Role::Use, Role::Prefer, Role::Modal, Role::Lead, Role::And]
        .into_iter()
        .any(|role| starts_with(clause, role))
}

fn starts_with(clause: &[Lexeme], role: Role) -> bool {
    clause.first().map(|first| &first.what) == Some(&What::Marker(role))
}

/// The names and words of a clause without what its stance says already.
fn about(sentence: &str, clause: &[Lexeme], stance: Stance) -> Claim {
    let mut claim = Claim::default();
    for (at, Lexeme { what, span }) in clause.iter().enumerate().take(MOST_WORDS) {
        match what {
            What::Name(Name { key, .. }) => {
                claim
                    .names
                    .entry(key.clone())
                    .or_insert_with(|| span.clone());
            }
            What::Word { stem, .. } if !is_place(sentence, clause, at) => {
                claim
                    .words
                    .entry(stem.clone())
                    .or_insert_with(|| span.clone());
            }
            _ => {}
        }
    }
    if let Stance::Against(focus) = &stance
        && let Some(verb) = claim.words.remove(focus)
    {
        // Pairs of characters overlap: those that hold a part of the verb go with it.
        claim
            .words
            .retain(|_, span| span.end <= verb.start || verb.end <= span.start);
    }
    claim.stance = stance;
    claim
}

fn stems(clause: &[Lexeme]) -> impl Iterator<Item = String> {
    clause
        .iter()
        .take(MOST_WORDS)
        .filter_map(|lexeme| match &lexeme.what {
            What::Word { stem, .. } => Some(stem.clone()),
            What::Name(name) => Some(name.key.clone()),
            What::Marker(_) | What::Filler => None,
        })
}

fn places(sentence: &str, clause: &[Lexeme]) -> impl Iterator<Item = String> {
    (0..clause.len())
        .filter(|at| is_place(sentence, clause, *at))
        .flat_map(|at| stems(&clause[at..=at]))
}

fn is_place(sentence: &str, clause: &[Lexeme], at: usize) -> bool {
    let What::Word { stem, .. } = &clause[at].what else {
        return false;
    };
    let span = &clause[at].span;
    // `in tests`, `in the tests`
    let behind_preposition = || {
        let near = clause[at.saturating_sub(2)..at].iter();
        near.filter(|near| near.what == What::Filler).any(|near| {
            ["in", "on", "for"].contains(&sentence[near.span.clone()].to_lowercase().as_str())
        }) || sentence[..span.start].ends_with('在')
            || sentence[span.end..].starts_with(['中', '里', '时', '环'])
    };
    PLACES.contains(&stem.as_str())
        || (PLACES_OR_THINGS.contains(&stem.as_str()) && behind_preposition())
}

#[cfg(test)]
mod tests {
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
            ("Don't retry on 503.", "-retr"),
            ("You must never edit pool.go by hand.", "-edit"),
            ("Avoid `mmap_size` on network drives.", "-use"),
            ("Avoid committing lock files.", "-commit"),
            ("The server no longer retries.", "-retr"),
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
            ("We must retry.", "+retr"),
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

    #[test]
    fn conditions_and_places_are_kept_apart() {
        let sentence = "If the disk is full, do not use the cache in CI.";
        let said = read(sentence, &lexemes(sentence));
        assert_eq!(said.claims[0].words.keys().collect::<Vec<_>>(), ["cach"]);
        assert_eq!(
            said.condition.iter().collect::<Vec<_>>(),
            ["ci", "disk", "ful"]
        );
    }
}
