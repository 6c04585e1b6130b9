//! Benchmarks against the budgets: a release build of their own.

use std::io;
use std::process::{Command, ExitStatus};

/// Why the benchmarks did not come out within the budgets.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BenchError {
    #[error("cannot run cargo: {0}")]
    Cargo(#[from] io::Error),
    #[error("something takes longer than its budget ({0}); a busy machine counts against it too")]
    Over(ExitStatus),
}

/// Measures everything that has a budget.
pub(crate) fn run() -> Result<(), BenchError> {
    let status = Command::new(env!("CARGO"))
        .args(["bench", "--package", "xtask", "--bench", "budgets"])
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(BenchError::Over(status))
    }
}
