-- Every index, made again at each writable opening if it is missing.
CREATE INDEX IF NOT EXISTS sessions_by_source ON sessions (source_file_key);
CREATE INDEX IF NOT EXISTS sessions_by_end ON sessions (ended_at DESC, id);
CREATE INDEX IF NOT EXISTS messages_by_source_uuid ON messages (session_key, source_uuid)
    WHERE source_uuid IS NOT NULL;
CREATE INDEX IF NOT EXISTS recall_entries_by_context
    ON recall_entries (project, cwd, git_branch, agent);
CREATE INDEX IF NOT EXISTS recall_entries_by_kind ON recall_entries (type, scope, status);
CREATE INDEX IF NOT EXISTS recall_entries_by_session ON recall_entries (source_session_id);
CREATE INDEX IF NOT EXISTS recall_entries_by_episode ON recall_entries (source_episode_id);
CREATE INDEX IF NOT EXISTS recall_entries_by_run
    ON recall_entries (source_run_id, source_session_id, review_state);
CREATE INDEX IF NOT EXISTS recall_entries_by_update ON recall_entries (updated_at DESC, id);
-- One successor an entry, whatever races.
CREATE UNIQUE INDEX IF NOT EXISTS recall_entries_one_successor
    ON recall_entries (supersedes_entry_id) WHERE supersedes_entry_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS recall_entries_by_successor
    ON recall_entries (superseded_by_entry_id) WHERE superseded_by_entry_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS recall_evidence_by_entry ON recall_evidence (entry_id, id);
CREATE INDEX IF NOT EXISTS recall_evidence_by_session ON recall_evidence (session_id);
CREATE INDEX IF NOT EXISTS recall_review_log_by_entry ON recall_review_log (entry_id, number);
CREATE INDEX IF NOT EXISTS recall_entry_wordings_by_decision ON recall_entry_wordings (replaced_by);
CREATE INDEX IF NOT EXISTS sessions_by_trash ON sessions (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS recall_embedding_changes_by_revision
    ON recall_embedding_changes (revision, entry_id);
CREATE INDEX IF NOT EXISTS recall_query_changes_by_revision
    ON recall_query_changes (revision, entry_id);
CREATE INDEX IF NOT EXISTS recall_embedding_deletions_by_time
    ON recall_embedding_deletions (deleted_at DESC, entry_id);
