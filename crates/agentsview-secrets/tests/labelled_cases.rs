//! The scanner against a file of labelled strings, which is not part of the repository.
//!
//! Set `AGENTSVIEW_SECRETS_CASES` to a JSON Lines file whose members are `id`, `label` (`secret`,
//! `placeholder`, `benign`), `parts` (to be put together) and `reference.findings` (`rule`, `tier`,
//! `start`, `end`, `redacted`). Without the variable the test says so and passes.

use std::fs;

use agentsview_secrets::{Finding, ScanOutcome, rule_names, scan};
use serde_json::Value;

/// `None` for a text over the cap.
fn findings(text: &str) -> Option<Vec<Finding>> {
    match scan(text) {
        ScanOutcome::Scanned(findings) => Some(findings),
        ScanOutcome::TooLong { .. } => None,
    }
}

#[test]
fn labelled_secrets_of_our_rules_are_found_and_nothing_else_is() {
    let Ok(path) = std::env::var("AGENTSVIEW_SECRETS_CASES") else {
        eprintln!("skipped: AGENTSVIEW_SECRETS_CASES names no file of labelled strings");
        return;
    };
    let rules: Vec<_> = rule_names().collect();
    let mut secrets = 0;
    for line in fs::read_to_string(path).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text: String = case["parts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|part| part.as_str().unwrap())
            .collect();
        let found = findings(&text).unwrap();
        if case["label"] != "secret" {
            assert_eq!(found, [], "{}", case["id"]);
            continue;
        }
        for expected in case["reference"]["findings"].as_array().unwrap() {
            let rule = expected["rule"].as_str().unwrap();
            if expected["tier"] != "definite" || !rules.contains(&rule) {
                continue;
            }
            secrets += 1;
            let finding = found
                .iter()
                .find(|finding| finding.rule == rule)
                .unwrap_or_else(|| panic!("{}: no {rule}", case["id"]));
            assert_eq!(Some(finding.range.start as u64), expected["start"].as_u64());
            assert_eq!(Some(finding.range.end as u64), expected["end"].as_u64());
            assert_eq!(finding.masked, expected["redacted"], "{}", case["id"]);
        }
    }
    assert!(secrets > 0, "the file holds no secret of our rules");
}
