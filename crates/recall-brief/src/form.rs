//! How one entry is written: in full, or in fewer bytes.

use recall_core::{Entry, Evidence, ReviewState, Status};
use recall_text::{Focus, excerpt, truncate};

use crate::fence::{safe_line, safe_lines, without_fences};

/// Bytes of the title in the reduced form, its number included.
const LONGEST_TITLE: usize = 160;

/// Bytes of the uncertainty, the mark of a cut included.
const LONGEST_UNCERTAINTY: usize = 45;

/// An excerpt of fewer bytes says nothing.
const SHORTEST_EXCERPT: usize = 32;

const TRIGGER: &str = "   trigger: ";
const EVIDENCE: &str = "   evidence: ";
const BODY: &str = "   body: ";
const SNIPPET: &str = "   snippet: ";
const CITATION_SEPARATOR: &str = "; ";

/// The safe texts of one entry, ready to be written.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    title: String,
    attributes: String,
    trigger: Vec<String>,
    body: Vec<String>,
    evidence: Vec<Quote>,
}

/// What an entry cites, and the lines that it quotes from there.
#[derive(Debug, Clone)]
struct Quote {
    citation: String,
    snippets: Vec<String>,
}

impl Form {
    /// The texts of `entry`; `flags` say why it reads like instructions.
    pub(crate) fn new(entry: &Entry, flags: &[&'static str]) -> Self {
        Self {
            title: safe_line(&entry.title).into_owned(),
            attributes: attributes(entry, flags),
            trigger: safe_lines(&entry.trigger),
            body: safe_lines(&entry.body),
            evidence: entry.evidence.iter().map(Quote::of).collect(),
        }
    }

    /// Everything: title, attributes, body, trigger, evidence, snippets.
    pub(crate) fn full(&self, number: usize) -> String {
        let mut text = format!("{number}. {}\n{}", self.title, self.attributes);
        push_lines(&mut text, BODY, &self.body);
        push_lines(&mut text, TRIGGER, &self.trigger);
        push_citations(&mut text, &self.evidence);
        for quote in &self.evidence {
            push_lines(&mut text, SNIPPET, &quote.snippets);
        }
        text
    }

    /// What matters most in at most `room` bytes: title and attributes, trigger and evidence (each
    /// in a third of what is left), the sentences of the body that answer, and what still fits of
    /// the evidence, if that third was too little, and of the snippets. A snippet without its
    /// citation could be anybody's words, so it is dropped first. `None` if title and attributes do
    /// not fit.
    pub(crate) fn reduced(&self, number: usize, room: usize, focus: &Focus) -> Option<String> {
        let title = format!("{number}. {}", self.title);
        let mut text = format!("{}\n{}", truncate(&title, LONGEST_TITLE), self.attributes);
        let third = room.checked_sub(text.len())? / 3;
        push_excerpt(&mut text, TRIGGER, &self.trigger.join(" "), focus, third);
        let mut cited = fitting(&self.evidence, third);
        push_citations(&mut text, cited);
        let left = room - text.len();
        push_excerpt(&mut text, BODY, &self.body.join(" "), focus, left);
        if cited.is_empty() {
            cited = fitting(&self.evidence, room - text.len());
            push_citations(&mut text, cited);
        }
        for snippet in cited.iter().flat_map(|quote| &quote.snippets) {
            if text.len() + 1 + SNIPPET.len() + snippet.len() <= room {
                push_line(&mut text, SNIPPET, snippet);
            }
        }
        Some(text)
    }
}

fn push_line(text: &mut String, prefix: &str, line: &str) {
    text.push('\n');
    text.push_str(prefix);
    text.push_str(line);
}

fn push_lines(text: &mut String, prefix: &str, lines: &[String]) {
    for line in lines {
        push_line(text, prefix, line);
    }
}

/// Appends a line of at most `room` bytes, line feed and prefix included; nothing if there is
/// nothing worth showing in that room. Leaving sentences out can bring the halves of a fence line
/// together, so the excerpt is searched once more.
fn push_excerpt(text: &mut String, prefix: &str, whole: &str, focus: &Focus, room: usize) {
    let room = room.saturating_sub(prefix.len() + 1);
    if !whole.is_empty() && (whole.len() <= room || room >= SHORTEST_EXCERPT) {
        let shown = excerpt(whole, focus, room).text;
        push_line(text, prefix, &without_fences(&shown));
    }
}

/// Appends the line of citations; nothing if there are none. Identifiers side by side can spell a
/// fence line that none of them holds.
fn push_citations(text: &mut String, quotes: &[Quote]) {
    if !quotes.is_empty() {
        let citations: Vec<&str> = quotes.iter().map(|quote| &*quote.citation).collect();
        let line = citations.join(CITATION_SEPARATOR);
        push_line(text, EVIDENCE, &without_fences(&line));
    }
}

/// The first quotes whose citations fit together into a line of at most `room` bytes, line feed and
/// prefix included.
fn fitting(quotes: &[Quote], room: usize) -> &[Quote] {
    let mut taken = 1 + EVIDENCE.len();
    let count = quotes
        .iter()
        .enumerate()
        .take_while(|(index, quote)| {
            let separator = if *index == 0 {
                0
            } else {
                CITATION_SEPARATOR.len()
            };
            taken += separator + quote.citation.len();
            taken <= room
        })
        .count();
    &quotes[..count]
}

impl Quote {
    fn of(row: &Evidence) -> Self {
        let mut citation = format!("{}:{}", safe_line(row.session_id.as_str()), row.range);
        if let Some(tool) = &row.tool_use_id {
            citation.push_str(" tool=");
            citation.push_str(&value(tool.as_str()));
        }
        Self {
            citation,
            snippets: safe_lines(&row.snippet()),
        }
    }
}

fn attributes(entry: &Entry, flags: &[&'static str]) -> String {
    let uncertainty = safe_line(&entry.uncertainty);
    let optional = |id: Option<&str>| id.unwrap_or_default().to_owned();
    let status = match entry.status {
        Status::Accepted => String::new(),
        Status::Archived => entry.status.to_string(),
    };
    let review_state = match entry.review_state {
        ReviewState::HumanReviewed => String::new(),
        state => state.to_string(),
    };
    // Only what departs from the normal is worth the bytes.
    let unless = |normal: bool, word: &str| {
        if normal {
            String::new()
        } else {
            word.to_owned()
        }
    };
    let doubt = if entry.revocation.is_some() {
        "revoked"
    } else {
        "unverified"
    };
    let pairs = [
        ("id", entry.id.to_string()),
        ("type", entry.entry_type.to_string()),
        ("scope", entry.scope.to_string()),
        ("status", status),
        ("review_state", review_state),
        ("provenance", unless(entry.provenance_ok, doubt)),
        ("transferable", unless(entry.transferable, "no")),
        ("source_session", entry.source_session_id.to_string()),
        (
            "source_episode",
            optional(entry.source_episode_id.as_ref().map(AsRef::as_ref)),
        ),
        (
            "source_run",
            optional(entry.source_run_id.as_ref().map(AsRef::as_ref)),
        ),
        (
            "supersedes",
            optional(entry.supersedes.as_ref().map(AsRef::as_ref)),
        ),
        (
            "superseded_by",
            optional(entry.superseded_by.as_ref().map(AsRef::as_ref)),
        ),
        (
            "confidence",
            entry
                .confidence
                .map_or_else(String::new, |it| format!("{:.2}", it.get())),
        ),
        (
            "uncertainty",
            truncate(&uncertainty, LONGEST_UNCERTAINTY).into_owned(),
        ),
        ("reads_like_instructions", flags.join(",")),
    ];
    let mut line = String::from("  ");
    for (name, text) in pairs.iter().filter(|(_, text)| !text.is_empty()) {
        line.push(' ');
        line.push_str(name);
        line.push('=');
        line.push_str(&value(text));
    }
    line
}

/// A value as it stands behind `=`: in quotation marks where a blank would end it, so that no
/// value can add attributes of its own.
fn value(text: &str) -> String {
    let text = safe_line(text);
    if text.contains([' ', '"']) {
        format!("\"{}\"", text.replace('"', "'"))
    } else {
        text.into_owned()
    }
}
