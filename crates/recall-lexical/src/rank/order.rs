//! Which answer stands before which, and which stand for one another.

use std::cmp::Ordering;
use std::collections::HashMap;

use recall_core::FilterKey;

use super::found::Candidate;
use crate::index::Index;

/// Source, session, run and id: what orders answers of equal score, by bytes. The source is the
/// episode, else the session.
type TieKey<'i> = (&'i str, &'i str, Option<&'i str>, &'i str);

fn tie_key(index: &Index, document: u32) -> Option<TieKey<'_>> {
    let (_, part, record) = index.stored(document)?;
    let property = |key| part.segment.property(record, key);
    let session = property(FilterKey::SourceSessionId).unwrap_or_default();
    Some((
        property(FilterKey::SourceEpisodeId).unwrap_or(session),
        session,
        property(FilterKey::SourceRunId),
        part.segment.string(record.id()).unwrap_or_default(),
    ))
}

/// A candidate with its score and its place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scored {
    pub(super) candidate: Candidate,
    pub(super) score: f64,
    /// The score that it is placed by: its own, or that of a successor that scores less.
    placed_by: f64,
    /// How many successors stand before it for that.
    behind: u32,
}

impl Scored {
    /// A candidate that nothing superseded.
    fn new(candidate: Candidate) -> Self {
        let score = candidate.breakdown.total();
        Self {
            candidate,
            score,
            placed_by: score,
            behind: 0,
        }
    }

    /// Better first: by score, then by [`TieKey`].
    fn order(&self, other: &Self, index: &Index) -> Ordering {
        let tie = |scored: &Self| tie_key(index, scored.candidate.document);
        (other.placed_by.total_cmp(&self.placed_by))
            .then_with(|| self.behind.cmp(&other.behind))
            .then_with(|| tie(self).cmp(&tie(other)))
    }
}

/// One answer, and the documents that say the same and stand lower.
pub(super) struct Group {
    pub(super) best: Scored,
    pub(super) others: Vec<u32>,
}

/// Candidates with their scores, in any order. What was superseded never stands above what
/// superseded it.
pub(super) fn scored(index: &Index, candidates: Vec<Candidate>) -> Vec<Scored> {
    let mut scored: Vec<Scored> = candidates.into_iter().map(Scored::new).collect();
    let successors: Vec<(usize, u32)> = scored
        .iter()
        .enumerate()
        .filter(|(_, it)| it.candidate.superseded)
        .filter_map(|(place, it)| Some((place, successor(index, it.candidate.document)?)))
        .collect();
    if successors.is_empty() {
        return scored;
    }
    let places: HashMap<u32, usize> = (0..)
        .zip(&scored)
        .map(|(place, it)| (it.candidate.document, place))
        .collect();
    let next: HashMap<usize, usize> = successors
        .into_iter()
        .filter_map(|(place, successor)| Some((place, *places.get(&successor)?)))
        .collect();
    for place in next.keys() {
        let mut at = *place;
        let mut lowest = scored[at].score;
        let mut behind = 0;
        // A chain has no circle; should a damaged archive have one, it ends.
        while let Some(after) = next.get(&at).filter(|_| behind < next.len()) {
            at = *after;
            lowest = lowest.min(scored[at].score);
            behind += 1;
        }
        scored[*place].placed_by = lowest;
        scored[*place].behind = u32::try_from(behind).unwrap_or(u32::MAX);
    }
    scored
}

fn successor(index: &Index, document: u32) -> Option<u32> {
    let (_, part, record) = index.stored(document)?;
    index.document(
        part.segment
            .property(record, FilterKey::SupersededByEntryId)?,
    )
}

/// The best `limit`, best first.
pub(super) fn best(index: &Index, scored: &mut [Scored], limit: usize) -> usize {
    let order = |a: &Scored, b: &Scored| a.order(b, index);
    let end = limit.min(scored.len());
    // Sorting what is cut off anyway would dominate a question of common words.
    if 0 < end && end < scored.len() {
        scored.select_nth_unstable_by(end - 1, order);
    }
    scored[..end].sort_unstable_by(order);
    end
}

/// What says different things, best first, at most `limit`. Each takes in those of lower score that
/// say the same and are trusted alike.
pub(super) fn distinct(index: &Index, mut scored: Vec<Scored>, limit: usize) -> Vec<Group> {
    let end = best(index, &mut scored, usize::MAX);
    grouped(index, &scored[..end], limit)
}

pub(super) fn grouped(index: &Index, sorted: &[Scored], limit: usize) -> Vec<Group> {
    let mut groups: Vec<(Group, _)> = Vec::new();
    for scored in sorted {
        let document = scored.candidate.document;
        let Some((_, _, record)) = index.stored(document) else {
            continue;
        };
        let stands = (record.trusted(), record.flagged());
        let same = groups.iter_mut().find(|(_, (sketch, standing))| {
            record.sketch().is_near(*sketch) && *standing == stands
        });
        if let Some((group, _)) = same {
            group.others.push(document);
        } else if groups.len() < limit {
            let group = Group {
                best: *scored,
                others: Vec::new(),
            };
            groups.push((group, (record.sketch(), stands)));
        }
    }
    groups.into_iter().map(|(group, _)| group).collect()
}
