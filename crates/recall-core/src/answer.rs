//! What a ranking and a packed context hand back.

use std::collections::BTreeMap;

use crate::{Entry, EntryId, EntryType, EpisodeId, MatchReason, RunId, ScoreBreakdown, SessionId};

/// An entry with its place in an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedEntry {
    /// The entry with its evidence.
    pub entry: Entry,
    /// What it was ranked by. Equal to `breakdown.total()` in lexical mode; 0 in a plain listing.
    pub score: f64,
    /// The parts of the lexical score.
    pub breakdown: ScoreBreakdown,
    /// Why it ranked; empty in a plain listing.
    pub reasons: Vec<MatchReason>,
    /// The query terms that it matched, sorted.
    pub matched_terms: Vec<String>,
}

impl RankedEntry {
    /// An entry that was listed, not ranked.
    pub fn unranked(entry: Entry) -> Self {
        Self {
            entry,
            score: 0.0,
            breakdown: ScoreBreakdown::default(),
            reasons: Vec::new(),
            matched_terms: Vec::new(),
        }
    }
}

/// The packed text of a brief with what went into it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContextBlock {
    /// The text, within its byte budget; empty if nothing fitted.
    pub text: String,
    /// What the text holds.
    pub meta: ContextMeta,
}

/// What a packed context holds and what it had to leave out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContextMeta {
    /// The packed entries, in the order of the text.
    pub included_ids: Vec<EntryId>,
    /// The type of each packed entry.
    pub included_types: BTreeMap<EntryId, EntryType>,
    /// Why each packed entry ranked.
    pub included_reasons: BTreeMap<EntryId, Vec<MatchReason>>,
    /// The sessions of the packed entries, first seen first.
    pub source_session_ids: Vec<SessionId>,
    /// The episodes of the packed entries, first seen first.
    pub source_episode_ids: Vec<EpisodeId>,
    /// The runs of the packed entries, first seen first.
    pub source_run_ids: Vec<RunId>,
    /// Whether anything was cut or left out.
    pub truncated: bool,
    /// How many results there were when something was left out; 0 otherwise.
    pub truncated_from: usize,
    /// How many results were left out.
    pub omitted_count: usize,
    /// Why packed entries read like instructions; an entry without such text is absent.
    pub flagged: BTreeMap<EntryId, Vec<&'static str>>,
}
