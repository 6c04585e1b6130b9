-- Recall: entries distilled from the archive. The constraints carry what the model promises; the
-- rest is checked by recall-trust at the one insertion boundary.

CREATE TABLE recall_entries (
    id                     TEXT PRIMARY KEY CHECK (id <> ''),
    type                   TEXT NOT NULL CHECK (type IN
                           ('fact', 'decision', 'procedure', 'debugging_method', 'warning',
                            'preference', 'open_question')),
    scope                  TEXT NOT NULL CHECK (scope IN
                           ('global', 'project', 'repository', 'branch', 'file', 'tool', 'agent')),
    status                 TEXT NOT NULL DEFAULT 'accepted'
                           CHECK (status IN ('accepted', 'archived')),
    review_state           TEXT NOT NULL DEFAULT 'unreviewed_auto' CHECK (review_state IN
                           ('human_reviewed', 'unreviewed_auto', 'calibrated_auto', 'eval_raw')),
    title                  TEXT NOT NULL CHECK (title <> ''),
    body                   TEXT NOT NULL CHECK (body <> ''),
    trigger                TEXT NOT NULL DEFAULT '',
    confidence             REAL CHECK (confidence BETWEEN 0 AND 1),
    uncertainty            TEXT NOT NULL DEFAULT '',
    project                TEXT NOT NULL DEFAULT '',
    cwd                    TEXT NOT NULL DEFAULT '',
    git_branch             TEXT NOT NULL DEFAULT '',
    agent                  TEXT NOT NULL DEFAULT '',
    source_session_id      TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    source_episode_id      TEXT,
    source_run_id          TEXT,
    extractor_method       TEXT NOT NULL DEFAULT '',
    model                  TEXT NOT NULL DEFAULT '',
    transferable           INTEGER NOT NULL DEFAULT 0 CHECK (transferable IN (0, 1)),
    provenance_ok          INTEGER NOT NULL DEFAULT 0 CHECK (provenance_ok IN (0, 1)),
    -- The two links are written in one transaction, predecessor first, so both wait for its end.
    supersedes_entry_id    TEXT REFERENCES recall_entries (id) ON DELETE SET NULL
                           DEFERRABLE INITIALLY DEFERRED,
    superseded_by_entry_id TEXT REFERENCES recall_entries (id) ON DELETE SET NULL
                           DEFERRABLE INITIALLY DEFERRED,
    created_at             TEXT NOT NULL,
    updated_at             TEXT NOT NULL,
    CHECK (supersedes_entry_id <> id AND superseded_by_entry_id <> id),
    -- Lets evidence prove that it cites its entry's own session.
    UNIQUE (id, source_session_id)
) STRICT;

CREATE TABLE recall_evidence (
    id                        INTEGER PRIMARY KEY,
    entry_id                  TEXT NOT NULL,
    session_id                TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    message_start_ordinal     INTEGER NOT NULL CHECK (message_start_ordinal >= 0),
    message_end_ordinal       INTEGER NOT NULL,
    message_start_source_uuid TEXT,
    message_end_source_uuid   TEXT,
    content_digest            TEXT CHECK (length(content_digest) = 64
                                          AND content_digest NOT GLOB '*[^0-9a-f]*'),
    digest_version            TEXT,
    tool_use_id               TEXT,
    snippet                   TEXT NOT NULL DEFAULT '',
    CHECK (message_end_ordinal >= message_start_ordinal),
    CHECK ((content_digest IS NULL) = (digest_version IS NULL)),
    FOREIGN KEY (entry_id, session_id) REFERENCES recall_entries (id, source_session_id)
        ON DELETE CASCADE
) STRICT;

-- Two counters, each with a log of the latest change an entry: the corpus revision counts what is
-- embedded, the query revision whatever a query can see. Rows of deleted entries stay in the logs,
-- so that a cache learns of the deletion. The triggers say ON CONFLICT DO UPDATE and not OR REPLACE,
-- which the conflict rule of the statement that fired them (a foreign key's, say) would override.
CREATE TABLE recall_corpus_state (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
    revision  INTEGER NOT NULL CHECK (revision >= 0)
) STRICT;
INSERT INTO recall_corpus_state VALUES (1, 0);

CREATE TABLE recall_query_state (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
    revision  INTEGER NOT NULL CHECK (revision >= 0)
) STRICT;
INSERT INTO recall_query_state VALUES (1, 0);

CREATE TABLE recall_embedding_changes (
    entry_id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE recall_query_changes (
    entry_id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE recall_embedding_deletions (
    entry_id   TEXT PRIMARY KEY,
    deleted_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER recall_entries_inserted AFTER INSERT ON recall_entries
BEGIN
    UPDATE recall_query_state SET revision = revision + 1;
    INSERT INTO recall_query_changes
        SELECT NEW.id, revision FROM recall_query_state WHERE true
        ON CONFLICT (entry_id) DO UPDATE SET revision = excluded.revision;
    DELETE FROM recall_embedding_deletions WHERE entry_id = NEW.id;
END;

CREATE TRIGGER recall_entries_inserted_accepted AFTER INSERT ON recall_entries
WHEN NEW.status = 'accepted'
BEGIN
    UPDATE recall_corpus_state SET revision = revision + 1;
    INSERT INTO recall_embedding_changes
        SELECT NEW.id, revision FROM recall_corpus_state WHERE true
        ON CONFLICT (entry_id) DO UPDATE SET revision = excluded.revision;
END;

CREATE TRIGGER recall_entries_updated AFTER UPDATE ON recall_entries
WHEN OLD.type IS NOT NEW.type OR OLD.scope IS NOT NEW.scope OR OLD.status IS NOT NEW.status
  OR OLD.review_state IS NOT NEW.review_state OR OLD.title IS NOT NEW.title
  OR OLD.body IS NOT NEW.body OR OLD.trigger IS NOT NEW.trigger
  OR OLD.confidence IS NOT NEW.confidence OR OLD.uncertainty IS NOT NEW.uncertainty
  OR OLD.project IS NOT NEW.project OR OLD.cwd IS NOT NEW.cwd
  OR OLD.git_branch IS NOT NEW.git_branch OR OLD.agent IS NOT NEW.agent
  OR OLD.source_session_id IS NOT NEW.source_session_id
  OR OLD.source_episode_id IS NOT NEW.source_episode_id
  OR OLD.source_run_id IS NOT NEW.source_run_id
  OR OLD.extractor_method IS NOT NEW.extractor_method OR OLD.model IS NOT NEW.model
  OR OLD.transferable IS NOT NEW.transferable OR OLD.provenance_ok IS NOT NEW.provenance_ok
  OR OLD.supersedes_entry_id IS NOT NEW.supersedes_entry_id
  OR OLD.superseded_by_entry_id IS NOT NEW.superseded_by_entry_id
  OR OLD.created_at IS NOT NEW.created_at OR OLD.updated_at IS NOT NEW.updated_at
BEGIN
    UPDATE recall_query_state SET revision = revision + 1;
    INSERT INTO recall_query_changes
        SELECT NEW.id, revision FROM recall_query_state WHERE true
        ON CONFLICT (entry_id) DO UPDATE SET revision = excluded.revision;
END;

CREATE TRIGGER recall_entries_updated_corpus AFTER UPDATE ON recall_entries
WHEN (OLD.status = 'accepted') IS NOT (NEW.status = 'accepted')
  OR (NEW.status = 'accepted' AND (OLD.title IS NOT NEW.title OR OLD.body IS NOT NEW.body
                                   OR OLD.trigger IS NOT NEW.trigger))
BEGIN
    UPDATE recall_corpus_state SET revision = revision + 1;
    INSERT INTO recall_embedding_changes
        SELECT NEW.id, revision FROM recall_corpus_state WHERE true
        ON CONFLICT (entry_id) DO UPDATE SET revision = excluded.revision;
END;

-- Only a supersession sets this link, and it is what archived the predecessor: without its
-- successor it is in force again. BEFORE, since the foreign key has cleared the link by AFTER.
CREATE TRIGGER recall_entries_successor_deleted BEFORE DELETE ON recall_entries
BEGIN
    UPDATE recall_entries SET status = 'accepted', superseded_by_entry_id = NULL
        WHERE superseded_by_entry_id = OLD.id;
END;

CREATE TRIGGER recall_entries_deleted AFTER DELETE ON recall_entries
BEGIN
    UPDATE recall_query_state SET revision = revision + 1;
    INSERT INTO recall_query_changes
        SELECT OLD.id, revision FROM recall_query_state WHERE true
        ON CONFLICT (entry_id) DO UPDATE SET revision = excluded.revision;
    INSERT INTO recall_embedding_deletions
        VALUES (OLD.id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        ON CONFLICT (entry_id) DO UPDATE SET deleted_at = excluded.deleted_at;
END;

CREATE TRIGGER recall_entries_deleted_accepted AFTER DELETE ON recall_entries
WHEN OLD.status = 'accepted'
BEGIN
    UPDATE recall_corpus_state SET revision = revision + 1;
    INSERT INTO recall_embedding_changes
        SELECT OLD.id, revision FROM recall_corpus_state WHERE true
        ON CONFLICT (entry_id) DO UPDATE SET revision = excluded.revision;
END;

CREATE TRIGGER recall_evidence_inserted AFTER INSERT ON recall_evidence
BEGIN
    UPDATE recall_query_state SET revision = revision + 1;
    INSERT INTO recall_query_changes
        SELECT NEW.entry_id, revision FROM recall_query_state WHERE true
        ON CONFLICT (entry_id) DO UPDATE SET revision = excluded.revision;
END;

CREATE TRIGGER recall_evidence_updated AFTER UPDATE ON recall_evidence
WHEN OLD.message_start_ordinal IS NOT NEW.message_start_ordinal
  OR OLD.message_end_ordinal IS NOT NEW.message_end_ordinal
  OR OLD.message_start_source_uuid IS NOT NEW.message_start_source_uuid
  OR OLD.message_end_source_uuid IS NOT NEW.message_end_source_uuid
  OR OLD.content_digest IS NOT NEW.content_digest OR OLD.digest_version IS NOT NEW.digest_version
  OR OLD.tool_use_id IS NOT NEW.tool_use_id OR OLD.snippet IS NOT NEW.snippet
BEGIN
    UPDATE recall_query_state SET revision = revision + 1;
    INSERT INTO recall_query_changes
        SELECT NEW.entry_id, revision FROM recall_query_state WHERE true
        ON CONFLICT (entry_id) DO UPDATE SET revision = excluded.revision;
END;

CREATE TRIGGER recall_evidence_deleted AFTER DELETE ON recall_evidence
BEGIN
    UPDATE recall_query_state SET revision = revision + 1;
    INSERT INTO recall_query_changes
        SELECT OLD.entry_id, revision FROM recall_query_state WHERE true
        ON CONFLICT (entry_id) DO UPDATE SET revision = excluded.revision;
END;
