//! Writing what a sync read: many files a transaction, and of each only what differs.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use agentsview_formats::ParsedSession;
use recall_core::{Ordinal, SessionId, Timestamp};
use sqlx::SqliteConnection;

use super::batch::RowBatch;
use super::cited::cited;
use super::diff::{RowDigest, TranscriptDiff};
use super::session_row::{SessionRow, StoredSession, stored_session};
use super::source::{FileUpdate, Growth, store_source};
use crate::columns::ordinal;
use crate::entries::{Verification, verify_session};
use crate::findings::{insert_findings, remove_findings};
use crate::{Durability, ScanRecord, Store, StoreError};

/// What became of one parsed session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionOutcome {
    /// It is new to the archive.
    Added,
    /// Its transcript grew; of what was stored, at most late results were added.
    Appended,
    /// Its transcript changed otherwise.
    Rewritten,
    /// Its transcript is what was stored.
    Unchanged,
    /// The user removed this session for good.
    Excluded,
    /// Another file holds more of this session.
    HeldElsewhere,
}

/// What writing some files did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Applied {
    /// What became of each session, in the order given.
    pub sessions: Vec<SessionOutcome>,
    /// What became of the evidence in them.
    pub evidence: Verification,
}

impl Store {
    /// Writes files and their sessions in one transaction, with the state that lets the next sync
    /// skip them: a kill leaves all of it or nothing.
    ///
    /// Rows that are stored already are neither rewritten nor counted as a change. A changed
    /// transcript raises the session's revision, replaces its scan by the one given, and has the
    /// evidence in it verified: no moment shows an entry as trusted whose text has gone.
    /// `is_present` says whether a file that owns a session still exists.
    pub async fn apply(
        &self,
        updates: &[FileUpdate],
        is_present: impl Fn(&str) -> bool,
        now: Timestamp,
    ) -> Result<Applied, StoreError> {
        let now = now.to_string();
        let mut transaction = self.write(Durability::Process).await?;
        let excluded = excluded_sessions(&mut transaction).await?;
        let mut applied = Applied::default();
        let mut batch = RowBatch::default();
        for update in updates {
            let file_key = store_source(&mut transaction, update).await?;
            let mut writer = FileWriter {
                connection: &mut transaction,
                update,
                file_key,
                excluded: &excluded,
                is_present: &is_present,
                now: &now,
            };
            for (session, scan) in update.parsed.sessions.iter().zip(&update.scans) {
                let (outcome, evidence) = writer.session(session, scan, &mut batch).await?;
                applied.sessions.push(outcome);
                applied.evidence.absorb(evidence);
            }
            if update.growth != Growth::New {
                writer.remove_unclaimed().await?;
            }
        }
        batch.write(&mut transaction).await?;
        transaction.commit().await?;
        Ok(applied)
    }

    /// Gives sessions the names that their agent keeps outside their files; sessions that the
    /// archive does not have are passed over. Returns how many names changed.
    pub async fn name_sessions(
        &self,
        names: &BTreeMap<SessionId, String>,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let stored: HashMap<String, String> = sqlx::query_as("SELECT id, name FROM sessions")
            .fetch_all(&self.readers)
            .await?
            .into_iter()
            .collect();
        let changed: Vec<_> = names
            .iter()
            .filter(|(id, name)| stored.get(id.as_str()).is_some_and(|known| known != *name))
            .collect();
        if changed.is_empty() {
            return Ok(0);
        }
        let mut transaction = self.write(Durability::Process).await?;
        for (session, name) in &changed {
            sqlx::query("UPDATE sessions SET name = ?, modified_at = ? WHERE id = ?")
                .bind(name)
                .bind(now.to_string())
                .bind(session.as_str())
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(changed.len() as u64)
    }
}

struct FileWriter<'c, 'u, F> {
    connection: &'c mut SqliteConnection,
    update: &'u FileUpdate,
    file_key: i64,
    excluded: &'u HashSet<String>,
    is_present: &'u F,
    now: &'u str,
}

impl<'u, F: Fn(&str) -> bool> FileWriter<'_, 'u, F> {
    async fn session(
        &mut self,
        session: &'u ParsedSession,
        scan: &ScanRecord,
        batch: &mut RowBatch<'u>,
    ) -> Result<(SessionOutcome, Verification), StoreError> {
        let nothing = Verification::default();
        if self.excluded.contains(session.id.as_str()) {
            return Ok((SessionOutcome::Excluded, nothing));
        }
        let row = SessionRow::new(session, self.file_key);
        let stored = stored_session(self.connection, session.id.as_str()).await?;
        let (key, outcome, diff) = match stored {
            None => {
                let key = row
                    .insert(self.connection, session.id.as_str(), self.now)
                    .await?;
                let diff = TranscriptDiff::new(&BTreeMap::new(), &session.messages);
                (key, SessionOutcome::Added, diff)
            }
            Some(stored) => {
                if self.is_held_elsewhere(&stored, &row) {
                    return Ok((SessionOutcome::HeldElsewhere, nothing));
                }
                if stored.row != row {
                    row.update(self.connection, stored.key, self.now).await?;
                }
                if batch.holds(stored.key) {
                    batch.write(self.connection).await?;
                }
                let digests = row_digests(self.connection, stored.key).await?;
                let diff = TranscriptDiff::new(&digests, &session.messages);
                let outcome = if diff.is_empty() {
                    SessionOutcome::Unchanged
                } else if self.grew(&stored) && diff.only_grows(&session.messages) {
                    SessionOutcome::Appended
                } else {
                    SessionOutcome::Rewritten
                };
                (stored.key, outcome, diff)
            }
        };
        if outcome == SessionOutcome::Unchanged {
            return Ok((outcome, nothing));
        }
        remove_messages(self.connection, key, &diff.removed).await?;
        for (index, digest) in &diff.written {
            batch.push(key, &session.messages[*index], *digest);
        }
        advance_revision(self.connection, key, self.now).await?;
        if outcome == SessionOutcome::Added {
            insert_findings(self.connection, key, scan, self.now).await?;
            return Ok((outcome, nothing));
        }
        remove_findings(self.connection, key).await?;
        insert_findings(self.connection, key, scan, self.now).await?;
        let transcript = || session.messages.iter().map(cited).collect();
        let evidence = verify_session(self.connection, &session.id, transcript, self.now).await?;
        Ok((outcome, evidence))
    }

    /// Two files of one session: the one with more rows holds it, then the smaller path, so that
    /// the order of reading does not matter. The rows of a file that is gone are kept until another
    /// one has as many.
    fn is_held_elsewhere(&self, stored: &StoredSession, row: &SessionRow) -> bool {
        let Some(owner) = &stored.owner_path else {
            return false;
        };
        let (held, offered) = (stored.row.message_count(), row.message_count());
        if *owner == self.update.path {
            false
        } else if (self.is_present)(owner) {
            (offered, Reverse(&self.update.path)) < (held, Reverse(owner))
        } else {
            offered < held
        }
    }

    /// Whether the file that holds the session only grew.
    fn grew(&self, stored: &StoredSession) -> bool {
        self.update.growth == Growth::Append
            && stored.owner_path.as_deref() == Some(self.update.path.as_str())
    }

    /// Sessions that an earlier reading found in this file and this one did not, for example a fork
    /// that turned out to be a retry. One that entries depend on is kept, since what it said was
    /// recorded; and a file that holds no session at all any more was emptied or damaged, which
    /// takes no more from the archive than its removal would.
    async fn remove_unclaimed(&mut self) -> Result<(), StoreError> {
        if self.update.parsed.sessions.is_empty() {
            return Ok(());
        }
        let claimed: Vec<&str> = self
            .update
            .parsed
            .sessions
            .iter()
            .map(|session| session.id.as_str())
            .collect();
        let stored: Vec<String> =
            sqlx::query_scalar("SELECT id FROM sessions WHERE source_file_key = ?")
                .bind(self.file_key)
                .fetch_all(&mut *self.connection)
                .await?;
        for id in stored.iter().filter(|id| !claimed.contains(&id.as_str())) {
            sqlx::query(
                "DELETE FROM sessions WHERE id = ? AND NOT EXISTS \
                 (SELECT 1 FROM recall_entries WHERE source_session_id = sessions.id)",
            )
            .bind(id)
            .execute(&mut *self.connection)
            .await?;
        }
        Ok(())
    }
}

async fn excluded_sessions(
    connection: &mut SqliteConnection,
) -> Result<HashSet<String>, StoreError> {
    let ids: Vec<String> = sqlx::query_scalar("SELECT id FROM excluded_sessions")
        .fetch_all(connection)
        .await?;
    Ok(ids.into_iter().collect())
}

async fn row_digests(
    connection: &mut SqliteConnection,
    session_key: i64,
) -> Result<BTreeMap<Ordinal, RowDigest>, StoreError> {
    let rows: Vec<(i64, Vec<u8>)> =
        sqlx::query_as("SELECT ordinal, row_digest FROM messages WHERE session_key = ?")
            .bind(session_key)
            .fetch_all(connection)
            .await?;
    rows.into_iter()
        .map(|(number, digest)| {
            let digest = RowDigest::try_from(digest)
                .map_err(|bytes| StoreError::corrupt("row digest", bytes.len().to_string()))?;
            Ok((ordinal(number)?, digest))
        })
        .collect()
}

async fn remove_messages(
    connection: &mut SqliteConnection,
    session_key: i64,
    ordinals: &[Ordinal],
) -> Result<(), StoreError> {
    for ordinal in ordinals {
        sqlx::query("DELETE FROM messages WHERE session_key = ? AND ordinal = ?")
            .bind(session_key)
            .bind(i64::from(*ordinal))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn advance_revision(
    connection: &mut SqliteConnection,
    session_key: i64,
    now: &str,
) -> Result<(), StoreError> {
    sqlx::query(
        "UPDATE sessions SET transcript_revision = transcript_revision + 1, modified_at = ? \
         WHERE key = ?",
    )
    .bind(now)
    .bind(session_key)
    .execute(connection)
    .await?;
    Ok(())
}
