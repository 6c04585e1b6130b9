//! Looking for credentials in text that is about to become part of an entry.

use std::borrow::Cow;

use agentsview_secrets::ScanOutcome;
use recall_text::clean_block;

/// Why a text may not be kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScreenError {
    /// It holds what looks like a credential.
    #[error("{field} holds what looks like a secret ({rule}: {masked}); take it out")]
    Secret {
        /// The text's name.
        field: String,
        /// The rule that found it.
        rule: String,
        /// What was found, masked.
        masked: String,
    },
    /// It is too long to be looked through.
    #[error("{field} has {bytes} bytes, too many to look for secrets in; shorten it")]
    Unscanned {
        /// The text's name.
        field: String,
        /// Its length in bytes.
        bytes: usize,
    },
}

/// Refuses the first text that holds a credential: entries are made to travel.
pub(crate) fn screen<'a>(
    texts: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<(), ScreenError> {
    for (field, text) in texts {
        // Cleaning takes out invisible characters, so what they split comes out whole where the
        // text is shown.
        for text in [Cow::Borrowed(text), clean_block(text)] {
            match agentsview_secrets::scan(&text) {
                ScanOutcome::Scanned(findings) => {
                    if let Some(finding) = findings.first() {
                        return Err(ScreenError::Secret {
                            field: field.to_owned(),
                            rule: finding.rule.to_string(),
                            masked: finding.masked.clone(),
                        });
                    }
                }
                ScanOutcome::TooLong { bytes } => {
                    return Err(ScreenError::Unscanned {
                        field: field.to_owned(),
                        bytes,
                    });
                }
            }
        }
    }
    Ok(())
}
