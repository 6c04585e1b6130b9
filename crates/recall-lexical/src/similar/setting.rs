//! Which values a sentence gives to which settings: `busy_timeout = 5000`, `--jobs 4`.

use std::ops::Range;

use super::lexeme::{Lexeme, Name, NameKind, What};
use super::value::{Unit, Value};

/// A setting and the value that a sentence gives to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Setting {
    pub(super) key: String,
    /// Where the sentence names it.
    pub(super) subject: Range<usize>,
    pub(super) value: Value,
    /// Where the value stands, with its unit.
    pub(super) written: Range<usize>,
    /// Whether the key alone tells what is set. `indent = 2` may be said of anything.
    pub(super) is_named: bool,
}

/// What may stand between a name and its value, weakest first: the more, the surer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Link {
    Blank,
    Word,
    Equals,
}

/// Words that lead from a name to its value.
const LINKS: &[&str] = &[
    "is",
    "are",
    "be",
    "to",
    "of",
    "at",
    "set",
    "must",
    "should",
    "equals",
    "stays",
    "needs",
    "defaults",
    "设置为",
    "设为",
    "设成",
    "改为",
    "调到",
    "应为",
    "应该是",
    "必须是",
    "是",
    "为",
    "を",
    "は",
];

/// A number directly before one of these counts something; it is no value.
const COUNTED: &[&str] = &[
    "time", "times", "line", "lines", "more", "other", "others", "of", "次",
];

/// How far back the bracket of a call is looked for, in bytes.
const LONGEST_CALL: usize = 200;

/// The settings of a sentence in order. `asserted` says which lexemes count.
pub(super) fn settings(sentence: &str, lexemes: &[Lexeme], asserted: &[bool]) -> Vec<Setting> {
    lexemes
        .iter()
        .zip(asserted)
        .filter(|(_, asserted)| **asserted)
        .filter_map(|(lexeme, _)| setting(sentence, lexeme))
        .collect()
}

fn setting(sentence: &str, lexeme: &Lexeme) -> Option<Setting> {
    let (key, least, is_named) = match &lexeme.what {
        What::Name(Name {
            key,
            kind: NameKind::Setting,
        }) => (key.clone(), Link::Blank, true),
        What::Name(Name {
            key,
            kind: NameKind::Symbol,
        }) => (key.clone(), Link::Equals, true),
        What::Word { .. } => (
            sentence[lexeme.span.clone()].to_lowercase(),
            Link::Equals,
            false,
        ),
        What::Name(_) | What::Marker(_) | What::Filler => return None,
    };
    if key.starts_with(|c: char| c.is_ascii_digit()) || is_argument(&sentence[..lexeme.span.start])
    {
        return None;
    }
    let (link, start) = link(sentence, lexeme.span.end)?;
    if link < least {
        return None;
    }
    let (value, end) = value_at(sentence, start, link)?;
    let is_word = matches!(value, Value::Word(_));
    let takes_words = least == Link::Blank && link == Link::Equals;
    (!is_word || takes_words).then_some(Setting {
        key,
        subject: lexeme.span.clone(),
        value,
        written: start..end,
        is_named,
    })
}

/// Whether what follows stands in the brackets of a call, `dumps(x, sort_keys=True)`: that is the
/// value there and then.
fn is_argument(before: &str) -> bool {
    let before = &before[before.ceil_char_boundary(before.len().saturating_sub(LONGEST_CALL))..];
    let mut depth = 0_usize;
    for (at, c) in before.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' if depth > 0 => depth -= 1,
            '(' => return before[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'),
            _ => {}
        }
    }
    false
}

/// How a name that ends at `from` is linked to what follows, and where that starts.
fn link(sentence: &str, from: usize) -> Option<(Link, usize)> {
    let mut link = Link::Blank;
    let mut at = from;
    // Each turn reads one word; no link has more.
    for _ in 0..5 {
        let rest = &sentence[at..];
        let bare = rest.trim_start_matches([' ', '\t', '`', '"', '\'']);
        at += rest.len() - bare.len();
        if bare.starts_with("==") || bare.starts_with("=>") {
            return None;
        }
        let step = if let Some(sign) = [":=", "=", "→", "->"]
            .iter()
            .find(|sign| bare.starts_with(**sign))
        {
            link = Link::Equals;
            sign.len()
        } else if let Some(sign) = [":", "："].iter().find(|sign| bare.starts_with(**sign)) {
            link = link.max(Link::Word);
            sign.len()
        } else if let Some(length) = link_word(bare) {
            link = link.max(Link::Word);
            length
        } else if let Some(old) = changed_from(bare) {
            old
        } else {
            return (at > from).then_some((link, at));
        };
        at += step;
    }
    None
}

/// The length of the linking word that a text starts with.
fn link_word(text: &str) -> Option<usize> {
    LINKS.iter().map(|word| word.len()).find(|length| {
        text.get(..*length).is_some_and(|start| {
            let ends = !start.is_ascii()
                || !text[*length..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
            ends && LINKS.contains(&start)
        })
    })
}

/// The length of `from 100` before `to 5000`: the value that no longer holds.
fn changed_from(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("from ")?;
    let old = rest.split(' ').next()?;
    rest[old.len()..]
        .starts_with(" to ")
        .then_some("from ".len() + old.len())
}

/// The value that stands at `start`, and where it ends, its unit included.
fn value_at(sentence: &str, start: usize, link: Link) -> Option<(Value, usize)> {
    let text = &sentence[start..];
    let mut length = 0;
    for (at, c) in text.char_indices() {
        let grouped = c == ',' && text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
        let part = c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '%' | '(' | '[');
        if !part && !grouped {
            break;
        }
        length = at + c.len_utf8();
    }
    let written = text[..length].trim_end_matches(['.', '-']);
    let end = start + written.len();
    if sentence[end..].starts_with(['+', '*', '/', '\\', ':']) && !sentence[end..].starts_with(": ")
    {
        return None;
    }
    let value = Value::parse(written)?;
    let follows = sentence[end..].trim_start_matches([' ', '`', '"', '\'']);
    let gap = sentence.len() - end - follows.len();
    let next: &str = follows
        .split(|c: char| !c.is_ascii_alphabetic())
        .next()
        .unwrap_or_default();
    let next = if next.is_empty() {
        chinese_unit(follows)
    } else {
        next
    };
    match value {
        Value::Number(number, None) => {
            if COUNTED.contains(&next) && link == Link::Blank {
                return None;
            }
            let unit = (gap <= 1).then(|| Unit::parse(next)).flatten();
            let end = if unit.is_some() {
                end + gap + next.len()
            } else {
                end
            };
            Some((Value::Number(number, unit), end))
        }
        // `on` and `no` are words of their own: `busy_timeout is on every connection`.
        Value::Switch(_) if !matches!(written, "true" | "false") => {
            (link > Link::Blank && next.is_empty()).then_some((value, end))
        }
        value => Some((value, end)),
    }
}

/// The Chinese unit that a text starts with.
fn chinese_unit(text: &str) -> &str {
    ["毫秒", "秒", "分钟", "小时", "天", "字节", "次"]
        .into_iter()
        .find(|unit| text.starts_with(unit))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::lexeme::lexemes;
    use super::*;

    fn shown(sentence: &str) -> Vec<String> {
        let lexemes = lexemes(sentence);
        settings(sentence, &lexemes, &vec![true; lexemes.len()])
            .into_iter()
            .map(|setting| format!("{} {}", setting.key, &sentence[setting.written]))
            .collect()
    }

    #[test]
    fn a_value_is_found_however_it_is_given() {
        for (sentence, setting) in [
            ("Keep busy_timeout 5000 in the pool.", "busytimeout 5000"),
            ("busy_timeout = 100", "busytimeout 100"),
            ("Set `busy_timeout` to 5,000 ms.", "busytimeout 5,000 ms"),
            ("raise busy_timeout from 100 to 5000.", "busytimeout 5000"),
            ("busy_timeout: 5s", "busytimeout 5s"),
            ("pass --jobs=4", "--jobs 4"),
            ("wal=true", "wal true"),
            ("`journal_mode=WAL`", "journalmode WAL"),
            ("auto_vacuum should be off", "autovacuum off"),
            (
                "将 busy_timeout 设置为 5000 毫秒。",
                "busytimeout 5000 毫秒",
            ),
            ("base_image = v1.2", "baseimage v1.2"),
            ("Raise it (busy_timeout = 5000).", "busytimeout 5000"),
        ] {
            assert_eq!(shown(sentence), [setting], "{sentence}");
        }
    }

    #[test]
    fn what_only_looks_like_a_value_is_none() {
        for sentence in [
            "see pool.go:12",
            "E0597 3 times",
            "busy_timeout 3 times in a row",
            "busy_timeout is on every connection",
            "if busy_timeout == 5",
            "busy_timeout = max(1, 2)",
            "busy_timeout >= 5",
            "lock_file waits",
            "The timeout is 5",
            "db = database",
            "call json.dumps(row, sort_keys=True)",
        ] {
            assert_eq!(shown(sentence), Vec::<String>::new(), "{sentence}");
        }
    }
}
