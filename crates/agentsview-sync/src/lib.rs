//! Discovery of session files and incremental sync into the archive.
