//! What a restore will do, decided from one look at the archive.

use std::collections::{HashMap, HashSet};

use recall_core::{Entry, EntryId, SessionId};
use recall_store::{ReplacedWording, SessionState, Transaction};
use recall_trust::insertion::RestoredEntry;
use recall_trust::review::Decision;

use super::history::{LogFate, fates};
use super::report::{RestoreItem, RestoreReport, RestoreSkip, RowCounts};
use crate::EngineError;
use crate::backup::{Backup, BackupError};
use crate::screen::screen;

/// What to write, and what became of the rest.
pub(super) struct Plan {
    /// Every decision of the backup, in order.
    pub(super) decisions: Vec<(Decision, LogFate)>,
    /// The entries to store, in order.
    pub(super) entries: Vec<RestoredEntry>,
    /// The wordings to keep.
    pub(super) wordings: Vec<ReplacedWording>,
    items: Vec<RestoreItem>,
    wording_counts: RowCounts,
}

impl Plan {
    pub(super) async fn of(
        backup: Backup,
        transaction: &mut Transaction,
    ) -> Result<Self, EngineError> {
        let stored: HashMap<EntryId, Entry> = transaction
            .all_entries()
            .await?
            .into_iter()
            .map(|entry| (entry.id.clone(), entry))
            .collect();
        let skips = skips(&backup.entries, &stored, transaction).await?;
        // Entries that the archive keeps as they are although decisions may say otherwise.
        let is_kept = |id: &EntryId| {
            stored.contains_key(id) && skips.get(id) != Some(&RestoreSkip::Duplicate)
        };
        let decided = transaction.all_decisions().await?;
        let mut log = fates(&backup.decisions, &decided, is_kept);
        for (decision, fate) in backup.decisions.iter().zip(&mut log) {
            if *fate == LogFate::Appended && holds_a_secret([("note", &*decision.note)]) {
                *fate = LogFate::LeftOut;
            }
        }
        let known: HashSet<i64> = backup
            .decisions
            .iter()
            .zip(&log)
            .filter(|(_, fate)| **fate != LogFate::LeftOut)
            .map(|(decision, _)| decision.number)
            .collect();
        // What takes a left-out decision back says nothing.
        for (decision, fate) in backup.decisions.iter().zip(&mut log) {
            if decision
                .undoes
                .is_some_and(|undone| !known.contains(&undone))
            {
                *fate = LogFate::LeftOut;
            }
        }

        let (wordings, wording_counts) = wordings(
            backup.wordings,
            &skips,
            &numbers(&backup.decisions, &log),
            &transaction.all_wordings().await?,
        );

        let judged = judge(&backup.entries, &skips, transaction).await?;
        let items = backup
            .entries
            .iter()
            .map(|entry| RestoreItem {
                id: entry.id.clone(),
                title: entry.title.clone(),
                fate: match judged.get(&entry.id) {
                    Some(restored) => Ok(restored.evidence()),
                    None => Err(skips
                        .get(&entry.id)
                        .copied()
                        .unwrap_or(RestoreSkip::Conflict)),
                },
            })
            .collect();
        Ok(Self {
            decisions: backup.decisions.into_iter().zip(log).collect(),
            entries: linked(&backup.entries, judged, &skips),
            wordings,
            items,
            wording_counts,
        })
    }

    pub(super) fn report(&self, dry_run: bool) -> RestoreReport {
        let mut decisions = RowCounts::default();
        for (_, fate) in &self.decisions {
            match fate {
                LogFate::Present(_) => decisions.present += 1,
                LogFate::Appended => decisions.restored += 1,
                LogFate::LeftOut => decisions.left_out += 1,
            }
        }
        RestoreReport {
            dry_run,
            entries: self.items.clone(),
            decisions,
            wordings: self.wording_counts,
        }
    }
}

/// What becomes of the decisions of a backup that the archive has or will have, by their number there.
fn numbers(decisions: &[Decision], log: &[LogFate]) -> HashMap<i64, LogFate> {
    let numbered = decisions.iter().map(|decision| decision.number);
    numbered
        .zip(log.iter().copied())
        .filter(|(_, fate)| *fate != LogFate::LeftOut)
        .collect()
}

/// The wordings that are to be kept. That the archive has the entry does not tell that it has these:
/// one that was imported anew has none.
fn wordings(
    backed_up: Vec<ReplacedWording>,
    skips: &HashMap<EntryId, RestoreSkip>,
    numbers: &HashMap<i64, LogFate>,
    stored: &[ReplacedWording],
) -> (Vec<ReplacedWording>, RowCounts) {
    let stored: HashSet<(&EntryId, i64)> = stored
        .iter()
        .map(|wording| (&wording.entry_id, wording.replaced_by))
        .collect();
    let mut counts = RowCounts::default();
    let mut wanted = Vec::new();
    for replaced in backed_up {
        let is_there = match numbers.get(&replaced.replaced_by) {
            Some(LogFate::Present(number)) => stored.contains(&(&replaced.entry_id, *number)),
            _ => false,
        };
        let fits = matches!(
            skips.get(&replaced.entry_id),
            None | Some(RestoreSkip::Duplicate)
        );
        if is_there {
            counts.present += 1;
        } else if fits
            && numbers.contains_key(&replaced.replaced_by)
            && !holds_a_secret(replaced.wording.texts())
        {
            counts.restored += 1;
            wanted.push(replaced);
        } else {
            counts.left_out += 1;
        }
    }
    (wanted, counts)
}

/// The entries that are not to be stored, each with the reason.
async fn skips(
    entries: &[Entry],
    stored: &HashMap<EntryId, Entry>,
    transaction: &mut Transaction,
) -> Result<HashMap<EntryId, RestoreSkip>, EngineError> {
    let mut skips = HashMap::new();
    let mut removed: HashMap<&SessionId, bool> = HashMap::new();
    for entry in entries {
        let reason = match stored.get(&entry.id) {
            Some(stored) if RestoredEntry::is_same(entry, stored) => RestoreSkip::Duplicate,
            Some(_) => RestoreSkip::Conflict,
            None => {
                let session = &entry.source_session_id;
                let texts = RestoredEntry::texts(entry);
                let texts = texts.iter().map(|(name, text)| (*name, text.as_str()));
                if !removed.contains_key(session) {
                    let state = transaction.session_state(session).await?;
                    removed.insert(session, state == SessionState::Excluded);
                }
                if removed.get(session) == Some(&true) {
                    RestoreSkip::SourceRemoved
                } else if holds_a_secret(texts) {
                    RestoreSkip::Secret
                } else {
                    continue;
                }
            }
        };
        skips.insert(entry.id.clone(), reason);
    }
    Ok(skips)
}

/// Verifies the evidence of the entries that are to be stored, session by session, so that each
/// transcript is read once.
async fn judge(
    entries: &[Entry],
    skips: &HashMap<EntryId, RestoreSkip>,
    transaction: &mut Transaction,
) -> Result<HashMap<EntryId, RestoredEntry>, EngineError> {
    let mut by_session: HashMap<&SessionId, Vec<&Entry>> = HashMap::new();
    for entry in entries {
        if !skips.contains_key(&entry.id) {
            by_session
                .entry(&entry.source_session_id)
                .or_default()
                .push(entry);
        }
    }
    let mut judged = HashMap::new();
    for (session, entries) in by_session {
        let transcript = transaction.transcript(session).await?;
        for entry in entries {
            let restored = RestoredEntry::judge(entry.clone(), transcript.as_ref())
                .map_err(|error| BackupError::Contradiction(error.to_string()))?;
            judged.insert(entry.id.clone(), restored);
        }
    }
    Ok(judged)
}

/// The entries to store, in the order of the backup, without links to entries that are not restored
/// with them. What the archive has already is not linked anew: it is left as it is.
fn linked(
    entries: &[Entry],
    mut judged: HashMap<EntryId, RestoredEntry>,
    skips: &HashMap<EntryId, RestoreSkip>,
) -> Vec<RestoredEntry> {
    entries
        .iter()
        .filter_map(|entry| {
            let mut restored = judged.remove(&entry.id)?;
            let skipped = |other: &Option<EntryId>| {
                other.as_ref().and_then(|other| skips.get(other).copied())
            };
            if skipped(&entry.supersedes).is_some() {
                restored = restored.without_predecessor();
            }
            if let Some(reason) = skipped(&entry.superseded_by) {
                restored = restored.without_successor(reason == RestoreSkip::SourceRemoved);
            }
            Some(restored)
        })
        .collect()
}

/// Whether a text may not be kept. It is left out and not refused: rules learn to know more
/// credentials, and a backup must not become useless for one of them.
fn holds_a_secret<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> bool {
    screen(texts).is_err()
}
