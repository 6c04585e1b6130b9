//! When an entry may replace another one.

use recall_core::{Entry, EntryId, Status};

/// The standing of an entry that is to be replaced, read in the transaction that replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetState {
    /// Whether it is in force.
    pub status: Status,
    /// The entry that replaced it already.
    pub superseded_by: Option<EntryId>,
    /// Whether its evidence is verified.
    pub provenance_ok: bool,
}

impl TargetState {
    /// The standing of an entry.
    pub fn of(entry: &Entry) -> Self {
        Self {
            status: entry.status,
            superseded_by: entry.superseded_by.clone(),
            provenance_ok: entry.provenance_ok,
        }
    }
}

/// Why a replacement was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SupersessionError {
    /// An entry would replace itself.
    #[error("entry {0} cannot supersede itself; give the replacement an id of its own")]
    Itself(EntryId),
    /// The replacement would not be in force.
    #[error("replacement entry {id} has status \"{status}\"; only an accepted entry can supersede")]
    ReplacementNotAccepted {
        /// The replacement.
        id: EntryId,
        /// Its status.
        status: Status,
    },
    /// There is nothing to replace.
    #[error("superseded entry {0} not found")]
    TargetNotFound(EntryId),
    /// The evidence of the replacement was never verified, that of the target was (S-R04).
    #[error("unverified entry {replacement} cannot supersede provenance-valid entry {target}")]
    TargetVerified {
        /// The replacement.
        replacement: EntryId,
        /// The entry to be replaced.
        target: EntryId,
    },
    /// The target was replaced before (S-R03).
    #[error("superseded entry {target} is not active: {successor} replaced it; supersede that one")]
    TargetReplaced {
        /// The entry to be replaced.
        target: EntryId,
        /// What replaced it.
        successor: EntryId,
    },
    /// The target was archived without a successor.
    #[error("superseded entry {0} is not active: it is archived")]
    TargetArchived(EntryId),
}

/// Checks that one entry may replace another: the target exists, is in force and has no successor,
/// so that a chain never branches (S-R03); and a replacement whose evidence was not verified never
/// replaces an entry whose evidence is (S-R04).
pub fn check(
    replacement_id: &EntryId,
    replacement_status: Status,
    verified: bool,
    target_id: &EntryId,
    target: Option<&TargetState>,
) -> Result<(), SupersessionError> {
    if replacement_id == target_id {
        return Err(SupersessionError::Itself(target_id.clone()));
    }
    if replacement_status != Status::Accepted {
        return Err(SupersessionError::ReplacementNotAccepted {
            id: replacement_id.clone(),
            status: replacement_status,
        });
    }
    let Some(target) = target else {
        return Err(SupersessionError::TargetNotFound(target_id.clone()));
    };
    if target.provenance_ok && !verified {
        return Err(SupersessionError::TargetVerified {
            replacement: replacement_id.clone(),
            target: target_id.clone(),
        });
    }
    match (&target.superseded_by, target.status) {
        (None, Status::Accepted) => Ok(()),
        (Some(successor), _) => Err(SupersessionError::TargetReplaced {
            target: target_id.clone(),
            successor: successor.clone(),
        }),
        (None, Status::Archived) => Err(SupersessionError::TargetArchived(target_id.clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::entry_id;

    const ACTIVE: TargetState = TargetState {
        status: Status::Accepted,
        superseded_by: None,
        provenance_ok: true,
    };

    fn verdict(verified: bool, target: Option<&TargetState>) -> Result<(), SupersessionError> {
        check(
            &entry_id("new"),
            Status::Accepted,
            verified,
            &entry_id("old"),
            target,
        )
    }

    // S-R03
    #[test]
    fn model_115_an_active_entry_can_be_replaced_by_a_verified_one() {
        assert_eq!(verdict(true, Some(&ACTIVE)), Ok(()));
    }

    // S-R03
    #[test]
    fn model_116_an_entry_is_replaced_only_once() {
        let replaced = TargetState {
            status: Status::Archived,
            superseded_by: Some(entry_id("first")),
            ..ACTIVE
        };
        assert_eq!(
            verdict(true, Some(&replaced)).unwrap_err().to_string(),
            "superseded entry old is not active: first replaced it; supersede that one"
        );
        let linked = TargetState {
            status: Status::Accepted,
            ..replaced
        };
        assert!(verdict(true, Some(&linked)).is_err());
        let archived = TargetState {
            status: Status::Archived,
            ..ACTIVE
        };
        assert_eq!(
            verdict(true, Some(&archived)),
            Err(SupersessionError::TargetArchived(entry_id("old")))
        );
    }

    #[test]
    fn a_target_must_exist() {
        assert_eq!(
            verdict(true, None).unwrap_err().to_string(),
            "superseded entry old not found"
        );
    }

    #[test]
    fn model_117_an_archived_entry_replaces_nothing() {
        let error = check(
            &entry_id("new"),
            Status::Archived,
            true,
            &entry_id("old"),
            Some(&ACTIVE),
        )
        .unwrap_err();
        assert_eq!(
            error.to_string(),
            "replacement entry new has status \"archived\"; only an accepted entry can supersede"
        );
    }

    #[test]
    fn an_entry_does_not_replace_itself() {
        let id = entry_id("same");
        assert_eq!(
            check(&id, Status::Accepted, true, &id, None),
            Err(SupersessionError::Itself(id.clone()))
        );
    }

    // S-R04
    #[test]
    fn model_108_and_109_an_unverified_entry_replaces_only_unverified_ones() {
        assert_eq!(
            verdict(false, Some(&ACTIVE)),
            Err(SupersessionError::TargetVerified {
                replacement: entry_id("new"),
                target: entry_id("old"),
            })
        );
        let revoked = TargetState {
            provenance_ok: false,
            ..ACTIVE
        };
        assert_eq!(verdict(false, Some(&revoked)), Ok(()));
    }
}
