//! How one entry is written: in full, or in fewer bytes.

use recall_core::{Entry, Evidence, ReviewState, Status};
use recall_text::{Focus, excerpt, truncate};

use crate::fence::Fence;

/// Bytes of the title in the reduced form.
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

/// The safe texts of one entry, ready to be written. The number in front of the title is not among
/// them: it is known when all entries are.
#[derive(Debug, Clone)]
pub(crate) struct Form<'f> {
    fence: &'f Fence,
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

impl<'f> Form<'f> {
    /// The texts of `entry`; `flags` say why it reads like instructions.
    pub(crate) fn new(entry: &Entry, flags: &[&'static str], fence: &'f Fence) -> Self {
        let quotes = entry.evidence.iter().map(|row| Quote::of(row, fence));
        Self {
            fence,
            title: fence.safe_line(&entry.title).into_owned(),
            attributes: attributes(entry, flags, fence),
            trigger: fence.safe_lines(&entry.trigger),
            body: fence.safe_lines(&entry.body),
            evidence: quotes.collect(),
        }
    }

    /// Everything: title, attributes, body, trigger, evidence, snippets.
    pub(crate) fn full(&self) -> String {
        let mut text = format!("{}\n{}", self.title, self.attributes);
        push_lines(&mut text, BODY, &self.body);
        push_lines(&mut text, TRIGGER, &self.trigger);
        text.push_str(&self.citations(self.evidence.len()));
        for quote in &self.evidence {
            push_lines(&mut text, SNIPPET, &quote.snippets);
        }
        text
    }

    /// What matters most in at most `room` bytes: title, attributes and the first citation; the
    /// trigger and more citations, each in a third of what is left; the sentences of the body that
    /// answer; and what still fits of the citations and the snippets. An entry without its source
    /// could be anybody's words: `None` if title, attributes and source do not fit.
    pub(crate) fn reduced(&self, room: usize, focus: &Focus) -> Option<String> {
        let mut text = format!(
            "{}\n{}",
            truncate(&self.title, LONGEST_TITLE),
            self.attributes
        );
        let source = self.citations(1);
        let mut left = room.checked_sub(text.len() + source.len())?;
        let third = left / 3;

        let trigger = self.shortened(TRIGGER, &self.trigger, focus, third);
        left -= trigger.len();
        let mut cited = self.cited_within(source.len() + third.min(left));
        left = left + source.len() - self.citations(cited).len();
        let body = self.shortened(BODY, &self.body, focus, left);
        left -= body.len();
        let room = self.citations(cited).len() + left;
        cited = self.cited_within(room);
        let citations = self.citations(cited);
        left = room - citations.len();

        for part in [&trigger, &citations, &body] {
            text.push_str(part);
        }
        for snippet in self.evidence[..cited].iter().flat_map(|it| &it.snippets) {
            let line = self.shortened(SNIPPET, std::slice::from_ref(snippet), focus, left);
            left -= line.len();
            text.push_str(&line);
        }
        Some(text)
    }

    /// A line of at most `room` bytes, line feed and prefix included; empty if there is nothing
    /// worth showing in that room. Leaving sentences out can bring the halves of a fence line
    /// together, so the excerpt is searched once more.
    fn shortened(&self, prefix: &str, lines: &[String], focus: &Focus, room: usize) -> String {
        let mut text = String::new();
        let room = room.saturating_sub(prefix.len() + 1);
        let whole: usize = lines.iter().map(|line| line.len() + 1).sum();
        if whole > 0 && (whole - 1 <= room || room >= SHORTEST_EXCERPT) {
            // Lines end sentences, and are one line when that has been seen.
            let shown = excerpt(&lines.join("\n"), focus, room)
                .text
                .replace('\n', " ");
            push_line(&mut text, prefix, &self.fence.keep_out(&shown));
        }
        text
    }

    /// The line of the first `count` citations; empty if there are none. Identifiers side by side
    /// can spell a fence line that none of them holds.
    fn citations(&self, count: usize) -> String {
        let mut text = String::new();
        let cited = self.evidence.iter().take(count);
        let citations: Vec<&str> = cited.map(|quote| &*quote.citation).collect();
        if !citations.is_empty() {
            let line = citations.join(CITATION_SEPARATOR);
            push_line(&mut text, EVIDENCE, &self.fence.keep_out(&line));
        }
        text
    }

    /// How many citations fit into a line of at most `room` bytes, line feed and prefix included;
    /// the first one always does.
    fn cited_within(&self, room: usize) -> usize {
        let mut taken = 1 + EVIDENCE.len();
        let fitting = self
            .evidence
            .iter()
            .enumerate()
            .take_while(|(index, quote)| {
                let separator = if *index == 0 {
                    0
                } else {
                    CITATION_SEPARATOR.len()
                };
                taken += separator + quote.citation.len();
                taken <= room || *index == 0
            });
        fitting.count()
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

impl Quote {
    fn of(row: &Evidence, fence: &Fence) -> Self {
        let mut citation = format!("{}:{}", fence.safe_line(row.session_id.as_str()), row.range);
        if let Some(tool) = &row.tool_use_id {
            citation.push_str(" tool=");
            citation.push_str(&value(tool.as_str(), fence));
        }
        Self {
            citation,
            snippets: fence.safe_lines(&row.snippet()),
        }
    }
}

fn attributes(entry: &Entry, flags: &[&'static str], fence: &Fence) -> String {
    let uncertainty = fence.safe_line(&entry.uncertainty);
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
        line.push_str(&value(text, fence));
    }
    line
}

/// A value as it stands behind `=`: in quotation marks where a blank would end it, so that no
/// value can add attributes of its own.
fn value(text: &str, fence: &Fence) -> String {
    let text = fence.safe_line(text);
    if text.contains([' ', '"']) {
        format!("\"{}\"", text.replace('"', "'"))
    } else {
        text.into_owned()
    }
}
