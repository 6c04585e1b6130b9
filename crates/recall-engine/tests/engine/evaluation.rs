//! Evaluation material: stored once, and never an answer.

use std::sync::Arc;

use recall_core::{
    Entry, EntryFilter, EntryType, FilterKey, ReviewState, Scope, SessionId, Status,
};
use recall_engine::eval::{
    EvalError, IngestPermit, IngestTarget, TrajectoryReport, TrajectoryRequest,
};
use recall_engine::{ListRequest, QueryRequest, ScreenError};

use crate::world::{World, world};

fn permit() -> IngestPermit {
    let target = IngestTarget {
        is_production: false,
        allow_production: false,
    };
    target.permit().unwrap()
}

/// A request with this trajectory; `members` are more members or other values.
fn request(trajectory: &str, members: &[(&str, &str)]) -> TrajectoryRequest {
    let mut object = serde_json::json!({
        "run_id": "run-1", "trajectory_id": "t-1", "extractor_method": "plain",
        "source_version": "v1", "trajectory": [{"role": "user"}, trajectory],
    });
    for (name, value) in members {
        object[*name] = (*value).into();
    }
    TrajectoryRequest::parse(object.to_string().as_bytes()).unwrap()
}

/// 4050 characters once "user" and a line break stand before them.
fn long_text() -> String {
    "é".repeat(4045)
}

impl World {
    async fn ingest(&self, request: &TrajectoryRequest) -> TrajectoryReport {
        self.engine
            .ingest_trajectory(&permit(), request)
            .await
            .unwrap()
    }

    /// The entries of a corpus, chunk by chunk.
    async fn corpus(&self, corpus: &SessionId) -> Vec<Entry> {
        let list = ListRequest {
            filter: of_corpus(corpus),
            ..ListRequest::default()
        };
        let mut entries: Vec<Entry> = self
            .engine
            .list(&list)
            .await
            .unwrap()
            .entries
            .into_iter()
            .map(|ranked| ranked.entry)
            .collect();
        entries.sort_by(|one, other| one.title.cmp(&other.title));
        entries
    }

    async fn entry_count(&self) -> usize {
        let all = EntryFilter::default();
        self.engine.store().entries(&all, None).await.unwrap().len()
    }
}

fn of_corpus(corpus: &SessionId) -> EntryFilter {
    let mut filter = EntryFilter::default();
    filter
        .set(FilterKey::SourceSessionId, corpus.as_str())
        .unwrap();
    filter
}

// S-E08
#[tokio::test]
async fn model_130_a_text_becomes_an_entry_for_each_chunk() {
    let world = world().await;
    let report = world
        .ingest(&request(&long_text(), &[("project", "lantern")]))
        .await;
    assert_eq!(report.entries_indexed, 3);
    let entries = world.corpus(&report.corpus_id.unwrap()).await;
    let lengths: Vec<usize> = entries
        .iter()
        .map(|entry| entry.body.chars().count())
        .collect();
    assert_eq!(lengths, [2000, 2000, 50]);

    let second = &entries[1];
    assert_eq!(second.title, "t-1 [chunk 2/3]");
    assert_eq!(
        second.source_episode_id.as_ref().unwrap().as_str(),
        "t-1:chunk:1"
    );
    assert_eq!(second.source_run_id.as_ref().unwrap().as_str(), "run-1");
    assert_eq!(second.extractor_method, "plain");
    assert_eq!(
        (&*second.project, &*second.agent),
        ("lantern", "eval-harness")
    );
    assert_eq!(second.review_state, ReviewState::EvalRaw);
    assert_eq!(
        (second.entry_type, second.scope, second.status),
        (EntryType::Fact, Scope::Repository, Status::Accepted)
    );
    assert_eq!((second.confidence, &*second.evidence), (None, &[][..]));
}

// S-E08; model weakness 11
#[tokio::test]
async fn evaluation_material_claims_neither_provenance_nor_reach() {
    let world = world().await;
    let report = world.ingest(&request("Why does it lock?", &[])).await;
    for entry in world.corpus(&report.corpus_id.unwrap()).await {
        assert!(!entry.provenance_ok && !entry.transferable);
    }
}

// S-E08
#[tokio::test]
async fn model_131_ingesting_again_adds_nothing() {
    let world = world().await;
    let request = request(&long_text(), &[]);
    let first = world.ingest(&request).await;
    let revisions = world.engine.store().revisions().await.unwrap();
    let again = world.ingest(&request).await;
    assert_eq!((first.entries_indexed, again.entries_indexed), (3, 0));
    assert_eq!(again.corpus_id, first.corpus_id);
    assert_eq!(world.engine.store().revisions().await.unwrap(), revisions);
}

// S-E08
#[tokio::test]
async fn model_131_sixteen_ingests_at_once_store_every_chunk_once() {
    let world = Arc::new(world().await);
    let request = Arc::new(request(&long_text(), &[]));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let (world, request) = (Arc::clone(&world), Arc::clone(&request));
        tasks.spawn(async move { world.ingest(&request).await.entries_indexed });
    }
    let indexed: usize = tasks.join_all().await.into_iter().sum();
    assert_eq!(indexed, 3);
    assert_eq!(world.entry_count().await, 3);
}

// S-E08; model weakness 25
#[tokio::test]
async fn model_132_each_version_of_the_material_is_a_corpus_of_its_own() {
    let world = world().await;
    let changed = [
        request("Why does it lock?", &[]),
        request("Why does it lock?", &[("extractor_method", "summary")]),
        request("Why does it lock?", &[("source_version", "v2")]),
        request("Why does it lock?", &[("cwd", "/srv/code/lantern")]),
        request("Why does it block?", &[]),
    ];
    let mut corpora = Vec::new();
    for request in &changed {
        let report = world.ingest(request).await;
        assert_eq!(report.entries_indexed, 1);
        corpora.push(report.corpus_id.unwrap());
    }
    for corpus in &corpora {
        let entries = world.corpus(corpus).await;
        assert_eq!(entries.len(), 1);
        assert_eq!(&entries[0].source_session_id, corpus);
    }
    assert_eq!(world.entry_count().await, changed.len());
    let moved = world.corpus(&corpora[3]).await;
    assert_eq!(moved[0].cwd, "/srv/code/lantern");
}

// S-E08
#[tokio::test]
async fn model_133_without_text_nothing_is_stored() {
    let world = world().await;
    let json = br#"{"run_id":"run-1","trajectory_id":"t-1","extractor_method":"plain",
        "source_version":"v1","trajectory":{"n":[1,null," "]}}"#;
    let report = world.ingest(&TrajectoryRequest::parse(json).unwrap()).await;
    assert_eq!((report.corpus_id, report.entries_indexed), (None, 0));
    assert_eq!(report.run_id.as_str(), "run-1");
    assert_eq!(report.trajectory_id, "t-1");
    assert_eq!(world.entry_count().await, 0);
}

// S-E08
#[tokio::test]
async fn model_134_no_trusted_query_finds_evaluation_material() {
    let world = world().await;
    let report = world.ingest(&request("Why does it lock?", &[])).await;
    let mut query = QueryRequest::new("lock");
    query.filter = of_corpus(&report.corpus_id.unwrap());
    assert_eq!(world.engine.query(&query).await.unwrap().entries.len(), 1);
    query.filter.trusted_only = true;
    assert!(world.engine.query(&query).await.unwrap().entries.is_empty());
    let brief = QueryRequest::brief("Why does it lock?");
    assert!(world.engine.query(&brief).await.unwrap().entries.is_empty());
}

#[tokio::test]
async fn a_stand_in_session_is_known_by_its_machine_and_version() {
    let world = world().await;
    let report = world.ingest(&request("Why does it lock?", &[])).await;
    let corpus = report.corpus_id.unwrap();
    let session = world
        .engine
        .store()
        .session(&corpus)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(session.machine, "recall-eval-ingest");
    assert_eq!(session.source_version, "v1");
}

// model weakness 14
#[tokio::test]
async fn a_text_that_holds_a_credential_is_refused_also_across_chunks() {
    let world = world().await;
    let key = format!("ghp_{}", "q7VbT2mXw9LrKd4Yz8HsNc3JfGp6EaUo5RiQ");
    let text = format!("{} export TOKEN={key}", "x".repeat(1975));
    let refused = world
        .engine
        .ingest_trajectory(&permit(), &request(&text, &[]))
        .await;
    let error = refused.unwrap_err();
    assert!(
        matches!(&error, EvalError::Screen(ScreenError::Secret { field, .. }) if field == "trajectory"),
        "{error}"
    );
    assert!(!error.to_string().contains(&key));
    assert_eq!(world.entry_count().await, 0);
}

#[tokio::test]
async fn a_chunk_of_white_space_is_no_entry_and_a_context_too_large_no_corpus() {
    let world = world().await;
    let gap = format!("a{}b", " ".repeat(4000));
    let report = world.ingest(&request(&gap, &[])).await;
    let corpus = world.corpus(&report.corpus_id.unwrap()).await;
    let titles: Vec<&str> = corpus.iter().map(|entry| &*entry.title).collect();
    assert_eq!(titles, ["t-1 [chunk 1/3]", "t-1 [chunk 3/3]"]);

    let large = request("text", &[("cwd", &"/x".repeat(4096))]);
    let refused = world.engine.ingest_trajectory(&permit(), &large).await;
    assert!(matches!(refused, Err(EvalError::Entry(_))));
    assert_eq!(world.entry_count().await, 2);
}
