use recall_core::{Ordinal, OrdinalRange, SourceUuid};

use super::*;
use crate::evidence::{EvidenceError, SessionActivity, bind, window};
use crate::fixtures::{
    call, candidate, draft, entry_id, message, message_with_calls, now, range, session, tool,
    trusted_entry,
};

/// Evidence for messages 3 to 5 of a session.
fn bound(session_id: &str, selected: OrdinalRange) -> BoundEvidence {
    let messages = (3..=5)
        .map(|ordinal| message(ordinal, "The backup job holds the lock."))
        .collect();
    let window = window(
        session(session_id),
        range(3, 5),
        messages,
        SessionActivity::default(),
    )
    .unwrap();
    let selection = Selection {
        range: selected,
        tool_use_ids: vec![],
    };
    bind(&window, &selection).unwrap()
}

// S-E04, S-E06
#[test]
fn model_090_and_091_a_verified_line_becomes_a_trusted_entry_with_the_hosts_ids_and_digest() {
    let mut candidate = candidate("c1");
    candidate.snippets = vec!["backup job".to_owned()];
    let new = NewEntry::verified(&candidate, &bound("s1", range(3, 5)), now()).unwrap();
    let entry = new.entry();
    assert!(crate::trusted::is_trusted(entry));
    let row = &entry.evidence[0];
    assert_eq!(row.start_uuid, SourceUuid::new("source-a-3").ok());
    assert_eq!(row.end_uuid, SourceUuid::new("source-a-5").ok());
    assert!(row.content_digest.is_some() && row.opening_digest.is_some());
    assert_eq!(row.message_count, Some(3));
    assert_eq!(row.snippet(), "backup job");
    assert!(candidate.same_content(entry));
}

// S-R04
#[test]
fn model_106_a_placeholder_line_is_never_verified() {
    let mut candidate = candidate("c1");
    candidate.selection.tool_use_ids = vec![tool("t2"), tool("t1"), tool("t2")];
    candidate.snippets = vec!["quoted".to_owned()];
    let entry = NewEntry::placeholder(&candidate, now())
        .unwrap()
        .into_entry();
    assert!(!entry.provenance_ok && entry.transferable);
    assert_eq!(entry.review_state, ReviewState::HumanReviewed);
    assert_eq!(entry.evidence.len(), 2);
    for row in &entry.evidence {
        assert_eq!((&row.content_digest, &row.opening_digest), (&None, &None));
        assert_eq!((&row.start_uuid, &row.end_uuid), (&None, &None));
        assert_eq!(row.session_id, entry.source_session_id);
    }
    assert_eq!(entry.evidence[0].snippet(), "quoted");
    assert_eq!(entry.evidence[1].snippet(), "");
}

// S-E05
#[test]
fn model_008_evidence_of_another_session_is_refused_by_both_names() {
    let error = NewEntry::verified(&candidate("c1"), &bound("s2", range(3, 5)), now()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "entry c1 belongs to session s1, but its evidence cites session s2; an entry cites only \
         its own session"
    );
}

// S-E04
#[test]
fn evidence_bound_for_another_selection_is_refused() {
    let error = NewEntry::verified(&candidate("c1"), &bound("s1", range(3, 4)), now()).unwrap_err();
    assert_eq!(error, InsertError::OtherSelection(entry_id("c1")));
}

// model weakness 1
#[test]
fn an_invented_snippet_is_refused() {
    let mut candidate = candidate("c1");
    candidate.snippets = vec!["never said this".to_owned()];
    let error = NewEntry::verified(&candidate, &bound("s1", range(3, 5)), now()).unwrap_err();
    assert!(matches!(
        error,
        InsertError::Evidence(EvidenceError::SnippetNotFound { .. })
    ));
}

// S-E06
#[test]
fn what_a_program_produced_is_neither_reviewed_nor_transferable() {
    let evidence = Provenance::Verified(bound("s1", range(3, 5)));
    let review = AutomatedReview::Unreviewed;
    let entry = NewEntry::automated(draft(), review, &evidence, &[], now())
        .unwrap()
        .into_entry();
    assert!(entry.provenance_ok && !entry.transferable);
    assert_eq!(entry.review_state, ReviewState::UnreviewedAuto);
}

/// A message in which only a tool speaks.
fn tool_only(name: &str) -> Provenance {
    let mut call = call(name, "t1", "{}");
    call.results = vec!["Always deploy on Fridays.".to_owned()];
    let messages = vec![message_with_calls(3, "", vec![call])];
    let window = window(
        session("s1"),
        range(3, 3),
        messages,
        SessionActivity::default(),
    )
    .unwrap();
    let selection = Selection {
        range: range(3, 3),
        tool_use_ids: vec![tool("t1")],
    };
    Provenance::Verified(bind(&window, &selection).unwrap())
}

#[test]
fn what_rests_on_tool_output_alone_is_no_preference_decision_or_procedure() {
    let store = |kind, evidence: &Provenance| {
        let draft = Draft {
            entry_type: kind,
            ..draft()
        };
        let review = AutomatedReview::Unreviewed;
        let entry = NewEntry::automated(draft, review, evidence, &[], now())
            .unwrap()
            .into_entry();
        (entry.entry_type, entry.claimed_type)
    };
    for kind in [
        EntryType::Preference,
        EntryType::Decision,
        EntryType::Procedure,
    ] {
        for tool in ["Bash", "WebFetch"] {
            assert_eq!(store(kind, &tool_only(tool)), (EntryType::Fact, Some(kind)));
        }
        let said = Provenance::Verified(bound("s1", range(3, 5)));
        assert_eq!(store(kind, &said), (kind, None));
    }
    let warned = store(EntryType::Warning, &tool_only("Bash"));
    assert_eq!(warned, (EntryType::Warning, None));
}

#[test]
fn an_imported_line_keeps_such_a_kind_only_if_its_reviewer_names_who_speaks() {
    let Provenance::Verified(bound) = tool_only("WebFetch") else {
        panic!("not bound");
    };
    let mut candidate = candidate("c1");
    candidate.selection = Selection {
        range: range(3, 3),
        tool_use_ids: vec![tool("t1")],
    };
    candidate.draft.entry_type = EntryType::Procedure;
    let entry = NewEntry::verified(&candidate, &bound, now())
        .unwrap()
        .into_entry();
    assert_eq!(entry.entry_type, EntryType::Fact);
    assert_eq!(entry.claimed_type, Some(EntryType::Procedure));
    assert!(candidate.same_content(&entry), "no conflict with itself");

    candidate.speakers = [Speaker::FetchedPage].into();
    let entry = NewEntry::verified(&candidate, &bound, now())
        .unwrap()
        .into_entry();
    assert_eq!(entry.entry_type, EntryType::Procedure);
    assert_eq!(entry.claimed_type, None);

    candidate.speakers = [Speaker::User].into();
    assert_eq!(
        NewEntry::verified(&candidate, &bound, now())
            .unwrap_err()
            .to_string(),
        "evidence.speakers says user, but what is quoted was said by fetched_page; look again who \
         speaks"
    );
}

// model weakness 11
#[test]
fn without_evidence_there_is_no_verified_provenance() {
    let review = AutomatedReview::EvalRaw;
    let entry = NewEntry::automated(draft(), review, &Provenance::None, &[], now())
        .unwrap()
        .into_entry();
    assert!(!entry.provenance_ok && entry.evidence.is_empty());
    let quoted = ["quoted".to_owned()];
    assert_eq!(
        NewEntry::automated(draft(), review, &Provenance::None, &quoted, now()),
        Err(InsertError::SnippetsWithoutCitation)
    );
    let mut entry = trusted_entry();
    assert_eq!(
        check_entry(&entry),
        Err(InsertError::UnboundProvenance(entry_id("e1")))
    );
    entry.evidence = bound("s1", range(3, 5)).rows(&[]).unwrap();
    assert_eq!(check_entry(&entry), Ok(()));
    entry.evidence[0].content_digest = None;
    assert!(check_entry(&entry).is_err());
}

#[test]
fn an_entry_has_a_title_and_a_body() {
    let mut entry = trusted_entry();
    entry.provenance_ok = false;
    entry.body = " \n".to_owned();
    assert_eq!(
        check_entry(&entry).unwrap_err().to_string(),
        "entry e1 has no body"
    );
    entry.title.clear();
    assert_eq!(
        check_entry(&entry).unwrap_err().to_string(),
        "entry e1 has no title"
    );
}

// S-R03
#[test]
fn model_117_a_new_entry_has_no_successor_and_replaces_only_while_in_force() {
    let mut entry = trusted_entry();
    entry.provenance_ok = false;
    entry.supersedes = Some(entry_id("e1"));
    assert_eq!(
        check_entry(&entry),
        Err(InsertError::SupersedesItself(entry_id("e1")))
    );
    entry.supersedes = Some(entry_id("e0"));
    assert_eq!(check_entry(&entry), Ok(()));
    entry.status = Status::Archived;
    assert!(matches!(
        check_entry(&entry),
        Err(InsertError::ArchivedReplacement { .. })
    ));
    entry.supersedes = None;
    assert_eq!(check_entry(&entry), Ok(()));
    entry.superseded_by = Some(entry_id("e2"));
    assert!(matches!(
        check_entry(&entry),
        Err(InsertError::AlreadySuperseded { .. })
    ));
}

// model weakness 14
#[test]
fn a_draft_is_bounded_wherever_it_comes_from() {
    let mut large = draft();
    large.body = "x".repeat(limits::MAX_BODY_BYTES + 1);
    let review = AutomatedReview::Unreviewed;
    assert!(matches!(
        NewEntry::automated(large, review, &Provenance::None, &[], now()),
        Err(InsertError::Size(_))
    ));
}

#[test]
fn a_claimed_range_is_kept_as_claimed() {
    let claimed = Provenance::Claimed(Selection {
        range: OrdinalRange::new(Ordinal::new(7), Ordinal::new(9)).unwrap(),
        tool_use_ids: vec![],
    });
    let review = AutomatedReview::Calibrated;
    let entry = NewEntry::automated(draft(), review, &claimed, &[], now())
        .unwrap()
        .into_entry();
    assert_eq!(entry.evidence[0].range, range(7, 9));
    assert!(!claimed.is_verified() && !entry.provenance_ok);
}
