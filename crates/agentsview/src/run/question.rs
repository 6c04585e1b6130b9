//! Asking the person at the terminal.

use std::io::{self, BufRead, Write};

use agentsview_api::ExitCode;

use crate::failure::Failure;

/// How often an answer that is neither is asked for again.
const TRIES: usize = 3;

/// Asks until the answer is yes or no. The question is cleaned text; it goes where answers of
/// commands do not.
pub(crate) fn yes_or_no(
    input: &mut impl BufRead,
    output: &mut impl Write,
    question: &str,
) -> Result<bool, Failure> {
    for _ in 0..TRIES {
        let mut answer = String::new();
        write!(output, "{question} [y/n] ")
            .and_then(|()| output.flush())
            .and_then(|()| input.read_line(&mut answer))
            .map_err(|error| failed(&error))?;
        match answer.trim().to_lowercase().as_str() {
            "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ if answer.is_empty() => break,
            _ => {}
        }
    }
    Err(
        Failure::usage("the question was not answered; nothing was changed")
            .hint("answer y or n, or give the answer as a flag"),
    )
}

fn failed(error: &io::Error) -> Failure {
    Failure::new(ExitCode::Failure, format!("cannot ask: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(answers: &str) -> (Result<bool, Failure>, usize) {
        let mut shown = Vec::new();
        let answer = yes_or_no(&mut answers.as_bytes(), &mut shown, "Is it so?");
        let shown = String::from_utf8(shown).unwrap();
        (answer, shown.matches("Is it so? [y/n] ").count())
    }

    #[test]
    fn only_a_clear_answer_counts() {
        assert_eq!(asked("y\n"), (Ok(true), 1));
        assert_eq!(asked("No\n"), (Ok(false), 1));
        assert_eq!(asked("perhaps\n\nyes\n"), (Ok(true), 3));
        for unclear in ["", "a\nb\nc\ny\n"] {
            assert_eq!(asked(unclear).0.unwrap_err().exit, ExitCode::Usage);
        }
    }
}
