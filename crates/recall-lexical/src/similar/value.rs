//! Values as people write them, and whether two of them differ for sure.

/// A value that a sentence gives to something.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A number; the unit as written.
    Number(f64, Option<Unit>),
    /// The parts of a version, most significant first.
    Version(Vec<u32>),
    /// On or off.
    Switch(bool),
    /// Anything else that was assigned, folded.
    Word(String),
}

/// How large a unit is in the smallest of its kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Unit {
    kind: &'static [(&'static [&'static str], f64)],
    size: f64,
}

/// Times in milliseconds, sizes in bytes, parts of a hundred; by their spellings.
const KINDS: &[&[(&[&str], f64)]] = &[
    &[
        (&["ms", "millisecond", "milliseconds", "毫秒"], 1.0),
        (&["s", "sec", "secs", "second", "seconds", "秒"], 1e3),
        (&["min", "mins", "minute", "minutes", "分钟"], 6e4),
        (&["h", "hour", "hours", "小时"], 3.6e6),
        (&["d", "day", "days", "天"], 8.64e7),
    ],
    &[
        (&["b", "byte", "bytes", "字节"], 1.0),
        (&["kb", "kib", "k"], 1024.0),
        (&["mb", "mib", "m"], 1_048_576.0),
        (&["gb", "gib", "g"], 1_073_741_824.0),
    ],
    &[(&["%"], 1.0), (&["of one"], 100.0)],
];

impl Unit {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.to_lowercase();
        KINDS.iter().find_map(|kind| {
            let (_, size) = kind
                .iter()
                .find(|(spellings, _)| spellings.contains(&text.as_str()))?;
            Some(Self { kind, size: *size })
        })
    }
}

impl Value {
    /// Reads one written value. `None` for what is no plain value: a range, a sum, a call.
    pub(super) fn parse(text: &str) -> Option<Self> {
        match text.to_lowercase().as_str() {
            "true" | "on" | "yes" | "enabled" => return Some(Self::Switch(true)),
            "false" | "off" | "no" | "disabled" => return Some(Self::Switch(false)),
            _ => {}
        }
        if let Some(rest) = text.strip_prefix(['v', 'V']) {
            return version(rest).or_else(|| word(text));
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return number(text)
                .or_else(|| version(text).filter(|_| text.matches('.').count() > 1));
        }
        word(text)
    }

    /// Whether two values cannot mean the same. What cannot be compared does not differ.
    pub(super) fn differs(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a, unit), Self::Number(b, other)) => match (unit, other) {
                (None, None) => !is_same(*a, *b),
                (Some(unit), Some(other)) => {
                    unit.kind == other.kind && !is_same(a * unit.size, b * other.size)
                }
                (Some(unit), None) => !may_equal(*b, *a, *unit),
                (None, Some(unit)) => !may_equal(*a, *b, *unit),
            },
            // `1.2` and `1.2.3` may be one version.
            (Self::Version(a), Self::Version(b)) => a.iter().zip(b).any(|(a, b)| a != b),
            (Self::Switch(a), Self::Switch(b)) => a != b,
            (Self::Word(a), Self::Word(b)) => a != b,
            _ => false,
        }
    }
}

/// Whether a bare number equals one with a unit under some unit of that kind.
fn may_equal(bare: f64, number: f64, unit: Unit) -> bool {
    unit.kind
        .iter()
        .any(|(_, size)| is_same(bare * size, number * unit.size))
}

fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

fn number(text: &str) -> Option<Value> {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_' | ',')))
        .unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    if digits.contains(',') && !is_grouped(digits) {
        return None;
    }
    let number: f64 = digits.replace(['_', ','], "").parse().ok()?;
    match unit {
        "" => Some(Value::Number(number, None)),
        unit => Some(Value::Number(number, Some(Unit::parse(unit)?))),
    }
}

/// Whether commas stand between groups of three digits only.
fn is_grouped(digits: &str) -> bool {
    let whole = digits.split('.').next().unwrap_or_default();
    whole.split(',').skip(1).all(|group| group.len() == 3)
}

fn version(text: &str) -> Option<Value> {
    let parts: Option<Vec<u32>> = text.split('.').map(|part| part.parse().ok()).collect();
    parts.map(Value::Version)
}

/// A plain word. One with `_` is rather the name of a variable that holds the value.
fn word(text: &str) -> Option<Value> {
    let plain = text.starts_with(char::is_alphabetic)
        && text.chars().all(|c| c.is_alphanumeric() || c == '-');
    plain.then(|| Value::Word(text.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differ(a: &str, b: &str) -> bool {
        let (a, b) = (Value::parse(a).unwrap(), Value::parse(b).unwrap());
        assert_eq!(a.differs(&b), b.differs(&a));
        a.differs(&b)
    }

    #[test]
    fn one_value_in_two_spellings_is_the_same() {
        for (a, b) in [
            ("5000", "5_000"),
            ("5000", "5,000"),
            ("5000ms", "5s"),
            ("5000", "5s"),
            ("1", "1.0"),
            ("true", "on"),
            ("disabled", "No"),
            ("v1.2", "v1.2.3"),
            ("1.2.3", "v1.2"),
            ("WAL", "wal"),
            ("0.5", "50%"),
            ("1024", "1KB"),
        ] {
            assert!(!differ(a, b), "{a} {b}");
        }
    }

    #[test]
    fn other_values_differ() {
        for (a, b) in [
            ("5000", "100"),
            ("5000", "100ms"),
            ("10s", "5000ms"),
            ("v1.2", "v2.0"),
            ("true", "off"),
            ("WAL", "DELETE"),
            ("0.5", "60%"),
        ] {
            assert!(differ(a, b), "{a} {b}");
        }
    }

    #[test]
    fn what_cannot_be_compared_does_not_differ() {
        assert!(!differ("5s", "100MB"));
        assert!(!differ("1", "false"));
        assert!(!differ("auto", "7"));
        for odd in ["12,5", "3x", "f(1)", "1-2", "old_mode", "", "'"] {
            assert_eq!(Value::parse(odd), None, "{odd}");
        }
    }
}
