//! Verifying evidence inside the write that changes its transcript (S-E02, S-E03).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use recall_core::{
    CitedMessage, Entry, EntryId, EntryType, Evidence, Ordinal, OrdinalRange, RevocationReason,
    SessionId, SourceUuid, Timestamp,
};
use recall_trust::evidence::verification::{Correction, Transcript, Verdict, verify};
use recall_trust::evidence::{ConfirmedEvidence, SessionActivity};
use sqlx::{QueryBuilder, SqliteConnection};

use super::row::EvidenceRow;
use super::transaction::Transaction;
use crate::StoreError;
use crate::columns::{count, id, optional_time, ordinal};
use crate::transcript::{MessageQuery, cited, messages};

/// Rows a statement, by the values that SQLite can bind in one: a rewritten session corrects or
/// revokes hundreds at once, and a statement each would be several times slower.
const ROWS: usize = 1000;

/// What verifying some sessions did to the entries of those sessions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verification {
    /// Entries whose evidence is where it was.
    pub kept: u64,
    /// Entries whose evidence moved with its text.
    pub shifted: BTreeSet<EntryId>,
    /// Entries whose evidence does not hold any more.
    pub revoked: Vec<RevokedEntry>,
}

impl Verification {
    /// Adds what another session brought.
    pub fn absorb(&mut self, other: Self) {
        self.kept += other.kept;
        self.shifted.extend(other.shifted);
        self.revoked.extend(other.revoked);
    }
}

/// An entry that lost its provenance.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RevokedEntry {
    /// The entry.
    pub entry_id: EntryId,
    /// Its session.
    pub session_id: SessionId,
    /// What was wrong first.
    pub reason: RevocationReason,
}

/// Verifies every provenance-valid entry of a session, of whatever status, against its transcript
/// as the running transaction leaves it. Nothing is written where nothing changed, and a revoked
/// entry is not looked at again.
pub(crate) async fn verify_session(
    connection: &mut SqliteConnection,
    session: &SessionId,
    transcript: impl FnOnce() -> Vec<CitedMessage>,
    now: &str,
) -> Result<Verification, StoreError> {
    let evidence = valid_evidence(connection, session).await?;
    let mut verification = Verification::default();
    if evidence.is_empty() {
        return Ok(verification);
    }
    let transcript = Transcript::new(transcript());
    let mut all = Vec::new();
    for (entry_id, rows) in evidence {
        match verify(&rows, &transcript) {
            Verdict::Holds(corrections) => {
                if corrections.iter().any(|correction| correction.shifted) {
                    verification.shifted.insert(entry_id);
                } else {
                    verification.kept += 1;
                }
                all.extend(corrections);
            }
            Verdict::Revoked(reason) => verification.revoked.push(RevokedEntry {
                entry_id,
                session_id: session.clone(),
                reason,
            }),
        }
    }
    correct(connection, &all).await?;
    revoke(connection, &verification.revoked, now).await?;
    Ok(verification)
}

/// The evidence of each provenance-valid entry of a session, in stored order.
async fn valid_evidence(
    connection: &mut SqliteConnection,
    session: &SessionId,
) -> Result<BTreeMap<EntryId, Vec<Evidence>>, StoreError> {
    let rows: Vec<EvidenceRow> = sqlx::query_as(
        "SELECT v.* FROM recall_evidence v JOIN recall_entries e ON e.id = v.entry_id \
         WHERE v.session_id = ? AND e.provenance_ok = 1 ORDER BY v.entry_id, v.id",
    )
    .bind(session.as_str())
    .fetch_all(connection)
    .await?;
    let mut evidence: BTreeMap<EntryId, Vec<Evidence>> = BTreeMap::new();
    for row in rows {
        let entry_id = id(EntryId::new, row.entry_id.clone())?;
        evidence.entry(entry_id).or_default().push(row.evidence()?);
    }
    Ok(evidence)
}

/// Evidence rows and digest stay as they are, to show what once was cited.
async fn revoke(
    connection: &mut SqliteConnection,
    revoked: &[RevokedEntry],
    now: &str,
) -> Result<(), StoreError> {
    for revoked in revoked.chunks(ROWS) {
        let mut sql = QueryBuilder::new("WITH lost (id, reason) AS (");
        sql.push_values(revoked, |mut values, entry| {
            values
                .push_bind(entry.entry_id.as_str())
                .push_bind(entry.reason.as_str());
        });
        sql.push(
            ") UPDATE recall_entries SET provenance_ok = 0, revocation_reason = lost.reason, \
             revoked_at = ",
        )
        .push_bind(now)
        .push(", updated_at = ")
        .push_bind(now)
        .push(" FROM lost WHERE recall_entries.id = lost.id AND provenance_ok = 1");
        sql.build().execute(&mut *connection).await?;
    }
    Ok(())
}

async fn correct(
    connection: &mut SqliteConnection,
    corrections: &[Correction],
) -> Result<(), StoreError> {
    let rows: Vec<_> = corrections
        .iter()
        .flat_map(|correction| correction.rows.iter().map(|row| (row, &correction.place)))
        .collect();
    for rows in rows.chunks(ROWS) {
        let mut sql = QueryBuilder::new("WITH place (id, first, last, first_uuid, last_uuid) AS (");
        sql.push_values(rows, |mut values, (row, place)| {
            let text = |uuid: &Option<SourceUuid>| uuid.as_ref().map(ToString::to_string);
            values
                .push_bind(**row)
                .push_bind(i64::from(place.range.start()))
                .push_bind(i64::from(place.range.end()))
                .push_bind(text(&place.start_uuid))
                .push_bind(text(&place.end_uuid));
        });
        sql.push(
            ") UPDATE recall_evidence SET message_start_ordinal = place.first, \
             message_end_ordinal = place.last, message_start_source_uuid = place.first_uuid, \
             message_end_source_uuid = place.last_uuid FROM place \
             WHERE recall_evidence.id = place.id",
        );
        sql.build().execute(&mut *connection).await?;
    }
    Ok(())
}

impl Transaction {
    /// The stored messages of a range, as evidence sees them. A stable id that several messages of
    /// the session carry anchors none of them and is left out.
    pub async fn cited_messages(
        &mut self,
        session: &SessionId,
        range: OrdinalRange,
    ) -> Result<Vec<CitedMessage>, StoreError> {
        let query = MessageQuery {
            range: Some(range),
            ..MessageQuery::default()
        };
        let rows = messages(&mut self.connection, session, &query).await?;
        let mut cited: Vec<CitedMessage> = rows.iter().map(cited).collect();
        let ambiguous: Vec<String> = sqlx::query_scalar(
            "SELECT m.source_uuid FROM sessions s \
             JOIN messages cited ON cited.session_key = s.key AND cited.ordinal BETWEEN ? AND ? \
             JOIN messages m ON m.session_key = s.key AND m.source_uuid = cited.source_uuid \
             WHERE s.id = ? GROUP BY cited.ordinal, m.source_uuid HAVING count(*) > 1",
        )
        .bind(i64::from(range.start()))
        .bind(i64::from(range.end()))
        .bind(session.as_str())
        .fetch_all(&mut *self.connection)
        .await?;
        let ambiguous: HashSet<String> = ambiguous.into_iter().collect();
        for message in &mut cited {
            message
                .source_uuid
                .take_if(|uuid| ambiguous.contains(uuid.as_str()));
        }
        Ok(cited)
    }

    /// What tells whether results may still come in a session.
    pub async fn session_activity(
        &mut self,
        session: &SessionId,
        now: Timestamp,
    ) -> Result<SessionActivity, StoreError> {
        let (last_active, last_spoken): (Option<String>, Option<i64>) = sqlx::query_as(
            "SELECT s.ended_at, (SELECT m.ordinal FROM messages m \
             WHERE m.session_key = s.key AND m.role = 'user' AND m.is_system = 0 \
             ORDER BY m.ordinal DESC LIMIT 1) FROM sessions s WHERE s.id = ?",
        )
        .bind(session.as_str())
        .fetch_optional(&mut *self.connection)
        .await?
        .unwrap_or_default();
        let last_spoken: Option<Ordinal> = last_spoken.map(ordinal).transpose()?;
        let last_active = optional_time(last_active.as_deref())?;
        Ok(SessionActivity::at(now, last_active, last_spoken))
    }

    /// Sessions that entries belong to.
    pub async fn sessions_with_entries(&mut self) -> Result<Vec<SessionId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT DISTINCT source_session_id FROM recall_entries ORDER BY source_session_id",
        )
        .fetch_all(&mut *self.connection)
        .await?;
        ids.into_iter().map(|one| id(SessionId::new, one)).collect()
    }

    /// Verifies the provenance-valid entries of a session against its stored transcript.
    pub async fn verify(
        &mut self,
        session: &SessionId,
        now: Timestamp,
    ) -> Result<Verification, StoreError> {
        let rows = messages(&mut self.connection, session, &MessageQuery::default()).await?;
        verify_session(
            &mut self.connection,
            session,
            || rows.iter().map(cited).collect(),
            &now.to_string(),
        )
        .await
    }

    /// Entries of a session whose evidence was never verified and never revoked.
    pub async fn unverified_entries(
        &mut self,
        session: &SessionId,
    ) -> Result<Vec<Entry>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT id FROM recall_entries WHERE source_session_id = ? AND provenance_ok = 0 \
             AND revoked_at IS NULL ORDER BY id",
        )
        .bind(session.as_str())
        .fetch_all(&mut *self.connection)
        .await?;
        let mut entries = Vec::new();
        for one in ids {
            entries.extend(self.entry(&id(EntryId::new, one)?).await?);
        }
        Ok(entries)
    }

    /// How many entries of a session have had their evidence revoked.
    pub async fn revoked_entries(&mut self, session: &SessionId) -> Result<u64, StoreError> {
        let revoked: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM recall_entries \
             WHERE source_session_id = ? AND revoked_at IS NOT NULL",
        )
        .bind(session.as_str())
        .fetch_one(&mut *self.connection)
        .await?;
        count(revoked)
    }

    /// Puts evidence that was found to hold in the place of a claim that nobody had verified. A revoked
    /// entry is left alone: revocation is sticky (S-E03).
    pub async fn confirm(
        &mut self,
        entry: &EntryId,
        confirmed: &ConfirmedEvidence,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let is_claim = sqlx::query(
            "UPDATE recall_entries SET provenance_ok = 1, type = coalesce(?1, type), \
             claimed_type = iif(?1 IS NULL, claimed_type, type), updated_at = ?2 \
             WHERE id = ?3 AND provenance_ok = 0 AND revoked_at IS NULL",
        )
        .bind(confirmed.held_back().map(EntryType::as_str))
        .bind(now.to_string())
        .bind(entry.as_str())
        .execute(&mut *self.connection)
        .await?
        .rows_affected();
        if is_claim == 1 {
            sqlx::query("DELETE FROM recall_evidence WHERE entry_id = ?")
                .bind(entry.as_str())
                .execute(&mut *self.connection)
                .await?;
            for evidence in confirmed.rows() {
                super::insert::insert_evidence(&mut self.connection, entry, evidence).await?;
            }
        }
        Ok(())
    }
}
