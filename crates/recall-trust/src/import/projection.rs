//! The entries that the lines before this one made, before any of them is stored.

use std::collections::HashMap;

use recall_core::{EntryId, SkipReason, Status};

use super::Candidate;
use crate::supersession::{self, SupersessionError, TargetState};

/// Follows one stream of lines, so that a dry run comes to the same verdicts as the import itself:
/// an id is taken once, an entry imported by an earlier line can be replaced, and a replaced entry
/// cannot be replaced again.
#[derive(Debug, Clone, Default)]
pub struct ImportProjection {
    seen: HashMap<EntryId, Candidate>,
    standing: HashMap<EntryId, TargetState>,
}

impl ImportProjection {
    /// A projection before the first line.
    pub fn new() -> Self {
        Self::default()
    }

    /// Notes that a line wants its id. If an earlier line wanted it already the line is skipped: as
    /// a duplicate if it says the same, as a conflict otherwise.
    pub fn claim(&mut self, candidate: &Candidate) -> Result<(), SkipReason> {
        match self.seen.get(candidate.id()) {
            None => {
                self.seen.insert(candidate.id().clone(), candidate.clone());
                Ok(())
            }
            Some(earlier) if candidate.repeats(earlier) => Err(SkipReason::Duplicate),
            Some(_) => Err(SkipReason::Conflict),
        }
    }

    /// Notes that a line is imported, or would be. `stored_target` is the standing in the store of
    /// the entry that it replaces; an earlier line's changes to it come first.
    pub fn import(
        &mut self,
        candidate: &Candidate,
        verified: bool,
        stored_target: Option<&TargetState>,
    ) -> Result<(), SupersessionError> {
        if let Some(target_id) = candidate.supersedes() {
            let target = self.standing.get(target_id).or(stored_target);
            let status = Status::Accepted;
            supersession::check(candidate.id(), status, verified, target_id, target)?;
            let replaced = TargetState {
                status: Status::Archived,
                superseded_by: Some(candidate.id().clone()),
                provenance_ok: target.is_some_and(|target| target.provenance_ok),
            };
            self.standing.insert(target_id.clone(), replaced);
        }
        let imported = TargetState {
            status: Status::Accepted,
            superseded_by: None,
            provenance_ok: verified,
        };
        self.standing.insert(candidate.id().clone(), imported);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{candidate, entry_id};

    const ACTIVE: TargetState = TargetState {
        status: Status::Accepted,
        superseded_by: None,
        provenance_ok: true,
    };

    fn replacing(id: &str, target: &str) -> Candidate {
        let mut replacing = candidate(id);
        replacing.draft.supersedes = Some(entry_id(target));
        replacing
    }

    // S-R02; model weakness 13
    #[test]
    fn model_110_a_second_line_of_one_id_is_a_duplicate_or_a_conflict() {
        let mut projection = ImportProjection::new();
        let first = candidate("a");
        assert_eq!(projection.claim(&first), Ok(()));
        assert_eq!(projection.claim(&first), Err(SkipReason::Duplicate));
        let mut other = candidate("a");
        other.draft.body = "Something else.".to_owned();
        assert_eq!(projection.claim(&other), Err(SkipReason::Conflict));
        assert_eq!(projection.claim(&candidate("b")), Ok(()));
    }

    // S-R03
    #[test]
    fn model_113_a_target_is_replaced_once_in_a_stream() {
        let mut projection = ImportProjection::new();
        let stored = Some(&ACTIVE);
        assert_eq!(
            projection.import(&replacing("b", "a"), true, stored),
            Ok(())
        );
        assert_eq!(
            projection.import(&replacing("c", "a"), true, stored),
            Err(SupersessionError::TargetReplaced {
                target: entry_id("a"),
                successor: entry_id("b"),
            })
        );
    }

    #[test]
    fn model_114_a_line_replaces_what_an_earlier_line_imported() {
        let mut projection = ImportProjection::new();
        let chain = replacing("b", "a");
        assert_eq!(
            projection.import(&chain, true, None),
            Err(SupersessionError::TargetNotFound(entry_id("a")))
        );
        assert_eq!(projection.import(&candidate("a"), true, None), Ok(()));
        assert_eq!(projection.import(&chain, true, None), Ok(()));
        assert_eq!(projection.import(&replacing("c", "b"), true, None), Ok(()));
    }

    // S-R04
    #[test]
    fn model_108_an_unverified_line_replaces_only_unverified_entries() {
        let mut projection = ImportProjection::new();
        assert!(matches!(
            projection.import(&replacing("b", "a"), false, Some(&ACTIVE)),
            Err(SupersessionError::TargetVerified { .. })
        ));
        assert_eq!(projection.import(&candidate("x"), false, None), Ok(()));
        assert_eq!(projection.import(&replacing("y", "x"), false, None), Ok(()));
    }

    #[test]
    fn a_refused_line_changes_nothing() {
        let mut projection = ImportProjection::new();
        let refused = projection.import(&replacing("b", "a"), false, Some(&ACTIVE));
        assert!(refused.is_err());
        assert_eq!(
            projection.import(&replacing("c", "a"), true, Some(&ACTIVE)),
            Ok(())
        );
        assert_eq!(
            projection.import(&replacing("d", "b"), true, None),
            Err(SupersessionError::TargetNotFound(entry_id("b")))
        );
    }
}
