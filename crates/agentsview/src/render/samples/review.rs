//! Entries under review, and what was decided about them.

use agentsview_api::{HistoryDocument, ReviewItemDocument, ReviewListDocument, ReviewedDocument};
use recall_core::{
    Confidence, Entry, EntryType, ReviewAction, ReviewState, Revocation, RevocationReason, Scope,
    Speaker, Status, ToolUseId,
};
use recall_engine::{History, Passage, ReviewItem, ReviewQueue, Reviewed};
use recall_lexical::similar::{Contradiction, Difference, Duplicate};
use recall_store::ReplacedWording;
use recall_trust::review::{Decision, Standing, Wording};

use super::{
    HOSTILE, entry_id, hostile_entry, parsed_messages, pool_entry, range, revoked_entry, time,
};

/// A rule that nobody said: a fact until a person grants it.
fn claimed_entry() -> Entry {
    let mut entry = Entry {
        id: entry_id("pool-size"),
        entry_type: EntryType::Fact,
        claimed_type: Some(EntryType::Preference),
        review_state: ReviewState::UnreviewedAuto,
        transferable: false,
        confidence: Some(Confidence::new(0.4).unwrap()),
        title: "Keep the pool at four".to_owned(),
        body: "The log advises a pool of four.".to_owned(),
        supersedes: None,
        ..pool_entry()
    };
    entry.evidence.truncate(1);
    entry.evidence[0].speakers = vec![Speaker::ToolOutput];
    entry
}

fn waiting_entry() -> Entry {
    Entry {
        status: Status::Accepted,
        superseded_by: None,
        review_state: ReviewState::HumanReviewed,
        transferable: true,
        revocation: Some(Revocation {
            reason: RevocationReason::ContentDigestMismatch,
            at: time("2026-03-06T07:08:09Z"),
        }),
        ..revoked_entry()
    }
}

fn decision(number: i64, entry: &Entry, action: ReviewAction) -> Decision {
    let after = Standing::of(entry);
    let before = Standing {
        review_state: ReviewState::UnreviewedAuto,
        claimed_type: match action {
            ReviewAction::Accept => Some(EntryType::Preference),
            _ => None,
        },
        ..after
    };
    Decision {
        number,
        entry_id: entry.id.clone(),
        action,
        reviewer: "kim".to_owned(),
        at: time("2026-03-05T00:00:00Z"),
        note: String::new(),
        standing: Some((before, after)),
        other: None,
        undoes: None,
        undone_by: None,
    }
}

fn outcome(decision: Decision, undone: Option<Decision>, entry: Option<Entry>) -> ReviewedDocument {
    ReviewedDocument::from(&Reviewed {
        decision,
        undone,
        entry,
    })
}

/// One answer of each kind.
pub(in crate::render) fn decided() -> Vec<ReviewedDocument> {
    let trusted = pool_entry();
    let mut granted = claimed_entry();
    granted.review_state = ReviewState::HumanReviewed;
    granted.claimed_type = None;
    let rejected = Entry {
        status: Status::Archived,
        is_rejected: true,
        ..claimed_entry()
    };
    let hostile = hostile_entry();
    let mut replaced = decision(6, &hostile, ReviewAction::Supersede);
    replaced.other = Some(hostile.id.clone());
    let mut back = decision(8, &trusted, ReviewAction::Restore);
    back.other = Some(entry_id("pool-sleep"));
    let mut gone = decision(9, &rejected, ReviewAction::Restore);
    gone.standing = None;
    let mut undo = decision(10, &granted, ReviewAction::Undo);
    undo.undoes = Some(3);
    let undone = decision(3, &granted, ReviewAction::Accept);
    vec![
        outcome(
            decision(2, &trusted, ReviewAction::Accept),
            None,
            Some(trusted.clone()),
        ),
        outcome(
            decision(3, &granted, ReviewAction::Accept),
            None,
            Some(granted.clone()),
        ),
        outcome(
            decision(4, &hostile, ReviewAction::Edit),
            None,
            Some(hostile.clone()),
        ),
        outcome(
            decision(5, &rejected, ReviewAction::Reject),
            None,
            Some(rejected.clone()),
        ),
        outcome(replaced, None, Some(hostile)),
        outcome(
            decision(7, &rejected, ReviewAction::Archive),
            None,
            Some(rejected),
        ),
        outcome(back, None, Some(trusted)),
        outcome(gone, None, None),
        outcome(undo, Some(undone), Some(granted)),
    ]
}

/// A chain of two, of which the newer one was edited twice.
pub(in crate::render) fn history() -> HistoryDocument {
    let entry = pool_entry();
    let wording = |number: i64, title: &str, trigger: &str| ReplacedWording {
        entry_id: entry.id.clone(),
        replaced_by: number,
        wording: Wording {
            title: title.to_owned(),
            trigger: trigger.to_owned(),
            scope: Scope::Project,
            ..Wording::of(&entry)
        },
    };
    let mut edited = decision(2, &entry, ReviewAction::Edit);
    edited.note = HOSTILE.to_owned();
    edited.undone_by = Some(3);
    let mut undo = decision(3, &entry, ReviewAction::Undo);
    undo.undoes = Some(2);
    HistoryDocument::from(&History {
        id: entry.id.clone(),
        wordings: vec![
            wording(2, "Close the pool", ""),
            wording(3, HOSTILE, "a test hangs"),
        ],
        chain: vec![revoked_entry(), entry.clone()],
        decisions: vec![decision(1, &entry, ReviewAction::Accept), edited, undo],
    })
}

/// Three entries that wait for three reasons, of seven.
pub(in crate::render) fn queue() -> ReviewListDocument {
    ReviewListDocument::from(&ReviewQueue {
        entries: vec![
            claimed_entry(),
            waiting_entry(),
            Entry {
                review_state: ReviewState::UnreviewedAuto,
                is_source_withdrawn: true,
                ..hostile_entry()
            },
        ],
        total: 7,
    })
}

/// An entry beside hostile evidence, a near-duplicate and two contradictions.
pub(in crate::render) fn review_item() -> ReviewItemDocument {
    let entry = claimed_entry();
    let contradiction = |difference| Contradiction {
        id: entry_id("pool-sleep"),
        subject: HOSTILE.to_owned(),
        difference,
    };
    let values = Difference::Values {
        ours: "4".to_owned(),
        theirs: "16".to_owned(),
    };
    let negation = Difference::Negation {
        ours: "The log advises a pool of four.".to_owned(),
        theirs: HOSTILE.to_owned(),
    };
    ReviewItemDocument::from(&ReviewItem {
        passages: vec![
            Passage {
                range: range(3, 5),
                tool_use_ids: vec![ToolUseId::new("call_7").unwrap()],
                messages: parsed_messages(),
            },
            Passage {
                range: range(9, 9),
                tool_use_ids: Vec::new(),
                messages: Vec::new(),
            },
        ],
        duplicates: vec![(
            Duplicate {
                id: entry_id("pool-close"),
                similarity: 0.875,
            },
            pool_entry(),
        )],
        contradictions: vec![
            (contradiction(values), revoked_entry()),
            (contradiction(negation), hostile_entry()),
        ],
        decisions: vec![decision(1, &entry, ReviewAction::Archive)],
        entry,
    })
}
