//! The one boundary that every entry passes on its way into a store.
//!
//! A store takes [`NewEntry`] and nothing else. Its constructors are the only places where
//! `provenance_ok` becomes true, and they need [`BoundEvidence`] for it, or the transcript itself
//! ([`RestoredEntry`]); where `human_reviewed` is said, they need a reviewed [`Candidate`], or a
//! backup that a person [`Confirmed`]. Evidence rows get the entry's own session.

mod check;
mod restored;

pub use check::{InsertError, check_entry};
pub use restored::{Confirmed, RestoredEntry, RestoredEvidence};

use std::collections::BTreeSet;

use recall_core::{
    Confidence, Entry, EntryId, EntryType, EpisodeId, Evidence, ReviewState, RunId, Scope,
    SessionId, Speaker, Status, Timestamp,
};

use crate::evidence::{self, BoundEvidence, Selection, speakers};
use crate::import::Candidate;
use crate::limits;
use crate::review::AutomatedReview;

/// The content of an entry to be: what it says and where it comes from, without any standing.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Immutable identity.
    pub id: EntryId,
    /// What kind of conclusion it is.
    pub entry_type: EntryType,
    /// How far it reaches.
    pub scope: Scope,
    /// One line.
    pub title: String,
    /// The conclusion itself.
    pub body: String,
    /// When it applies; empty if unsaid.
    pub trigger: String,
    /// How sure its source was.
    pub confidence: Option<Confidence>,
    /// What remains unsure, in words; empty if unsaid.
    pub uncertainty: String,
    /// Project name; empty if unknown.
    pub project: String,
    /// Working directory; empty if unknown.
    pub cwd: String,
    /// Git branch; empty if unknown.
    pub git_branch: String,
    /// Agent name; empty if unknown.
    pub agent: String,
    /// The one session that the entry belongs to.
    pub source_session_id: SessionId,
    /// The stretch of work it came from.
    pub source_episode_id: Option<EpisodeId>,
    /// The run that produced it.
    pub source_run_id: Option<RunId>,
    /// The method that produced it; empty if unknown.
    pub extractor_method: String,
    /// The model that produced it; empty if none.
    pub model: String,
    /// The entry that it replaces.
    pub supersedes: Option<EntryId>,
}

impl Draft {
    /// A draft that says only this: a fact about its project.
    pub fn new(
        id: EntryId,
        source_session_id: SessionId,
        title: impl Into<String>,
        body: impl Into<String>,
    ) -> Self {
        Self {
            id,
            entry_type: EntryType::Fact,
            scope: Scope::Project,
            title: title.into(),
            body: body.into(),
            trigger: String::new(),
            confidence: None,
            uncertainty: String::new(),
            project: String::new(),
            cwd: String::new(),
            git_branch: String::new(),
            agent: String::new(),
            source_session_id,
            source_episode_id: None,
            source_run_id: None,
            extractor_method: String::new(),
            model: String::new(),
            supersedes: None,
        }
    }

    /// Every text of the draft with its name in import lines; an absent one is empty. Whoever checks
    /// texts walks this, so that a new field is checked too.
    pub fn texts(&self) -> [(&'static str, &str); 15] {
        let Self {
            id,
            entry_type: _,
            scope: _,
            title,
            body,
            trigger,
            confidence: _,
            uncertainty,
            project,
            cwd,
            git_branch,
            agent,
            source_session_id,
            source_episode_id,
            source_run_id,
            extractor_method,
            model,
            supersedes,
        } = self;
        [
            ("candidate_id", id.as_str()),
            ("session_id", source_session_id.as_str()),
            ("run_id", source_run_id.as_ref().map_or("", RunId::as_str)),
            (
                "episode_id",
                source_episode_id.as_ref().map_or("", EpisodeId::as_str),
            ),
            (
                "supersedes_entry_id",
                supersedes.as_ref().map_or("", EntryId::as_str),
            ),
            ("title", title),
            ("body", body),
            ("trigger", trigger),
            ("uncertainty", uncertainty),
            ("project", project),
            ("cwd", cwd),
            ("git_branch", git_branch),
            ("agent", agent),
            ("extractor_method", extractor_method),
            ("model", model),
        ]
    }
}

/// What is known of a citation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Provenance {
    /// The host checked it against the transcript.
    Verified(BoundEvidence),
    /// Someone claims it and nobody checked: no stable ids, no digest.
    Claimed(Selection),
    /// Nothing is cited.
    None,
}

impl Provenance {
    /// Whether an entry with this citation is provenance-valid.
    pub fn is_verified(&self) -> bool {
        matches!(self, Self::Verified(_))
    }

    fn cited(&self, owner: &SessionId, snippets: &[String]) -> Result<Cited, InsertError> {
        let rows = match self {
            Self::Verified(bound) => bound.rows(snippets)?,
            Self::Claimed(selection) => selection.unverified_rows(owner, snippets)?,
            Self::None if snippets.is_empty() => Vec::new(),
            Self::None => return Err(InsertError::SnippetsWithoutCitation),
        };
        Ok(Cited {
            rows,
            is_verified: self.is_verified(),
        })
    }
}

/// The evidence of an entry, and whether the host bound it.
struct Cited {
    rows: Vec<Evidence>,
    is_verified: bool,
}

fn speakers_of(rows: &[Evidence]) -> BTreeSet<Speaker> {
    rows.iter()
        .flat_map(|row| row.speakers.iter().copied())
        .collect()
}

/// Makes a draft the kind that its evidence can carry; what it claimed to be, if that is another.
fn hold_back(draft: &mut Draft, cited: &Cited) -> Option<EntryType> {
    let kind = speakers::kind_held_back(draft.entry_type, &speakers_of(&cited.rows))?;
    Some(std::mem::replace(&mut draft.entry_type, kind))
}

/// An entry that passed every check of the boundary and may be stored.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEntry(Entry);

impl NewEntry {
    /// A reviewed import line whose evidence the host bound. What rests on nobody's word is of the
    /// kind it says only if the line also says who speaks: its reviewer has seen it then.
    pub fn verified(
        candidate: &Candidate,
        bound: &BoundEvidence,
        now: Timestamp,
    ) -> Result<Self, InsertError> {
        if !bound.answers(&candidate.selection) {
            return Err(InsertError::OtherSelection(candidate.id().clone()));
        }
        let cited = Cited {
            rows: bound.rows(&candidate.snippets)?,
            is_verified: true,
        };
        let said = speakers_of(&cited.rows);
        if !candidate.speakers.is_empty() && candidate.speakers != said {
            return Err(InsertError::OtherSpeakers {
                claimed: candidate.speakers.clone(),
                found: said,
            });
        }
        let mut draft = candidate.draft.clone();
        // Who names the speakers has seen that nobody's word carries the kind.
        let claimed_type = if candidate.speakers.is_empty() {
            hold_back(&mut draft, &cited)
        } else {
            None
        };
        let mut entry = Self::reviewed(draft, cited, now)?;
        entry.0.claimed_type = claimed_type;
        Ok(entry)
    }

    /// A reviewed import line whose session the archive does not hold: its evidence stays a claim.
    pub fn placeholder(candidate: &Candidate, now: Timestamp) -> Result<Self, InsertError> {
        let (owner, snippets) = (candidate.session_id(), &candidate.snippets);
        let cited = Cited {
            rows: candidate.selection.unverified_rows(owner, snippets)?,
            is_verified: false,
        };
        Self::reviewed(candidate.draft.clone(), cited, now)
    }

    /// What a program produced. It is never transferable: that is for a review to say. And what
    /// only passed through a tool tells nobody what to do: a preference, decision or procedure that
    /// rests on nobody's word is stored as a fact, with what it claimed to be.
    pub fn automated(
        mut draft: Draft,
        review: AutomatedReview,
        provenance: &Provenance,
        snippets: &[String],
        now: Timestamp,
    ) -> Result<Self, InsertError> {
        let cited = provenance.cited(&draft.source_session_id, snippets)?;
        let claimed_type = hold_back(&mut draft, &cited);
        let mut entry = Self::assemble(draft, (review.into(), false), cited, now)?;
        entry.0.claimed_type = claimed_type;
        Ok(entry)
    }

    /// The same entry, archived: a person rejected this id before, and it stays rejected (B-01).
    /// It replaces nothing.
    #[must_use]
    pub fn rejected(mut self) -> Self {
        self.0.status = Status::Archived;
        self.0.supersedes = None;
        self
    }

    fn reviewed(draft: Draft, cited: Cited, now: Timestamp) -> Result<Self, InsertError> {
        // A line that does not say "transferable" is skipped and never becomes a candidate.
        let standing = (ReviewState::HumanReviewed, true);
        Self::assemble(draft, standing, cited, now)
    }

    fn assemble(
        draft: Draft,
        (review_state, transferable): (ReviewState, bool),
        cited: Cited,
        now: Timestamp,
    ) -> Result<Self, InsertError> {
        limits::check(&draft)?;
        let entry = Entry {
            id: draft.id,
            entry_type: draft.entry_type,
            scope: draft.scope,
            status: Status::Accepted,
            review_state,
            title: draft.title,
            body: draft.body,
            trigger: draft.trigger,
            confidence: draft.confidence,
            uncertainty: draft.uncertainty,
            project: draft.project,
            cwd: draft.cwd,
            git_branch: draft.git_branch,
            agent: draft.agent,
            source_session_id: draft.source_session_id,
            source_episode_id: draft.source_episode_id,
            source_run_id: draft.source_run_id,
            extractor_method: draft.extractor_method,
            model: draft.model,
            transferable,
            provenance_ok: cited.is_verified,
            revocation: None,
            claimed_type: None,
            is_rejected: false,
            is_source_withdrawn: false,
            supersedes: draft.supersedes,
            superseded_by: None,
            created_at: now,
            updated_at: now,
            evidence: cited.rows,
        };
        check_entry(&entry)?;
        Ok(Self(entry))
    }

    /// The entry.
    pub fn entry(&self) -> &Entry {
        &self.0
    }

    /// The entry, to be stored.
    pub fn into_entry(self) -> Entry {
        self.0
    }
}

impl Selection {
    /// Rows for a citation that nobody checked.
    fn unverified_rows(
        &self,
        owner: &SessionId,
        snippets: &[String],
    ) -> Result<Vec<Evidence>, evidence::EvidenceError> {
        evidence::check_snippets(snippets)?;
        let row = Evidence {
            snippets: snippets.to_vec(),
            ..Evidence::claimed(owner.clone(), self.range)
        };
        Ok(evidence::spread(row, &self.distinct_tool_use_ids()))
    }
}

#[cfg(test)]
mod tests;
