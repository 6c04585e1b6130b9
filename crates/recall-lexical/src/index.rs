//! The in-memory index: what each term and each entity occurs in.

use std::collections::{BTreeSet, HashMap};

use recall_core::{EntryId, RunId, SessionId, Timestamp};
use recall_text::{Analyser, is_stop_word};

use crate::document::Document;
use crate::entity::{MOST_ENTITIES, around, is_exact, stated};

/// How much an occurrence in the title counts beside one in body or trigger.
const TITLE_WEIGHT: f64 = 2.0;

/// Stands between fields in a sequence, so that no phrase reaches across.
pub(crate) const FIELD_END: u32 = u32::MAX;

/// How often one term occurs in one document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Posting {
    pub(crate) document: u32,
    /// Occurrences in title, body and trigger, weighted by field.
    pub(crate) own: f64,
    /// Occurrences in evidence snippets.
    pub(crate) evidence: f64,
}

/// What is kept of a document beside its terms.
#[derive(Debug, Clone)]
pub(crate) struct Indexed {
    pub(crate) id: EntryId,
    source: Box<str>,
    session: SessionId,
    run: Option<RunId>,
    pub(crate) confidence: f64,
    pub(crate) updated_at: Timestamp,
    /// Its length beside the average document: 1 for an average one.
    pub(crate) relative_length: f64,
    /// Its words that carry meaning, in order, as term numbers, [`FIELD_END`] between fields.
    pub(crate) sequence: Vec<u32>,
}

impl Indexed {
    /// What orders documents of equal score: source, session, run, id, by bytes.
    pub(crate) fn tie_key(&self) -> (&str, &SessionId, Option<&RunId>, &EntryId) {
        (&self.source, &self.session, self.run.as_ref(), &self.id)
    }
}

/// Documents made searchable. Its statistics are those of the documents it was given, whatever is
/// asked, so scores of different questions can be compared.
#[derive(Debug, Clone, Default)]
pub struct Index {
    pub(crate) documents: Vec<Indexed>,
    vocabulary: HashMap<Box<str>, u32>,
    postings: Vec<Vec<Posting>>,
    entities: HashMap<Box<str>, Vec<u32>>,
}

impl Index {
    /// Indexes documents, in time linear in their text. At most `u32::MAX` documents count.
    pub fn build<'e>(documents: impl IntoIterator<Item = Document<'e>>) -> Self {
        let mut index = Self::default();
        for (number, document) in (0..FIELD_END).zip(documents) {
            index.add(number, document);
        }
        let lengths: usize = index.documents.iter().map(|it| it.sequence.len()).sum();
        let average = approximate(lengths) / approximate(index.documents.len().max(1));
        for indexed in &mut index.documents {
            indexed.relative_length = approximate(indexed.sequence.len()) / average.max(1.0);
        }
        index
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The documents that hold a term, by rising number.
    pub(crate) fn postings(&self, term: &str) -> &[Posting] {
        self.term(term)
            .and_then(|number| self.postings.get(number as usize))
            .map_or(&[], Vec::as_slice)
    }

    /// The number of a term, as used in sequences.
    pub(crate) fn term(&self, term: &str) -> Option<u32> {
        self.vocabulary.get(term).copied()
    }

    /// The documents that an entity belongs to, by rising number.
    pub(crate) fn with_entity(&self, key: &str) -> &[u32] {
        self.entities.get(key).map_or(&[], Vec::as_slice)
    }

    /// The worth of something by its rarity, always above 1 (ranking section 4):
    /// `ln(1 + (N - df + 0.5) / (df + 0.5)) + 1`, where `df` of `N` documents hold it.
    pub(crate) fn idf(&self, holding: usize) -> f64 {
        let all = approximate(self.documents.len());
        let holding = approximate(holding);
        (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln() + 1.0
    }

    /// The worth of a term.
    pub(crate) fn term_idf(&self, term: &str) -> f64 {
        self.idf(self.postings(term).len())
    }

    fn add(&mut self, number: u32, document: Document<'_>) {
        let mut reading = Reading {
            document: number,
            sequence: Vec::new(),
            entities: around(&document).collect(),
        };
        let own = [
            (document.title, TITLE_WEIGHT),
            (document.body, 1.0),
            (document.trigger, 1.0),
        ];
        for (text, weight) in own {
            self.read(text, &mut reading, |posting| posting.own += weight);
        }
        for snippet in &document.snippets {
            self.read(snippet, &mut reading, |posting| posting.evidence += 1.0);
        }
        for key in reading.entities {
            self.entities.entry(key.into()).or_default().push(number);
        }
        self.documents.push(Indexed {
            id: document.id,
            source: document.source.into(),
            session: document.session,
            run: document.run,
            confidence: document.confidence,
            updated_at: document.updated_at,
            relative_length: 1.0,
            sequence: reading.sequence,
        });
    }

    fn read(&mut self, text: &str, reading: &mut Reading, mut count: impl FnMut(&mut Posting)) {
        for token in Analyser::terms(text) {
            let term = self.intern(&token.term);
            if let Some(postings) = self.postings.get_mut(term as usize) {
                count(posting_of(postings, reading.document));
            }
            if token.kind.is_leaf() && !is_stop_word(&token.term) {
                reading.sequence.push(term);
            }
            if is_exact(&token) && reading.has_room() {
                reading.entities.insert(token.term.into_owned());
            }
        }
        reading.sequence.push(FIELD_END);
        for key in stated(text) {
            if !reading.has_room() {
                break;
            }
            reading.entities.insert(key);
        }
    }

    fn intern(&mut self, term: &str) -> u32 {
        if let Some(number) = self.vocabulary.get(term) {
            return *number;
        }
        // A vocabulary past this size would need more memory than there is.
        let number = u32::try_from(self.postings.len()).unwrap_or(FIELD_END);
        self.postings.push(Vec::new());
        self.vocabulary.insert(term.into(), number);
        number
    }
}

/// A document while it is being read.
struct Reading {
    document: u32,
    sequence: Vec<u32>,
    entities: BTreeSet<String>,
}

impl Reading {
    /// Whether another entity counts.
    fn has_room(&self) -> bool {
        self.entities.len() < MOST_ENTITIES
    }
}

/// The posting of the document being read, which is always the last one.
fn posting_of(postings: &mut Vec<Posting>, document: u32) -> &mut Posting {
    let known = postings
        .last()
        .is_some_and(|last| last.document == document);
    let at = if known {
        postings.len() - 1
    } else {
        postings.len()
    };
    if !known {
        postings.push(Posting {
            document,
            own: 0.0,
            evidence: 0.0,
        });
    }
    &mut postings[at]
}

/// A count as a floating number; counts here are far below 2^52.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(crate) fn approximate(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::document;

    // ranking behaviour 1; W5
    #[test]
    fn rarity_counts_every_document_given() {
        let mut both = document("a");
        both.body = "pool lock";
        let mut one = document("b");
        one.body = "pool";
        let index = Index::build([both, one]);
        assert!((index.term_idf("pool") - ((1.0_f64 + 0.5 / 2.5).ln() + 1.0)).abs() < 1e-12);
        assert!(index.term_idf("lock") > index.term_idf("pool"));
        assert!(index.term_idf("unknown") > index.term_idf("lock"));
    }

    #[test]
    fn a_page_of_names_gives_a_bounded_number_of_entities() {
        let lines: Vec<String> = (0..3_000)
            .map(|number| format!("p{number}.rs error: case {number} failed."))
            .collect();
        let body = lines.join("\n");
        let mut page = document("a");
        page.body = &body;
        let index = Index::build([page]);
        assert_eq!(index.entities.len(), MOST_ENTITIES);
        assert_eq!(index.with_entity("p0.rs"), [0]);
    }
}
