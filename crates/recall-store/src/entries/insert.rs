//! The one insertion boundary: every entry, whoever made it, is stored here (S-E05).

use recall_core::digest::ContentDigest;
use recall_core::{Entry, EntryId, Evidence};
use recall_trust::insertion::NewEntry;
use sqlx::SqliteConnection;

use crate::StoreError;
use crate::columns::{integer, json_texts};

/// Stores an entry and its evidence. That it is a [`NewEntry`] proves the checks of `recall-trust`;
/// the caller's transaction makes it all or nothing.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    new: &NewEntry,
) -> Result<(), StoreError> {
    let entry = new.entry();
    sqlx::query(
        "INSERT INTO recall_entries (id, type, scope, status, review_state, title, body, trigger, \
         confidence, uncertainty, project, cwd, git_branch, agent, source_session_id, \
         source_episode_id, source_run_id, extractor_method, model, transferable, provenance_ok, \
         claimed_type, revocation_reason, revoked_at, supersedes_entry_id, superseded_by_entry_id, \
         created_at, updated_at, decided_before) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \
         ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, \
         (SELECT coalesce(max(number), 0) FROM recall_review_log WHERE entry_id = ?))",
    )
    .bind(entry.id.as_str())
    .bind(entry.entry_type.as_str())
    .bind(entry.scope.as_str())
    .bind(entry.status.as_str())
    .bind(entry.review_state.as_str())
    .bind(&entry.title)
    .bind(&entry.body)
    .bind(&entry.trigger)
    .bind(entry.confidence.map(recall_core::Confidence::get))
    .bind(&entry.uncertainty)
    .bind(&entry.project)
    .bind(&entry.cwd)
    .bind(&entry.git_branch)
    .bind(&entry.agent)
    .bind(entry.source_session_id.as_str())
    .bind(
        entry
            .source_episode_id
            .as_ref()
            .map(recall_core::EpisodeId::as_str),
    )
    .bind(entry.source_run_id.as_ref().map(recall_core::RunId::as_str))
    .bind(&entry.extractor_method)
    .bind(&entry.model)
    .bind(entry.transferable)
    .bind(entry.provenance_ok)
    .bind(entry.claimed_type.map(recall_core::EntryType::as_str))
    .bind(
        entry
            .revocation
            .map(|revocation| revocation.reason.as_str()),
    )
    .bind(entry.revocation.map(|revocation| revocation.at.to_string()))
    .bind(entry.supersedes.as_ref().map(EntryId::as_str))
    .bind(entry.superseded_by.as_ref().map(EntryId::as_str))
    .bind(entry.created_at.to_string())
    .bind(entry.updated_at.to_string())
    .bind(entry.id.as_str())
    .execute(&mut *connection)
    .await
    .map_err(|error| refusal(entry, error))?;
    for evidence in &entry.evidence {
        insert_evidence(connection, &entry.id, evidence).await?;
    }
    Ok(())
}

pub(super) async fn insert_evidence(
    connection: &mut SqliteConnection,
    entry: &EntryId,
    evidence: &Evidence,
) -> Result<(), StoreError> {
    let speakers: Vec<&str> = evidence
        .speakers
        .iter()
        .map(|speaker| speaker.as_str())
        .collect();
    sqlx::query(
        "INSERT INTO recall_evidence (entry_id, session_id, message_start_ordinal, \
         message_end_ordinal, message_start_source_uuid, message_end_source_uuid, message_count, \
         content_bytes, content_digest, digest_version, opening_digest, speakers, tool_use_id, \
         snippets) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(entry.as_str())
    .bind(evidence.session_id.as_str())
    .bind(i64::from(evidence.range.start()))
    .bind(i64::from(evidence.range.end()))
    .bind(
        evidence
            .start_uuid
            .as_ref()
            .map(recall_core::SourceUuid::as_str),
    )
    .bind(
        evidence
            .end_uuid
            .as_ref()
            .map(recall_core::SourceUuid::as_str),
    )
    .bind(evidence.message_count)
    .bind(evidence.content_bytes.map(integer))
    .bind(evidence.content_digest.as_ref().map(ContentDigest::as_hex))
    .bind(
        evidence
            .content_digest
            .as_ref()
            .map(|digest| digest.version().as_str()),
    )
    .bind(&evidence.opening_digest)
    .bind(json_texts(&speakers))
    .bind(
        evidence
            .tool_use_id
            .as_ref()
            .map(recall_core::ToolUseId::as_str),
    )
    .bind(json_texts(&evidence.snippets))
    .execute(connection)
    .await?;
    Ok(())
}

/// Turns the constraints that a caller can meet into their own errors.
fn refusal(entry: &Entry, error: sqlx::Error) -> StoreError {
    use sqlx::error::ErrorKind;

    let kind = error
        .as_database_error()
        .map(|error| (error.kind(), error.message().to_owned()));
    match (kind, &entry.supersedes) {
        (Some((ErrorKind::UniqueViolation, message)), Some(target))
            if message.contains("supersedes_entry_id") =>
        {
            StoreError::NotActive(target.clone())
        }
        (Some((ErrorKind::UniqueViolation, _)), _) => StoreError::EntryExists(entry.id.clone()),
        (Some((ErrorKind::ForeignKeyViolation, _)), _) => StoreError::NoSourceSession {
            entry: entry.id.clone(),
            session: entry.source_session_id.clone(),
        },
        _ => StoreError::Database(error),
    }
}
