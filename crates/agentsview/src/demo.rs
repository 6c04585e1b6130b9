//! `agentsview demo`: the whole way on example sessions, in a directory that is thrown away.
//!
//! Each step is parsed and carried out like a command of a user's; what is shown is its result.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use agentsview_api::ExitCode;
use clap::Parser;
use recall_config::Environment;
use recall_text::truncate;

use crate::cli::Cli;
use crate::failure::Failure;
use crate::output::Output;
use crate::run::{self, Place};

/// The example files, by their path in the demo's directory.
const FILES: &[(&str, &str)] = &[
    (
        "claude/-srv-code-lantern/1a57e001-0000-4000-8000-000000000001.jsonl",
        include_str!(
            "../../../fixtures/demo/claude/-srv-code-lantern/1a57e001-0000-4000-8000-000000000001.jsonl"
        ),
    ),
    (
        "claude/-srv-code-lantern/1a57e002-0000-4000-8000-000000000002.jsonl",
        include_str!(
            "../../../fixtures/demo/claude/-srv-code-lantern/1a57e002-0000-4000-8000-000000000002.jsonl"
        ),
    ),
    (
        "codex/2026/09/21/rollout-2026-09-21T15-00-00-1a57e003-0000-4000-8000-000000000003.jsonl",
        include_str!(
            "../../../fixtures/demo/codex/2026/09/21/rollout-2026-09-21T15-00-00-1a57e003-0000-4000-8000-000000000003.jsonl"
        ),
    ),
    (
        REVIEWED,
        include_str!("../../../fixtures/demo/reviewed.jsonl"),
    ),
];

/// The file of [`FILES`] that is imported.
const REVIEWED: &str = "reviewed.jsonl";

/// A step of the demo.
struct Step {
    /// Why it is done.
    why: &'static str,
    /// The command.
    words: &'static [&'static str],
    /// Whether a session file is altered before.
    alters: bool,
}

const fn shows(why: &'static str, words: &'static [&'static str]) -> Step {
    Step {
        why,
        words,
        alters: false,
    }
}

/// What the demo does.
const STEPS: &[Step] = &[
    shows(
        "Read the agents' session files into the archive.",
        &["sync"],
    ),
    shows("See what it holds.", &["session", "list"]),
    shows("Look for credentials in it.", &["secrets", "scan"]),
    shows(
        "Import entries that a person reviewed; each must prove its quotes.",
        &["recall", "import", REVIEWED, "--yes"],
    ),
    shows(
        "Ask, and see why each answer ranks where it does and what supports it.",
        &[
            "recall",
            "query",
            "tests fail with database is locked",
            "--scores",
            "--evidence",
        ],
    ),
    shows(
        "Pack what may be trusted about a task into one text for an agent.",
        &[
            "recall",
            "brief",
            "stop the store tests from failing with database is locked",
        ],
    ),
    shows(
        "Say it better, as a person may; the first wording and who changed it are kept.",
        &[
            "recall",
            "review",
            "edit",
            "lantern-retention",
            "--uncertainty",
            "asked again in October",
        ],
    ),
    Step {
        why: "Now the output that an entry quotes is altered in its session file; a sync finds it.",
        words: &["sync"],
        alters: true,
    },
    shows(
        "The entry is not trusted any more, and says why. It stays so, whatever the file says later.",
        &["recall", "get", "lantern-backup"],
    ),
];

/// The session file that is altered on the way, and how.
const ALTERED: (&str, &str, &str) = (
    "claude/-srv-code-lantern/1a57e002-0000-4000-8000-000000000002.jsonl",
    "9788",
    "10000",
);

/// Carries the demo out and shows it as one text.
pub(crate) fn demo() -> Result<Output, Failure> {
    let directory = tempfile::Builder::new()
        .prefix("agentsview-demo-")
        .tempdir()
        .map_err(|error| failed("make a directory for the demo", &error))?;
    unpack(directory.path()).map_err(|error| failed("unpack the example sessions", &error))?;
    let place = place(directory.path());
    let mut text = format!(
        "A demo on three example sessions in {}, which is removed afterwards.\n\
         The commands below work on your own sessions as well; only an import into your own archive\n\
         in its default place needs --allow-production-import besides, so that none happens by\n\
         accident.\n",
        directory.path().display()
    );
    for (number, Step { why, words, alters }) in (1..).zip(STEPS) {
        let _ = write!(text, "\n{number}. {why}\n\n");
        if words.contains(&REVIEWED) {
            let _ = writeln!(text, "{}\n", reviewed_line());
        }
        if *alters {
            alter(directory.path()).map_err(|error| failed("alter a session file", &error))?;
        }
        let output = step(words, &place)?;
        let _ = write!(text, "$ agentsview {}\n{}", shown(words), output.text);
        for notice in &output.notices {
            let _ = writeln!(text, "{notice}");
        }
    }
    Ok(Output::text(text))
}

/// What the file to import looks like: the beginning and the evidence of a line.
fn reviewed_line() -> String {
    const PART_BYTES: usize = 150;
    const EVIDENCE: &str = "\"evidence\": ";

    let lines = FILES.iter().find(|(name, _)| *name == REVIEWED);
    let line = lines
        .and_then(|(_, text)| text.lines().nth(1))
        .unwrap_or_default();
    let (start, evidence) = line.split_once(EVIDENCE).unwrap_or((line, ""));
    let start = truncate(start, PART_BYTES);
    let evidence = truncate(evidence, PART_BYTES);
    format!("One line of {REVIEWED}, shortened:\n  {start}\n  {EVIDENCE}{evidence}")
}

fn step(words: &[&str], place: &Place) -> Result<Output, Failure> {
    let cli = Cli::try_parse_from(["agentsview"].iter().chain(words)).map_err(|error| {
        Failure::new(
            ExitCode::Failure,
            format!("the demo cannot say {}: {error}", shown(words)),
        )
    })?;
    run::run(&cli, place)
}

fn place(directory: &Path) -> Place {
    let environment = Environment::new(directory, directory)
        .with("AGENTSVIEW_DATA_DIR", directory.join("data"))
        .with("CLAUDE_PROJECTS_DIR", directory.join("claude"))
        .with("CODEX_SESSIONS_DIR", directory.join("codex"))
        .with("USER", "demo");
    Place::new(environment, directory.to_owned())
}

fn unpack(directory: &Path) -> io::Result<()> {
    for (name, text) in FILES {
        let path = directory.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}

fn alter(directory: &Path) -> io::Result<()> {
    let (name, from, to) = ALTERED;
    let path = directory.join(name);
    let text = fs::read_to_string(&path)?;
    fs::write(path, text.replace(from, to))
}

/// The command as a shell takes it.
fn shown(words: &[&str]) -> String {
    let quoted: Vec<String> = words
        .iter()
        .map(|word| {
            if word.contains(' ') {
                format!("\"{word}\"")
            } else {
                (*word).to_owned()
            }
        })
        .collect();
    quoted.join(" ")
}

fn failed(what: &str, error: &io::Error) -> Failure {
    Failure::new(ExitCode::Failure, format!("cannot {what}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_reaches_a_brief_and_leaves_nothing_behind() {
        let output = demo().unwrap();
        assert_eq!(output.exit, ExitCode::Success);
        for expected in [
            "3 sessions",
            "--allow-production-import",
            "\"evidence\": {\"ordinal_start\": 1",
            "lantern-one-writer",
            "SQLITE_BUSY",
            "busy_timeout=5000",
            "asked again in October",
            "content_digest_mismatch",
        ] {
            assert!(
                output.text.contains(expected),
                "{expected} in\n{}",
                output.text
            );
        }
        let directory = output
            .text
            .split_whitespace()
            .find(|word| word.contains("agentsview-demo-"));
        let directory = directory.unwrap().trim_end_matches(',');
        assert!(!Path::new(directory).exists());
    }
}
