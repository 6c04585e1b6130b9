//! The store against a real file: constraints, incremental writes, revisions, trust in SQL.

#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

mod constraints;
mod made;
mod opening;
mod reading;
mod revisions;
mod transcript;
mod trash;
mod trust_agrees;
mod upgrade;
