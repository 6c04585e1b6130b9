//! Which answer stands before which.

use std::cmp::Ordering;

use recall_core::FilterKey;

use super::found::Candidate;
use crate::index::Index;

/// Source, session, run and id: what orders answers of equal score, by bytes. The source is the
/// episode, else the session.
type TieKey<'i> = (&'i str, &'i str, Option<&'i str>, &'i str);

fn tie_key(index: &Index, document: u32) -> Option<TieKey<'_>> {
    let (_, part, record) = index.stored(document)?;
    let property = |key| part.segment.property(&record, key);
    let session = property(FilterKey::SourceSessionId).unwrap_or_default();
    Some((
        property(FilterKey::SourceEpisodeId).unwrap_or(session),
        session,
        property(FilterKey::SourceRunId),
        part.segment.string(record.id).unwrap_or_default(),
    ))
}

/// Better first: by score, then by [`TieKey`].
pub(super) fn better(index: &Index, a: &(f64, Candidate), b: &(f64, Candidate)) -> Ordering {
    b.0.total_cmp(&a.0)
        .then_with(|| tie_key(index, a.1.document).cmp(&tie_key(index, b.1.document)))
}

/// The best `limit`, best first.
pub(super) fn best(
    index: &Index,
    mut scored: Vec<(f64, Candidate)>,
    limit: usize,
) -> Vec<(f64, Candidate)> {
    let order = |a: &_, b: &_| better(index, a, b);
    // Sorting what is cut off anyway would dominate a question of common words.
    if limit < scored.len() && limit > 0 {
        scored.select_nth_unstable_by(limit - 1, order);
    }
    scored.truncate(limit);
    scored.sort_unstable_by(order);
    scored
}
