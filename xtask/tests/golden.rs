//! The golden corpus through the real pipeline: sync, reviewed import, queries.
//!
//! `fixtures/golden` is an invented corpus. `cargo xtask golden` runs this test and
//! `cargo xtask golden --bless` renews its snapshots. A changed snapshot is a changed answer: read
//! it before it is committed.

#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use agentsview_formats::Agent;
use agentsview_sync::{AgentRoot, SyncOptions, sync};
use recall_core::digest::ContentDigest;
use recall_core::{
    Clock, EntryFilter, FILTERS, FixedEntropy, ImportReport, Nonce, QueryAnswer, SkipReason,
    Surface, Timestamp,
};
use recall_engine::{Engine, ImportOptions, QueryRequest, SessionPolicy};
use recall_store::{Store, StorePaths};
use recall_trust::review::Reviewer;
use serde_json::Value;

/// When the questions are asked: a few days after the newest entry.
const ASKED_AT: &str = "2026-03-20T12:00:00Z";

fn fixture(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../fixtures/golden")
        .join(name);
    std::fs::read_to_string(path).unwrap()
}

fn json_lines(name: &str) -> Vec<Value> {
    fixture(name)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A clock that is set by hand, since each line was imported at its own time.
#[derive(Clone)]
struct HandClock(Arc<Mutex<Timestamp>>);

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

struct Golden {
    engine: Engine,
    clock: HandClock,
    _directory: tempfile::TempDir,
}

impl Golden {
    async fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let paths = StorePaths {
            database: directory.path().join("archive.db"),
            lock: directory.path().join("archive.lock"),
        };
        let clock = HandClock(Arc::new(Mutex::new(ASKED_AT.parse().unwrap())));
        let store = Store::open(&paths).await.unwrap();
        let sessions =
            PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/golden/sessions");
        let roots = [AgentRoot {
            agent: Agent::Claude,
            path: sessions,
        }];
        let options = SyncOptions {
            roots: &roots,
            full: false,
        };
        let report = sync(&store, &options, &clock, &mut |_| {}).await.unwrap();
        assert_eq!((report.sessions_added, report.malformed_lines), (20, 0));
        assert!(report.problems.is_empty(), "{:?}", report.problems);
        Self {
            engine: Engine::new(store, clock.clone()).with_entropy(FixedEntropy(Nonce::new(0))),
            clock,
            _directory: directory,
        }
    }

    /// Imports each line at the time that `overrides.jsonl` gives its entry.
    async fn import(&self, name: &str, sessions: SessionPolicy) -> Vec<ImportReport> {
        let times: HashMap<String, Timestamp> = json_lines("overrides.jsonl")
            .iter()
            .map(|row| {
                let time = row["updated_at"].as_str().unwrap().parse().unwrap();
                (row["id"].as_str().unwrap().to_owned(), time)
            })
            .collect();
        let options = ImportOptions {
            dry_run: false,
            sessions,
            keep_going: false,
        };
        let mut reports = Vec::new();
        for line in fixture(name).lines() {
            let parsed: Value = serde_json::from_str(line).unwrap();
            if let Some(time) = times.get(parsed["candidate_id"].as_str().unwrap()) {
                *self.clock.0.lock().unwrap() = *time;
            }
            reports.push(
                self.engine
                    .import(&mut line.as_bytes(), options, &Reviewer::of_import())
                    .await
                    .unwrap(),
            );
        }
        *self.clock.0.lock().unwrap() = ASKED_AT.parse().unwrap();
        reports
    }

    async fn ask(&self, request: &Value) -> QueryAnswer {
        let mut query = QueryRequest::new(request["query"].as_str().unwrap());
        query.limit = request["limit"].as_i64();
        query.include_context = request["include_context"].as_bool().unwrap_or(false);
        query.context_max_bytes = request["context_max_bytes"].as_i64();
        query.filter.trusted_only = request["trusted_only"].as_bool().unwrap_or(false);
        if request["surface"] == "brief" {
            query.surface = Surface::Brief;
        }
        for spec in FILTERS {
            if let Some(value) = request[spec.name].as_str() {
                query.filter.set(spec.key, value).unwrap();
            }
        }
        self.engine.query(&query).await.unwrap()
    }
}

/// The ten best of an answer with their scores and why, then the packed context.
fn shown(request: &Value, answer: &QueryAnswer) -> String {
    let mut text = format!("{request}\n");
    if let Some(reason) = answer.miss_reason {
        writeln!(text, "miss: {reason}").unwrap();
    }
    writeln!(text, "results: {}", answer.entries.len()).unwrap();
    for ranked in answer.entries.iter().take(10) {
        let reasons: Vec<&str> = ranked
            .reasons
            .iter()
            .map(|reason| reason.as_str())
            .collect();
        writeln!(
            text,
            "{:8.4}  {}  [{}]  {}",
            ranked.score,
            ranked.entry.id,
            reasons.join(" "),
            ranked.matched_terms.join(" ")
        )
        .unwrap();
    }
    if let Some(context) = &answer.context {
        writeln!(text, "\n{}", context.text).unwrap();
    }
    text
}

// S-R01, S-R02
#[tokio::test]
async fn the_golden_corpus_imports_and_answers_as_recorded() {
    let golden = Golden::new().await;
    let reviewed = golden
        .import("corpus.jsonl", SessionPolicy::RequireExisting)
        .await;
    let problems: Vec<_> = reviewed
        .iter()
        .flat_map(|report| &report.problems)
        .collect();
    assert!(problems.is_empty(), "{problems:?}");
    let mut skips: Vec<SkipReason> = reviewed
        .iter()
        .flat_map(|report| &report.items)
        .filter_map(|item| item.skipped)
        .collect();
    skips.sort_unstable();
    assert_eq!(
        skips,
        [
            SkipReason::NotTransferable,
            SkipReason::ProvenanceNotOk,
            SkipReason::LabelNotKeeper
        ]
    );
    assert_eq!(reviewed.len() - skips.len(), 106);

    let again = golden
        .import("corpus.jsonl", SessionPolicy::RequireExisting)
        .await;
    let duplicates = again
        .iter()
        .flat_map(|report| &report.items)
        .filter(|item| item.skipped == Some(SkipReason::Duplicate))
        .count();
    assert_eq!(duplicates, 106, "importing twice changes nothing");

    let unverified = golden
        .import("corpus_placeholder.jsonl", SessionPolicy::AllowPlaceholder)
        .await;
    assert!(
        unverified
            .iter()
            .all(|report| report.committed && report.problems.is_empty())
    );
    let store = golden.engine.store();
    let (accepted, _) = store.stats(&EntryFilter::default(), None).await.unwrap();
    assert_eq!(accepted.count, 111);

    let mut evidence = String::new();
    for entry in store.entries(&EntryFilter::default(), None).await.unwrap() {
        for row in &entry.evidence {
            let digest = row
                .content_digest
                .as_ref()
                .map_or("unverified", ContentDigest::as_hex);
            writeln!(evidence, "{} {} {digest}", entry.id, row.range).unwrap();
        }
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../fixtures/golden/snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _bound = settings.bind_to_scope();
    insta::assert_snapshot!("evidence", evidence);
    for question in json_lines("queries.jsonl") {
        let answer = golden.ask(&question["request"]).await;
        let id = question["id"].as_str().unwrap();
        insta::assert_snapshot!(id, shown(&question["request"], &answer));
    }
}
