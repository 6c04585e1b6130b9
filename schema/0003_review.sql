-- Evidence that is verified whenever its transcript changes, and what people decided.

DROP TRIGGER recall_entries_updated;
DROP TRIGGER recall_entries_successor_deleted;
DROP TRIGGER recall_evidence_updated;

-- What the author called an entry whose evidence cannot carry that kind alone.
ALTER TABLE recall_entries ADD COLUMN claimed_type TEXT
    CHECK (claimed_type IN ('preference', 'decision', 'procedure'));
ALTER TABLE recall_entries ADD COLUMN revocation_reason TEXT CHECK (revocation_reason IN
    ('start_endpoint_unresolved', 'end_endpoint_unresolved', 'invalid_resolved_range',
     'window_invalid', 'selection_invalid', 'missing_digest', 'content_digest_mismatch'));
ALTER TABLE recall_entries ADD COLUMN revoked_at TEXT
    CHECK ((revoked_at IS NULL) = (revocation_reason IS NULL))
    CHECK (revoked_at IS NULL OR provenance_ok = 0);
-- Decisions up to this number of the log were about an earlier entry of this id.
ALTER TABLE recall_entries ADD COLUMN decided_before INTEGER NOT NULL DEFAULT 0;

-- How many messages are cited, how much text, and the digest of the first alone: what a lost passage
-- is found by.
ALTER TABLE recall_evidence ADD COLUMN message_count INTEGER CHECK (message_count > 0);
ALTER TABLE recall_evidence ADD COLUMN content_bytes INTEGER CHECK (content_bytes >= 0);
ALTER TABLE recall_evidence ADD COLUMN opening_digest TEXT
    CHECK (length(opening_digest) = 64 AND opening_digest NOT GLOB '*[^0-9a-f]*');
-- Who said it, and the quotations one by one: arrays of text.
ALTER TABLE recall_evidence ADD COLUMN speakers TEXT NOT NULL DEFAULT '[]'
    CHECK (json_valid(speakers));
ALTER TABLE recall_evidence ADD COLUMN snippets TEXT NOT NULL DEFAULT '[]'
    CHECK (json_valid(snippets));

UPDATE recall_evidence SET snippets = json_array(snippet) WHERE snippet <> '';
ALTER TABLE recall_evidence DROP COLUMN snippet;
UPDATE recall_evidence SET (message_count, content_bytes) =
    (SELECT nullif(count(*), 0), sum(length(CAST(m.content AS BLOB)))
     FROM messages m JOIN sessions s ON s.key = m.session_key
     WHERE s.id = recall_evidence.session_id
       AND m.ordinal BETWEEN message_start_ordinal AND message_end_ordinal)
    WHERE content_digest IS NOT NULL;

-- Every decision of a person, in order. Nothing is changed or taken out of it; it names entries
-- without a foreign key, so that it outlives them. It holds no text of theirs.
CREATE TABLE recall_review_log (
    number              INTEGER PRIMARY KEY AUTOINCREMENT,
    entry_id            TEXT NOT NULL,
    action              TEXT NOT NULL CHECK (action IN
                        ('accept', 'edit', 'reject', 'supersede', 'archive', 'restore', 'undo')),
    reviewer            TEXT NOT NULL CHECK (reviewer <> ''),
    decided_at          TEXT NOT NULL,
    note                TEXT NOT NULL DEFAULT '',
    -- The replacement that was tied to the entry or cut from it.
    other_entry_id      TEXT,
    undoes              INTEGER UNIQUE REFERENCES recall_review_log (number),
    -- How the entry stood before and after, as JSON; NULL if there was no entry.
    standing_before     TEXT CHECK (json_valid(standing_before)),
    standing_after      TEXT CHECK (json_valid(standing_after)),
    CHECK ((undoes IS NULL) = (action <> 'undo')),
    CHECK ((standing_before IS NULL) = (standing_after IS NULL))
) STRICT;

CREATE TRIGGER recall_review_log_unchanged BEFORE UPDATE ON recall_review_log
BEGIN
    SELECT RAISE(ABORT, 'the review log is append-only');
END;

-- Only a reset that also forgets the decisions may empty it, when no entry is left to explain.
CREATE TRIGGER recall_review_log_kept BEFORE DELETE ON recall_review_log
WHEN EXISTS (SELECT 1 FROM recall_entries)
BEGIN
    SELECT RAISE(ABORT, 'the review log is append-only');
END;

-- The wording that a decision replaced. It goes with its entry, since it is its text.
CREATE TABLE recall_entry_wordings (
    entry_id    TEXT NOT NULL REFERENCES recall_entries (id) ON DELETE CASCADE,
    replaced_by INTEGER NOT NULL REFERENCES recall_review_log (number),
    title       TEXT NOT NULL,
    body        TEXT NOT NULL,
    trigger     TEXT NOT NULL,
    uncertainty TEXT NOT NULL,
    scope       TEXT NOT NULL,
    PRIMARY KEY (entry_id, replaced_by)
) STRICT, WITHOUT ROWID;

-- Decisions that nobody took back.
CREATE VIEW recall_decisions AS
    SELECT d.* FROM recall_review_log d
    WHERE d.action <> 'undo'
      AND NOT EXISTS (SELECT 1 FROM recall_review_log u WHERE u.undoes = d.number);

-- Ids that a person rejected and nobody restored, whether or not there is such an entry.
CREATE VIEW recall_rejected AS
    SELECT d.entry_id, d.number FROM recall_decisions d
    WHERE d.action = 'reject'
      AND NOT EXISTS (SELECT 1 FROM recall_decisions later
                      WHERE later.entry_id = d.entry_id AND later.number > d.number
                        AND later.action = 'restore');

CREATE TRIGGER recall_review_log_inserted AFTER INSERT ON recall_review_log
WHEN EXISTS (SELECT 1 FROM recall_entries WHERE id = NEW.entry_id)
BEGIN
    UPDATE recall_query_state SET revision = revision + 1;
    INSERT INTO recall_query_changes
        SELECT NEW.entry_id, revision FROM recall_query_state WHERE true
        ON CONFLICT (entry_id) DO UPDATE SET revision = excluded.revision;
END;

-- A trashed session withdraws the trust in its entries, which a query can see.
CREATE TRIGGER sessions_withdrawn AFTER UPDATE OF deleted_at ON sessions
WHEN (OLD.deleted_at IS NULL) IS NOT (NEW.deleted_at IS NULL)
 AND EXISTS (SELECT 1 FROM recall_entries WHERE source_session_id = NEW.id)
BEGIN
    UPDATE recall_query_state SET revision = revision + 1;
    INSERT INTO recall_query_changes
        SELECT e.id, state.revision FROM recall_entries e, recall_query_state state
        WHERE e.source_session_id = NEW.id
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
  OR OLD.claimed_type IS NOT NEW.claimed_type
  OR OLD.revocation_reason IS NOT NEW.revocation_reason OR OLD.revoked_at IS NOT NEW.revoked_at
  OR OLD.supersedes_entry_id IS NOT NEW.supersedes_entry_id
  OR OLD.superseded_by_entry_id IS NOT NEW.superseded_by_entry_id
  OR OLD.created_at IS NOT NEW.created_at OR OLD.updated_at IS NOT NEW.updated_at
BEGIN
    UPDATE recall_query_state SET revision = revision + 1;
    INSERT INTO recall_query_changes
        SELECT NEW.id, revision FROM recall_query_state WHERE true
        ON CONFLICT (entry_id) DO UPDATE SET revision = excluded.revision;
END;

CREATE TRIGGER recall_evidence_updated AFTER UPDATE ON recall_evidence
WHEN OLD.message_start_ordinal IS NOT NEW.message_start_ordinal
  OR OLD.message_end_ordinal IS NOT NEW.message_end_ordinal
  OR OLD.message_start_source_uuid IS NOT NEW.message_start_source_uuid
  OR OLD.message_end_source_uuid IS NOT NEW.message_end_source_uuid
  OR OLD.message_count IS NOT NEW.message_count OR OLD.content_bytes IS NOT NEW.content_bytes
  OR OLD.content_digest IS NOT NEW.content_digest OR OLD.digest_version IS NOT NEW.digest_version
  OR OLD.opening_digest IS NOT NEW.opening_digest OR OLD.speakers IS NOT NEW.speakers
  OR OLD.tool_use_id IS NOT NEW.tool_use_id OR OLD.snippets IS NOT NEW.snippets
BEGIN
    UPDATE recall_query_state SET revision = revision + 1;
    INSERT INTO recall_query_changes
        SELECT NEW.entry_id, revision FROM recall_query_state WHERE true
        ON CONFLICT (entry_id) DO UPDATE SET revision = excluded.revision;
END;

-- Only a supersession sets this link, and it is what archived the predecessor: without its
-- successor it is in force again, unless a person rejected it meanwhile. BEFORE, since the foreign
-- key has cleared the link by AFTER.
CREATE TRIGGER recall_entries_successor_deleted BEFORE DELETE ON recall_entries
BEGIN
    UPDATE recall_entries
        SET superseded_by_entry_id = NULL,
            status = CASE WHEN id IN (SELECT entry_id FROM recall_rejected)
                     THEN 'archived' ELSE 'accepted' END
        WHERE superseded_by_entry_id = OLD.id;
END;

-- An entry that was replaced can replace nothing any more: the end of a chain would meet its
-- beginning. A new entry has no successor, so insertion closes no circle.
CREATE TRIGGER recall_entries_close_no_circle BEFORE UPDATE OF supersedes_entry_id ON recall_entries
WHEN OLD.supersedes_entry_id IS NULL AND NEW.supersedes_entry_id IS NOT NULL
 AND NEW.superseded_by_entry_id IS NOT NULL
BEGIN
    SELECT RAISE(ABORT, 'a replaced entry cannot replace another one');
END;
