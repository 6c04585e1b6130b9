//! Decisions of people, from the queue to the log and back (B-01, B-13).

use recall_core::{
    EntryId, EntryType, Ordinal, OrdinalRange, ReviewAction, ReviewState, SessionId, Speaker,
    Status,
};
use recall_engine::{
    EngineError, QueueRequest, ReverifyScope, ReviewRequest, Reviewed, ScreenError,
};
use recall_store::Durability;
use recall_trust::evidence::{Selection, bind, window};
use recall_trust::insertion::{Draft, NewEntry, Provenance};
use recall_trust::review::{AutomatedReview, Edit};
use recall_trust::trusted::is_trusted;

use crate::world::{PLACEHOLDER, VERIFIED, World, line, outcomes, replacing, someone, world};

const ACCEPT: ReviewRequest = ReviewRequest::Accept {
    transferable: true,
    entry_type: None,
};

fn id(text: &str) -> EntryId {
    EntryId::new(text).unwrap()
}

impl World {
    /// What a program extracts from `s1`: it cites row 1 with its tool use and quotes its output.
    async fn extract(&self, entry: &str, entry_type: EntryType, body: &str) {
        let session = SessionId::new("s1").unwrap();
        let now = "2026-03-04T05:06:07.000Z".parse().unwrap();
        let range = OrdinalRange::new(Ordinal::new(1), Ordinal::new(1)).unwrap();
        let store = self.engine.store();
        let mut transaction = store.begin(Durability::PowerCut).await.unwrap();
        let messages = transaction.cited_messages(&session, range).await.unwrap();
        let activity = transaction.session_activity(&session, now).await.unwrap();
        let window = window(session.clone(), range, messages, activity).unwrap();
        let selection = Selection {
            range,
            tool_use_ids: vec![recall_core::ToolUseId::new("t1").unwrap()],
        };
        let evidence = Provenance::Verified(bind(&window, &selection).unwrap());
        let draft = Draft {
            entry_type,
            project: "lantern".to_owned(),
            extractor_method: "rules".to_owned(),
            ..Draft::new(id(entry), session, format!("Title of {entry}"), body)
        };
        let quote = ["database is locked".to_owned()];
        let review = AutomatedReview::Unreviewed;
        let new = NewEntry::automated(draft, review, &evidence, &quote, now).unwrap();
        transaction.insert(&new, now).await.unwrap();
        transaction.commit().await.unwrap();
    }

    async fn decide(&self, entry: &str, request: ReviewRequest) -> Reviewed {
        self.try_deciding(entry, request, "why").await.unwrap()
    }

    async fn try_deciding(
        &self,
        entry: &str,
        request: ReviewRequest,
        note: &str,
    ) -> Result<Reviewed, EngineError> {
        self.engine
            .review(&id(entry), &request, note, &someone())
            .await
    }

    async fn undo(&self) -> Option<Reviewed> {
        self.engine.undo(&someone()).await.unwrap()
    }

    async fn waiting(&self) -> Vec<String> {
        let queue = self.engine.review_queue(&QueueRequest::default()).await;
        let entries = queue.unwrap().entries;
        entries.iter().map(|entry| entry.id.to_string()).collect()
    }
}

// S-E06, S-X10
#[tokio::test]
async fn an_extracted_entry_becomes_trusted_by_a_persons_acceptance_alone() {
    let world = world().await;
    world.extract("e", EntryType::Warning, "One writer.").await;
    assert_eq!(world.waiting().await, ["e"]);
    let reviewed = world.decide("e", ACCEPT).await;
    let entry = reviewed.entry.unwrap();
    assert!(is_trusted(&entry));
    assert_eq!(reviewed.decision.reviewer, "kim");
    assert_eq!(reviewed.decision.note, "why");
    let (before, after) = reviewed.decision.standing.unwrap();
    assert_eq!(before.review_state, ReviewState::UnreviewedAuto);
    assert_eq!(after.review_state, ReviewState::HumanReviewed);
    assert_eq!(world.waiting().await, [""; 0]);
}

#[tokio::test]
async fn what_a_tool_said_is_a_preference_only_once_a_person_accepts_it_as_one() {
    let world = world().await;
    world
        .extract("e", EntryType::Preference, "Always force it.")
        .await;
    let entry = world.entry("e").await.unwrap();
    assert_eq!(entry.entry_type, EntryType::Fact);
    assert_eq!(entry.claimed_type, Some(EntryType::Preference));
    assert_eq!(entry.speakers(), [Speaker::ToolOutput].into());
    let edit = ReviewRequest::Edit(Edit {
        entry_type: Some(EntryType::Preference),
        ..Edit::default()
    });
    assert!(world.try_deciding("e", edit, "").await.is_err());
    let granted = ReviewRequest::Accept {
        transferable: false,
        entry_type: Some(EntryType::Preference),
    };
    let entry = world.decide("e", granted).await.entry.unwrap();
    assert_eq!(entry.entry_type, EntryType::Preference);
    assert_eq!(entry.claimed_type, None);
    let entry = world.undo().await.unwrap().entry.unwrap();
    assert_eq!(entry.entry_type, EntryType::Fact);
    assert_eq!(entry.claimed_type, Some(EntryType::Preference));
}

#[tokio::test]
async fn an_edit_keeps_the_original_and_can_be_taken_back() {
    let world = world().await;
    world.import(&[line("a", "")], VERIFIED).await;
    for body in ["Better.", "Best."] {
        let edit = ReviewRequest::Edit(Edit {
            body: Some(body.to_owned()),
            ..Edit::default()
        });
        world.decide("a", edit).await;
    }
    let history = world.engine.history(&id("a")).await.unwrap();
    let bodies: Vec<&str> = history
        .wordings
        .iter()
        .map(|row| row.wording.body.as_str())
        .collect();
    let original = "Two writers on one file lock the database.";
    assert_eq!(bodies, [original, "Better."]);

    let again = world.import(&[line("a", "")], VERIFIED).await;
    assert_eq!(outcomes(&again), ["duplicate"], "the file did not change");

    for body in ["Better.", original] {
        let undone = world.undo().await.unwrap();
        assert_eq!(undone.undone.unwrap().action, ReviewAction::Edit);
        assert_eq!(undone.entry.unwrap().body, body);
    }
    assert!(world.undo().await.is_none());
    let decisions = world.engine.history(&id("a")).await.unwrap().decisions;
    assert_eq!(decisions.len(), 4, "nothing leaves the log");
}

#[tokio::test]
async fn an_edit_or_a_note_with_a_credential_is_refused() {
    let world = world().await;
    world.import(&[line("a", "")], VERIFIED).await;
    let token = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let edit = ReviewRequest::Edit(Edit {
        body: Some(format!("Use {token}")),
        ..Edit::default()
    });
    for result in [
        world.try_deciding("a", edit, "").await,
        world
            .try_deciding("a", ReviewRequest::Archive, &token)
            .await,
    ] {
        let error = result.unwrap_err();
        assert!(
            matches!(error, EngineError::Screen(ScreenError::Secret { .. })),
            "{error}"
        );
        assert!(!error.to_string().contains(&token));
    }
    assert_eq!(world.entry("a").await.unwrap().status, Status::Accepted);
}

#[tokio::test]
async fn a_rejected_id_stays_rejected_when_it_comes_again_until_it_is_restored() {
    let world = world().await;
    world.extract("e", EntryType::Warning, "One writer.").await;
    let entry = world
        .decide("e", ReviewRequest::Reject)
        .await
        .entry
        .unwrap();
    assert!(entry.is_rejected && entry.status == Status::Archived);

    let store = world.engine.store();
    let mut transaction = store.begin(Durability::PowerCut).await.unwrap();
    transaction.forget_entries(true).await.unwrap();
    transaction.commit().await.unwrap();
    world.extract("e", EntryType::Warning, "One writer.").await;
    let entry = world.entry("e").await.unwrap();
    assert!(entry.is_rejected && entry.status == Status::Archived);
    assert!(world.undo().await.is_none(), "decided on the entry before");

    let entry = world
        .decide("e", ReviewRequest::Restore)
        .await
        .entry
        .unwrap();
    assert!(!entry.is_rejected && entry.status == Status::Accepted);
    assert_eq!(world.waiting().await, ["e"]);
    let entry = world.undo().await.unwrap().entry.unwrap();
    assert!(entry.is_rejected && entry.status == Status::Archived);
}

#[tokio::test]
async fn a_rejected_id_is_no_import_until_it_is_restored() {
    let world = world().await;
    world.import(&[line("a", "")], VERIFIED).await;
    world.decide("a", ReviewRequest::Reject).await;
    let report = world.import(&[line("a", "")], VERIFIED).await;
    assert_eq!(outcomes(&report), ["rejected"], "while it is stored too");
    let store = world.engine.store();
    let mut transaction = store.begin(Durability::PowerCut).await.unwrap();
    transaction.forget_entries(true).await.unwrap();
    transaction.commit().await.unwrap();
    let report = world.import(&[line("a", "")], VERIFIED).await;
    assert_eq!(outcomes(&report), ["rejected"]);
    let reviewed = world.decide("a", ReviewRequest::Restore).await;
    assert!(reviewed.entry.is_none(), "there is only the decision");
    let report = world.import(&[line("a", "")], VERIFIED).await;
    assert_eq!(outcomes(&report), ["ok"]);
    assert!(is_trusted(&world.entry("a").await.unwrap()));
}

// S-R03
#[tokio::test]
async fn a_chain_is_read_from_either_end_and_each_link_can_be_taken_back() {
    let world = world().await;
    world
        .import(&[line("a", ""), line("c", "")], VERIFIED)
        .await;
    world.import(&[replacing("b", "a")], VERIFIED).await;
    let by = ReviewRequest::Supersede { by: id("c") };
    world.decide("b", by.clone()).await;
    for asked in ["a", "b", "c"] {
        let chain = world.engine.history(&id(asked)).await.unwrap().chain;
        let chain: Vec<&str> = chain.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(chain, ["a", "b", "c"], "from {asked}");
    }
    // No circle, no second successor, no second predecessor.
    for (target, by) in [("c", "a"), ("a", "c"), ("b", "c")] {
        let again = ReviewRequest::Supersede { by: id(by) };
        assert!(world.try_deciding(target, again, "").await.is_err());
    }
    assert!(
        world
            .try_deciding("a", ReviewRequest::Restore, "")
            .await
            .is_err()
    );

    let undone = world.undo().await.unwrap().entry.unwrap();
    assert_eq!((undone.id.as_str(), undone.status), ("b", Status::Accepted));
    assert_eq!(world.entry("c").await.unwrap().supersedes, None);
    let undone = world.undo().await.unwrap();
    assert_eq!(undone.undone.unwrap().note, "imported");
    let old = undone.entry.unwrap();
    assert_eq!((old.id.as_str(), old.status), ("a", Status::Accepted));
    assert_eq!(old.superseded_by, None);
}

#[tokio::test]
async fn a_retired_successor_lets_its_predecessor_come_back() {
    let world = world().await;
    world.import(&[line("a", "")], VERIFIED).await;
    world.import(&[replacing("b", "a")], VERIFIED).await;
    world.decide("b", ReviewRequest::Archive).await;
    let old = world
        .decide("a", ReviewRequest::Restore)
        .await
        .entry
        .unwrap();
    assert_eq!((old.status, &old.superseded_by), (Status::Accepted, &None));
    assert_eq!(world.entry("b").await.unwrap().supersedes, None);
    let old = world.undo().await.unwrap().entry.unwrap();
    assert_eq!(old.superseded_by, Some(id("b")));
    assert_eq!(world.entry("b").await.unwrap().supersedes, Some(id("a")));
}

#[tokio::test]
async fn an_entry_is_seen_beside_what_it_cites_and_what_resembles_it() {
    let world = world().await;
    world.import(&[line("a", "")], VERIFIED).await;
    let body = "Two writers on one file lock the database.";
    world.extract("e", EntryType::Warning, body).await;
    let item = world.engine.review_item(&id("e")).await.unwrap();
    let [passage] = item.passages.as_slice() else {
        panic!("{:?}", item.passages);
    };
    assert_eq!(passage.messages.len(), 1);
    assert_eq!(passage.messages[0].content, "Running them");
    let twins: Vec<&str> = item
        .duplicates
        .iter()
        .map(|(_, entry)| entry.id.as_str())
        .collect();
    assert_eq!(twins, ["a"]);
    assert!(item.decisions.is_empty());
}

// S-E03
#[tokio::test]
async fn a_reviewed_entry_whose_evidence_was_revoked_waits_for_a_person() {
    let world = world().await;
    world.import(&[line("a", "")], VERIFIED).await;
    world.store_session("Something else").await;
    assert_eq!(world.waiting().await, ["a"]);
    world.store_session("The tests fail").await;
    assert_eq!(world.waiting().await, ["a"], "it stays revoked");
    let report = world.engine.reverify(&ReverifyScope::All).await.unwrap();
    assert_eq!((report.sessions, report.confirmed.len()), (1, 0));
    assert_eq!(report.stay_revoked, 1);
    assert!(!world.entry("a").await.unwrap().provenance_ok);
}

#[tokio::test]
async fn evidence_that_was_only_claimed_is_confirmed_when_its_transcript_says_it() {
    let world = world().await;
    let quoting = |id: &str, quote: &str| {
        let evidence =
            format!(r#""evidence":{{"ordinal_start":0,"ordinal_end":1,"snippets":["{quote}"]}}"#);
        line(id, &evidence)
    };
    let lines = [
        quoting("right", "The tests fail"),
        quoting("wrong", "The tests pass"),
        line("elsewhere", r#""session_id":"ghost""#),
    ];
    world.import(&lines, PLACEHOLDER).await;
    assert!(!is_trusted(&world.entry("right").await.unwrap()));
    let report = world.engine.reverify(&ReverifyScope::All).await.unwrap();
    assert_eq!(report.confirmed, [id("right")]);
    let mut unconfirmed: Vec<&str> = report
        .unconfirmed
        .iter()
        .map(|(id, _)| id.as_str())
        .collect();
    unconfirmed.sort_unstable();
    assert_eq!(unconfirmed, ["elsewhere", "wrong"]);
    let entry = world.entry("right").await.unwrap();
    assert!(is_trusted(&entry));
    assert_eq!(entry.evidence[0].snippet(), "The tests fail");
    let ghost = ReverifyScope::Session(SessionId::new("nowhere").unwrap());
    assert!(matches!(
        world.engine.reverify(&ghost).await,
        Err(EngineError::SessionNotFound(_))
    ));
}

#[tokio::test]
async fn deleting_the_session_of_a_successor_passes_its_decision_over() {
    let world = world().await;
    world.import(&[line("a", "")], VERIFIED).await;
    world.decide("a", ReviewRequest::Archive).await;
    world.decide("a", ReviewRequest::Restore).await;
    let elsewhere = line("b", r#""session_id":"ghost","supersedes_entry_id":"a""#);
    let report = world.import(&[elsewhere], PLACEHOLDER).await;
    assert_eq!(outcomes(&report), ["problem"], "unverified over verified");

    let first = line("p", r#""session_id":"ghost""#);
    let second = line("q", r#""session_id":"ghost2","supersedes_entry_id":"p""#);
    world.import(&[first, second], PLACEHOLDER).await;
    let removal = world
        .engine
        .store()
        .delete_session(
            &SessionId::new("ghost2").unwrap(),
            "2026-03-05T00:00:00Z".parse().unwrap(),
        )
        .await
        .unwrap()
        .unwrap();
    assert_eq!(removal.entries, [id("q")]);
    assert_eq!(removal.restored, [id("p")]);
    assert_eq!(world.entry("p").await.unwrap().status, Status::Accepted);
    let undone = world.undo().await.unwrap().undone.unwrap();
    assert_eq!(undone.action, ReviewAction::Restore, "not the supersession");
}
