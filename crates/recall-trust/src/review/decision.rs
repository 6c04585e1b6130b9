//! A person's decision and what it changes.

use recall_core::{Entry, EntryId, EntryType, ReviewAction, ReviewState, Scope, Status, Timestamp};

use super::{ReviewError, Reviewer};
use crate::evidence::speakers;
use crate::limits::{self, MAX_BODY_BYTES, MAX_NOTE_BYTES, MAX_TITLE_BYTES, SizeError};
use crate::supersession::{self, TargetState};
use crate::trusted::is_trusted;

/// What a decision may make of an entry besides its wording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Whether it is in force.
    pub status: Status,
    /// Who vouches for it.
    pub review_state: ReviewState,
    /// Whether it holds outside its own session.
    pub transferable: bool,
    /// What kind of conclusion it is.
    pub entry_type: EntryType,
    /// The kind it claimed to be and may not be yet.
    pub claimed_type: Option<EntryType>,
}

impl Standing {
    /// The standing of an entry.
    pub fn of(entry: &Entry) -> Self {
        Self {
            status: entry.status,
            review_state: entry.review_state,
            transferable: entry.transferable,
            entry_type: entry.entry_type,
            claimed_type: entry.claimed_type,
        }
    }
}

/// The words of an entry that a person may change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wording {
    /// One line.
    pub title: String,
    /// The conclusion itself.
    pub body: String,
    /// When it applies; empty if unsaid.
    pub trigger: String,
    /// What remains unsure, in words; empty if unsaid.
    pub uncertainty: String,
    /// How far it reaches.
    pub scope: Scope,
}

impl Wording {
    /// The wording of an entry.
    pub fn of(entry: &Entry) -> Self {
        Self {
            title: entry.title.clone(),
            body: entry.body.clone(),
            trigger: entry.trigger.clone(),
            uncertainty: entry.uncertainty.clone(),
            scope: entry.scope,
        }
    }

    /// Every text with its name. Whoever checks texts walks this.
    pub fn texts(&self) -> [(&'static str, &str); 4] {
        [
            ("title", &self.title),
            ("body", &self.body),
            ("trigger", &self.trigger),
            ("uncertainty", &self.uncertainty),
        ]
    }

    /// Refuses a wording that no entry may have.
    pub fn check(&self, id: &EntryId) -> Result<(), ReviewError> {
        let limits = [
            MAX_TITLE_BYTES,
            MAX_BODY_BYTES,
            MAX_NOTE_BYTES,
            MAX_NOTE_BYTES,
        ];
        for ((field, text), limit) in self.texts().into_iter().zip(limits) {
            limits::check_bytes(field, text, limit)?;
        }
        for (field, text) in [("title", &self.title), ("body", &self.body)] {
            if text.trim().is_empty() {
                return Err(ReviewError::Blank {
                    id: id.clone(),
                    field,
                });
            }
        }
        if self.title.contains(['\n', '\r']) {
            return Err(SizeError::TitleNotOneLine.into());
        }
        Ok(())
    }
}

/// What an edit changes; what is `None` stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edit {
    /// One line.
    pub title: Option<String>,
    /// The conclusion itself.
    pub body: Option<String>,
    /// When it applies.
    pub trigger: Option<String>,
    /// What remains unsure, in words.
    pub uncertainty: Option<String>,
    /// How far it reaches.
    pub scope: Option<Scope>,
    /// What kind of conclusion it is.
    pub entry_type: Option<EntryType>,
}

impl Edit {
    fn applied_to(&self, entry: &Entry) -> Wording {
        // Trimmed as by an import, so that an edited entry can be exported and imported unchanged.
        let or = |new: &Option<String>, old: &str| new.as_deref().map_or(old, str::trim).to_owned();
        Wording {
            title: or(&self.title, &entry.title),
            body: or(&self.body, &entry.body),
            trigger: or(&self.trigger, &entry.trigger),
            uncertainty: or(&self.uncertainty, &entry.uncertainty),
            scope: self.scope.unwrap_or(entry.scope),
        }
    }
}

/// A person's word on one entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict<'a> {
    /// It is right.
    Accept {
        /// Whether it holds outside its own session.
        transferable: bool,
        /// The kind it is accepted as; `None` leaves it the kind it is. Whoever names a kind that
        /// its evidence cannot carry has seen who speaks there.
        entry_type: Option<EntryType>,
    },
    /// It is right in other words.
    Edit(Edit),
    /// It is wrong.
    Reject,
    /// Another entry says it better.
    Supersede {
        /// That entry.
        by: &'a Entry,
    },
    /// It is no longer wanted; it stays for history.
    Archive,
    /// It is wanted again.
    Restore {
        /// What replaced it, if anything did.
        successor: Option<&'a Entry>,
    },
}

impl Verdict<'_> {
    /// The word for the log.
    pub fn action(&self) -> ReviewAction {
        match self {
            Self::Accept { .. } => ReviewAction::Accept,
            Self::Edit(_) => ReviewAction::Edit,
            Self::Reject => ReviewAction::Reject,
            Self::Supersede { .. } => ReviewAction::Supersede,
            Self::Archive => ReviewAction::Archive,
            Self::Restore { .. } => ReviewAction::Restore,
        }
    }
}

/// How a decision changes who replaced whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// The other entry replaces this one.
    Tie(EntryId),
    /// The other entry replaces this one no longer.
    Cut(EntryId),
}

impl Link {
    /// The other entry.
    pub fn other(&self) -> &EntryId {
        match self {
            Self::Tie(other) | Self::Cut(other) => other,
        }
    }
}

/// What to write down. Only [`decide`] and [`take_back`](super::take_back) make one, so that no
/// other way leads to `human_reviewed`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// What was done.
    pub action: ReviewAction,
    /// How the entry stood.
    pub before: Standing,
    /// How it stands now.
    pub after: Standing,
    /// Its new wording; `None` if that stays.
    pub wording: Option<Wording>,
    /// Who replaces it now; `None` if that stays.
    pub link: Option<Link>,
}

/// A decision as the log keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Its number in the log; it rises with time.
    pub number: i64,
    /// The entry; it may be gone.
    pub entry_id: EntryId,
    /// What was done.
    pub action: ReviewAction,
    /// Who decided.
    pub reviewer: String,
    /// When.
    pub at: Timestamp,
    /// The reviewer's words; empty if there were none.
    pub note: String,
    /// How the entry stood before and after; `None` if there was no entry.
    pub standing: Option<(Standing, Standing)>,
    /// The replacement that was tied to it or cut from it.
    pub other: Option<EntryId>,
    /// The decision that this one took back.
    pub undoes: Option<i64>,
    /// The decision that took this one back.
    pub undone_by: Option<i64>,
}

/// Applies a person's verdict to an entry that was read in the same transaction.
///
/// The one who signs is a parameter so that no decision is unsigned.
pub fn decide(
    entry: &Entry,
    verdict: &Verdict<'_>,
    note: &str,
    _signed: &Reviewer,
) -> Result<Change, ReviewError> {
    limits::check_bytes("note", note, MAX_NOTE_BYTES)?;
    let before = Standing::of(entry);
    let mut change = Change {
        action: verdict.action(),
        before,
        after: before,
        wording: None,
        link: None,
    };
    let is_archived = entry.status == Status::Archived;
    match verdict {
        Verdict::Reject => {
            if entry.is_rejected {
                return Err(ReviewError::AlreadyRejected(entry.id.clone()));
            }
            if note.trim().is_empty() {
                return Err(ReviewError::NoReason(entry.id.clone()));
            }
            change.after.status = Status::Archived;
            return Ok(change);
        }
        Verdict::Restore { successor } => {
            if !is_archived {
                return Err(ReviewError::NotArchived(entry.id.clone()));
            }
            if let Some(successor) = successor {
                // A replaced successor is archived too, and the end of the chain is in force.
                if successor.status == Status::Accepted || successor.superseded_by.is_some() {
                    return Err(ReviewError::Replaced {
                        id: entry.id.clone(),
                        successor: successor.id.clone(),
                    });
                }
                change.link = Some(Link::Cut(successor.id.clone()));
            }
            change.after.status = Status::Accepted;
            return Ok(change);
        }
        Verdict::Supersede { by } => {
            may_replace(by, entry)?;
            change.after.status = Status::Archived;
            change.link = Some(Link::Tie(by.id.clone()));
        }
        Verdict::Archive if is_archived => {
            return Err(ReviewError::AlreadyArchived(entry.id.clone()));
        }
        _ if is_archived => return Err(ReviewError::Archived(entry.id.clone())),
        Verdict::Accept {
            transferable,
            entry_type,
        } => {
            if entry.review_state == ReviewState::EvalRaw {
                return Err(ReviewError::EvaluationMaterial(entry.id.clone()));
            }
            change.after.review_state = ReviewState::HumanReviewed;
            change.after.transferable = *transferable;
            change.after.entry_type = entry_type.unwrap_or(entry.entry_type);
            change.after.claimed_type = None;
        }
        Verdict::Edit(edit) => {
            let wording = edit.applied_to(entry);
            wording.check(&entry.id)?;
            if let Some(entry_type) = edit.entry_type {
                check_kind(entry, entry_type)?;
                change.after.entry_type = entry_type;
            }
            change.wording = (wording != Wording::of(entry)).then_some(wording);
        }
        Verdict::Archive => change.after.status = Status::Archived,
    }
    if change.after == change.before && change.wording.is_none() && change.link.is_none() {
        return Err(ReviewError::NothingChanges {
            id: entry.id.clone(),
            action: change.action,
        });
    }
    Ok(change)
}

/// What an import makes of the entry that one of its lines replaces, after
/// [`supersession::check`] allowed it.
pub fn superseded_by_import(target: &Entry, successor: &EntryId) -> Change {
    let before = Standing::of(target);
    Change {
        action: ReviewAction::Supersede,
        before,
        after: Standing {
            status: Status::Archived,
            ..before
        },
        wording: None,
        link: Some(Link::Tie(successor.clone())),
    }
}

/// Evidence that is nobody's word carries such a kind only once a person accepted it so.
fn check_kind(entry: &Entry, entry_type: EntryType) -> Result<(), ReviewError> {
    if entry_type != entry.entry_type
        && speakers::kind_held_back(entry_type, &entry.speakers()).is_some()
    {
        return Err(ReviewError::NeedsAcceptance {
            id: entry.id.clone(),
            entry_type,
        });
    }
    Ok(())
}

/// Both are stored already, so beside the rules of every supersession the replacement must not
/// stand in a chain yet: with neither predecessor nor successor it can close no circle.
fn may_replace(replacement: &Entry, target: &Entry) -> Result<(), ReviewError> {
    supersession::check(
        &replacement.id,
        replacement.status,
        replacement.provenance_ok,
        &target.id,
        Some(&TargetState::of(target)),
    )?;
    if replacement.review_state == ReviewState::EvalRaw {
        return Err(ReviewError::EvaluationMaterial(replacement.id.clone()));
    }
    if let Some(replaced) = &replacement.supersedes {
        return Err(ReviewError::ReplacesAnother {
            id: replacement.id.clone(),
            target: replaced.clone(),
        });
    }
    if is_trusted(target) && replacement.review_state != ReviewState::HumanReviewed {
        return Err(ReviewError::UnreviewedReplacement {
            replacement: replacement.id.clone(),
            target: target.id.clone(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
