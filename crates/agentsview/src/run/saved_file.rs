//! A file that is there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file under construction. It has another name until [`SavedFile::finish`]; dropped before that,
/// it is gone. Only its owner may read it.
pub(super) struct SavedFile {
    path: PathBuf,
    replace: bool,
    text: BufWriter<NamedTempFile>,
}

impl SavedFile {
    /// Begins a file beside its place. Without `replace` there must be nothing at that place, now
    /// and at the end.
    pub(super) fn begin(path: &Path, replace: bool) -> io::Result<Self> {
        match path.symlink_metadata() {
            Ok(_) if !replace => return Err(io::ErrorKind::AlreadyExists.into()),
            Ok(there) if !there.is_file() => {
                return Err(io::Error::other("only a plain file can be replaced"));
            }
            _ => {}
        }
        let temporary = tempfile::Builder::new()
            .prefix(".agentsview-")
            .tempfile_in(directory(path))
            // The message of this error names the temporary file, which nobody asked for.
            .map_err(|error| io::Error::from(error.kind()))?;
        Ok(Self {
            path: path.to_owned(),
            replace,
            text: BufWriter::new(temporary),
        })
    }

    /// Where its text goes.
    pub(super) fn text(&mut self) -> &mut (dyn Write + Send) {
        &mut self.text
    }

    /// Makes the text safe on disk, then gives the file its name.
    pub(super) fn finish(self) -> io::Result<()> {
        let temporary = self
            .text
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        temporary.as_file().sync_all()?;
        if self.replace {
            temporary.persist(&self.path)?;
        } else {
            temporary.persist_noclobber(&self.path)?;
        }
        sync_directory(directory(&self.path))
    }
}

/// Where a file lies.
pub(super) fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Makes a directory that only its owner may enter; one that is there stays as it is.
pub(super) fn make_private_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
        Ok(()) => sync_directory(directory(path)),
    }
}

/// A new name is safe only when its directory is.
#[cfg(unix)]
fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Elsewhere a directory cannot be opened as a file, and its names are safe with the file.
#[cfg(not(unix))]
fn sync_directory(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, replace: bool, text: &str) -> io::Result<()> {
        let mut file = SavedFile::begin(path, replace)?;
        file.text().write_all(text.as_bytes())?;
        file.finish()
    }

    #[test]
    fn a_file_is_replaced_only_when_told_and_nothing_is_left_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        write(&path, false, "one").unwrap();
        let refused = write(&path, false, "two").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        write(&path, true, "two").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");

        let mut dropped = SavedFile::begin(&path, true).unwrap();
        dropped.text().write_all(b"three").unwrap();
        drop(dropped);
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_plain_file_is_never_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("link");
        std::os::unix::fs::symlink("elsewhere", &path).unwrap();
        assert!(write(&path, true, "text").is_err());
        assert!(write(directory.path(), true, "text").is_err());
        assert!(path.symlink_metadata().unwrap().is_symlink());
    }

    #[test]
    fn what_came_meanwhile_is_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out");
        let file = SavedFile::begin(&path, false).unwrap();
        fs::write(&path, "theirs").unwrap();
        assert!(file.finish().is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_may_read_it() {
        use std::os::unix::fs::PermissionsExt;

        let directory = tempfile::tempdir().unwrap();
        let inner = directory.path().join("backups");
        make_private_directory(&inner).unwrap();
        make_private_directory(&inner).unwrap();
        let path = inner.join("out");
        write(&path, false, "one").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&inner), mode(&path)), (0o700, 0o600));
    }
}
