//! What secret scans found, a set a session.

use recall_core::{SessionId, Timestamp, TranscriptRevision};
use sqlx::{QueryBuilder, SqliteConnection};

use crate::columns::{id, integer, ordinal};
use crate::{
    Durability, FieldKind, FindingRecord, FindingTier, ScanRecord, SecretFinding, Store, StoreError,
};

const ROWS: usize = 500;

/// Removes a session's findings, before the next scan's are stored.
pub(crate) async fn remove_findings(
    connection: &mut SqliteConnection,
    session_key: i64,
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM secret_findings WHERE session_key = ?")
        .bind(session_key)
        .execute(connection)
        .await?;
    Ok(())
}

/// Stores what a scan found, and stamps the session with the rules that looked.
pub(crate) async fn insert_findings(
    connection: &mut SqliteConnection,
    session_key: i64,
    scan: &ScanRecord,
    now: &str,
) -> Result<(), StoreError> {
    for rows in scan.findings.chunks(ROWS) {
        let mut sql = QueryBuilder::new(
            "INSERT INTO secret_findings (session_key, message_ordinal, location_kind, \
             call_index, event_index, match_start, match_end, rule_name, confidence, \
             redacted_match, rules_version, created_at) ",
        );
        sql.push_values(rows, |mut row, finding| {
            row.push_bind(session_key)
                .push_bind(i64::from(finding.ordinal))
                .push_bind(finding.kind.as_str())
                .push_bind(integer(finding.call_index as u64))
                .push_bind(integer(finding.event_index as u64))
                .push_bind(integer(finding.start as u64))
                .push_bind(integer(finding.end as u64))
                .push_bind(&finding.rule)
                .push_bind(finding.confidence.as_str())
                .push_bind(&finding.redacted)
                .push_bind(&scan.rules_version)
                .push_bind(now);
        });
        sql.build().execute(&mut *connection).await?;
    }
    sqlx::query(
        "UPDATE sessions SET secret_leak_count = ?, secrets_rules_version = ? WHERE key = ?",
    )
    .bind(integer(scan.definite() as u64))
    .bind(&scan.rules_version)
    .bind(session_key)
    .execute(connection)
    .await?;
    Ok(())
}

/// Which findings a listing shows.
#[derive(Debug, Clone, Default)]
pub struct FindingQuery {
    /// Only findings of this rule.
    pub rule: Option<String>,
    /// Only findings of this project.
    pub project: Option<String>,
    /// Only findings of this agent.
    pub agent: Option<String>,
    /// At most this many.
    pub limit: usize,
}

#[derive(sqlx::FromRow)]
struct FindingRow {
    id: String,
    project: String,
    agent: String,
    message_ordinal: i64,
    location_kind: String,
    call_index: i64,
    event_index: i64,
    match_start: i64,
    match_end: i64,
    rule_name: String,
    confidence: String,
    redacted_match: String,
    rules_version: String,
}

impl Store {
    /// Findings by session and place.
    pub async fn findings(&self, query: &FindingQuery) -> Result<Vec<FindingRecord>, StoreError> {
        let mut sql = QueryBuilder::new(
            "SELECT s.id, s.project, s.agent, f.* FROM secret_findings f \
             JOIN sessions s ON s.key = f.session_key WHERE s.deleted_at IS NULL",
        );
        for (column, value) in [
            (" AND f.rule_name = ", &query.rule),
            (" AND s.project = ", &query.project),
            (" AND s.agent = ", &query.agent),
        ] {
            if let Some(value) = value {
                sql.push(column).push_bind(value);
            }
        }
        sql.push(" ORDER BY s.id, f.message_ordinal, f.location_kind, f.match_start LIMIT ")
            .push_bind(integer(query.limit as u64));
        let rows: Vec<FindingRow> = sql.build_query_as().fetch_all(&self.readers).await?;
        rows.into_iter().map(FindingRow::record).collect()
    }

    /// The sessions to scan: all, or those that these rules have not seen as they are now.
    pub async fn sessions_to_scan(
        &self,
        unless_scanned_by: Option<&str>,
    ) -> Result<Vec<(SessionId, TranscriptRevision)>, StoreError> {
        let mut sql = QueryBuilder::new(
            "SELECT id, transcript_revision FROM sessions WHERE deleted_at IS NULL",
        );
        if let Some(version) = unless_scanned_by {
            sql.push(" AND secrets_rules_version <> ")
                .push_bind(version);
        }
        sql.push(" ORDER BY id");
        let rows: Vec<(String, i64)> = sql.build_query_as().fetch_all(&self.readers).await?;
        rows.into_iter()
            .map(|(text, revision)| {
                let revision = crate::columns::count(revision)?;
                Ok((id(SessionId::new, text)?, TranscriptRevision::new(revision)))
            })
            .collect()
    }

    /// Stores a scan, unless the transcript changed since it was read; says whether it was stored.
    pub async fn store_scan(
        &self,
        session: &SessionId,
        seen: TranscriptRevision,
        scan: &ScanRecord,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.write(Durability::Process).await?;
        let key: Option<i64> =
            sqlx::query_scalar("SELECT key FROM sessions WHERE id = ? AND transcript_revision = ?")
                .bind(session.as_str())
                .bind(integer(seen.get()))
                .fetch_optional(&mut *transaction)
                .await?;
        if let Some(key) = key {
            remove_findings(&mut transaction, key).await?;
            insert_findings(&mut transaction, key, scan, &now.to_string()).await?;
        }
        transaction.commit().await?;
        Ok(key.is_some())
    }
}

impl FindingRow {
    fn record(self) -> Result<FindingRecord, StoreError> {
        let kind = match self.location_kind.as_str() {
            "message" => FieldKind::Message,
            "tool_input" => FieldKind::ToolInput,
            "tool_result" => FieldKind::ToolResult,
            other => return Err(StoreError::corrupt("location", other)),
        };
        let confidence = match self.confidence.as_str() {
            "definite" => FindingTier::Definite,
            "candidate" => FindingTier::Candidate,
            other => return Err(StoreError::corrupt("finding tier", other)),
        };
        Ok(FindingRecord {
            session_id: id(SessionId::new, self.id)?,
            project: self.project,
            agent: self.agent,
            rules_version: self.rules_version,
            finding: SecretFinding {
                ordinal: ordinal(self.message_ordinal)?,
                kind,
                call_index: size(self.call_index)?,
                event_index: size(self.event_index)?,
                start: size(self.match_start)?,
                end: size(self.match_end)?,
                rule: self.rule_name,
                confidence,
                redacted: self.redacted_match,
            },
        })
    }
}

fn size(number: i64) -> Result<usize, StoreError> {
    usize::try_from(number).map_err(|_| StoreError::corrupt("offset", number.to_string()))
}
