//! What waits for a person, and what a person needs to see to judge it.

use agentsview_formats::ParsedMessage;
use recall_core::{Entry, SessionId, Speaker};
use recall_engine::{Passage, ReviewItem, ReviewQueue};
use recall_lexical::similar::{Contradiction, Difference, Duplicate};
use recall_trust::evidence::speakers;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DecisionDocument, EntryDocument, MessageDocument};

/// The answer of `recall review list`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ReviewListDocument {
    /// Entries that wait for a person, in the order asked for.
    pub entries: Vec<EntryDocument>,
    /// How many wait, whatever the limit.
    pub total: u64,
}

/// The answer of `recall review show`: an entry beside its evidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewItemDocument {
    /// The entry.
    pub entry: EntryDocument,
    /// That it rests on nobody's word; left out if somebody said it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub caution: String,
    /// What its evidence cites, citation by citation. Of a revoked entry this is what stands at
    /// that place now.
    pub passages: Vec<PassageDocument>,
    /// Entries in force that say nearly the same, most similar first; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near_duplicates: Vec<NearDuplicateDocument>,
    /// Entries in force that say the opposite; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<ContradictionDocument>,
    /// What was decided before, first one first; left out if nothing was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<DecisionDocument>,
}

/// The messages of one citation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PassageDocument {
    /// The first cited message.
    pub message_start_ordinal: u32,
    /// The last cited message.
    pub message_end_ordinal: u32,
    /// The cited tool uses; left out if none was chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_use_ids: Vec<String>,
    /// Whose words the cited tool uses that still stand there brought back, in their order; left out
    /// if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cited_results: Vec<CitedResultDocument>,
    /// The messages that stand there, with all of their tool calls.
    pub messages: Vec<PassageMessageDocument>,
}

/// A cited tool use of a passage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CitedResultDocument {
    /// The tool use.
    pub tool_use_id: String,
    /// Whose words it brought back: a tool's, or a page's that it fetched.
    #[schemars(extend("enum" = Speaker::WORDS))]
    pub speaker: String,
}

/// A message of a citation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PassageMessageDocument {
    /// Whose words its own text is; those of cited tool uses are in `cited_results`.
    #[schemars(extend("enum" = Speaker::WORDS))]
    pub speaker: String,
    /// The message.
    #[serde(flatten)]
    pub message: MessageDocument,
}

/// An entry that says nearly the same as another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NearDuplicateDocument {
    /// How much of their wording both share, from 0.5 to 1.
    pub similarity: f64,
    /// The other entry.
    pub entry: EntryDocument,
}

/// An entry that says the opposite of another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContradictionDocument {
    /// What both are about.
    pub subject: String,
    /// `negation` if one affirms what the other denies, `values` if they give the subject two.
    #[schemars(extend("enum" = ["negation", "values"]))]
    pub difference: String,
    /// What the entry under review says.
    pub ours: String,
    /// What the other entry says.
    pub theirs: String,
    /// The other entry.
    pub entry: EntryDocument,
}

impl From<&ReviewQueue> for ReviewListDocument {
    fn from(queue: &ReviewQueue) -> Self {
        Self {
            entries: queue.entries.iter().map(Into::into).collect(),
            total: queue.total,
        }
    }
}

impl From<&ReviewItem> for ReviewItemDocument {
    fn from(item: &ReviewItem) -> Self {
        let session = &item.entry.source_session_id;
        Self {
            entry: EntryDocument::from(&item.entry),
            caution: speakers::warning(&item.entry)
                .unwrap_or_default()
                .to_owned(),
            passages: item
                .passages
                .iter()
                .map(|passage| PassageDocument::of(session, passage))
                .collect(),
            near_duplicates: item.duplicates.iter().map(Into::into).collect(),
            contradictions: item.contradictions.iter().map(Into::into).collect(),
            decisions: item.decisions.iter().map(Into::into).collect(),
        }
    }
}

impl PassageDocument {
    fn of(session: &SessionId, passage: &Passage) -> Self {
        Self {
            message_start_ordinal: passage.range.start().get(),
            message_end_ordinal: passage.range.end().get(),
            tool_use_ids: passage
                .tool_use_ids
                .iter()
                .map(ToString::to_string)
                .collect(),
            cited_results: passage
                .messages
                .iter()
                .flat_map(|message| &message.tool_calls)
                .filter_map(|call| {
                    let id = call.tool_use_id.as_ref()?;
                    passage
                        .tool_use_ids
                        .contains(id)
                        .then(|| CitedResultDocument {
                            tool_use_id: id.to_string(),
                            speaker: speakers::of_tool(&call.tool_name).to_string(),
                        })
                })
                .collect(),
            messages: passage
                .messages
                .iter()
                .map(|message| PassageMessageDocument::of(session, message))
                .collect(),
        }
    }
}

impl PassageMessageDocument {
    fn of(session: &SessionId, message: &ParsedMessage) -> Self {
        Self {
            speaker: speakers::of_text(message.role, message.is_system).to_string(),
            message: MessageDocument::of(session, message),
        }
    }
}

impl From<&(Duplicate, Entry)> for NearDuplicateDocument {
    fn from((duplicate, entry): &(Duplicate, Entry)) -> Self {
        Self {
            similarity: duplicate.similarity,
            entry: EntryDocument::from(entry),
        }
    }
}

impl From<&(Contradiction, Entry)> for ContradictionDocument {
    fn from((contradiction, entry): &(Contradiction, Entry)) -> Self {
        let (difference, ours, theirs) = match &contradiction.difference {
            Difference::Negation { ours, theirs } => ("negation", ours, theirs),
            Difference::Values { ours, theirs } => ("values", ours, theirs),
        };
        Self {
            subject: contradiction.subject.clone(),
            difference: difference.to_owned(),
            ours: ours.clone(),
            theirs: theirs.clone(),
            entry: EntryDocument::from(entry),
        }
    }
}
