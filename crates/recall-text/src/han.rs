//! Traditional and simplified Chinese characters.

use std::sync::LazyLock;

use hanconv::RawDictionary;

const FIRST: u32 = 0x3400;
const LAST: u32 = 0x9fff;

/// The simplified form of every character of the two old blocks, by its distance from [`FIRST`].
/// Reading it from the text of the dictionary takes less than half a millisecond, once.
static SIMPLIFIED: LazyLock<Vec<char>> = LazyLock::new(|| {
    let mut table: Vec<char> = (FIRST..=LAST).filter_map(char::from_u32).collect();
    for (from, to) in RawDictionary::TSCharacters.iter() {
        let (Some(from), Some(to)) = (only(from), only(to)) else {
            continue;
        };
        if let Some(form) = place(from).and_then(|at| table.get_mut(at)) {
            *form = to;
        }
    }
    // A few simplified forms were simplified again.
    let again = |c: char| place(c).and_then(|at| table.get(at).copied()).unwrap_or(c);
    table.iter().map(|form| again(*form)).collect()
});

/// The simplified form of a traditional character; any other character itself.
///
/// One form stands for several characters now and then (后 for 后 and 後). The Japanese forms of
/// the last reform (拡, 済) are left as they are, and the older ones that Japanese shares with
/// traditional Chinese change on both sides alike.
pub(crate) fn simplified(c: char) -> char {
    place(c)
        .and_then(|at| SIMPLIFIED.get(at).copied())
        .unwrap_or(c)
}

fn place(c: char) -> Option<usize> {
    (FIRST..=LAST)
        .contains(&(c as u32))
        .then(|| (c as u32 - FIRST) as usize)
}

fn only(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traditional_and_simplified_characters_meet() {
        let meet = |one: &str, other: &str| one.chars().map(simplified).eq(other.chars());
        assert!(meet("資料庫鎖定", "资料库锁定"));
        assert!(meet("後裡麼臺", "后里么台"));
        assert!(meet("拡張済みの広告", "拡张済みの広告"));
    }

    #[test]
    fn a_simplified_form_is_its_own() {
        for c in (FIRST..=LAST).filter_map(char::from_u32) {
            let once = simplified(c);
            assert_eq!(simplified(once), once, "{c}");
        }
    }
}
