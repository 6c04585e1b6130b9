//! Whether evidence from a backup holds against the transcript that is there now.
//!
//! A backup is a file, and a file can say anything: that its digests match, who spoke, what was
//! quoted. So the same is found out again as when evidence is bound.

use recall_core::{CitedMessage, Evidence, RevocationReason, ToolUseId};

use super::snippets::CitedText;
use super::verification::{Correction, Transcript, Verdict, verify};

/// Why evidence from a backup is kept as a claim that nobody verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// The archive has no transcript of its session.
    NoTranscript,
    /// The transcript does not hold what is cited.
    NotThere(RevocationReason),
    /// What is cited is there, and a quotation does not occur in it.
    NotQuoted,
}

/// Evidence that holds.
pub(crate) struct Held {
    /// The rows, where they are to be found now and with those who speak there.
    pub(crate) rows: Vec<Evidence>,
    /// Whether any of them moved.
    pub(crate) shifted: bool,
}

/// Verifies the evidence of one entry of a backup.
pub(crate) fn hold(evidence: &[Evidence], transcript: &Transcript) -> Result<Held, Doubt> {
    let mut rows = evidence.to_vec();
    // Rows of a file have no identity yet, and corrections name rows by it.
    for (id, row) in (1..).zip(&mut rows) {
        row.id = id;
    }
    let corrections = match verify(&rows, transcript) {
        Verdict::Holds(corrections) => corrections,
        Verdict::Revoked(reason) => return Err(Doubt::NotThere(reason)),
    };
    for correction in &corrections {
        correct(&mut rows, correction);
    }
    rehear(&mut rows, transcript)?;
    for row in &mut rows {
        row.id = 0;
    }
    Ok(Held {
        rows,
        shifted: corrections.iter().any(|correction| correction.shifted),
    })
}

fn correct(rows: &mut [Evidence], correction: &Correction) {
    for row in rows
        .iter_mut()
        .filter(|row| correction.rows.contains(&row.id))
    {
        row.range = correction.place.range;
        row.start_uuid.clone_from(&correction.place.start_uuid);
        row.end_uuid.clone_from(&correction.place.end_uuid);
    }
}

/// Looks every quotation up in what is cited, and puts those who speak there in the place of those
/// who are said to. Where nobody is said to speak it stays so, which grants nothing.
fn rehear(rows: &mut [Evidence], transcript: &Transcript) -> Result<(), Doubt> {
    let said = rows.to_vec();
    for row in rows {
        let citation = || {
            let of_this = |other: &&Evidence| {
                other.range == row.range && other.content_digest == row.content_digest
            };
            said.iter().filter(of_this)
        };
        let tool_use_ids: Vec<ToolUseId> = citation()
            .filter_map(|row| row.tool_use_id.clone())
            .collect();
        let snippets: Vec<String> = citation()
            .flat_map(|row| row.snippets.iter().cloned())
            .collect();
        let text = CitedText::of(cited(transcript, row), &tool_use_ids);
        let speakers = text
            .speakers(&snippets, row.range)
            // Archives of the first schema kept the quotations of a row as one, a line each.
            .or_else(|_| text.speakers(&lines(&snippets), row.range))
            .map_err(|_| Doubt::NotQuoted)?;
        if !row.speakers.is_empty() {
            row.speakers = speakers;
        }
    }
    Ok(())
}

fn lines(snippets: &[String]) -> Vec<String> {
    let lines = snippets.iter().flat_map(|snippet| snippet.lines());
    lines
        .filter(|line| !line.trim().is_empty())
        .map(str::to_owned)
        .collect()
}

fn cited<'a>(transcript: &'a Transcript, row: &Evidence) -> &'a [CitedMessage] {
    let messages = transcript.messages();
    let start = messages.partition_point(|message| message.ordinal < row.range.start());
    let end = messages.partition_point(|message| message.ordinal <= row.range.end());
    messages.get(start..end).unwrap_or_default()
}
