//! The index on disk: the same answers as without it, whatever becomes of its files.

use std::fs;
use std::path::{Path, PathBuf};

use recall_core::{EntryFilter, EntryId, FilterKey, FixedClock, QueryAnswer};
use recall_engine::{Engine, ListRequest, QueryRequest, Refresh, ReviewLog};
use recall_store::Store;
use recall_trust::insertion::Confirmed;

use crate::world::{VERIFIED, line, now, replacing, world};

/// A world whose engine keeps its index in files.
struct Cached {
    world: crate::world::World,
    cache: tempfile::TempDir,
}

async fn cached() -> Cached {
    let cache = tempfile::tempdir().unwrap();
    let mut world = world().await;
    world.engine = world.engine.with_cache(cache.path());
    Cached { world, cache }
}

const QUESTIONS: [&str; 6] = [
    "database locked writers",
    "case7 cache",
    "batch b writer",
    "lantern tests fail",
    "busyTimeout",
    "hydroponics",
];

impl Cached {
    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = fs::read_dir(self.cache.path().join("lexical"))
            .map(|entries| entries.map(|entry| entry.unwrap().path()).collect())
            .unwrap_or_default();
        files.sort();
        files
    }

    async fn import(&self, batch: &str, numbers: std::ops::Range<usize>) {
        let lines: Vec<String> = numbers
            .map(|number| {
                let own = format!(
                    r#""title":"Batch {batch} case{number}","body":"The cache of case{number} keeps busy_timeout{} in {batch}.","project":"p{}""#,
                    number % 5,
                    number % 3,
                );
                line(&format!("{batch}{number}"), &own)
            })
            .collect();
        let report = self.world.import(&lines, VERIFIED).await;
        assert_eq!(report.items.len(), lines.len());
    }

    /// The engine's answers are those of one that never saw a file, and of one that starts anew.
    async fn check(&self) {
        let paths = self.world.paths();
        let read = || async {
            let store = Store::open_read_only(&paths).await.unwrap();
            Engine::new(store, FixedClock(now()))
        };
        let fresh = read().await;
        let cold = read().await.with_cache(self.cache.path());
        for question in QUESTIONS {
            for filter in filters() {
                let request = QueryRequest {
                    filter,
                    ..QueryRequest::new(question)
                };
                let expected = answer(&fresh, &request).await;
                assert_eq!(
                    answer(&self.world.engine, &request).await,
                    expected,
                    "{question}"
                );
                assert_eq!(answer(&cold, &request).await, expected, "{question}");
            }
        }
        fresh.close().await;
        cold.close().await;
    }

    async fn refresh(&self) -> Refresh {
        let refresh = self.world.engine.refresh_index().await.unwrap();
        self.check().await;
        refresh
    }
}

async fn answer(engine: &Engine, request: &QueryRequest) -> QueryAnswer {
    engine.query(request).await.unwrap()
}

fn filters() -> Vec<EntryFilter> {
    let with = |key, value: &str| {
        let mut filter = EntryFilter::default();
        filter.set(key, value).unwrap();
        filter
    };
    vec![
        EntryFilter::default(),
        with(FilterKey::Project, "p1"),
        with(FilterKey::Status, "archived"),
        with(FilterKey::Cwd, "/srv"),
        EntryFilter {
            trusted_only: true,
            ..EntryFilter::default()
        },
    ]
}

#[tokio::test]
async fn answers_are_the_same_whatever_the_files_hold() {
    let cached = cached().await;
    cached.import("a", 0..20).await;
    assert_eq!(
        cached.refresh().await,
        Refresh::Enough,
        "few entries need no file"
    );
    assert!(cached.files().is_empty());

    cached.import("a", 20..200).await;
    assert_eq!(cached.refresh().await, Refresh::All(200));
    assert_eq!(cached.files().len(), 1);

    let lines = [
        line("late", r#""title":"busyTimeout late""#),
        replacing("newer", "a7"),
    ];
    cached.world.import(&lines, VERIFIED).await;
    cached.check().await;
    assert_eq!(cached.refresh().await, Refresh::Enough);

    cached.import("b", 0..150).await;
    // One more than was written: the predecessor was archived.
    assert_eq!(cached.refresh().await, Refresh::Recent(153));
    assert_eq!(cached.files().len(), 2);

    // Every citation breaks: whatever is trusted now is trusted no more.
    cached.world.store_session("Something else entirely").await;
    cached.check().await;
    assert_eq!(cached.refresh().await, Refresh::Recent(352));

    let store = cached.world.engine.store();
    let session = recall_core::SessionId::new("s1").unwrap();
    store.trash_session(&session, now()).await.unwrap();
    cached.check().await;
    store.restore_session(&session).await.unwrap();
    cached.check().await;
}

#[tokio::test]
async fn a_damaged_or_missing_file_costs_time_and_no_answer() {
    let cached = cached().await;
    cached.import("a", 0..200).await;
    cached.refresh().await;
    let [file] = &cached.files()[..] else {
        panic!("one file")
    };
    let whole = fs::read(file).unwrap();
    let damage: [(&str, Vec<u8>); 4] = [
        ("empty", Vec::new()),
        ("cut", whole[..whole.len() / 2].to_vec()),
        ("foreign", b"something else".repeat(1000)),
        ("dictionary", {
            let mut bytes = whole.clone();
            let end = bytes.len();
            bytes[end / 3..end / 3 + 2000].fill(0xa5);
            bytes
        }),
    ];
    for (what, bytes) in damage {
        // Beside it and then in its place: the mapped one must not change under its readers.
        let aside = cached.cache.path().join("aside");
        fs::write(&aside, &bytes).unwrap();
        fs::rename(&aside, file).unwrap();
        let store = Store::open_read_only(&cached.world.paths()).await.unwrap();
        let cold = Engine::new(store, FixedClock(now())).with_cache(cached.cache.path());
        let found = cold.query(&QueryRequest::new("case7 cache")).await;
        if what != "dictionary" {
            assert_eq!(found.unwrap().entries[0].entry.id.as_str(), "a7", "{what}");
        }
    }
    fs::remove_file(file).unwrap();
    cached.check().await;
}

#[tokio::test]
async fn another_archive_is_never_answered_from_these_files() {
    let cached = cached().await;
    cached.import("a", 0..200).await;
    cached.refresh().await;
    let mut other = world().await;
    other.engine = other.engine.with_cache(cached.cache.path());
    other
        .import(&[line("own", r#""title":"case7 of its own""#)], VERIFIED)
        .await;
    let answer = other
        .engine
        .query(&QueryRequest::new("case7 cache"))
        .await
        .unwrap();
    assert_eq!(answer.entries[0].entry.id.as_str(), "own");
}

fn holds(directory: &Path, word: &str) -> bool {
    fs::read_dir(directory).is_ok_and(|mut entries| {
        entries.any(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() {
                holds(&path, word)
            } else {
                let bytes = fs::read(path).unwrap();
                bytes.windows(word.len()).any(|it| it == word.as_bytes())
            }
        })
    })
}

#[tokio::test]
async fn words_of_what_was_forgotten_are_gone_from_the_cache() {
    let cached = cached().await;
    cached.import("quokka", 0..200).await;
    cached.refresh().await;
    assert!(holds(cached.cache.path(), "quokka"));
    let engine = &cached.world.engine;
    let session = recall_core::SessionId::new("s1").unwrap();
    engine.delete_session(&session).await.unwrap();
    assert!(!holds(cached.cache.path(), "quokka"));

    cached.world.store_session("The tests fail").await;
    let reset = cached_again().await;
    assert!(holds(reset.cache.path(), "quokka"));
    let confirmed = Confirmed::given(true).unwrap();
    reset
        .world
        .engine
        .reset(ReviewLog::Keep, confirmed, &mut |_| Ok(()))
        .await
        .unwrap();
    assert!(!holds(reset.cache.path(), "quokka"));
}

async fn cached_again() -> Cached {
    let cached = cached().await;
    cached.import("quokka", 0..200).await;
    cached.refresh().await;
    cached
}

#[tokio::test]
async fn a_reader_answers_while_files_come_and_go() {
    let cached = cached().await;
    cached.import("a", 0..140).await;
    cached.refresh().await;
    let store = Store::open_read_only(&cached.world.paths()).await.unwrap();
    let reader = Engine::new(store, FixedClock(now())).with_cache(cached.cache.path());
    let write = async {
        for round in 0..4 {
            cached.import(&format!("r{round}x"), 0..140).await;
            cached.world.engine.refresh_index().await.unwrap();
        }
    };
    let read = async {
        for _ in 0..40 {
            let answer = reader
                .query(&QueryRequest::new("case7 cache"))
                .await
                .unwrap();
            assert!(answer.entries.iter().any(|it| it.entry.id.as_str() == "a7"));
            tokio::task::yield_now().await;
        }
    };
    tokio::join!(write, read);
    cached.check().await;
}

#[tokio::test]
async fn a_list_shows_each_entry_and_an_answer_what_differs() {
    let cached = cached().await;
    let lines: Vec<String> = (0..3)
        .map(|number| line(&format!("same{number}"), ""))
        .collect();
    cached.world.import(&lines, VERIFIED).await;
    let engine = &cached.world.engine;
    let answer = engine
        .query(&QueryRequest::new("writers lock"))
        .await
        .unwrap();
    assert_eq!(answer.entries.len(), 1);
    let others: Vec<EntryId> = answer.entries[0].duplicates.clone();
    assert_eq!(others.len(), 2);
    let list = ListRequest {
        text: "writers lock".to_owned(),
        ..ListRequest::default()
    };
    assert_eq!(engine.list(&list).await.unwrap().entries.len(), 3);
}
