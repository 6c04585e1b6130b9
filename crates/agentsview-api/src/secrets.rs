//! Secret scans and their findings. No document ever holds a whole secret.

use agentsview_sync::ScanReport;
use recall_store::{FieldKind, FindingRecord};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::is_zero;

/// The answer of `secrets scan`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct SecretScanDocument {
    /// Sessions that were scanned.
    pub scanned: u64,
    /// Sessions with at least one definite finding.
    pub with_secrets: u64,
    /// Findings of either confidence.
    pub total_findings: u64,
    /// Findings that are secrets by their very form.
    pub definite_findings: u64,
    /// Findings that only look like secrets.
    pub candidate_findings: u64,
    /// Sessions with a text too long to be scanned, which count as never scanned; left out if
    /// there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unscannable: u64,
    /// Sessions that changed while they were scanned, which the next scan takes; left out if there
    /// are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub changed_meanwhile: u64,
}

impl From<&ScanReport> for SecretScanDocument {
    fn from(report: &ScanReport) -> Self {
        Self {
            scanned: report.scanned,
            with_secrets: report.with_secrets,
            total_findings: report.total_findings,
            definite_findings: report.definite_findings,
            candidate_findings: report
                .total_findings
                .saturating_sub(report.definite_findings),
            unscannable: report.unscannable,
            changed_meanwhile: report.changed_meanwhile,
        }
    }
}

/// The answer of `secrets list`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct FindingsDocument {
    /// The findings, by session and place.
    pub findings: Vec<FindingDocument>,
}

impl From<&[FindingRecord]> for FindingsDocument {
    fn from(findings: &[FindingRecord]) -> Self {
        Self {
            findings: findings.iter().map(Into::into).collect(),
        }
    }
}

/// One finding: where it is, and so much of it that a person knows which one it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FindingDocument {
    /// The session.
    pub session_id: String,
    /// The rule that found it.
    pub rule_name: String,
    /// `definite` or `candidate`.
    #[schemars(extend("enum" = ["definite", "candidate"]))]
    pub confidence: String,
    /// The kind of text it is in, for example `message` or `tool_input`.
    pub location_kind: String,
    /// The message it is in.
    pub message_ordinal: u32,
    /// The tool call it is in, counted from 0 in its message; left out if in none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_index: Option<u64>,
    /// The result it is in, counted from 0 in its tool call; left out if in none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_index: Option<u64>,
    /// Where it starts in that text, in bytes.
    pub match_start: u64,
    /// Where it ends in that text, in bytes.
    pub match_end: u64,
    /// The finding, masked.
    pub redacted_match: String,
    /// The rules that found it.
    pub rules_version: String,
    /// The session's project; empty if unknown.
    pub project: String,
    /// The session's agent.
    pub agent: String,
}

impl From<&FindingRecord> for FindingDocument {
    fn from(record: &FindingRecord) -> Self {
        let finding = &record.finding;
        let in_call = finding.kind != FieldKind::Message;
        let in_result = finding.kind == FieldKind::ToolResult;
        Self {
            session_id: record.session_id.to_string(),
            rule_name: finding.rule.clone(),
            confidence: finding.confidence.as_str().to_owned(),
            location_kind: finding.kind.as_str().to_owned(),
            message_ordinal: finding.ordinal.get(),
            call_index: in_call.then_some(finding.call_index as u64),
            event_index: in_result.then_some(finding.event_index as u64),
            match_start: finding.start as u64,
            match_end: finding.end as u64,
            redacted_match: finding.redacted.clone(),
            rules_version: record.rules_version.clone(),
            project: record.project.clone(),
            agent: record.agent.clone(),
        }
    }
}
