//! What a scan reports.

use std::fmt;
use std::ops::Range;

use crate::matching::{RawMatch, raw_matches};

/// The longest text that is scanned, in bytes.
pub const MAX_FIELD_BYTES: usize = 8 * 1024 * 1024;

/// How sure a rule is: its tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// A vendor's own format that does not look like a placeholder. Counts as a leak.
    Definite,
}

impl Confidence {
    /// The word that stands for this tier in storage, and for its scope in a version.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Definite => "definite",
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Where a credential stands. The credential itself is not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The name of the rule.
    pub rule: &'static str,
    /// The tier of the rule.
    pub confidence: Confidence,
    /// Bytes of the scanned text, on character boundaries.
    pub range: Range<usize>,
    /// How the credential may be shown: its prefix and its last four characters, or a label.
    pub masked: String,
}

/// What a scan of one text came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a text that could not be scanned is not a clean one"]
pub enum ScanOutcome {
    /// The whole text was looked through; by rising start, none inside another one.
    Scanned(Vec<Finding>),
    /// The text is longer than [`MAX_FIELD_BYTES`]. It must not pass for clean.
    TooLong {
        /// The length in bytes.
        bytes: usize,
    },
}

impl ScanOutcome {
    /// Whether the whole text was looked through and nothing was found.
    pub fn is_clean(&self) -> bool {
        matches!(self, Self::Scanned(findings) if findings.is_empty())
    }
}

/// Looks through one text of a transcript.
pub fn scan(text: &str) -> ScanOutcome {
    if text.len() > MAX_FIELD_BYTES {
        return ScanOutcome::TooLong { bytes: text.len() };
    }
    let mut matches = raw_matches(text);
    drop_enclosed(&mut matches);
    ScanOutcome::Scanned(
        matches
            .into_iter()
            .map(|found| Finding {
                rule: found.rule.name,
                confidence: found.rule.confidence,
                masked: found.masked(text),
                range: found.range,
            })
            .collect(),
    )
}

/// Drops every match that lies inside another one: the same leak is counted once.
fn drop_enclosed(matches: &mut Vec<RawMatch>) {
    // Starts rise, so that only an earlier match can enclose a later one.
    let mut end = 0;
    matches.retain(|found| {
        let enclosed = found.range.end <= end;
        end = end.max(found.range.end);
        !enclosed
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::credential;

    fn findings(text: &str) -> Vec<Finding> {
        match scan(text) {
            ScanOutcome::Scanned(findings) => findings,
            ScanOutcome::TooLong { bytes } => panic!("{bytes} bytes are too long"),
        }
    }

    #[test]
    fn a_finding_shows_prefix_and_end_and_never_the_middle() {
        let cases = [
            ("aws-access-key", "AKIA…"),
            ("anthropic-key", "sk-ant-…"),
            ("openai-key", "sk-proj-…"),
            ("pypi-token", "pypi-AgEIcHlwaS5vcmcC…"),
            ("stripe-secret", "rk_live_…"),
        ];
        for (rule, prefix) in cases {
            let credential = credential(rule);
            let found = &findings(&credential)[0];
            assert_eq!(
                found.masked,
                format!("{prefix}{}", &credential[credential.len() - 4..])
            );
        }
        assert_eq!(
            findings(&credential("private-key-block"))[0].masked,
            "[redacted private key block]"
        );
    }

    #[test]
    fn a_key_inside_another_one_is_one_finding() {
        let text = format!("sk-ant-api03-{}", credential("stripe-secret"));
        let found = findings(&text);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].rule, "anthropic-key");
        assert_eq!(found[0].range, 0..text.len());
    }

    #[test]
    fn a_text_over_the_cap_is_not_clean() {
        let text = "a".repeat(MAX_FIELD_BYTES + 1);
        assert_eq!(scan(&text), ScanOutcome::TooLong { bytes: text.len() });
        assert!(!scan(&text).is_clean());
        assert!(scan(&text[..MAX_FIELD_BYTES]).is_clean());
    }
}
