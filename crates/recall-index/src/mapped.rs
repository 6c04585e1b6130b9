//! Files as bytes in memory.

use std::fs::{File, TryLockError};
use std::io::{self, Read};
use std::sync::Arc;

use memmap2::Mmap;
use recall_lexical::Bytes;

/// A file in memory, and the shared lock on it that keeps others from overwriting it.
struct Mapped {
    map: Mmap,
    _locked: File,
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.map
    }
}

/// The bytes of a complete file: mapped, or read where that fails.
pub(crate) fn bytes(mut file: File) -> io::Result<Bytes> {
    match file.try_lock_shared() {
        // Somebody is about to overwrite and remove it.
        Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock.into()),
        // The system maps no empty file.
        Ok(()) if file.metadata()?.len() > 0 => match map(&file) {
            Ok(map) => Ok(Arc::new(Mapped { map, _locked: file })),
            Err(_) => read(&mut file),
        },
        _ => read(&mut file),
    }
}

fn read(file: &mut File) -> io::Result<Bytes> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Arc::new(bytes))
}

#[expect(
    unsafe_code,
    reason = "a mapped file is read where it lies, which a query of a new process needs; nothing \
              but a promise can keep others from changing it"
)]
fn map(locked: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes must not change while they are mapped. A file gets its name only when it is
    // complete and lies in a directory that only its owner may enter; the one thing ever written to
    // it again are the zeros before its removal, under a lock that is not granted while this one is
    // held. A removal leaves the mapping as it is.
    unsafe { Mmap::map(locked) }
}
