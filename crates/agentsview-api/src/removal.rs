//! What became of sessions that the user does not want.

use recall_core::{EntryId, SessionId};
use recall_store::Removal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer of `session trash` and `session restore`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrashDocument {
    /// The session.
    pub session_id: String,
    /// Whether it is in the trash now.
    pub trashed: bool,
    /// Whether that is news; `false` if it was so already.
    pub changed: bool,
    /// How many entries of any status rest on it.
    pub entries: u64,
    /// How many of them lost their trust to the trash, or have it back.
    pub entries_affected: u64,
}

/// The answer of `session delete`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeletionDocument {
    /// The session; its id is kept out of every later sync and import.
    pub session_id: String,
    /// Whether the archive held it; if not, it was forgotten before.
    pub was_stored: bool,
    /// How many messages were forgotten.
    pub messages: u64,
    /// The entries that were forgotten with it; left out if there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<String>,
    /// Entries that are in force again, since what had replaced them is gone; left out if there are
    /// none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub restored_entries: Vec<String>,
}

impl DeletionDocument {
    /// What removing a session for good took along.
    pub fn new(session: &SessionId, removal: &Removal) -> Self {
        let ids = |ids: &[EntryId]| ids.iter().map(ToString::to_string).collect();
        Self {
            session_id: session.to_string(),
            was_stored: removal.was_stored,
            messages: removal.messages,
            entries: ids(&removal.entries),
            restored_entries: ids(&removal.restored),
        }
    }
}
