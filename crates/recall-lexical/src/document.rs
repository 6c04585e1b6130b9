//! What is ranked.

use recall_core::{Entry, EntryId, RunId, SessionId, Timestamp};

/// The searchable side of an entry.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The entry's identity.
    pub id: EntryId,
    /// One line.
    pub title: String,
    /// The conclusion itself.
    pub body: String,
    /// When it applies.
    pub trigger: String,
    /// What its evidence says, in stored order.
    pub snippets: Vec<String>,
    /// Project, working directory, git branch and agent; they name the entry but are no part of
    /// its text.
    pub surroundings: [String; 4],
    /// What it came from: the episode, else the session. Breaks ties.
    pub source: String,
    /// The session it belongs to. Breaks ties.
    pub session: SessionId,
    /// The run that produced it. Breaks ties.
    pub run: Option<RunId>,
    /// Its confidence, 0 if unknown.
    pub confidence: f64,
    /// When its standing last changed.
    pub updated_at: Timestamp,
}

impl Document {
    /// The searchable side of `entry`.
    pub fn from_entry(entry: &Entry) -> Self {
        let source = match &entry.source_episode_id {
            Some(episode) => episode.as_str(),
            None => entry.source_session_id.as_str(),
        };
        Self {
            id: entry.id.clone(),
            title: entry.title.clone(),
            body: entry.body.clone(),
            trigger: entry.trigger.clone(),
            snippets: entry
                .evidence
                .iter()
                .map(|row| row.snippet.clone())
                .collect(),
            surroundings: [
                entry.project.clone(),
                entry.cwd.clone(),
                entry.git_branch.clone(),
                entry.agent.clone(),
            ],
            source: source.to_owned(),
            session: entry.source_session_id.clone(),
            run: entry.source_run_id.clone(),
            confidence: entry.confidence.map_or(0.0, recall_core::Confidence::get),
            updated_at: entry.updated_at,
        }
    }

    /// What orders documents of equal score: source, session, run, id, by bytes.
    pub(crate) fn tie_key(&self) -> (&str, &SessionId, Option<&RunId>, &EntryId) {
        (&self.source, &self.session, self.run.as_ref(), &self.id)
    }
}
