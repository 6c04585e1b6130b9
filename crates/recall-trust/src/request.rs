//! What a request may ask for, checked before any store is touched.

use recall_core::{EntryFilter, QueryMode, Status};

/// How many results a request gets that does not say.
pub const DEFAULT_LIMIT: usize = 50;
/// How many results a request gets at most.
pub const MAX_LIMIT: usize = 500;
/// How many bytes of context a request gets that does not say.
pub const DEFAULT_CONTEXT_BYTES: usize = 4000;
/// How many bytes of context a request may ask for.
pub const MAX_CONTEXT_BYTES: usize = 1024 * 1024;
/// How many bytes the text of a query may have.
pub const MAX_QUERY_BYTES: usize = 64 * 1024;

/// Why a request was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// A trusted-only request named a status that is never trusted (S-E07).
    #[error(
        "a trusted-only request cannot ask for status \"{0}\": only accepted entries are trusted; \
         drop the status or ask without trusted-only"
    )]
    TrustedStatus(Status),
    /// A search by meaning named a status that is not embedded.
    #[error(
        "a {mode} query cannot ask for status \"{status}\": only accepted entries are embedded; \
         use lexical mode"
    )]
    SemanticStatus {
        /// How the query ranks.
        mode: QueryMode,
        /// What was asked for.
        status: Status,
    },
    /// A negative number of results.
    #[error("limit must not be negative, got {0}; 0 means {DEFAULT_LIMIT}")]
    NegativeLimit(i64),
    /// A negative number of bytes.
    #[error("context size must not be negative, got {0}; 0 means {DEFAULT_CONTEXT_BYTES} bytes")]
    NegativeContext(i64),
    /// More context than anyone can read.
    #[error("context size {0} is more than the {MAX_CONTEXT_BYTES} bytes allowed")]
    ContextTooLarge(i64),
    /// A query that is a document.
    #[error("the query text has {0} bytes, more than the {MAX_QUERY_BYTES} allowed; shorten it")]
    QueryTooLong(usize),
}

/// Refuses a combination that could only be answered with nothing: trusted-only, or a search by
/// meaning, with a status other than accepted.
pub fn check_filter(filter: &EntryFilter, mode: QueryMode) -> Result<(), RequestError> {
    let status = filter.effective_status();
    if status == Status::Accepted {
        return Ok(());
    }
    if filter.trusted_only {
        return Err(RequestError::TrustedStatus(status));
    }
    match mode {
        QueryMode::Lexical => Ok(()),
        QueryMode::Vector | QueryMode::Hybrid => Err(RequestError::SemanticStatus { mode, status }),
    }
}

/// The number of results: [`DEFAULT_LIMIT`] for none or 0, at most [`MAX_LIMIT`].
pub fn limit(requested: Option<i64>) -> Result<usize, RequestError> {
    match requested {
        None | Some(0) => Ok(DEFAULT_LIMIT),
        Some(limit) if limit < 0 => Err(RequestError::NegativeLimit(limit)),
        Some(limit) => Ok(usize::try_from(limit).map_or(MAX_LIMIT, |limit| limit.min(MAX_LIMIT))),
    }
}

/// How many entries may be counted: all of them for none or 0.
pub fn count_limit(requested: Option<i64>) -> Result<Option<usize>, RequestError> {
    match requested {
        None | Some(0) => Ok(None),
        Some(limit) if limit < 0 => Err(RequestError::NegativeLimit(limit)),
        Some(limit) => Ok(Some(usize::try_from(limit).unwrap_or(usize::MAX))),
    }
}

/// The bytes of context: [`DEFAULT_CONTEXT_BYTES`] for none or 0. More than [`MAX_CONTEXT_BYTES`]
/// is refused and not clamped, since whoever asks for it expects to get it.
pub fn context_budget(requested: Option<i64>) -> Result<usize, RequestError> {
    match requested {
        None | Some(0) => Ok(DEFAULT_CONTEXT_BYTES),
        Some(bytes) if bytes < 0 => Err(RequestError::NegativeContext(bytes)),
        Some(bytes) => usize::try_from(bytes)
            .ok()
            .filter(|bytes| *bytes <= MAX_CONTEXT_BYTES)
            .ok_or(RequestError::ContextTooLarge(bytes)),
    }
}

/// Refuses the text of a query that is longer than [`MAX_QUERY_BYTES`].
pub fn query_text(text: &str) -> Result<(), RequestError> {
    if text.len() > MAX_QUERY_BYTES {
        Err(RequestError::QueryTooLong(text.len()))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use recall_core::FilterKey;

    use super::*;

    fn filter(status: &str, trusted_only: bool) -> EntryFilter {
        let mut filter = EntryFilter {
            trusted_only,
            ..EntryFilter::default()
        };
        filter.set(FilterKey::Status, status).unwrap();
        filter
    }

    // S-E07
    #[test]
    fn model_076_trusted_only_with_another_status_is_refused() {
        for status in ["archived", " archived "] {
            for mode in QueryMode::ALL {
                let error = check_filter(&filter(status, true), *mode).unwrap_err();
                assert_eq!(
                    error.to_string(),
                    "a trusted-only request cannot ask for status \"archived\": only accepted \
                     entries are trusted; drop the status or ask without trusted-only"
                );
            }
        }
    }

    // S-E07
    #[test]
    fn model_077_trusted_only_with_accepted_or_no_status_is_fine() {
        for status in ["", "accepted", " accepted "] {
            for mode in QueryMode::ALL {
                assert_eq!(check_filter(&filter(status, true), *mode), Ok(()));
            }
        }
    }

    #[test]
    fn only_a_lexical_query_reaches_archived_entries() {
        let archived = filter("archived", false);
        assert_eq!(check_filter(&archived, QueryMode::Lexical), Ok(()));
        for mode in [QueryMode::Vector, QueryMode::Hybrid] {
            let status = Status::Archived;
            assert_eq!(
                check_filter(&archived, mode),
                Err(RequestError::SemanticStatus { mode, status })
            );
        }
    }

    #[test]
    fn model_081_and_082_a_limit_is_defaulted_clamped_and_never_negative() {
        assert_eq!(limit(None), Ok(50));
        assert_eq!(limit(Some(0)), Ok(50));
        assert_eq!(limit(Some(7)), Ok(7));
        assert_eq!(limit(Some(501)), Ok(500));
        assert_eq!(limit(Some(i64::MAX)), Ok(500));
        assert_eq!(limit(Some(-1)), Err(RequestError::NegativeLimit(-1)));
    }

    #[test]
    fn a_context_budget_is_defaulted_and_bounded() {
        assert_eq!(context_budget(None), Ok(4000));
        assert_eq!(context_budget(Some(0)), Ok(4000));
        assert_eq!(context_budget(Some(1_048_576)), Ok(1_048_576));
        assert_eq!(
            context_budget(Some(1_048_577)).unwrap_err().to_string(),
            "context size 1048577 is more than the 1048576 bytes allowed"
        );
        assert_eq!(
            context_budget(Some(-1)),
            Err(RequestError::NegativeContext(-1))
        );
    }

    #[test]
    fn a_query_text_is_bounded() {
        assert_eq!(query_text(&"x".repeat(MAX_QUERY_BYTES)), Ok(()));
        assert!(query_text(&"x".repeat(MAX_QUERY_BYTES + 1)).is_err());
    }
}
