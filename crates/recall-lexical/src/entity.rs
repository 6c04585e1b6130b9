//! Named things that an entry is about: paths, files, symbols, errors, commands, surroundings.
//!
//! An entity is a key; entry and query meet when the query holds the same key. Two kinds of key
//! never meet by accident: a name with joints keeps them (`store/pool.go`), everything else is
//! leaves joined by blanks (`pool closed`).

use recall_core::{FILTERS, FilterKey};
use recall_text::{Analyser, Token, TokenKind};

use crate::document::Document;
use crate::quoted::quoted;

/// A key of more leaves is cut to its first ones, so that the start of a long command or error is
/// enough to meet it.
pub(crate) const LONGEST_KEY: usize = 8;

/// Keys of fewer bytes say nothing.
const SHORTEST_KEY: usize = 3;

/// An error message is read up to this many bytes and clauses; what follows is a log, no message.
const LONGEST_MESSAGE: usize = 1024;
const MOST_CLAUSES: usize = 8;

/// How many entities of one entry count, from its start.
pub(crate) const MOST_ENTITIES: usize = 1024;

/// The programs whose quoted invocations are commands.
const COMMANDS: &[&str] = &[
    "agentsview",
    "bun",
    "bundle",
    "cargo",
    "cmake",
    "composer",
    "curl",
    "deno",
    "docker",
    "dotnet",
    "gh",
    "git",
    "go",
    "golangci",
    "golangci-lint",
    "gradle",
    "helm",
    "java",
    "just",
    "kubectl",
    "make",
    "mvn",
    "node",
    "npm",
    "npx",
    "pip",
    "pnpm",
    "poetry",
    "psql",
    "pytest",
    "python",
    "python3",
    "ruby",
    "rustc",
    "rustup",
    "sqlite3",
    "systemctl",
    "terraform",
    "uv",
    "uvx",
    "yarn",
];

/// What names an entry without being part of its text.
const SURROUNDINGS: [FilterKey; 4] = [
    FilterKey::Project,
    FilterKey::Cwd,
    FilterKey::GitBranch,
    FilterKey::Agent,
];

/// The words that announce an error.
const ERROR_WORDS: &[&str] = &["error", "exception", "failure", "panic"];

/// The entities that a document is found among, whatever it says: its surroundings whole and by
/// their last names.
pub(crate) fn around(document: &Document<'_>) -> impl Iterator<Item = String> {
    let places = FILTERS.iter().zip(document.properties);
    let names = places.filter_map(|(spec, name)| name.filter(|_| SURROUNDINGS.contains(&spec.key)));
    names.flat_map(|name| {
        let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
        [leaf_key(name), leaf_key(last)]
            .into_iter()
            .flatten()
            .filter(|key| is_long_enough(key))
    })
}

/// The entities that a text states in words: errors, codes and commands. Those that are single
/// tokens are found by [`is_exact`].
pub(crate) fn stated(text: &str) -> impl Iterator<Item = String> {
    error_clauses(text)
        .filter_map(clause_key)
        .chain(error_codes(text))
        .chain(commands(text))
        .filter(|key| is_long_enough(key))
}

fn is_long_enough(key: &str) -> bool {
    key.len() >= SHORTEST_KEY
}

/// Whether a token is an entity by its own shape: a path, a file name or a dotted symbol. The
/// parts must be longer than an initial, or `e.g` and `i/o` would count.
pub(crate) fn is_exact(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Compound
        && token
            .term
            .split(['/', '.'])
            .filter(|part| part.chars().count() > 1)
            .count()
            > 1
}

/// The leaves of a text joined by blanks; `None` if there are none.
fn leaf_key(text: &str) -> Option<String> {
    let mut key = String::new();
    for token in Analyser::terms(text)
        .filter(|token| token.kind.is_leaf())
        .take(LONGEST_KEY)
    {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(&token.surface);
    }
    (!key.is_empty()).then_some(key)
}

/// As [`leaf_key`], for texts of at least two leaves.
fn clause_key(text: &str) -> Option<String> {
    leaf_key(text).filter(|key| key.contains(' '))
}

/// What follows `error:` and its kin, clause by clause: `error[E0597]: pool closed: retry later`
/// says two things. A message ends where the next one is announced, so no part of a text is read
/// twice.
fn error_clauses(text: &str) -> impl Iterator<Item = &str> {
    let colons = || {
        text.match_indices(':')
            .map(|(at, _)| at)
            .filter(|at| announces_error(&text[..*at]))
    };
    let ends = colons().skip(1).chain([text.len()]);
    colons().zip(ends).flat_map(|(colon, end)| {
        let message = text[colon + 1..end].trim_start_matches(' ');
        let message = &message[..message.floor_char_boundary(LONGEST_MESSAGE)];
        let end = message
            .find(['\n', '.', ';', ',', ')', ']', '}', '"', '\'', '`'])
            .unwrap_or(message.len());
        message[..end].split(": ").take(MOST_CLAUSES)
    })
}

/// Whether a text ends in an error word, a code in brackets allowed behind it.
fn announces_error(before: &str) -> bool {
    // Long enough for a word and a code; without a bound every colon would cost the text before it.
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(60))..];
    let near = match near.strip_suffix(']').and_then(|inner| inner.rfind('[')) {
        Some(open) => &near[..open],
        None => near,
    };
    let word = near
        .rsplit(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    ERROR_WORDS
        .iter()
        .any(|error| word == *error || word.ends_with(error))
}

/// Codes such as `E0597`, `TS2345` or `CS-1002`: capitals, then at least three digits.
fn error_codes(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .filter(|word| {
            let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
            let digits = word.len() - letters.len();
            let letters = letters.trim_end_matches('-');
            (3..=6).contains(&digits)
                && (1..=5).contains(&letters.len())
                && letters.bytes().all(|byte| byte.is_ascii_uppercase())
        })
        .filter_map(leaf_key)
}

/// Quoted invocations of a known program.
fn commands(text: &str) -> impl Iterator<Item = String> {
    quoted(text)
        .into_iter()
        .filter_map(|span| command(&text[span]))
}

/// The key of an invocation of a known program.
pub(crate) fn command(text: &str) -> Option<String> {
    let program = text.split_whitespace().next()?;
    COMMANDS.contains(&program).then(|| clause_key(text))?
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::fixtures::document;

    fn sorted(keys: impl Iterator<Item = String>) -> Vec<String> {
        let keys: BTreeSet<String> = keys.collect();
        keys.into_iter().collect()
    }

    fn of_body(body: &str) -> Vec<String> {
        let exact = Analyser::terms(body)
            .filter(is_exact)
            .map(|token| token.term.into_owned());
        sorted(exact.chain(stated(body)))
    }

    // ranking behaviours 7 and 8
    #[test]
    fn a_path_is_an_entity_whole_and_by_its_file_name() {
        assert_eq!(
            of_body("see internal/store/pool.go."),
            ["internal/store/pool.go", "pool.go"]
        );
        assert_eq!(of_body("i/o e.g. this"), Vec::<String>::new());
        assert_eq!(of_body("call sync::Mutex"), ["sync.mutex"]);
    }

    // ranking behaviours 10, 11 and 13
    #[test]
    fn surroundings_count_whole_and_by_their_last_name() {
        let mut document = document("e1");
        document.properties = std::array::from_fn(|place| match FILTERS[place].key {
            FilterKey::Project => Some("ab"),
            FilterKey::Cwd => Some(r"C:\srv\atlas"),
            FilterKey::GitBranch => Some("upgrade/k8s-1.31"),
            FilterKey::Agent => Some("claude"),
            FilterKey::SourceSessionId => Some("apart"),
            _ => None,
        });
        assert_eq!(
            sorted(around(&document)),
            [
                "atlas",
                "c srv atlas",
                "claude",
                "k8s 1 31",
                "upgrade k8s 1 31"
            ]
        );
    }

    // ranking behaviours 14 and 15; W21
    #[test]
    fn error_lines_give_their_clauses_and_codes() {
        assert_eq!(
            of_body("error: pool closed: retry later"),
            ["pool closed", "retry later"]
        );
        assert_eq!(
            of_body("error[E0597]: value does not live long enough"),
            ["e0597", "value does not live long enough"]
        );
        assert_eq!(of_body("ValueError: bad thing."), ["bad thing"]);
        assert_eq!(of_body("error: closed."), Vec::<String>::new());
        assert_eq!(of_body("note: pool closed"), Vec::<String>::new());
    }

    #[test]
    fn a_message_ends_where_the_next_one_is_announced() {
        assert_eq!(
            of_body("error: pool closed: panic: index out of range: retry later"),
            ["index out of range", "pool closed", "retry later"]
        );
    }

    // No entry may hold the search up, however it repeats itself.
    #[test]
    fn clauses_grow_no_faster_than_the_text() {
        for body in [
            "error: ".repeat(9_000),
            "error: a b: ".repeat(5_000),
            format!("error{}", ": a b".repeat(13_000)),
        ] {
            let read: usize = error_clauses(&body).map(str::len).sum();
            assert!(read <= body.len());
            assert!(
                error_clauses(&body).count() <= 2 * body.matches("error").count() + MOST_CLAUSES
            );
        }
    }

    // ranking behaviour 16
    #[test]
    fn quoted_commands_need_a_known_program() {
        assert_eq!(
            of_body("run `cargo nextest run -p core`"),
            ["cargo nextest run p core"]
        );
        assert_eq!(of_body("run `frob the knob`"), Vec::<String>::new());
    }
}
