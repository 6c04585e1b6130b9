//! Answers that hold entries: listing, query and brief.

use recall_core::{ContextBlock, EntryId, ListAnswer, MissReason, QueryAnswer, QueryMode, Summary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ContextMetaDocument, RankedEntryDocument, SummaryDocument, text_of};

/// The answer of `recall list`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ListDocument {
    /// The entries, latest first, or ranked if a text was given.
    pub entries: Vec<RankedEntryDocument>,
    /// Whether only trusted entries could come back.
    pub trusted_only: bool,
    /// Whether entries that read like instructions were left out.
    pub exclude_flagged: bool,
    /// How many entries a ranked list can reach at most; left out of a plain listing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_cap: Option<u64>,
}

impl From<&ListAnswer> for ListDocument {
    fn from(answer: &ListAnswer) -> Self {
        Self {
            entries: answer.entries.iter().map(Into::into).collect(),
            trusted_only: answer.trusted_only,
            exclude_flagged: answer.exclude_flagged,
            result_cap: answer.result_cap.map(|cap| cap as u64),
        }
    }
}

/// The answer of `recall query`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueryDocument {
    /// How it was ranked.
    #[schemars(extend("enum" = QueryMode::WORDS))]
    pub mode: String,
    /// The id of the recorded measurement; empty if nothing was recorded.
    pub query_id: String,
    /// Why nothing came back: `no_results` or `context_empty`; empty otherwise.
    #[schemars(extend("enum" = miss_words()))]
    pub miss_reason: String,
    /// The entries, best first.
    pub entries: Vec<RankedEntryDocument>,
    /// Whether only trusted entries could come back.
    pub trusted_only: bool,
    /// Whether entries that read like instructions were left out.
    pub exclude_flagged: bool,
    /// Counts over `entries`.
    pub summary: SummaryDocument,
    /// The packed text, empty if nothing fitted; left out if no context was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// What the packed text holds; left out if no context was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_meta: Option<ContextMetaDocument>,
    /// The packed entries in full; left out if no context was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_entries: Option<Vec<RankedEntryDocument>>,
    /// Counts over `context_entries`; left out if no context was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_summary: Option<SummaryDocument>,
}

impl From<&QueryAnswer> for QueryDocument {
    fn from(answer: &QueryAnswer) -> Self {
        let packed = answer
            .context
            .as_ref()
            .map(|block| Packed::of(answer, block));
        let (context, context_meta, context_entries, context_summary) = match packed {
            None => (None, None, None, None),
            Some(packed) => (
                Some(packed.text),
                Some(packed.meta),
                Some(packed.entries),
                Some(packed.summary),
            ),
        };
        Self {
            mode: answer.mode.to_string(),
            query_id: text_of(answer.query_id.as_ref()),
            miss_reason: text_of(answer.miss_reason.as_ref()),
            entries: answer.entries.iter().map(Into::into).collect(),
            trusted_only: answer.trusted_only,
            exclude_flagged: answer.exclude_flagged,
            summary: SummaryDocument::from(&answer.summary),
            context,
            context_meta,
            context_entries,
            context_summary,
        }
    }
}

/// The answer of `recall brief`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BriefDocument {
    /// The id of the recorded measurement; empty if nothing was recorded.
    pub query_id: String,
    /// Why nothing came back: `no_results` or `context_empty`; empty otherwise.
    #[schemars(extend("enum" = miss_words()))]
    pub miss_reason: String,
    /// The task as given.
    pub task: String,
    /// Whether only trusted entries could come back.
    pub trusted_only: bool,
    /// Whether entries that read like instructions were left out.
    pub exclude_flagged: bool,
    /// The packed text; empty if nothing fitted.
    pub context: String,
    /// What the packed text holds.
    pub context_meta: ContextMetaDocument,
    /// Counts over `entries`.
    pub summary: SummaryDocument,
    /// Counts over `context_entries`.
    pub context_summary: SummaryDocument,
    /// The ids of `entries`, best first.
    pub entry_ids: Vec<String>,
    /// The packed entries in full.
    pub context_entries: Vec<RankedEntryDocument>,
    /// The entries, best first.
    pub entries: Vec<RankedEntryDocument>,
}

impl From<&QueryAnswer> for BriefDocument {
    /// An answer without a context becomes a brief in which nothing is packed.
    fn from(answer: &QueryAnswer) -> Self {
        let packed = match &answer.context {
            Some(block) => Packed::of(answer, block),
            None => Packed::of(answer, &ContextBlock::default()),
        };
        Self {
            query_id: text_of(answer.query_id.as_ref()),
            miss_reason: text_of(answer.miss_reason.as_ref()),
            task: answer.query.clone(),
            trusted_only: answer.trusted_only,
            exclude_flagged: answer.exclude_flagged,
            context: packed.text,
            context_meta: packed.meta,
            summary: SummaryDocument::from(&answer.summary),
            context_summary: packed.summary,
            entry_ids: answer
                .entries
                .iter()
                .map(|ranked| ranked.entry.id.to_string())
                .collect(),
            context_entries: packed.entries,
            entries: answer.entries.iter().map(Into::into).collect(),
        }
    }
}

/// A packed context with the entries it came from.
struct Packed {
    text: String,
    meta: ContextMetaDocument,
    entries: Vec<RankedEntryDocument>,
    summary: SummaryDocument,
}

impl Packed {
    fn of(answer: &QueryAnswer, block: &ContextBlock) -> Self {
        let included = |id: &EntryId| answer.entries.iter().find(|ranked| ranked.entry.id == *id);
        let mut summary = Summary::default();
        let mut entries = Vec::new();
        for ranked in block.meta.included_ids.iter().filter_map(included) {
            summary.add(&ranked.entry, &ranked.reasons);
            entries.push(RankedEntryDocument::from(ranked));
        }
        Self {
            text: block.text.clone(),
            meta: ContextMetaDocument::from(&block.meta),
            entries,
            summary: SummaryDocument::from(&summary),
        }
    }
}

/// The words of a miss, with the empty one for "no miss".
fn miss_words() -> Vec<&'static str> {
    std::iter::once("")
        .chain(MissReason::WORDS.iter().copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty_answer(context: Option<ContextBlock>) -> QueryAnswer {
        QueryAnswer {
            query: "flaky clock".to_owned(),
            mode: QueryMode::Lexical,
            surface: recall_core::Surface::Query,
            query_id: None,
            miss_reason: Some(MissReason::NoResults),
            trusted_only: true,
            exclude_flagged: true,
            entries: Vec::new(),
            summary: Summary::default(),
            context,
        }
    }

    #[test]
    fn an_unrecorded_query_has_an_empty_id_and_no_context_members() {
        let json = serde_json::to_value(QueryDocument::from(&empty_answer(None))).unwrap();
        assert_eq!(json["query_id"], "");
        assert_eq!(json["miss_reason"], "no_results");
        assert_eq!(json["entries"], serde_json::json!([]));
        assert_eq!(json.get("context"), None);
        assert_eq!(json.get("context_entries"), None);
    }

    #[test]
    fn a_context_that_stayed_empty_is_an_empty_text_and_not_absent() {
        let answer = empty_answer(Some(ContextBlock::default()));
        let json = serde_json::to_value(QueryDocument::from(&answer)).unwrap();
        assert_eq!(json["context"], "");
        assert_eq!(json["context_meta"]["included_ids"], serde_json::json!([]));
        assert_eq!(json["context_summary"]["count"], 0);
    }

    #[test]
    fn a_brief_lists_its_members_in_the_documented_order() {
        let json = serde_json::to_string(&BriefDocument::from(&empty_answer(None))).unwrap();
        let mut rest = json.as_str();
        for member in [
            "query_id",
            "miss_reason",
            "task",
            "trusted_only",
            "exclude_flagged",
            "context",
            "context_meta",
            "summary",
            "context_summary",
            "entry_ids",
            "context_entries",
            "entries",
        ] {
            let quoted = format!("\"{member}\":");
            let at = rest.find(&quoted).unwrap_or_else(|| panic!("{member}"));
            rest = &rest[at + quoted.len()..];
        }
    }
}
