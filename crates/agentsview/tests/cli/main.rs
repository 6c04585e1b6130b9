//! The binary as a user runs it: a few real ends of the command line.

#![allow(clippy::unwrap_used, reason = "a failed set-up is a failed test")]

mod commands;
mod desk;
mod endings;
mod importing;
mod killed;
mod produced;
mod real_sessions;
mod removal;
mod review;
mod transfer;
mod world;
