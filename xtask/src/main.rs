//! Chores of the workspace, run as `cargo xtask <chore>`.
//!
//! `tidy` checks the rules of the house that no compiler knows, `golden` the answers on the golden
//! corpus, `bench` the time that things take, `eval` how well questions find their entries.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore reports to the terminal"
)]

mod bench;
mod eval;
mod golden;
mod tidy;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of the workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Check layers, head docs, file sizes and the other rules of the house
    Tidy,
    /// Run the golden corpus through the real pipeline and compare its answers
    Golden {
        /// Renew the recorded answers
        #[arg(long)]
        bless: bool,
    },
    /// Measure what has a time budget, in a release build
    Bench,
    /// Measure how well questions find their entries, in a release build
    #[command(disable_help_flag = true)]
    Eval {
        /// Options of the evaluation; `--help` lists them
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            value_name = "OPTION"
        )]
        words: Vec<OsString>,
    },
}

/// What a chore failed at; every chore brings its own error.
#[derive(Debug, thiserror::Error)]
enum ChoreError {
    #[error(transparent)]
    Tidy(#[from] tidy::TidyError),
    #[error(transparent)]
    Golden(#[from] golden::GoldenError),
    #[error(transparent)]
    Bench(#[from] bench::BenchError),
    #[error(transparent)]
    Eval(#[from] eval::EvalError),
}

fn main() -> ExitCode {
    let outcome: Result<(), ChoreError> = match Cli::parse().chore {
        Chore::Tidy => tidy::run().map_err(Into::into),
        Chore::Golden { bless } => golden::run(bless).map_err(Into::into),
        Chore::Bench => bench::run().map_err(Into::into),
        Chore::Eval { words } => eval::run(&words).map_err(Into::into),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
