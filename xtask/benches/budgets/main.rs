//! Timings against the budgets of `docs/performance.md`, run by `cargo xtask bench`.
//!
//! A benchmark measures a piece of work a few times and reports its time beside its budget. Words
//! after `cargo bench -p xtask --bench budgets --` choose those whose names hold one of them.
//! Timings live here and not in tests, since a busy machine must not fail a test.

#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed benchmark")]
#![expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]

mod corpus;
mod made;
mod process;
mod questions;
mod retrieval;
mod text;
mod verification;

use std::time::Duration;

/// A piece of work with the time it may take, if there is a bound.
struct Measured {
    work: String,
    budget: Option<Duration>,
    time: Duration,
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    println!("{:<64} {:>9} {:>9}", "work", "budget", "time");
    let mut is_within = true;
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let is_wanted =
        |work: &str| words.is_empty() || words.iter().any(|word| work.contains(word.as_str()));
    let mut report = |Measured { work, budget, time }: Measured| {
        let is_over = budget.is_some_and(|budget| time > budget);
        is_within &= !is_over;
        let budget = budget.map_or_else(String::new, |it| format!("{} ms", it.as_millis()));
        let mark = if is_over { "  over" } else { "" };
        println!(
            "{work:<64} {budget:>9} {:>6.1} ms{mark}",
            time.as_secs_f64() * 1000.0
        );
    };
    runtime.block_on(async {
        verification::measure(&is_wanted, &mut report).await;
        retrieval::measure(&is_wanted, &mut report).await;
    });
    if !is_within {
        std::process::exit(1);
    }
}
