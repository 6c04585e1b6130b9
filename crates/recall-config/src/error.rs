//! What can be wrong with a configuration.

use std::path::PathBuf;

/// A configuration that cannot be used. What is wrong with the file names the line; whoever read the
/// file knows its path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A default lies in the home directory, and there is none.
    #[error("no home directory is known; set {variable} to an absolute path")]
    NoHome {
        /// The variable that makes the home directory unnecessary.
        variable: &'static str,
    },
    /// A relative path, and no directory to start from.
    #[error(
        "{variable} is the relative path \"{}\" and the working directory is unknown; \
         set it to an absolute path",
        path.display()
    )]
    RelativePath {
        /// The variable that holds the path.
        variable: &'static str,
        /// The path as given.
        path: PathBuf,
    },
    /// The file is not TOML.
    #[error("line {line}: not TOML: {problem}; correct the line")]
    NotToml {
        /// The line, from 1.
        line: usize,
        /// What the parser found, without the text itself, which may be a key.
        problem: String,
    },
    /// A section that is a known one but for its spelling.
    #[error("line {line}: there is no section [{section}]; did you mean [{nearest}]?")]
    MisspeltSection {
        /// The section as written.
        section: String,
        /// The line, from 1.
        line: usize,
        /// The section that was most likely meant.
        nearest: &'static str,
    },
    /// A key of a known section that is a known one but for its spelling.
    #[error("line {line}: there is no key {key}; did you mean {nearest}?")]
    MisspeltKey {
        /// The key as written, with its section.
        key: String,
        /// The line, from 1.
        line: usize,
        /// The key that was most likely meant, with its section.
        nearest: String,
    },
    /// A key of a known section that is none of its keys.
    #[error(
        "line {line}: there is no key {key}; known in this section: {}",
        known.join(", ")
    )]
    UnknownKey {
        /// The key as written, with its section.
        key: String,
        /// The line, from 1.
        line: usize,
        /// Every key of the section.
        known: Vec<&'static str>,
    },
    /// A value of another type.
    #[error(
        "line {line}: {key} must be {}, found {}",
        with_article(expected),
        with_article(found)
    )]
    WrongType {
        /// The key, with its section.
        key: String,
        /// The line, from 1.
        line: usize,
        /// The type that it must have.
        expected: &'static str,
        /// The type that it has, as TOML calls it.
        found: &'static str,
    },
    /// A text with nothing in it.
    #[error("line {line}: {key} is blank; give it a value or take it out")]
    Blank {
        /// The key, with its section.
        key: String,
        /// The line, from 1.
        line: usize,
    },
    /// A text that is not one line of plain characters.
    #[error("line {line}: {key} must not contain control characters; take them out")]
    ControlCharacter {
        /// The key, with its section.
        key: String,
        /// The line, from 1.
        line: usize,
    },
}

fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'i']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}
