//! The archive and the Recall tables in one SQLite file.
