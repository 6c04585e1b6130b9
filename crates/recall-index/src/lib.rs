//! The rebuildable caches on disk.
//!
//! [`SegmentDirectory`] keeps segments of the lexical index as files. A file is written aside, made
//! safe and only then given its name, which is a digest of what it holds; it never changes after.
//! Which files count is not said here: the archive names them, so whatever lies in the directory
//! beside those is left over from a kill or from another archive, and may go.
//!
//! Nothing here has authority over anything. A file that is missing, damaged or of another version
//! is as good as none.
//!
//! ```
//! use recall_index::SegmentDirectory;
//! use recall_lexical::SegmentBuilder;
//!
//! let cache = tempfile::tempdir()?;
//! let directory = SegmentDirectory::at(cache.path().join("lexical"));
//! let name = directory.write(&SegmentBuilder::default().finish()?)?;
//! assert!(directory.open(&name).is_some());
//! directory.keep_only(&[])?;
//! assert!(directory.open(&name).is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod mapped;
mod segments;

pub use segments::{CacheError, SegmentDirectory};
