//! The `agentsview` binary: reads the command line, asks the engine, lays out the answer.
//!
//! `cli` knows every command and flag, `run` carries commands out, `render` lays documents out for
//! people, `output` chooses between that and JSON, `failure` is every other ending. `desk` is the
//! one command that talks: a review on the terminal. Answers go to standard output, everything else
//! to standard error. Only this file writes to either, but for the progress bar and the
//! questions of `run` and the screens of `desk`.
//!
//! Never: policy. What may be trusted, how it ranks and what is refused is decided below.

mod cli;
mod demo;
mod desk;
mod failure;
mod git;
mod output;
mod render;
mod run;

use std::io::{self, Write};

use agentsview_api::ExitCode;
use recall_text::clean_line;

use cli::Parsed;
use failure::Failure;
use output::Output;

fn main() -> std::process::ExitCode {
    let ending = match cli::parse(std::env::args_os()) {
        Parsed::Show(text) => write(anstream::stdout(), &text.ansi().to_string()),
        Parsed::Wrong(failure) => Err(failure),
        Parsed::Run(cli) => {
            run::run(&cli, &run::Place::of_process()).and_then(|output| deliver(&output))
        }
    };
    match ending {
        Ok(exit) => exit.into(),
        Err(failure) => {
            // Nobody is left to be told that standard error is closed.
            let _ = writeln!(io::stderr(), "{failure}");
            failure.exit.into()
        }
    }
}

fn deliver(output: &Output) -> Result<ExitCode, Failure> {
    for notice in &output.notices {
        let _ = writeln!(io::stderr(), "{}", clean_line(notice));
    }
    write(io::stdout(), &output.text)?;
    Ok(output.exit)
}

/// Writes to standard output. A reader that has seen enough, such as `head`, is no failure.
fn write(mut stdout: impl Write, text: &str) -> Result<ExitCode, Failure> {
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(
            ExitCode::Failure,
            format!("cannot write to standard output: {error}"),
        )),
        _ => Ok(ExitCode::Success),
    }
}
