//! The words that turn a sentence into advice, into its opposite, or into neither.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::LazyLock;

/// What a marker does to the words behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Denies what follows: `do not`, `不要`.
    Not,
    /// Advises against a thing by itself: `avoid`, `禁用`.
    Against,
    /// As [`Self::Against`], and starts a clause: `instead of`, `而不是`.
    InsteadOf,
    /// Advises to use a thing: `use`, `enable`, `使用`.
    Use,
    /// As [`Self::Use`], where what is liked less may follow behind [`Self::Over`].
    Prefer,
    /// Advises against what follows, behind [`Self::Prefer`] only.
    Over,
    /// Names the use of a thing and advises nothing: `using`.
    Using,
    /// Makes advice of the verb that follows: `must`, `always`, `必须`.
    Modal,
    /// Takes a denial back: `do not forget to`.
    Undo,
    /// Says when something holds: `if`, `如果`.
    Condition,
    /// Says why; nothing behind it is advice: `because`, `因为`.
    Reason,
    /// Starts a new thought: `but`, `然而`.
    Contrast,
    /// May join two pieces of advice: `and`.
    And,
    /// May stand before the verb of a piece of advice and means nothing: `please`, `we`.
    Lead,
    /// Makes the sentence something else than plain advice: `unless`, `not only`, `did not`.
    Hedge,
}

/// Words in lower case as the analyser gives them, so `don't` is `don t`.
const WORDS: &[(Role, &[&str])] = &[
    (
        Role::Not,
        &[
            "do not",
            "does not",
            "must not",
            "should not",
            "shall not",
            "no longer",
            "don t",
            "doesn t",
            "isn t",
            "aren t",
            "can t",
            "won t",
            "shouldn t",
            "mustn t",
            "needn t",
            "cannot",
            "never",
            "not",
            "no",
        ],
    ),
    (
        Role::Against,
        &[
            "avoid",
            "avoids",
            "disable",
            "disables",
            "disabled",
            "turn off",
            "switch off",
            "stop using",
            "forbidden",
            "prohibited",
        ],
    ),
    (Role::InsteadOf, &["instead of", "rather than"]),
    (
        Role::Use,
        &[
            "turn on",
            "switch on",
            "use",
            "uses",
            "used",
            "enable",
            "enables",
            "enabled",
            "adopt",
            "choose",
            "set",
        ],
    ),
    (Role::Prefer, &["prefer"]),
    (Role::Over, &["over"]),
    (Role::Using, &["using", "enabling"]),
    (
        Role::Modal,
        &[
            "must", "should", "shall", "always", "need to", "needs to", "have to", "has to",
        ],
    ),
    (
        Role::Undo,
        &["forget", "forgets", "fail", "fails", "hesitate"],
    ),
    (
        Role::Condition,
        &["if", "when", "whenever", "while", "where"],
    ),
    (
        Role::Reason,
        &[
            "although",
            "though",
            "because",
            "since",
            "so that",
            "otherwise",
            "which",
        ],
    ),
    (Role::Contrast, &["but", "instead"]),
    (Role::And, &["and", "then"]),
    (
        Role::Lead,
        &[
            "please", "we", "you", "to", "so", "just", "also", "first", "now",
        ],
    ),
    (
        Role::Hedge,
        &[
            "not only",
            "not just",
            "not necessarily",
            "not always",
            "not every",
            "not all",
            "not sure",
            "no matter",
            "not yet",
            "or not",
            "did not",
            "was not",
            "were not",
            "had not",
            "didn t",
            "wasn t",
            "weren t",
            "hadn t",
            "may not",
            "might",
            "maybe",
            "perhaps",
            "unless",
            "except",
            "until",
            "whether",
            "without",
            "tried",
            "disabling",
            "avoiding",
        ],
    ),
];

/// As [`WORDS`], for scripts without blanks.
const CHARACTERS: &[(Role, &[&str])] = &[
    (
        Role::Not,
        &[
            "不要",
            "不能",
            "不可",
            "不得",
            "不应该",
            "不应",
            "不该",
            "不再",
            "不会",
            "不必",
            "不需要",
            "不用",
            "无需",
            "无须",
            "禁止",
            "严禁",
            "切勿",
            "请勿",
            "避免",
        ],
    ),
    (
        Role::Against,
        &[
            "禁用",
            "停用",
            "关闭",
            "使用しない",
            "使わない",
            "使用禁止",
            "避ける",
            "사용하지 마",
            "사용하지 않",
        ],
    ),
    (Role::InsteadOf, &["而不是"]),
    (
        Role::Use,
        &[
            "使用",
            "采用",
            "改用",
            "启用",
            "开启",
            "使用する",
            "使う",
            "사용하",
            "사용한",
        ],
    ),
    (
        Role::Modal,
        &[
            "必须",
            "应该",
            "应当",
            "总是",
            "始终",
            "务必",
            "一定要",
            "需要",
            "请",
            "必ず",
            "반드시",
            "항상",
        ],
    ),
    (Role::Undo, &["忘记"]),
    (Role::Condition, &["如果", "当"]),
    (Role::Reason, &["因为", "由于", "否则", "以免"]),
    (Role::Contrast, &["但是", "而是", "然而"]),
    (
        Role::Hedge,
        &[
            "不得不",
            "不能不",
            "不可不",
            "不仅",
            "不只",
            "不一定",
            "除非",
            "是否",
            "可能",
            "也许",
            "直到",
            "没有",
            "かもしれ",
        ],
    ),
];

/// Characters of which words are made that say nothing about a subject.
const FUNCTION_CHARACTERS: &str =
    "的了在是和与及或里中上下时对把被将就都也会要为这那到从のをはがにでとも";

/// Markers by how they start, longer ones first.
type Table<Start> = HashMap<Start, Vec<(&'static str, Role)>>;

static BY_WORD: LazyLock<Table<&'static str>> =
    LazyLock::new(|| table(WORDS, |marker| marker.split(' ').next()));

static BY_CHARACTER: LazyLock<Table<char>> =
    LazyLock::new(|| table(CHARACTERS, |marker| marker.chars().next()));

fn table<Start: Hash + Eq>(
    markers: &'static [(Role, &'static [&'static str])],
    start: impl Fn(&'static str) -> Option<Start>,
) -> Table<Start> {
    let mut table = Table::new();
    for (role, markers) in markers {
        for marker in *markers {
            if let Some(start) = start(marker) {
                table.entry(start).or_default().push((*marker, *role));
            }
        }
    }
    for markers in table.values_mut() {
        markers.sort_by_key(|(marker, _)| std::cmp::Reverse(marker.len()));
    }
    table
}

/// The longest marker that a sequence of words starts with, and of how many words it is.
pub(super) fn of_words<'w>(
    words: &(impl Iterator<Item = &'w str> + Clone),
) -> Option<(Role, usize)> {
    let first = words.clone().next()?;
    BY_WORD.get(first)?.iter().find_map(|(marker, role)| {
        let count = marker.split(' ').count();
        let fits = marker.split(' ').eq(words.clone().take(count));
        fits.then_some((*role, count))
    })
}

/// The longest marker that a text starts with, and its length in bytes.
pub(super) fn of_characters(text: &str) -> Option<(Role, usize)> {
    let first = text.chars().next()?;
    let (marker, role) = BY_CHARACTER
        .get(&first)?
        .iter()
        .find(|(marker, _)| text.starts_with(marker))?;
    Some((*role, marker.len()))
}

/// Whether a pair of characters says nothing about a subject.
pub(super) fn is_function_pair(pair: &str) -> bool {
    pair.chars().any(|c| FUNCTION_CHARACTERS.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_marker_counts() {
        assert_eq!(of_characters("不得不用"), Some((Role::Hedge, 9)));
        assert_eq!(of_characters("不得用"), Some((Role::Not, 6)));
        assert_eq!(of_characters("不同"), None);
        assert_eq!(of_words(&["do", "not"].into_iter()), Some((Role::Not, 2)));
        assert_eq!(of_words(&["not", "x"].into_iter()), Some((Role::Not, 1)));
        assert_eq!(
            of_words(&["not", "only"].into_iter()),
            Some((Role::Hedge, 2))
        );
        assert_eq!(of_words(&["do"].into_iter()), None);
    }
}
