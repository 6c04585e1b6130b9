//! The clauses of a sentence, what each is about and when it holds.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::lexeme::{Lexeme, Name, What};
use super::marker::Role;
use super::place::is_place;
use super::stance::Stance;

/// How many names and words of one clause count, from its start.
const MOST_WORDS: usize = 32;

/// What one clause says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claim {
    /// Names it is about, and where in the sentence they stand.
    pub(super) names: BTreeMap<String, Range<usize>>,
    /// Its other words, and where they stand.
    pub(super) words: BTreeMap<String, Range<usize>>,
    /// When and where it holds; empty for always and everywhere.
    pub(super) condition: BTreeSet<String>,
    pub(super) stance: Stance,
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
        let is_condition = starts_with(clause, Role::Condition);
        if is_condition || starts_with(clause, Role::Reason) {
            said.condition
                .extend(stems(clause).filter(|_| is_condition));
            said.asserted[range].fill(false);
            continue;
        }
        said.condition.extend(places(sentence, clause));
        let stance = Stance::of(clause);
        let is_denial = matches!(stance, Some(Stance::Against(_)));
        denied = is_denial || stance.is_none() || (denied && !starts_anew(clause));
        if denied {
            said.asserted[range].fill(false);
        }
        let stance = stance.filter(|_| is_denial || !denied);
        said.claims
            .extend(stance.map(|stance| about(sentence, clause, stance)));
    }
    for claim in &mut said.claims {
        claim.condition.clone_from(&said.condition);
    }
    said
}

/// Whether a clause starts a thought of its own.
fn starts_anew(clause: &[Lexeme]) -> bool {
    [
        Role::Use,
        Role::Prefer,
        Role::Modal,
        Role::Lead,
        Role::And,
        Role::Contrast,
    ]
    .into_iter()
    .any(|role| starts_with(clause, role))
}

fn starts_with(clause: &[Lexeme], role: Role) -> bool {
    clause
        .first()
        .is_some_and(|first| first.what == What::Marker(role))
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

/// The names and words of a clause without what its stance says already.
fn about(sentence: &str, clause: &[Lexeme], stance: Stance) -> Claim {
    let mut claim = Claim {
        names: BTreeMap::new(),
        words: BTreeMap::new(),
        condition: BTreeSet::new(),
        stance,
    };
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
    if let Stance::Against(focus) = &claim.stance
        && let Some(verb) = claim.words.remove(focus)
    {
        // Pairs of characters overlap: those that hold a part of the verb go with it.
        claim
            .words
            .retain(|_, span| span.end <= verb.start || verb.end <= span.start);
    }
    claim
}

/// The names and words of a clause or sentence, as far as they count.
pub(super) fn stems(clause: &[Lexeme]) -> impl Iterator<Item = String> {
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

#[cfg(test)]
mod tests {
    use super::super::lexeme::lexemes;
    use super::*;

    #[test]
    fn conditions_and_places_are_kept_apart() {
        let sentence = "If the disk is full, do not use the cache in CI.";
        let said = read(sentence, &lexemes(sentence));
        assert_eq!(said.claims[0].words.keys().collect::<Vec<_>>(), ["cach"]);
        assert_eq!(
            said.condition.iter().collect::<Vec<_>>(),
            ["ci", "disk", "full"]
        );
    }
}
