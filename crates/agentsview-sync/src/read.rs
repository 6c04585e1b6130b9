//! Reading one session file: once, in pieces, hashing what is consumed.

use std::fs::{File, Metadata};
use std::io::{self, Read};

use agentsview_formats::{Feeder, PARSER_VERSION, SourceFile};
use recall_store::{FileStamp, FileUpdate, Growth, StoredSource};
use sha2::{Digest, Sha256};

use crate::discover::FoundFile;
use crate::machine::Machine;
use crate::scan::scan_messages;

/// Bytes read at a time, into one buffer for all files: most files are smaller than a buffer that
/// would have to be cleared for each of them.
pub(crate) const PIECE: usize = 256 * 1024;

/// The file's stamp, or why it cannot be looked at.
pub(crate) fn stamp(file: &FoundFile) -> io::Result<FileStamp> {
    let metadata = std::fs::metadata(file.root.join(&file.relative))?;
    if metadata.is_file() {
        Ok(stamp_of(&metadata))
    } else {
        Err(io::Error::other("it is not a regular file"))
    }
}

/// Reads and parses a file. The stamp is taken before the first byte, so that a write in between
/// is seen by the next sync.
pub(crate) fn read(
    file: &FoundFile,
    stored: Option<&StoredSource>,
    machine: &Machine,
    piece: &mut [u8],
) -> io::Result<FileUpdate> {
    let mut handle = File::open(file.root.join(&file.relative))?;
    let metadata = handle.metadata()?;
    let source = SourceFile::new(&file.relative);
    let surroundings = machine.around(file);
    let mut feeder = Feeder::new(file.agent.parser(&source, &surroundings));
    let mut prefix = PrefixHasher::new(stored);
    loop {
        let length = match handle.read(piece) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        prefix.update(&piece[..length]);
        feeder.feed(&piece[..length]);
    }
    let mut parsed = feeder.finish();
    for session in &mut parsed.sessions {
        if let Some(name) = machine.name_of(&session.id) {
            session.name.clone_from(name);
        }
    }
    let scans = parsed
        .sessions
        .iter()
        .map(|session| scan_messages(&session.messages))
        .collect();
    Ok(FileUpdate {
        path: file.path.clone(),
        agent: file.agent,
        source: StoredSource {
            stamp: stamp_of(&metadata),
            consumed_bytes: parsed.consumed_bytes,
            prefix_sha256: prefix.consumed(),
            parser_version: PARSER_VERSION,
        },
        growth: prefix.growth(),
        parsed,
        scans,
    })
}

/// Hashes the complete lines of a file, and compares the part that was consumed before on the way.
struct PrefixHasher {
    /// Over every byte so far.
    running: Sha256,
    /// Over everything up to the last line end so far.
    consumed: Sha256,
    position: u64,
    stored: Option<(u64, [u8; 32])>,
    is_same: Option<bool>,
}

impl PrefixHasher {
    fn new(stored: Option<&StoredSource>) -> Self {
        let stored = stored.map(|source| (source.consumed_bytes, source.prefix_sha256));
        Self {
            running: Sha256::new(),
            consumed: Sha256::new(),
            position: 0,
            stored,
            // Nothing consumed before is a prefix of anything.
            is_same: stored.and_then(|(length, _)| (length == 0).then_some(true)),
        }
    }

    fn update(&mut self, piece: &[u8]) {
        let end = self.position + piece.len() as u64;
        match self.stored {
            Some((length, digest)) if self.is_same.is_none() && length <= end => {
                // Fits: `length` lies within this piece.
                let split = usize::try_from(length - self.position).unwrap_or(piece.len());
                let (before, after) = piece.split_at(split);
                self.take(before);
                self.is_same = Some(<[u8; 32]>::from(self.running.clone().finalize()) == digest);
                self.take(after);
            }
            _ => self.take(piece),
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        let line_end = bytes
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let (lines, rest) = bytes.split_at(line_end);
        if !lines.is_empty() {
            self.running.update(lines);
            self.consumed = self.running.clone();
        }
        self.running.update(rest);
        self.position += bytes.len() as u64;
    }

    fn consumed(&self) -> [u8; 32] {
        self.consumed.clone().finalize().into()
    }

    fn growth(&self) -> Growth {
        match (self.stored, self.is_same) {
            (None, _) => Growth::New,
            (Some(_), Some(true)) => Growth::Append,
            (Some(_), _) => Growth::Rewrite,
        }
    }
}

#[cfg(unix)]
fn stamp_of(metadata: &Metadata) -> FileStamp {
    use std::os::unix::fs::MetadataExt;

    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000) + rest;
    FileStamp {
        size: metadata.len(),
        modified_ns: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
        changed_ns: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        inode: metadata.ino(),
        device: metadata.dev(),
    }
}

#[cfg(not(unix))]
fn stamp_of(metadata: &Metadata) -> FileStamp {
    use std::time::UNIX_EPOCH;

    let modified_ns = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .and_then(|since| i64::try_from(since.as_nanos()).ok())
        .unwrap_or(0);
    FileStamp {
        size: metadata.len(),
        modified_ns,
        changed_ns: 0,
        inode: 0,
        device: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashed(stored: Option<&StoredSource>, pieces: &[&[u8]]) -> (Growth, [u8; 32]) {
        let mut hasher = PrefixHasher::new(stored);
        for piece in pieces {
            hasher.update(piece);
        }
        (hasher.growth(), hasher.consumed())
    }

    fn stored(consumed: &[u8]) -> StoredSource {
        StoredSource {
            stamp: FileStamp {
                size: 0,
                modified_ns: 0,
                changed_ns: 0,
                inode: 0,
                device: 0,
            },
            consumed_bytes: consumed.len() as u64,
            prefix_sha256: Sha256::digest(consumed).into(),
            parser_version: PARSER_VERSION,
        }
    }

    #[test]
    fn growth_behind_an_equal_prefix_is_an_append_however_the_pieces_fall() {
        let before = stored(b"one\ntwo\n");
        let text = b"one\ntwo\nthree\nfo";
        for cut in 0..=text.len() {
            let (head, tail) = text.split_at(cut);
            let (growth, consumed) = hashed(Some(&before), &[head, tail]);
            assert_eq!(growth, Growth::Append, "cut at {cut}");
            assert_eq!(
                consumed,
                <[u8; 32]>::from(Sha256::digest(b"one\ntwo\nthree\n"))
            );
        }
    }

    #[test]
    fn a_changed_or_shorter_prefix_is_a_rewrite() {
        let before = stored(b"one\ntwo\n");
        assert_eq!(
            hashed(Some(&before), &[b"one\nTWO\nthree\n"]).0,
            Growth::Rewrite
        );
        assert_eq!(hashed(Some(&before), &[b"one\n"]).0, Growth::Rewrite);
        assert_eq!(hashed(Some(&before), &[]).0, Growth::Rewrite);
        assert_eq!(hashed(None, &[b"one\n"]).0, Growth::New);
        assert_eq!(hashed(Some(&stored(b"")), &[b"one\n"]).0, Growth::Append);
    }
}
