//! The one translation of an [`EntryFilter`] to SQL.

use recall_core::EntryFilter;
use sqlx::{QueryBuilder, Sqlite};

/// Appends ` WHERE …` for rows of `recall_entries e` that the filter lets through.
///
/// The trust conditions repeat `recall_trust::is_trusted`; a test proves that the two agree.
pub(super) fn push_filter(sql: &mut QueryBuilder<Sqlite>, filter: &EntryFilter) {
    sql.push(" WHERE e.status = ")
        .push_bind(filter.effective_status().as_str());
    let exact = [
        ("e.project", filter.project.as_deref()),
        ("e.git_branch", filter.git_branch.as_deref()),
        ("e.agent", filter.agent.as_deref()),
        (
            "e.type",
            filter.entry_type.map(recall_core::EntryType::as_str),
        ),
        ("e.scope", filter.scope.map(recall_core::Scope::as_str)),
        (
            "e.review_state",
            filter.review_state.map(recall_core::ReviewState::as_str),
        ),
        ("e.extractor_method", filter.extractor_method.as_deref()),
        (
            "e.source_session_id",
            filter
                .source_session_id
                .as_ref()
                .map(recall_core::SessionId::as_str),
        ),
        (
            "e.source_episode_id",
            filter
                .source_episode_id
                .as_ref()
                .map(recall_core::EpisodeId::as_str),
        ),
        (
            "e.source_run_id",
            filter
                .source_run_id
                .as_ref()
                .map(recall_core::RunId::as_str),
        ),
        (
            "e.supersedes_entry_id",
            filter.supersedes.as_ref().map(recall_core::EntryId::as_str),
        ),
        (
            "e.superseded_by_entry_id",
            filter
                .superseded_by
                .as_ref()
                .map(recall_core::EntryId::as_str),
        ),
    ];
    for (column, value) in exact {
        if let Some(value) = value {
            sql.push(" AND ")
                .push(column)
                .push(" = ")
                .push_bind(value.to_owned());
        }
    }
    if let Some(cwd) = &filter.cwd {
        push_directory(sql, cwd);
    }
    if filter.trusted_only {
        sql.push(
            " AND e.status = 'accepted' AND e.review_state = 'human_reviewed' \
             AND e.transferable = 1 AND e.provenance_ok = 1",
        );
    }
}

/// The directory itself and everything below it. A range instead of LIKE, so that the index serves
/// and `%` in a path means itself.
fn push_directory(sql: &mut QueryBuilder<Sqlite>, cwd: &str) {
    let below = if cwd == "/" {
        cwd.to_owned()
    } else {
        format!("{cwd}/")
    };
    // The character after the slash in byte order.
    let end = format!("{}0", below.trim_end_matches('/'));
    sql.push(" AND (e.cwd = ")
        .push_bind(cwd.to_owned())
        .push(" OR (e.cwd >= ")
        .push_bind(below)
        .push(" AND e.cwd < ")
        .push_bind(end)
        .push("))");
}
