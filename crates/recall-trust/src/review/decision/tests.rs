use super::*;
use crate::fixtures::{entry_id, trusted_entry};

fn someone() -> Reviewer {
    Reviewer::new("kim").unwrap()
}

fn entry(review_state: ReviewState, status: Status) -> Entry {
    Entry {
        review_state,
        status,
        transferable: false,
        ..trusted_entry()
    }
}

fn unreviewed() -> Entry {
    entry(ReviewState::UnreviewedAuto, Status::Accepted)
}

fn accept(transferable: bool) -> Verdict<'static> {
    Verdict::Accept {
        transferable,
        entry_type: None,
    }
}

fn decided(entry: &Entry, verdict: &Verdict<'_>) -> Result<Change, ReviewError> {
    decide(entry, verdict, "", &someone())
}

// S-E06
#[test]
fn accepting_grants_human_reviewed_and_settles_transferability() {
    for transferable in [true, false] {
        let change = decided(&unreviewed(), &accept(transferable)).unwrap();
        assert_eq!(change.after.review_state, ReviewState::HumanReviewed);
        assert_eq!(change.after.transferable, transferable);
        assert_eq!(change.after.status, Status::Accepted);
        assert_eq!(change.before, Standing::of(&unreviewed()));
    }
}

#[test]
fn accepting_again_may_change_transferability_and_nothing_is_no_decision() {
    let reviewed = entry(ReviewState::HumanReviewed, Status::Accepted);
    assert!(
        decided(&reviewed, &accept(true))
            .unwrap()
            .after
            .transferable
    );
    assert_eq!(
        decided(&reviewed, &accept(false)).unwrap_err().to_string(),
        "entry e1 is already as this accept would leave it"
    );
}

#[test]
fn a_claimed_kind_is_granted_by_naming_it_and_dropped_otherwise() {
    let mut claiming = unreviewed();
    claiming.claimed_type = Some(EntryType::Preference);
    let named = Verdict::Accept {
        transferable: true,
        entry_type: Some(EntryType::Preference),
    };
    let after = decided(&claiming, &named).unwrap().after;
    assert_eq!(
        (after.entry_type, after.claimed_type),
        (EntryType::Preference, None)
    );
    let after = decided(&claiming, &accept(true)).unwrap().after;
    assert_eq!(
        (after.entry_type, after.claimed_type),
        (EntryType::Fact, None)
    );
}

#[test]
fn an_edit_cannot_give_a_kind_that_only_acceptance_gives() {
    let edit = |kind| {
        Verdict::Edit(Edit {
            entry_type: Some(kind),
            ..Edit::default()
        })
    };
    assert!(matches!(
        decided(&unreviewed(), &edit(EntryType::Procedure)),
        Err(ReviewError::NeedsAcceptance { .. })
    ));
    assert!(decided(&unreviewed(), &edit(EntryType::Warning)).is_ok());
    let reviewed = entry(ReviewState::HumanReviewed, Status::Accepted);
    assert!(decided(&reviewed, &edit(EntryType::Procedure)).is_err());
    let accepted = Verdict::Accept {
        transferable: true,
        entry_type: Some(EntryType::Procedure),
    };
    assert!(decided(&reviewed, &accepted).is_ok(), "by naming it");
}

#[test]
fn an_edit_keeps_what_it_does_not_name_and_says_something() {
    let edit = |edit| decided(&unreviewed(), &Verdict::Edit(edit));
    let change = edit(Edit {
        body: Some("Another body.".to_owned()),
        scope: Some(Scope::Global),
        ..Edit::default()
    })
    .unwrap();
    let wording = change.wording.unwrap();
    assert_eq!(
        (wording.title.as_str(), wording.body.as_str()),
        ("A title", "Another body.")
    );
    assert_eq!(wording.scope, Scope::Global);
    assert_eq!(change.after, change.before, "who vouches for it stays");

    assert!(matches!(
        edit(Edit::default()),
        Err(ReviewError::NothingChanges { .. })
    ));
    for (title, what) in [
        (" ", "needs a title"),
        ("a\nb", "one line"),
        (&"x".repeat(501), "500"),
    ] {
        let error = edit(Edit {
            title: Some(title.to_owned()),
            ..Edit::default()
        })
        .unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[test]
fn a_rejection_says_why_and_happens_once() {
    let refused = decide(&unreviewed(), &Verdict::Reject, " ", &someone());
    assert_eq!(refused, Err(ReviewError::NoReason(entry_id("e1"))));
    let change = decide(&unreviewed(), &Verdict::Reject, "outdated", &someone()).unwrap();
    assert_eq!(change.after.status, Status::Archived);
    let mut rejected = entry(ReviewState::UnreviewedAuto, Status::Archived);
    rejected.is_rejected = true;
    let again = decide(&rejected, &Verdict::Reject, "outdated", &someone());
    assert_eq!(again, Err(ReviewError::AlreadyRejected(entry_id("e1"))));
    assert!(decided(&rejected, &Verdict::Restore { successor: None }).is_ok());
}

#[test]
fn a_reviewed_entry_can_still_be_archived_and_restored() {
    let reviewed = entry(ReviewState::HumanReviewed, Status::Accepted);
    let change = decided(&reviewed, &Verdict::Archive).unwrap();
    assert_eq!(change.after.status, Status::Archived);
    assert_eq!(change.after.review_state, ReviewState::HumanReviewed);
    assert_eq!(
        decided(&reviewed, &Verdict::Restore { successor: None }),
        Err(ReviewError::NotArchived(entry_id("e1")))
    );
    let archived = entry(ReviewState::HumanReviewed, Status::Archived);
    for verdict in [accept(true), Verdict::Edit(Edit::default())] {
        assert_eq!(
            decided(&archived, &verdict),
            Err(ReviewError::Archived(entry_id("e1")))
        );
    }
    assert_eq!(
        decided(&archived, &Verdict::Archive),
        Err(ReviewError::AlreadyArchived(entry_id("e1")))
    );
}

// S-E08
#[test]
fn evaluation_material_is_never_accepted_and_replaces_nothing() {
    let mut raw = entry(ReviewState::EvalRaw, Status::Accepted);
    raw.id = entry_id("raw");
    let refused = ReviewError::EvaluationMaterial(entry_id("raw"));
    assert_eq!(decided(&raw, &accept(true)), Err(refused.clone()));
    let replace = Verdict::Supersede { by: &raw };
    assert_eq!(decided(&unreviewed(), &replace), Err(refused));
}

// S-R03, S-R04
#[test]
fn a_person_is_bound_by_the_rules_of_supersession() {
    let target = unreviewed();
    let mut by = trusted_entry();
    by.id = entry_id("e2");
    let change = decided(&target, &Verdict::Supersede { by: &by }).unwrap();
    assert_eq!(change.after.status, Status::Archived);
    assert_eq!(change.link, Some(Link::Tie(entry_id("e2"))));

    let refused = |by: &Entry, target: &Entry| {
        decided(target, &Verdict::Supersede { by })
            .unwrap_err()
            .to_string()
    };
    let spoil = |spoil: fn(&mut Entry)| {
        let mut spoilt = by.clone();
        spoil(&mut spoilt);
        refused(&spoilt, &trusted_entry())
    };
    assert!(spoil(|by| by.provenance_ok = false).contains("cannot supersede provenance-valid"));
    assert!(spoil(|by| by.status = Status::Archived).contains("only an accepted entry"));
    assert!(spoil(|by| by.supersedes = Some(entry_id("e0"))).contains("already replaces e0"));
    assert!(spoil(|by| by.review_state = ReviewState::UnreviewedAuto).contains("accept e2 first"));
    assert!(refused(&target, &target).contains("cannot supersede itself"));
    let mut replaced = target;
    replaced.superseded_by = Some(entry_id("e9"));
    replaced.status = Status::Archived;
    assert!(refused(&by, &replaced).contains("e9 replaced it"));
}

#[test]
fn what_was_replaced_comes_back_only_when_its_successor_went() {
    let mut replaced = entry(ReviewState::HumanReviewed, Status::Archived);
    replaced.superseded_by = Some(entry_id("e2"));
    let mut successor = trusted_entry();
    successor.id = entry_id("e2");
    let restore = |successor: &Entry| {
        decided(
            &replaced,
            &Verdict::Restore {
                successor: Some(successor),
            },
        )
    };
    assert!(matches!(
        restore(&successor),
        Err(ReviewError::Replaced { .. })
    ));
    successor.status = Status::Archived;
    successor.superseded_by = Some(entry_id("e3"));
    assert!(restore(&successor).is_err(), "e3 ends the chain");
    successor.superseded_by = None;
    let change = restore(&successor).unwrap();
    assert_eq!(change.link, Some(Link::Cut(entry_id("e2"))));
    assert_eq!(change.after.status, Status::Accepted);
}
