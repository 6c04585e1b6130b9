//! How the review log of a backup goes on from that of the archive.

use std::collections::HashMap;

use recall_core::EntryId;
use recall_trust::review::Decision;

/// What becomes of one decision of a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LogFate {
    /// The archive's log has it, under this number.
    Present(i64),
    /// It follows what the archive's log has about its entry.
    Appended,
    /// It does not: the archive's history went another way, and stands.
    LeftOut,
}

/// What becomes of each decision of a backup, in order.
///
/// An id has one history. Where the backup's goes on from the archive's, the rest is appended. Where
/// the archive's went on from the backup's, nothing is missing. Where the two part, the archive's
/// stands; so it does where `is_kept` says that the archive has an entry of the id and keeps it as
/// it is, whose standing further decisions would contradict.
pub(super) fn fates(
    backed_up: &[Decision],
    stored: &[Decision],
    is_kept: impl Fn(&EntryId) -> bool,
) -> Vec<LogFate> {
    let known = by_entry(stored);
    let mut fates = vec![LogFate::LeftOut; backed_up.len()];
    for (id, theirs) in by_entry(backed_up) {
        let ours = known.get(id).map_or(&[][..], Vec::as_slice);
        let shared = theirs
            .iter()
            .zip(ours)
            .enumerate()
            .take_while(|(_, ((_, theirs_one), (_, ours_one)))| {
                is_same(theirs_one, &theirs, ours_one, ours)
            })
            .count();
        for (place, (index, _)) in theirs.iter().enumerate() {
            fates[*index] = if place < shared {
                LogFate::Present(ours[place].1.number)
            } else if shared == ours.len() && !is_kept(id) {
                LogFate::Appended
            } else {
                LogFate::LeftOut
            };
        }
    }
    fates
}

type History<'a> = Vec<(usize, &'a Decision)>;

fn by_entry(decisions: &[Decision]) -> HashMap<&EntryId, History<'_>> {
    let mut by_entry: HashMap<&EntryId, History<'_>> = HashMap::new();
    for (index, decision) in decisions.iter().enumerate() {
        by_entry
            .entry(&decision.entry_id)
            .or_default()
            .push((index, decision));
    }
    by_entry
}

/// Whether two decisions are one. Their numbers may differ between two logs, so that what one takes
/// back is compared by its place in the history.
fn is_same(
    one: &Decision,
    its_history: &[(usize, &Decision)],
    other: &Decision,
    other_history: &[(usize, &Decision)],
) -> bool {
    let undone = |decision: &Decision, history: &[(usize, &Decision)]| {
        let number = decision.undoes?;
        history.iter().position(|(_, older)| older.number == number)
    };
    let plain = |decision: &Decision| Decision {
        number: 0,
        undoes: None,
        undone_by: None,
        ..decision.clone()
    };
    plain(one) == plain(other)
        && one.undoes.is_some() == other.undoes.is_some()
        && undone(one, its_history) == undone(other, other_history)
}

#[cfg(test)]
mod tests {
    use recall_core::ReviewAction;

    use super::*;

    fn decision(number: i64, id: &str, note: &str, undoes: Option<i64>) -> Decision {
        Decision {
            number,
            entry_id: EntryId::new(id).unwrap(),
            action: undoes.map_or(ReviewAction::Reject, |_| ReviewAction::Undo),
            reviewer: "kim".to_owned(),
            at: "2026-03-04T05:06:07.000Z".parse().unwrap(),
            note: note.to_owned(),
            standing: None,
            other: None,
            undoes,
            undone_by: None,
        }
    }

    use LogFate::{Appended, LeftOut, Present};

    #[test]
    fn what_follows_the_archives_history_is_appended() {
        let backed_up = [
            decision(1, "a", "x", None),
            decision(2, "b", "y", None),
            decision(3, "a", "", Some(1)),
        ];
        assert_eq!(fates(&backed_up, &[], |_| false), [Appended; 3]);
        let stored = [decision(7, "a", "x", None)];
        assert_eq!(
            fates(&backed_up, &stored, |_| false),
            [Present(7), Appended, Appended]
        );
        let further = [
            decision(7, "a", "x", None),
            decision(8, "a", "", Some(7)),
            decision(9, "a", "again", None),
        ];
        assert_eq!(
            fates(&backed_up, &further, |_| false),
            [Present(7), Appended, Present(8)]
        );
    }

    #[test]
    fn where_two_histories_part_the_archives_stands() {
        let backed_up = [decision(1, "a", "x", None), decision(2, "a", "y", None)];
        let stored = [decision(1, "a", "x", None), decision(2, "a", "z", None)];
        assert_eq!(fates(&backed_up, &stored, |_| false), [Present(1), LeftOut]);
        assert_eq!(fates(&backed_up, &[], |_| true), [LeftOut; 2]);
    }
}
