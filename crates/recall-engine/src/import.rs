//! Reviewed import: lines a person vouched for, checked against the archive.

use std::io::BufRead;

use recall_core::{
    EntryType, ImportItem, ImportProblem, ImportReport, OrdinalRange, SessionId, SkipReason,
    Speaker, Timestamp,
};
use recall_store::{Durability, SessionState, Signed, StoreError, Transaction};
use recall_trust::evidence::{self, EvidenceError};
use recall_trust::import::{Candidate, ImportProjection, LineVerdict, parse_line};
use recall_trust::insertion::{InsertError, NewEntry};
use recall_trust::review::{Reviewer, superseded_by_import};
use recall_trust::supersession::{SupersessionError, TargetState};

use crate::lines::read_line;
use crate::screen::{ScreenError, screen};
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
    /// so that the report names all that is wrong and not only the first. What a line supersedes is
    /// a decision of the reviewer's in the review log.
    ///
    /// # Errors
    /// A line that cannot be imported is no error: it is in the report, which also says whether
    /// anything was written. An error means that the input or the archive failed.
    pub async fn import(
        &self,
        input: &mut (dyn BufRead + Send),
        options: ImportOptions,
        reviewer: &Reviewer,
    ) -> Result<ImportReport, EngineError> {
        let transaction = if options.dry_run {
            self.store.snapshot().await?
        } else {
            self.store.begin(Durability::PowerCut).await?
        };
        let mut run = Import {
            transaction,
            options,
            reviewer,
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

/// What became of a usable line.
enum Outcome {
    /// It was passed over.
    Skipped(SkipReason),
    /// It became an entry, or would.
    Imported {
        /// Whose words the entry rests on.
        speakers: Vec<Speaker>,
        /// The kind that it may not be yet.
        claimed_type: Option<EntryType>,
    },
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
problem_from!(EvidenceError, InsertError, ScreenError, SupersessionError);

struct Import<'a> {
    transaction: Transaction,
    options: ImportOptions,
    reviewer: &'a Reviewer,
    now: Timestamp,
    projection: ImportProjection,
    report: ImportReport,
}

impl Import<'_> {
    async fn line(&mut self, number: u64, bytes: &[u8]) -> Result<(), EngineError> {
        match parse_line(number, bytes) {
            LineVerdict::Blank => {}
            LineVerdict::Skip(item) => self.report.items.push(item),
            LineVerdict::Problem(problem) => self.problem(number, &problem.message),
            LineVerdict::Candidate(candidate) => match self.candidate(&candidate).await {
                Ok(Outcome::Skipped(reason)) => {
                    self.report.items.push(candidate.item(number, Some(reason)));
                }
                Ok(Outcome::Imported {
                    speakers,
                    claimed_type,
                }) => self.report.items.push(ImportItem {
                    speakers,
                    claimed_type,
                    ..candidate.item(number, None)
                }),
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
    async fn candidate(&mut self, candidate: &Candidate) -> Result<Outcome, Refusal> {
        if let Err(reason) = self.projection.claim(candidate) {
            return Ok(Outcome::Skipped(reason));
        }
        if self.transaction.is_rejected(candidate.id()).await? {
            return Ok(Outcome::Skipped(SkipReason::Rejected));
        }
        if let Some(stored) = self.transaction.entry(candidate.id()).await? {
            // What a person edited since is no divergence of the file's.
            let same = candidate.same_content(&stored)
                || candidate.same_content(&self.transaction.original(stored).await?);
            return Ok(Outcome::Skipped(if same {
                SkipReason::Duplicate
            } else {
                SkipReason::Conflict
            }));
        }
        let snippets = candidate
            .snippets
            .iter()
            .map(|text| ("snippet", text.as_str()));
        screen(candidate.draft.texts().into_iter().chain(snippets))?;
        let new = match self.options.sessions {
            SessionPolicy::RequireExisting => self.verified(candidate).await?,
            SessionPolicy::AllowPlaceholder => self.unverified(candidate).await?,
        };
        let target = match candidate.supersedes() {
            Some(target) => self.transaction.entry(target).await?,
            None => None,
        };
        let state = target.as_ref().map(TargetState::of);
        self.projection
            .import(candidate, new.entry().provenance_ok, state.as_ref())?;
        if !self.options.dry_run {
            if self.options.sessions == SessionPolicy::AllowPlaceholder {
                self.transaction
                    .insert_placeholder_session(&new, self.now)
                    .await?;
            }
            self.transaction.insert(&new, self.now).await?;
            if let Some(target) = &target {
                let signed = Signed {
                    reviewer: self.reviewer,
                    at: self.now,
                    note: "imported",
                };
                self.transaction
                    .log_supersession(
                        &target.id,
                        &superseded_by_import(target, candidate.id()),
                        signed,
                    )
                    .await?;
            }
        }
        Ok(Outcome::Imported {
            speakers: new.entry().speakers().into_iter().collect(),
            claimed_type: new.entry().claimed_type,
        })
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
        let activity = self.transaction.session_activity(session, self.now).await?;
        let window = evidence::window(session.clone(), range, messages, activity)?;
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
