//! Where sessions lie, and what their files are called.

use std::path::Path;

/// `rollout-<time>-<id>.jsonl`: by date, or flat in the archive of old sessions.
pub(crate) fn is_session_file(relative: &Path) -> bool {
    let name = relative.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("rollout-"))
}

/// The id that the name of a rollout file ends in; the whole name if it ends in none.
pub(crate) fn native_id(stem: &str) -> &str {
    const UUID_LEN: usize = 36;
    let tail = stem
        .len()
        .checked_sub(UUID_LEN)
        .and_then(|at| stem.get(at..));
    let is_uuid = |text: &&str| {
        text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
    };
    tail.filter(is_uuid).unwrap_or(stem)
}
