//! Entries that say the opposite.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use recall_core::{Entry, EntryId};
use recall_text::{Focus, excerpt, truncate};

use super::clause::Claim;
use super::keys::Keys;
use super::reading::{Given, Reading};
use super::stance::Stance;
use super::{MOST_READ, SimilarityIndex, best};

/// How many contradicted entries are returned: more are no help to a person.
pub const MOST_CONTRADICTIONS: usize = 10;

/// The longest quotation in a result, in bytes.
pub const LONGEST_QUOTE: usize = 200;

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
        let shared = self.terms.shared(Keys::of(entry).terms, MOST_READ);
        let (itself, is_apart) = (self.own(&entry.id), self.is_apart(entry));
        let meeting = shared.weights.into_iter().filter(|(number, _)| {
            let at = *number as usize;
            !itself.contains(&at) && !is_apart(at)
        });
        best(meeting.collect(), |a, b| a.cmp(&b))
            .into_iter()
            .filter_map(|number| {
                let other = self.entries.get(number as usize)?;
                let theirs = Reading::of(other);
                let (subject, difference) =
                    values(&ours, &theirs).or_else(|| claims(&ours, &theirs))?;
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

/// The first value that differs, and its subject.
fn values(ours: &Reading<'_>, theirs: &Reading<'_>) -> Option<(String, Difference)> {
    ours.values.iter().find_map(|our| {
        let their = theirs.values.iter().find(|their| exclude(our, their))?;
        let difference = Difference::Values {
            ours: quote(our, &our.setting.written),
            theirs: quote(their, &their.setting.written),
        };
        Some((quote(our, &our.setting.subject), difference))
    })
}

fn quote(given: &Given<'_>, span: &Range<usize>) -> String {
    truncate(&given.sentence[span.clone()], LONGEST_QUOTE).into_owned()
}

/// Whether two values cannot both be right: of one thing, at the same times and places.
fn exclude(one: &Given<'_>, other: &Given<'_>) -> bool {
    one.setting.key == other.setting.key
        && one.setting.value.differs(&other.setting.value)
        && agree(&one.condition, &other.condition)
        && (one.setting.is_named && other.setting.is_named || agree(&one.others, &other.others))
}

/// The first claim that is opposed, and its subject.
fn claims(ours: &Reading<'_>, theirs: &Reading<'_>) -> Option<(String, Difference)> {
    ours.claims.iter().find_map(|(our, sentence)| {
        let (their, their_sentence) = theirs
            .claims
            .iter()
            .find(|(their, _)| opposed(our, their) || opposed(their, our))?;
        let subject = subject(our, their, sentence);
        let focus = Focus::new(&subject);
        let difference = Difference::Negation {
            ours: excerpt(sentence, &focus, LONGEST_QUOTE).text,
            theirs: excerpt(their_sentence, &focus, LONGEST_QUOTE).text,
        };
        Some((subject, difference))
    })
}

/// Whether two sets have half of either in common.
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
    let is_subject =
        names > 0 || both >= 2 || (*advised && both == 1 && denied == 1 && affirmed == 1);
    // In tenths, the least coefficient of Dice, 2 |A ∩ B| / (|A| + |B|).
    let least = if names > 0 && *advised { 5 } else { 8 };
    is_subject && 20 * both >= least * (denied + affirmed)
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
