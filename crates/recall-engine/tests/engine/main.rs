//! The engine over a real archive.

#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

#[cfg(feature = "eval-ingest")]
mod evaluation;
mod import;
mod index;
mod query;
mod racing;
mod review;
mod sticky;
mod transfer;
mod world;
