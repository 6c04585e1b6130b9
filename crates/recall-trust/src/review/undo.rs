//! Taking a decision back.

use recall_core::{Entry, ReviewAction};

use super::ReviewError;
use super::decision::{Change, Decision, Link, Standing, Wording};

/// The change that takes a decision back. `wording` is the wording that the decision replaced, if it
/// replaced one.
///
/// # Errors
/// [`ReviewError::ChangedSince`] if the entry does not stand as the decision left it: what came
/// later is taken back first. [`ReviewError::WordingGone`] if the decision changed the wording alone
/// and what it replaced is not kept any more, so that taking it back would change nothing.
pub fn take_back(
    decision: &Decision,
    entry: &Entry,
    wording: Option<Wording>,
) -> Result<Change, ReviewError> {
    let now = Standing::of(entry);
    let changed = || ReviewError::ChangedSince(entry.id.clone());
    let (before, after) = decision.standing.ok_or_else(changed)?;
    if after != now || decision.undone_by.is_some() || decision.undoes.is_some() {
        return Err(changed());
    }
    if decision.action == ReviewAction::Edit && before == after && wording.is_none() {
        return Err(ReviewError::WordingGone(entry.id.clone()));
    }
    let link = match (&decision.other, decision.action) {
        (Some(other), ReviewAction::Restore) => Some(Link::Tie(other.clone())),
        (Some(other), _) if entry.superseded_by.as_ref() == Some(other) => {
            Some(Link::Cut(other.clone()))
        }
        (Some(_), _) => return Err(changed()),
        (None, _) => None,
    };
    Ok(Change {
        action: ReviewAction::Undo,
        before: now,
        after: before,
        wording,
        link,
    })
}

#[cfg(test)]
mod tests {
    use recall_core::{EntryType, ReviewState, Status};

    use super::*;
    use crate::fixtures::{entry_id, now, trusted_entry};
    use crate::review::{Edit, Reviewer, Verdict, decide};

    fn recorded(entry: &Entry, verdict: &Verdict<'_>, note: &str) -> (Entry, Decision) {
        let change = decide(entry, verdict, note, &Reviewer::new("kim").unwrap()).unwrap();
        let mut changed = entry.clone();
        changed.status = change.after.status;
        changed.review_state = change.after.review_state;
        changed.transferable = change.after.transferable;
        changed.entry_type = change.after.entry_type;
        changed.claimed_type = change.after.claimed_type;
        if let Some(Link::Tie(other)) = &change.link {
            changed.superseded_by = Some(other.clone());
        }
        let decision = Decision {
            number: 1,
            entry_id: entry.id.clone(),
            action: change.action,
            reviewer: "kim".to_owned(),
            at: now(),
            note: note.to_owned(),
            standing: Some((change.before, change.after)),
            other: change.link.map(|link| link.other().clone()),
            undoes: None,
            undone_by: None,
        };
        (changed, decision)
    }

    #[test]
    fn every_decision_leads_back_to_where_it_came_from() {
        let mut unreviewed = trusted_entry();
        unreviewed.review_state = ReviewState::UnreviewedAuto;
        unreviewed.transferable = false;
        unreviewed.claimed_type = Some(EntryType::Decision);
        let mut other = trusted_entry();
        other.id = entry_id("e2");
        let verdicts = [
            Verdict::Accept {
                transferable: true,
                entry_type: Some(EntryType::Decision),
            },
            Verdict::Reject,
            Verdict::Archive,
            Verdict::Supersede { by: &other },
        ];
        for verdict in verdicts {
            let (changed, decision) = recorded(&unreviewed, &verdict, "why");
            let change = take_back(&decision, &changed, None).unwrap();
            assert_eq!(change.after, Standing::of(&unreviewed), "{verdict:?}");
            assert_eq!(change.action, ReviewAction::Undo);
        }
    }

    #[test]
    fn what_changed_since_or_was_taken_back_already_is_not_taken_back() {
        let entry = trusted_entry();
        let (mut changed, mut decision) = recorded(&entry, &Verdict::Archive, "");
        let refused = Err(ReviewError::ChangedSince(entry_id("e1")));
        changed.transferable = false;
        assert_eq!(take_back(&decision, &changed, None), refused);
        changed.transferable = true;
        decision.undone_by = Some(2);
        assert_eq!(take_back(&decision, &changed, None), refused);
    }

    #[test]
    fn an_edit_of_words_is_not_taken_back_without_the_words_before_it() {
        let entry = trusted_entry();
        let edit = Verdict::Edit(Edit {
            body: Some("Otherwise.".to_owned()),
            ..Edit::default()
        });
        let (changed, decision) = recorded(&entry, &edit, "");
        let gone = Err(ReviewError::WordingGone(entry_id("e1")));
        assert_eq!(take_back(&decision, &changed, None), gone);
        let wording = Wording::of(&entry);
        let change = take_back(&decision, &changed, Some(wording.clone())).unwrap();
        assert_eq!(change.wording, Some(wording));
    }

    #[test]
    fn a_cut_link_is_tied_again_and_a_tied_one_cut() {
        let mut by = trusted_entry();
        by.id = entry_id("e2");
        let (mut replaced, decision) =
            recorded(&trusted_entry(), &Verdict::Supersede { by: &by }, "");
        let change = take_back(&decision, &replaced, None).unwrap();
        assert_eq!(change.link, Some(Link::Cut(entry_id("e2"))));
        replaced.superseded_by = Some(entry_id("e3"));
        assert!(take_back(&decision, &replaced, None).is_err());

        by.status = Status::Archived;
        replaced.superseded_by = Some(by.id.clone());
        let restore = Verdict::Restore {
            successor: Some(&by),
        };
        let (mut restored, decision) = recorded(&replaced, &restore, "");
        restored.superseded_by = None;
        let change = take_back(&decision, &restored, None).unwrap();
        assert_eq!(change.link, Some(Link::Tie(entry_id("e2"))));
    }
}
