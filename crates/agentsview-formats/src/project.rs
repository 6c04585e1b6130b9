//! How a project is named after a directory.
