//! Where a name out of code starts, ends and comes apart.
//!
//! A *compound* is words held together by joints: `internal/store/pool.go`. Hard joints (`/`, `\`,
//! `.`, `::`, `->`, `@`, and `:` before a letter) divide it into *segments*; soft joints (`-`, `_`)
//! and changes of case divide a segment into *leaves*, and so do the dots of a version number,
//! which hold more firmly than anything else: `k8s-1.31` is one segment.

use std::borrow::Cow;
use std::ops::Range;

use crate::character::{Class, class, narrow};
use crate::fold::fold;

/// Terms longer than this, in bytes of the text, are hashes and encoded data rather than words.
pub(crate) const LONGEST_TERM: usize = 256;

/// What stands before a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joint {
    /// Nothing, or nothing but a change of case.
    None,
    /// `_` or `-`.
    Soft(char),
    /// A dot between the numbers of a version.
    Version,
    /// The start of a segment: `/`, `.`, `:` or `@`.
    Hard(char),
}

/// One word of a compound.
#[derive(Debug)]
pub(crate) struct Leaf<'t> {
    pub(crate) span: Range<usize>,
    /// Folded, never empty.
    pub(crate) word: Cow<'t, str>,
    pub(crate) joint: Joint,
}

/// The leaves of the compound that starts at `start`, and where it ends. Leaves that are too long
/// or fold to nothing are left out.
pub(crate) fn leaves(text: &str, start: usize) -> (Vec<Leaf<'_>>, usize) {
    let mut scan = Scan {
        text,
        found: Vec::new(),
        leaf: start,
        joint: Joint::None,
    };
    let mut at = start;
    let mut previous: Option<char> = None;
    while let Some(c) = text[at..].chars().next() {
        let length = c.len_utf8();
        match class(c) {
            Class::Word if narrow(c) == '_' => {
                scan.end_leaf(at, at + length, Joint::Soft('_'));
                previous = None;
            }
            Class::Word => {
                if previous.is_some_and(|previous| turns(previous, c, &text[at + length..])) {
                    scan.end_leaf(at, at, Joint::None);
                } else if previous.is_none()
                    && matches!(narrow(c), 'v' | 'V')
                    && starts_version(&text[at + length..])
                {
                    // `v1.2` is the version `1.2`.
                    scan.leaf = at + length;
                }
                previous = Some(c);
            }
            Class::Attached => {}
            Class::Cjk | Class::Other => {
                let Some((joint, length)) = joint(&text[scan.leaf..at], &text[at..]) else {
                    break;
                };
                scan.end_leaf(at, at + length, joint);
                at += length;
                previous = None;
                continue;
            }
        }
        at += length;
    }
    scan.end_leaf(at, at, Joint::None);
    (scan.found, at)
}

struct Scan<'t> {
    text: &'t str,
    found: Vec<Leaf<'t>>,
    /// Where the leaf being read starts, and what stands before it.
    leaf: usize,
    joint: Joint,
}

impl Scan<'_> {
    fn end_leaf(&mut self, end: usize, next: usize, joint: Joint) {
        let span = self.leaf..end;
        self.leaf = next;
        let word = match span.len() {
            ..=LONGEST_TERM => fold(&self.text[span.clone()]),
            _ => Cow::Borrowed(""),
        };
        if word.is_empty() {
            // A segment starts with the first leaf that is there.
            if !matches!(self.joint, Joint::Hard(_)) {
                self.joint = joint;
            }
            return;
        }
        let before = std::mem::replace(&mut self.joint, joint);
        self.found.push(Leaf {
            span,
            word,
            joint: if self.found.is_empty() {
                Joint::None
            } else {
                before
            },
        });
    }
}

/// Whether a new word starts at `c`: at a capital behind a small letter, and at the last capital of
/// several, or one behind a digit, that a small letter follows.
fn turns(previous: char, c: char, rest: &str) -> bool {
    c.is_uppercase()
        && (previous.is_lowercase()
            || ((previous.is_uppercase() || previous.is_numeric())
                && rest
                    .chars()
                    .find(|c| class(*c) != Class::Attached)
                    .is_some_and(char::is_lowercase)))
}

/// What is behind a prefix, whose characters may be of full width.
fn strip<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let mut chars = text.chars();
    let starts = prefix.chars().all(|c| chars.next().map(narrow) == Some(c));
    starts.then_some(chars.as_str())
}

/// The joint that `rest` starts with, and its length in bytes; `None` if no word follows.
fn joint(leaf: &str, rest: &str) -> Option<(Joint, usize)> {
    let mut chars = rest.chars();
    let c = chars.next()?;
    let mut after = chars.as_str();
    let joint = match narrow(c) {
        '-' => match strip(after, ">") {
            Some(behind) => {
                after = behind;
                Joint::Hard('.')
            }
            None => Joint::Soft('-'),
        },
        '\u{2010}' | '\u{2011}' => Joint::Soft('-'),
        '/' | '\\' => {
            // Steps up and hidden folders are part of the joint: `$ORIGIN/../lib`, `app/.env`.
            while let Some(deeper) = ["../", "./", "..\\", ".\\"]
                .iter()
                .find_map(|step| strip(after, step))
            {
                after = deeper;
            }
            after = strip(after, ".").unwrap_or(after);
            Joint::Hard('/')
        }
        '.' if is_number(leaf) && starts_number(after) => Joint::Version,
        '.' => Joint::Hard('.'),
        '@' => Joint::Hard('@'),
        ':' if after.starts_with(':') => {
            after = &after[1..];
            Joint::Hard('.')
        }
        ':' if after.starts_with(char::is_alphabetic) => Joint::Hard(':'),
        _ => return None,
    };
    let word_follows = after.chars().next().map(class) == Some(Class::Word);
    word_follows.then_some((joint, rest.len() - after.len()))
}

fn is_number(leaf: &str) -> bool {
    !leaf.is_empty() && leaf.chars().all(is_digit)
}

/// Whether a text starts with a number that no letter follows.
fn starts_number(text: &str) -> bool {
    let rest = text.trim_start_matches(is_digit);
    rest.len() < text.len()
        && !rest.starts_with(|c| matches!(class(c), Class::Word | Class::Attached) && c != '_')
}

/// Whether a text starts with two numbers and a dot between.
fn starts_version(text: &str) -> bool {
    let rest = text.trim_start_matches(is_digit);
    rest.len() < text.len()
        && rest
            .strip_prefix(['.', '\u{ff0e}'])
            .is_some_and(starts_number)
}

fn is_digit(c: char) -> bool {
    narrow(c).is_ascii_digit()
}

/// The spelling of several leaves as one term: `identifier` drops soft joints.
pub(crate) fn joined(leaves: &[Leaf<'_>], identifier: bool) -> String {
    let mut term = String::new();
    for (index, leaf) in leaves.iter().enumerate() {
        match leaf.joint {
            _ if index == 0 => {}
            Joint::Soft(c) if !identifier => term.push(c),
            Joint::None | Joint::Soft(_) => {}
            Joint::Version => term.push('.'),
            Joint::Hard(c) => term.push(c),
        }
        term.push_str(&leaf.word);
    }
    term
}
