//! Whether two entries say the same in the same words.

use recall_text::TokenKind;

/// Sketches that differ in so few bits are of texts of which about 19 in 20 pairs of words are the
/// same. Unrelated texts differ in half of the 64.
const NEAR_BITS: u32 = 4;

/// A text boiled down to a few bytes, so that near-identical entries are told without reading them.
///
/// `shape` is a fingerprint by `SimHash` of the pairs of adjacent words (Charikar, *Similarity estimation techniques
/// from rounding algorithms*, 2002): texts that share most pairs differ in few bits. `telling`
/// stands for the words of which a single one makes another statement: those with digits, and
/// negations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sketch {
    pub(crate) shape: u64,
    pub(crate) telling: u64,
}

impl Sketch {
    pub(crate) fn is_near(self, other: Self) -> bool {
        self.telling == other.telling && (self.shape ^ other.shape).count_ones() <= NEAR_BITS
    }
}

/// Takes in the leaves of a text one by one.
#[derive(Debug)]
pub(crate) struct Sketcher {
    previous: u64,
    /// For each bit, how many more pairs have it set than not.
    votes: [i32; 64],
    telling: u64,
}

impl Default for Sketcher {
    fn default() -> Self {
        Self {
            previous: 0,
            votes: [0; 64],
            telling: 0,
        }
    }
}

impl Sketcher {
    pub(crate) fn add(&mut self, term: &str, kind: TokenKind) {
        let word = hash(term.bytes());
        if kind != TokenKind::CjkChar && term.bytes().any(|byte| byte.is_ascii_digit())
            || NEGATIONS.contains(&term)
        {
            // The order in which they stand does not matter, how often they do does.
            self.telling = self.telling.wrapping_add(word);
        }
        let pair = hash(
            self.previous
                .to_le_bytes()
                .into_iter()
                .chain(word.to_le_bytes()),
        );
        for (bit, votes) in self.votes.iter_mut().enumerate() {
            *votes = votes.saturating_add(if pair >> bit & 1 == 1 { 1 } else { -1 });
        }
        self.previous = word;
    }

    pub(crate) fn sketch(&self) -> Sketch {
        let bits = self.votes.iter().enumerate();
        let shape = bits.fold(0, |shape, (bit, votes)| {
            shape | u64::from(*votes > 0) << bit
        });
        Sketch {
            shape,
            telling: self.telling,
        }
    }
}

/// Words, and characters of scripts without blanks, that turn a statement round.
const NEGATIONS: &[&str] = &[
    "cannot",
    "kein",
    "keine",
    "keinen",
    "nein",
    "never",
    "nicht",
    "nie",
    "niemals",
    "no",
    "non",
    "none",
    "nor",
    "not",
    "pas",
    "jamais",
    "nunca",
    "sin",
    "without",
    "ohne",
    "не",
    "нельзя",
    "不",
    "别",
    "別",
    "勿",
    "未",
    "無",
    "无",
    "没",
    "沒",
    "非",
    "않",
    "안",
    "못",
];

/// FNV-1a, which stays what it is from one release of the language to the next.
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use recall_text::Analyser;

    use super::*;

    fn sketch(text: &str) -> Sketch {
        let mut sketcher = Sketcher::default();
        for token in Analyser::terms(text).filter(|token| token.kind.is_leaf()) {
            sketcher.add(&token.surface, token.kind);
        }
        sketcher.sketch()
    }

    const TEXT: &str = "The nightly compaction job shares its database with the writer, so the \
        pool deadlocks under load. Raise busy_timeout to 5000 and keep one writer connection in \
        the pool instead of retrying in the caller, and restart the job when the lock is gone.";

    // W15
    #[test]
    fn the_same_words_are_near_whatever_their_case_and_punctuation() {
        let other = TEXT.to_uppercase().replace([',', '.'], " ;");
        assert!(sketch(TEXT).is_near(sketch(&other)));
        assert!(sketch("数据库锁定的原因").is_near(sketch("数据库锁定的原因。")));
    }

    #[test]
    fn another_number_or_a_negation_is_another_statement() {
        for (from, to) in [
            ("5000", "500"),
            ("Raise", "Never raise"),
            ("keep", "do not keep"),
        ] {
            assert!(
                !sketch(TEXT).is_near(sketch(&TEXT.replace(from, to))),
                "{to}"
            );
        }
        assert!(!sketch("上线前要备份数据库").is_near(sketch("上线前不要备份数据库")));
    }

    #[test]
    fn texts_on_one_subject_are_not_near() {
        assert!(!sketch("Raise the pool timeout").is_near(sketch("Lower the pool timeout")));
        assert!(!sketch(TEXT).is_near(sketch(&TEXT[..TEXT.len() / 2])));
        assert!(!sketch("squash merges").is_near(sketch("rebase merges")));
    }
}
