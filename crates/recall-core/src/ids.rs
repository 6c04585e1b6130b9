//! Identities and counters as types of their own, so that no two can be exchanged by mistake.

use std::fmt;

/// Why a text cannot be an identity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// The text was empty once white space was trimmed.
    #[error("{kind} must not be empty")]
    Empty {
        /// What the text was meant to be, for example `entry id`.
        kind: &'static str,
    },
    /// The text holds a control character.
    #[error("{kind} must not contain control characters")]
    ControlCharacter {
        /// What the text was meant to be, for example `entry id`.
        kind: &'static str,
    },
}

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident, $kind:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Trims white space, then refuses an empty text and control characters.
            pub fn new(text: impl AsRef<str>) -> Result<Self, IdError> {
                let text = text.as_ref().trim();
                if text.is_empty() {
                    return Err(IdError::Empty { kind: $kind });
                }
                if text.chars().any(char::is_control) {
                    return Err(IdError::ControlCharacter { kind: $kind });
                }
                Ok(Self(text.to_owned()))
            }

            /// As [`Self::new`], with an empty text meaning "none".
            pub fn optional(text: impl AsRef<str>) -> Result<Option<Self>, IdError> {
                match Self::new(text) {
                    Ok(id) => Ok(Some(id)),
                    Err(IdError::Empty { .. }) => Ok(None),
                    Err(error) => Err(error),
                }
            }

            /// The identity as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }
    };
}

text_id!(
    /// The immutable identity of an entry.
    EntryId,
    "entry id"
);
text_id!(
    /// The identity of a session in the archive: `<agent prefix>:<native id>`, no prefix for Claude.
    SessionId,
    "session id"
);
text_id!(
    /// Groups the entries that came from one stretch of work.
    EpisodeId,
    "episode id"
);
text_id!(
    /// Groups the entries of one extraction generation or one review round.
    RunId,
    "run id"
);
text_id!(
    /// The stable id that an agent's own format gives a message.
    SourceUuid,
    "source uuid"
);
text_id!(
    /// The id by which a tool call and its result find each other.
    ToolUseId,
    "tool use id"
);

/// The place of a message in its session. Ordinals rise, but need not be contiguous: a user row
/// that only carried tool results takes an ordinal and is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ordinal(u32);

impl Ordinal {
    /// The first ordinal of a session.
    pub const FIRST: Self = Self(0);

    /// An ordinal from its number.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl TryFrom<i64> for Ordinal {
    type Error = std::num::TryFromIntError;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        u32::try_from(number).map(Self)
    }
}

impl From<Ordinal> for i64 {
    fn from(ordinal: Ordinal) -> Self {
        Self::from(ordinal.0)
    }
}

impl fmt::Display for Ordinal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! revision {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(u64);

        impl $name {
            /// A revision from its number.
            pub const fn new(number: u64) -> Self {
                Self(number)
            }

            /// The number.
            pub const fn get(self) -> u64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

revision!(
    /// Counts changes to what is embedded: title, body and trigger of accepted entries.
    CorpusRevision
);
revision!(
    /// Counts changes to anything that a query can see.
    QueryRevision
);
revision!(
    /// Counts changes to the stored transcript of one session; 1 after the first write.
    TranscriptRevision
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_is_trimmed_and_neither_empty_nor_controlling() {
        assert_eq!(EntryId::new("  a b ").unwrap().as_str(), "a b");
        assert_eq!(
            EntryId::new("   ").unwrap_err().to_string(),
            "entry id must not be empty"
        );
        assert_eq!(
            ToolUseId::new("a\u{1b}[2J").unwrap_err().to_string(),
            "tool use id must not contain control characters"
        );
        assert_eq!(RunId::optional(" "), Ok(None));
    }
}
