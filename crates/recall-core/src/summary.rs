//! Counts of entries by each of their properties.

use std::collections::BTreeMap;

use crate::{Entry, MatchReason};

/// How many entries share each value of one property; sorted by value.
pub type Tally = BTreeMap<String, u64>;

/// A property that entries are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Facet {
    /// Entry type.
    Type,
    /// Scope.
    Scope,
    /// Status.
    Status,
    /// Project.
    Project,
    /// Agent.
    Agent,
    /// Working directory.
    Cwd,
    /// Git branch.
    GitBranch,
    /// Why entries ranked; an entry counts once for each of its reasons.
    MatchReason,
    /// Extractor method.
    Extractor,
    /// Model.
    Model,
    /// Run.
    SourceRun,
    /// Session.
    SourceSession,
    /// Episode.
    SourceEpisode,
    /// Transferable or not.
    Transferability,
    /// Provenance verified or not.
    ProvenanceAudit,
    /// With evidence rows or without.
    Evidence,
    /// Place in the chain of supersession.
    Lifecycle,
}

impl Facet {
    /// Every facet, in the order of the output.
    pub const ALL: &'static [Self] = &[
        Self::Type,
        Self::Scope,
        Self::Status,
        Self::Project,
        Self::Agent,
        Self::Cwd,
        Self::GitBranch,
        Self::MatchReason,
        Self::Extractor,
        Self::Model,
        Self::SourceRun,
        Self::SourceSession,
        Self::SourceEpisode,
        Self::Transferability,
        Self::ProvenanceAudit,
        Self::Evidence,
        Self::Lifecycle,
    ];

    /// The name of the facet's member in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Type => "by_type",
            Self::Scope => "by_scope",
            Self::Status => "by_status",
            Self::Project => "by_project",
            Self::Agent => "by_agent",
            Self::Cwd => "by_cwd",
            Self::GitBranch => "by_git_branch",
            Self::MatchReason => "by_match_reason",
            Self::Extractor => "by_extractor",
            Self::Model => "by_model",
            Self::SourceRun => "by_source_run",
            Self::SourceSession => "by_source_session",
            Self::SourceEpisode => "by_source_episode",
            Self::Transferability => "by_transferability",
            Self::ProvenanceAudit => "by_provenance_audit",
            Self::Evidence => "by_evidence",
            Self::Lifecycle => "by_lifecycle",
        }
    }

    /// The entry's value for this facet. [`Facet::MatchReason`] has none: it belongs to a ranking.
    pub fn value(self, entry: &Entry) -> Option<&str> {
        Some(match self {
            Self::Type => entry.entry_type.as_str(),
            Self::Scope => entry.scope.as_str(),
            Self::Status => entry.status.as_str(),
            Self::Project => &entry.project,
            Self::Agent => &entry.agent,
            Self::Cwd => &entry.cwd,
            Self::GitBranch => &entry.git_branch,
            Self::MatchReason => return None,
            Self::Extractor => &entry.extractor_method,
            Self::Model => &entry.model,
            Self::SourceRun => entry.source_run_id.as_ref().map_or("", |id| id.as_str()),
            Self::SourceSession => entry.source_session_id.as_str(),
            Self::SourceEpisode => entry
                .source_episode_id
                .as_ref()
                .map_or("", |id| id.as_str()),
            Self::Transferability if entry.transferable => "transferable",
            Self::Transferability => "not_transferable",
            Self::ProvenanceAudit if entry.provenance_ok => "provenance_ok",
            Self::ProvenanceAudit => "provenance_unverified",
            Self::Evidence if entry.evidence.is_empty() => "without_evidence",
            Self::Evidence => "with_evidence",
            Self::Lifecycle => entry.lifecycle().as_str(),
        })
    }
}

/// Counts of a set of entries by every [`Facet`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// How many entries were counted.
    pub count: u64,
    /// A tally a facet; an empty tally is left out.
    pub facets: BTreeMap<Facet, Tally>,
}

impl Summary {
    /// How an empty value is shown.
    pub const NONE: &'static str = "(none)";

    /// Counts one entry with the reasons it ranked for (none outside a ranking).
    pub fn add(&mut self, entry: &Entry, reasons: &[MatchReason]) {
        self.count += 1;
        for facet in Facet::ALL {
            if let Some(value) = facet.value(entry) {
                self.add_count(*facet, value, 1);
            }
        }
        for reason in reasons {
            self.add_count(Facet::MatchReason, reason.as_str(), 1);
        }
    }

    /// Adds to one tally; an empty value counts as [`Summary::NONE`].
    pub fn add_count(&mut self, facet: Facet, value: &str, count: u64) {
        let value = if value.is_empty() { Self::NONE } else { value };
        *self
            .facets
            .entry(facet)
            .or_default()
            .entry(value.to_owned())
            .or_default() += count;
    }

    /// The tally of one facet; empty if nothing was counted.
    pub fn tally(&self, facet: Facet) -> Tally {
        self.facets.get(&facet).cloned().unwrap_or_default()
    }
}
