//! What an index is put together from.

use std::sync::Arc;

use recall_core::{EntryId, QueryRevision};
use recall_index::{CacheError, SegmentDirectory};
use recall_lexical::{Layer, Segment, SegmentBuilder};
use recall_store::{IndexFiles, IndexSegment, Transaction};

use super::{Refresh, documents};
use crate::EngineError;

/// The recent part holds at most so many entries, or this share of all, if that is more.
const MOST_RECENT: usize = 2_048;
const RECENT_SHARE: usize = 8;

/// Every entry as of a revision, and those that changed since as of a later one.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    pub(super) base: Option<Part>,
    pub(super) recent: Option<Part>,
}

/// One segment.
#[derive(Debug, Clone)]
pub(super) struct Part {
    segment: Segment,
    revision: QueryRevision,
    origin: Origin,
}

#[derive(Debug, Clone)]
enum Origin {
    File(String),
    Memory(Arc<Vec<u8>>),
}

impl Part {
    pub(super) fn of_file(file: &IndexSegment, segment: Segment) -> Self {
        Self {
            segment,
            revision: file.revision,
            origin: Origin::File(file.file.clone()),
        }
    }

    fn made(builder: SegmentBuilder, revision: QueryRevision) -> Result<Self, EngineError> {
        let bytes = Arc::new(builder.finish()?);
        let segment = Segment::open(Arc::clone(&bytes) as recall_lexical::Bytes)?;
        Ok(Self {
            segment,
            revision,
            origin: Origin::Memory(bytes),
        })
    }

    /// The part as a file, written if it is none yet.
    fn file(&self, directory: &SegmentDirectory) -> Result<IndexSegment, CacheError> {
        Ok(IndexSegment {
            file: match &self.origin {
                Origin::File(name) => name.clone(),
                Origin::Memory(bytes) => directory.write(bytes)?,
            },
            revision: self.revision,
        })
    }
}

impl Parts {
    /// The parts that were made no later than a revision.
    pub(super) fn until(&self, revision: QueryRevision) -> Self {
        let is_older = |part: &&Part| part.revision <= revision;
        let Some(base) = self.base.as_ref().filter(is_older) else {
            return Self::default();
        };
        Self {
            base: Some(base.clone()),
            recent: self.recent.as_ref().filter(is_older).cloned(),
        }
    }

    /// Makes parts of the entries that are in none, if they are more than a few. Tells which are
    /// still in none.
    pub(super) async fn fold(
        &mut self,
        snapshot: &mut Transaction,
        revision: QueryRevision,
        few: usize,
    ) -> Result<(Refresh, Vec<EntryId>), EngineError> {
        let Some(base) = &self.base else {
            return Ok((self.make_all(snapshot, revision, few).await?, Vec::new()));
        };
        let held = self.recent.as_ref().unwrap_or(base).revision;
        if held == revision {
            return Ok((Refresh::Enough, Vec::new()));
        }
        let missing = snapshot.changed_since(held).await?;
        if missing.len() <= few {
            return Ok((Refresh::Enough, missing));
        }
        let changed = snapshot.changed_since(base.revision).await?;
        let most = MOST_RECENT.max(base.segment.len() as usize / RECENT_SHARE);
        if changed.len() > most {
            return Ok((self.make_all(snapshot, revision, few).await?, Vec::new()));
        }
        let builder = documents::some(snapshot, &changed).await?;
        self.recent = Some(Part::made(builder, revision)?);
        Ok((Refresh::Recent(changed.len()), Vec::new()))
    }

    async fn make_all(
        &mut self,
        snapshot: &mut Transaction,
        revision: QueryRevision,
        few: usize,
    ) -> Result<Refresh, EngineError> {
        let builder = documents::all(snapshot).await?;
        let entries = builder.len();
        *self = Self {
            base: Some(Part::made(builder, revision)?),
            recent: None,
        };
        Ok(if entries > few {
            Refresh::All(entries)
        } else {
            Refresh::Enough
        })
    }

    /// The parts as layers, and one more of entries that are in none of them.
    pub(super) async fn layers(
        &self,
        snapshot: &mut Transaction,
        missing: &[EntryId],
    ) -> Result<Vec<Layer>, EngineError> {
        let mut layers = Vec::new();
        if let Some(base) = &self.base {
            layers.push(Layer {
                segment: base.segment.clone(),
                gone: Vec::new(),
            });
            if let Some(recent) = &self.recent {
                layers.push(Layer {
                    segment: recent.segment.clone(),
                    gone: snapshot.changed_since(base.revision).await?,
                });
            }
        }
        if !missing.is_empty() {
            layers.push(Layer {
                segment: documents::some(snapshot, missing).await?.segment()?,
                gone: missing.to_vec(),
            });
        }
        Ok(layers)
    }

    /// The parts as files; `None` if there is no part.
    pub(super) fn write(
        &self,
        directory: &SegmentDirectory,
    ) -> Result<Option<IndexFiles>, CacheError> {
        let Some(base) = &self.base else {
            return Ok(None);
        };
        Ok(Some(IndexFiles {
            base: base.file(directory)?,
            recent: self
                .recent
                .as_ref()
                .map(|recent| recent.file(directory))
                .transpose()?,
        }))
    }
}
