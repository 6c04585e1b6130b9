//! Reading entries with their evidence.

use std::collections::HashMap;

use recall_core::{CorpusRevision, Entry, EntryFilter, EntryId, QueryRevision};
use sqlx::{QueryBuilder, SqliteConnection};

use super::filter::push_filter;
use super::row::{EntryRow, EvidenceRow, select_entries};
use crate::columns::{count, integer};
use crate::{Store, StoreError};

/// Ids a statement; SQLite allows 32,766 bound values.
pub(super) const IDS: usize = 500;

impl Store {
    /// Entries that the filter lets through, latest update first, with their evidence.
    pub async fn entries(
        &self,
        filter: &EntryFilter,
        limit: Option<usize>,
    ) -> Result<Vec<Entry>, StoreError> {
        let mut connection = self.readers.begin().await?;
        let mut sql = select_entries();
        push_filter(&mut sql, filter);
        sql.push(" ORDER BY e.updated_at DESC, e.id");
        if let Some(limit) = limit {
            sql.push(" LIMIT ").push_bind(integer(limit as u64));
        }
        let rows: Vec<EntryRow> = sql.build_query_as().fetch_all(&mut *connection).await?;
        with_evidence(&mut connection, rows).await
    }

    /// One entry of any status.
    pub async fn entry(&self, entry: &EntryId) -> Result<Option<Entry>, StoreError> {
        let mut connection = self.readers.begin().await?;
        entry_by_id(&mut connection, entry).await
    }

    /// How often entries changed: what is embedded, and what a query can see.
    pub async fn revisions(&self) -> Result<(CorpusRevision, QueryRevision), StoreError> {
        let (corpus, query): (i64, i64) = sqlx::query_as(
            "SELECT (SELECT revision FROM recall_corpus_state), \
             (SELECT revision FROM recall_query_state)",
        )
        .fetch_one(&self.readers)
        .await?;
        Ok((
            CorpusRevision::new(count(corpus)?),
            QueryRevision::new(count(query)?),
        ))
    }
}

/// One entry with its evidence, inside a transaction of the caller's.
pub(super) async fn entry_by_id(
    connection: &mut SqliteConnection,
    entry: &EntryId,
) -> Result<Option<Entry>, StoreError> {
    let mut sql = select_entries();
    sql.push(" WHERE e.id = ").push_bind(entry.as_str());
    let row: Option<EntryRow> = sql
        .build_query_as()
        .fetch_optional(&mut *connection)
        .await?;
    Ok(with_evidence(connection, row.into_iter().collect())
        .await?
        .pop())
}

/// The rows as entries with their evidence.
pub(super) async fn with_evidence(
    connection: &mut SqliteConnection,
    rows: Vec<EntryRow>,
) -> Result<Vec<Entry>, StoreError> {
    let mut entries: Vec<Entry> = rows
        .into_iter()
        .map(EntryRow::entry)
        .collect::<Result<_, _>>()?;
    attach_evidence(connection, &mut entries).await?;
    Ok(entries)
}

async fn attach_evidence(
    connection: &mut SqliteConnection,
    entries: &mut [Entry],
) -> Result<(), StoreError> {
    let places: HashMap<String, usize> = entries
        .iter()
        .enumerate()
        .map(|(place, entry)| (entry.id.to_string(), place))
        .collect();
    let ids: Vec<&String> = places.keys().collect();
    let mut rows: Vec<EvidenceRow> = Vec::new();
    for ids in ids.chunks(IDS) {
        let mut sql = QueryBuilder::new("SELECT * FROM recall_evidence WHERE entry_id IN (");
        let mut list = sql.separated(", ");
        for id in ids {
            list.push_bind(id.as_str());
        }
        sql.push(") ORDER BY entry_id, id");
        rows.extend(
            sql.build_query_as::<EvidenceRow>()
                .fetch_all(&mut *connection)
                .await?,
        );
    }
    for row in rows {
        if let Some(place) = places.get(&row.entry_id) {
            entries[*place].evidence.push(row.evidence()?);
        }
    }
    Ok(())
}
