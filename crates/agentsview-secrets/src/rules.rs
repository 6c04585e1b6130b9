//! The rules, as data.
//!
//! Formats as their vendors document them. A later tier adds rows and, where needed, columns here,
//! and tests in `validator`; the search itself does not change.

use crate::Confidence;
use crate::validator::Validator;

/// One credential format.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) confidence: Confidence,
    /// How every match starts. No literal of the table is the start of another one.
    pub(crate) literals: &'static [&'static str],
    /// Searched for at the place of a literal only.
    pub(crate) pattern: &'static str,
    pub(crate) edges: Edges,
    /// Every one must agree, on the part after the literal.
    pub(crate) validators: &'static [Validator],
    pub(crate) mask: MaskStyle,
}

/// What must stand around a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edges {
    /// Anything: the format is too telling to occur by chance.
    Free,
    /// No character that could belong to a longer token in front of it.
    Start,
    /// The same, and the match is not the start of a longer word: for a fixed length.
    Both,
}

/// How a match is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MaskStyle {
    /// The literal, an ellipsis and the last four characters.
    Ends,
    /// A fixed text.
    Label(&'static str),
}

/// The tests of a random token.
const TOKEN: &[Validator] = &[
    Validator::Entropy,
    Validator::NoDominantByte,
    Validator::NoRepeatedBlock,
    Validator::NoRun,
    Validator::NoEqualTail,
];

/// The tests of a token that is too short for an entropy.
const SHORT_TOKEN: &[Validator] = &[
    Validator::NoDominantByte,
    Validator::NoRepeatedBlock,
    Validator::NoRun,
    Validator::NoEqualTail,
];

const fn token(
    name: &'static str,
    literals: &'static [&'static str],
    pattern: &'static str,
    edges: Edges,
) -> Rule {
    Rule {
        name,
        confidence: Confidence::Definite,
        literals,
        pattern,
        edges,
        validators: TOKEN,
        mask: MaskStyle::Ends,
    }
}

pub(crate) static RULES: &[Rule] = &[
    Rule {
        validators: &[
            Validator::NoDominantByte,
            Validator::NoRepeatedBlock,
            Validator::NoRun,
            Validator::NoEqualTail,
            Validator::NoDocumentationWord,
        ],
        ..token(
            "aws-access-key",
            &["AKIA", "ASIA"],
            "A[KS]IA[A-Z0-9]{16}",
            Edges::Both,
        )
    },
    token(
        "anthropic-key",
        &["sk-ant-"],
        "sk-ant-[A-Za-z0-9_-]{19,}",
        Edges::Free,
    ),
    token(
        "openai-key",
        &["sk-proj-", "sk-svcacct-", "sk-admin-"],
        "sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}",
        Edges::Free,
    ),
    token(
        "gitlab-pat",
        &["glpat-"],
        "glpat-[A-Za-z0-9_-]{20,}",
        Edges::Free,
    ),
    Rule {
        validators: SHORT_TOKEN,
        ..token("npm-token", &["npm_"], "npm_[A-Za-z0-9]{36}", Edges::Both)
    },
    token(
        "pypi-token",
        // The head that every token for pypi.org shares: version, location.
        &["pypi-AgEIcHlwaS5vcmcC"],
        "pypi-AgEIcHlwaS5vcmcC[A-Za-z0-9_-]{69,}",
        Edges::Free,
    ),
    token(
        "huggingface-token",
        &["hf_"],
        "hf_[A-Za-z0-9]{30,}",
        Edges::Start,
    ),
    token(
        "sendgrid-key",
        &["SG."],
        r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
        Edges::Both,
    ),
    token(
        "github-pat",
        &["ghp_", "github_pat_"],
        "ghp_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{40,}",
        Edges::Both,
    ),
    Rule {
        validators: &[
            Validator::Entropy,
            Validator::NoDominantByte,
            Validator::NoRepeatedBlock,
            Validator::NoRun,
            Validator::NoEqualTail,
            Validator::NoCountingTail,
        ],
        ..token(
            "slack-token",
            &["xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-"],
            "xox[abprs]-[A-Za-z0-9-]{10,}",
            Edges::Free,
        )
    },
    token(
        "stripe-secret",
        &["sk_live_", "rk_live_"],
        "[rs]k_live_[A-Za-z0-9]{16,}",
        Edges::Free,
    ),
    token(
        "google-api-key",
        &["AIza"],
        "AIza[A-Za-z0-9_-]{35}",
        Edges::Both,
    ),
    Rule {
        validators: &[Validator::PemPayload],
        mask: MaskStyle::Label("[redacted private key block]"),
        ..token(
            "private-key-block",
            &["-----BEGIN "],
            // The payload never holds five dashes, so that a row of openings without an end stays
            // linear. A removed line of a diff puts a sixth dash in front of the end.
            "-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-{1,4}[^-])*\
             -{5,6}END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----",
            Edges::Free,
        )
    },
];

/// The names of all rules, as findings carry them.
pub fn rule_names() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_literal_is_the_start_of_another_one() {
        let literals: Vec<_> = RULES.iter().flat_map(|rule| rule.literals).collect();
        for (index, literal) in literals.iter().enumerate() {
            for (other, longer) in literals.iter().enumerate() {
                assert!(
                    index == other || !longer.starts_with(**literal),
                    "{literal} {longer}"
                );
            }
        }
    }

    #[test]
    fn every_rule_has_its_own_name() {
        let mut names: Vec<_> = rule_names().collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), RULES.len());
    }
}
