//! Stored rows as entries and evidence.

use recall_core::digest::{ContentDigest, ContentVersion};
use recall_core::{
    Confidence, Entry, EntryId, EpisodeId, Evidence, OrdinalRange, Revocation, RunId, SessionId,
    SourceUuid, ToolUseId,
};
use sqlx::{QueryBuilder, Sqlite};

use super::filter::SOURCE_WITHDRAWN;
use crate::StoreError;
use crate::columns::{id, optional_count, optional_id, ordinal, texts, time, word};

#[derive(sqlx::FromRow)]
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
    supersedes_entry_id: Option<String>,
    superseded_by_entry_id: Option<String>,
    claimed_type: Option<String>,
    revocation_reason: Option<String>,
    revoked_at: Option<String>,
    is_source_withdrawn: bool,
    is_rejected: bool,
    created_at: String,
    updated_at: String,
}

/// Reads [`EntryRow`]s of `recall_entries e`; a condition follows.
pub(super) fn select_entries() -> QueryBuilder<Sqlite> {
    let mut sql = QueryBuilder::new("SELECT e.*, ");
    sql.push(SOURCE_WITHDRAWN).push(
        " AS is_source_withdrawn, \
         EXISTS (SELECT 1 FROM recall_rejected r WHERE r.entry_id = e.id) AS is_rejected \
         FROM recall_entries e",
    );
    sql
}

impl EntryRow {
    pub(super) fn entry(self) -> Result<Entry, StoreError> {
        let confidence = self
            .confidence
            .map(|value| {
                Confidence::new(value)
                    .map_err(|_| StoreError::corrupt("confidence", value.to_string()))
            })
            .transpose()?;
        let revocation = match (&self.revocation_reason, &self.revoked_at) {
            (Some(reason), Some(at)) => Some(Revocation {
                reason: word(reason)?,
                at: time(at)?,
            }),
            _ => None,
        };
        Ok(Entry {
            id: id(EntryId::new, self.id)?,
            entry_type: word(&self.r#type)?,
            scope: word(&self.scope)?,
            status: word(&self.status)?,
            review_state: word(&self.review_state)?,
            title: self.title,
            body: self.body,
            trigger: self.trigger,
            confidence,
            uncertainty: self.uncertainty,
            project: self.project,
            cwd: self.cwd,
            git_branch: self.git_branch,
            agent: self.agent,
            source_session_id: id(SessionId::new, self.source_session_id)?,
            source_episode_id: optional_id(EpisodeId::new, self.source_episode_id)?,
            source_run_id: optional_id(RunId::new, self.source_run_id)?,
            extractor_method: self.extractor_method,
            model: self.model,
            transferable: self.transferable,
            provenance_ok: self.provenance_ok,
            revocation,
            claimed_type: self.claimed_type.as_deref().map(word).transpose()?,
            is_rejected: self.is_rejected,
            is_source_withdrawn: self.is_source_withdrawn,
            supersedes: optional_id(EntryId::new, self.supersedes_entry_id)?,
            superseded_by: optional_id(EntryId::new, self.superseded_by_entry_id)?,
            created_at: time(&self.created_at)?,
            updated_at: time(&self.updated_at)?,
            evidence: Vec::new(),
        })
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct EvidenceRow {
    id: i64,
    pub(super) entry_id: String,
    session_id: String,
    message_start_ordinal: i64,
    message_end_ordinal: i64,
    message_start_source_uuid: Option<String>,
    message_end_source_uuid: Option<String>,
    message_count: Option<i64>,
    content_bytes: Option<i64>,
    content_digest: Option<String>,
    digest_version: Option<String>,
    opening_digest: Option<String>,
    speakers: String,
    tool_use_id: Option<String>,
    snippets: String,
}

impl EvidenceRow {
    pub(super) fn evidence(self) -> Result<Evidence, StoreError> {
        let range = OrdinalRange::new(
            ordinal(self.message_start_ordinal)?,
            ordinal(self.message_end_ordinal)?,
        )
        .map_err(|error| StoreError::corrupt("evidence range", error.to_string()))?;
        Ok(Evidence {
            id: self.id,
            session_id: id(SessionId::new, self.session_id)?,
            range,
            start_uuid: optional_id(SourceUuid::new, self.message_start_source_uuid)?,
            end_uuid: optional_id(SourceUuid::new, self.message_end_source_uuid)?,
            message_count: self
                .message_count
                .map(|number| {
                    u32::try_from(number)
                        .map_err(|_| StoreError::corrupt("message count", number.to_string()))
                })
                .transpose()?,
            content_bytes: optional_count(self.content_bytes)?,
            content_digest: content_digest(self.content_digest, self.digest_version)?,
            opening_digest: self.opening_digest,
            speakers: texts("speakers", &self.speakers)?
                .iter()
                .map(|speaker| word(speaker))
                .collect::<Result<_, _>>()?,
            tool_use_id: optional_id(ToolUseId::new, self.tool_use_id)?,
            snippets: texts("snippets", &self.snippets)?,
        })
    }
}

fn content_digest(
    hex: Option<String>,
    version: Option<String>,
) -> Result<Option<ContentDigest>, StoreError> {
    let (Some(hex), Some(version)) = (hex, version) else {
        return Ok(None);
    };
    let version = ContentVersion::from_name(&version)
        .ok_or_else(|| StoreError::corrupt("digest version", version))?;
    ContentDigest::from_stored(version, hex.clone())
        .map(Some)
        .ok_or_else(|| StoreError::corrupt("content digest", hex))
}
