//! Which lines belong to one conversation, when a user went back and took another way.

use std::collections::HashMap;

use super::turn::Turn;

/// Turns of a person after which an abandoned way is a conversation of its own, not a failed try.
const MAX_RETRY_PROMPTS: usize = 3;

/// A run of turns without alternatives, in the order of the file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Strand {
    /// The strand that it branches from, and its first turn; `None` for the file's own.
    pub(super) origin: Option<(usize, usize)>,
    /// Indices of its turns.
    pub(super) turns: Vec<usize>,
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
            let mut ways = self.ways(turn, turns);
            if ways.len() > 1 {
                let first_prompts: usize = ways[0].iter().map(|&child| self.prompts[child]).sum();
                if first_prompts <= MAX_RETRY_PROMPTS {
                    ways.drain(..ways.len() - 1);
                }
            }
            let mut ways = ways.into_iter();
            let followed = ways.next().unwrap_or_default();
            open.extend(followed.into_iter().map(|child| (strand, child)));
            for way in ways {
                let fork = strands.len();
                strands.push(Strand {
                    origin: way.first().map(|&first| (strand, first)),
                    turns: Vec::new(),
                });
                open.extend(way.into_iter().map(|child| (fork, child)));
            }
        }
        for strand in &mut strands {
            strand.turns.sort_unstable();
        }
        strands
    }

    /// The alternatives after a turn. Lines of one answer, the results of its calls and what only
    /// the model saw stand beside each other in the tree and are one way all the same.
    fn ways(&self, turn: usize, turns: &[Turn]) -> Vec<Vec<usize>> {
        let is_joint = |child: usize| {
            !self.is_spoken[child]
                || turns[child].is_result_only()
                || turns[turn].is_continued_by(&turns[child])
        };
        let mut ways: Vec<Vec<usize>> = Vec::new();
        let mut joint_way = None;
        for &child in &self.children[turn] {
            match joint_way {
                Some(way) if is_joint(child) => ways
                    .get_mut(way)
                    .into_iter()
                    .for_each(|way: &mut Vec<usize>| way.push(child)),
                _ => {
                    if is_joint(child) {
                        joint_way = Some(ways.len());
                    }
                    ways.push(vec![child]);
                }
            }
        }
        ways
    }
}
