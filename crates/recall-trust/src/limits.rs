//! How large an entry may be. A conclusion that is longer than this is a document.

use crate::insertion::Draft;

/// Bytes of a title.
pub const MAX_TITLE_BYTES: usize = 500;
/// Bytes of a body.
pub const MAX_BODY_BYTES: usize = 64 * 1024;
/// Bytes of a trigger, of the words on what remains unsure, and of the note on a decision.
pub const MAX_NOTE_BYTES: usize = 4 * 1024;
/// Bytes of a context field: project, working directory, branch, agent, method, model.
pub const MAX_CONTEXT_FIELD_BYTES: usize = 4 * 1024;
/// Bytes of an identity.
pub const MAX_ID_BYTES: usize = 512;
/// Tool uses of one citation.
pub const MAX_TOOL_USES: usize = 64;

/// What is too large, or more than one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SizeError {
    /// A field has too many bytes.
    #[error("{field} has {bytes} bytes, more than the {limit} allowed")]
    TooLarge {
        /// The field, by its name in import lines.
        field: &'static str,
        /// Its length in bytes.
        bytes: usize,
        /// The allowed length in bytes.
        limit: usize,
    },
    /// A citation names too many tool uses.
    #[error("{count} tool uses are more than the {MAX_TOOL_USES} that one citation may name")]
    TooManyToolUses {
        /// How many it names.
        count: usize,
    },
    /// A title is more than one line.
    #[error("title must be one line; move the rest to the body")]
    TitleNotOneLine,
}

/// Refuses the first field that is too large.
pub fn check(draft: &Draft) -> Result<(), SizeError> {
    for (field, text) in draft.texts() {
        check_bytes(field, text, limit_of(field))?;
    }
    if draft.title.contains(['\n', '\r']) {
        return Err(SizeError::TitleNotOneLine);
    }
    Ok(())
}

/// Bytes that a field of [`Draft::texts`] may have; what is not named here is an identity.
fn limit_of(field: &str) -> usize {
    match field {
        "title" => MAX_TITLE_BYTES,
        "body" => MAX_BODY_BYTES,
        "trigger" | "uncertainty" => MAX_NOTE_BYTES,
        "project" | "cwd" | "git_branch" | "agent" | "extractor_method" | "model" => {
            MAX_CONTEXT_FIELD_BYTES
        }
        _ => MAX_ID_BYTES,
    }
}

/// Refuses a text that is too large.
pub(crate) fn check_bytes(field: &'static str, text: &str, limit: usize) -> Result<(), SizeError> {
    if text.len() > limit {
        return Err(SizeError::TooLarge {
            field,
            bytes: text.len(),
            limit,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use recall_core::{EpisodeId, RunId};

    use super::*;
    use crate::fixtures::{draft, entry_id, session};

    // model weakness 14
    #[test]
    fn every_field_has_its_limit_and_the_error_names_it() {
        type Fill = fn(&mut Draft, String);
        let fields: [(&str, usize, Fill); 15] = [
            ("candidate_id", 512, |draft, text| {
                draft.id = entry_id(&text);
            }),
            ("session_id", 512, |draft, text| {
                draft.source_session_id = session(&text);
            }),
            ("run_id", 512, |draft, text| {
                draft.source_run_id = RunId::new(text).ok();
            }),
            ("episode_id", 512, |draft, text| {
                draft.source_episode_id = EpisodeId::new(text).ok();
            }),
            ("supersedes_entry_id", 512, |draft, text| {
                draft.supersedes = Some(entry_id(&text));
            }),
            ("title", 500, |draft, text| draft.title = text),
            ("body", 65_536, |draft, text| draft.body = text),
            ("trigger", 4096, |draft, text| draft.trigger = text),
            ("uncertainty", 4096, |draft, text| draft.uncertainty = text),
            ("project", 4096, |draft, text| draft.project = text),
            ("cwd", 4096, |draft, text| draft.cwd = text),
            ("git_branch", 4096, |draft, text| draft.git_branch = text),
            ("agent", 4096, |draft, text| draft.agent = text),
            ("extractor_method", 4096, |draft, text| {
                draft.extractor_method = text;
            }),
            ("model", 4096, |draft, text| draft.model = text),
        ];
        for (field, limit, fill) in fields {
            let mut full = draft();
            fill(&mut full, "x".repeat(limit));
            assert_eq!(check(&full), Ok(()), "{field}");
            fill(&mut full, "x".repeat(limit + 1));
            assert_eq!(
                check(&full).unwrap_err().to_string(),
                format!(
                    "{field} has {} bytes, more than the {limit} allowed",
                    limit + 1
                )
            );
        }
    }

    #[test]
    fn a_title_is_one_line() {
        let mut draft = draft();
        draft.title = "first\nsecond".to_owned();
        assert_eq!(check(&draft), Err(SizeError::TitleNotOneLine));
    }
}
