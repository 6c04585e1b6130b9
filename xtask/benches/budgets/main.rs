//! Timings against the budgets of `docs/performance.md`, run by `cargo xtask bench`.
//!
//! A benchmark measures a piece of work a few times and reports the median beside its budget.
//! Timings live here and not in tests, since a busy machine must not fail a test.

#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed benchmark")]
#![expect(clippy::print_stdout, reason = "a benchmark reports to the terminal")]

mod made;
mod verification;

use std::time::Duration;

/// A piece of work with the time it may take.
struct Measured {
    work: String,
    budget: Duration,
    median: Duration,
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    println!("{:<64} {:>9} {:>9}", "work", "budget", "median");
    let mut is_within = true;
    for measured in runtime.block_on(verification::measure()) {
        let Measured {
            work,
            budget,
            median,
        } = measured;
        let mark = if median <= budget { "" } else { "  over" };
        is_within &= median <= budget;
        println!(
            "{work:<64} {:>6} ms {:>6.1} ms{mark}",
            budget.as_millis(),
            median.as_secs_f64() * 1000.0
        );
    }
    if !is_within {
        std::process::exit(1);
    }
}

/// The middle of some timings.
fn median(mut timings: Vec<Duration>) -> Duration {
    timings.sort_unstable();
    timings[timings.len() / 2]
}
