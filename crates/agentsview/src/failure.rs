//! Why a command ended without its answer.

use std::fmt;

use agentsview_api::ExitCode;
use recall_text::clean_line;

/// An ending that is no success: one line for a person, one code for a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// How the process ends.
    pub(crate) exit: ExitCode,
    /// What happened, to which thing.
    pub(crate) message: String,
    /// What to do next; empty if the message says it.
    pub(crate) hint: String,
}

impl Failure {
    /// A failure whose message says all there is to say.
    pub(crate) fn new(exit: ExitCode, message: impl fmt::Display) -> Self {
        Self {
            exit,
            message: message.to_string(),
            hint: String::new(),
        }
    }

    /// The same with what to do next.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl fmt::Display) -> Self {
        self.hint = hint.to_string();
        self
    }

    /// Wrong usage or invalid input.
    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self::new(ExitCode::Usage, message)
    }
}

/// The line for standard error. It may quote an id, a path or stored text, so it is cleaned.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "agentsview: {}", clean_line(&self.message))?;
        if !self.hint.is_empty() {
            write!(f, "; {}", clean_line(&self.hint))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_one_clean_line() {
        let failure = Failure::new(ExitCode::NotFound, "entry \"a\u{1b}[2J\nb\" not found")
            .hint("see `agentsview recall list`");
        assert_eq!(
            failure.to_string(),
            "agentsview: entry \"a b\" not found; see `agentsview recall list`"
        );
    }
}
