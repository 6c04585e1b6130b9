//! The index that questions are answered from, and its files.
//!
//! What an answer needs is read in one snapshot of the archive: its revision, the files that it
//! vouches for, what changed since they were written, and the entries found. So an answer is never
//! older than the archive, whatever the files hold: entries that changed since are indexed in memory
//! for it, and without files all of them are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use recall_core::{EntryId, QueryRevision};
use recall_index::SegmentDirectory;
use recall_lexical::{Document, Index, Layer, Segment, SegmentBuilder};
use recall_store::{Durability, IndexFiles, IndexSegment, Transaction};

use crate::{Engine, EngineError};

/// So many entries that are in no file are indexed for each answer without complaint.
const FEW: usize = 128;

/// The recent file holds at most so many entries, or this share of all, if that is more.
const MOST_RECENT: usize = 2_048;
const RECENT_SHARE: usize = 8;

/// Entries are read in portions, so that not all of them are in memory at once.
const PORTION: usize = 2_000;

/// Of the transcript that an entry cites, so many bytes are searched: what is said first says what
/// it is about, and a long citation must not drown the entry.
const MOST_CITED: usize = 4_000;

/// The index of one engine.
#[derive(Debug, Default)]
pub(crate) struct IndexCache {
    directory: Option<SegmentDirectory>,
    /// What the last question was answered from.
    warm: Mutex<Warm>,
}

#[derive(Debug, Default)]
struct Warm {
    current: Option<(QueryRevision, Arc<Index>)>,
    /// Files that were opened, by name.
    segments: HashMap<String, Segment>,
}

impl IndexCache {
    pub(crate) fn at(directory: SegmentDirectory) -> Self {
        Self {
            directory: Some(directory),
            warm: Mutex::default(),
        }
    }

    fn current(&self, revision: QueryRevision) -> Option<Arc<Index>> {
        let warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        let (held, index) = warm.current.as_ref()?;
        (*held == revision).then(|| Arc::clone(index))
    }

    fn set_current(&self, revision: QueryRevision, index: &Arc<Index>) {
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        warm.current = Some((revision, Arc::clone(index)));
    }

    fn segment(&self, file: &IndexSegment) -> Option<Segment> {
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(segment) = warm.segments.get(&file.file) {
            return Some(segment.clone());
        }
        let segment = self.directory.as_ref()?.open(&file.file)?;
        warm.segments.insert(file.file.clone(), segment.clone());
        Some(segment)
    }

    /// Lets go of what is not among these files.
    fn forget_all_but(&self, names: &[&str]) {
        let mut warm = self.warm.lock().unwrap_or_else(PoisonError::into_inner);
        warm.current = None;
        warm.segments
            .retain(|name, _| names.contains(&name.as_str()));
    }
}

/// What became of the files of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refresh {
    /// They hold enough.
    Enough,
    /// So many entries were written that had changed.
    Recent(usize),
    /// All entries, so many, were written anew.
    All(usize),
}

impl Engine {
    /// The index of the archive as a snapshot sees it.
    pub(crate) async fn index(
        &self,
        snapshot: &mut Transaction,
    ) -> Result<Arc<Index>, EngineError> {
        let revision = snapshot.query_revision().await?;
        if let Some(index) = self.lexical.current(revision) {
            return Ok(index);
        }
        let (mut layers, held) = self.layers_in_files(snapshot).await?;
        if held != Some(revision) {
            layers.push(match held {
                Some(held) => changes(snapshot, held).await?,
                None => everything(snapshot).await?,
            });
        }
        let index = Arc::new(Index::new(layers));
        self.lexical.set_current(revision, &index);
        Ok(index)
    }

    /// The index that questions are answered from now: for whoever wants to rank by other numbers.
    ///
    /// # Errors
    /// [`EngineError::Store`] if the archive cannot be read.
    pub async fn lexical_index(&self) -> Result<Arc<Index>, EngineError> {
        let mut snapshot = self.store.snapshot().await?;
        self.index(&mut snapshot).await
    }

    /// The layers that can be read from files, and the revision that they hold.
    async fn layers_in_files(
        &self,
        snapshot: &mut Transaction,
    ) -> Result<(Vec<Layer>, Option<QueryRevision>), EngineError> {
        let Some(files) = snapshot.index_files().await? else {
            return Ok((Vec::new(), None));
        };
        let Some(base) = self.lexical.segment(&files.base) else {
            return Ok((Vec::new(), None));
        };
        let mut layers = vec![Layer {
            segment: base,
            gone: Vec::new(),
        }];
        let mut held = files.base.revision;
        if let Some(file) = &files.recent
            && let Some(segment) = self.lexical.segment(file)
        {
            let gone = snapshot.changed_since(files.base.revision).await?;
            layers.push(Layer { segment, gone });
            held = file.revision;
        }
        Ok((layers, Some(held)))
    }

    /// Whether questions are answered so much faster after [`Engine::refresh_index`] that it should
    /// come first.
    ///
    /// # Errors
    /// [`EngineError::Store`] if the archive cannot be read.
    pub async fn wants_refresh(&self) -> Result<bool, EngineError> {
        if self.lexical.directory.is_none() {
            return Ok(false);
        }
        let mut snapshot = self.store.snapshot().await?;
        let (_, held) = self.layers_in_files(&mut snapshot).await?;
        Ok(changed(&mut snapshot, held).await? > FEW)
    }

    /// Writes what changed to the files of the index, if it is more than a few entries, and removes
    /// files that no longer count. Without a cache directory nothing is done.
    ///
    /// # Errors
    /// [`EngineError::Cache`] if the files cannot be written or removed; questions are answered all
    /// the same, only slower. The archive must be open
    /// for writing.
    pub async fn refresh_index(&self) -> Result<Refresh, EngineError> {
        let Some(directory) = &self.lexical.directory else {
            return Ok(Refresh::Enough);
        };
        let mut snapshot = self.store.snapshot().await?;
        let vouched = snapshot.index_files().await?;
        let usable = vouched
            .clone()
            .filter(|files| self.lexical.segment(&files.base).is_some());
        let (files, refresh) = match usable {
            Some(files) => {
                let (files, refresh) = self.caught_up(&mut snapshot, directory, files).await?;
                (Some(files), refresh)
            }
            None if changed(&mut snapshot, None).await? <= FEW => (None, Refresh::Enough),
            None => {
                let (files, refresh) = all_files(&mut snapshot, directory).await?;
                (Some(files), refresh)
            }
        };
        drop(snapshot);
        if vouched != files {
            // What is lost in a power cut is vouched anew by the next refresh.
            let mut transaction = self.store.begin(Durability::Process).await?;
            transaction.name_index_files(files.as_ref()).await?;
            transaction.commit().await?;
        }
        let names: Vec<&str> = files.iter().flat_map(IndexFiles::names).collect();
        self.lexical.forget_all_but(&names);
        directory.keep_only(&names)?;
        Ok(refresh)
    }

    /// The files after what changed was written.
    async fn caught_up(
        &self,
        snapshot: &mut Transaction,
        directory: &SegmentDirectory,
        files: IndexFiles,
    ) -> Result<(IndexFiles, Refresh), EngineError> {
        let held = match &files.recent {
            Some(recent) if self.lexical.segment(recent).is_some() => recent.revision,
            _ => files.base.revision,
        };
        let revision = snapshot.query_revision().await?;
        let missing = snapshot.changed_since(held).await?.len();
        let is_broken = held != files.revision();
        if missing <= FEW && !is_broken {
            return Ok((files, Refresh::Enough));
        }
        let changed = snapshot.changed_since(files.base.revision).await?;
        let base = self
            .lexical
            .segment(&files.base)
            .map_or(0, |base| base.len() as usize);
        if changed.len() > MOST_RECENT.max(base / RECENT_SHARE) {
            return all_files(snapshot, directory).await;
        }
        let mut builder = SegmentBuilder::default();
        add_by_id(snapshot, &changed, &mut builder).await?;
        let file = directory.write(&builder.finish()?)?;
        let recent = Some(IndexSegment { file, revision });
        Ok((
            IndexFiles { recent, ..files },
            Refresh::Recent(changed.len()),
        ))
    }
}

/// How many entries changed since a revision, or ever.
async fn changed(
    snapshot: &mut Transaction,
    since: Option<QueryRevision>,
) -> Result<usize, EngineError> {
    let since = since.unwrap_or_default();
    Ok(snapshot.changed_since(since).await?.len())
}

/// Writes every entry.
async fn all_files(
    snapshot: &mut Transaction,
    directory: &SegmentDirectory,
) -> Result<(IndexFiles, Refresh), EngineError> {
    let revision = snapshot.query_revision().await?;
    let mut builder = SegmentBuilder::default();
    add_all(snapshot, &mut builder).await?;
    let refresh = Refresh::All(builder.len());
    let file = directory.write(&builder.finish()?)?;
    let base = IndexSegment { file, revision };
    Ok((IndexFiles { base, recent: None }, refresh))
}

/// What changed since a revision, in memory.
async fn changes(snapshot: &mut Transaction, since: QueryRevision) -> Result<Layer, EngineError> {
    let gone = snapshot.changed_since(since).await?;
    let mut builder = SegmentBuilder::default();
    add_by_id(snapshot, &gone, &mut builder).await?;
    Ok(Layer {
        segment: builder.segment()?,
        gone,
    })
}

/// Every entry, in memory.
async fn everything(snapshot: &mut Transaction) -> Result<Layer, EngineError> {
    let mut builder = SegmentBuilder::default();
    add_all(snapshot, &mut builder).await?;
    Ok(Layer {
        segment: builder.segment()?,
        gone: Vec::new(),
    })
}

async fn add_all(
    snapshot: &mut Transaction,
    builder: &mut SegmentBuilder,
) -> Result<(), EngineError> {
    let mut last: Option<EntryId> = None;
    loop {
        let entries = snapshot.entries_after(last.as_ref(), PORTION).await?;
        let Some(end) = entries.last() else {
            return Ok(());
        };
        last = Some(end.id.clone());
        add(snapshot, &entries, builder).await?;
    }
}

async fn add_by_id(
    snapshot: &mut Transaction,
    ids: &[EntryId],
    builder: &mut SegmentBuilder,
) -> Result<(), EngineError> {
    for ids in ids.chunks(PORTION) {
        let entries = snapshot.entries_by_id(ids).await?;
        add(snapshot, &entries, builder).await?;
    }
    Ok(())
}

async fn add(
    snapshot: &mut Transaction,
    entries: &[recall_core::Entry],
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
