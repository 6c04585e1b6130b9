//! The sync over real folders and a real archive.

#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

mod evidence;
mod growth;
mod robust;
mod world;
