//! What became of an entry.

use recall_core::Scope;
use recall_engine::History;
use recall_store::ReplacedWording;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DecisionDocument, EntryDocument};

/// The answer of `recall history`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryDocument {
    /// The id that was asked about.
    pub id: String,
    /// The entries of its chain of supersession, oldest first; empty if the archive has none of
    /// that id any more.
    pub chain: Vec<EntryDocument>,
    /// Every decision about an entry of the chain, first one first.
    pub decisions: Vec<DecisionDocument>,
    /// The wordings that it had before, the original first.
    pub wordings: Vec<WordingDocument>,
}

/// A wording that a decision replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WordingDocument {
    /// The number of the decision that replaced it.
    pub replaced_by: i64,
    /// One line.
    pub title: String,
    /// The conclusion itself.
    pub body: String,
    /// When it applied; left out if unsaid.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub trigger: String,
    /// What remained unsure; left out if unsaid.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub uncertainty: String,
    /// How far it reached.
    #[schemars(extend("enum" = Scope::WORDS))]
    pub scope: String,
}

impl From<&ReplacedWording> for WordingDocument {
    fn from(replaced: &ReplacedWording) -> Self {
        let wording = &replaced.wording;
        Self {
            replaced_by: replaced.replaced_by,
            title: wording.title.clone(),
            body: wording.body.clone(),
            trigger: wording.trigger.clone(),
            uncertainty: wording.uncertainty.clone(),
            scope: wording.scope.to_string(),
        }
    }
}

impl From<&History> for HistoryDocument {
    fn from(history: &History) -> Self {
        Self {
            id: history.id.to_string(),
            chain: history.chain.iter().map(Into::into).collect(),
            decisions: history.decisions.iter().map(Into::into).collect(),
            wordings: history.wordings.iter().map(Into::into).collect(),
        }
    }
}
