//! Reviewed import: lines a person vouched for, checked against the archive.

use std::borrow::Cow;
use std::io::BufRead;

use agentsview_secrets::ScanOutcome;
use recall_core::{ImportProblem, ImportReport, OrdinalRange, SessionId, SkipReason, Timestamp};
use recall_store::{Durability, SessionState, StoreError, Transaction};
use recall_text::clean_block;
use recall_trust::evidence::{self, EvidenceError};
use recall_trust::import::{Candidate, ImportProjection, LineVerdict, parse_line};
use recall_trust::insertion::{InsertError, NewEntry};
use recall_trust::supersession::SupersessionError;

use crate::lines::read_line;
use crate::{Engine, EngineError};

/// Whether a line's session has to be in the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionPolicy {
    /// It must be there, and the evidence is verified against it.
    RequireExisting,
    /// It need not be there: nothing is verified, and an absent session is stood in for.
    AllowPlaceholder,
}

/// How to import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportOptions {
    /// Check everything and write nothing.
    pub dry_run: bool,
    /// Whether sessions must exist.
    pub sessions: SessionPolicy,
    /// Import the good lines although others are unusable. Without it, one unusable line stops the
    /// import and nothing is written.
    pub keep_going: bool,
}

impl Engine {
    /// Imports reviewed lines, one JSON object each, in one transaction. Every line is looked at,
    /// so that the report names all that is wrong and not only the first.
    ///
    /// # Errors
    /// A line that cannot be imported is no error: it is in the report, which also says whether
    /// anything was written. An error means that the input or the archive failed.
    pub async fn import(
        &self,
        input: &mut (dyn BufRead + Send),
        options: ImportOptions,
    ) -> Result<ImportReport, EngineError> {
        let transaction = if options.dry_run {
            self.store.snapshot().await?
        } else {
            self.store.begin(Durability::PowerCut).await?
        };
        let mut run = Import {
            transaction,
            options,
            now: self.clock.now(),
            projection: ImportProjection::new(),
            report: ImportReport {
                dry_run: options.dry_run,
                ..ImportReport::default()
            },
        };
        let mut buffer = Vec::new();
        let mut number = 0;
        while read_line(input, &mut buffer)? {
            number += 1;
            run.line(number, &buffer).await?;
        }
        run.finish().await
    }
}

/// Why a line is not imported.
enum Refusal {
    /// The line is unusable.
    Problem(String),
    /// The archive failed, which is no fault of the line.
    Failed(EngineError),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

macro_rules! problem_from {
    ($($error:ty),+) => {
        $(impl From<$error> for Refusal {
            fn from(error: $error) -> Self {
                Self::Problem(error.to_string())
            }
        })+
    };
}
problem_from!(EvidenceError, InsertError, SupersessionError);

struct Import {
    transaction: Transaction,
    options: ImportOptions,
    now: Timestamp,
    projection: ImportProjection,
    report: ImportReport,
}

impl Import {
    async fn line(&mut self, number: u64, bytes: &[u8]) -> Result<(), EngineError> {
        match parse_line(number, bytes) {
            LineVerdict::Blank => {}
            LineVerdict::Skip(item) => self.report.items.push(item),
            LineVerdict::Problem(problem) => self.problem(number, &problem.message),
            LineVerdict::Candidate(candidate) => match self.candidate(&candidate).await {
                Ok(skipped) => self.report.items.push(candidate.item(number, skipped)),
                Err(Refusal::Problem(message)) => self.problem(number, &message),
                Err(Refusal::Failed(error)) => return Err(error),
            },
        }
        Ok(())
    }

    /// Reports an unusable line. The message may quote it, so a secret in it is masked.
    fn problem(&mut self, line: u64, message: &str) {
        let message = agentsview_secrets::mask(message);
        self.report.problems.push(ImportProblem { line, message });
    }

    /// Imports one candidate, or says why it is skipped. A known id comes before every other check:
    /// it stays a skip even after its transcript was parsed again (S-R02).
    async fn candidate(&mut self, candidate: &Candidate) -> Result<Option<SkipReason>, Refusal> {
        if let Err(reason) = self.projection.claim(candidate) {
            return Ok(Some(reason));
        }
        if let Some(stored) = self.transaction.entry(candidate.id()).await? {
            let same = candidate.same_content(&stored);
            return Ok(Some(if same {
                SkipReason::Duplicate
            } else {
                SkipReason::Conflict
            }));
        }
        refuse_secrets(candidate)?;
        let new = match self.options.sessions {
            SessionPolicy::RequireExisting => self.verified(candidate).await?,
            SessionPolicy::AllowPlaceholder => self.unverified(candidate).await?,
        };
        let target = match candidate.supersedes() {
            Some(target) => self.transaction.target(target).await?,
            None => None,
        };
        self.projection
            .import(candidate, new.entry().provenance_ok, target.as_ref())?;
        if !self.options.dry_run {
            if self.options.sessions == SessionPolicy::AllowPlaceholder {
                self.transaction
                    .insert_placeholder_session(&new, self.now)
                    .await?;
            }
            self.transaction.insert(&new, self.now).await?;
        }
        Ok(None)
    }

    /// The host reads the cited messages itself and binds what the line selects (S-E04).
    async fn verified(&mut self, candidate: &Candidate) -> Result<NewEntry, Refusal> {
        let session = candidate.session_id();
        match self.transaction.session_state(session).await? {
            SessionState::Present => {}
            state => return Err(no_session(session, state)),
        }
        let range: OrdinalRange = candidate.selection.range;
        let messages = self.transaction.cited_messages(session, range).await?;
        let window = evidence::window(session.clone(), range, messages)?;
        let bound = evidence::bind(&window, &candidate.selection)?;
        Ok(NewEntry::verified(candidate, &bound, self.now)?)
    }

    async fn unverified(&mut self, candidate: &Candidate) -> Result<NewEntry, Refusal> {
        let session = candidate.session_id();
        match self.transaction.session_state(session).await? {
            SessionState::Present | SessionState::Unknown => {}
            state => return Err(no_session(session, state)),
        }
        Ok(NewEntry::placeholder(candidate, self.now)?)
    }

    async fn finish(self) -> Result<ImportReport, EngineError> {
        let Self {
            transaction,
            options,
            mut report,
            ..
        } = self;
        let is_wanted = report.problems.is_empty() || options.keep_going;
        if is_wanted && !options.dry_run {
            transaction.commit().await?;
            report.committed = true;
        }
        Ok(report)
    }
}

fn no_session(session: &SessionId, state: SessionState) -> Refusal {
    Refusal::Problem(match state {
        SessionState::Trashed => format!("source session {session} is in the trash; restore it"),
        SessionState::Excluded => format!("source session {session} was removed for good"),
        SessionState::Present | SessionState::Unknown => {
            format!("source session {session} is not in the archive; run `agentsview sync` first")
        }
    })
}

/// Entries are made to travel, so text that holds a credential never becomes one.
fn refuse_secrets(candidate: &Candidate) -> Result<(), Refusal> {
    let snippets = candidate
        .snippets
        .iter()
        .map(|text| ("snippet", text.as_str()));
    let texts = candidate.draft.texts().into_iter().chain(snippets);
    for (field, text) in texts {
        // Cleaning takes out invisible characters, so what they split comes out whole where the
        // text is shown.
        for text in [Cow::Borrowed(text), clean_block(text)] {
            match agentsview_secrets::scan(&text) {
                ScanOutcome::Scanned(findings) => {
                    if let Some(finding) = findings.first() {
                        return Err(Refusal::Problem(format!(
                            "{field} holds what looks like a secret ({}: {}); take it out",
                            finding.rule, finding.masked
                        )));
                    }
                }
                ScanOutcome::TooLong { bytes } => {
                    return Err(Refusal::Problem(format!(
                        "{field} has {bytes} bytes, too many to look for secrets in"
                    )));
                }
            }
        }
    }
    Ok(())
}
