//! What a packed context holds.

use std::collections::{BTreeMap, BTreeSet};

use recall_core::ContextMeta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a packed context holds and what it had to leave out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ContextMetaDocument {
    /// How many entries were packed.
    pub entry_count: u64,
    /// Whether anything was cut or left out.
    pub truncated: bool,
    /// The packed entries, in the order of the text.
    pub included_ids: Vec<String>,
    /// The type of each packed entry.
    pub included_types_by_id: BTreeMap<String, String>,
    /// Why each packed entry ranked.
    pub included_match_reasons_by_id: BTreeMap<String, Vec<String>>,
    /// The sessions of the packed entries, first seen first.
    pub source_session_ids: Vec<String>,
    /// The episodes of the packed entries, first seen first.
    pub source_episode_ids: Vec<String>,
    /// The runs of the packed entries, first seen first.
    pub source_run_ids: Vec<String>,
    /// How many results there were when something was left out; 0 otherwise.
    pub truncated_from: u64,
    /// How many results were left out.
    pub omitted_count: u64,
    /// Whether a packed entry reads like instructions.
    pub prompt_injection_context: bool,
    /// The packed entries that do; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompt_injection_context_ids: Vec<String>,
    /// Every reason found, each once; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompt_injection_context_reasons: Vec<String>,
    /// The reasons of each such entry; left out if there are none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub prompt_injection_context_reasons_by_id: BTreeMap<String, Vec<String>>,
}

impl From<&ContextMeta> for ContextMetaDocument {
    fn from(meta: &ContextMeta) -> Self {
        let reasons: BTreeSet<&str> = meta.flagged.values().flatten().copied().collect();
        Self {
            entry_count: meta.included_ids.len() as u64,
            truncated: meta.truncated,
            included_ids: texts(&meta.included_ids),
            included_types_by_id: meta
                .included_types
                .iter()
                .map(|(id, entry_type)| (id.to_string(), entry_type.to_string()))
                .collect(),
            included_match_reasons_by_id: meta
                .included_reasons
                .iter()
                .map(|(id, reasons)| (id.to_string(), texts(reasons)))
                .collect(),
            source_session_ids: texts(&meta.source_session_ids),
            source_episode_ids: texts(&meta.source_episode_ids),
            source_run_ids: texts(&meta.source_run_ids),
            truncated_from: meta.truncated_from as u64,
            omitted_count: meta.omitted_count as u64,
            prompt_injection_context: !meta.flagged.is_empty(),
            prompt_injection_context_ids: meta
                .included_ids
                .iter()
                .filter(|id| meta.flagged.contains_key(id))
                .map(ToString::to_string)
                .collect(),
            prompt_injection_context_reasons: reasons.into_iter().map(str::to_owned).collect(),
            prompt_injection_context_reasons_by_id: meta
                .flagged
                .iter()
                .map(|(id, reasons)| (id.to_string(), texts(reasons)))
                .collect(),
        }
    }
}

fn texts<T: ToString>(values: &[T]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}
