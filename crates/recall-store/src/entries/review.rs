//! Writing down what people decide, and reading it back (B-01).

use recall_core::{Entry, EntryFilter, EntryId, ReviewAction, SessionId, Timestamp};
use recall_trust::review::{Change, Decision, Link, Reviewer, Standing, Wording};
use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use super::filter::push_filter;
use super::read::with_evidence;
use super::row::{EntryRow, select_entries};
use super::standing;
use super::transaction::Transaction;
use crate::columns::{count, id, integer, optional_id, time, word};
use crate::{Store, StoreError};

/// A wording that a decision replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplacedWording {
    /// The entry.
    pub entry_id: EntryId,
    /// The number of the decision.
    pub replaced_by: i64,
    /// What it said before.
    pub wording: Wording,
}

/// A decision to be written down.
#[derive(Debug, Clone, Copy)]
pub struct Signed<'a> {
    /// Who decided.
    pub reviewer: &'a Reviewer,
    /// When.
    pub at: Timestamp,
    /// The reviewer's words; empty if there are none.
    pub note: &'a str,
}

const DECISIONS: &str = "SELECT d.*, (SELECT u.number FROM recall_review_log u \
     WHERE u.undoes = d.number) AS undone_by FROM recall_review_log d";

#[derive(sqlx::FromRow)]
struct DecisionRow {
    number: i64,
    entry_id: String,
    action: String,
    reviewer: String,
    decided_at: String,
    note: String,
    other_entry_id: Option<String>,
    undoes: Option<i64>,
    undone_by: Option<i64>,
    standing_before: Option<String>,
    standing_after: Option<String>,
}

#[derive(sqlx::FromRow)]
struct WordingRow {
    entry_id: String,
    replaced_by: i64,
    title: String,
    body: String,
    trigger: String,
    uncertainty: String,
    scope: String,
}

impl DecisionRow {
    fn decision(self) -> Result<Decision, StoreError> {
        let before = self.standing_before.as_deref().map(standing::read);
        let after = self.standing_after.as_deref().map(standing::read);
        Ok(Decision {
            number: self.number,
            entry_id: id(EntryId::new, self.entry_id)?,
            action: word(&self.action)?,
            reviewer: self.reviewer,
            at: time(&self.decided_at)?,
            note: self.note,
            standing: before.transpose()?.zip(after.transpose()?),
            other: optional_id(EntryId::new, self.other_entry_id)?,
            undoes: self.undoes,
            undone_by: self.undone_by,
        })
    }
}

impl WordingRow {
    fn wording(self) -> Result<ReplacedWording, StoreError> {
        Ok(ReplacedWording {
            entry_id: id(EntryId::new, self.entry_id)?,
            replaced_by: self.replaced_by,
            wording: Wording {
                title: self.title,
                body: self.body,
                trigger: self.trigger,
                uncertainty: self.uncertainty,
                scope: word(&self.scope)?,
            },
        })
    }
}

async fn decisions(
    connection: &mut SqliteConnection,
    mut sql: QueryBuilder<Sqlite>,
) -> Result<Vec<Decision>, StoreError> {
    let rows: Vec<DecisionRow> = sql.build_query_as().fetch_all(connection).await?;
    rows.into_iter().map(DecisionRow::decision).collect()
}

/// Which entries of a review queue come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QueueOrder {
    /// Those that wait longest.
    #[default]
    Oldest,
    /// Those whose source was least sure; unknown confidence comes last.
    LeastSure,
    /// Session by session, so that a transcript is read once.
    BySession,
}

impl QueueOrder {
    fn sql(self) -> &'static str {
        match self {
            Self::Oldest => " ORDER BY e.created_at, e.id",
            Self::LeastSure => " ORDER BY e.confidence IS NULL, e.confidence, e.created_at, e.id",
            Self::BySession => {
                " ORDER BY e.source_session_id, (SELECT min(v.message_start_ordinal) \
                 FROM recall_evidence v WHERE v.entry_id = e.id), e.id"
            }
        }
    }
}

impl Store {
    /// Entries in force that wait for a person, and how many there are: those that nobody reviewed,
    /// and reviewed ones whose evidence was revoked or which claim a kind that nobody granted.
    pub async fn review_queue(
        &self,
        filter: &EntryFilter,
        order: QueueOrder,
        limit: usize,
    ) -> Result<(Vec<Entry>, u64), StoreError> {
        const WAITING: &str = " AND (e.review_state IN ('unreviewed_auto', 'calibrated_auto') \
             OR (e.review_state = 'human_reviewed' \
                AND (e.revoked_at IS NOT NULL OR e.claimed_type IS NOT NULL)))";
        let mut connection = self.readers.begin().await?;
        let mut sql = QueryBuilder::new("SELECT count(*) FROM recall_entries e");
        push_filter(&mut sql, filter);
        sql.push(WAITING);
        let total: i64 = sql.build_query_scalar().fetch_one(&mut *connection).await?;
        let mut sql = select_entries();
        push_filter(&mut sql, filter);
        sql.push(WAITING)
            .push(order.sql())
            .push(" LIMIT ")
            .push_bind(integer(limit as u64));
        let rows: Vec<EntryRow> = sql.build_query_as().fetch_all(&mut *connection).await?;
        Ok((with_evidence(&mut connection, rows).await?, count(total)?))
    }

    /// Every decision on an entry, first one first; also of one that is gone.
    pub async fn decisions(&self, entry: &EntryId) -> Result<Vec<Decision>, StoreError> {
        let mut sql = QueryBuilder::new(DECISIONS);
        sql.push(" WHERE d.entry_id = ")
            .push_bind(entry.as_str())
            .push(" ORDER BY d.number");
        decisions(&mut *self.readers.acquire().await?, sql).await
    }

    /// Every wording of an entry that a decision replaced, the original first.
    pub async fn wordings(&self, entry: &EntryId) -> Result<Vec<ReplacedWording>, StoreError> {
        let rows: Vec<WordingRow> = sqlx::query_as(
            "SELECT * FROM recall_entry_wordings WHERE entry_id = ? ORDER BY replaced_by",
        )
        .bind(entry.as_str())
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter().map(WordingRow::wording).collect()
    }
}

impl Transaction {
    /// Every decision, first one first.
    pub async fn all_decisions(&mut self) -> Result<Vec<Decision>, StoreError> {
        let mut sql = QueryBuilder::new(DECISIONS);
        sql.push(" ORDER BY d.number");
        decisions(&mut self.connection, sql).await
    }

    /// Every wording that a decision replaced, by entry and decision.
    pub async fn all_wordings(&mut self) -> Result<Vec<ReplacedWording>, StoreError> {
        let rows: Vec<WordingRow> =
            sqlx::query_as("SELECT * FROM recall_entry_wordings ORDER BY entry_id, replaced_by")
                .fetch_all(&mut *self.connection)
                .await?;
        rows.into_iter().map(WordingRow::wording).collect()
    }

    /// Every entry, whatever its status, in the order of storing.
    pub async fn all_entries(&mut self) -> Result<Vec<Entry>, StoreError> {
        let mut sql = select_entries();
        sql.push(" ORDER BY e.rowid");
        let rows: Vec<EntryRow> = sql
            .build_query_as()
            .fetch_all(&mut *self.connection)
            .await?;
        with_evidence(&mut self.connection, rows).await
    }

    /// A decision by its number.
    pub async fn decision(&mut self, number: i64) -> Result<Option<Decision>, StoreError> {
        let mut sql = QueryBuilder::new(DECISIONS);
        sql.push(" WHERE d.number = ").push_bind(number);
        Ok(decisions(&mut self.connection, sql).await?.pop())
    }

    /// The latest decision that can be taken back: nobody did yet, and its entry (the same one, not
    /// one stored anew under that id) and the other entry of it are still there.
    pub async fn last_decision(&mut self) -> Result<Option<Decision>, StoreError> {
        let mut sql = QueryBuilder::new(DECISIONS);
        sql.push(
            " JOIN recall_decisions open ON open.number = d.number \
             JOIN recall_entries e ON e.id = d.entry_id AND e.decided_before < d.number \
             WHERE d.other_entry_id IS NULL \
                OR EXISTS (SELECT 1 FROM recall_entries o WHERE o.id = d.other_entry_id) \
             ORDER BY d.number DESC LIMIT 1",
        );
        Ok(decisions(&mut self.connection, sql).await?.pop())
    }

    /// The wording that a decision replaced, if it replaced one.
    pub async fn replaced_wording(
        &mut self,
        entry: &EntryId,
        decision: i64,
    ) -> Result<Option<Wording>, StoreError> {
        let row: Option<WordingRow> = sqlx::query_as(
            "SELECT * FROM recall_entry_wordings WHERE entry_id = ? AND replaced_by = ?",
        )
        .bind(entry.as_str())
        .bind(decision)
        .fetch_optional(&mut *self.connection)
        .await?;
        Ok(row
            .map(WordingRow::wording)
            .transpose()?
            .map(|row| row.wording))
    }

    /// The entry with the words and the kind that it was stored with first, whatever people made of
    /// them since.
    pub async fn original(&mut self, mut entry: Entry) -> Result<Entry, StoreError> {
        let first: Option<WordingRow> = sqlx::query_as(
            "SELECT * FROM recall_entry_wordings WHERE entry_id = ? ORDER BY replaced_by LIMIT 1",
        )
        .bind(entry.id.as_str())
        .fetch_optional(&mut *self.connection)
        .await?;
        if let Some(row) = first {
            let Wording {
                title,
                body,
                trigger,
                uncertainty,
                scope,
            } = row.wording()?.wording;
            entry = Entry {
                title,
                body,
                trigger,
                uncertainty,
                scope,
                ..entry
            };
        }
        let mut sql = QueryBuilder::new(DECISIONS);
        sql.push(" WHERE d.entry_id = ")
            .push_bind(entry.id.as_str())
            .push(" ORDER BY d.number LIMIT 1");
        let earliest = decisions(&mut self.connection, sql).await?.pop();
        if let Some((before, _)) = earliest.and_then(|decision| decision.standing) {
            entry.entry_type = before.entry_type;
            entry.claimed_type = before.claimed_type;
        }
        Ok(entry)
    }

    /// Writes a decision on an entry down: the row of the log, the wording that it replaces, and
    /// what the entry is now. Returns the number of the decision.
    ///
    /// # Errors
    /// [`StoreError::NotActive`] if the links are not as the decision was made upon.
    pub async fn record(
        &mut self,
        entry: &Entry,
        change: &Change,
        undoes: Option<i64>,
        signed: Signed<'_>,
    ) -> Result<i64, StoreError> {
        let number = self
            .log(
                &entry.id,
                change.action,
                Some((change.before, change.after)),
                change.link.as_ref().map(Link::other),
                undoes,
                signed,
            )
            .await?;
        if let Some(wording) = &change.wording {
            self.keep_wording(&entry.id, number, &Wording::of(entry))
                .await?;
            self.set_wording(&entry.id, wording).await?;
        }
        let Standing {
            status,
            review_state,
            transferable,
            entry_type,
            claimed_type,
        } = change.after;
        sqlx::query(
            "UPDATE recall_entries SET status = ?, review_state = ?, transferable = ?, type = ?, \
             claimed_type = ?, updated_at = ? WHERE id = ?",
        )
        .bind(status.as_str())
        .bind(review_state.as_str())
        .bind(transferable)
        .bind(entry_type.as_str())
        .bind(claimed_type.map(recall_core::EntryType::as_str))
        .bind(signed.at.to_string())
        .bind(entry.id.as_str())
        .execute(&mut *self.connection)
        .await?;
        match &change.link {
            Some(Link::Tie(successor)) => self.tie(&entry.id, successor).await?,
            Some(Link::Cut(successor)) => self.cut(&entry.id, successor).await?,
            None => {}
        }
        Ok(number)
    }

    /// Takes back that an id was rejected whose entry is gone; `None` if it was not rejected.
    pub async fn lift_rejection(
        &mut self,
        entry: &EntryId,
        signed: Signed<'_>,
    ) -> Result<Option<i64>, StoreError> {
        if !self.is_rejected(entry).await? {
            return Ok(None);
        }
        self.log(entry, ReviewAction::Restore, None, None, None, signed)
            .await
            .map(Some)
    }

    async fn log(
        &mut self,
        entry: &EntryId,
        action: ReviewAction,
        standing: Option<(Standing, Standing)>,
        other: Option<&EntryId>,
        undoes: Option<i64>,
        signed: Signed<'_>,
    ) -> Result<i64, StoreError> {
        let (before, after) = standing.unzip();
        let number = sqlx::query_scalar(
            "INSERT INTO recall_review_log (entry_id, action, reviewer, decided_at, note, \
             other_entry_id, undoes, standing_before, standing_after) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
        )
        .bind(entry.as_str())
        .bind(action.as_str())
        .bind(signed.reviewer.as_str())
        .bind(signed.at.to_string())
        .bind(signed.note)
        .bind(other.map(EntryId::as_str))
        .bind(undoes)
        .bind(before.map(standing::write))
        .bind(after.map(standing::write))
        .fetch_one(&mut *self.connection)
        .await?;
        Ok(number)
    }

    /// Keeps a wording that a decision replaced.
    pub async fn keep_wording(
        &mut self,
        entry: &EntryId,
        replaced_by: i64,
        wording: &Wording,
    ) -> Result<(), StoreError> {
        let insert = "INSERT INTO recall_entry_wordings (entry_id, replaced_by, title, body, \
                      trigger, uncertainty, scope) VALUES (?, ?, ?, ?, ?, ?, ?)";
        sqlx::query(insert)
            .bind(entry.as_str())
            .bind(replaced_by)
            .bind(&wording.title)
            .bind(&wording.body)
            .bind(&wording.trigger)
            .bind(&wording.uncertainty)
            .bind(wording.scope.as_str())
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    async fn set_wording(&mut self, entry: &EntryId, wording: &Wording) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE recall_entries SET title = ?, body = ?, trigger = ?, uncertainty = ?, \
             scope = ? WHERE id = ?",
        )
        .bind(&wording.title)
        .bind(&wording.body)
        .bind(&wording.trigger)
        .bind(&wording.uncertainty)
        .bind(wording.scope.as_str())
        .bind(entry.as_str())
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Links a stored replacement to what it replaces: both ends must be free, so that a chain never
    /// branches and never closes to a circle.
    async fn tie(&mut self, target: &EntryId, successor: &EntryId) -> Result<(), StoreError> {
        let tied = sqlx::query(
            "UPDATE recall_entries SET superseded_by_entry_id = ? \
             WHERE id = ? AND superseded_by_entry_id IS NULL",
        )
        .bind(successor.as_str())
        .bind(target.as_str())
        .execute(&mut *self.connection)
        .await?
        .rows_affected()
            + sqlx::query(
                "UPDATE recall_entries SET supersedes_entry_id = ? \
                 WHERE id = ? AND supersedes_entry_id IS NULL AND superseded_by_entry_id IS NULL",
            )
            .bind(target.as_str())
            .bind(successor.as_str())
            .execute(&mut *self.connection)
            .await?
            .rows_affected();
        if tied == 2 {
            Ok(())
        } else {
            Err(StoreError::NotActive(target.clone()))
        }
    }

    async fn cut(&mut self, target: &EntryId, successor: &EntryId) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE recall_entries SET superseded_by_entry_id = NULL \
             WHERE id = ? AND superseded_by_entry_id = ?",
        )
        .bind(target.as_str())
        .bind(successor.as_str())
        .execute(&mut *self.connection)
        .await?;
        sqlx::query(
            "UPDATE recall_entries SET supersedes_entry_id = NULL \
             WHERE id = ? AND supersedes_entry_id = ?",
        )
        .bind(successor.as_str())
        .bind(target.as_str())
        .execute(&mut *self.connection)
        .await?;
        Ok(())
    }

    /// Forgets every entry with its evidence and its wordings, and the decisions too if they are not
    /// kept. The archive of sessions is not touched, but for stand-ins that no entry needs any more.
    pub async fn forget_entries(&mut self, keep_decisions: bool) -> Result<u64, StoreError> {
        // Links first: a deleted successor would put its predecessor in force for a moment.
        sqlx::query(
            "UPDATE recall_entries SET supersedes_entry_id = NULL, superseded_by_entry_id = NULL \
             WHERE supersedes_entry_id IS NOT NULL OR superseded_by_entry_id IS NOT NULL",
        )
        .execute(&mut *self.connection)
        .await?;
        let forgotten = sqlx::query("DELETE FROM recall_entries")
            .execute(&mut *self.connection)
            .await?
            .rows_affected();
        if !keep_decisions {
            sqlx::query("DELETE FROM recall_review_log")
                .execute(&mut *self.connection)
                .await?;
        }
        sqlx::query("DELETE FROM sessions WHERE origin = 'placeholder'")
            .execute(&mut *self.connection)
            .await?;
        Ok(forgotten)
    }
}

impl Transaction {
    /// The entry that replaces this one, if there is one.
    pub async fn successor(&mut self, entry: &Entry) -> Result<Option<Entry>, StoreError> {
        match &entry.superseded_by {
            Some(successor) => self.entry(successor).await,
            None => Ok(None),
        }
    }

    /// Whether a session is there, whatever became of it, and no stand-in.
    pub async fn has_transcript(&mut self, session: &SessionId) -> Result<bool, StoreError> {
        let native: i64 =
            sqlx::query_scalar("SELECT count(*) FROM sessions WHERE id = ? AND origin = 'native'")
                .bind(session.as_str())
                .fetch_one(&mut *self.connection)
                .await?;
        Ok(native > 0)
    }

    /// Writes down that an import replaced an entry: the row of the log alone, since [`Self::insert`]
    /// has archived the one and linked both.
    pub async fn log_supersession(
        &mut self,
        target: &EntryId,
        change: &Change,
        signed: Signed<'_>,
    ) -> Result<i64, StoreError> {
        self.log(
            target,
            change.action,
            Some((change.before, change.after)),
            change.link.as_ref().map(Link::other),
            None,
            signed,
        )
        .await
    }
}
