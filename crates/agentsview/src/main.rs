//! The `agentsview` binary.

fn main() {}
