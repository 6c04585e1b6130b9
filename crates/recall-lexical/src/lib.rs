//! The lexical scorer and its in-memory index.
