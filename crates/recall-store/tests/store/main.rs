//! The store against a real file: constraints, incremental writes, revisions, trust in SQL.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed set-up is a failed test"
)]

mod any_edits;
mod citing;
mod constraints;
mod deletion;
mod insertion;
mod made;
mod opening;
mod reading;
mod reverification;
mod revisions;
mod rollback;
mod transcript;
mod trash;
mod trust_agrees;
mod upgrade;
