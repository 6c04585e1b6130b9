//! A crate imports only from lower floors: no cycles, nothing sideways.

use super::Violation;
use super::packages::Package;

/// Every crate of the workspace with its floor.
const FLOORS: &[(&str, u8)] = &[
    ("recall-core", 0),
    ("recall-trust", 1),
    ("recall-text", 1),
    ("recall-vector", 1),
    ("recall-config", 1),
    ("agentsview-secrets", 1),
    ("agentsview-formats", 1),
    ("recall-lexical", 2),
    ("recall-brief", 2),
    ("recall-store", 2),
    ("agentsview-outbound", 2),
    ("recall-index", 3),
    ("recall-embed", 3),
    ("recall-extract", 3),
    ("recall-engine", 4),
    ("agentsview-sync", 4),
    ("agentsview-insights", 4),
    ("agentsview-api", 5),
    ("agentsview-server", 6),
    ("agentsview-mcp", 6),
    ("agentsview", 7),
    ("retrieval-evaluation", 7),
    ("xtask", 8),
];

/// The floor of a crate; `None` for one of a registry, or one that was never given a floor.
pub(crate) fn floor(name: &str) -> Option<u8> {
    FLOORS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, floor)| *floor)
}

pub(crate) fn check(packages: &[Package]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for package in packages {
        let Some(own) = floor(&package.name) else {
            violations.push(Violation::of(
                package,
                "has no floor; give it one in xtask/src/tidy/floors.rs and in the architecture",
            ));
            continue;
        };
        for dependency in &package.dependencies {
            if let Some(other) = floor(dependency).filter(|other| *other >= own) {
                violations.push(Violation::of(
                    package,
                    format!("is on floor {own} and imports {dependency} from floor {other}"),
                ));
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(packages: &[Package]) -> Vec<String> {
        check(packages)
            .into_iter()
            .map(|violation| violation.message)
            .collect()
    }

    #[test]
    fn an_import_from_a_lower_floor_is_fine() {
        let packages = [
            Package::sample("recall-core", &["serde"]),
            Package::sample("recall-brief", &["recall-core", "recall-text"]),
        ];
        assert_eq!(check(&packages), []);
    }

    #[test]
    fn an_import_from_the_same_or_a_higher_floor_is_refused() {
        assert_eq!(
            messages(&[Package::sample(
                "recall-brief",
                &["recall-lexical", "recall-engine"]
            )]),
            [
                "is on floor 2 and imports recall-lexical from floor 2",
                "is on floor 2 and imports recall-engine from floor 4"
            ]
        );
    }

    #[test]
    fn a_crate_without_a_floor_is_refused() {
        assert!(messages(&[Package::sample("recall-attic", &[])])[0].starts_with("has no floor"));
    }

    #[test]
    fn every_crate_stands_on_one_floor() {
        for (index, (name, _)) in FLOORS.iter().enumerate() {
            assert_eq!(
                FLOORS.iter().position(|(other, _)| other == name),
                Some(index)
            );
        }
    }
}
