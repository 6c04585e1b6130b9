//! Entries as documents of the index, read in portions.

use recall_core::{Entry, EntryId};
use recall_lexical::{Document, SegmentBuilder};
use recall_store::Transaction;

use crate::EngineError;

/// Entries are read in portions, so that not all of them are in memory at once.
const PORTION: usize = 2_000;

/// Of the transcript that an entry cites, so many bytes are searched: what is said first says what
/// it is about, and a long citation must not drown the entry.
const MOST_CITED: usize = 4_000;

/// Every entry.
pub(super) async fn all(snapshot: &mut Transaction) -> Result<SegmentBuilder, EngineError> {
    let mut builder = SegmentBuilder::default();
    let mut last: Option<EntryId> = None;
    loop {
        let entries = snapshot.entries_after(last.as_ref(), PORTION).await?;
        let Some(end) = entries.last() else {
            return Ok(builder);
        };
        last = Some(end.id.clone());
        add(snapshot, &entries, &mut builder).await?;
    }
}

/// The entries of these ids, as far as they are there.
pub(super) async fn some(
    snapshot: &mut Transaction,
    ids: &[EntryId],
) -> Result<SegmentBuilder, EngineError> {
    let mut builder = SegmentBuilder::default();
    for ids in ids.chunks(PORTION) {
        let entries = snapshot.entries_by_id(ids).await?;
        add(snapshot, &entries, &mut builder).await?;
    }
    Ok(builder)
}

async fn add(
    snapshot: &mut Transaction,
    entries: &[Entry],
    builder: &mut SegmentBuilder,
) -> Result<(), EngineError> {
    let ids: Vec<EntryId> = entries.iter().map(|entry| entry.id.clone()).collect();
    let cited = snapshot.cited_texts(&ids, MOST_CITED).await?;
    for entry in entries {
        let mut document = Document::from_entry(entry);
        let texts = cited.get(&entry.id).map_or(&[][..], Vec::as_slice);
        document
            .evidence
            .extend(start_of(texts, MOST_CITED).map(Into::into));
        builder.add(&document);
    }
    Ok(())
}

/// The first bytes of some texts together, no character split.
fn start_of(texts: &[String], most: usize) -> impl Iterator<Item = &str> {
    let mut left = most;
    texts.iter().map_while(move |text| {
        let start = &text[..text.floor_char_boundary(left)];
        left -= start.len();
        (!start.is_empty()).then_some(start)
    })
}
