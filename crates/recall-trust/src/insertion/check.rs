//! What holds for every entry, whoever made it.

use std::collections::BTreeSet;

use recall_core::{Entry, EntryId, Evidence, SessionId, Speaker, Status};

use crate::evidence::EvidenceError;
use crate::limits::SizeError;

/// Why an entry may not be stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InsertError {
    /// It says nothing.
    #[error("entry {id} has no {field}")]
    Blank {
        /// The entry.
        id: EntryId,
        /// `title` or `body`.
        field: &'static str,
    },
    /// A field is too large.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Its evidence cites another session (S-E05).
    #[error(
        "entry {id} belongs to session {owner}, but its evidence cites session {cited}; an entry \
         cites only its own session"
    )]
    OtherSession {
        /// The entry.
        id: EntryId,
        /// The entry's session.
        owner: SessionId,
        /// The session of its evidence.
        cited: SessionId,
    },
    /// Its evidence was bound for another selection than the one it names.
    #[error("the evidence bound for entry {0} is not what the entry cites; bind its own selection")]
    OtherSelection(EntryId),
    /// The evidence itself was refused.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    /// Somebody else speaks in its evidence than it says.
    #[error(
        "evidence.speakers says {}, but what is quoted was said by {}; look again who speaks",
        words(claimed),
        words(found)
    )]
    OtherSpeakers {
        /// Who the line says speaks.
        claimed: BTreeSet<Speaker>,
        /// Who speaks.
        found: BTreeSet<Speaker>,
    },
    /// Snippets quote nothing.
    #[error("snippets need a cited range to be quoted from")]
    SnippetsWithoutCitation,
    /// It claims verified provenance that no evidence carries.
    #[error("entry {0} claims verified provenance, but not all of its evidence was bound")]
    UnboundProvenance(EntryId),
    /// It claims provenance that was revoked.
    #[error("entry {0} claims verified provenance and a revocation of it")]
    RevokedProvenance(EntryId),
    /// It was replaced and is still in force.
    #[error("entry {id} was replaced by {successor} and is still in force")]
    ReplacedInForce {
        /// The entry.
        id: EntryId,
        /// What replaced it.
        successor: EntryId,
    },
    /// It replaces itself.
    #[error("entry {0} cannot supersede itself")]
    SupersedesItself(EntryId),
    /// It is new and already replaced.
    #[error("new entry {id} cannot already be superseded by {successor}")]
    AlreadySuperseded {
        /// The entry.
        id: EntryId,
        /// What it says replaced it.
        successor: EntryId,
    },
    /// It replaces another entry without being in force.
    #[error("entry {id} is archived and cannot supersede {target}")]
    ArchivedReplacement {
        /// The entry.
        id: EntryId,
        /// What it would replace.
        target: EntryId,
    },
}

/// Checks what every entry must meet to be stored. That its session exists, that its id is free and
/// that it may replace what it replaces is for the store to look up in its transaction.
pub fn check_entry(entry: &Entry) -> Result<(), InsertError> {
    check_text(entry)?;
    check_links(entry)?;
    check_evidence(entry)
}

pub(super) fn check_text(entry: &Entry) -> Result<(), InsertError> {
    for (field, text) in [("title", &entry.title), ("body", &entry.body)] {
        if text.trim().is_empty() {
            return Err(InsertError::Blank {
                id: entry.id.clone(),
                field,
            });
        }
    }
    Ok(())
}

fn check_links(entry: &Entry) -> Result<(), InsertError> {
    if let Some(successor) = &entry.superseded_by {
        return Err(InsertError::AlreadySuperseded {
            id: entry.id.clone(),
            successor: successor.clone(),
        });
    }
    let Some(target) = &entry.supersedes else {
        return Ok(());
    };
    if *target == entry.id {
        return Err(InsertError::SupersedesItself(entry.id.clone()));
    }
    if entry.status != Status::Accepted {
        return Err(InsertError::ArchivedReplacement {
            id: entry.id.clone(),
            target: target.clone(),
        });
    }
    Ok(())
}

pub(super) fn check_evidence(entry: &Entry) -> Result<(), InsertError> {
    for row in &entry.evidence {
        if row.session_id != entry.source_session_id {
            return Err(InsertError::OtherSession {
                id: entry.id.clone(),
                owner: entry.source_session_id.clone(),
                cited: row.session_id.clone(),
            });
        }
    }
    let bound = |row: &Evidence| row.content_digest.is_some();
    if entry.provenance_ok && (entry.evidence.is_empty() || !entry.evidence.iter().all(bound)) {
        return Err(InsertError::UnboundProvenance(entry.id.clone()));
    }
    Ok(())
}

fn words(speakers: &BTreeSet<Speaker>) -> String {
    let words: Vec<&str> = speakers.iter().map(|speaker| speaker.as_str()).collect();
    words.join(" and ")
}
