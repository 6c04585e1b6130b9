-- The archive: what coding agents left on this machine. It is the only authority; everything else
-- in this file and under cache/ can be rebuilt from it.
--
-- A migration is never edited once it has been released. Indexes live in indexes.sql.

-- A session file as it was when it was last read. A file is read again only when it looks
-- different, and its rows and this row are written in one transaction.
CREATE TABLE source_files (
    key             INTEGER PRIMARY KEY,
    path            TEXT NOT NULL UNIQUE,
    agent           TEXT NOT NULL,
    size            INTEGER NOT NULL CHECK (size >= 0),
    modified_ns     INTEGER NOT NULL,
    changed_ns      INTEGER NOT NULL,
    inode           INTEGER NOT NULL,
    device          INTEGER NOT NULL,
    -- Bytes up to the end of the last complete line, and their SHA-256: growth behind an equal
    -- prefix is an append, anything else is a rewrite.
    consumed_bytes  INTEGER NOT NULL CHECK (consumed_bytes >= 0),
    prefix_sha256   BLOB NOT NULL CHECK (length(prefix_sha256) = 32),
    malformed_lines INTEGER NOT NULL CHECK (malformed_lines >= 0),
    oversized_lines INTEGER NOT NULL CHECK (oversized_lines >= 0),
    is_truncated    INTEGER NOT NULL CHECK (is_truncated IN (0, 1)),
    -- The parser that read it: a newer one reads every file again.
    parser_version  INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    key                   INTEGER PRIMARY KEY,
    id                    TEXT NOT NULL UNIQUE CHECK (id <> ''),
    agent                 TEXT NOT NULL,
    project               TEXT NOT NULL DEFAULT '',
    cwd                   TEXT NOT NULL DEFAULT '',
    git_branch            TEXT NOT NULL DEFAULT '',
    machine               TEXT NOT NULL DEFAULT '',
    source_session_id     TEXT NOT NULL DEFAULT '',
    source_version        TEXT NOT NULL DEFAULT '',
    -- No foreign key: a parent may be synced later, or never.
    parent_session_id     TEXT,
    relationship          TEXT NOT NULL DEFAULT ''
                          CHECK (relationship IN ('', 'continuation', 'subagent', 'fork')),
    name                  TEXT NOT NULL DEFAULT '',
    first_message         TEXT NOT NULL DEFAULT '',
    started_at            TEXT,
    ended_at              TEXT,
    message_count         INTEGER NOT NULL DEFAULT 0 CHECK (message_count >= 0),
    user_message_count    INTEGER NOT NULL DEFAULT 0 CHECK (user_message_count >= 0),
    tool_call_count       INTEGER NOT NULL DEFAULT 0 CHECK (tool_call_count >= 0),
    total_output_tokens   INTEGER,
    peak_context_tokens   INTEGER,
    termination_status    TEXT NOT NULL DEFAULT '' CHECK (termination_status IN
                          ('', 'truncated', 'tool_call_pending', 'awaiting_user', 'clean')),
    is_automated          INTEGER NOT NULL DEFAULT 0 CHECK (is_automated IN (0, 1)),
    -- `placeholder` sessions were made by an import and wait for their transcript.
    origin                TEXT NOT NULL DEFAULT 'native'
                          CHECK (origin IN ('native', 'placeholder')),
    source_file_key       INTEGER REFERENCES source_files (key) ON DELETE SET NULL,
    -- +1 in the same transaction as any change to messages, calls or results; the same write
    -- replaces the scan. secrets_rules_version is empty if no scan could see all of it.
    transcript_revision   INTEGER NOT NULL DEFAULT 0 CHECK (transcript_revision >= 0),
    secret_leak_count     INTEGER NOT NULL DEFAULT 0 CHECK (secret_leak_count >= 0),
    secrets_rules_version TEXT NOT NULL DEFAULT '',
    created_at            TEXT NOT NULL,
    modified_at           TEXT NOT NULL,
    deleted_at            TEXT
) STRICT;

-- Sessions that the user removed for good; no sync brings them back.
CREATE TABLE excluded_sessions (
    id          TEXT PRIMARY KEY,
    excluded_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
    session_key         INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    -- Ordinals rise and need not be contiguous.
    ordinal             INTEGER NOT NULL CHECK (ordinal >= 0),
    -- Over the whole row with its calls and results: a re-parse writes only what differs.
    row_digest          BLOB NOT NULL CHECK (length(row_digest) = 32),
    role                TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
    content             TEXT NOT NULL,
    thinking_text       TEXT NOT NULL DEFAULT '',
    timestamp           TEXT,
    is_system           INTEGER NOT NULL DEFAULT 0 CHECK (is_system IN (0, 1)),
    model               TEXT NOT NULL DEFAULT '',
    token_usage         TEXT,
    source_type         TEXT NOT NULL DEFAULT '',
    source_subtype      TEXT NOT NULL DEFAULT '',
    source_uuid         TEXT,
    source_parent_uuid  TEXT NOT NULL DEFAULT '',
    provider_message_id TEXT NOT NULL DEFAULT '',
    provider_request_id TEXT NOT NULL DEFAULT '',
    is_sidechain        INTEGER NOT NULL DEFAULT 0 CHECK (is_sidechain IN (0, 1)),
    is_compact_boundary INTEGER NOT NULL DEFAULT 0 CHECK (is_compact_boundary IN (0, 1)),
    PRIMARY KEY (session_key, ordinal)
) STRICT;

CREATE TABLE tool_calls (
    session_key         INTEGER NOT NULL,
    ordinal             INTEGER NOT NULL,
    call_index          INTEGER NOT NULL CHECK (call_index >= 0),
    tool_use_id         TEXT,
    tool_name           TEXT NOT NULL,
    category            TEXT NOT NULL,
    input_json          TEXT NOT NULL DEFAULT '',
    file_path           TEXT NOT NULL DEFAULT '',
    skill_name          TEXT NOT NULL DEFAULT '',
    subagent_session_id TEXT,
    PRIMARY KEY (session_key, ordinal, call_index),
    FOREIGN KEY (session_key, ordinal) REFERENCES messages (session_key, ordinal) ON DELETE CASCADE
) STRICT;

CREATE TABLE tool_results (
    session_key INTEGER NOT NULL,
    ordinal     INTEGER NOT NULL,
    call_index  INTEGER NOT NULL,
    event_index INTEGER NOT NULL CHECK (event_index >= 0),
    source      TEXT NOT NULL DEFAULT '',
    status      TEXT NOT NULL DEFAULT '',
    content     TEXT NOT NULL,
    timestamp   TEXT,
    agent_id    TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (session_key, ordinal, call_index, event_index),
    FOREIGN KEY (session_key, ordinal, call_index)
        REFERENCES tool_calls (session_key, ordinal, call_index) ON DELETE CASCADE
) STRICT;

-- What a scan found; the secret itself is never stored.
CREATE TABLE secret_findings (
    session_key     INTEGER NOT NULL REFERENCES sessions (key) ON DELETE CASCADE,
    message_ordinal INTEGER NOT NULL,
    location_kind   TEXT NOT NULL
                    CHECK (location_kind IN ('message', 'tool_input', 'tool_result')),
    call_index      INTEGER NOT NULL DEFAULT 0,
    event_index     INTEGER NOT NULL DEFAULT 0,
    -- Byte offsets in the stored field.
    match_start     INTEGER NOT NULL CHECK (match_start >= 0),
    match_end       INTEGER NOT NULL CHECK (match_end > match_start),
    rule_name       TEXT NOT NULL,
    confidence      TEXT NOT NULL CHECK (confidence IN ('definite', 'candidate')),
    redacted_match  TEXT NOT NULL,
    rules_version   TEXT NOT NULL,
    created_at      TEXT NOT NULL,
    PRIMARY KEY (session_key, message_ordinal, location_kind, call_index, event_index,
                 match_start, rule_name)
) STRICT, WITHOUT ROWID;
