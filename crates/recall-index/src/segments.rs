//! Segments as files of one directory.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use recall_lexical::Segment;
use sha2::{Digest, Sha256};

use crate::mapped;

/// What the names of segments end in.
const EXTENSION: &str = "segment";

/// What the names of unfinished files start with.
const UNFINISHED: &str = ".unfinished-";

/// Why the cache could not be written. What it was to hold can still be computed.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {path}: {source}", path = path.display())]
pub struct CacheError {
    action: &'static str,
    path: PathBuf,
    source: io::Error,
}

/// A directory of segments. It need not exist until something is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SegmentDirectory {
    path: PathBuf,
}

impl SegmentDirectory {
    /// The directory at a path.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The segment of a name; `None` if there is none that can be searched.
    pub fn open(&self, name: &str) -> Option<Segment> {
        // A name comes out of the archive, which anybody may have edited.
        if !is_segment_name(name) {
            return None;
        }
        let path = self.path.join(name);
        // Opening a pipe would wait for somebody to write to it.
        if !path.metadata().is_ok_and(|found| found.is_file()) {
            return None;
        }
        let file = File::open(path).ok()?;
        Segment::open(mapped::bytes(file).ok()?).ok()
    }

    /// Writes a segment and returns its name. When it returns, the file survives a power cut.
    ///
    /// # Errors
    /// [`CacheError`] if the system refuses, and then there is no such file.
    pub fn write(&self, segment: &[u8]) -> Result<String, CacheError> {
        let name = name_of(segment);
        let path = self.path.join(&name);
        self.make_directory()?;
        let mut file = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .tempfile_in(&self.path)
            .map_err(failed("create a file in", &self.path))?;
        file.write_all(segment)
            .and_then(|()| file.as_file().sync_all())
            .map_err(failed("write", &path))?;
        file.persist(&path)
            .map_err(|error| error.error)
            .and_then(|_| sync_directory(&self.path))
            .map_err(failed("write", &path))?;
        Ok(name)
    }

    /// Removes every segment but those of these names, and what was left unfinished. What is removed
    /// is overwritten before, unless somebody is reading it. Only one process may write to the
    /// directory at a time.
    ///
    /// # Errors
    /// [`CacheError`] at the first file that cannot be removed.
    pub fn keep_only(&self, names: &[&str]) -> Result<(), CacheError> {
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed("read", &self.path)(error)),
        };
        for entry in entries {
            let entry = entry.map_err(failed("read", &self.path))?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_ours = is_segment_name(&name) || name.starts_with(UNFINISHED);
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if is_ours && is_file && !names.contains(&name.as_ref()) {
                remove(&entry.path()).map_err(failed("remove", &entry.path()))?;
            }
        }
        Ok(())
    }

    fn make_directory(&self) -> Result<(), CacheError> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder
            .create(&self.path)
            .map_err(failed("create", &self.path))
    }
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> CacheError {
    let path = path.to_owned();
    move |source| CacheError {
        action,
        path,
        source,
    }
}

/// Removes a file whose words nobody should find on the disk any more.
fn remove(path: &Path) -> io::Result<()> {
    if let Ok(file) = OpenOptions::new().write(true).open(path)
        && file.try_lock().is_ok()
    {
        // Where that fails, removing it is still better than leaving it.
        let _ = overwrite(&file);
    }
    fs::remove_file(path)
}

fn overwrite(mut file: &File) -> io::Result<()> {
    let length = file.metadata()?.len();
    io::copy(&mut io::repeat(0).take(length), &mut file)?;
    file.sync_all()
}

/// The name of a segment: the start of the SHA-256 of its bytes.
fn name_of(segment: &[u8]) -> String {
    let digest = Sha256::digest(segment);
    let start = digest.first_chunk().copied().map_or(0, u128::from_be_bytes);
    format!("{start:032x}.{EXTENSION}")
}

fn is_segment_name(name: &str) -> bool {
    name.strip_suffix(EXTENSION)
        .and_then(|name| name.strip_suffix('.'))
        .is_some_and(|hex| hex.len() == 32 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Makes a new name survive a power cut.
fn sync_directory(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(path)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use recall_core::{Entry, EntryId, SessionId};
    use recall_lexical::{Document, SegmentBuilder};

    use super::*;

    fn segment(title: &str) -> Vec<u8> {
        let id = EntryId::new("e1").unwrap();
        let at = "2026-03-18T12:00:00Z".parse().unwrap();
        let entry = Entry::new(id, SessionId::new("s1").unwrap(), title, "body", at);
        let mut builder = SegmentBuilder::default();
        builder.add(&Document::from_entry(&entry));
        builder.finish().unwrap()
    }

    fn directory() -> (tempfile::TempDir, SegmentDirectory) {
        let scratch = tempfile::tempdir().unwrap();
        let directory = SegmentDirectory::at(scratch.path().join("cache/lexical"));
        (scratch, directory)
    }

    fn files(directory: &SegmentDirectory) -> usize {
        fs::read_dir(directory.path()).unwrap().count()
    }

    #[test]
    fn what_is_written_is_read_and_what_nobody_names_is_removed() {
        let (_scratch, directory) = directory();
        let first = directory.write(&segment("first")).unwrap();
        let second = directory.write(&segment("second")).unwrap();
        assert_eq!(directory.write(&segment("first")).unwrap(), first);
        fs::write(directory.path().join(".unfinished-x"), "cut off").unwrap();
        fs::write(directory.path().join("note"), "not ours").unwrap();
        let open = directory.open(&first).unwrap();
        directory.keep_only(&[&second]).unwrap();
        assert!(directory.open(&first).is_none() && directory.open(&second).is_some());
        assert_eq!(open.len(), 1, "an open segment stays what it is");
        assert_eq!(files(&directory), 2);
    }

    #[test]
    fn a_directory_that_is_not_there_is_empty() {
        let (_scratch, directory) = directory();
        directory.keep_only(&[]).unwrap();
        assert!(directory.open(&name_of(b"")).is_none());
    }

    #[test]
    fn a_name_never_leads_out_of_the_directory() {
        let (scratch, directory) = directory();
        directory.write(&segment("first")).unwrap();
        fs::write(scratch.path().join("outside.segment"), segment("first")).unwrap();
        for name in ["../../outside.segment", "/etc/passwd", "", ".", "x.segment"] {
            assert!(directory.open(name).is_none(), "{name}");
        }
    }

    #[test]
    fn damaged_bytes_are_no_segment_or_one_that_can_be_read() {
        let (_scratch, directory) = directory();
        let whole = segment("a title of some words");
        let name = directory.write(&whole).unwrap();
        let path = directory.path().join(&name);
        for cut in 0..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            assert!(directory.open(&name).is_none(), "cut at {cut}");
        }
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 0x41;
            fs::write(&path, &damaged).unwrap();
            if let Some(segment) = directory.open(&name) {
                let layer = recall_lexical::Layer {
                    segment,
                    gone: Vec::new(),
                };
                let index = recall_lexical::Index::new([layer]);
                let query = recall_lexical::Query::parse("title of some words bodx");
                let now = "2026-03-18T12:00:00Z".parse().unwrap();
                let _ = index.rank(&query, &recall_core::EntryFilter::default(), now, 10);
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_may_look() {
        use std::os::unix::fs::PermissionsExt;
        let (_scratch, directory) = directory();
        let name = directory.write(&segment("first")).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(directory.path()), 0o700);
        assert_eq!(mode(&directory.path().join(name)), 0o600);
    }
}
