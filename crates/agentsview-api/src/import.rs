//! What an import did.

use recall_core::{ImportItem, ImportReport};
use recall_trust::evidence::speakers;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text_of;

/// The answer of `recall import`. The three counts are always there; lists are left out while they
/// are empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ImportDocument {
    /// How many entries were written.
    pub imported: u64,
    /// How many lines were passed over.
    pub skipped: u64,
    /// How many entries would have been written: in a dry run, or but for a line in `failed`.
    pub would_import: u64,
    /// The entries that were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imported_entries: Vec<ImportItemDocument>,
    /// The entries that would have been written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub would_import_entries: Vec<ImportItemDocument>,
    /// The lines that were passed over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped_entries: Vec<ImportItemDocument>,
    /// The lines that cannot be imported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<ImportFailureDocument>,
}

/// One line of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportItemDocument {
    /// The line's number, from 1, blank lines counted.
    pub line: u64,
    /// The candidate id as given; empty if a passed-over line has none.
    pub candidate_id: String,
    /// The title as given; left out if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The source session as given; left out if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source_session_id: String,
    /// The entry it replaces; left out if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub supersedes_entry_id: String,
    /// The reviewer's label as given; left out if empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// Who said what the entry rests on, sorted; left out if nobody verified it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub speakers: Vec<String>,
    /// The kind that it claims; it is stored as a fact until a person accepts it as that. Left out
    /// if it is what it claims.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub claimed_type: String,
    /// Why it is not what it claims: on whose words it rests. Left out if it is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub caution: String,
    /// Why it was passed over; left out otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// A line that cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ImportFailureDocument {
    /// The line's number, from 1, blank lines counted.
    pub line: u64,
    /// What is wrong with it.
    pub message: String,
}

impl From<&ImportItem> for ImportItemDocument {
    fn from(item: &ImportItem) -> Self {
        Self {
            line: item.line,
            candidate_id: item.candidate_id.clone(),
            title: item.title.clone(),
            source_session_id: item.source_session_id.clone(),
            supersedes_entry_id: item.supersedes_entry_id.clone(),
            label: item.label.clone(),
            speakers: item.speakers.iter().map(ToString::to_string).collect(),
            claimed_type: text_of(item.claimed_type.as_ref()),
            caution: caution(item).unwrap_or_default().to_owned(),
            reason: text_of(item.skipped.as_ref()),
        }
    }
}

/// The label that a reviewed import shows to the person who answers for it.
fn caution(item: &ImportItem) -> Option<&'static str> {
    item.claimed_type?;
    speakers::warning_about(&item.speakers.iter().copied().collect())
}

impl From<&ImportReport> for ImportDocument {
    fn from(report: &ImportReport) -> Self {
        let (skipped, accepted): (Vec<_>, Vec<_>) =
            report.items.iter().partition(|item| item.skipped.is_some());
        let accepted: Vec<_> = accepted.into_iter().map(Into::into).collect();
        let (imported_entries, would_import_entries) = if report.committed {
            (accepted, Vec::new())
        } else {
            (Vec::new(), accepted)
        };
        Self {
            imported: imported_entries.len() as u64,
            skipped: skipped.len() as u64,
            would_import: would_import_entries.len() as u64,
            imported_entries,
            would_import_entries,
            skipped_entries: skipped.into_iter().map(Into::into).collect(),
            failed: report
                .problems
                .iter()
                .map(|problem| ImportFailureDocument {
                    line: problem.line,
                    message: problem.message.clone(),
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recall_core::{EntryType, ImportProblem, SkipReason, Speaker};

    fn report(dry_run: bool, committed: bool) -> ImportReport {
        let item = |id: &str, skipped| ImportItem {
            line: 1,
            candidate_id: id.to_owned(),
            title: "Pin the toolchain".to_owned(),
            source_session_id: "s-1".to_owned(),
            supersedes_entry_id: String::new(),
            label: "correct".to_owned(),
            claimed_type: None,
            speakers: Vec::new(),
            skipped,
        };
        ImportReport {
            dry_run,
            committed,
            items: vec![item("a", None), item("b", Some(SkipReason::Duplicate))],
            problems: Vec::new(),
        }
    }

    // S-R01
    #[test]
    fn a_written_import_counts_what_it_wrote() {
        let json = serde_json::to_string(&ImportDocument::from(&report(false, true))).unwrap();
        assert_eq!(
            json,
            concat!(
                r#"{"imported":1,"skipped":1,"would_import":0,"imported_entries":[{"#,
                r#""line":1,"candidate_id":"a","title":"Pin the toolchain","source_session_id":"s-1","#,
                r#""label":"correct"}],"skipped_entries":[{"line":1,"candidate_id":"b","#,
                r#""title":"Pin the toolchain","source_session_id":"s-1","label":"correct","#,
                r#""reason":"duplicate"}]}"#
            )
        );
    }

    #[test]
    fn a_dry_run_and_a_stopped_import_wrote_nothing() {
        let dry = ImportDocument::from(&report(true, false));
        assert_eq!((dry.imported, dry.would_import), (0, 1));

        let mut stopped = report(false, false);
        stopped.problems.push(ImportProblem {
            line: 7,
            message: "title is missing".to_owned(),
        });
        let stopped = ImportDocument::from(&stopped);
        assert_eq!((stopped.imported, stopped.would_import), (0, 1));
        assert_eq!(stopped.failed[0].line, 7);
    }

    #[test]
    fn a_rule_that_nobody_said_is_marked_and_a_fact_is_not() {
        let mut item = report(false, true).items[0].clone();
        item.speakers = vec![Speaker::ToolOutput];
        assert_eq!(ImportItemDocument::from(&item).caution, "");
        item.claimed_type = Some(EntryType::Procedure);
        let marked = ImportItemDocument::from(&item);
        assert!(marked.caution.contains("tool output alone"), "{marked:?}");
        assert_eq!(marked.speakers, ["tool_output"]);
        assert_eq!(marked.claimed_type, "procedure");
    }
}
