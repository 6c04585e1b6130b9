//! What a command writes.

use agentsview_api::ExitCode;
use recall_text::{clean_block, escape_json};
use serde::Serialize;

use crate::cli::Format;
use crate::failure::Failure;

/// The answer of a command, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Output {
    /// For standard output, with its last line feed.
    pub(crate) text: String,
    /// Lines for standard error that are no part of the answer.
    pub(crate) notices: Vec<String>,
    /// How the process ends.
    pub(crate) exit: ExitCode,
}

impl Output {
    /// A document, as JSON on one line or laid out for a person. Every command answers through
    /// here, so that both forms say the same.
    ///
    /// The layouts clean each stored text where they place it. The whole is cleaned once more, so
    /// that one forgotten place cannot reach the terminal.
    pub(crate) fn document<D: Serialize>(
        format: Format,
        document: &D,
        layout: impl FnOnce(&D) -> String,
    ) -> Result<Self, Failure> {
        let text = match format {
            Format::Human => clean_block(&layout(document)).into_owned(),
            Format::Json => {
                let json = serde_json::to_string(document).map_err(|error| {
                    Failure::new(
                        ExitCode::Failure,
                        format!("cannot write the answer as JSON: {error}"),
                    )
                })?;
                escape_json(&json) + "\n"
            }
        };
        Ok(Self::text(text))
    }

    /// A text that is the same for everyone, for example a completion script.
    pub(crate) fn text(text: String) -> Self {
        Self {
            text,
            notices: Vec::new(),
            exit: ExitCode::Success,
        }
    }

    /// The same with a line for standard error.
    #[must_use]
    pub(crate) fn notice(mut self, line: Option<String>) -> Self {
        self.notices.extend(line);
        self
    }

    /// The same answer, but less than was asked for: it ends like the failure and says why.
    #[must_use]
    pub(crate) fn short_of(mut self, failure: Option<Failure>) -> Self {
        if let Some(failure) = failure {
            self.notices.push(failure.to_string());
            self.exit = failure.exit;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_one_line_whatever_the_text_holds() {
        let output = Output::document(Format::Json, &"a\n\u{1b}[31mb", |_| unreachable!()).unwrap();
        assert_eq!(output.text, "\"a\\n\\u001b[31mb\"\n");
    }

    #[test]
    fn json_is_harmless_on_a_terminal_and_says_the_same() {
        let text = "é漢\u{7f}\u{9b}31m\u{202e}\u{2028}\u{e0041}\"\\";
        let output = Output::document(Format::Json, &text, |_| unreachable!()).unwrap();
        assert_eq!(
            output.text,
            "\"é漢\\u007f\\u009b31m\\u202e\\u2028\\udb40\\udc41\\\"\\\\\"\n"
        );
        assert_eq!(serde_json::from_str::<String>(&output.text).unwrap(), text);
    }

    #[test]
    fn a_layout_that_forgot_to_clean_is_cleaned() {
        let output = Output::document(Format::Human, &"\u{1b}]0;title\u{7}plain\n", |text| {
            (*text).to_owned()
        })
        .unwrap();
        assert_eq!(output.text, "plain\n");
    }
}
