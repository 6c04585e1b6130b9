//! The one table of filters, and the filter that it fills.
//!
//! Command-line flags, the HTTP query, the web form and the schema for agents are all made from
//! [`FILTERS`]; [`EntryFilter::set`] is the one place where a filter's text is read.

use crate::{
    Entry, EntryId, EntryType, EpisodeId, IdError, ReviewState, RunId, Scope, SessionId, Status,
    UnknownWord,
};

/// Why a filter's text was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// The value is not one of a closed list.
    #[error(transparent)]
    Word(#[from] UnknownWord),
    /// The value cannot be an identity.
    #[error(transparent)]
    Id(#[from] IdError),
}

/// A property that entries can be filtered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FilterKey {
    /// Project name.
    Project,
    /// Working directory, with everything below it.
    Cwd,
    /// Git branch.
    GitBranch,
    /// Agent name.
    Agent,
    /// Entry type.
    Type,
    /// Scope.
    Scope,
    /// Status; unset means accepted.
    Status,
    /// Review state.
    ReviewState,
    /// Extractor method.
    ExtractorMethod,
    /// Source session.
    SourceSessionId,
    /// Source episode.
    SourceEpisodeId,
    /// Source run.
    SourceRunId,
    /// The entry that was replaced.
    SupersedesEntryId,
    /// The replacement.
    SupersededByEntryId,
}

/// What values a filter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterValue {
    /// Any text, compared whole and by case.
    Text,
    /// A directory.
    Path,
    /// One of these words.
    Word(&'static [&'static str]),
}

/// One row of the table of filters.
#[derive(Debug, Clone, Copy)]
pub struct FilterSpec {
    /// The property.
    pub key: FilterKey,
    /// Its name in JSON and HTTP; the flag is the same with dashes.
    pub name: &'static str,
    /// What values it takes.
    pub value: FilterValue,
    /// One line of help.
    pub help: &'static str,
}

impl FilterSpec {
    /// The flag's name without its leading dashes.
    pub fn flag(&self) -> String {
        self.name.replace('_', "-")
    }
}

const fn row(
    key: FilterKey,
    name: &'static str,
    value: FilterValue,
    help: &'static str,
) -> FilterSpec {
    FilterSpec {
        key,
        name,
        value,
        help,
    }
}

/// Every filter of list, query, brief and stats (S-C02), in the order of the help text.
pub const FILTERS: &[FilterSpec] = &[
    row(
        FilterKey::Project,
        "project",
        FilterValue::Text,
        "Only entries of this project",
    ),
    row(
        FilterKey::Cwd,
        "cwd",
        FilterValue::Path,
        "Only entries of this directory and those below it",
    ),
    row(
        FilterKey::GitBranch,
        "git_branch",
        FilterValue::Text,
        "Only entries of this git branch",
    ),
    row(
        FilterKey::Agent,
        "agent",
        FilterValue::Text,
        "Only entries of this agent",
    ),
    row(
        FilterKey::Type,
        "type",
        FilterValue::Word(EntryType::WORDS),
        "Only entries of this type",
    ),
    row(
        FilterKey::Scope,
        "scope",
        FilterValue::Word(Scope::WORDS),
        "Only entries of this scope",
    ),
    row(
        FilterKey::Status,
        "status",
        FilterValue::Word(Status::WORDS),
        "Only entries of this status; accepted unless given",
    ),
    row(
        FilterKey::ReviewState,
        "review_state",
        FilterValue::Word(ReviewState::WORDS),
        "Only entries in this review state",
    ),
    row(
        FilterKey::ExtractorMethod,
        "extractor_method",
        FilterValue::Text,
        "Only entries made by this method",
    ),
    row(
        FilterKey::SourceSessionId,
        "source_session_id",
        FilterValue::Text,
        "Only entries of this session",
    ),
    row(
        FilterKey::SourceEpisodeId,
        "source_episode_id",
        FilterValue::Text,
        "Only entries of this episode",
    ),
    row(
        FilterKey::SourceRunId,
        "source_run_id",
        FilterValue::Text,
        "Only entries of this run",
    ),
    row(
        FilterKey::SupersedesEntryId,
        "supersedes_entry_id",
        FilterValue::Text,
        "Only the entry that replaced this one",
    ),
    row(
        FilterKey::SupersededByEntryId,
        "superseded_by_entry_id",
        FilterValue::Text,
        "Only the entry that this one replaced (add --status archived)",
    ),
];

/// Which entries a request is about: every set member must match. The default is every accepted
/// entry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EntryFilter {
    /// Project name.
    pub project: Option<String>,
    /// Working directory without a trailing slash; matches itself and everything below it.
    pub cwd: Option<String>,
    /// Git branch.
    pub git_branch: Option<String>,
    /// Agent name.
    pub agent: Option<String>,
    /// Entry type.
    pub entry_type: Option<EntryType>,
    /// Scope.
    pub scope: Option<Scope>,
    /// Status as asked for; see [`EntryFilter::effective_status`].
    pub status: Option<Status>,
    /// Review state.
    pub review_state: Option<ReviewState>,
    /// Extractor method.
    pub extractor_method: Option<String>,
    /// Source session.
    pub source_session_id: Option<SessionId>,
    /// Source episode.
    pub source_episode_id: Option<EpisodeId>,
    /// Source run.
    pub source_run_id: Option<RunId>,
    /// The entry that was replaced.
    pub supersedes: Option<EntryId>,
    /// The replacement.
    pub superseded_by: Option<EntryId>,
    /// Only entries that may be trusted (S-E06).
    pub trusted_only: bool,
    /// Only entries whose text does not read like instructions (B-08). Text is judged by the policy
    /// of trust and not by a store, so it is the engine that applies this.
    pub exclude_flagged: bool,
}

impl Entry {
    /// What a filter looks at; `None` where the entry has none or it is empty.
    pub fn property(&self, key: FilterKey) -> Option<&str> {
        let text = |text| Some(text).filter(|text: &&str| !text.is_empty());
        match key {
            FilterKey::Project => text(&self.project),
            FilterKey::Cwd => text(&self.cwd),
            FilterKey::GitBranch => text(&self.git_branch),
            FilterKey::Agent => text(&self.agent),
            FilterKey::Type => Some(self.entry_type.as_str()),
            FilterKey::Scope => Some(self.scope.as_str()),
            FilterKey::Status => Some(self.status.as_str()),
            FilterKey::ReviewState => Some(self.review_state.as_str()),
            FilterKey::ExtractorMethod => text(&self.extractor_method),
            FilterKey::SourceSessionId => Some(self.source_session_id.as_str()),
            FilterKey::SourceEpisodeId => self.source_episode_id.as_ref().map(EpisodeId::as_str),
            FilterKey::SourceRunId => self.source_run_id.as_ref().map(RunId::as_str),
            FilterKey::SupersedesEntryId => self.supersedes.as_ref().map(EntryId::as_str),
            FilterKey::SupersededByEntryId => self.superseded_by.as_ref().map(EntryId::as_str),
        }
    }
}

impl FilterValue {
    /// Whether an entry's property is what a filter wants.
    pub fn admits(self, wanted: &str, property: &str) -> bool {
        match self {
            Self::Text | Self::Word(_) => wanted == property,
            Self::Path => property
                .strip_prefix(wanted.trim_end_matches('/'))
                .is_some_and(|below| below.is_empty() || below.starts_with('/')),
        }
    }
}

impl EntryFilter {
    /// What the entry's property must be, the status that is looked for included; `None` if any
    /// will do.
    pub fn wanted(&self, key: FilterKey) -> Option<&str> {
        match key {
            FilterKey::Status => Some(self.effective_status().as_str()),
            _ => self.get(key),
        }
    }

    /// Reads one filter's text: trimmed; empty means "any"; a word outside its list is an error.
    pub fn set(&mut self, key: FilterKey, text: &str) -> Result<(), FilterError> {
        let text = text.trim();
        let plain = || (!text.is_empty()).then(|| text.to_owned());
        match key {
            FilterKey::Project => self.project = plain(),
            FilterKey::Cwd => self.cwd = directory(text),
            FilterKey::GitBranch => self.git_branch = plain(),
            FilterKey::Agent => self.agent = plain(),
            FilterKey::Type => self.entry_type = word(text)?,
            FilterKey::Scope => self.scope = word(text)?,
            FilterKey::Status => self.status = word(text)?,
            FilterKey::ReviewState => self.review_state = word(text)?,
            FilterKey::ExtractorMethod => self.extractor_method = plain(),
            FilterKey::SourceSessionId => self.source_session_id = SessionId::optional(text)?,
            FilterKey::SourceEpisodeId => self.source_episode_id = EpisodeId::optional(text)?,
            FilterKey::SourceRunId => self.source_run_id = RunId::optional(text)?,
            FilterKey::SupersedesEntryId => self.supersedes = EntryId::optional(text)?,
            FilterKey::SupersededByEntryId => self.superseded_by = EntryId::optional(text)?,
        }
        Ok(())
    }

    /// The value of one filter as text, if it is set.
    pub fn get(&self, key: FilterKey) -> Option<&str> {
        match key {
            FilterKey::Project => self.project.as_deref(),
            FilterKey::Cwd => self.cwd.as_deref(),
            FilterKey::GitBranch => self.git_branch.as_deref(),
            FilterKey::Agent => self.agent.as_deref(),
            FilterKey::Type => self.entry_type.map(EntryType::as_str),
            FilterKey::Scope => self.scope.map(Scope::as_str),
            FilterKey::Status => self.status.map(Status::as_str),
            FilterKey::ReviewState => self.review_state.map(ReviewState::as_str),
            FilterKey::ExtractorMethod => self.extractor_method.as_deref(),
            FilterKey::SourceSessionId => self.source_session_id.as_ref().map(SessionId::as_str),
            FilterKey::SourceEpisodeId => self.source_episode_id.as_ref().map(EpisodeId::as_str),
            FilterKey::SourceRunId => self.source_run_id.as_ref().map(RunId::as_str),
            FilterKey::SupersedesEntryId => self.supersedes.as_ref().map(EntryId::as_str),
            FilterKey::SupersededByEntryId => self.superseded_by.as_ref().map(EntryId::as_str),
        }
    }

    /// The status that is looked for: accepted unless another one was asked for.
    pub fn effective_status(&self) -> Status {
        self.status.unwrap_or(Status::Accepted)
    }
}

fn word<T: std::str::FromStr<Err = UnknownWord>>(text: &str) -> Result<Option<T>, UnknownWord> {
    if text.is_empty() {
        Ok(None)
    } else {
        text.parse().map(Some)
    }
}

/// A directory without its trailing slashes; the root stays the root.
fn directory(text: &str) -> Option<String> {
    let trimmed = text.trim_end_matches('/');
    match (text.is_empty(), trimmed.is_empty()) {
        (true, _) => None,
        (false, true) => Some("/".to_owned()),
        (false, false) => Some(trimmed.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_sets_its_own_member() {
        for spec in FILTERS {
            let text = match spec.value {
                FilterValue::Word(words) => words[words.len() - 1],
                FilterValue::Path => "/srv/code",
                FilterValue::Text => "value",
            };
            let mut filter = EntryFilter::default();
            filter.set(spec.key, &format!("  {text} ")).unwrap();
            for other in FILTERS {
                let expected = (other.key == spec.key).then_some(text);
                assert_eq!(
                    filter.get(other.key),
                    expected,
                    "{} after {}",
                    other.name,
                    spec.name
                );
            }
            filter.set(spec.key, "  ").unwrap();
            assert_eq!(
                filter,
                EntryFilter::default(),
                "a blank {} means any",
                spec.name
            );
        }
    }

    // S-M04
    #[test]
    fn model_087_an_unknown_review_state_is_refused_with_the_known_ones() {
        let mut filter = EntryFilter::default();
        let refused = filter.set(FilterKey::ReviewState, "approved").unwrap_err();
        assert!(matches!(refused, FilterError::Word(_)));
        assert!(refused.to_string().contains("human_reviewed"), "{refused}");
        assert_eq!(filter, EntryFilter::default());
    }

    #[test]
    fn model_078_a_filter_is_trimmed_before_it_is_compared() {
        let mut filter = EntryFilter::default();
        filter.set(FilterKey::Project, "  lantern\t").unwrap();
        filter.set(FilterKey::Type, " warning ").unwrap();
        filter.set(FilterKey::SourceSessionId, " s1 ").unwrap();
        assert_eq!(filter.get(FilterKey::Project), Some("lantern"));
        assert_eq!(filter.get(FilterKey::Type), Some("warning"));
        assert_eq!(filter.get(FilterKey::SourceSessionId), Some("s1"));
    }

    #[test]
    fn a_directory_loses_its_trailing_slash() {
        let mut filter = EntryFilter::default();
        filter.set(FilterKey::Cwd, "/srv/code//").unwrap();
        assert_eq!(filter.cwd.as_deref(), Some("/srv/code"));
        filter.set(FilterKey::Cwd, "/").unwrap();
        assert_eq!(filter.cwd.as_deref(), Some("/"));
    }
}
