//! Counts of entries by their properties.

use std::collections::BTreeMap;

use recall_core::{Facet, Summary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many entries share each value of one property; an empty value counts as `(none)`.
pub type TallyDocument = BTreeMap<String, u64>;

/// Counts over the entries of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SummaryDocument {
    /// How many entries were counted.
    pub count: u64,
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
    /// By working directory.
    pub by_cwd: TallyDocument,
    /// By git branch.
    pub by_git_branch: TallyDocument,
    /// By reason of the match; an entry counts once for each of its reasons.
    pub by_match_reason: TallyDocument,
    /// By extractor method.
    pub by_extractor: TallyDocument,
    /// By model.
    pub by_model: TallyDocument,
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

impl From<&Summary> for SummaryDocument {
    fn from(summary: &Summary) -> Self {
        Self {
            count: summary.count,
            by_type: summary.tally(Facet::Type),
            by_scope: summary.tally(Facet::Scope),
            by_status: summary.tally(Facet::Status),
            by_project: summary.tally(Facet::Project),
            by_agent: summary.tally(Facet::Agent),
            by_cwd: summary.tally(Facet::Cwd),
            by_git_branch: summary.tally(Facet::GitBranch),
            by_match_reason: summary.tally(Facet::MatchReason),
            by_extractor: summary.tally(Facet::Extractor),
            by_model: summary.tally(Facet::Model),
            by_source_run: summary.tally(Facet::SourceRun),
            by_source_session: summary.tally(Facet::SourceSession),
            by_source_episode: summary.tally(Facet::SourceEpisode),
            by_transferability: summary.tally(Facet::Transferability),
            by_provenance_audit: summary.tally(Facet::ProvenanceAudit),
            by_evidence: summary.tally(Facet::Evidence),
            by_lifecycle: summary.tally(Facet::Lifecycle),
        }
    }
}

impl SummaryDocument {
    /// The tallies with their names, in the order of the JSON.
    pub fn tallies(&self) -> [(&'static str, &TallyDocument); 17] {
        [
            ("type", &self.by_type),
            ("scope", &self.by_scope),
            ("status", &self.by_status),
            ("project", &self.by_project),
            ("agent", &self.by_agent),
            ("cwd", &self.by_cwd),
            ("git branch", &self.by_git_branch),
            ("match reason", &self.by_match_reason),
            ("extractor", &self.by_extractor),
            ("model", &self.by_model),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_facet_has_its_member() {
        let mut summary = Summary::default();
        for facet in Facet::ALL {
            summary.add_count(*facet, facet.name(), 3);
        }
        let json = serde_json::to_value(SummaryDocument::from(&summary)).unwrap();
        for facet in Facet::ALL {
            assert_eq!(json[facet.name()][facet.name()], 3, "{}", facet.name());
        }
        assert_eq!(json.as_object().unwrap().len(), 1 + Facet::ALL.len());
    }
}
