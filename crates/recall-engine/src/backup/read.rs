//! Reading a backup: the whole file is checked before anything is made of it.

use std::collections::HashMap;
use std::io::BufRead;

use recall_core::digest::hex;
use recall_trust::import::MAX_LINE_BYTES;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::row::{EndRow, HeaderRow, Line, RowError, time};
use super::{BACKUP_FORMAT, BACKUP_VERSION, Backup, BackupError};
use crate::EngineError;
use crate::lines::read_line;

/// So much of the first line as every version has.
#[derive(Deserialize)]
struct AnyHeader {
    header: AnyVersion,
}

#[derive(Deserialize)]
struct AnyVersion {
    format: String,
    version: u64,
}

impl Backup {
    /// Reads a backup to its end.
    ///
    /// # Errors
    /// [`EngineError::Backup`] for a file that is none, is cut, was altered, is of a newer version,
    /// or says what no archive can hold; [`EngineError::Input`] if it cannot be read.
    pub fn read_from(input: &mut (dyn BufRead + Send)) -> Result<Self, EngineError> {
        let mut buffer = Vec::new();
        let mut reader = Reader::begin(if read_line(input, &mut buffer)? {
            &buffer
        } else {
            &[]
        })?;
        while read_line(input, &mut buffer)? {
            reader.line(&buffer)?;
        }
        Ok(reader.finish()?)
    }
}

struct Reader {
    header: HeaderRow,
    backup: Backup,
    line: u64,
    hash: Sha256,
    /// The first line that cannot be used. A file that was cut or altered is reported as that, which
    /// is known only at its end.
    problem: Option<BackupError>,
    end: Option<EndRow>,
}

impl Reader {
    fn begin(first: &[u8]) -> Result<Self, BackupError> {
        let foreign = |what: &str| BackupError::NotABackup(what.to_owned());
        let any: AnyHeader =
            serde_json::from_slice(first).map_err(|_| foreign("its first line is no header"))?;
        if any.header.format != BACKUP_FORMAT {
            return Err(foreign("its header names another format"));
        }
        if any.header.version > BACKUP_VERSION {
            return Err(BackupError::Newer {
                found: any.header.version,
                known: BACKUP_VERSION,
            });
        }
        if any.header.version != BACKUP_VERSION {
            return Err(foreign("there is no such version"));
        }
        let Line::Header(header) = serde_json::from_slice(first).map_err(|e| json(1, &e))? else {
            return Err(foreign("its first line is no header"));
        };
        let created_at = time(&header.created_at).map_err(|error| problem(1, &error))?;
        let mut hash = Sha256::new();
        hash.update(first);
        Ok(Self {
            header,
            backup: Backup {
                created_at,
                decisions: Vec::new(),
                entries: Vec::new(),
                wordings: Vec::new(),
            },
            line: 1,
            hash,
            problem: None,
            end: None,
        })
    }

    fn line(&mut self, bytes: &[u8]) -> Result<(), BackupError> {
        self.line += 1;
        if self.end.is_some() {
            return Err(BackupError::AfterTheEnd(self.line));
        }
        if bytes.len() > MAX_LINE_BYTES {
            return Err(BackupError::LineTooLong {
                line: self.line,
                limit: MAX_LINE_BYTES,
            });
        }
        match serde_json::from_slice(bytes) {
            Ok(Line::End(end)) => self.end = Some(end),
            Ok(row) => {
                self.hash.update(bytes);
                if let Err(error) = self.row(row) {
                    self.problem.get_or_insert(error);
                }
            }
            Err(error) => {
                self.hash.update(bytes);
                self.problem.get_or_insert(json(self.line, &error));
            }
        }
        Ok(())
    }

    fn row(&mut self, row: Line) -> Result<(), BackupError> {
        let line = self.line;
        let read = match row {
            Line::Decision(row) => row.decision().map(|row| self.backup.decisions.push(row)),
            Line::Entry(row) => row.entry().map(|row| self.backup.entries.push(row)),
            Line::Wording(row) => row.wording().map(|row| self.backup.wordings.push(row)),
            Line::Header(_) | Line::End(_) => {
                return Err(BackupError::Line {
                    line,
                    problem: "a second header".to_owned(),
                });
            }
        };
        read.map_err(|error| problem(line, &error))
    }

    fn finish(mut self) -> Result<Backup, BackupError> {
        let Some(end) = self.end else {
            return Err(BackupError::Cut(self.line));
        };
        if end.lines != self.line - 1 || end.sha256 != hex(&self.hash.finalize()) {
            return Err(BackupError::Altered { line: self.line });
        }
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        if self.header.counts != self.backup.counts() {
            return Err(BackupError::Contradiction(
                "its header counts other rows than there are".to_owned(),
            ));
        }
        let undone: HashMap<i64, i64> = self
            .backup
            .decisions
            .iter()
            .filter_map(|decision| Some((decision.undoes?, decision.number)))
            .collect();
        for decision in &mut self.backup.decisions {
            decision.undone_by = undone.get(&decision.number).copied();
        }
        self.backup.check()?;
        Ok(self.backup)
    }
}

fn json(line: u64, error: &serde_json::Error) -> BackupError {
    problem_text(line, &error.to_string())
}

fn problem(line: u64, error: &RowError) -> BackupError {
    problem_text(line, &error.to_string())
}

/// A message may quote the line, so a secret in it is masked.
fn problem_text(line: u64, message: &str) -> BackupError {
    BackupError::Line {
        line,
        problem: agentsview_secrets::mask(message),
    }
}
