//! How one entry is written: in full, or in fewer bytes.

use recall_core::{Entry, Evidence, ReviewState, Status};
use recall_text::{Focus, clean_block, excerpt, truncate};

use crate::fence::safe_line;

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

/// The safe texts of one entry, ready to be written.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    title: String,
    attributes: String,
    trigger: Vec<String>,
    evidence: Vec<String>,
    body: Vec<String>,
    snippets: Vec<String>,
}

impl Form {
    /// The texts of `entry`; `flags` say why it reads like instructions.
    pub(crate) fn new(entry: &Entry, flags: &[&'static str]) -> Self {
        Self {
            title: safe_line(&entry.title).into_owned(),
            attributes: attributes(entry, flags),
            trigger: lines(&entry.trigger),
            evidence: entry.evidence.iter().map(citation).collect(),
            body: lines(&entry.body),
            snippets: entry
                .evidence
                .iter()
                .flat_map(|row| lines(&row.snippet))
                .collect(),
        }
    }

    /// Everything: title, attributes, body, trigger, evidence, snippets.
    pub(crate) fn full(&self, number: usize) -> String {
        let mut text = format!("{number}. {}\n{}", self.title, self.attributes);
        push_lines(&mut text, BODY, &self.body);
        push_lines(&mut text, TRIGGER, &self.trigger);
        if !self.evidence.is_empty() {
            push_line(&mut text, EVIDENCE, &self.evidence.join("; "));
        }
        push_lines(&mut text, SNIPPET, &self.snippets);
        text
    }

    /// What matters most in at most `room` bytes: title and attributes, trigger and evidence (each
    /// in a third of what is left), the sentences of the body that answer, and the snippets that
    /// still fit. `None` if title and attributes do not fit.
    pub(crate) fn reduced(&self, number: usize, room: usize, focus: &Focus) -> Option<String> {
        let title = format!("{number}. {}", self.title);
        let mut text = format!("{}\n{}", truncate(&title, LONGEST_TITLE), self.attributes);
        let third = room.checked_sub(text.len())? / 3;
        push_excerpt(&mut text, TRIGGER, &self.trigger.join(" "), focus, third);
        if let Some(citations) = fitting(&self.evidence, third.saturating_sub(EVIDENCE.len() + 1)) {
            push_line(&mut text, EVIDENCE, &citations);
        }
        let left = room - text.len();
        push_excerpt(&mut text, BODY, &self.body.join(" "), focus, left);
        for snippet in &self.snippets {
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
/// nothing worth showing in that room.
fn push_excerpt(text: &mut String, prefix: &str, whole: &str, focus: &Focus, room: usize) {
    let room = room.saturating_sub(prefix.len() + 1);
    if !whole.is_empty() && (whole.len() <= room || room >= SHORTEST_EXCERPT) {
        push_line(text, prefix, &excerpt(whole, focus, room).text);
    }
}

/// The first citations that fit together; `None` if not even one does.
fn fitting(citations: &[String], room: usize) -> Option<String> {
    let mut joined = String::new();
    for citation in citations {
        let separator = if joined.is_empty() { "" } else { "; " };
        if joined.len() + separator.len() + citation.len() > room {
            break;
        }
        joined.push_str(separator);
        joined.push_str(citation);
    }
    (!joined.is_empty()).then_some(joined)
}

/// The lines of a text that say something, each safe.
fn lines(text: &str) -> Vec<String> {
    clean_block(text)
        .split('\n')
        .map(|line| safe_line(line).into_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

fn citation(row: &Evidence) -> String {
    let mut citation = format!("{}:{}", safe_line(row.session_id.as_str()), row.range);
    if let Some(tool) = &row.tool_use_id {
        citation.push_str(" tool=");
        citation.push_str(&value(tool.as_str()));
    }
    citation
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
    let pairs = [
        ("id", entry.id.to_string()),
        ("type", entry.entry_type.to_string()),
        ("scope", entry.scope.to_string()),
        ("status", status),
        ("review_state", review_state),
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
