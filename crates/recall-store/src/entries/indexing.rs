//! What an index of entries is made from, and which files hold it.

use std::collections::HashMap;

use recall_core::{Entry, EntryFilter, EntryId, QueryRevision};
use sqlx::QueryBuilder;

use super::Transaction;
use super::filter::push_filter;
use super::read::{IDS, with_evidence};
use super::row::{EntryRow, select_entries};
use crate::StoreError;
use crate::columns::{count, id, integer};

/// Of one citation at most so many messages are read for the index, from its start.
const MOST_CITED_MESSAGES: i64 = 64;

/// A part of the index on disk, as the archive vouches for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexSegment {
    /// The file's name in the directory of the index.
    pub file: String,
    /// The revision that it holds.
    pub revision: QueryRevision,
}

/// The files that hold the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexFiles {
    /// Every entry as of a revision.
    pub base: IndexSegment,
    /// Those that changed since, as of a later one.
    pub recent: Option<IndexSegment>,
}

impl IndexFiles {
    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        [&self.base]
            .into_iter()
            .chain(&self.recent)
            .map(|segment| segment.file.as_str())
    }

    /// The revision that the files hold together.
    pub fn revision(&self) -> QueryRevision {
        self.recent.as_ref().unwrap_or(&self.base).revision
    }
}

impl Transaction {
    /// How often anything changed that a query can see.
    pub async fn query_revision(&mut self) -> Result<QueryRevision, StoreError> {
        let revision: i64 = sqlx::query_scalar("SELECT revision FROM recall_query_state")
            .fetch_one(&mut *self.connection)
            .await?;
        Ok(QueryRevision::new(count(revision)?))
    }

    /// The files that hold the index, if there are any.
    pub async fn index_files(&mut self) -> Result<Option<IndexFiles>, StoreError> {
        let rows: Vec<(i64, String, i64)> = sqlx::query_as(
            "SELECT layer, file, revision FROM recall_index_segments ORDER BY layer",
        )
        .fetch_all(&mut *self.connection)
        .await?;
        let mut files: Option<IndexFiles> = None;
        for (layer, file, revision) in rows {
            let revision = QueryRevision::new(count(revision)?);
            let segment = IndexSegment { file, revision };
            match (layer, &mut files) {
                (0, _) => {
                    files = Some(IndexFiles {
                        base: segment,
                        recent: None,
                    });
                }
                (_, Some(files)) => files.recent = Some(segment),
                (_, None) => {}
            }
        }
        Ok(files)
    }

    /// Names the files that hold the index; `None` if there are none any more.
    pub async fn name_index_files(&mut self, files: Option<&IndexFiles>) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM recall_index_segments")
            .execute(&mut *self.connection)
            .await?;
        let Some(files) = files else {
            return Ok(());
        };
        for (layer, segment) in [(0_i64, Some(&files.base)), (1, files.recent.as_ref())] {
            if let Some(segment) = segment {
                sqlx::query(
                    "INSERT INTO recall_index_segments (layer, file, revision) VALUES (?, ?, ?)",
                )
                .bind(layer)
                .bind(&segment.file)
                .bind(integer(segment.revision.get()))
                .execute(&mut *self.connection)
                .await?;
            }
        }
        Ok(())
    }

    /// The entries that changed since a revision, those included that are gone.
    pub async fn changed_since(
        &mut self,
        revision: QueryRevision,
    ) -> Result<Vec<EntryId>, StoreError> {
        let ids: Vec<String> = sqlx::query_scalar(
            "SELECT entry_id FROM recall_query_changes WHERE revision > ? ORDER BY entry_id",
        )
        .bind(integer(revision.get()))
        .fetch_all(&mut *self.connection)
        .await?;
        ids.into_iter().map(|text| id(EntryId::new, text)).collect()
    }

    /// Entries of any status by their ids, in the order of the ids; those that are gone are left out.
    pub async fn entries_by_id(&mut self, ids: &[EntryId]) -> Result<Vec<Entry>, StoreError> {
        self.entries_among(ids, None).await
    }

    /// Those of the entries that a filter lets through, in no order.
    pub async fn entries_let_through(
        &mut self,
        ids: &[EntryId],
        filter: &EntryFilter,
    ) -> Result<Vec<Entry>, StoreError> {
        self.entries_among(ids, Some(filter)).await
    }

    async fn entries_among(
        &mut self,
        ids: &[EntryId],
        filter: Option<&EntryFilter>,
    ) -> Result<Vec<Entry>, StoreError> {
        let mut rows: Vec<EntryRow> = Vec::new();
        for ids in ids.chunks(IDS) {
            let mut sql = select_entries();
            match filter {
                Some(filter) => {
                    push_filter(&mut sql, filter);
                    sql.push(" AND ");
                }
                None => {
                    sql.push(" WHERE ");
                }
            }
            sql.push("e.id IN (");
            let mut list = sql.separated(", ");
            for id in ids {
                list.push_bind(id.as_str());
            }
            sql.push(") ORDER BY e.id");
            rows.extend(
                sql.build_query_as::<EntryRow>()
                    .fetch_all(&mut *self.connection)
                    .await?,
            );
        }
        with_evidence(&mut self.connection, rows).await
    }

    /// Entries of any status by rising id, at most `limit`, from the first behind `after`.
    pub async fn entries_after(
        &mut self,
        after: Option<&EntryId>,
        limit: usize,
    ) -> Result<Vec<Entry>, StoreError> {
        let mut sql = select_entries();
        sql.push(" WHERE e.id > ")
            .push_bind(after.map_or("", EntryId::as_str).to_owned())
            .push(" ORDER BY e.id LIMIT ")
            .push_bind(integer(limit as u64));
        let rows: Vec<EntryRow> = sql
            .build_query_as()
            .fetch_all(&mut *self.connection)
            .await?;
        with_evidence(&mut self.connection, rows).await
    }

    /// What the verified evidence of some entries says, message by message, each text at most
    /// `longest` characters of it: the transcript's own words, as long as they are bound to the entry.
    pub async fn cited_texts(
        &mut self,
        ids: &[EntryId],
        longest: usize,
    ) -> Result<HashMap<EntryId, Vec<String>>, StoreError> {
        let mut cited: HashMap<EntryId, Vec<String>> = HashMap::new();
        for ids in ids.chunks(IDS) {
            let mut sql = QueryBuilder::new("SELECT c.entry_id, substr(m.content, 1, ");
            sql.push_bind(integer(longest as u64)).push(
                ") FROM (SELECT DISTINCT entry_id, session_id, message_start_ordinal AS start, \
                 message_end_ordinal AS end FROM recall_evidence \
                 WHERE content_digest IS NOT NULL AND entry_id IN (",
            );
            let mut list = sql.separated(", ");
            for id in ids {
                list.push_bind(id.as_str());
            }
            sql.push(
                ")) c JOIN recall_entries e ON e.id = c.entry_id AND e.provenance_ok = 1 \
                 JOIN sessions s ON s.id = c.session_id \
                 JOIN messages m ON m.session_key = s.key AND m.ordinal >= c.start \
                 AND m.ordinal <= min(c.end, c.start + ",
            )
            .push_bind(MOST_CITED_MESSAGES - 1)
            .push(") WHERE m.content <> '' ORDER BY c.entry_id, m.ordinal");
            let rows: Vec<(String, String)> = sql
                .build_query_as()
                .fetch_all(&mut *self.connection)
                .await?;
            for (entry, text) in rows {
                cited
                    .entry(id(EntryId::new, entry)?)
                    .or_default()
                    .push(text);
            }
        }
        Ok(cited)
    }
}
