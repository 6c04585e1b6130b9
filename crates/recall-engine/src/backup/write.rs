//! Writing a backup.

use std::io::{self, Write};

use recall_core::digest::hex;
use recall_text::escape_json;
use sha2::{Digest, Sha256};

use super::row::{CountsRow, EndRow, HeaderRow, Line};
use super::{BACKUP_FORMAT, BACKUP_VERSION, Backup};

impl Backup {
    /// Writes it, line by line. Characters that would do harm on a terminal are escaped, which JSON
    /// allows and readers undo.
    pub fn write_to(&self, output: &mut dyn Write) -> io::Result<()> {
        let mut lines = Lines {
            output,
            count: 0,
            hash: Sha256::new(),
        };
        lines.write(&Line::Header(HeaderRow {
            format: BACKUP_FORMAT.to_owned(),
            version: BACKUP_VERSION,
            created_at: self.created_at.to_string(),
            counts: self.counts(),
        }))?;
        for decision in &self.decisions {
            lines.write(&Line::Decision(Box::new(decision.into())))?;
        }
        for entry in &self.entries {
            lines.write(&Line::Entry(Box::new(entry.into())))?;
        }
        for wording in &self.wordings {
            lines.write(&Line::Wording(wording.into()))?;
        }
        let end = Line::End(EndRow {
            lines: lines.count,
            sha256: hex(&lines.hash.clone().finalize()),
        });
        lines.write(&end)
    }

    pub(super) fn counts(&self) -> CountsRow {
        let evidence: usize = self.entries.iter().map(|entry| entry.evidence.len()).sum();
        CountsRow {
            decisions: self.decisions.len() as u64,
            entries: self.entries.len() as u64,
            evidence: evidence as u64,
            wordings: self.wordings.len() as u64,
        }
    }
}

struct Lines<'a> {
    output: &'a mut dyn Write,
    count: u64,
    hash: Sha256,
}

impl Lines<'_> {
    fn write(&mut self, line: &Line) -> io::Result<()> {
        let text = escape_json(&serde_json::to_string(line)?) + "\n";
        self.hash.update(&text);
        self.count += 1;
        self.output.write_all(text.as_bytes())
    }
}
