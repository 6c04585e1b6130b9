//! Listing, counting and getting entries.

use recall_core::{Entry, EntryFilter, EntryId, ListAnswer, QueryMode, StatsAnswer};
use recall_trust::request;

use crate::query::{Duplicates, summary_of};
use crate::{Engine, EngineError};

/// What to list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ListRequest {
    /// Which entries.
    pub filter: EntryFilter,
    /// Rank by these words; blank means latest first.
    pub text: String,
    /// How many at most: `None` or 0 means 50, and 500 is the most.
    pub limit: Option<i64>,
}

/// What to count.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StatsRequest {
    /// Which entries.
    pub filter: EntryFilter,
    /// Count only what these words find; blank means every entry that the filter lets through.
    pub text: String,
    /// Count only so many, latest (or best) first: `None` or 0 means all of them.
    pub limit: Option<i64>,
}

impl Engine {
    /// Lists entries.
    ///
    /// # Errors
    /// [`EngineError::Request`] if the request is wrong.
    pub async fn list(&self, list: &ListRequest) -> Result<ListAnswer, EngineError> {
        request::check_filter(&list.filter, QueryMode::Lexical)?;
        request::query_text(&list.text)?;
        let limit = request::limit(list.limit)?;
        Ok(ListAnswer {
            entries: self
                .ranked(&list.filter, &list.text, Duplicates::Each, limit)
                .await?,
            trusted_only: list.filter.trusted_only,
            exclude_flagged: list.filter.exclude_flagged,
            result_cap: (!list.text.trim().is_empty()).then_some(request::MAX_LIMIT),
        })
    }

    /// Counts entries, however many there are.
    ///
    /// # Errors
    /// [`EngineError::Request`] if the request is wrong.
    pub async fn stats(&self, stats: &StatsRequest) -> Result<StatsAnswer, EngineError> {
        request::check_filter(&stats.filter, QueryMode::Lexical)?;
        request::query_text(&stats.text)?;
        let limit = request::count_limit(stats.limit)?;
        let is_of_columns = stats.text.trim().is_empty() && !stats.filter.exclude_flagged;
        let (summary, truncated) = if is_of_columns {
            self.store.stats(&stats.filter, limit).await?
        } else {
            let all = limit.unwrap_or(usize::MAX);
            // One more than wanted tells whether there are more.
            let mut entries = self
                .ranked(
                    &stats.filter,
                    &stats.text,
                    Duplicates::Each,
                    all.saturating_add(1),
                )
                .await?;
            let truncated = entries.len() > all;
            entries.truncate(all);
            (summary_of(&entries), truncated)
        };
        Ok(StatsAnswer {
            summary,
            limit,
            truncated,
            trusted_only: stats.filter.trusted_only,
            exclude_flagged: stats.filter.exclude_flagged,
        })
    }

    /// One entry of any status, with its evidence.
    ///
    /// # Errors
    /// [`EngineError::EntryNotFound`] if there is none of that id.
    pub async fn entry(&self, id: &EntryId) -> Result<Entry, EngineError> {
        self.store
            .entry(id)
            .await?
            .ok_or_else(|| EngineError::EntryNotFound(id.clone()))
    }
}
