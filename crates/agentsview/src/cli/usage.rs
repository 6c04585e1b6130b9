//! Reading the command line, and saying in one line what is wrong with it.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use super::Cli;
use crate::failure::Failure;

/// What the command line turned out to be.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// A command.
    Run(Cli),
    /// A request for help or for the version: the text to show.
    Show(StyledStr),
    /// Not understood.
    Wrong(Failure),
}

/// Reads the words of the command line, the program's own name first.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Parsed {
    let words: Vec<OsString> = words.into_iter().collect();
    match Cli::try_parse_from(&words) {
        Ok(cli) => match cli.refusal() {
            Some(failure) => Parsed::Wrong(failure),
            None => Parsed::Run(cli),
        },
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => Parsed::Show(error.render()),
            _ => Parsed::Wrong(failure_of(&error, &words)),
        },
    }
}

/// The parser's report spreads over lines: what is wrong, then tips, then the usage. The first
/// part becomes the message, and a tip or the place of the help becomes the hint.
fn failure_of(error: &clap::Error, words: &[OsString]) -> Failure {
    let report = error.render().to_string();
    let mut paragraphs = report.trim().split("\n\n").map(fold);
    let message = paragraphs.next().unwrap_or_default();
    let message = message.trim_start_matches("error: ").to_owned();
    let tip = paragraphs.find_map(|paragraph| {
        let tips = paragraph.strip_prefix("tip: ")?;
        tips.split("tip: ").next().map(|tip| tip.trim().to_owned())
    });
    let says_what_to_do = message.contains("; use ");
    match tip {
        Some(tip) => Failure::usage(message).hint(tip),
        None if says_what_to_do => Failure::usage(message),
        None => Failure::usage(message).hint(format!("see `{} --help`", command_of(words))),
    }
}

/// One line out of a paragraph.
fn fold(paragraph: &str) -> String {
    paragraph.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The command that was meant, as far as its words are known, for example `agentsview recall get`.
fn command_of(words: &[OsString]) -> String {
    let root = Cli::command();
    let mut command = &root;
    let mut name = root.get_name().to_owned();
    for word in words.iter().skip(1) {
        if let Some(found) = command.find_subcommand(word) {
            command = found;
            name = format!("{name} {}", found.get_name());
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Parsed {
        parse(line.split(' ').map(OsString::from))
    }

    #[test]
    fn what_is_wrong_is_said_in_one_line() {
        let lines: Vec<String> = [
            "agentsview rekall",
            "agentsview recall lst",
            "agentsview recall list --projct orders",
            "agentsview recall get",
            "agentsview recall query a b",
            "agentsview recall list --format yaml",
            "agentsview recall list --type rumor",
            "agentsview recall query x --mode fuzzy",
            "agentsview recall list --source-session-id a\u{7}b",
            "agentsview recall query x --current-worktree --cwd /x",
            "agentsview recall list --limit many",
            "agentsview session messages s-1 --role boss",
            "agentsview session messages s-1 --limit -1",
            "agentsview session messages s-1 --around -1",
            "agentsview session list --limit -1",
            "agentsview secrets list --rule github",
            "agentsview recall review acept e-1",
            "agentsview recall review edit e-1",
            "agentsview recall review reject e-1",
            "agentsview recall review accept e-1 --as rumor",
            "agentsview recall review accept e-1 --transferable=perhaps",
            "agentsview recall review list --order newest",
            "agentsview recall review --json",
            "agentsview recall reverify",
            "agentsview recall reverify --all --session s-1",
            "agentsview session delete",
            "agentsview demo --json",
            "agentsview completion bash --format json",
            "agentsview completion tcsh",
        ]
        .iter()
        .map(|line| match words(line) {
            Parsed::Wrong(failure) => {
                assert_eq!(failure.exit.code(), 2, "{line}");
                let shown = failure.to_string();
                assert!(!shown.contains('\n'), "{line}");
                format!("$ {}\n{shown}", line.replace('\u{7}', "<bell>"))
            }
            other => panic!("{line}: {other:?}"),
        })
        .collect();
        insta::assert_snapshot!("usage_errors", lines.join("\n"));
    }

    #[test]
    fn a_bare_command_group_shows_its_help() {
        for line in [
            "agentsview",
            "agentsview recall",
            "agentsview session",
            "agentsview secrets",
            "agentsview --help",
            "agentsview recall query --help",
            "agentsview --version",
        ] {
            assert!(matches!(words(line), Parsed::Show(_)), "{line}");
        }
    }
}
