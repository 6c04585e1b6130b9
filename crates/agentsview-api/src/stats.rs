//! Counts over the whole corpus.

use recall_core::{Facet, StatsAnswer};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::TallyDocument;

/// The answer of `recall stats`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatsDocument {
    /// How many entries were counted.
    pub count: u64,
    /// How many entries were allowed to be counted; `null` means all.
    pub limit: Option<u64>,
    /// Whether more entries matched than were counted.
    pub truncated: bool,
    /// Whether only trusted entries were counted.
    pub trusted_only: bool,
    /// Whether entries that read like instructions were left out.
    pub exclude_flagged: bool,
    /// By entry type.
    pub by_type: TallyDocument,
    /// By scope.
    pub by_scope: TallyDocument,
    /// By status.
    pub by_status: TallyDocument,
    /// By project.
    pub by_project: TallyDocument,
    /// By agent.
    pub by_agent: TallyDocument,
    /// By extractor method.
    pub by_extractor: TallyDocument,
    /// By run.
    pub by_source_run: TallyDocument,
    /// By session.
    pub by_source_session: TallyDocument,
    /// By episode.
    pub by_source_episode: TallyDocument,
    /// `transferable` or `not_transferable`.
    pub by_transferability: TallyDocument,
    /// `provenance_ok` or `provenance_unverified`.
    pub by_provenance_audit: TallyDocument,
    /// `with_evidence` or `without_evidence`.
    pub by_evidence: TallyDocument,
    /// By place in the chain of supersession.
    pub by_lifecycle: TallyDocument,
}

impl From<&StatsAnswer> for StatsDocument {
    fn from(answer: &StatsAnswer) -> Self {
        let tally = |facet| answer.summary.tally(facet);
        Self {
            count: answer.summary.count,
            limit: answer.limit.map(|limit| limit as u64),
            truncated: answer.truncated,
            trusted_only: answer.trusted_only,
            exclude_flagged: answer.exclude_flagged,
            by_type: tally(Facet::Type),
            by_scope: tally(Facet::Scope),
            by_status: tally(Facet::Status),
            by_project: tally(Facet::Project),
            by_agent: tally(Facet::Agent),
            by_extractor: tally(Facet::Extractor),
            by_source_run: tally(Facet::SourceRun),
            by_source_session: tally(Facet::SourceSession),
            by_source_episode: tally(Facet::SourceEpisode),
            by_transferability: tally(Facet::Transferability),
            by_provenance_audit: tally(Facet::ProvenanceAudit),
            by_evidence: tally(Facet::Evidence),
            by_lifecycle: tally(Facet::Lifecycle),
        }
    }
}

impl StatsDocument {
    /// The tallies with their names, in the order of the JSON.
    pub fn tallies(&self) -> [(&'static str, &TallyDocument); 13] {
        [
            ("type", &self.by_type),
            ("scope", &self.by_scope),
            ("status", &self.by_status),
            ("project", &self.by_project),
            ("agent", &self.by_agent),
            ("extractor", &self.by_extractor),
            ("source run", &self.by_source_run),
            ("source session", &self.by_source_session),
            ("source episode", &self.by_source_episode),
            ("transferability", &self.by_transferability),
            ("provenance", &self.by_provenance_audit),
            ("evidence", &self.by_evidence),
            ("lifecycle", &self.by_lifecycle),
        ]
    }
}
