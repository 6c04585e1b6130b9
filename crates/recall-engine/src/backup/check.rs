//! Whether the rows of a backup fit together.

use std::collections::{HashMap, HashSet};

use recall_core::{Entry, EntryId, ReviewAction};
use recall_trust::insertion::RestoredEntry;
use recall_trust::limits::MAX_NOTE_BYTES;
use recall_trust::review::Decision;

use super::{Backup, BackupError};

pub(super) fn check(backup: &Backup) -> Result<(), BackupError> {
    check_decisions(&backup.decisions)?;
    check_entries(&backup.entries)?;
    check_wordings(backup)
}

fn contradiction(what: impl std::fmt::Display) -> BackupError {
    BackupError::Contradiction(agentsview_secrets::mask(&what.to_string()))
}

fn check_decisions(decisions: &[Decision]) -> Result<(), BackupError> {
    let mut known: HashMap<i64, &Decision> = HashMap::new();
    let mut undone = HashSet::new();
    let mut last = 0;
    for decision in decisions {
        let number = decision.number;
        if number <= last {
            return Err(contradiction(format_args!(
                "decision {number} does not follow decision {last}"
            )));
        }
        last = number;
        if decision.note.len() > MAX_NOTE_BYTES {
            return Err(contradiction(format_args!(
                "the note of decision {number} has more than {MAX_NOTE_BYTES} bytes"
            )));
        }
        if let Some(target) = decision.undoes {
            let takes_it_back = known.get(&target).is_some_and(|undone| {
                undone.entry_id == decision.entry_id && undone.action != ReviewAction::Undo
            });
            if !takes_it_back || !undone.insert(target) {
                return Err(contradiction(format_args!(
                    "decision {number} cannot take decision {target} back"
                )));
            }
        }
        known.insert(number, decision);
    }
    Ok(())
}

fn check_entries(entries: &[Entry]) -> Result<(), BackupError> {
    let mut by_id: HashMap<&EntryId, &Entry> = HashMap::new();
    for entry in entries {
        RestoredEntry::check(entry).map_err(contradiction)?;
        if by_id.insert(&entry.id, entry).is_some() {
            return Err(contradiction(format_args!(
                "there are two entries {}",
                entry.id
            )));
        }
    }
    for entry in entries {
        let back = |other: &Option<EntryId>, link: fn(&Entry) -> &Option<EntryId>| {
            other.as_ref().is_none_or(|other| {
                let linked = by_id.get(other).and_then(|entry| link(entry).as_ref());
                linked == Some(&entry.id)
            })
        };
        if !back(&entry.supersedes, |entry| &entry.superseded_by)
            || !back(&entry.superseded_by, |entry| &entry.supersedes)
        {
            return Err(contradiction(format_args!(
                "entry {} is linked to one that is not linked to it",
                entry.id
            )));
        }
    }
    check_chains(entries, &by_id)
}

/// Every link leads both ways, so an entry that no walk back from the end of a chain comes by
/// stands in a circle.
fn check_chains(entries: &[Entry], by_id: &HashMap<&EntryId, &Entry>) -> Result<(), BackupError> {
    let mut reached: HashSet<&EntryId> = HashSet::new();
    for end in entries.iter().filter(|entry| entry.superseded_by.is_none()) {
        let mut next = Some(end);
        while let Some(entry) = next {
            reached.insert(&entry.id);
            next = entry
                .supersedes
                .as_ref()
                .and_then(|older| by_id.get(older).copied());
        }
    }
    match entries.iter().find(|entry| !reached.contains(&entry.id)) {
        Some(entry) => Err(contradiction(format_args!(
            "entry {} replaces itself in the end",
            entry.id
        ))),
        None => Ok(()),
    }
}

fn check_wordings(backup: &Backup) -> Result<(), BackupError> {
    let entries: HashSet<&EntryId> = backup.entries.iter().map(|entry| &entry.id).collect();
    let decided: HashSet<(&EntryId, i64)> = backup
        .decisions
        .iter()
        .map(|decision| (&decision.entry_id, decision.number))
        .collect();
    let mut seen = HashSet::new();
    for replaced in &backup.wordings {
        let key = (&replaced.entry_id, replaced.replaced_by);
        if !entries.contains(key.0) || !decided.contains(&key) || !seen.insert(key) {
            return Err(contradiction(format_args!(
                "no decision {} of entry {} can have replaced a wording",
                replaced.replaced_by, replaced.entry_id
            )));
        }
    }
    Ok(())
}
