//! Numbers that count or point at something.

use std::str::FromStr;

/// Reads a number that cannot be negative, of whatever size the flag has.
pub(super) fn number<N: FromStr>(text: &str) -> Result<N, &'static str> {
    text.parse()
        .map_err(|_| "must be a whole number, 0 or more")
}
