//! The lines of a backup, as they are written.
//!
//! Every member is always there, `null` where there is nothing, in the order of the structs. A
//! member that is not in them is refused: what a program does not know it would lose.

use recall_core::digest::{ContentDigest, ContentVersion};
use recall_core::{
    Confidence, Entry, EntryId, EntryType, EpisodeId, Evidence, IdError, Ordinal, OrdinalRange,
    Revocation, RunId, SessionId, SourceUuid, Timestamp, ToolUseId, UnknownWord,
};
use recall_store::ReplacedWording;
use recall_trust::evidence::speakers;
use recall_trust::review::{Decision, Reviewer, Standing, Wording};
use serde::{Deserialize, Serialize};

/// One line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Line {
    Header(HeaderRow),
    Decision(Box<DecisionRow>),
    Entry(Box<EntryRow>),
    Wording(WordingRow),
    End(EndRow),
}

/// The first line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeaderRow {
    pub(super) format: String,
    pub(super) version: u64,
    pub(super) created_at: String,
    pub(super) counts: CountsRow,
}

/// How many rows of each kind follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CountsRow {
    pub(super) decisions: u64,
    pub(super) entries: u64,
    pub(super) evidence: u64,
    pub(super) wordings: u64,
}

/// The last line: how many lines stand before it, and the SHA-256 of their bytes, line feeds
/// included.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EndRow {
    pub(super) lines: u64,
    pub(super) sha256: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntryRow {
    id: String,
    r#type: String,
    scope: String,
    status: String,
    review_state: String,
    title: String,
    body: String,
    trigger: String,
    confidence: Option<f64>,
    uncertainty: String,
    project: String,
    cwd: String,
    git_branch: String,
    agent: String,
    source_session_id: String,
    source_episode_id: Option<String>,
    source_run_id: Option<String>,
    extractor_method: String,
    model: String,
    transferable: bool,
    provenance_ok: bool,
    revocation: Option<RevocationRow>,
    claimed_type: Option<String>,
    supersedes_entry_id: Option<String>,
    superseded_by_entry_id: Option<String>,
    created_at: String,
    updated_at: String,
    evidence: Vec<EvidenceRow>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RevocationRow {
    reason: String,
    at: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EvidenceRow {
    session_id: String,
    message_start_ordinal: u32,
    message_end_ordinal: u32,
    message_start_source_uuid: Option<String>,
    message_end_source_uuid: Option<String>,
    message_count: Option<u32>,
    content_bytes: Option<u64>,
    content_digest: Option<DigestRow>,
    opening_digest: Option<String>,
    speakers: Vec<String>,
    tool_use_id: Option<String>,
    snippets: Vec<String>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DigestRow {
    version: String,
    sha256: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WordingRow {
    entry_id: String,
    replaced_by: i64,
    title: String,
    body: String,
    trigger: String,
    uncertainty: String,
    scope: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionRow {
    number: i64,
    entry_id: String,
    action: String,
    reviewer: String,
    decided_at: String,
    note: String,
    other_entry_id: Option<String>,
    undoes: Option<i64>,
    standing: Option<StandingsRow>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StandingsRow {
    before: StandingRow,
    after: StandingRow,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StandingRow {
    status: String,
    review_state: String,
    transferable: bool,
    r#type: String,
    claimed_type: Option<String>,
}

/// A value that the type of its member cannot have.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowError {
    #[error(transparent)]
    Word(#[from] UnknownWord),
    #[error(transparent)]
    Id(#[from] IdError),
    #[error("{0:?} is not written as an id is kept")]
    UntrimmedId(String),
    #[error(transparent)]
    Time(#[from] recall_core::TimestampError),
    #[error("{0:?} is not written as a time is kept")]
    OtherTime(String),
    #[error(transparent)]
    Confidence(#[from] recall_core::ConfidenceError),
    #[error(transparent)]
    Range(#[from] recall_core::OrdinalRangeError),
    #[error("a citation of no messages")]
    NoMessages,
    #[error("unknown digest version {0:?}")]
    DigestVersion(String),
    #[error("{0:?} is no SHA-256 in lower-case hex")]
    Digest(String),
    #[error(transparent)]
    Reviewer(#[from] recall_trust::review::ReviewError),
    #[error("reviewer {0:?} is not written as a name is kept")]
    UntrimmedReviewer(String),
    #[error("nothing is claimed to be a {0} in vain")]
    ClaimedType(EntryType),
    #[error("a decision says that it takes one back, or does so without saying")]
    UnnamedUndo,
}

fn id<'t, T: AsRef<str>>(
    new: impl FnOnce(&'t str) -> Result<T, IdError>,
    text: &'t str,
) -> Result<T, RowError> {
    let id = new(text)?;
    if id.as_ref() == text {
        Ok(id)
    } else {
        Err(RowError::UntrimmedId(text.to_owned()))
    }
}

fn optional_id<'t, T: AsRef<str>>(
    new: impl FnOnce(&'t str) -> Result<T, IdError>,
    text: Option<&'t String>,
) -> Result<Option<T>, RowError> {
    text.map(|text| id(new, text)).transpose()
}

/// A time in the one form that the store keeps, so that it comes back as the same text.
pub(super) fn time(text: &str) -> Result<Timestamp, RowError> {
    let time: Timestamp = text.parse()?;
    if time.to_string() == text {
        Ok(time)
    } else {
        Err(RowError::OtherTime(text.to_owned()))
    }
}

/// Only a kind that needs somebody's word is ever claimed and not granted.
fn claimed_type(word: Option<&String>) -> Result<Option<EntryType>, RowError> {
    let claimed: Option<EntryType> = word.map(|word| word.parse()).transpose()?;
    match claimed.filter(|claimed| !speakers::needs_a_voice(*claimed)) {
        Some(wrong) => Err(RowError::ClaimedType(wrong)),
        None => Ok(claimed),
    }
}

fn is_sha256(text: &str) -> bool {
    ContentDigest::from_stored(ContentVersion::CURRENT, text.to_owned()).is_some()
}

fn text<T: ToString>(value: Option<&T>) -> Option<String> {
    value.map(ToString::to_string)
}

impl From<&Entry> for EntryRow {
    fn from(entry: &Entry) -> Self {
        Self {
            id: entry.id.to_string(),
            r#type: entry.entry_type.to_string(),
            scope: entry.scope.to_string(),
            status: entry.status.to_string(),
            review_state: entry.review_state.to_string(),
            title: entry.title.clone(),
            body: entry.body.clone(),
            trigger: entry.trigger.clone(),
            confidence: entry.confidence.map(Confidence::get),
            uncertainty: entry.uncertainty.clone(),
            project: entry.project.clone(),
            cwd: entry.cwd.clone(),
            git_branch: entry.git_branch.clone(),
            agent: entry.agent.clone(),
            source_session_id: entry.source_session_id.to_string(),
            source_episode_id: text(entry.source_episode_id.as_ref()),
            source_run_id: text(entry.source_run_id.as_ref()),
            extractor_method: entry.extractor_method.clone(),
            model: entry.model.clone(),
            transferable: entry.transferable,
            provenance_ok: entry.provenance_ok,
            revocation: entry.revocation.map(|revocation| RevocationRow {
                reason: revocation.reason.to_string(),
                at: revocation.at.to_string(),
            }),
            claimed_type: text(entry.claimed_type.as_ref()),
            supersedes_entry_id: text(entry.supersedes.as_ref()),
            superseded_by_entry_id: text(entry.superseded_by.as_ref()),
            created_at: entry.created_at.to_string(),
            updated_at: entry.updated_at.to_string(),
            evidence: entry.evidence.iter().map(Into::into).collect(),
        }
    }
}

impl EntryRow {
    /// The entry. What the archive derives (whether it is rejected, whether its session is
    /// withdrawn) is not in the row.
    pub(super) fn entry(self) -> Result<Entry, RowError> {
        let revocation = self
            .revocation
            .map(|row| -> Result<_, RowError> {
                Ok(Revocation {
                    reason: row.reason.parse()?,
                    at: time(&row.at)?,
                })
            })
            .transpose()?;
        Ok(Entry {
            id: id(EntryId::new, &self.id)?,
            entry_type: self.r#type.parse()?,
            scope: self.scope.parse()?,
            status: self.status.parse()?,
            review_state: self.review_state.parse()?,
            title: self.title,
            body: self.body,
            trigger: self.trigger,
            confidence: self.confidence.map(Confidence::new).transpose()?,
            uncertainty: self.uncertainty,
            project: self.project,
            cwd: self.cwd,
            git_branch: self.git_branch,
            agent: self.agent,
            source_session_id: id(SessionId::new, &self.source_session_id)?,
            source_episode_id: optional_id(EpisodeId::new, self.source_episode_id.as_ref())?,
            source_run_id: optional_id(RunId::new, self.source_run_id.as_ref())?,
            extractor_method: self.extractor_method,
            model: self.model,
            transferable: self.transferable,
            provenance_ok: self.provenance_ok,
            revocation,
            claimed_type: claimed_type(self.claimed_type.as_ref())?,
            is_rejected: false,
            is_source_withdrawn: false,
            supersedes: optional_id(EntryId::new, self.supersedes_entry_id.as_ref())?,
            superseded_by: optional_id(EntryId::new, self.superseded_by_entry_id.as_ref())?,
            created_at: time(&self.created_at)?,
            updated_at: time(&self.updated_at)?,
            evidence: self
                .evidence
                .into_iter()
                .map(EvidenceRow::evidence)
                .collect::<Result<_, _>>()?,
        })
    }
}

impl From<&Evidence> for EvidenceRow {
    fn from(row: &Evidence) -> Self {
        Self {
            session_id: row.session_id.to_string(),
            message_start_ordinal: row.range.start().get(),
            message_end_ordinal: row.range.end().get(),
            message_start_source_uuid: text(row.start_uuid.as_ref()),
            message_end_source_uuid: text(row.end_uuid.as_ref()),
            message_count: row.message_count,
            content_bytes: row.content_bytes,
            content_digest: row.content_digest.as_ref().map(|digest| DigestRow {
                version: digest.version().as_str().to_owned(),
                sha256: digest.as_hex().to_owned(),
            }),
            opening_digest: row.opening_digest.clone(),
            speakers: row.speakers.iter().map(ToString::to_string).collect(),
            tool_use_id: text(row.tool_use_id.as_ref()),
            snippets: row.snippets.clone(),
        }
    }
}

impl EvidenceRow {
    fn evidence(self) -> Result<Evidence, RowError> {
        if self.message_count == Some(0) {
            return Err(RowError::NoMessages);
        }
        if let Some(digest) = self.opening_digest.iter().find(|text| !is_sha256(text)) {
            return Err(RowError::Digest(digest.clone()));
        }
        Ok(Evidence {
            id: 0,
            session_id: id(SessionId::new, &self.session_id)?,
            range: OrdinalRange::new(
                Ordinal::new(self.message_start_ordinal),
                Ordinal::new(self.message_end_ordinal),
            )?,
            start_uuid: optional_id(SourceUuid::new, self.message_start_source_uuid.as_ref())?,
            end_uuid: optional_id(SourceUuid::new, self.message_end_source_uuid.as_ref())?,
            message_count: self.message_count,
            content_bytes: self.content_bytes,
            content_digest: self.content_digest.map(DigestRow::digest).transpose()?,
            opening_digest: self.opening_digest,
            speakers: self
                .speakers
                .iter()
                .map(|word| word.parse())
                .collect::<Result<_, _>>()?,
            tool_use_id: optional_id(ToolUseId::new, self.tool_use_id.as_ref())?,
            snippets: self.snippets,
        })
    }
}

impl DigestRow {
    fn digest(self) -> Result<ContentDigest, RowError> {
        let version = ContentVersion::from_name(&self.version)
            .ok_or(RowError::DigestVersion(self.version))?;
        ContentDigest::from_stored(version, self.sha256.clone())
            .ok_or(RowError::Digest(self.sha256))
    }
}

impl From<&ReplacedWording> for WordingRow {
    fn from(replaced: &ReplacedWording) -> Self {
        let Wording {
            title,
            body,
            trigger,
            uncertainty,
            scope,
        } = replaced.wording.clone();
        Self {
            entry_id: replaced.entry_id.to_string(),
            replaced_by: replaced.replaced_by,
            title,
            body,
            trigger,
            uncertainty,
            scope: scope.to_string(),
        }
    }
}

impl WordingRow {
    pub(super) fn wording(self) -> Result<ReplacedWording, RowError> {
        let entry_id = id(EntryId::new, &self.entry_id)?;
        let wording = Wording {
            title: self.title,
            body: self.body,
            trigger: self.trigger,
            uncertainty: self.uncertainty,
            scope: self.scope.parse()?,
        };
        wording.check(&entry_id)?;
        Ok(ReplacedWording {
            entry_id,
            replaced_by: self.replaced_by,
            wording,
        })
    }
}

impl From<&Decision> for DecisionRow {
    fn from(decision: &Decision) -> Self {
        Self {
            number: decision.number,
            entry_id: decision.entry_id.to_string(),
            action: decision.action.to_string(),
            reviewer: decision.reviewer.clone(),
            decided_at: decision.at.to_string(),
            note: decision.note.clone(),
            other_entry_id: text(decision.other.as_ref()),
            undoes: decision.undoes,
            standing: decision.standing.map(|(before, after)| StandingsRow {
                before: before.into(),
                after: after.into(),
            }),
        }
    }
}

impl DecisionRow {
    /// The decision. What took it back is told by the row of that one.
    pub(super) fn decision(self) -> Result<Decision, RowError> {
        let reviewer = Reviewer::new(&self.reviewer)?;
        if reviewer.as_str() != self.reviewer {
            return Err(RowError::UntrimmedReviewer(self.reviewer));
        }
        let action = self.action.parse()?;
        if (action == recall_core::ReviewAction::Undo) != self.undoes.is_some() {
            return Err(RowError::UnnamedUndo);
        }
        let standing = self
            .standing
            .map(|row| -> Result<_, RowError> {
                Ok((row.before.standing()?, row.after.standing()?))
            })
            .transpose()?;
        Ok(Decision {
            number: self.number,
            entry_id: id(EntryId::new, &self.entry_id)?,
            action,
            reviewer: self.reviewer,
            at: time(&self.decided_at)?,
            note: self.note,
            standing,
            other: optional_id(EntryId::new, self.other_entry_id.as_ref())?,
            undoes: self.undoes,
            undone_by: None,
        })
    }
}

impl From<Standing> for StandingRow {
    fn from(standing: Standing) -> Self {
        Self {
            status: standing.status.to_string(),
            review_state: standing.review_state.to_string(),
            transferable: standing.transferable,
            r#type: standing.entry_type.to_string(),
            claimed_type: standing.claimed_type.map(|claimed| claimed.to_string()),
        }
    }
}

impl StandingRow {
    fn standing(&self) -> Result<Standing, RowError> {
        Ok(Standing {
            status: self.status.parse()?,
            review_state: self.review_state.parse()?,
            transferable: self.transferable,
            entry_type: self.r#type.parse()?,
            claimed_type: claimed_type(self.claimed_type.as_ref())?,
        })
    }
}
