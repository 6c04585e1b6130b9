//! Scanning transcripts for secrets: inline with every sync, and on demand over the archive.

use agentsview_formats::ParsedMessage;
use agentsview_secrets::{Confidence, ScanOutcome, rules_version};
use recall_core::Clock;
use recall_store::{FindingTier, MessageQuery, ScanRecord, SecretFinding, Store, scanned_fields};

use crate::SyncError;

/// What a scan of the archive did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ScanReport {
    /// Sessions that were scanned.
    pub scanned: u64,
    /// Sessions with a definite finding.
    pub with_secrets: u64,
    /// Findings.
    pub total_findings: u64,
    /// Findings of the definite tier.
    pub definite_findings: u64,
    /// Sessions with a text too long to be scanned; they count as unscanned.
    pub unscannable: u64,
    /// Sessions that changed while they were scanned; the next scan takes them.
    pub changed_meanwhile: u64,
}

/// Scans every text of some messages. One that is too long leaves the whole without a stamp, so
/// that nobody takes it for clean.
pub(crate) fn scan_messages(messages: &[ParsedMessage]) -> ScanRecord {
    let mut record = ScanRecord {
        rules_version: rules_version().to_owned(),
        findings: Vec::new(),
    };
    for field in scanned_fields(messages) {
        match agentsview_secrets::scan(field.text) {
            ScanOutcome::Scanned(findings) => {
                record
                    .findings
                    .extend(findings.into_iter().map(|finding| SecretFinding {
                        ordinal: field.ordinal,
                        kind: field.kind,
                        call_index: field.call_index,
                        event_index: field.event_index,
                        start: finding.range.start,
                        end: finding.range.end,
                        rule: finding.rule.to_owned(),
                        confidence: tier(finding.confidence),
                        redacted: finding.masked,
                    }));
            }
            ScanOutcome::TooLong { .. } => record.rules_version.clear(),
        }
    }
    record
}

fn tier(confidence: Confidence) -> FindingTier {
    match confidence {
        Confidence::Definite => FindingTier::Definite,
    }
}

/// Scans the sessions of the archive: all of them, or with `backfill` only those that the present
/// rules have not seen as they are now.
///
/// # Errors
/// Only the archive can fail.
pub async fn scan_archive(
    store: &Store,
    backfill: bool,
    clock: &dyn Clock,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<ScanReport, SyncError> {
    let sessions = store.sessions_to_scan(backfill.then(rules_version)).await?;
    let mut report = ScanReport::default();
    for (done, (session, revision)) in sessions.iter().enumerate() {
        progress(done as u64, sessions.len() as u64);
        let messages = store.messages(session, &MessageQuery::default()).await?;
        let record = scan_messages(&messages);
        if !store
            .store_scan(session, *revision, &record, clock.now())
            .await?
        {
            report.changed_meanwhile += 1;
            continue;
        }
        let definite = record.definite();
        report.scanned += 1;
        report.unscannable += u64::from(record.rules_version.is_empty());
        report.with_secrets += u64::from(definite > 0);
        report.total_findings += record.findings.len() as u64;
        report.definite_findings += definite as u64;
    }
    Ok(report)
}
