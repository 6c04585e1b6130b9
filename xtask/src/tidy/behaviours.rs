//! Every numbered behaviour is proven by a test named after it, or listed as a deviation.
//!
//! `docs/behaviours.md` has one row a behaviour; its last cell names the files of the tests, or says
//! "deviation", or both. A test proves behaviour 7 by its name: `model_007_…`, and several with
//! `model_007_and_008_…`. A deviation has its reason in `docs/deviations.md`, in a row with the mark
//! `(M7)`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::source::Source;
use super::{TidyError, Violation};

const TABLE: &str = "docs/behaviours.md";
const DEVIATIONS: &str = "docs/deviations.md";

/// Reads both pages and holds them against the tests.
pub(crate) fn check_workspace(
    workspace: &Path,
    sources: &[Source],
) -> Result<Vec<Violation>, TidyError> {
    let read = |page: &str| {
        let path = workspace.join(page);
        fs::read_to_string(&path).map_err(|error| TidyError::Read { path, error })
    };
    Ok(check(&read(TABLE)?, &read(DEVIATIONS)?, sources))
}

/// One row of the table.
#[derive(Debug)]
struct Row<'a> {
    line: usize,
    number: u32,
    /// Where the tests are, as paths in the workspace.
    files: Vec<&'a str>,
    is_deviation: bool,
}

fn check(table: &str, deviations: &str, sources: &[Source]) -> Vec<Violation> {
    let rows = rows(table);
    let tests = tests(sources);
    let excused = marks(deviations);
    let at = |row: &Row<'_>, message: String| Violation {
        place: format!("{TABLE}:{}", row.line),
        message,
    };
    let mut violations = Vec::new();
    for (expected, row) in (1..).zip(&rows) {
        let number = row.number;
        if number != expected {
            let message = format!("behaviour {number} where {expected} is due");
            violations.push(at(row, message));
            break;
        }
        if row.files.is_empty() && !row.is_deviation {
            let message = format!("behaviour {number} names neither a test nor a deviation");
            violations.push(at(row, message));
        }
        let proven = tests.get(&number);
        for file in &row.files {
            if !proven.is_some_and(|paths| paths.contains(file)) {
                let message = format!("{file} has no test named model_{number:03}_");
                violations.push(at(row, message));
            }
        }
        if row.is_deviation && !excused.contains(&number) {
            let message = format!("no row of {DEVIATIONS} has the mark (M{number})");
            violations.push(at(row, message));
        }
        if !row.is_deviation && excused.contains(&number) {
            let message = format!("{DEVIATIONS} has the mark (M{number}); say \"deviation\" here");
            violations.push(at(row, message));
        }
    }
    let last = rows.last().map_or(0, |row| row.number);
    let strange = tests
        .keys()
        .chain(&excused)
        .filter(|number| **number > last);
    violations.extend(strange.map(|number| Violation {
        place: TABLE.to_owned(),
        message: format!("behaviour {number} is named elsewhere and has no row here"),
    }));
    violations
}

/// The rows of the table: lines of three cells, of which the first is a number.
fn rows(table: &str) -> Vec<Row<'_>> {
    (1..)
        .zip(table.lines())
        .filter_map(|(line, text)| row(line, text))
        .collect()
}

fn row(line: usize, text: &str) -> Option<Row<'_>> {
    let cells: Vec<&str> = text.trim().trim_matches('|').split('|').collect();
    let [number, _, proof] = cells.as_slice() else {
        return None;
    };
    Some(Row {
        line,
        number: number.trim().parse().ok()?,
        // Every second piece stands between two backticks.
        files: proof.split('`').skip(1).step_by(2).collect(),
        is_deviation: proof.contains("deviation"),
    })
}

/// The numbers that stand as `(M7)` in the page.
fn marks(page: &str) -> BTreeSet<u32> {
    page.split("(M")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .flat_map(|mark| mark.split(", M"))
        .filter_map(|number| number.parse().ok())
        .collect()
}

/// The files of the tests that are named after each behaviour.
fn tests(sources: &[Source]) -> BTreeMap<u32, BTreeSet<&str>> {
    let mut tests: BTreeMap<u32, BTreeSet<&str>> = BTreeMap::new();
    for source in sources {
        for name in source.test_functions() {
            for number in numbers(name) {
                tests.entry(number).or_default().insert(&source.path);
            }
        }
    }
    tests
}

/// The numbers at the beginning of a test's name.
fn numbers(name: &str) -> Vec<u32> {
    let mut numbers = Vec::new();
    let mut rest = name.strip_prefix("model_");
    while let Some((digits, after)) = rest.and_then(|rest| rest.split_once('_')) {
        let Some(number) = (digits.len() == 3).then(|| digits.parse().ok()).flatten() else {
            break;
        };
        numbers.push(number);
        rest = after.strip_prefix("and_");
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEVIATES: &str = "| theirs | ours | because (M2) |\n| a | b | c (M4, M5) |\n";

    fn messages(table: &str, deviations: &str) -> Vec<String> {
        let code = "fn model_001_is_no_test() {} #[cfg(test)] mod tests { \
                    #[test] fn model_001_starts() {} \
                    #[tokio::test] async fn model_003_and_004_go_together() {} }";
        let source = Source::sample("recall-core", "src/a.rs", code);
        check(table, deviations, &[source])
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// A table of five rows with these proofs.
    fn table(proofs: [&str; 5]) -> String {
        let rows: Vec<String> = (1..)
            .zip(proofs)
            .map(|(number, proof)| format!("| {number} | it is so | {proof} |\n"))
            .collect();
        format!(
            "# Page\n\n| number | behaviour | proven in |\n| --- | --- | --- |\n{}",
            rows.concat()
        )
    }

    const FILE: &str = "`crates/recall-core/src/a.rs`";
    const BOTH: &str = "deviation; `crates/recall-core/src/a.rs`";

    #[test]
    fn a_behaviour_with_a_test_of_its_name_or_a_reason_is_fine() {
        let sound = table([FILE, "deviation", FILE, BOTH, "deviation"]);
        assert!(messages(&sound, DEVIATES).is_empty());
    }

    #[test]
    fn a_behaviour_without_either_is_found() {
        let table = table(["", "deviation", FILE, BOTH, FILE]);
        assert_eq!(
            messages(&table, DEVIATES),
            [
                "docs/behaviours.md:5: behaviour 1 names neither a test nor a deviation",
                "docs/behaviours.md:9: crates/recall-core/src/a.rs has no test named model_005_",
                "docs/behaviours.md:9: docs/deviations.md has the mark (M5); say \"deviation\" here",
            ]
        );
    }

    #[test]
    fn a_deviation_needs_its_reason() {
        let table = table([FILE, "deviation", FILE, BOTH, "deviation"]);
        assert_eq!(
            messages(&table, "(M4, M5)"),
            ["docs/behaviours.md:6: no row of docs/deviations.md has the mark (M2)"]
        );
    }

    #[test]
    fn no_number_is_left_out_and_none_is_without_a_row() {
        let short = "| 1 | it is so | `crates/recall-core/src/a.rs` |\n";
        let strange = |number: u32| {
            format!("docs/behaviours.md: behaviour {number} is named elsewhere and has no row here")
        };
        assert_eq!(messages(short, "(M1)").len(), 3);
        assert_eq!(messages(short, ""), [strange(3), strange(4)]);
        assert_eq!(
            messages("| 2 | it is so | deviation |\n", "(M2)")[0],
            "docs/behaviours.md:1: behaviour 2 where 1 is due"
        );
    }

    #[test]
    fn the_numbers_of_a_name_stand_at_its_beginning() {
        assert_eq!(numbers("model_090_and_091_a_line"), [90, 91]);
        assert_eq!(numbers("model_130_chunks_of_2000"), [130]);
        for none in [
            "a_model_001_x",
            "model_1_x",
            "model_x",
            "model_0001_x",
            "model_001",
        ] {
            assert!(numbers(none).is_empty(), "{none}");
        }
    }
}
