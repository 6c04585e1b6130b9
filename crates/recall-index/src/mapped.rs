//! Files as bytes in memory.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use memmap2::Mmap;
use recall_lexical::Bytes;

/// The bytes of a file that is never written again: mapped, or read where that fails.
pub(crate) fn bytes(mut file: File) -> io::Result<Bytes> {
    // The system maps no empty file.
    if file.metadata()?.len() > 0
        && let Ok(map) = map(&file)
    {
        return Ok(Arc::new(map));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(Arc::new(bytes))
}

#[expect(
    unsafe_code,
    reason = "a mapped file is read where it lies, which a query of a new process needs; nothing \
              but a promise can keep others from changing it"
)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes must not change while they are mapped. A file gets its name only when it is
    // complete, is never opened for writing again, and lies in a directory that only its owner may
    // enter; removing it leaves the mapping as it is.
    unsafe { Mmap::map(file) }
}
