//! What others reach on the same sets, out of the table in `BASELINE.md` beside them.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Serialize;

use crate::{EvaluationError, Measure};

/// The columns of the table, in order.
const COLUMNS: [&str; 9] = [
    "set",
    "queries",
    "BM25 hit@1",
    "hit@5",
    "nDCG@10",
    "silent when it should be",
    "peer hit@1",
    "hit@5",
    "nDCG@10",
];

/// What others reach on one set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Baseline {
    /// Plain BM25.
    pub bm25: Reference,
    /// Another program.
    pub peer: Reference,
}

/// The measures of one of them.
pub type Reference = BTreeMap<Measure, f64>;

/// The baselines by set; none if the folder has no `BASELINE.md` or that has no such table.
///
/// # Errors
/// [`EvaluationError::Read`] if the file is there and cannot be read.
pub fn baselines(folder: &Path) -> Result<BTreeMap<String, Baseline>, EvaluationError> {
    let path = folder.join("BASELINE.md");
    match fs::read_to_string(&path) {
        Ok(text) => Ok(parse(&text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(BTreeMap::new()),
        Err(error) => Err(EvaluationError::Read { path, error }),
    }
}

fn parse(text: &str) -> BTreeMap<String, Baseline> {
    text.lines()
        .map(cells)
        .skip_while(|cells| cells != &COLUMNS)
        .skip(2)
        .map_while(|cells| <[&str; COLUMNS.len()]>::try_from(cells).ok())
        .map(|cells| {
            let [set, _, bm25 @ .., peer_1, peer_5, peer_ndcg] = cells;
            let [bm25_1, bm25_5, bm25_ndcg, silent] = bm25;
            let reference = |cells: &[(Measure, &str)]| {
                cells
                    .iter()
                    .filter_map(|(measure, cell)| Some((*measure, number(cell)?)))
                    .collect()
            };
            let baseline = Baseline {
                bm25: reference(&[
                    (Measure::HitAt1, bm25_1),
                    (Measure::HitAt5, bm25_5),
                    (Measure::Ndcg, bm25_ndcg),
                    (Measure::Abstention, silent),
                ]),
                peer: reference(&[
                    (Measure::HitAt1, peer_1),
                    (Measure::HitAt5, peer_5),
                    (Measure::Ndcg, peer_ndcg),
                ]),
            };
            (set.to_owned(), baseline)
        })
        .collect()
}

fn cells(line: &str) -> Vec<&str> {
    line.trim()
        .trim_matches('|')
        .split('|')
        .map(str::trim)
        .collect()
}

/// `0.152 (n 125)` is a number, `1/40` a share of it.
fn number(cell: &str) -> Option<f64> {
    let text = cell.split_whitespace().next()?;
    match text.split_once('/') {
        Some((part, all)) => Some(part.parse::<f64>().ok()? / all.parse::<f64>().ok()?),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_found_among_the_prose() {
        let text = "Words | words\n\n\
            | set | queries | BM25 hit@1 | hit@5 | nDCG@10 | silent when it should be | peer hit@1 | hit@5 | nDCG@10 |\n\
            | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n\
            | one | 500 | 0.254 | 0.476 | 0.405 | 1/40 | 0.152 (n 125) | 0.280 | – |\n\n\
            | set | what |\n";
        let baselines = parse(text);
        assert_eq!(baselines.len(), 1);
        let one = &baselines["one"];
        assert_eq!(one.bm25[&Measure::Abstention], 1.0 / 40.0);
        assert_eq!(one.peer[&Measure::HitAt1], 0.152);
        assert_eq!(one.peer.get(&Measure::Ndcg), None);
        assert!(parse("no table").is_empty());
    }
}
