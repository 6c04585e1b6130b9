//! A set in an archive of its own, brought there and asked as a user would.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use agentsview_formats::Agent;
use agentsview_sync::{AgentRoot, SyncOptions, sync};
use recall_core::{Clock, Entry, EntryFilter, EntryId, Status, Timestamp};
use recall_engine::{Engine, ImportOptions, QueryRequest, SessionPolicy};
use recall_store::{Store, StorePaths};
use recall_trust::review::Reviewer;
use serde::Deserialize;

use crate::measures::{DEPTH, places};
use crate::{EvaluationError, Question, QuestionSet};

/// When questions are asked, and entries imported that have no time of their own. Fixed, so that
/// "last week" means the same in every evaluation.
const ASKED_AT: &str = "2026-06-01T00:00:00Z";

/// The archive of a set, in a scratch folder that goes with it.
pub struct Archive {
    engine: Engine,
    asked_at: Timestamp,
    entries: Vec<Entry>,
    sessions: u64,
    _folder: tempfile::TempDir,
}

/// An answer with the time it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The entries by place.
    pub places: Vec<EntryId>,
    /// From the question to the answer.
    pub time: Duration,
}

/// A clock that is set by hand, since entries are imported at times of their own.
#[derive(Clone)]
struct HandClock(Arc<Mutex<Timestamp>>);

impl HandClock {
    fn set(&self, time: Timestamp) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = time;
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Archive {
    /// Syncs the transcripts of a set and imports its entries.
    ///
    /// # Errors
    /// A transcript that cannot be read and a line that is not imported are errors: an archive that
    /// lacks entries measures nothing.
    pub async fn of(set: &QuestionSet) -> Result<Self, EvaluationError> {
        let folder = tempfile::tempdir().map_err(EvaluationError::Scratch)?;
        let paths = StorePaths {
            database: folder.path().join("archive.db"),
            lock: folder.path().join("archive.lock"),
        };
        let asked_at = ASKED_AT.parse()?;
        let clock = HandClock(Arc::new(Mutex::new(asked_at)));
        let store = Store::open(&paths).await?;
        let sessions = synced(&store, set, &clock).await?;
        let engine = Engine::new(store, clock.clone());

        let import = Import {
            engine: &engine,
            times: set.times()?,
            asked_at,
            clock,
        };
        import
            .file(&set.corpus(), SessionPolicy::RequireExisting)
            .await?;
        if set.placeholders().is_file() {
            import
                .file(&set.placeholders(), SessionPolicy::AllowPlaceholder)
                .await?;
        }
        Ok(Self {
            entries: all_entries(engine.store()).await?,
            engine,
            asked_at,
            sessions,
            _folder: folder,
        })
    }

    /// Asks a question as a user would: lexically, with its filters.
    ///
    /// # Errors
    /// The query failed.
    pub async fn ask(&self, question: &Question) -> Result<Answered, EvaluationError> {
        let request = QueryRequest {
            filter: question.filter.clone(),
            limit: i64::try_from(DEPTH).ok(),
            ..QueryRequest::new(&question.text)
        };
        let start = Instant::now();
        let answer = self.engine.query(&request).await?;
        let time = start.elapsed();
        let results = answer
            .entries
            .iter()
            .map(|ranked| (&ranked.entry.id, ranked.duplicates.as_slice()));
        Ok(Answered {
            places: places(results),
            time,
        })
    }

    /// The entries of every status.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How many sessions were synced.
    pub fn sessions(&self) -> u64 {
        self.sessions
    }

    /// When questions are asked.
    pub fn asked_at(&self) -> Timestamp {
        self.asked_at
    }

    /// Checks that the corpus has every entry that questions name.
    ///
    /// # Errors
    /// [`EvaluationError::UnknownEntry`] names the first that it has not.
    pub fn check(&self, questions: &[Question]) -> Result<(), EvaluationError> {
        let known: HashSet<&EntryId> = self.entries.iter().map(|entry| &entry.id).collect();
        for question in questions {
            let mut named = question.gold.iter().chain(&question.stale);
            if let Some(entry) = named.find(|id| !known.contains(id)) {
                return Err(EvaluationError::UnknownEntry {
                    question: question.id.clone(),
                    entry: entry.clone(),
                });
            }
        }
        Ok(())
    }
}

async fn synced(
    store: &Store,
    set: &QuestionSet,
    clock: &HandClock,
) -> Result<u64, EvaluationError> {
    let path = set.sessions();
    let roots = [AgentRoot {
        agent: Agent::Claude,
        path: path.clone(),
    }];
    let options = SyncOptions {
        roots: &roots,
        full: false,
    };
    let report = sync(store, &options, clock, &mut |_| {}).await?;
    match report.problems.len() {
        0 => Ok(report.sessions_added),
        count => Err(EvaluationError::Transcripts { path, count }),
    }
}

async fn all_entries(store: &Store) -> Result<Vec<Entry>, EvaluationError> {
    let mut entries = Vec::new();
    for status in Status::ALL {
        let filter = EntryFilter {
            status: Some(*status),
            ..EntryFilter::default()
        };
        entries.extend(store.entries(&filter, None).await?);
    }
    Ok(entries)
}

struct Import<'a> {
    engine: &'a Engine,
    clock: HandClock,
    asked_at: Timestamp,
    times: HashMap<String, Timestamp>,
}

impl Import<'_> {
    /// Imports a file, neighbouring lines of the same time at once.
    async fn file(&self, path: &Path, sessions: SessionPolicy) -> Result<(), EvaluationError> {
        let text = fs::read_to_string(path).map_err(EvaluationError::read(path))?;
        let mut batch = String::new();
        let mut batch_time = self.asked_at;
        for line in text.split_inclusive('\n') {
            let time = self.time_of(line);
            if time != batch_time {
                self.batch(path, &batch, batch_time, sessions).await?;
                batch.clear();
                batch_time = time;
            }
            batch.push_str(line);
        }
        self.batch(path, &batch, batch_time, sessions).await?;
        self.clock.set(self.asked_at);
        Ok(())
    }

    /// A line that has no id is left to the import to refuse.
    fn time_of(&self, line: &str) -> Timestamp {
        #[derive(Deserialize)]
        struct Named {
            candidate_id: String,
        }
        serde_json::from_str::<Named>(line)
            .ok()
            .and_then(|named| self.times.get(&named.candidate_id).copied())
            .unwrap_or(self.asked_at)
    }

    async fn batch(
        &self,
        path: &Path,
        lines: &str,
        time: Timestamp,
        sessions: SessionPolicy,
    ) -> Result<(), EvaluationError> {
        self.clock.set(time);
        let options = ImportOptions {
            dry_run: false,
            sessions,
            keep_going: false,
        };
        let mut input = lines.as_bytes();
        let report = self
            .engine
            .import(&mut input, options, &Reviewer::of_import())
            .await?;
        match report.problems.into_iter().next() {
            None => Ok(()),
            Some(problem) => Err(EvaluationError::Import {
                path: path.to_owned(),
                message: problem.message,
            }),
        }
    }
}
