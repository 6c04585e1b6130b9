//! Asking archives of 1,000, 10,000 and 100,000 entries: how long an index takes to make, what it
//! takes on disk, and how long an answer takes in a process that is running.

use std::path::Path;
use std::time::{Duration, Instant};

use recall_core::FixedClock;
use recall_engine::{Engine, QueryRequest};
use recall_index::SegmentDirectory;
use recall_store::Store;

use crate::Measured;
use crate::corpus::Corpus;
use crate::made::now;
use crate::process;
use crate::questions::KINDS;
use crate::text::{Chance, Lexicon};

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
const QUESTIONS: usize = 200;
const MIDDLE: Duration = Duration::from_millis(5);
const SLOWEST: Duration = Duration::from_millis(25);
const TOO_LONG: &str = "refusal of 5 MB";

pub(crate) async fn measure(is_wanted: &dyn Fn(&str) -> bool, report: &mut dyn FnMut(Measured)) {
    let lexicon = Lexicon::new();
    // What is made once stays where cargo keeps what benchmarks need.
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for size in SIZES {
        let title = format!("retrieval: {size} entries");
        let names = KINDS.iter().map(|kind| kind.name);
        let names = names.chain([TOO_LONG]).chain(process::NAMES);
        let works: Vec<String> = names.map(|name| format!("{title}, {name}")).collect();
        if !works.iter().any(|work| is_wanted(work)) {
            continue;
        }
        let corpus = Corpus::of(size, directory, &lexicon).await;
        build(&corpus, &title, report).await;
        let store = Store::open_read_only(&corpus.paths()).await.unwrap();
        let engine = Engine::new(store, FixedClock(now())).with_cache(&corpus.data.cache());
        for (kind, work) in KINDS.iter().zip(&works).filter(|(_, work)| is_wanted(work)) {
            let mut chance = Chance::new(0xa5c);
            let questions: Vec<QueryRequest> = (0..QUESTIONS)
                .map(|_| kind.ask(&lexicon, &mut chance))
                .collect();
            let times = warm(&engine, &questions).await;
            for (share, budget) in [(50, Some(MIDDLE)), (95, None), (99, Some(SLOWEST))] {
                report(Measured {
                    work: format!("{work}, p{share}"),
                    budget,
                    time: times[(times.len() * share / 100).min(times.len() - 1)],
                });
            }
        }
        if is_wanted(&works[KINDS.len()]) {
            report(Measured {
                work: works[KINDS.len()].clone(),
                budget: Some(MIDDLE),
                time: refusal(&engine).await,
            });
        }
        engine.close().await;
        process::measure(&corpus, &lexicon, &title, is_wanted, report);
    }
}

/// Makes the index anew and reports what it takes.
async fn build(corpus: &Corpus, title: &str, report: &mut dyn FnMut(Measured)) {
    corpus.forget_index();
    let store = Store::open(&corpus.paths()).await.unwrap();
    let engine = Engine::new(store, FixedClock(now())).with_cache(&corpus.data.cache());
    let started = Instant::now();
    engine.refresh_index().await.unwrap();
    report(Measured {
        work: format!("{title}, index made anew"),
        budget: None,
        time: started.elapsed(),
    });
    let files = engine
        .store()
        .snapshot()
        .await
        .unwrap()
        .index_files()
        .await
        .unwrap()
        .unwrap();
    let directory = SegmentDirectory::at(corpus.data.cache().join("lexical"));
    for name in files.names() {
        let segment = directory.open(name).unwrap();
        println!(
            "{name}: {} bytes, {} entries",
            segment.size(),
            segment.len()
        );
        for (part, size) in segment.parts() {
            println!("    {part:<24} {size:>12}");
        }
    }
    engine.close().await;
}

/// How long each answer took, rising.
async fn warm(engine: &Engine, questions: &[QueryRequest]) -> Vec<Duration> {
    // The first one opens the index.
    for question in questions.iter().take(5) {
        engine.query(question).await.unwrap();
    }
    let mut times = Vec::with_capacity(questions.len());
    for question in questions {
        let started = Instant::now();
        engine.query(question).await.unwrap();
        times.push(started.elapsed());
    }
    times.sort_unstable();
    times
}

/// How long it takes to say that a question is too long.
async fn refusal(engine: &Engine) -> Duration {
    let question = QueryRequest::new("deadlock ".repeat(5 * 1024 * 1024 / 9));
    let started = Instant::now();
    let refusal = engine.query(&question).await.unwrap_err();
    let time = started.elapsed();
    println!("{refusal}");
    time
}
