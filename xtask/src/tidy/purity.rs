//! Policy is values in, values out: the crates below the store do no input or output.

use super::Violation;
use super::floors::floor;
use super::packages::Package;
use super::source::Source;

/// Crates above floor 1 that are pure all the same.
const PURE: &[&str] = &["recall-lexical", "recall-brief"];

/// Crates that do input or output, run tasks, speak SQL or HTTP, or belong to a command line.
const IMPURE: &[&str] = &[
    "anstream",
    "async-std",
    "axum",
    "clap",
    "comfy-table",
    "crossterm",
    "futures",
    "hyper",
    "indicatif",
    "notify",
    "reqwest",
    "rusqlite",
    "smol",
    "sqlx",
    "tempfile",
    "tokio",
    "tower",
    "tracing-subscriber",
    "ureq",
    "walkdir",
];

/// Modules of the standard library that reach outside the process.
const IMPURE_STD: &[&str] = &["env", "fs", "net", "process"];

fn is_pure(name: &str) -> bool {
    floor(name).is_some_and(|floor| floor <= 1) || PURE.contains(&name)
}

pub(crate) fn check_packages(packages: &[Package]) -> Vec<Violation> {
    packages
        .iter()
        .filter(|package| is_pure(&package.name))
        .flat_map(|package| {
            package
                .dependencies
                .iter()
                .filter(|dependency| IMPURE.contains(&dependency.as_str()))
                .map(move |dependency| {
                    Violation::of(package, format!("is pure and depends on {dependency}"))
                })
        })
        .collect()
}

pub(crate) fn check(source: &Source) -> Vec<Violation> {
    if !is_pure(&source.package) {
        return Vec::new();
    }
    source
        .std_modules()
        .filter(|(module, _)| IMPURE_STD.contains(module))
        .map(|(module, line)| {
            Violation::at(
                source,
                line,
                format!("std::{module} in a pure crate; pass the value in"),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pure_crate_may_not_depend_on_a_runtime_or_a_store() {
        let packages = [
            Package::sample("recall-trust", &["tokio", "regex"]),
            Package::sample("recall-brief", &["sqlx"]),
            Package::sample("recall-store", &["sqlx", "tokio"]),
        ];
        let messages: Vec<_> = check_packages(&packages)
            .into_iter()
            .map(|violation| violation.message)
            .collect();
        assert_eq!(
            messages,
            [
                "is pure and depends on tokio",
                "is pure and depends on sqlx"
            ]
        );
    }

    #[test]
    fn a_pure_crate_may_not_reach_outside_the_process() {
        let code = "use std::{fmt, fs::File};\nfn f() { std::env::var(\"X\"); }\n\
                    #[cfg(test)] mod tests { use std::net::Ipv4Addr; }";
        let found = |package| {
            check(&Source::sample(package, "src/a.rs", code))
                .into_iter()
                .map(|violation| violation.place)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            found("recall-text"),
            [
                "crates/recall-text/src/a.rs:1",
                "crates/recall-text/src/a.rs:2"
            ]
        );
        assert!(found("recall-store").is_empty());
    }
}
