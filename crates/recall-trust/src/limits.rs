//! How large an entry may be. A conclusion that is longer than this is a document.

use crate::insertion::Draft;

/// Bytes of a title.
pub const MAX_TITLE_BYTES: usize = 500;
/// Bytes of a body.
pub const MAX_BODY_BYTES: usize = 64 * 1024;
/// Bytes of a trigger, and of the words on what remains unsure.
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
    let episode = draft
        .source_episode_id
        .as_ref()
        .map_or("", |id| id.as_str());
    let run = draft.source_run_id.as_ref().map_or("", |id| id.as_str());
    let supersedes = draft.supersedes.as_ref().map_or("", |id| id.as_str());
    let fields = [
        ("candidate_id", draft.id.as_str(), MAX_ID_BYTES),
        ("session_id", draft.source_session_id.as_str(), MAX_ID_BYTES),
        ("run_id", run, MAX_ID_BYTES),
        ("episode_id", episode, MAX_ID_BYTES),
        ("supersedes_entry_id", supersedes, MAX_ID_BYTES),
        ("title", &draft.title, MAX_TITLE_BYTES),
        ("body", &draft.body, MAX_BODY_BYTES),
        ("trigger", &draft.trigger, MAX_NOTE_BYTES),
        ("uncertainty", &draft.uncertainty, MAX_NOTE_BYTES),
        ("project", &draft.project, MAX_CONTEXT_FIELD_BYTES),
        ("cwd", &draft.cwd, MAX_CONTEXT_FIELD_BYTES),
        ("git_branch", &draft.git_branch, MAX_CONTEXT_FIELD_BYTES),
        ("agent", &draft.agent, MAX_CONTEXT_FIELD_BYTES),
        (
            "extractor_method",
            &draft.extractor_method,
            MAX_CONTEXT_FIELD_BYTES,
        ),
        ("model", &draft.model, MAX_CONTEXT_FIELD_BYTES),
    ];
    for (field, text, limit) in fields {
        check_bytes(field, text, limit)?;
    }
    if draft.title.contains(['\n', '\r']) {
        return Err(SizeError::TitleNotOneLine);
    }
    Ok(())
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
