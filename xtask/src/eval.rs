//! How well questions find their entries: a benchmark, run in a release build.

use std::env;
use std::ffi::OsString;
use std::io;
use std::process::{Command, ExitStatus};

/// Why there is no evaluation.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EvalError {
    #[error("cannot run cargo: {0}")]
    Cargo(#[from] io::Error),
    #[error("no evaluation ({0})")]
    Failed(ExitStatus),
}

/// Hands its words to the evaluation, which knows what they mean.
pub(crate) fn run(words: &[OsString]) -> Result<(), EvalError> {
    let status = Command::new(env!("CARGO"))
        .args(["bench", "--quiet", "--package", "xtask", "--bench", "retrieval"])
        // A benchmark starts in the folder of its crate, not where its paths were typed.
        .args(["--", "--from"])
        .arg(env::current_dir()?)
        .args(words)
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(EvalError::Failed(status))
    }
}
