//! What an export, a restore and a reset did.

use recall_engine::{Holdings, RestoreItem, RestoreReport, RestoreSkip, ReviewLog, RowCounts};
use recall_trust::evidence::Doubt;
use recall_trust::insertion::RestoredEvidence;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer of `recall export` with `--output`; without it the export itself is the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExportDocument {
    /// `backup`, `jsonl`, `claude-md` or `agents-md`.
    pub format: String,
    /// The file that was written.
    pub output: String,
    /// How many entries it holds.
    pub entries: u64,
}

/// The answer of `recall restore`. In a dry run it says what would be done.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RestoreDocument {
    /// Whether nothing was written.
    pub dry_run: bool,
    /// Entries that were restored.
    pub restored: u64,
    /// Those of them whose evidence was verified once and cannot be verified now.
    pub unverified: u64,
    /// Entries that were passed over.
    pub skipped: u64,
    /// The entries that were restored; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restored_entries: Vec<RestoreItemDocument>,
    /// The entries that were passed over; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped_entries: Vec<RestoreItemDocument>,
    /// The decisions of the review log.
    pub decisions: RowCountsDocument,
    /// The replaced wordings.
    pub wordings: RowCountsDocument,
}

/// One entry of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RestoreItemDocument {
    /// The entry.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What became of its evidence: `as_it_was`, `shifted` or `unverified`; left out if it was passed
    /// over.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
    /// Why its evidence cannot be verified: `no_transcript`, `not_quoted`, or a revocation reason;
    /// left out otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub doubt: String,
    /// Why it was passed over; left out otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(extend("enum" = RestoreSkip::WORDS))]
    pub reason: String,
}

/// What became of rows that are only counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RowCountsDocument {
    /// They were written.
    pub restored: u64,
    /// They were there already.
    pub present: u64,
    /// They do not fit what is there.
    pub left_out: u64,
}

/// The answer of `recall reset`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResetDocument {
    /// The backup that was written first.
    pub backup: String,
    /// Entries that were forgotten.
    pub entries: u64,
    /// Those of them that a person had vouched for.
    pub reviewed: u64,
    /// Replaced wordings that were forgotten.
    pub wordings: u64,
    /// Decisions of the review log; the backup holds them in any case.
    pub decisions: u64,
    /// Whether the decisions were forgotten too.
    pub review_log_forgotten: bool,
}

impl ResetDocument {
    /// The answer to a reset whose backup is the named file.
    pub fn new(backup: String, holdings: Holdings, log: ReviewLog) -> Self {
        let Holdings {
            entries,
            reviewed,
            wordings,
            decisions,
        } = holdings;
        Self {
            backup,
            entries,
            reviewed,
            wordings,
            decisions,
            review_log_forgotten: log == ReviewLog::Forget,
        }
    }
}

impl From<&RestoreReport> for RestoreDocument {
    fn from(report: &RestoreReport) -> Self {
        let (restored, skipped): (Vec<&RestoreItem>, Vec<&RestoreItem>) =
            report.entries.iter().partition(|item| item.fate.is_ok());
        let unverified =
            |item: &&&RestoreItem| matches!(item.fate, Ok(RestoredEvidence::Unverified(_)));
        Self {
            dry_run: report.dry_run,
            restored: restored.len() as u64,
            unverified: restored.iter().filter(unverified).count() as u64,
            skipped: skipped.len() as u64,
            restored_entries: restored.into_iter().map(Into::into).collect(),
            skipped_entries: skipped.into_iter().map(Into::into).collect(),
            decisions: report.decisions.into(),
            wordings: report.wordings.into(),
        }
    }
}

impl From<&RestoreItem> for RestoreItemDocument {
    fn from(item: &RestoreItem) -> Self {
        let (evidence, doubt, reason) = match item.fate {
            Ok(RestoredEvidence::AsItWas) => ("as_it_was", "", ""),
            Ok(RestoredEvidence::Shifted) => ("shifted", "", ""),
            Ok(RestoredEvidence::Unverified(doubt)) => ("unverified", doubt_word(doubt), ""),
            Err(skip) => ("", "", skip.as_str()),
        };
        Self {
            id: item.id.to_string(),
            title: item.title.clone(),
            evidence: evidence.to_owned(),
            doubt: doubt.to_owned(),
            reason: reason.to_owned(),
        }
    }
}

const fn doubt_word(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::NoTranscript => "no_transcript",
        Doubt::NotThere(reason) => reason.as_str(),
        Doubt::NotQuoted => "not_quoted",
    }
}

impl From<RowCounts> for RowCountsDocument {
    fn from(counts: RowCounts) -> Self {
        let RowCounts {
            restored,
            present,
            left_out,
        } = counts;
        Self {
            restored,
            present,
            left_out,
        }
    }
}

#[cfg(test)]
mod tests {
    use recall_core::{EntryId, RevocationReason};

    use super::*;

    // B-12
    #[test]
    fn each_entry_says_what_became_of_it() {
        let item = |fate| RestoreItem {
            id: EntryId::new("a").unwrap(),
            title: "A title".to_owned(),
            fate,
        };
        let doubt = Doubt::NotThere(RevocationReason::WindowInvalid);
        let report = RestoreReport {
            entries: vec![
                item(Ok(RestoredEvidence::AsItWas)),
                item(Ok(RestoredEvidence::Unverified(doubt))),
                item(Err(RestoreSkip::Conflict)),
            ],
            ..RestoreReport::default()
        };
        assert_eq!(
            serde_json::to_string(&RestoreDocument::from(&report)).unwrap(),
            concat!(
                r#"{"dry_run":false,"restored":2,"unverified":1,"skipped":1,"restored_entries":["#,
                r#"{"id":"a","title":"A title","evidence":"as_it_was"},"#,
                r#"{"id":"a","title":"A title","evidence":"unverified","doubt":"window_invalid"}],"#,
                r#""skipped_entries":[{"id":"a","title":"A title","reason":"conflict"}],"#,
                r#""decisions":{"restored":0,"present":0,"left_out":0},"#,
                r#""wordings":{"restored":0,"present":0,"left_out":0}}"#
            )
        );
        let skips = [
            RestoreSkip::Duplicate,
            RestoreSkip::Conflict,
            RestoreSkip::SourceRemoved,
            RestoreSkip::Secret,
        ];
        assert_eq!(skips.map(RestoreSkip::as_str), RestoreSkip::WORDS);
    }
}
