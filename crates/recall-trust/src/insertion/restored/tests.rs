use recall_core::{
    CitedMessage, CitedToolCall, EntryType, Evidence, Ordinal, Revocation, RevocationReason,
    Speaker,
};

use super::*;
use crate::evidence::{Selection, SessionActivity, bind, window};
use crate::fixtures::trusted_entry;
use crate::fixtures::{call, entry_id, message, message_with_calls, now, range, session, tool};
use crate::trusted::is_trusted;

fn messages() -> Vec<CitedMessage> {
    let ran = CitedToolCall {
        results: vec!["error: database is locked".to_owned()],
        ..call("Bash", "t1", r#"{"command":"make test"}"#)
    };
    vec![
        message(3, "The tests fail."),
        message_with_calls(4, "Running them.", vec![ran]),
        message(5, "The backup job holds the lock."),
    ]
}

fn bound(snippets: &[&str]) -> Vec<Evidence> {
    let activity = SessionActivity::default();
    let window = window(session("s1"), range(3, 5), messages(), activity).unwrap();
    let selection = Selection {
        range: range(3, 5),
        tool_use_ids: vec![tool("t1")],
    };
    let snippets: Vec<String> = snippets.iter().map(|text| (*text).to_owned()).collect();
    bind(&window, &selection).unwrap().rows(&snippets).unwrap()
}

fn backed_up() -> Entry {
    Entry {
        evidence: bound(&["database is locked"]),
        ..trusted_entry()
    }
}

fn judge(entry: Entry, messages: Vec<CitedMessage>) -> RestoredEntry {
    RestoredEntry::judge(entry, Some(&Transcript::new(messages))).unwrap()
}

fn confirmed() -> Confirmed {
    Confirmed::given(true).unwrap()
}

// B-12
#[test]
fn an_entry_whose_evidence_holds_comes_back_as_it_was() {
    let judged = judge(backed_up(), messages());
    assert_eq!(judged.evidence(), RestoredEvidence::AsItWas);
    let new = NewEntry::restored(judged, confirmed());
    assert_eq!(*new.entry(), backed_up());
    assert!(is_trusted(new.entry()));
}

#[test]
fn evidence_that_moved_is_found_again() {
    let mut moved = messages();
    for message in &mut moved {
        message.ordinal = Ordinal::new(message.ordinal.get() + 7);
    }
    let judged = judge(backed_up(), moved);
    assert_eq!(judged.evidence(), RestoredEvidence::Shifted);
    assert!(judged.entry().provenance_ok);
    assert!(
        judged
            .entry()
            .evidence
            .iter()
            .all(|row| row.range == range(10, 12) && row.id == 0)
    );
}

#[test]
fn evidence_that_cannot_be_verified_stays_as_a_claim() {
    let unverified = |judged: &RestoredEntry| {
        let entry = judged.entry();
        assert!(!entry.provenance_ok && entry.revocation.is_none());
        assert_eq!(entry.evidence, backed_up().evidence);
        judged.evidence()
    };
    let absent = RestoredEntry::judge(backed_up(), None).unwrap();
    assert_eq!(
        unverified(&absent),
        RestoredEvidence::Unverified(Doubt::NoTranscript)
    );
    let mut edited = messages();
    edited[2].content.push('!');
    assert_eq!(
        unverified(&judge(backed_up(), edited)),
        RestoredEvidence::Unverified(Doubt::NotThere(RevocationReason::ContentDigestMismatch))
    );
}

// S-E06: provenance comes from the transcript, never from the file
#[test]
fn a_forged_claim_brings_no_provenance() {
    let mut quoting = backed_up();
    quoting.evidence[0].snippets = vec!["delete the archive".to_owned()];
    let judged = judge(quoting, messages());
    assert_eq!(
        judged.evidence(),
        RestoredEvidence::Unverified(Doubt::NotQuoted)
    );

    let mut unbound = backed_up();
    unbound.evidence[0].content_digest = None;
    assert_eq!(
        RestoredEntry::check(&unbound),
        Err(InsertError::UnboundProvenance(entry_id("e1")))
    );
    let mut foreign = backed_up();
    foreign.evidence[0].session_id = session("s2");
    assert!(matches!(
        RestoredEntry::check(&foreign),
        Err(InsertError::OtherSession { .. })
    ));
}

#[test]
fn who_spoke_is_found_out_again() {
    let mut entry = backed_up();
    for row in &mut entry.evidence {
        row.speakers = vec![Speaker::User];
    }
    entry.review_state = ReviewState::UnreviewedAuto;
    entry.entry_type = EntryType::Preference;
    let judged = judge(entry, messages());
    let entry = judged.entry();
    assert_eq!(
        entry.speakers().into_iter().collect::<Vec<_>>(),
        [Speaker::ToolOutput]
    );
    assert_eq!(entry.entry_type, EntryType::Fact);
    assert_eq!(entry.claimed_type, Some(EntryType::Preference));
}

// S-E03
#[test]
fn a_revoked_entry_stays_revoked_although_its_text_is_there() {
    let mut entry = backed_up();
    entry.provenance_ok = false;
    entry.revocation = Some(Revocation {
        reason: RevocationReason::ContentDigestMismatch,
        at: now(),
    });
    assert_eq!(*judge(entry.clone(), messages()).entry(), entry);
    entry.provenance_ok = true;
    assert_eq!(
        RestoredEntry::check(&entry),
        Err(InsertError::RevokedProvenance(entry_id("e1")))
    );
}

#[test]
fn impossible_links_are_refused() {
    let mut entry = backed_up();
    entry.superseded_by = Some(entry_id("e2"));
    assert!(matches!(
        RestoredEntry::check(&entry),
        Err(InsertError::ReplacedInForce { .. })
    ));
    entry.status = Status::Archived;
    assert_eq!(RestoredEntry::check(&entry), Ok(()));
    entry.superseded_by = Some(entry_id("e1"));
    assert_eq!(
        RestoredEntry::check(&entry),
        Err(InsertError::SupersedesItself(entry_id("e1")))
    );
}

#[test]
fn what_the_host_keeps_right_makes_no_other_entry() {
    let mut stored = backed_up();
    stored.provenance_ok = false;
    for row in &mut stored.evidence {
        (row.id, row.range) = (7, range(0, 1));
    }
    assert!(RestoredEntry::is_same(&backed_up(), &stored));
    let changes: [fn(&mut Entry); 4] = [
        |entry| entry.body.push('!'),
        |entry| entry.status = Status::Archived,
        |entry| entry.supersedes = Some(entry_id("e0")),
        |entry| entry.evidence[0].snippets.clear(),
    ];
    for change in changes {
        let mut other = backed_up();
        change(&mut other);
        assert!(!RestoredEntry::is_same(&backed_up(), &other), "{other:?}");
    }
}
