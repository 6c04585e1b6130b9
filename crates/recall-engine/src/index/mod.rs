//! The index that questions are answered from, and its files.
//!
//! What an answer needs is read in one snapshot of the archive: its revision, the files that it
//! vouches for, what changed since they were written, and the entries found. So an answer is never
//! older than the archive, whatever the files hold: entries that changed since are indexed in memory
//! for it, and without files all of them are.
//!
//! Files are written by whoever writes to the archive ([`Engine::refresh_index`]), or by a question
//! that had to index many entries and finds nobody writing. They are a convenience: no question fails
//! for want of them.

mod documents;
mod parts;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use recall_core::QueryRevision;
use recall_index::SegmentDirectory;
use recall_lexical::{Index, Segment};
use recall_store::{Durability, IndexFiles, IndexSegment, Store, Transaction};

use crate::{Engine, EngineError};
use parts::{Part, Parts};

/// So many entries that are in no file are indexed for each question without complaint.
const FEW: usize = 128;

/// A question that had to index more than so many entries leaves them in a file.
const MANY: usize = 512;

/// The index of one engine.
#[derive(Debug, Default)]
pub(crate) struct IndexCache {
    directory: Option<SegmentDirectory>,
    warm: Mutex<Warm>,
    /// Held by the one task that writes files.
    writing: tokio::sync::Mutex<()>,
}

/// What earlier questions leave for the next.
#[derive(Debug, Default)]
struct Warm {
    current: Option<(QueryRevision, Arc<Index>)>,
    /// The parts of it that are in no file.
    made: Parts,
    /// Files that were opened, by name.
    segments: HashMap<String, Segment>,
}

/// What became of the files of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refresh {
    /// They hold enough, or there is no place for them.
    Enough,
    /// So many entries were written that had changed.
    Recent(usize),
    /// All entries, so many, were written anew.
    All(usize),
}

impl IndexCache {
    pub(crate) fn at(directory: SegmentDirectory) -> Self {
        Self {
            directory: Some(directory),
            ..Self::default()
        }
    }

    fn warm<T>(&self, look: impl FnOnce(&mut Warm) -> T) -> T {
        look(&mut self.warm.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn current(&self, revision: QueryRevision) -> Option<Arc<Index>> {
        self.warm(|warm| {
            let (held, index) = warm.current.as_ref()?;
            (*held == revision).then(|| Arc::clone(index))
        })
    }

    /// What a named file holds; `None` if it cannot be searched.
    fn open(&self, file: &IndexSegment) -> Option<Part> {
        let known = self.warm(|warm| warm.segments.get(&file.file).cloned());
        if let Some(segment) = known {
            return Some(Part::of_file(file, segment));
        }
        let segment = self.directory.as_ref()?.open(&file.file)?;
        self.warm(|warm| warm.segments.insert(file.file.clone(), segment.clone()));
        Some(Part::of_file(file, segment))
    }

    /// The parts that the named files hold, and whether that is all that they should.
    fn in_files(&self, files: Option<&IndexFiles>) -> (Parts, bool) {
        let Some(files) = files else {
            return (Parts::default(), true);
        };
        let Some(base) = self.open(&files.base) else {
            return (Parts::default(), self.directory.is_none());
        };
        let recent = files.recent.as_ref().and_then(|file| self.open(file));
        let is_whole = recent.is_some() == files.recent.is_some();
        let base = Some(base);
        (Parts { base, recent }, is_whole)
    }

    /// Lets go of everything but these files.
    fn keep(&self, files: Option<&IndexFiles>) {
        self.warm(|warm| {
            warm.current = None;
            warm.made = Parts::default();
            let kept = |name: &String| files.is_some_and(|it| it.names().any(|kept| kept == name));
            warm.segments.retain(|name, _| kept(name));
        });
    }
}

impl Engine {
    /// The index that questions are answered from now: for whoever wants to rank by other numbers.
    ///
    /// # Errors
    /// [`EngineError::Store`] if the archive cannot be read.
    pub async fn lexical_index(&self) -> Result<Arc<Index>, EngineError> {
        Ok(self.indexed_snapshot().await?.1)
    }

    /// A snapshot of the archive, and the index of the entries as it sees them.
    pub(crate) async fn indexed_snapshot(&self) -> Result<(Transaction, Arc<Index>), EngineError> {
        let mut missed = None;
        loop {
            let mut snapshot = self.store.snapshot().await?;
            let revision = snapshot.query_revision().await?;
            if let Some(index) = self.lexical.current(revision) {
                return Ok((snapshot, index));
            }
            let files = snapshot.index_files().await?;
            let (parts, is_whole) = self.lexical.in_files(files.as_ref());
            // Files that were replaced since the snapshot was taken are gone; the next has others.
            if !is_whole && missed != files {
                missed = files;
                continue;
            }
            let index = self.index(&mut snapshot, revision, files, parts).await?;
            return Ok((snapshot, index));
        }
    }

    async fn index(
        &self,
        snapshot: &mut Transaction,
        revision: QueryRevision,
        files: Option<IndexFiles>,
        in_files: Parts,
    ) -> Result<Arc<Index>, EngineError> {
        let mut parts = match in_files.base {
            Some(_) => in_files,
            None => self.lexical.warm(|warm| warm.made.until(revision)),
        };
        let (folded, missing) = parts.fold(snapshot, revision, MANY).await?;
        let index = Arc::new(Index::new(parts.layers(snapshot, &missing).await?));
        let is_published = folded != Refresh::Enough && self.offer(&parts, files, revision).await;
        self.lexical.warm(|warm| {
            warm.current = Some((revision, Arc::clone(&index)));
            warm.made = if is_published {
                Parts::default()
            } else {
                parts
            };
        });
        Ok(index)
    }

    /// Leaves in files what a question had to make, if nobody else writes just now. The question is
    /// answered either way, so what goes wrong here is nothing that the asker should be told.
    async fn offer(
        &self,
        parts: &Parts,
        seen: Option<IndexFiles>,
        revision: QueryRevision,
    ) -> bool {
        let Some(directory) = &self.lexical.directory else {
            return false;
        };
        let Ok(_writing) = self.lexical.writing.try_lock() else {
            return false;
        };
        if self.store.is_writable() {
            let published = publish(&self.store, directory, parts, seen, revision).await;
            return matches!(published, Ok(Some(_)));
        }
        let Ok(Some(writer)) = self.store.second_for_writing().await else {
            return false;
        };
        let published = publish(&writer, directory, parts, seen, revision).await;
        writer.close().await;
        matches!(published, Ok(Some(_)))
    }

    /// Writes what changed to the files of the index, if it is more than a few entries, and removes
    /// files that no longer count. [`Engine::close`] does it as well. Without a cache directory
    /// nothing is done.
    ///
    /// # Errors
    /// [`EngineError::Cache`] if the files cannot be written or removed; questions are answered all
    /// the same, only slower. The archive must be open for writing.
    pub async fn refresh_index(&self) -> Result<Refresh, EngineError> {
        self.write_index(|in_files, is_whole| (in_files, if is_whole { FEW } else { 0 }))
            .await
    }

    /// Writes the index of all entries anew.
    ///
    /// # Errors
    /// As [`Engine::refresh_index`].
    pub async fn rebuild_index(&self) -> Result<Refresh, EngineError> {
        self.write_index(|_, _| (Parts::default(), 0)).await
    }

    /// Writes the index, from what there is of it and so many entries that may stay out of it.
    async fn write_index(
        &self,
        start: impl FnOnce(Parts, bool) -> (Parts, usize),
    ) -> Result<Refresh, EngineError> {
        let Some(directory) = &self.lexical.directory else {
            return Ok(Refresh::Enough);
        };
        let _writing = self.lexical.writing.lock().await;
        let mut snapshot = self.store.snapshot().await?;
        let revision = snapshot.query_revision().await?;
        let files = snapshot.index_files().await?;
        let (in_files, is_whole) = self.lexical.in_files(files.as_ref());
        let (mut parts, few) = start(in_files, is_whole);
        let (refresh, _) = parts.fold(&mut snapshot, revision, few).await?;
        drop(snapshot);
        if refresh == Refresh::Enough {
            directory.keep_only(&names(files.as_ref()))?;
        } else if let Some(files) = publish(&self.store, directory, &parts, files, revision).await?
        {
            self.lexical.keep(Some(&files));
        }
        Ok(refresh)
    }

    /// Removes the index from the disk. The next refresh writes it again.
    ///
    /// # Errors
    /// As [`Engine::refresh_index`].
    pub async fn forget_index(&self) -> Result<(), EngineError> {
        let _writing = self.lexical.writing.lock().await;
        let mut transaction = self.store.begin(Durability::Process).await?;
        transaction.name_index_files(None).await?;
        transaction.commit().await?;
        self.lexical.keep(None);
        if let Some(directory) = &self.lexical.directory {
            directory.keep_only(&[])?;
        }
        Ok(())
    }

    /// Removes what the archive does not vouch for any more, as after entries were deleted.
    pub(crate) async fn sweep_index(&self) -> Result<(), EngineError> {
        let _writing = self.lexical.writing.lock().await;
        let files = self.store.snapshot().await?.index_files().await?;
        self.lexical.keep(files.as_ref());
        match &self.lexical.directory {
            Some(directory) => Ok(directory.keep_only(&names(files.as_ref()))?),
            None => Ok(()),
        }
    }
}

/// Writes the parts that are in memory to files and has the archive vouch for them, unless it
/// changed since `revision`: then they may hold what was deleted meanwhile. Either way only files
/// stay that the archive vouches for.
///
/// Killed at any moment, it leaves the old files named or the new ones, and maybe some that nobody
/// names.
async fn publish(
    writer: &Store,
    directory: &SegmentDirectory,
    parts: &Parts,
    seen: Option<IndexFiles>,
    revision: QueryRevision,
) -> Result<Option<IndexFiles>, EngineError> {
    // What is lost in a power cut is written anew by the next refresh.
    let mut transaction = writer.begin(Durability::Process).await?;
    let named = transaction.index_files().await?;
    let is_current = named == seen && transaction.query_revision().await? == revision;
    let published = if is_current {
        parts.write(directory)?
    } else {
        None
    };
    if published.is_some() {
        transaction.name_index_files(published.as_ref()).await?;
        transaction.commit().await?;
    }
    directory.keep_only(&names(published.as_ref().or(named.as_ref())))?;
    Ok(published)
}

fn names(files: Option<&IndexFiles>) -> Vec<&str> {
    files.into_iter().flat_map(IndexFiles::names).collect()
}
