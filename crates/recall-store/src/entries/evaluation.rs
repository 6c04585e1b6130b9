//! The sessions that stand for evaluation material.

use recall_core::{SessionId, Timestamp};

use super::Transaction;
use crate::StoreError;

/// What an evaluation says of the material behind a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvaluationSession<'a> {
    /// The version of the material.
    pub source_version: &'a str,
    /// Project name.
    pub project: &'a str,
    /// Agent name.
    pub agent: &'a str,
    /// Working directory; empty if unknown.
    pub cwd: &'a str,
    /// Git branch; empty if unknown.
    pub git_branch: &'a str,
}

impl Transaction {
    /// Makes a session for evaluation entries to belong to. It has no transcript and is no part of
    /// any listing. A session that is there already is left as it is.
    pub async fn insert_evaluation_session(
        &mut self,
        id: &SessionId,
        session: &EvaluationSession<'_>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let now = now.to_string();
        sqlx::query(
            "INSERT INTO sessions (id, agent, project, cwd, git_branch, machine, source_version, \
             first_message, started_at, ended_at, origin, created_at, modified_at) \
             VALUES (?, ?, ?, ?, ?, 'recall-eval-ingest', ?, ?, ?, ?, 'placeholder', ?, ?) \
             ON CONFLICT (id) DO NOTHING",
        )
        .bind(id.as_str())
        .bind(session.agent)
        .bind(session.project)
        .bind(session.cwd)
        .bind(session.git_branch)
        .bind(session.source_version)
        .bind(format!("Recall evaluation corpus {id}"))
        .bind(&now)
        .bind(&now)
        .bind(&now)
        .bind(&now)
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }
}
