//! Which lines belong to one conversation, when a user went back and took another way.

use std::collections::HashMap;

use super::turn::Turn;

/// Turns of a person after which an abandoned way is a conversation of its own, not a failed try.
const MAX_RETRY_PROMPTS: usize = 3;

/// A run of turns without alternatives, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Strand {
    /// Where it branches off; `None` for the file's own.
    pub(super) origin: Option<Origin>,
    /// Indices of its turns.
    pub(super) turns: Vec<usize>,
}

/// Where a strand branches off another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    /// Index of the other strand, which comes before it.
    pub(super) strand: usize,
    /// Its own first turn.
    pub(super) first: usize,
}

/// The conversations among the turns, the file's own first.
///
/// Only a sound tree is followed: every turn has an id of its own, one of them has no parent, and
/// the parents of all others are turns. Everything else is one conversation in the order of the
/// file, as most files are: their chains run through lines that are no turns.
pub(super) fn strands(turns: &[Turn]) -> Vec<Strand> {
    match Tree::new(turns) {
        Some(tree) => tree.strands(turns),
        None => vec![Strand {
            origin: None,
            turns: (0..turns.len()).collect(),
        }],
    }
}

struct Tree {
    root: usize,
    children: Vec<Vec<usize>>,
    /// Prompts of a person at or below a turn.
    prompts: Vec<usize>,
    /// Whether anything but results is shown at or below a turn.
    is_spoken: Vec<bool>,
}

impl Tree {
    fn new(turns: &[Turn]) -> Option<Self> {
        let mut by_uuid = HashMap::with_capacity(turns.len());
        for (index, turn) in turns.iter().enumerate() {
            if turn.uuid.is_empty() || by_uuid.insert(turn.uuid.as_str(), index).is_some() {
                return None;
            }
        }
        let mut root = None;
        let mut parents = vec![None; turns.len()];
        let mut children = vec![Vec::new(); turns.len()];
        for (index, turn) in turns.iter().enumerate() {
            if turn.parent_uuid.is_empty() {
                if root.replace(index).is_some() {
                    return None;
                }
            } else {
                let parent = *by_uuid.get(turn.parent_uuid.as_str())?;
                parents[index] = Some(parent);
                children[parent].push(index);
            }
        }
        let root = root?;
        let mut order = vec![root];
        let mut visited = 0;
        while let Some(&turn) = order.get(visited) {
            order.extend(&children[turn]);
            visited += 1;
        }
        // Turns in a circle have parents and yet hang on nothing.
        if order.len() != turns.len() {
            return None;
        }
        let mut prompts: Vec<usize> = turns.iter().map(|turn| turn.is_prompt().into()).collect();
        let mut is_spoken: Vec<bool> = turns
            .iter()
            .map(|turn| !turn.is_hidden() && !turn.is_result_only())
            .collect();
        for &turn in order.iter().rev() {
            if let Some(parent) = parents[turn] {
                prompts[parent] += prompts[turn];
                is_spoken[parent] |= is_spoken[turn];
            }
        }
        Some(Self {
            root,
            children,
            prompts,
            is_spoken,
        })
    }

    fn strands(&self, turns: &[Turn]) -> Vec<Strand> {
        let mut strands = vec![Strand::default()];
        let mut open = vec![(0, self.root)];
        while let Some((strand, turn)) = open.pop() {
            strands[strand].turns.push(turn);
            let Ways { beside, mut ahead } = self.ways(turn, turns);
            open.extend(beside.into_iter().map(|child| (strand, child)));
            let Some(last) = ahead.pop() else { continue };
            if ahead.iter().all(|way| self.is_short(way)) {
                open.extend(last.into_iter().map(|child| (strand, child)));
                continue;
            }
            ahead.push(last);
            for (place, way) in ahead.into_iter().enumerate() {
                let branch = if place == 0 { strand } else { strands.len() };
                if let (Some(&first), true) = (way.first(), place > 0) {
                    strands.push(Strand {
                        origin: Some(Origin { strand, first }),
                        turns: Vec::new(),
                    });
                }
                open.extend(way.into_iter().map(|child| (branch, child)));
            }
        }
        for strand in &mut strands {
            strand.turns.sort_unstable();
        }
        strands
    }

    fn is_short(&self, way: &[usize]) -> bool {
        let prompts: usize = way.iter().map(|&child| self.prompts[child]).sum();
        prompts <= MAX_RETRY_PROMPTS
    }

    fn ways(&self, turn: usize, turns: &[Turn]) -> Ways {
        let mut ways = Ways::default();
        let mut joint = None;
        for &child in &self.children[turn] {
            let is_joint =
                turns[child].is_result_only() || turns[turn].is_continued_by(&turns[child]);
            if !self.is_spoken[child] {
                ways.beside.push(child);
            } else if let Some(way) = joint.filter(|_| is_joint) {
                let way: &mut Vec<usize> = &mut ways.ahead[way];
                way.push(child);
            } else {
                if is_joint {
                    joint = Some(ways.ahead.len());
                }
                ways.ahead.push(vec![child]);
            }
        }
        ways
    }
}

/// What follows a turn. The lines of one answer and the results of its calls stand beside each
/// other in the tree and are one way all the same.
#[derive(Default)]
struct Ways {
    /// Turns that lead nowhere: results, and what only the model saw.
    beside: Vec<usize>,
    /// The alternatives, by their first lines.
    ahead: Vec<Vec<usize>>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::claude::line::Line;

    /// A prompt, or an answer's line if the text starts with `a`.
    fn turn(uuid: &str, parent: &str, text: &str) -> Turn {
        let line = format!(
            r#"{{"type":"user","uuid":"{uuid}","parentUuid":"{parent}","message":{{"id":"{text}","content":"{text}"}}}}"#
        );
        let line: Line<'_> = serde_json::from_str(&line).unwrap();
        if text.starts_with('a') {
            Turn::assistant(line)
        } else {
            Turn::user(line)
        }
    }

    /// The strands of turns written as `uuid<parent:text`, each strand as its ids.
    fn grouped(turns: &str) -> Vec<String> {
        let turns: Vec<Turn> = turns
            .split_whitespace()
            .map(|turn_text| {
                let (ids, text) = turn_text.split_once(':').unwrap();
                let (uuid, parent) = ids.split_once('<').unwrap();
                turn(uuid, parent, text)
            })
            .collect();
        strands(&turns)
            .iter()
            .map(|strand| {
                let ids: Vec<&str> = strand
                    .turns
                    .iter()
                    .map(|&t| turns[t].uuid.as_str())
                    .collect();
                ids.join(" ")
            })
            .collect()
    }

    #[test]
    fn a_short_way_that_was_left_is_a_failed_try() {
        assert_eq!(grouped("1<:p 2<1:a1 3<2:p 4<1:a2 5<4:p"), ["1 4 5"]);
    }

    #[test]
    fn a_long_way_that_was_left_makes_every_other_way_a_fork() {
        let long = "1<:p 2<1:p 3<2:p 4<3:p 5<4:p";
        assert_eq!(
            grouped(&format!("{long} 6<1:p 7<6:a1 8<1:p")),
            ["1 2 3 4 5", "6 7", "8"]
        );
        // A failed try before the long way does not hide that it is long.
        assert_eq!(
            grouped("1<:p 9<1:p 2<1:p 3<2:p 4<3:p 5<4:p 6<1:p"),
            ["1 9", "2 3 4 5", "6"]
        );
    }

    #[test]
    fn lines_of_one_answer_are_no_alternatives() {
        assert_eq!(
            grouped("1<:p 2<1:a1 3<2:a1 4<2:a1 5<3:p 6<4:p"),
            ["1 2 3 4 5 6"]
        );
    }

    #[test]
    fn an_unsound_tree_is_read_in_line_order() {
        for turns in [
            "1<:p 2<:p 3<1:p",
            "1<:p 2<0:p 3<1:p",
            "1<:p 2<1:p 2<1:p",
            "1<1:p 2<1:p 3<2:p",
            "1<:p 2<3:p 3<2:p",
            "1<2:p 2<1:p",
        ] {
            let ids: Vec<&str> = turns.split_whitespace().map(|turn| &turn[..1]).collect();
            assert_eq!(grouped(turns), [ids.join(" ")], "{turns}");
        }
    }

    proptest! {
        #[test]
        fn any_graph_of_turns_is_read_to_its_end_and_loses_failed_tries_alone(
            graph in prop::collection::vec((0u8..12, 0u8..13, 0u8..4), 0..12),
            is_sound in any::<bool>(),
        ) {
            let turns: Vec<Turn> = graph
                .iter()
                .enumerate()
                .map(|(at, &(uuid, parent, text))| {
                    let own = if is_sound { at.to_string() } else { uuid.to_string() };
                    let parent = match (is_sound, parent) {
                        (true, _) if at == 0 => String::new(),
                        (true, _) => (usize::from(parent) % at).to_string(),
                        (false, 12) => String::new(),
                        (false, _) => parent.to_string(),
                    };
                    turn(&own, &parent, ["p", "p", "a1", "a2"][usize::from(text)])
                })
                .collect();
            let strands = strands(&turns);
            let mut found: Vec<usize> = strands.iter().flat_map(|s| s.turns.clone()).collect();
            found.sort_unstable();
            let mut once = found.clone();
            once.dedup();
            prop_assert_eq!(&found, &once);
            for lost in (0..turns.len()).filter(|turn| !found.contains(turn)) {
                // Some turn on the way up was one of several that led on from the same place.
                let mut at = Some(lost);
                let mut is_left = false;
                while let Some(here) = at {
                    let parent = &turns[here].parent_uuid;
                    is_left |= turns.iter().filter(|turn| turn.parent_uuid == *parent).count() > 1;
                    at = turns[..here].iter().position(|turn| turn.uuid == *parent);
                }
                prop_assert!(is_left, "lost {}", lost);
            }
        }
    }
}
