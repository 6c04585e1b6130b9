//! Counting entries inside the database: any number of them, none of them loaded.

use recall_core::{EntryFilter, Facet, Summary};
use sqlx::QueryBuilder;

use super::filter::push_filter;
use crate::columns::{count, integer};
use crate::{Store, StoreError};

/// The value of each facet as an SQL expression over `picked`. Match reasons belong to a ranking
/// and have none.
const fn expression(facet: Facet) -> Option<&'static str> {
    Some(match facet {
        Facet::Type => "type",
        Facet::Scope => "scope",
        Facet::Status => "status",
        Facet::Project => "project",
        Facet::Agent => "agent",
        Facet::Cwd => "cwd",
        Facet::GitBranch => "git_branch",
        Facet::MatchReason => return None,
        Facet::Extractor => "extractor_method",
        Facet::Model => "model",
        Facet::SourceRun => "coalesce(source_run_id, '')",
        Facet::SourceSession => "source_session_id",
        Facet::SourceEpisode => "coalesce(source_episode_id, '')",
        Facet::Transferability => "iif(transferable, 'transferable', 'not_transferable')",
        Facet::ProvenanceAudit => "iif(provenance_ok, 'provenance_ok', 'provenance_unverified')",
        Facet::Evidence => {
            "iif(EXISTS (SELECT 1 FROM recall_evidence v WHERE v.entry_id = picked.id), \
             'with_evidence', 'without_evidence')"
        }
        Facet::Lifecycle => {
            "CASE WHEN supersedes_entry_id IS NOT NULL AND superseded_by_entry_id IS NOT NULL \
             THEN 'replacement_superseded' \
             WHEN supersedes_entry_id IS NOT NULL THEN 'replacement' \
             WHEN superseded_by_entry_id IS NOT NULL OR status = 'archived' THEN 'superseded' \
             ELSE 'active' END"
        }
    })
}

impl Store {
    /// Counts the entries that the filter lets through by every facet. With a limit only the
    /// latest ones are counted; the flag says whether that left any out.
    pub async fn stats(
        &self,
        filter: &EntryFilter,
        limit: Option<usize>,
    ) -> Result<(Summary, bool), StoreError> {
        let mut connection = self.readers.begin().await?;
        let mut sql = QueryBuilder::new("SELECT count(*) FROM recall_entries e");
        push_filter(&mut sql, filter);
        let matching: i64 = sql.build_query_scalar().fetch_one(&mut *connection).await?;

        let mut summary = Summary {
            count: count(matching)?,
            ..Summary::default()
        };
        let truncated = limit.is_some_and(|limit| summary.count > limit as u64);
        if let (true, Some(limit)) = (truncated, limit) {
            summary.count = limit as u64;
        }
        for facet in Facet::ALL {
            let Some(expression) = expression(*facet) else {
                continue;
            };
            let mut sql = QueryBuilder::new("WITH picked AS (SELECT e.* FROM recall_entries e");
            push_filter(&mut sql, filter);
            if let Some(limit) = limit {
                sql.push(" ORDER BY e.updated_at DESC, e.id LIMIT ")
                    .push_bind(integer(limit as u64));
            }
            sql.push(") SELECT ")
                .push(expression)
                .push(" AS value, count(*) FROM picked GROUP BY value");
            let rows: Vec<(String, i64)> = sql.build_query_as().fetch_all(&mut *connection).await?;
            for (value, number) in rows {
                summary.add_count(*facet, &value, count(number)?);
            }
        }
        Ok((summary, truncated))
    }
}
