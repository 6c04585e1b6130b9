//! What is ranked.

use std::borrow::Cow;

use recall_core::{Entry, EntryId, RunId, SessionId, Timestamp};

/// The searchable side of an entry. Its texts are borrowed: they are read once, to be indexed.
#[derive(Debug, Clone, PartialEq)]
pub struct Document<'e> {
    /// The entry's identity.
    pub id: EntryId,
    /// One line.
    pub title: &'e str,
    /// The conclusion itself.
    pub body: &'e str,
    /// When it applies.
    pub trigger: &'e str,
    /// What its evidence says, in stored order.
    pub snippets: Vec<Cow<'e, str>>,
    /// Project, working directory, git branch and agent; they name the entry but are no part of
    /// its text.
    pub surroundings: [&'e str; 4],
    /// What it came from: the episode, else the session. Breaks ties.
    pub source: &'e str,
    /// The session it belongs to. Breaks ties.
    pub session: SessionId,
    /// The run that produced it. Breaks ties.
    pub run: Option<RunId>,
    /// Its confidence, 0 if unknown.
    pub confidence: f64,
    /// When its standing last changed.
    pub updated_at: Timestamp,
}

impl<'e> Document<'e> {
    /// The searchable side of `entry`.
    pub fn from_entry(entry: &'e Entry) -> Self {
        let source = match &entry.source_episode_id {
            Some(episode) => episode.as_str(),
            None => entry.source_session_id.as_str(),
        };
        Self {
            id: entry.id.clone(),
            title: &entry.title,
            body: &entry.body,
            trigger: &entry.trigger,
            snippets: entry
                .evidence
                .iter()
                .map(recall_core::Evidence::snippet)
                .collect(),
            surroundings: [&entry.project, &entry.cwd, &entry.git_branch, &entry.agent],
            source,
            session: entry.source_session_id.clone(),
            run: entry.source_run_id.clone(),
            confidence: entry.confidence.map_or(0.0, recall_core::Confidence::get),
            updated_at: entry.updated_at,
        }
    }
}
