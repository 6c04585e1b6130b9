//! The sync itself: files are read on a thread of their own while earlier ones are written.

use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use agentsview_formats::PARSER_VERSION;
use recall_core::Clock;
use recall_store::{FileUpdate, SessionOutcome, Store, StoredSource};
use tokio::sync::mpsc;

use crate::discover::{FoundFile, discover};
use crate::machine::{Machine, session_names};
use crate::read::{PIECE, read, stamp};
use crate::{AgentRoot, FileProblem, SyncError, SyncReport};

/// A transaction holds about this many bytes of session files: enough to make transactions rare,
/// little enough to keep memory and the write-ahead log small.
const BATCH_BYTES: u64 = 8 * 1024 * 1024;
/// Files that may wait for the writer.
const WAITING: usize = 4;

/// What to sync.
#[derive(Debug, Clone, Copy)]
pub struct SyncOptions<'a> {
    /// The agents' folders.
    pub roots: &'a [AgentRoot],
    /// Read every file again, however it looks.
    pub full: bool,
}

/// How far a sync has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Files looked at so far.
    pub files_done: u64,
    /// Files found.
    pub files_found: u64,
    /// Bytes read so far.
    pub bytes_read: u64,
}

/// Brings the archive up to the session files as they are now.
///
/// # Errors
/// Only the archive can fail; what a file could not give is in the report.
pub async fn sync(
    store: &Store,
    options: &SyncOptions<'_>,
    clock: &dyn Clock,
    progress: &mut dyn FnMut(Progress),
) -> Result<SyncReport, SyncError> {
    let stored = store.sources().await?;
    let (files, problems) = discover(options.roots);
    let mut run = Run {
        store,
        clock,
        batch: Vec::new(),
        batch_bytes: 0,
        report: SyncReport {
            files_found: files.len() as u64,
            problems,
            ..SyncReport::default()
        },
    };
    let (sender, mut receiver) = mpsc::channel(WAITING);
    let full = options.full;
    let names = session_names(options.roots);
    let machine_names = names.clone();
    let reader = std::thread::spawn(move || {
        let machine = Machine::new(&files, machine_names);
        read_files(&files, &stored, full, &machine, &sender);
    });
    while let Some(message) = receiver.recv().await {
        run.take(message).await?;
        progress(run.progress());
    }
    reader.join().map_err(|_| SyncError::ReaderStopped)?;
    run.write().await?;
    // For the sessions whose own files did not change.
    store.name_sessions(&names, clock.now()).await?;
    (run.report.total_sessions, run.report.total_messages) = store.totals().await?;
    Ok(run.report)
}

enum FileMessage {
    /// So many files look as they did; told together, since there may be many thousands.
    Unchanged(u64),
    Read(Box<FileUpdate>),
    Problem(FileProblem),
}

/// Ends early if the receiver has gone, which happens when the archive failed.
fn read_files(
    files: &[FoundFile],
    stored: &HashMap<String, StoredSource>,
    full: bool,
    machine: &Machine,
    sender: &mpsc::Sender<FileMessage>,
) {
    let mut unchanged = 0;
    let mut piece = vec![0; PIECE];
    for file in files {
        let known = stored.get(&file.path);
        let message = match look_at(file, known, full, machine, &mut piece) {
            Ok(None) => {
                unchanged += 1;
                continue;
            }
            Ok(Some(update)) => FileMessage::Read(Box::new(update)),
            Err(error) => FileMessage::Problem(FileProblem {
                path: file.root.join(&file.relative),
                message: error.to_string(),
            }),
        };
        let skipped = FileMessage::Unchanged(std::mem::take(&mut unchanged));
        if sender
            .blocking_send(skipped)
            .and_then(|()| sender.blocking_send(message))
            .is_err()
        {
            return;
        }
    }
    // Nobody is left to be told if the receiver has gone.
    let _ = sender.blocking_send(FileMessage::Unchanged(unchanged));
}

/// Reads a file, unless it looks as it did when it was last read. A parser that panics is a fault
/// of this program; it costs the file, not the sync.
fn look_at(
    file: &FoundFile,
    stored: Option<&StoredSource>,
    full: bool,
    machine: &Machine,
    piece: &mut [u8],
) -> io::Result<Option<FileUpdate>> {
    let stamp = stamp(file)?;
    let is_current =
        |source: &StoredSource| source.stamp == stamp && source.parser_version == PARSER_VERSION;
    if !full && stored.is_some_and(is_current) {
        return Ok(None);
    }
    catch_unwind(AssertUnwindSafe(|| read(file, stored, machine, piece)))
        .unwrap_or_else(|_| Err(io::Error::other("reading it met a fault of this program")))
        .map(Some)
}

struct Run<'a> {
    store: &'a Store,
    clock: &'a dyn Clock,
    batch: Vec<FileUpdate>,
    batch_bytes: u64,
    report: SyncReport,
}

impl Run<'_> {
    fn progress(&self) -> Progress {
        let report = &self.report;
        Progress {
            files_done: report.files_unchanged + report.files_read + report.problems.len() as u64,
            files_found: report.files_found,
            bytes_read: report.bytes_read,
        }
    }

    async fn take(&mut self, message: FileMessage) -> Result<(), SyncError> {
        match message {
            FileMessage::Unchanged(files) => self.report.files_unchanged += files,
            FileMessage::Problem(problem) => self.report.problems.push(problem),
            FileMessage::Read(update) => {
                self.report.files_read += 1;
                self.report.bytes_read += update.source.stamp.size;
                self.report.malformed_lines += update.parsed.malformed_lines;
                self.report.oversized_lines += update.parsed.oversized_lines;
                self.report.truncated_files += u64::from(update.parsed.is_truncated);
                let with_secrets = update
                    .scans
                    .iter()
                    .filter(|scan| scan.definite() > 0)
                    .count();
                self.report.sessions_with_secrets += with_secrets as u64;
                self.batch_bytes += update.source.stamp.size;
                self.batch.push(*update);
                if self.batch_bytes >= BATCH_BYTES {
                    self.write().await?;
                }
            }
        }
        Ok(())
    }

    async fn write(&mut self) -> Result<(), SyncError> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let is_present = |path: &str| Path::new(path).exists();
        let applied = self
            .store
            .apply(&self.batch, is_present, self.clock.now())
            .await?;
        self.report.evidence.absorb(applied.evidence);
        for outcome in applied.sessions {
            match outcome {
                SessionOutcome::Added => self.report.sessions_added += 1,
                SessionOutcome::Appended => self.report.sessions_appended += 1,
                SessionOutcome::Rewritten => self.report.sessions_rewritten += 1,
                SessionOutcome::Unchanged
                | SessionOutcome::Excluded
                | SessionOutcome::HeldElsewhere => self.report.sessions_unchanged += 1,
            }
        }
        self.batch.clear();
        self.batch_bytes = 0;
        Ok(())
    }
}
