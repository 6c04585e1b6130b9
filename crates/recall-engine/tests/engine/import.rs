//! Reviewed import against the archive (S-R01 to S-R05).

use recall_core::{ReviewState, RevocationReason, Status};
use recall_engine::ImportOptions;
use recall_trust::trusted::is_trusted;

use crate::world::{DRY, PLACEHOLDER, VERIFIED, line, outcomes, replacing, world};

// S-E01, S-E06
#[tokio::test]
async fn model_091_a_verified_line_becomes_a_trusted_entry_with_host_made_evidence() {
    let world = world().await;
    let members = r#""evidence":{"ordinal_start":0,"ordinal_end":3,"tool_use_ids":["t1"],
        "snippets":["database is locked"]}"#
        .replace('\n', "");
    let report = world.import(&[line("a", &members)], VERIFIED).await;
    assert_eq!((outcomes(&report), report.committed), (vec!["ok"], true));
    let entry = world.entry("a").await.unwrap();
    assert!(is_trusted(&entry));
    assert_eq!(entry.review_state, ReviewState::HumanReviewed);
    let [evidence] = entry.evidence.as_slice() else {
        panic!("{:?}", entry.evidence)
    };
    assert_eq!(evidence.start_uuid.as_ref().unwrap().as_str(), "uuid-0");
    assert_eq!(evidence.end_uuid.as_ref().unwrap().as_str(), "uuid-3");
    assert!(evidence.content_digest.is_some());
}

// model weakness 12
#[tokio::test]
async fn one_bad_line_stops_the_import_and_every_bad_line_is_named() {
    let world = world().await;
    let lines = [
        line("a", ""),
        line("b", r#""session_id":"ghost""#),
        line("c", r#""evidence":{"ordinal_start":2,"ordinal_end":3}"#),
        line(
            "d",
            r#""evidence":{"ordinal_start":0,"ordinal_end":1,"tool_use_ids":["t9"]}"#,
        ),
        line(
            "e",
            r#""evidence":{"ordinal_start":0,"ordinal_end":1,"snippets":["never said"]}"#,
        ),
        line("f", r#""supersedes_entry_id":"ghost""#),
    ];
    let report = world.import(&lines, VERIFIED).await;
    assert_eq!(
        outcomes(&report),
        ["ok", "problem", "problem", "problem", "problem", "problem"]
    );
    assert!(!report.committed);
    assert!(world.entry("a").await.is_none());

    let keep_going = ImportOptions {
        keep_going: true,
        ..VERIFIED
    };
    let report = world.import(&lines, keep_going).await;
    assert!(report.committed);
    assert!(world.entry("a").await.is_some() && world.entry("b").await.is_none());
}

// S-R01; model section 9.3
#[tokio::test]
async fn model_110_and_113_and_114_a_dry_run_comes_to_the_same_verdicts_and_writes_nothing() {
    let world = world().await;
    let lines = [
        line("a", ""),
        line("a", ""),
        replacing("b", "a"),
        replacing("c", "a"),
        line("d", r#""transferable":false"#),
    ];
    let dry = world.import(&lines, DRY).await;
    assert!(world.entry("a").await.is_none() && !dry.committed);
    let keep_going = ImportOptions {
        keep_going: true,
        ..VERIFIED
    };
    let real = world.import(&lines, keep_going).await;
    assert_eq!(
        outcomes(&dry),
        ["ok", "duplicate", "ok", "problem", "not_transferable"]
    );
    assert_eq!(outcomes(&dry), outcomes(&real));
}

// S-R02; model weakness 13
#[tokio::test]
async fn model_111_and_112_a_known_id_is_a_skip_whatever_became_of_its_transcript() {
    let world = world().await;
    world.import(&[line("a", "")], VERIFIED).await;
    world.store_session("The tests fail again").await;
    let before = world.entry("a").await;
    let revocation = before.as_ref().unwrap().revocation.unwrap();
    assert_eq!(revocation.reason, RevocationReason::ContentDigestMismatch);
    let lines = [
        line("a", ""),
        line("a2", r#""evidence":{"ordinal_start":7,"ordinal_end":9}"#),
    ];
    for options in [DRY, VERIFIED] {
        let report = world.import(&lines, options).await;
        assert_eq!(outcomes(&report), ["duplicate", "problem"]);
    }
    let other = line("a", r#""body":"Something else.""#);
    assert_eq!(
        outcomes(&world.import(&[other], VERIFIED).await),
        ["conflict"]
    );
    assert_eq!(world.entry("a").await, before);
}

// S-R03
#[tokio::test]
async fn model_115_a_replacement_archives_and_links_in_one_step() {
    let world = world().await;
    world.import(&[line("old", "")], VERIFIED).await;
    world.import(&[replacing("new", "old")], VERIFIED).await;
    let (old, new) = (
        world.entry("old").await.unwrap(),
        world.entry("new").await.unwrap(),
    );
    assert_eq!(
        (old.status, new.status),
        (Status::Archived, Status::Accepted)
    );
    assert_eq!(old.superseded_by.as_ref(), Some(&new.id));
    assert_eq!(new.supersedes.as_ref(), Some(&old.id));
    assert!(!is_trusted(&old), "S-E07");
}

// S-R04
#[tokio::test]
async fn model_106_and_108_an_unverified_line_never_replaces_a_verified_entry() {
    let world = world().await;
    world.import(&[line("old", "")], VERIFIED).await;
    let absent = r#""session_id":"s9""#;
    let lines = [
        line("p", absent),
        line("q", &format!("{absent},\"supersedes_entry_id\":\"p\"")),
    ];
    let report = world.import(&lines, PLACEHOLDER).await;
    assert_eq!(outcomes(&report), ["ok", "ok"]);
    let entry = world.entry("q").await.unwrap();
    assert!(!entry.provenance_ok && !is_trusted(&entry));
    assert_eq!(entry.evidence[0].content_digest, None);
    for dry_run in [true, false] {
        let options = ImportOptions {
            dry_run,
            ..PLACEHOLDER
        };
        let report = world.import(&[replacing("r", "old")], options).await;
        assert_eq!(outcomes(&report), ["problem"]);
    }
    assert_eq!(world.entry("old").await.unwrap().status, Status::Accepted);
}

// model weakness 14
#[tokio::test]
async fn a_line_that_holds_a_secret_is_refused_and_the_report_does_not_repeat_it() {
    let world = world().await;
    let token = ["ghp_", "q7VbT2mXw9LrKd4Yz8HsNc3JfGp6EaUo5RiQ"].concat();
    let report = world
        .import(&[line("a", &format!("\"body\":\"use {token}\""))], VERIFIED)
        .await;
    assert_eq!(outcomes(&report), ["problem"]);
    assert!(
        report.problems[0].message.contains("body"),
        "{:?}",
        report.problems
    );
    assert!(!report.problems[0].message.contains(&token));
}

#[tokio::test]
async fn a_secret_that_invisible_characters_split_is_refused_too() {
    let world = world().await;
    let token = ["ghp_q7VbT2mX", "\\u200b", "w9LrKd4Yz8HsNc3JfGp6EaUo5RiQ"].concat();
    let report = world
        .import(&[line("a", &format!("\"body\":\"use {token}\""))], VERIFIED)
        .await;
    assert_eq!(outcomes(&report), ["problem"]);
}

#[tokio::test]
async fn a_report_never_repeats_a_secret_that_it_quotes() {
    let world = world().await;
    let token = ["ghp_", "q7VbT2mXw9LrKd4Yz8HsNc3JfGp6EaUo5RiQ"].concat();
    let report = world
        .import(&[line("a", &format!("\"type\":\"{token}\""))], VERIFIED)
        .await;
    assert_eq!(outcomes(&report), ["problem"]);
    assert!(
        !report.problems[0].message.contains(&token),
        "{:?}",
        report.problems
    );
}

#[tokio::test]
async fn model_127_an_empty_input_imports_nothing() {
    let world = world().await;
    let report = world.import(&["\n\r\n  ".to_owned()], VERIFIED).await;
    assert!(report.items.is_empty() && report.problems.is_empty() && report.committed);
}
