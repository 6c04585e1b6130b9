//! Why an entry ranks where it does, or why it is no answer.

use recall_core::{Entry, EntryFilter, EntryId, FILTERS, FilterKey, QueryMode};
use recall_lexical::{Explanation, Outcome, Query, Refusal};
use recall_trust::{failed_conditions, instructions, request};

use crate::{Engine, EngineError, QueryRequest};

/// What became of one entry when a question was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainAnswer {
    /// The question as it was asked.
    pub query: String,
    /// The entry.
    pub entry: Entry,
    /// What became of it.
    pub explanation: Explanation,
    /// What refuses the entry, in words of the request and of the entry.
    pub refusals: Vec<Refused>,
    /// How many answers the request wants at most.
    pub limit: usize,
}

/// One thing that the request asks of an entry and that this one does not meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// A filter.
    Filter {
        /// Its name.
        name: &'static str,
        /// What it wants.
        wanted: String,
        /// What the entry has; empty if nothing.
        has: String,
    },
    /// It may not be trusted, for these reasons.
    NotTrusted(Vec<String>),
    /// It reads like instructions, for these reasons.
    Flagged(Vec<&'static str>),
}

impl Engine {
    /// Says what becomes of an entry when the question is asked.
    ///
    /// # Errors
    /// As [`Engine::query`]; [`EngineError::EntryNotFound`] if there is no such entry.
    pub async fn explain(
        &self,
        query: &QueryRequest,
        entry: &EntryId,
    ) -> Result<ExplainAnswer, EngineError> {
        request::check_filter(&query.filter, query.mode)?;
        request::query_text(&query.text)?;
        let limit = request::limit(query.limit)?;
        if query.mode != QueryMode::Lexical {
            return Err(EngineError::NoVectorIndex(query.mode));
        }
        let (mut snapshot, index) = self.indexed_snapshot().await?;
        let stored = snapshot
            .entry(entry)
            .await?
            .ok_or_else(|| EngineError::EntryNotFound(entry.clone()))?;
        let question = Query::parse(&instructions::without_instructions(&query.text));
        let explanation = index.explain(&question, &query.filter, self.clock.now(), entry);
        let refusals = match &explanation.outcome {
            Outcome::Refused(refusals) => refusals.as_slice(),
            _ => &[],
        };
        Ok(ExplainAnswer {
            query: query.text.clone(),
            refusals: refusals
                .iter()
                .map(|refusal| refused(*refusal, &query.filter, &stored))
                .collect(),
            entry: stored,
            explanation,
            limit,
        })
    }
}

fn refused(refusal: Refusal, filter: &EntryFilter, entry: &Entry) -> Refused {
    match refusal {
        Refusal::Filter(key) => Refused::Filter {
            name: name_of(key),
            wanted: filter.wanted(key).unwrap_or_default().to_owned(),
            has: entry.property(key).unwrap_or_default().to_owned(),
        },
        Refusal::NotTrusted => Refused::NotTrusted(
            failed_conditions(entry)
                .into_iter()
                .map(|condition| condition.why_not(entry).into_owned())
                .collect(),
        ),
        Refusal::Flagged => Refused::Flagged(instructions::entry_flags(entry)),
    }
}

fn name_of(key: FilterKey) -> &'static str {
    let spec = FILTERS.iter().find(|spec| spec.key == key);
    spec.map_or("", |spec| spec.name)
}
