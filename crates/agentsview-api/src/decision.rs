//! What people decided about entries.

use recall_core::{EntryType, ReviewAction, ReviewState, Status};
use recall_engine::Reviewed;
use recall_trust::evidence::speakers;
use recall_trust::review::{Decision, Standing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{EntryDocument, text_of};

/// A row of the review log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionDocument {
    /// Its number; it rises with time.
    pub number: i64,
    /// The entry; it may be gone.
    pub entry_id: String,
    /// What was done.
    #[schemars(extend("enum" = ReviewAction::WORDS))]
    pub action: String,
    /// Who decided.
    pub reviewer: String,
    /// When.
    #[schemars(extend("format" = "date-time"))]
    pub decided_at: String,
    /// The reviewer's words; left out if there were none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// How the entry stood before; left out if there was no entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<StandingDocument>,
    /// How the entry stood afterwards; left out if there was no entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<StandingDocument>,
    /// The replacement that was tied to the entry or cut from it; left out if there was none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub other_entry_id: String,
    /// The decision that this one took back; left out if it took none back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<i64>,
    /// The decision that took this one back; left out while it holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone_by: Option<i64>,
}

/// What a decision may make of an entry besides its wording.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandingDocument {
    /// Whether it is in force.
    #[schemars(extend("enum" = Status::WORDS))]
    pub status: String,
    /// Who vouches for it.
    #[schemars(extend("enum" = ReviewState::WORDS))]
    pub review_state: String,
    /// Whether it holds outside its own session.
    pub transferable: bool,
    /// What kind of conclusion it is.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = EntryType::WORDS))]
    pub entry_type: String,
    /// The kind that it claims to be; left out if there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(extend("enum" = EntryType::WORDS))]
    pub claimed_type: String,
}

/// The answer of every command that writes a decision down.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewedDocument {
    /// The decision.
    pub decision: DecisionDocument,
    /// The decision that was taken back; left out if it was another kind of decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undone: Option<DecisionDocument>,
    /// The entry as it is now; left out if the archive has none of that id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryDocument>,
    /// That the entry rests on nobody's word; left out if somebody said it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub caution: String,
}

impl From<&Decision> for DecisionDocument {
    fn from(decision: &Decision) -> Self {
        let (before, after) = decision.standing.unzip();
        Self {
            number: decision.number,
            entry_id: decision.entry_id.to_string(),
            action: decision.action.to_string(),
            reviewer: decision.reviewer.clone(),
            decided_at: decision.at.to_string(),
            note: decision.note.clone(),
            before: before.map(Into::into),
            after: after.map(Into::into),
            other_entry_id: text_of(decision.other.as_ref()),
            undoes: decision.undoes,
            undone_by: decision.undone_by,
        }
    }
}

impl From<Standing> for StandingDocument {
    fn from(standing: Standing) -> Self {
        Self {
            status: standing.status.to_string(),
            review_state: standing.review_state.to_string(),
            transferable: standing.transferable,
            entry_type: standing.entry_type.to_string(),
            claimed_type: text_of(standing.claimed_type.as_ref()),
        }
    }
}

impl From<&Reviewed> for ReviewedDocument {
    fn from(reviewed: &Reviewed) -> Self {
        let caution = reviewed.entry.as_ref().and_then(speakers::warning);
        Self {
            decision: DecisionDocument::from(&reviewed.decision),
            undone: reviewed.undone.as_ref().map(Into::into),
            entry: reviewed.entry.as_ref().map(Into::into),
            caution: caution.unwrap_or_default().to_owned(),
        }
    }
}
