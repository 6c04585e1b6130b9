//! What became of an entry, from either end of its chain.

use std::collections::VecDeque;

use recall_core::{Entry, EntryId};
use recall_store::ReplacedWording;
use recall_trust::review::Decision;

use crate::{Engine, EngineError};

/// An entry with its chain of supersession and everything that was decided about it.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// The id that was asked about.
    pub id: EntryId,
    /// The entries of its chain, the first one first; empty if the archive has no entry of that id.
    pub chain: Vec<Entry>,
    /// Every decision about an entry of its chain, first one first.
    pub decisions: Vec<Decision>,
    /// The wordings that it had before, the original first.
    pub wordings: Vec<ReplacedWording>,
}

impl Engine {
    /// What became of an entry. An id without an entry has a history too, if something was decided
    /// about it.
    ///
    /// # Errors
    /// [`EngineError::EntryNotFound`] if nothing is known of that id.
    pub async fn history(&self, id: &EntryId) -> Result<History, EngineError> {
        let mut decisions = self.store.decisions(id).await?;
        let wordings = self.store.wordings(id).await?;
        let Some(entry) = self.store.entry(id).await? else {
            if decisions.is_empty() {
                return Err(EngineError::EntryNotFound(id.clone()));
            }
            return Ok(History {
                id: id.clone(),
                chain: Vec::new(),
                decisions,
                wordings,
            });
        };
        let mut chain = VecDeque::from([entry]);
        // An entry has one predecessor and one successor at most, and no chain closes to a circle;
        // an archive that another program changed may still hold one.
        let is_new =
            |chain: &VecDeque<Entry>, entry: &Entry| chain.iter().all(|known| known.id != entry.id);
        while let Some(older) = chain.front().and_then(|first| first.supersedes.clone()) {
            match self.store.entry(&older).await? {
                Some(entry) if is_new(&chain, &entry) => chain.push_front(entry),
                _ => break,
            }
        }
        while let Some(newer) = chain.back().and_then(|last| last.superseded_by.clone()) {
            match self.store.entry(&newer).await? {
                Some(entry) if is_new(&chain, &entry) => chain.push_back(entry),
                _ => break,
            }
        }
        for other in chain.iter().filter(|entry| entry.id != *id) {
            decisions.extend(self.store.decisions(&other.id).await?);
        }
        decisions.sort_by_key(|decision| decision.number);
        Ok(History {
            id: id.clone(),
            chain: chain.into(),
            decisions,
            wordings,
        })
    }
}
