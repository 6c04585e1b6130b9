//! Entries and evidence: one insertion boundary, one filter, reads and counts.

mod filter;
mod insert;
mod read;
mod row;
mod stats;
mod transaction;

pub use transaction::{SessionState, Transaction};
