//! Evidence is verified inside the write that changes its transcript, whichever way it comes in
//! (S-E02, S-E03).

use agentsview_formats::ParsedMessage;
use recall_core::digest::ContentDigest;
use recall_core::{Entry, RevocationReason as Reason, SourceUuid, Status};
use recall_trust::trusted::is_trusted;

use crate::citing::{Cited, Write, called, later, one_before, renumbered, said, without_ids};
use crate::made::{Archive, archive, message};

/// The two messages that most entries cite.
const CITED: Cited<'static> = Cited {
    session: "s1",
    first: 2,
    last: 3,
    tools: &[],
};
const BYSTANDER: Cited<'static> = Cited {
    session: "s2",
    ..CITED
};

/// An archive with the session and the entry `e` that cites it, and another session with an entry
/// of its own.
async fn citing(before: &[ParsedMessage], cited: Cited<'_>) -> Archive {
    let archive = archive().await;
    archive.store("s1", before).await;
    archive.store("s2", &said()).await;
    archive.cite("e", cited).await;
    archive.cite("bystander", BYSTANDER).await;
    archive
}

/// What a change of the transcript makes of the entry, every way of writing it being the same and
/// leaving the other session alone.
async fn changed(before: &[ParsedMessage], cited: Cited<'_>, after: &[ParsedMessage]) -> Entry {
    let mut seen: Option<Entry> = None;
    for write in Write::ALL {
        let archive = citing(before, cited).await;
        let bystander = archive.entry("bystander").await;
        let old = archive.entry("e").await;
        let counters = archive.counters().await;
        let mut after = after.to_vec();
        if write == Write::Moved {
            // Fewer rows than are held are not taken from another file.
            for ordinal in (20..).take(before.len().saturating_sub(after.len())) {
                after.push(message(ordinal, "And on"));
            }
        }
        let applied = archive.write(write, "s1", &after).await.unwrap();
        let new = archive.entry("e").await;

        assert_eq!(archive.entry("bystander").await, bystander, "{write:?}");
        let (corpus, query) = archive.counters().await;
        assert_eq!(
            corpus, counters.0,
            "{write:?}: nothing that is embedded changed"
        );
        assert_eq!(query != counters.1, new != old, "{write:?}");
        let report = applied.evidence;
        match new.revocation {
            Some(revocation) => {
                let [revoked] = report.revoked.as_slice() else {
                    panic!("{write:?}: {report:?}")
                };
                assert_eq!(
                    (revoked.entry_id.as_str(), revoked.reason),
                    ("e", revocation.reason)
                );
                assert_eq!((revocation.at, new.updated_at), (later(), later()));
                assert_eq!(
                    new.evidence, old.evidence,
                    "{write:?}: kept as it was cited"
                );
                assert!(!new.provenance_ok && !is_trusted(&new));
            }
            None if new.evidence[0].range == old.evidence[0].range => {
                assert_eq!((report.kept, report.shifted.len()), (1, 0), "{write:?}");
                assert!(is_trusted(&new));
            }
            None => {
                assert_eq!((report.kept, report.shifted.len()), (0, 1), "{write:?}");
                assert!(is_trusted(&new));
            }
        }
        if let Some(seen) = &seen {
            assert_eq!(&new, seen, "{write:?}");
        }
        seen = Some(new);
    }
    seen.unwrap()
}

async fn revoked_for(
    before: &[ParsedMessage],
    cited: Cited<'_>,
    after: &[ParsedMessage],
) -> Option<Reason> {
    let entry = changed(before, cited, after).await;
    entry.revocation.map(|revocation| revocation.reason)
}

fn places(entry: &Entry) -> Vec<String> {
    entry
        .evidence
        .iter()
        .map(|row| row.range.to_string())
        .collect()
}

fn digest(entry: &Entry) -> Option<&ContentDigest> {
    entry.evidence[0].content_digest.as_ref()
}

#[tokio::test]
async fn model_033_messages_inserted_before_shift_the_range_and_nothing_else() {
    let archive = citing(&said(), CITED).await;
    let before = archive.entry("e").await;
    let after = changed(&said(), CITED, &one_before(&said())).await;
    assert_eq!(places(&after), ["3-4"]);
    assert_eq!(digest(&after), digest(&before));
    let uuids = |entry: &Entry| {
        let row = &entry.evidence[0];
        (row.start_uuid.clone(), row.end_uuid.clone())
    };
    assert_eq!(uuids(&after), uuids(&before));
    assert_eq!(
        after.updated_at, before.updated_at,
        "its standing is the same"
    );
}

#[tokio::test]
async fn model_034_an_append_writes_nothing_to_the_entry() {
    let mut grown = said();
    grown.push(message(10, "And on."));
    let archive = citing(&said(), CITED).await;
    let before = archive.entry("e").await;
    assert_eq!(changed(&said(), CITED, &grown).await, before);
}

#[tokio::test]
async fn model_035_other_times_and_models_are_no_change_of_what_is_cited() {
    let before = without_ids(said());
    let mut touched = before.clone();
    for message in &mut touched {
        message.timestamp = Some(later());
        message.model = "another".to_owned();
    }
    let entry = changed(&before, CITED, &touched).await;
    assert_eq!(entry.revocation, None);
    assert_eq!(
        (&entry.evidence[0].start_uuid, &entry.evidence[0].end_uuid),
        (&None, &None)
    );
}

#[tokio::test]
async fn model_036_without_stable_ids_changed_text_is_revoked() {
    let before = without_ids(said());
    let mut edited = before.clone();
    edited[2].content.push('!');
    let reason = revoked_for(&before, CITED, &edited).await;
    assert_eq!(reason, Some(Reason::ContentDigestMismatch));
}

#[tokio::test]
async fn model_037_each_endpoint_is_found_by_what_it_has() {
    for lone in [2, 3] {
        let mut before = said();
        before[lone].source_uuid = None;
        let moved = changed(&before, CITED, &one_before(&before)).await;
        assert_eq!(places(&moved), ["3-4"], "{lone}");
    }
}

#[tokio::test]
async fn model_038_both_stable_ids_lost_is_about_the_start() {
    let mut after = said();
    for message in &mut after[2..=3] {
        message.source_uuid = None;
        message.content.push('!');
    }
    let reason = revoked_for(&said(), CITED, &after).await;
    assert_eq!(reason, Some(Reason::StartEndpointUnresolved));
}

#[tokio::test]
async fn model_039_a_lost_end_is_about_the_end() {
    let mut after = said();
    after[3].source_uuid = None;
    after[3].content.push('!');
    let reason = revoked_for(&said(), CITED, &after).await;
    assert_eq!(reason, Some(Reason::EndEndpointUnresolved));
}

#[tokio::test]
async fn model_040_swapped_endpoints_are_no_range() {
    let mut after = said();
    let (first, second) = after.split_at_mut(3);
    std::mem::swap(&mut first[2].source_uuid, &mut second[0].source_uuid);
    let reason = revoked_for(&said(), CITED, &after).await;
    assert_eq!(reason, Some(Reason::InvalidResolvedRange));
}

#[tokio::test]
async fn model_041_without_stable_ids_a_removed_endpoint_leaves_no_window() {
    let before = without_ids(said());
    let mut after = before.clone();
    after.remove(2);
    let reason = revoked_for(&before, CITED, &after).await;
    assert_eq!(reason, Some(Reason::WindowInvalid));
}

#[tokio::test]
async fn model_042_a_removed_tool_use_is_a_broken_selection() {
    for (tools, gone) in [(&["t1"][..], 0), (&["t1", "t2"], 0), (&["t1", "t2"], 1)] {
        let cited = Cited {
            first: 1,
            last: 2,
            tools,
            ..CITED
        };
        let mut after = said();
        after[1].tool_calls.remove(gone);
        let reason = revoked_for(&said(), cited, &after).await;
        assert_eq!(reason, Some(Reason::SelectionInvalid), "{tools:?}");
    }
}

#[tokio::test]
async fn model_043_and_061_a_missing_digest_is_revoked_and_never_filled_in() {
    for write in Write::ALL {
        let archive = citing(&said(), CITED).await;
        archive
            .raw(
                "UPDATE recall_evidence SET content_digest = NULL, digest_version = NULL \
                 WHERE entry_id = 'e'",
            )
            .await
            .unwrap();
        let after = one_before(&said());
        archive.write(write, "s1", &after).await.unwrap();
        let entry = archive.entry("e").await;
        let reason = entry.revocation.map(|revocation| revocation.reason);
        assert_eq!(reason, Some(Reason::MissingDigest), "{write:?}");
        assert_eq!(
            (digest(&entry), places(&entry)),
            (None, vec!["2-3".to_owned()])
        );
    }
}

#[tokio::test]
async fn model_044_changed_text_between_stable_ids_is_a_mismatch() {
    type Edit = fn(&mut Vec<ParsedMessage>);
    let cited = Cited {
        first: 1,
        last: 3,
        tools: &["t1"],
        ..CITED
    };
    let edits: [Edit; 4] = [
        |messages| messages[2].content.push('!'),
        |messages| messages[2].role = recall_core::Role::Assistant,
        |messages| called(&mut messages[1], "t1").input_json.push(' '),
        |messages| {
            messages.remove(2);
        },
    ];
    for (number, edit) in edits.iter().enumerate() {
        let mut after = said();
        edit(&mut after);
        let reason = revoked_for(&said(), cited, &after).await;
        assert_eq!(reason, Some(Reason::ContentDigestMismatch), "edit {number}");
    }
}

// model weakness 2
#[tokio::test]
async fn model_044_a_late_result_of_a_cited_call_is_found_by_the_write_that_brings_it() {
    let mut asked = said();
    called(&mut asked[1], "t1").results.clear();
    let cite = |tools| Cited {
        first: 1,
        last: 2,
        tools,
        ..CITED
    };
    let answered = said();
    let reason = revoked_for(&asked, cite(&["t1"]), &answered).await;
    assert_eq!(reason, Some(Reason::ContentDigestMismatch));
    assert_eq!(revoked_for(&asked, cite(&["t2"]), &answered).await, None);
    assert_eq!(revoked_for(&asked, cite(&[]), &answered).await, None);
}

#[tokio::test]
async fn model_045_a_stable_id_on_two_messages_is_ambiguous() {
    let mut after = said();
    after[5].source_uuid = after[3].source_uuid.clone();
    let reason = revoked_for(&said(), CITED, &after).await;
    assert_eq!(reason, Some(Reason::EndEndpointUnresolved));
    // An append may be what doubles it (model weakness 6).
    let mut appended = said();
    appended.push(message(10, "Again"));
    appended[6].source_uuid = SourceUuid::new("uuid-2").ok();
    let reason = revoked_for(&said(), CITED, &appended).await;
    assert_eq!(reason, Some(Reason::StartEndpointUnresolved));
}

#[tokio::test]
async fn model_046_of_two_broken_citations_the_first_gives_the_one_reason() {
    let archive = citing(&said(), CITED).await;
    let second = Cited {
        first: 4,
        last: 4,
        ..CITED
    };
    archive.cite("other", second).await;
    archive
        .raw(
            "UPDATE recall_evidence SET entry_id = 'e' WHERE entry_id = 'other'; \
             DELETE FROM recall_entries WHERE id = 'other'",
        )
        .await
        .unwrap();
    assert_eq!(places(&archive.entry("e").await), ["2-3", "4-4"]);
    let mut broken = said();
    broken[3].source_uuid = None;
    broken[3].content.push('!');
    broken[4].content.push('!');
    let applied = archive.write(Write::Rewrite, "s1", &broken).await.unwrap();
    let revoked: Vec<_> = applied
        .evidence
        .revoked
        .iter()
        .map(|one| one.reason)
        .collect();
    assert_eq!(revoked, [Reason::EndEndpointUnresolved]);
}

// S-E03
#[tokio::test]
async fn model_047_what_was_revoked_stays_revoked_whatever_the_transcript_says() {
    for write in Write::ALL {
        let archive = citing(&said(), CITED).await;
        let mut edited = said();
        edited[2].content.push('!');
        archive.write(Write::Rewrite, "s1", &edited).await.unwrap();
        let revoked = archive.entry("e").await;
        assert!(revoked.revocation.is_some());
        let counters = archive.counters().await;
        let applied = archive.write(write, "s1", &said()).await.unwrap();
        assert_eq!(
            applied.evidence,
            recall_store::Verification::default(),
            "{write:?}"
        );
        assert_eq!(archive.entry("e").await, revoked, "{write:?}");
        assert_eq!(archive.counters().await, counters, "{write:?}");
    }
}

#[tokio::test]
async fn model_051_an_edit_outside_the_range_leaves_the_entry_alone() {
    let archive = citing(&said(), CITED).await;
    let before = archive.entry("e").await;
    let mut after = said();
    after[0].content.push('!');
    called(&mut after[1], "t1").results.clear();
    after[5].source_uuid = None;
    assert_eq!(changed(&said(), CITED, &after).await, before);
}

#[tokio::test]
async fn model_052_an_archived_entry_is_verified_too() {
    let archive = citing(&said(), CITED).await;
    archive.cite_in_place_of("new", CITED, Some("e")).await;
    let mut after = said();
    after[2].content.push('!');
    let applied = archive.write(Write::Rewrite, "s1", &after).await.unwrap();
    assert_eq!(applied.evidence.revoked.len(), 2);
    let old = archive.entry("e").await;
    assert_eq!((old.status, old.provenance_ok), (Status::Archived, false));
    assert!(
        old.superseded_by.is_some(),
        "the link is no claim about the text"
    );
}

#[tokio::test]
async fn model_053_a_stable_id_that_became_known_is_filled_in() {
    let entry = changed(&without_ids(said()), CITED, &said()).await;
    assert_eq!(places(&entry), ["2-3"]);
    assert_eq!(entry.evidence[0].start_uuid, said()[2].source_uuid);
    assert_eq!(entry.evidence[0].end_uuid, said()[3].source_uuid);
}

#[tokio::test]
async fn model_059_a_newer_parser_that_finds_more_rows_shifts_the_evidence() {
    let archive = citing(&said(), CITED).await;
    let after = one_before(&said());
    let applied = archive.write(Write::Full, "s1", &after).await.unwrap();
    assert_eq!(applied.evidence.shifted.len(), 1);
    assert!(is_trusted(&archive.entry("e").await));
}

#[tokio::test]
async fn model_060_a_newer_parser_that_splits_a_cited_message_revokes_and_keeps_the_evidence() {
    let mut split = said();
    split[3].content = "It".to_owned();
    let mut rest = message(3, "works");
    rest.source_uuid = None;
    split.insert(4, rest);
    let archive = citing(&said(), CITED).await;
    let before = archive.entry("e").await;
    let after = changed(&said(), CITED, &renumbered(split)).await;
    let reason = after.revocation.map(|revocation| revocation.reason);
    assert_eq!(reason, Some(Reason::ContentDigestMismatch));
    assert_eq!(after.evidence, before.evidence);
}

// model weakness 19
#[tokio::test]
async fn nothing_is_written_when_nothing_changed() {
    for write in Write::ALL {
        let archive = citing(&said(), CITED).await;
        let all = async || {
            let entries = (archive.entry("e").await, archive.entry("bystander").await);
            let mut sessions = Vec::new();
            for id in ["s1", "s2"] {
                let id = recall_core::SessionId::new(id).unwrap();
                sessions.push(archive.store.session(&id).await.unwrap().unwrap());
            }
            (entries, sessions, archive.counters().await)
        };
        let before = all().await;
        for _ in 0..2 {
            let applied = archive.write(write, "s1", &said()).await.unwrap();
            assert_eq!(applied.evidence, recall_store::Verification::default());
            assert_eq!(all().await, before, "{write:?}");
        }
    }
}
