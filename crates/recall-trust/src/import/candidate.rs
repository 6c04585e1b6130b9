//! A line that may become an entry.

use std::collections::BTreeSet;

use recall_core::{
    Confidence, Entry, EntryId, EntryType, EpisodeId, ImportItem, Label, OrdinalRange, RunId,
    Scope, SessionId, SkipReason, Speaker, ToolUseId,
};

use crate::evidence::Selection;
use crate::insertion::Draft;

/// A reviewed line of sound form. Only [`parse_line`](super::parse_line) makes one, so that a
/// reviewer's word always stands behind it (S-E06).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// What it says.
    pub draft: Draft,
    /// The reviewer's verdict.
    pub label: Label,
    /// What it cites.
    pub selection: Selection,
    /// What it quotes, verbatim.
    pub snippets: Vec<String>,
    /// Whose words the reviewer saw there; empty if the line does not say.
    pub speakers: BTreeSet<Speaker>,
}

impl Candidate {
    /// The identity it wants.
    pub fn id(&self) -> &EntryId {
        &self.draft.id
    }

    /// The session that it cites and will belong to.
    pub fn session_id(&self) -> &SessionId {
        &self.draft.source_session_id
    }

    /// The entry that it replaces.
    pub fn supersedes(&self) -> Option<&EntryId> {
        self.draft.supersedes.as_ref()
    }

    /// Whether the stored entry says what this line says: tells a repeated import from a conflict.
    /// Label and standing do not count, nor do stable ids and digests, which are the host's.
    pub fn same_content(&self, entry: &Entry) -> bool {
        Content::of_candidate(self) == Content::of_entry(entry)
    }

    /// Whether two lines say the same.
    pub(super) fn repeats(&self, earlier: &Self) -> bool {
        Content::of_candidate(self) == Content::of_candidate(earlier)
    }

    /// The line's place in a report.
    pub fn item(&self, line: u64, skipped: Option<SkipReason>) -> ImportItem {
        ImportItem {
            line,
            candidate_id: self.draft.id.to_string(),
            title: self.draft.title.clone(),
            source_session_id: self.draft.source_session_id.to_string(),
            supersedes_entry_id: self
                .supersedes()
                .map(ToString::to_string)
                .unwrap_or_default(),
            label: self.label.to_string(),
            claimed_type: None,
            speakers: Vec::new(),
            skipped,
        }
    }
}

/// What a line and an entry made from it have in common.
#[derive(PartialEq)]
struct Content<'a> {
    texts: [&'a str; 10],
    entry_type: EntryType,
    scope: Scope,
    confidence: Option<Confidence>,
    session: &'a SessionId,
    episode: Option<&'a EpisodeId>,
    run: Option<&'a RunId>,
    supersedes: Option<&'a EntryId>,
    ranges: Vec<OrdinalRange>,
    tool_use_ids: BTreeSet<&'a ToolUseId>,
    snippets: Vec<&'a str>,
}

impl<'a> Content<'a> {
    fn of_candidate(candidate: &'a Candidate) -> Self {
        let Candidate {
            draft,
            selection,
            snippets,
            speakers: _,
            label: _,
        } = candidate;
        Self {
            texts: [
                &draft.title,
                &draft.body,
                &draft.trigger,
                &draft.uncertainty,
                &draft.project,
                &draft.cwd,
                &draft.git_branch,
                &draft.agent,
                &draft.extractor_method,
                &draft.model,
            ],
            entry_type: draft.entry_type,
            scope: draft.scope,
            confidence: draft.confidence,
            session: &draft.source_session_id,
            episode: draft.source_episode_id.as_ref(),
            run: draft.source_run_id.as_ref(),
            supersedes: draft.supersedes.as_ref(),
            ranges: vec![selection.range],
            tool_use_ids: selection.tool_use_ids.iter().collect(),
            snippets: snippets.iter().map(String::as_str).collect(),
        }
    }

    fn of_entry(entry: &'a Entry) -> Self {
        let rows = &entry.evidence;
        let mut ranges: Vec<OrdinalRange> = rows.iter().map(|row| row.range).collect();
        ranges.dedup();
        Self {
            texts: [
                &entry.title,
                &entry.body,
                &entry.trigger,
                &entry.uncertainty,
                &entry.project,
                &entry.cwd,
                &entry.git_branch,
                &entry.agent,
                &entry.extractor_method,
                &entry.model,
            ],
            entry_type: entry.claimed_type.unwrap_or(entry.entry_type),
            scope: entry.scope,
            confidence: entry.confidence,
            session: &entry.source_session_id,
            episode: entry.source_episode_id.as_ref(),
            run: entry.source_run_id.as_ref(),
            supersedes: entry.supersedes.as_ref(),
            ranges,
            tool_use_ids: rows
                .iter()
                .filter_map(|row| row.tool_use_id.as_ref())
                .collect(),
            snippets: rows
                .iter()
                .flat_map(|row| row.snippets.iter().map(String::as_str))
                .collect(),
        }
    }
}
