-- Which files of the cache hold the lexical index, so that another archive put in this one's place,
-- or an older copy of it, is never answered from files that are not its own.
CREATE TABLE recall_index_segments (
    -- 0: every entry as of a revision; 1: those that changed since, as of a later one.
    layer    INTEGER PRIMARY KEY CHECK (layer IN (0, 1)),
    -- The file's name, which is a digest of what it holds.
    file     TEXT NOT NULL CHECK (file <> ''),
    -- The query revision that it was made at.
    revision INTEGER NOT NULL CHECK (revision >= 0)
) STRICT;

-- What is deleted is deleted for good, and the files still hold its words: none of them counts any
-- more, and whoever makes the next ones removes these.
CREATE TRIGGER recall_entries_deleted_from_index AFTER DELETE ON recall_entries
BEGIN
    DELETE FROM recall_index_segments;
END;
