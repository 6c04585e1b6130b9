//! Which entries hold a key, and how much entries share with a set of keys.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Keys are hashes of 64 bits: with four million different ones, two meet by accident once in some
/// million indexes, and then only make a candidate that is compared in full.
pub(super) type Key = u64;

/// The key of anything; the same in every run of one program.
pub(super) fn key(of: impl Hash) -> Key {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// An inverted index in three flat columns.
#[derive(Debug, Clone, Default)]
pub(super) struct Postings {
    /// Rising.
    keys: Vec<Key>,
    /// Where the entries of each key end in `entries`.
    ends: Vec<usize>,
    entries: Vec<u32>,
    /// One past the highest entry.
    entries_end: usize,
}

/// How much each entry shares; and what it cost to find out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shared {
    /// Entries that share anything, with the summed weight of what they share.
    pub(super) weights: Vec<(u32, u32)>,
    /// How many postings were read.
    pub(super) read: usize,
}

impl Postings {
    pub(super) fn new(mut pairs: Vec<(Key, u32)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut postings = Self {
            entries_end: pairs
                .iter()
                .map(|(_, entry)| *entry as usize + 1)
                .max()
                .unwrap_or(0),
            ..Self::default()
        };
        for group in pairs.chunk_by(|a, b| a.0 == b.0) {
            postings.keys.extend(group.first().map(|(key, _)| *key));
            postings
                .entries
                .extend(group.iter().map(|(_, entry)| *entry));
            postings.ends.push(postings.entries.len());
        }
        postings
    }

    /// What entries share with weighted keys. The rarest keys are looked up first, and a key that
    /// would make it more than `most` postings ends the search: what almost all entries hold tells
    /// none of them apart.
    pub(super) fn shared(&self, keys: impl IntoIterator<Item = (Key, u32)>, most: usize) -> Shared {
        let mut lists: Vec<(&[u32], Key, u32)> = keys
            .into_iter()
            .map(|(key, weight)| (self.holding(key), key, weight))
            .collect();
        lists.sort_unstable_by_key(|(entries, key, _)| (entries.len(), *key));
        let mut read = 0;
        let mut weights = vec![0_u32; self.entries_end];
        for (entries, _, weight) in lists {
            if read + entries.len() > most {
                break;
            }
            read += entries.len();
            for entry in entries {
                weights[*entry as usize] += weight;
            }
        }
        let weights = (0..).zip(weights).filter(|(_, weight)| *weight > 0);
        Shared {
            weights: weights.collect(),
            read,
        }
    }

    fn holding(&self, key: Key) -> &[u32] {
        let Ok(at) = self.keys.binary_search(&key) else {
            return &[];
        };
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.entries[start..self.ends[at]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_summed_by_entry() {
        let postings = Postings::new(vec![(7, 1), (7, 0), (7, 1), (9, 1)]);
        let shared = postings.shared([(7, 2), (9, 5), (8, 1)], 100);
        assert_eq!(shared.weights, [(0, 2), (1, 7)]);
        assert_eq!(shared.read, 3);
    }

    // No key may hold the search up, however many entries hold it.
    #[test]
    fn the_rarest_keys_are_read_first_and_no_more_than_allowed() {
        let common = (0..10_000).map(|entry| (1, entry));
        let rare = (0..3).map(|entry| (2, entry));
        let postings = Postings::new(common.chain(rare).collect());
        let shared = postings.shared([(1, 1), (2, 1)], 10_002);
        assert_eq!(shared.read, 3);
        assert_eq!(shared.weights.len(), 3);
        assert_eq!(postings.shared([(1, 1), (2, 1)], 10_003).read, 10_003);
    }
}
