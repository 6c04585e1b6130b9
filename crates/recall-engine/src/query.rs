//! The one query path: query and brief, whoever asks.

use std::collections::HashMap;

use recall_brief::Fence;
use recall_core::{
    ContextBlock, Entry, EntryFilter, EntryId, MissReason, QueryAnswer, QueryMode, RankedEntry,
    Summary, Surface,
};
use recall_lexical::Query;
use recall_trust::{instructions, request};

use crate::{Engine, EngineError};

/// A question.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryRequest {
    /// The words of the question. Blank means: whatever is latest.
    pub text: String,
    /// How to rank.
    pub mode: QueryMode,
    /// Where it is asked.
    pub surface: Surface,
    /// Which entries may answer; applied before ranking.
    pub filter: EntryFilter,
    /// How many results at most: `None` or 0 means 50, and 500 is the most.
    pub limit: Option<i64>,
    /// Whether to pack the results into one text.
    pub include_context: bool,
    /// The packed text's size in bytes at most: `None` or 0 means 4000.
    pub context_max_bytes: Option<i64>,
}

impl QueryRequest {
    /// A lexical query over every accepted entry.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            mode: QueryMode::Lexical,
            surface: Surface::Query,
            filter: EntryFilter::default(),
            limit: None,
            include_context: false,
            context_max_bytes: None,
        }
    }

    /// A brief for a task: trusted entries that do not read like instructions, packed (S-C01, B-08).
    pub fn brief(task: impl Into<String>) -> Self {
        Self {
            surface: Surface::Brief,
            filter: EntryFilter {
                trusted_only: true,
                exclude_flagged: true,
                ..EntryFilter::default()
            },
            include_context: true,
            ..Self::new(task)
        }
    }
}

/// How entries are shown that say the same in the same words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Duplicates {
    /// The best of them stands for all: an answer.
    AsOne,
    /// Each for itself: a list.
    Each,
}

impl Engine {
    /// Answers a question.
    ///
    /// # Errors
    /// [`EngineError::Request`] before anything is read if the request is wrong;
    /// [`EngineError::NoVectorIndex`] in vector and hybrid mode, which fail closed (S-V05);
    /// [`EngineError::Entropy`] if a context cannot be fenced.
    pub async fn query(&self, query: &QueryRequest) -> Result<QueryAnswer, EngineError> {
        request::check_filter(&query.filter, query.mode)?;
        request::query_text(&query.text)?;
        let limit = request::limit(query.limit)?;
        let budget = request::context_budget(query.context_max_bytes)?;
        if query.mode != QueryMode::Lexical {
            return Err(EngineError::NoVectorIndex(query.mode));
        }

        let entries = self
            .ranked(&query.filter, &query.text, Duplicates::AsOne, limit)
            .await?;
        let context = if query.include_context {
            let fence = Fence::new(self.entropy.nonce()?);
            Some(recall_brief::pack(&entries, &query.text, budget, &fence))
        } else {
            None
        };
        Ok(QueryAnswer {
            query: query.text.clone(),
            mode: query.mode,
            surface: query.surface,
            query_id: None,
            miss_reason: miss_reason(&entries, context.as_ref()),
            trusted_only: query.filter.trusted_only,
            exclude_flagged: query.filter.exclude_flagged,
            summary: summary_of(&entries),
            entries,
            context,
        })
    }

    /// Entries that the filter lets through, ranked by the text, or the latest ones if it is blank.
    /// Text that poses as an instruction is no part of a question.
    pub(crate) async fn ranked(
        &self,
        filter: &EntryFilter,
        text: &str,
        duplicates: Duplicates,
        limit: usize,
    ) -> Result<Vec<RankedEntry>, EngineError> {
        if text.trim().is_empty() {
            let entries = self.admitted(filter, Some(limit)).await?;
            return Ok(entries.into_iter().map(RankedEntry::unranked).collect());
        }
        let question = instructions::without_instructions(text);
        if question.trim().is_empty() {
            return Ok(Vec::new());
        }
        let (mut snapshot, index) = self.indexed_snapshot().await?;
        let (question, now) = (Query::parse(&question), self.clock.now());
        let hits = match duplicates {
            Duplicates::AsOne => index.rank(&question, filter, now, limit),
            Duplicates::Each => index.rank_each(&question, filter, now, limit),
        };
        let ids: Vec<EntryId> = hits.iter().map(|hit| hit.id.clone()).collect();
        // The archive has the last word on what the filter lets through.
        let entries = snapshot.entries_let_through(&ids, filter).await?;
        let mut entries: HashMap<EntryId, Entry> = entries
            .into_iter()
            .map(|entry| (entry.id.clone(), entry))
            .collect();
        Ok(hits
            .into_iter()
            .filter_map(|hit| {
                let entry = entries.remove(&hit.id)?;
                Some(hit.with(entry))
            })
            .collect())
    }

    /// The latest entries that the filter lets through, by what the store knows of them and by how
    /// their text reads: at most `limit`, and no fewer if there are as many.
    pub(crate) async fn admitted(
        &self,
        filter: &EntryFilter,
        limit: Option<usize>,
    ) -> Result<Vec<Entry>, EngineError> {
        if !filter.exclude_flagged {
            return Ok(self.store.entries(filter, limit).await?);
        }
        let wanted = limit.unwrap_or(usize::MAX);
        let mut reach = limit;
        loop {
            let mut entries = self.store.entries(filter, reach).await?;
            let may_have_more = reach.is_some_and(|reach| entries.len() >= reach);
            entries.retain(|entry| instructions::entry_flags(entry).is_empty());
            if entries.len() >= wanted || !may_have_more {
                entries.truncate(wanted);
                return Ok(entries);
            }
            reach = reach.map(|reach| reach.saturating_mul(2));
        }
    }
}

/// Tells "nothing ranked" from "did not fit the context" (S-L02).
fn miss_reason(entries: &[RankedEntry], context: Option<&ContextBlock>) -> Option<MissReason> {
    match context {
        _ if entries.is_empty() => Some(MissReason::NoResults),
        Some(context) if context.meta.included_ids.is_empty() => Some(MissReason::ContextEmpty),
        _ => None,
    }
}

pub(crate) fn summary_of(entries: &[RankedEntry]) -> Summary {
    let mut summary = Summary::default();
    for ranked in entries {
        summary.add(&ranked.entry, &ranked.reasons);
    }
    summary
}
