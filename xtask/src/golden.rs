//! The golden corpus: an ordinary test, run alone or told to renew its snapshots.

use std::io;
use std::process::{Command, ExitStatus};

/// Why the golden corpus did not come out as recorded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GoldenError {
    #[error("cannot run cargo: {0}")]
    Cargo(#[from] io::Error),
    #[error(
        "the golden corpus came out differently ({0}); read the snapshots, then renew them \
             with `cargo xtask golden --bless`"
    )]
    Different(ExitStatus),
}

/// Runs the corpus through the real pipeline and compares its snapshots, or renews them.
pub(crate) fn run(bless: bool) -> Result<(), GoldenError> {
    let status = Command::new(env!("CARGO"))
        .args(["test", "--package", "xtask", "--test", "golden"])
        .env("INSTA_UPDATE", if bless { "always" } else { "no" })
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(GoldenError::Different(status))
    }
}
