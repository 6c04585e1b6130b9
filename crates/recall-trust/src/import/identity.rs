//! Identities as a line may give them: what one looks like is what it is.

use std::sync::LazyLock;

use recall_core::IdError;
use regex::Regex;

use super::error::LineError;

/// What Unicode wants shown as nothing: bidirectional controls, zero-width characters, variation
/// selectors, tags. With one of them two different ids look the same.
#[expect(
    clippy::expect_used,
    reason = "a constant pattern that every test of this file compiles"
)]
pub(crate) static INVISIBLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\p{Default_Ignorable_Code_Point}").expect("a constant pattern compiles")
});

/// Reads the identity that the member `name` gives; a refusal names it as the line does.
pub(super) fn identity<'t, T>(
    name: &'static str,
    text: &'t str,
    read: impl FnOnce(&'t str) -> Result<T, IdError>,
) -> Result<T, LineError> {
    let id = read(text).map_err(|error| match error {
        IdError::ControlCharacter { .. } => LineError::ControlCharacters(name),
        IdError::Empty { .. } => LineError::Missing(name),
    })?;
    match INVISIBLE
        .find(text)
        .and_then(|found| found.as_str().chars().next())
    {
        Some(found) => Err(LineError::InvisibleCharacters { name, found }),
        None => Ok(id),
    }
}

#[cfg(test)]
mod tests {
    use recall_core::EntryId;

    use super::*;

    fn read(text: &str) -> Result<EntryId, LineError> {
        identity("candidate_id", text, EntryId::new)
    }

    #[test]
    fn an_id_that_looks_like_another_is_refused() {
        let hidden = [
            '\u{61c}',
            '\u{200b}',
            '\u{200c}',
            '\u{200d}',
            '\u{200e}',
            '\u{200f}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{feff}',
            '\u{e0000}',
            '\u{e007f}',
            '\u{ad}',
            '\u{fe0f}',
        ];
        for found in hidden {
            for text in [
                format!("{found}a"),
                format!("a{found}b"),
                format!("a{found}"),
            ] {
                assert_eq!(
                    read(&text),
                    Err(LineError::InvisibleCharacters {
                        name: "candidate_id",
                        found
                    })
                );
            }
        }
        assert_eq!(
            read("a\u{202e}b").unwrap_err().to_string(),
            "candidate_id must not contain invisible characters or ones that turn the direction of \
             text, found U+202E"
        );
    }

    #[test]
    fn an_id_may_be_in_any_script() {
        for id in [
            "c-1",
            "claude:0b1c/2",
            "データ",
            "ключ",
            "مفتاح",
            "é",
            "two words",
        ] {
            assert!(read(id).is_ok(), "{id}");
        }
    }
}
