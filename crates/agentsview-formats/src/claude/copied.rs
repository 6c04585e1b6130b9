//! Turns that a background session copied from the session it was started from.

use std::collections::HashSet;

use super::line::Line;
use super::turn::Turn;

/// Drops the turns at the front that the other session's file holds too.
///
/// Nothing is dropped where that would leave nothing, or where a copied turn follows one that is
/// not: then the files share more than a prefix, and which of them owns a turn cannot be told.
pub(super) fn drop_copied(turns: &mut Vec<Turn>, other_file: &[u8]) {
    let other = turn_uuids(other_file);
    let is_copied = |turn: &Turn| !turn.uuid.is_empty() && other.contains(&turn.uuid);
    let copied = turns.iter().take_while(|turn| is_copied(turn)).count();
    if copied == 0 || copied == turns.len() || turns[copied..].iter().any(is_copied) {
        return;
    }
    turns.drain(..copied);
    if let Some(first) = turns.first_mut() {
        // Its parent went with the copies; without one it is the root of what is left.
        first.parent_uuid.clear();
    }
}

fn turn_uuids(file: &[u8]) -> HashSet<String> {
    file.split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<Line<'_>>(line).ok())
        .filter(|line| matches!(line.kind.as_deref(), Some("user" | "assistant")))
        .filter_map(|line| line.uuid.map(std::borrow::Cow::into_owned))
        .collect()
}
