//! Where sessions lie.

use std::path::{Component, Path};

/// `<folder>/<session>.jsonl`, and `<folder>/<session>/subagents/**/agent-<id>.jsonl`.
pub(crate) fn is_session_file(relative: &Path) -> bool {
    let name = relative.file_name().and_then(|name| name.to_str());
    let is_agent = name.is_some_and(|name| name.starts_with("agent-"));
    let is_below_subagents = relative
        .components()
        .nth(2)
        .is_some_and(|part| part == Component::Normal("subagents".as_ref()));
    match relative.components().count() {
        2 => !is_agent,
        depth => depth > 3 && is_below_subagents && is_agent,
    }
}
