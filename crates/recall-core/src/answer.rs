//! What a ranking and a packed context hand back.

use std::collections::BTreeMap;

use crate::{
    Entry, EntryId, EntryType, EpisodeId, MatchReason, MissReason, QueryMode, RunId,
    ScoreBreakdown, SessionId, SkipReason, Speaker, Summary, Surface,
};

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
    /// Entries that say the same in the same words and scored no better, which this one stands for;
    /// empty in a plain listing.
    pub duplicates: Vec<EntryId>,
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
            duplicates: Vec::new(),
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

/// The answer to a query or a brief.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryAnswer {
    /// What was asked.
    pub query: String,
    /// How it was ranked.
    pub mode: QueryMode,
    /// Where it was asked.
    pub surface: Surface,
    /// The id of the recorded measurement; `None` if nothing was recorded.
    pub query_id: Option<String>,
    /// Why nothing came back, if nothing did.
    pub miss_reason: Option<MissReason>,
    /// Whether only trusted entries could come back.
    pub trusted_only: bool,
    /// Whether entries that read like instructions were left out.
    pub exclude_flagged: bool,
    /// The ranked entries, best first.
    pub entries: Vec<RankedEntry>,
    /// Counts over `entries`.
    pub summary: Summary,
    /// The packed context, if it was asked for.
    pub context: Option<ContextBlock>,
}

/// Entries of a listing, latest first, or ranked if a text was given.
#[derive(Debug, Clone, PartialEq)]
pub struct ListAnswer {
    /// The entries.
    pub entries: Vec<RankedEntry>,
    /// Whether only trusted entries could come back.
    pub trusted_only: bool,
    /// Whether entries that read like instructions were left out.
    pub exclude_flagged: bool,
    /// How many a ranked list can reach at most; `None` in a plain listing.
    pub result_cap: Option<usize>,
}

/// Counts over every matching entry.
#[derive(Debug, Clone, PartialEq)]
pub struct StatsAnswer {
    /// The counts.
    pub summary: Summary,
    /// How many entries were allowed to be counted; `None` means all.
    pub limit: Option<usize>,
    /// Whether more entries matched than were counted.
    pub truncated: bool,
    /// Whether only trusted entries were counted.
    pub trusted_only: bool,
    /// Whether entries that read like instructions were left out.
    pub exclude_flagged: bool,
}

/// What became of one import line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportItem {
    /// The line's number, from 1, blank lines counted.
    pub line: u64,
    /// The candidate id as given; empty if a skipped line has none.
    pub candidate_id: String,
    /// The title as given.
    pub title: String,
    /// The source session as given.
    pub source_session_id: String,
    /// The entry it replaces; empty if none.
    pub supersedes_entry_id: String,
    /// The reviewer's label as given.
    pub label: String,
    /// The kind that it claims and that a person has yet to grant.
    pub claimed_type: Option<EntryType>,
    /// Whose words its evidence rests on, sorted; empty if nobody verified it or it was passed over.
    pub speakers: Vec<Speaker>,
    /// Why it was passed over; `None` if it was imported (or would be).
    pub skipped: Option<SkipReason>,
}

/// An import line that cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportProblem {
    /// The line's number, from 1, blank lines counted.
    pub line: u64,
    /// What is wrong with it, in one line.
    pub message: String,
}

/// What an import did, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportReport {
    /// Whether nothing was to be written.
    pub dry_run: bool,
    /// Whether the lines were written (never in a dry run; not if a problem stopped the import).
    pub committed: bool,
    /// The usable lines, in file order.
    pub items: Vec<ImportItem>,
    /// The unusable lines, in file order.
    pub problems: Vec<ImportProblem>,
}
