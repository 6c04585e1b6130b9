//! The words that turn a sentence into advice, into its opposite, or into neither.

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

/// Words in lower case as the analyser gives them, so `don't` is `don`, `t`. Longer ones first
/// where one starts another.
const WORDS: &[(&[&str], Role)] = &[
    (&["not", "only"], Role::Hedge),
    (&["not", "just"], Role::Hedge),
    (&["not", "necessarily"], Role::Hedge),
    (&["not", "always"], Role::Hedge),
    (&["not", "every"], Role::Hedge),
    (&["not", "yet"], Role::Hedge),
    (&["or", "not"], Role::Hedge),
    (&["did", "not"], Role::Hedge),
    (&["was", "not"], Role::Hedge),
    (&["were", "not"], Role::Hedge),
    (&["had", "not"], Role::Hedge),
    (&["didn", "t"], Role::Hedge),
    (&["wasn", "t"], Role::Hedge),
    (&["weren", "t"], Role::Hedge),
    (&["hadn", "t"], Role::Hedge),
    (&["may", "not"], Role::Hedge),
    (&["might"], Role::Hedge),
    (&["maybe"], Role::Hedge),
    (&["perhaps"], Role::Hedge),
    (&["unless"], Role::Hedge),
    (&["except"], Role::Hedge),
    (&["until"], Role::Hedge),
    (&["whether"], Role::Hedge),
    (&["without"], Role::Hedge),
    (&["tried"], Role::Hedge),
    (&["do", "not"], Role::Not),
    (&["does", "not"], Role::Not),
    (&["must", "not"], Role::Not),
    (&["should", "not"], Role::Not),
    (&["shall", "not"], Role::Not),
    (&["no", "longer"], Role::Not),
    (&["don", "t"], Role::Not),
    (&["doesn", "t"], Role::Not),
    (&["isn", "t"], Role::Not),
    (&["aren", "t"], Role::Not),
    (&["can", "t"], Role::Not),
    (&["won", "t"], Role::Not),
    (&["shouldn", "t"], Role::Not),
    (&["mustn", "t"], Role::Not),
    (&["needn", "t"], Role::Not),
    (&["cannot"], Role::Not),
    (&["never"], Role::Not),
    (&["not"], Role::Not),
    (&["no"], Role::Not),
    (&["instead", "of"], Role::InsteadOf),
    (&["rather", "than"], Role::InsteadOf),
    (&["over"], Role::Over),
    (&["avoid"], Role::Against),
    (&["avoids"], Role::Against),
    (&["disable"], Role::Against),
    (&["disables"], Role::Against),
    (&["disabled"], Role::Against),
    (&["turn", "off"], Role::Against),
    (&["switch", "off"], Role::Against),
    (&["stop", "using"], Role::Against),
    (&["forbidden"], Role::Against),
    (&["prohibited"], Role::Against),
    (&["turn", "on"], Role::Use),
    (&["switch", "on"], Role::Use),
    (&["use"], Role::Use),
    (&["uses"], Role::Use),
    (&["used"], Role::Use),
    (&["enable"], Role::Use),
    (&["enables"], Role::Use),
    (&["enabled"], Role::Use),
    (&["adopt"], Role::Use),
    (&["choose"], Role::Use),
    (&["set"], Role::Use),
    (&["prefer"], Role::Prefer),
    (&["using"], Role::Using),
    (&["enabling"], Role::Using),
    (&["disabling"], Role::Hedge),
    (&["avoiding"], Role::Hedge),
    (&["must"], Role::Modal),
    (&["should"], Role::Modal),
    (&["shall"], Role::Modal),
    (&["always"], Role::Modal),
    (&["need", "to"], Role::Modal),
    (&["needs", "to"], Role::Modal),
    (&["have", "to"], Role::Modal),
    (&["has", "to"], Role::Modal),
    (&["forget"], Role::Undo),
    (&["forgets"], Role::Undo),
    (&["fail"], Role::Undo),
    (&["fails"], Role::Undo),
    (&["hesitate"], Role::Undo),
    (&["if"], Role::Condition),
    (&["when"], Role::Condition),
    (&["whenever"], Role::Condition),
    (&["while"], Role::Condition),
    (&["where"], Role::Condition),
    (&["although"], Role::Reason),
    (&["though"], Role::Reason),
    (&["because"], Role::Reason),
    (&["since"], Role::Reason),
    (&["so", "that"], Role::Reason),
    (&["otherwise"], Role::Reason),
    (&["which"], Role::Reason),
    (&["but"], Role::Contrast),
    (&["instead"], Role::Contrast),
    (&["and"], Role::And),
    (&["then"], Role::And),
    (&["please"], Role::Lead),
    (&["we"], Role::Lead),
    (&["you"], Role::Lead),
    (&["to"], Role::Lead),
    (&["so"], Role::Lead),
    (&["just"], Role::Lead),
    (&["also"], Role::Lead),
    (&["first"], Role::Lead),
    (&["now"], Role::Lead),
];

/// As [`WORDS`], for scripts without blanks; the longest that a text starts with counts.
const CHARACTERS: &[(&str, Role)] = &[
    ("不得不", Role::Hedge),
    ("不能不", Role::Hedge),
    ("不可不", Role::Hedge),
    ("不仅", Role::Hedge),
    ("不只", Role::Hedge),
    ("不一定", Role::Hedge),
    ("除非", Role::Hedge),
    ("是否", Role::Hedge),
    ("可能", Role::Hedge),
    ("也许", Role::Hedge),
    ("直到", Role::Hedge),
    ("没有", Role::Hedge),
    ("不要", Role::Not),
    ("不能", Role::Not),
    ("不可", Role::Not),
    ("不得", Role::Not),
    ("不应该", Role::Not),
    ("不应", Role::Not),
    ("不该", Role::Not),
    ("不再", Role::Not),
    ("不会", Role::Not),
    ("不必", Role::Not),
    ("不需要", Role::Not),
    ("不用", Role::Not),
    ("无需", Role::Not),
    ("无须", Role::Not),
    ("禁止", Role::Not),
    ("严禁", Role::Not),
    ("切勿", Role::Not),
    ("请勿", Role::Not),
    ("避免", Role::Not),
    ("而不是", Role::InsteadOf),
    ("禁用", Role::Against),
    ("停用", Role::Against),
    ("关闭", Role::Against),
    ("使用", Role::Use),
    ("采用", Role::Use),
    ("改用", Role::Use),
    ("启用", Role::Use),
    ("开启", Role::Use),
    ("必须", Role::Modal),
    ("应该", Role::Modal),
    ("应当", Role::Modal),
    ("总是", Role::Modal),
    ("始终", Role::Modal),
    ("务必", Role::Modal),
    ("一定要", Role::Modal),
    ("需要", Role::Modal),
    ("请", Role::Modal),
    ("忘记", Role::Undo),
    ("如果", Role::Condition),
    ("当", Role::Condition),
    ("因为", Role::Reason),
    ("由于", Role::Reason),
    ("否则", Role::Reason),
    ("以免", Role::Reason),
    ("但是", Role::Contrast),
    ("而是", Role::Contrast),
    ("然而", Role::Contrast),
    ("使用しない", Role::Against),
    ("使わない", Role::Against),
    ("使用禁止", Role::Against),
    ("避ける", Role::Against),
    ("使用する", Role::Use),
    ("使う", Role::Use),
    ("必ず", Role::Modal),
    ("かもしれ", Role::Hedge),
    ("사용하지 마", Role::Against),
    ("사용하지 않", Role::Against),
    ("사용하", Role::Use),
    ("사용한", Role::Use),
    ("반드시", Role::Modal),
    ("항상", Role::Modal),
];

/// Characters of which words are made that say nothing about a subject.
const FUNCTION_CHARACTERS: &str =
    "的了在是和与及或里中上下时对把被将就都也会要为这那到从のをはがにでとも";

/// The marker that a sequence of words starts with, and of how many words it is.
pub(super) fn of_words<'w>(
    mut words: impl Iterator<Item = &'w str> + Clone,
) -> Option<(Role, usize)> {
    let first = words.next()?;
    WORDS
        .iter()
        .find(|(marker, _)| {
            marker.first() == Some(&first)
                && marker[1..]
                    .iter()
                    .copied()
                    .eq(words.clone().take(marker.len() - 1))
        })
        .map(|(marker, role)| (*role, marker.len()))
}

/// The marker that a text starts with, and its length in bytes.
pub(super) fn of_characters(text: &str) -> Option<(Role, usize)> {
    CHARACTERS
        .iter()
        .filter(|(marker, _)| text.starts_with(marker))
        .max_by_key(|(marker, _)| marker.len())
        .map(|(marker, role)| (*role, marker.len()))
}

/// Whether a pair of characters says nothing about a subject.
pub(super) fn is_function_pair(pair: &str) -> bool {
    pair.chars().any(|c| FUNCTION_CHARACTERS.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_marker_hides_behind_a_shorter_one() {
        for (at, (later, _)) in WORDS.iter().enumerate() {
            for (earlier, _) in &WORDS[..at] {
                assert!(!later.starts_with(earlier), "{later:?}");
            }
        }
    }

    #[test]
    fn the_longest_marker_of_characters_counts() {
        assert_eq!(of_characters("不得不用"), Some((Role::Hedge, 9)));
        assert_eq!(of_characters("不得用"), Some((Role::Not, 6)));
        assert_eq!(of_characters("不同"), None);
        assert_eq!(of_words(["do", "not"].into_iter()), Some((Role::Not, 2)));
        assert_eq!(of_words(["do"].into_iter()), None);
    }
}
