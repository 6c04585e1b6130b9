//! Session files as they were when they were last read.

use std::collections::HashMap;

use agentsview_formats::{Agent, ParsedFile};

use crate::columns::{count, integer};
use crate::{ScanRecord, Store, StoreError};

/// What tells whether a file changed without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStamp {
    /// Size in bytes.
    pub size: u64,
    /// Time of the last write, in nanoseconds since 1970.
    pub modified_ns: i64,
    /// Time of the last change of content or metadata, in nanoseconds since 1970; catches a rewrite
    /// that put the time of the last write back.
    pub changed_ns: i64,
    /// The file's identity on its device.
    pub inode: u64,
    /// The device.
    pub device: u64,
}

/// A file as the archive knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredSource {
    /// The file's stamp when it was read.
    pub stamp: FileStamp,
    /// Bytes up to the end of the last complete line.
    pub consumed_bytes: u64,
    /// SHA-256 of those bytes.
    pub prefix_sha256: [u8; 32],
    /// The version of the parser that read it.
    pub parser_version: u32,
}

/// How a file relates to what was read of it before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growth {
    /// Nothing was read of it before.
    New,
    /// It grew behind the bytes that were read before.
    Append,
    /// The bytes that were read before changed.
    Rewrite,
}

/// A session file that was read, ready to be written.
#[derive(Debug)]
pub struct FileUpdate {
    /// Its path.
    pub path: String,
    /// Its agent.
    pub agent: Agent,
    /// What the archive will know of it.
    pub source: StoredSource,
    /// How it relates to what was read before.
    pub growth: Growth,
    /// What it holds.
    pub parsed: ParsedFile,
    /// A scan of each session of `parsed`, in the same order.
    pub scans: Vec<ScanRecord>,
}

#[derive(sqlx::FromRow)]
struct SourceRow {
    path: String,
    size: i64,
    modified_ns: i64,
    changed_ns: i64,
    inode: i64,
    device: i64,
    consumed_bytes: i64,
    prefix_sha256: Vec<u8>,
    parser_version: i64,
}

impl Store {
    /// Every file that was read before, by its path.
    pub async fn sources(&self) -> Result<HashMap<String, StoredSource>, StoreError> {
        let rows: Vec<SourceRow> = sqlx::query_as(
            "SELECT path, size, modified_ns, changed_ns, inode, device, consumed_bytes, \
             prefix_sha256, parser_version FROM source_files",
        )
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter().map(SourceRow::stored).collect()
    }
}

impl SourceRow {
    fn stored(self) -> Result<(String, StoredSource), StoreError> {
        let prefix_sha256 = <[u8; 32]>::try_from(self.prefix_sha256)
            .map_err(|bytes| StoreError::corrupt("prefix digest", bytes.len().to_string()))?;
        let parser_version = u32::try_from(self.parser_version)
            .map_err(|_| StoreError::corrupt("parser version", self.parser_version.to_string()))?;
        let source = StoredSource {
            stamp: FileStamp {
                size: count(self.size)?,
                modified_ns: self.modified_ns,
                changed_ns: self.changed_ns,
                inode: self.inode.cast_unsigned(),
                device: self.device.cast_unsigned(),
            },
            consumed_bytes: count(self.consumed_bytes)?,
            prefix_sha256,
            parser_version,
        };
        Ok((self.path, source))
    }
}

/// Writes what the archive knows of a file, and returns its key.
pub(super) async fn store_source(
    connection: &mut sqlx::SqliteConnection,
    update: &FileUpdate,
) -> Result<i64, StoreError> {
    let FileUpdate { source, parsed, .. } = update;
    let key = sqlx::query_scalar(
        "INSERT INTO source_files (path, agent, size, modified_ns, changed_ns, inode, device, \
         consumed_bytes, prefix_sha256, malformed_lines, oversized_lines, is_truncated, \
         parser_version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
         ON CONFLICT (path) DO UPDATE SET agent = excluded.agent, size = excluded.size, \
         modified_ns = excluded.modified_ns, changed_ns = excluded.changed_ns, \
         inode = excluded.inode, device = excluded.device, \
         consumed_bytes = excluded.consumed_bytes, prefix_sha256 = excluded.prefix_sha256, \
         malformed_lines = excluded.malformed_lines, oversized_lines = excluded.oversized_lines, \
         is_truncated = excluded.is_truncated, parser_version = excluded.parser_version \
         RETURNING key",
    )
    .bind(&update.path)
    .bind(update.agent.as_str())
    .bind(integer(source.stamp.size))
    .bind(source.stamp.modified_ns)
    .bind(source.stamp.changed_ns)
    .bind(source.stamp.inode.cast_signed())
    .bind(source.stamp.device.cast_signed())
    .bind(integer(source.consumed_bytes))
    .bind(source.prefix_sha256.as_slice())
    .bind(integer(parsed.malformed_lines))
    .bind(integer(parsed.oversized_lines))
    .bind(parsed.is_truncated)
    .bind(i64::from(source.parser_version))
    .fetch_one(connection)
    .await?;
    Ok(key)
}
