//! Entries for other places: a backup, lines for an import, a fragment for an agent's own memory
//! file.

mod fragment;

pub use fragment::FragmentKind;

use std::io::Write;

use recall_core::{Entry, EntryFilter, QueryMode};
use recall_text::escape_json;
use recall_trust::{import, request};

use crate::backup::Backup;
use crate::{Engine, EngineError};

/// What to write.
#[derive(Debug, Clone, PartialEq)]
pub enum ExportRequest {
    /// Everything, to be restored.
    Backup,
    /// Lines of a reviewed import.
    Jsonl(EntryFilter),
    /// A fragment of Markdown.
    Fragment(FragmentKind, EntryFilter),
}

/// What was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exported {
    /// How many entries.
    pub entries: u64,
}

impl Engine {
    /// Everything of Recall as it is now, in one snapshot.
    ///
    /// # Errors
    /// [`EngineError::Backup`] if the archive holds what could not be restored.
    pub async fn backup(&self) -> Result<Backup, EngineError> {
        let mut snapshot = self.store.snapshot().await?;
        self.read_backup(&mut snapshot).await
    }

    /// Writes entries in the form that was asked for. The order depends on the entries alone, so
    /// that equal archives give equal files.
    ///
    /// # Errors
    /// [`EngineError::Request`] if the filter is wrong, [`EngineError::Output`] if the output cannot
    /// be written.
    pub async fn export(
        &self,
        request: &ExportRequest,
        output: &mut (dyn Write + Send),
    ) -> Result<Exported, EngineError> {
        let entries = match request {
            ExportRequest::Backup => {
                let backup = self.backup().await?;
                backup.write_to(output).map_err(EngineError::Output)?;
                backup.entries.len()
            }
            ExportRequest::Jsonl(filter) => {
                let entries = self.exported(filter).await?;
                for entry in &entries {
                    import::write_line(entry)
                        .map_err(std::io::Error::from)
                        .and_then(|line| writeln!(output, "{}", escape_json(&line)))
                        .map_err(EngineError::Output)?;
                }
                entries.len()
            }
            ExportRequest::Fragment(kind, filter) => {
                let entries = self.exported(filter).await?;
                output
                    .write_all(fragment::fragment(*kind, &entries).as_bytes())
                    .map_err(EngineError::Output)?;
                entries.len()
            }
        };
        Ok(Exported {
            entries: entries as u64,
        })
    }

    async fn exported(&self, filter: &EntryFilter) -> Result<Vec<Entry>, EngineError> {
        request::check_filter(filter, QueryMode::Lexical)?;
        let mut entries = self.admitted(filter, None).await?;
        entries.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(entries)
    }
}
