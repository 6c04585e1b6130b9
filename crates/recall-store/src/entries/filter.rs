//! The one translation of an [`EntryFilter`] to SQL.

use recall_core::{EntryFilter, FILTERS, FilterKey, FilterValue};
use sqlx::{QueryBuilder, Sqlite};

/// Whether the session of `recall_entries e` is in the trash or was removed for good.
pub(super) const SOURCE_WITHDRAWN: &str = "(EXISTS (SELECT 1 FROM sessions s \
     WHERE s.id = e.source_session_id AND s.deleted_at IS NOT NULL) \
     OR EXISTS (SELECT 1 FROM excluded_sessions x WHERE x.id = e.source_session_id))";

/// Appends ` WHERE …` for rows of `recall_entries e` that the filter lets through: every row of the
/// one table of filters, and the trust conditions.
///
/// The latter repeat `recall_trust::is_trusted`; a test proves that the two agree. What text reads
/// like is none of SQL's business: the engine looks at the rows.
pub(super) fn push_filter(sql: &mut QueryBuilder<Sqlite>, filter: &EntryFilter) {
    sql.push(" WHERE e.status = ")
        .push_bind(filter.effective_status().as_str());
    for spec in FILTERS {
        let Some(value) = filter.get(spec.key) else {
            continue;
        };
        match spec.value {
            FilterValue::Path => push_directory(sql, value),
            FilterValue::Text | FilterValue::Word(_) => {
                sql.push(" AND e.")
                    .push(column(spec.key))
                    .push(" = ")
                    .push_bind(value.to_owned());
            }
        }
    }
    if filter.trusted_only {
        sql.push(
            " AND e.status = 'accepted' AND e.review_state = 'human_reviewed' \
             AND e.transferable = 1 AND e.provenance_ok = 1 AND NOT ",
        );
        sql.push(SOURCE_WITHDRAWN);
    }
}

/// The column that holds a filtered property.
const fn column(key: FilterKey) -> &'static str {
    match key {
        FilterKey::Project => "project",
        FilterKey::Cwd => "cwd",
        FilterKey::GitBranch => "git_branch",
        FilterKey::Agent => "agent",
        FilterKey::Type => "type",
        FilterKey::Scope => "scope",
        FilterKey::Status => "status",
        FilterKey::ReviewState => "review_state",
        FilterKey::ExtractorMethod => "extractor_method",
        FilterKey::SourceSessionId => "source_session_id",
        FilterKey::SourceEpisodeId => "source_episode_id",
        FilterKey::SourceRunId => "source_run_id",
        FilterKey::SupersedesEntryId => "supersedes_entry_id",
        FilterKey::SupersededByEntryId => "superseded_by_entry_id",
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
