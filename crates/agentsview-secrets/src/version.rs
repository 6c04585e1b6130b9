//! The stamp of the rules.

use std::fmt::Write as _;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use crate::Confidence;
use crate::rules::RULES;

/// Raised by hand when the code of a validator, of the edges or of the search changes what is
/// found; the table itself is part of the digest.
const ALGORITHM: u32 = 1;

static DEFINITE: LazyLock<String> = LazyLock::new(|| {
    let mut digest = Sha256::new();
    // Every part with its length in front, so that no two tables run together to the same bytes.
    let mut add = |part: &str| {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part.as_bytes());
    };
    add(&ALGORITHM.to_string());
    add(Confidence::Definite.as_str());
    for rule in RULES
        .iter()
        .filter(|rule| rule.confidence == Confidence::Definite)
    {
        add(rule.name);
        add(rule.confidence.as_str());
        add(rule.pattern);
        add(&format!("{:?}", rule.edges));
        add(&rule.literals.len().to_string());
        rule.literals.iter().for_each(|literal| add(literal));
        add(&rule.validators.len().to_string());
        rule.validators
            .iter()
            .for_each(|validator| add(validator.name()));
    }
    digest
        .finalize()
        .iter()
        .fold(String::new(), |mut hex, byte| {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
});

/// The version of the definite rules: the lower-case hex SHA-256 of the algorithm number, the scope
/// word `definite` and every rule. A text with another stamp was looked at by other rules.
pub fn rules_version() -> &'static str {
    &DEFINITE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A changed rule changes this by itself; a changed validator needs another [`ALGORITHM`].
    #[test]
    fn the_version_is_pinned() {
        assert_eq!(
            rules_version(),
            "5cbca454a44c3f5717669ae0240cbe8cd672aac0926503e4b6d0675544d61592"
        );
    }
}
