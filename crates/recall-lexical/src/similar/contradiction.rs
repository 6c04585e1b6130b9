//! Entries that say the opposite.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use recall_core::{Entry, EntryId, Scope};
use recall_text::{Analyser, TokenKind, is_stop_word, sentences, truncate};

use super::clause::{self, Claim, Stance};
use super::lexeme::lexemes;
use super::postings::{Key, key};
use super::setting::{Setting, settings};
use super::{MOST_READ, SimilarityIndex, best};

/// How many contradicted entries are returned: more are no help to a person.
pub const MOST_CONTRADICTIONS: usize = 10;

/// The longest quotation in a result, in bytes.
pub const LONGEST_QUOTE: usize = 200;

/// How much of a body is read for what it says, from its start, in bytes.
const MOST_BODY: usize = 8 * 1024;

/// How many clauses and how many values of one entry count, from its start.
const MOST_CLAIMS: usize = 64;

/// How much a shared name counts beside a shared word when entries to compare are chosen.
const NAME_WEIGHT: u32 = 4;

/// An entry that contradicts the one asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The entry.
    pub id: EntryId,
    /// What both are about, as the entry asked about writes it. Raw.
    pub subject: String,
    /// In what they differ.
    pub difference: Difference,
}

/// In what two entries differ. *Ours* is the entry asked about. All text is raw, at most
/// [`LONGEST_QUOTE`] bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// One affirms what the other denies.
    Negation {
        /// Our sentence.
        ours: String,
        /// Their sentence.
        theirs: String,
    },
    /// They give the subject differing values.
    Values {
        /// Our value, with its unit.
        ours: String,
        /// Their value, with its unit.
        theirs: String,
    },
}

impl SimilarityIndex<'_> {
    /// The entries that contradict an entry, one contradiction each: those first that share most
    /// names and words with it, then by id; at most [`MOST_CONTRADICTIONS`]. Never the entry
    /// itself, which need not be among those indexed, and no entry of another project, if both
    /// hold for their project only.
    pub fn contradictions(&self, entry: &Entry) -> Vec<Contradiction> {
        let ours = Reading::of(entry);
        if ours.is_empty() {
            return Vec::new();
        }
        let shared = self.terms.shared(terms(entry), MOST_READ);
        let meeting = shared.weights.into_iter().filter(|(number, _)| {
            let other = self.entries.get(*number as usize);
            other.is_some_and(|other| may_meet(entry, other))
        });
        best(meeting.collect(), |a, b| a.cmp(&b))
            .into_iter()
            .filter_map(|number| {
                let other = self.entries.get(number as usize)?;
                let (subject, difference) = ours.differs(&Reading::of(other))?;
                Some(Contradiction {
                    id: other.id.clone(),
                    subject,
                    difference,
                })
            })
            .take(MOST_CONTRADICTIONS)
            .collect()
    }
}

/// Whether what one entry says has a bearing on the other.
fn may_meet(one: &Entry, other: &Entry) -> bool {
    let bound = |entry: &Entry| {
        matches!(
            entry.scope,
            Scope::Project | Scope::Repository | Scope::Branch | Scope::File
        ) && !entry.project.is_empty()
    };
    let apart = bound(one) && bound(other) && one.project != other.project;
    one.id != other.id && !apart
}

/// By what entries that may contradict each other are found: the terms of what is read of them,
/// with their weight.
pub(super) fn terms(entry: &Entry) -> HashMap<Key, u32> {
    texts(entry)
        .into_iter()
        .flat_map(Analyser::terms)
        .filter(|token| token.kind != TokenKind::CjkChar && !is_stop_word(&token.term))
        .map(|token| {
            let named = matches!(token.kind, TokenKind::Identifier | TokenKind::Compound);
            (key(&token.term), if named { NAME_WEIGHT } else { 1 })
        })
        .collect()
}

/// What is read of an entry. Its trigger says when it applies and advises nothing.
fn texts(entry: &Entry) -> [&str; 2] {
    let body = &entry.body;
    [&entry.title, body].map(|text| &text[..text.floor_char_boundary(MOST_BODY)])
}

/// What an entry says, sentence by sentence.
#[derive(Debug, Default)]
struct Reading<'e> {
    /// Claims and their sentences.
    claims: Vec<(Claim, &'e str)>,
    /// Values, the sentence of each, and when it holds.
    values: Vec<(Setting, &'e str, BTreeSet<String>)>,
}

impl<'e> Reading<'e> {
    fn of(entry: &'e Entry) -> Self {
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
        let values = settings(sentence, &lexemes, &said.asserted);
        self.values.extend(
            values
                .into_iter()
                .map(|value| (value, sentence, said.condition.clone())),
        );
        if !fenced {
            let claims = said.claims.into_iter().map(|claim| (claim, sentence));
            self.claims.extend(claims);
        }
    }

    /// Drops the settings to which the entry itself gives several values: it tells a story.
    fn keep_the_unambiguous(&mut self) {
        let mut first: BTreeMap<&str, &Setting> = BTreeMap::new();
        let mut torn: BTreeSet<String> = BTreeSet::new();
        for (setting, ..) in &self.values {
            let first = first.entry(&setting.key).or_insert(setting);
            if first.value.differs(&setting.value) {
                torn.insert(setting.key.clone());
            }
        }
        self.values
            .retain(|(setting, ..)| !torn.contains(&setting.key));
    }

    fn is_empty(&self) -> bool {
        self.claims.is_empty() && self.values.is_empty()
    }

    /// The subject of the first contradiction, and the contradiction.
    fn differs(&self, other: &Self) -> Option<(String, Difference)> {
        self.values_differ(other)
            .or_else(|| self.claims_differ(other))
    }

    fn values_differ(&self, other: &Self) -> Option<(String, Difference)> {
        let quote = |setting: &Setting, sentence: &str| {
            truncate(&sentence[setting.written.clone()], LONGEST_QUOTE).into_owned()
        };
        self.values.iter().find_map(|(ours, sentence, when)| {
            let (theirs, their_sentence, _) =
                other.values.iter().find(|(theirs, _, other_when)| {
                    ours.key == theirs.key
                        && ours.value.differs(&theirs.value)
                        && agree(when, other_when)
                })?;
            let subject = truncate(&sentence[ours.subject.clone()], LONGEST_QUOTE).into_owned();
            let difference = Difference::Values {
                ours: quote(ours, sentence),
                theirs: quote(theirs, their_sentence),
            };
            Some((subject, difference))
        })
    }

    fn claims_differ(&self, other: &Self) -> Option<(String, Difference)> {
        self.claims.iter().find_map(|(ours, sentence)| {
            let (theirs, their_sentence) = other
                .claims
                .iter()
                .find(|(theirs, _)| opposed(ours, theirs) || opposed(theirs, ours))?;
            let difference = Difference::Negation {
                ours: truncate(sentence, LONGEST_QUOTE).into_owned(),
                theirs: truncate(their_sentence, LONGEST_QUOTE).into_owned(),
            };
            Some((subject(ours, theirs, sentence), difference))
        })
    }
}

/// Whether two values hold at the same times and places.
fn agree(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let shared = one.intersection(other).count();
    2 * shared >= one.len() && 2 * shared >= other.len()
}

/// Whether one claim denies what the other affirms, of the same subject.
///
/// The denial must be the wider one: what holds always is contradicted by an exception, but an
/// exception contradicts nothing. So most of what it says, and all of its condition, must be found
/// in the affirmation. What is merely stated, not advised, must match nearly word for word.
fn opposed(denial: &Claim, affirmation: &Claim) -> bool {
    let (Stance::Against(verb), Stance::For(verbs)) = (&denial.stance, &affirmation.stance) else {
        return false;
    };
    let Some(advised) = verbs.get(verb) else {
        return false;
    };
    if !denial.condition.is_subset(&affirmation.condition) {
        return false;
    }
    let names = shared(&denial.names, &affirmation.names);
    let words = shared(&denial.words, &affirmation.words);
    if 3 * names < 2 * denial.names.len() || 3 * words < 2 * denial.words.len() {
        return false;
    }
    let both = names + words;
    let denied = denial.names.len() + denial.words.len();
    let affirmed = affirmation.names.len() + affirmation.words.len()
        - usize::from(affirmation.words.contains_key(verb));
    // The coefficient of Dice, 2 |A ∩ B| / (|A| + |B|), in quarters.
    let quarters = if names > 0 && *advised { 2 } else { 3 };
    let is_subject = names > 0 || both >= 2 || (both == 1 && denied == 1 && affirmed == 1);
    is_subject && 8 * both >= quarters * (denied + affirmed)
}

/// How many keys two claims share. A path meets the same path written from further down.
fn shared<V>(one: &BTreeMap<String, V>, other: &BTreeMap<String, V>) -> usize {
    one.keys()
        .filter(|key| other.contains_key(*key) || other.keys().any(|other| ends_like(key, other)))
        .count()
}

/// Whether one of two paths is the end of the other.
fn ends_like(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    short.contains('.')
        && long
            .strip_suffix(short)
            .is_some_and(|front| front.ends_with('/'))
}

/// What two claims share, as our sentence writes it: its names, else its words.
fn subject(ours: &Claim, theirs: &Claim, sentence: &str) -> String {
    let both = [(&ours.names, &theirs.names), (&ours.words, &theirs.words)];
    let spans = both.into_iter().find_map(|(ours, theirs)| {
        let mut spans: Vec<_> = ours
            .iter()
            .filter(|(key, _)| {
                theirs
                    .keys()
                    .any(|other| *key == other || ends_like(key, other))
            })
            .map(|(_, span)| span.clone())
            .collect();
        spans.sort_by_key(|span| span.start);
        (!spans.is_empty()).then_some(spans)
    });
    let mut text = String::new();
    let mut end = None;
    for span in spans.unwrap_or_default() {
        // Pairs of characters overlap.
        let from = span.start.max(end.unwrap_or(0)).min(span.end);
        if !text.is_empty() && end.is_some_and(|end| end < span.start) {
            text.push(' ');
        }
        text.push_str(&sentence[from..span.end]);
        end = Some(span.end);
    }
    truncate(&text, LONGEST_QUOTE).into_owned()
}

#[cfg(test)]
mod tests;
