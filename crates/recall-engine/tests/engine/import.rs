//! Reviewed import against the archive (S-R01 to S-R05).

use recall_core::{EntryFilter, ReviewState, RevocationReason, SessionId, Speaker, Status};
use recall_engine::ImportOptions;
use recall_trust::trusted::is_trusted;

use crate::world::{DRY, PLACEHOLDER, VERIFIED, World, line, now, outcomes, replacing, world};

const DRY_PLACEHOLDER: ImportOptions = ImportOptions {
    dry_run: true,
    ..PLACEHOLDER
};

async fn is_stored(world: &World, session: &str) -> bool {
    let session = SessionId::new(session).unwrap();
    let stored = world.engine.store().session(&session).await;
    stored.unwrap().is_some()
}

async fn entry_count(world: &World) -> usize {
    let all = EntryFilter::default();
    world
        .engine
        .store()
        .entries(&all, None)
        .await
        .unwrap()
        .len()
}

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
    assert_eq!(evidence.speakers, [Speaker::ToolOutput]);
    assert_eq!(report.items[0].speakers, [Speaker::ToolOutput]);
}

// S-E06
#[tokio::test]
async fn model_090_a_kept_line_is_imported_and_a_rejected_one_skipped() {
    let world = world().await;
    let lines = [line("a", ""), line("b", r#""label":"wrong""#)];
    let report = world.import(&lines, VERIFIED).await;
    assert_eq!(outcomes(&report), ["ok", "label_not_keeper"]);
    let entry = world.entry("a").await.unwrap();
    assert_eq!(entry.review_state, ReviewState::HumanReviewed);
    assert!(entry.transferable && world.entry("b").await.is_none());
}

#[tokio::test]
async fn model_092_every_tool_use_has_its_row_and_the_first_has_the_snippets() {
    let world = world().await;
    let members = r#""evidence":{"ordinal_start":0,"ordinal_end":3,
        "tool_use_ids":[" t1 ","t1","  "],"snippets":["The tests fail","make test"]}"#
        .replace('\n', "");
    let report = world.import(&[line("a", &members)], VERIFIED).await;
    assert_eq!(outcomes(&report), ["ok"]);
    let entry = world.entry("a").await.unwrap();
    let [row] = entry.evidence.as_slice() else {
        panic!("{:?}", entry.evidence)
    };
    assert_eq!(row.tool_use_id.as_ref().unwrap().as_str(), "t1");
    assert_eq!(row.snippet(), "The tests fail\nmake test");
}

// S-R01
#[tokio::test]
async fn model_104_a_session_that_is_absent_or_hidden_cannot_be_cited() {
    let world = world().await;
    let hidden = SessionId::new("s1").unwrap();
    let store = world.engine.store();
    store.trash_session(&hidden, now()).await.unwrap();
    let lines = [line("a", ""), line("b", r#""session_id":"ghost""#)];
    for options in [DRY, VERIFIED] {
        let report = world.import(&lines, options).await;
        let messages: Vec<&str> = report
            .problems
            .iter()
            .map(|problem| problem.message.as_str())
            .collect();
        assert_eq!(messages.len(), 2);
        assert!(messages[0].starts_with("source session s1 is in the trash"));
        assert!(messages[1].starts_with("source session ghost is not in the archive"));
        assert!(!is_stored(&world, "ghost").await);
        assert_eq!(entry_count(&world).await, 0);
    }
}

// S-R01
#[tokio::test]
async fn model_107_a_hidden_or_forgotten_session_is_not_stood_in_for() {
    for options in [DRY_PLACEHOLDER, PLACEHOLDER] {
        let world = world().await;
        let session = SessionId::new("s1").unwrap();
        let store = world.engine.store();
        store.trash_session(&session, now()).await.unwrap();
        assert_eq!(
            outcomes(&world.import(&[line("a", "")], options).await),
            ["problem"]
        );
        store.delete_session(&session, now()).await.unwrap();
        assert_eq!(
            outcomes(&world.import(&[line("a", "")], options).await),
            ["problem"]
        );
        assert!(!is_stored(&world, "s1").await);
        assert_eq!(entry_count(&world).await, 0);
    }
}

// S-R04
#[tokio::test]
async fn model_109_an_unverified_line_may_replace_a_revoked_entry() {
    let world = world().await;
    world.import(&[line("old", "")], VERIFIED).await;
    world.store_session("The tests fail again").await;
    assert!(world.entry("old").await.unwrap().revocation.is_some());
    for options in [DRY_PLACEHOLDER, PLACEHOLDER] {
        let report = world.import(&[replacing("new", "old")], options).await;
        assert_eq!(outcomes(&report), ["ok"]);
    }
    assert_eq!(world.entry("old").await.unwrap().status, Status::Archived);
    assert!(!is_trusted(&world.entry("new").await.unwrap()));
}

// S-R03
#[tokio::test]
async fn model_116_a_replaced_entry_keeps_its_first_successor() {
    let world = world().await;
    let lines = [line("old", ""), replacing("new", "old")];
    world.import(&lines, VERIFIED).await;
    let before = world.entry("old").await;
    for options in [DRY, VERIFIED] {
        let report = world.import(&[replacing("late", "old")], options).await;
        assert_eq!(outcomes(&report), ["problem"]);
    }
    assert!(world.entry("late").await.is_none());
    assert_eq!(world.entry("old").await, before);
}

// S-E04, S-R05
#[tokio::test]
async fn model_118_a_line_that_says_its_own_review_state_replaces_nothing() {
    let world = world().await;
    world.import(&[line("old", "")], VERIFIED).await;
    for state in ["approved", "human_reviewed"] {
        let members = format!(r#""supersedes_entry_id":"old","review_state":"{state}""#);
        let report = world.import(&[line("new", &members)], VERIFIED).await;
        assert_eq!(outcomes(&report), ["problem"], "{state}");
    }
    assert!(world.entry("new").await.is_none());
    assert_eq!(world.entry("old").await.unwrap().status, Status::Accepted);
}

#[tokio::test]
async fn model_126_what_imports_nothing_is_no_news() {
    let world = world().await;
    world.import(&[line("a", "")], VERIFIED).await;
    let before = world.engine.store().revisions().await.unwrap();
    world.import(&[line("a", "")], VERIFIED).await;
    world.import(&[line("b", "")], DRY).await;
    assert_eq!(world.engine.store().revisions().await.unwrap(), before);
}

#[tokio::test]
async fn model_128_a_line_of_five_mebibytes_is_a_problem_of_its_own() {
    let world = world().await;
    let long = line("b", &format!("\"body\":\"{}\"", "x".repeat(5 << 20)));
    let lines = [line("a", ""), long, line("c", "")];
    let report = world.import(&lines, VERIFIED).await;
    assert_eq!(outcomes(&report), ["ok", "problem", "ok"]);
    assert!(!report.committed && world.entry("a").await.is_none());
}

// model weakness 12
#[tokio::test]
async fn model_105_and_119_one_bad_line_stops_the_import_and_every_bad_line_is_named() {
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
