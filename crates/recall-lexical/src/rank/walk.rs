//! From the words of a question to the documents that hold them, one document at a time.
//!
//! First the most that each document can cover is added up, which costs little beside a score; of a
//! long question most documents hold too little. Those that are left are scored one by one, in the
//! order in which all lists have them, so that nothing is kept of a document but its score.

use recall_core::EntryFilter;

use super::found::{Candidate, Gate};
use super::unit::Asked;
use super::{Partial, Scorer};
use crate::index::{Index, IndexPart, approximate};
use crate::policy::Policy;
use crate::query::Query;
use crate::segment::{Entitled, Postings, Stored};

/// One question's way through an index.
pub(super) struct Walk<'a> {
    pub(super) index: &'a Index,
    pub(super) policy: &'a Policy,
    pub(super) query: &'a Query,
    pub(super) asked: &'a [Asked<'a>],
    pub(super) filter: &'a EntryFilter,
}

/// The lists of one part of an index, each as far as it was read.
struct Lists<'a> {
    entities: Vec<EntityList<'a>>,
    units: Vec<UnitLists<'a>>,
}

struct EntityList<'a> {
    documents: Entitled<'a>,
    /// The units that lie in the mention, with their weights.
    inside: Vec<(u64, f64)>,
}

struct UnitLists<'a> {
    unit: &'a Asked<'a>,
    whole: Vec<Postings<'a>>,
    /// The words of a name, each with its worth.
    parts: Vec<(f64, Vec<Postings<'a>>)>,
}

impl<'a> Walk<'a> {
    /// Shows every document that the filter lets through, that holds something of the question and
    /// that may cover as much as `floor`, with keyword, evidence, identifier and entity parts
    /// filled.
    pub(super) fn visit(&self, floor: f64, mut visit: impl FnMut(Candidate)) {
        // Rounding must not cost an answer.
        let least = floor * (1.0 - 1e-9);
        let scorer = Scorer {
            policy: self.policy,
            averages: self.index.average_lengths(),
        };
        for part in &self.index.parts {
            let mut lists = self.lists(part);
            let most = lists.most_covered(self.policy, part.segment.len());
            let mut gate = Gate::new(self.filter);
            let records = part.segment.records();
            for (document, most) in (0..).zip(&most) {
                if *most <= 0.0 || *most < least || !part.holds(document) {
                    continue;
                }
                if let Some(record) = records.get(document)
                    && gate.admits(&part.segment, record)
                {
                    let mut candidate = Candidate::new(part.first + document, record);
                    lists.score(&scorer, document, record, &mut candidate);
                    visit(candidate);
                }
            }
        }
    }

    fn lists(&self, part: &'a IndexPart) -> Lists<'a> {
        let entities = self.query.mentions.iter().map(|mention| EntityList {
            documents: part.segment.with_entity(&mention.key),
            inside: self
                .asked
                .iter()
                .filter(|unit| unit.lies_in(mention.positions))
                .map(|unit| (unit.bit, unit.weight))
                .collect(),
        });
        let units = self.asked.iter().map(|unit| UnitLists {
            unit,
            whole: unit.whole.occurrences.in_part(part).collect(),
            parts: unit
                .parts
                .iter()
                .map(|(_, word)| (word.worth, word.occurrences.in_part(part).collect()))
                .collect(),
        });
        Lists {
            entities: entities.filter(|it| it.documents.len() > 0).collect(),
            units: units.collect(),
        }
    }
}

impl Lists<'_> {
    /// For each document the most that it can cover: entities and words of names for full.
    fn most_covered(&self, policy: &Policy, documents: u32) -> Vec<f64> {
        let mut most = vec![0.0; documents as usize];
        let mut add = |document: u32, weight: f64| {
            if let Some(most) = most.get_mut(document as usize) {
                *most += weight;
            }
        };
        for entity in &self.entities {
            // An entity that holds no unit is shared nevertheless.
            let inside = entity.inside.iter().map(|(_, weight)| weight);
            let weight = inside.sum::<f64>().max(f64::MIN_POSITIVE);
            for document in entity.documents.iter() {
                add(document, weight);
            }
        }
        for lists in &self.units {
            for postings in &lists.whole {
                for document in postings.documents() {
                    add(document, lists.unit.cover);
                }
            }
            let all = approximate(lists.parts.len());
            for (worth, lists) in &lists.parts {
                for postings in lists {
                    for document in postings.documents() {
                        add(document, policy.parts * worth / all);
                    }
                }
            }
        }
        most
    }

    /// Pays a document for all it holds. Documents must come by rising number.
    fn score(
        &mut self,
        scorer: &Scorer<'_>,
        document: u32,
        record: Stored<'_>,
        candidate: &mut Candidate,
    ) {
        for entity in &mut self.entities {
            if entity.documents.pass_to(document) {
                scorer.add_entity(&entity.inside, candidate);
            }
        }
        for lists in &mut self.units {
            for postings in &mut lists.whole {
                if let Some(posting) = postings.pass_to(document) {
                    scorer.add_whole(lists.unit, posting, record, candidate);
                }
            }
            if lists.parts.is_empty() || candidate.whole & lists.unit.bit != 0 {
                continue;
            }
            let mut partial = Partial::default();
            for (worth, lists) in &mut lists.parts {
                for postings in lists {
                    if let Some(posting) = postings.pass_to(document) {
                        partial.add(*worth, scorer.frequency(posting, record));
                    }
                }
            }
            if partial.present > 0 {
                scorer.add_parts(lists.unit, &partial, candidate);
            }
        }
    }
}
