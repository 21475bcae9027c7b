-- What lets an audit name every change: rows that are only ever added are numbered and hashed, a
-- tail counts those that no seal covers yet, seals are signed, and small rows carry a mark.

-- Replies to commands: numbered, so that seals can cover them, and hashed.
CREATE TABLE commands_numbered (
    id          INTEGER PRIMARY KEY,
    player_id   TEXT NOT NULL REFERENCES players (id),
    key         TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    at_ms       INTEGER NOT NULL,
    reply       BLOB,
    refusal     BLOB,
    hash        BLOB,  -- over this row; rows from before this migration have none
    UNIQUE (player_id, key),
    CHECK ((reply IS NULL) <> (refusal IS NULL))
) STRICT;
INSERT INTO commands_numbered (id, player_id, key, fingerprint, at_ms, reply, refusal)
    SELECT rowid, player_id, key, fingerprint, at_ms, reply, refusal FROM commands ORDER BY rowid;
DROP TABLE commands;
ALTER TABLE commands_numbered RENAME TO commands;
CREATE TRIGGER commands_are_never_changed BEFORE UPDATE ON commands BEGIN
    SELECT RAISE(ABORT, 'commands are append-only');
END;
CREATE TRIGGER commands_are_never_deleted BEFORE DELETE ON commands BEGIN
    SELECT RAISE(ABORT, 'commands are append-only');
END;

CREATE TABLE operator_commands_numbered (
    id          INTEGER PRIMARY KEY,
    operator    TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    at_ms       INTEGER NOT NULL,
    reply       BLOB,
    refusal     BLOB,
    hash        BLOB,
    UNIQUE (operator, key),
    CHECK ((reply IS NULL) <> (refusal IS NULL))
) STRICT;
INSERT INTO operator_commands_numbered (id, operator, key, fingerprint, at_ms, reply, refusal)
    SELECT rowid, operator, key, fingerprint, at_ms, reply, refusal
    FROM operator_commands ORDER BY rowid;
DROP TABLE operator_commands;
ALTER TABLE operator_commands_numbered RENAME TO operator_commands;
CREATE TRIGGER operator_commands_are_never_changed BEFORE UPDATE ON operator_commands BEGIN
    SELECT RAISE(ABORT, 'commands are append-only');
END;
CREATE TRIGGER operator_commands_are_never_deleted BEFORE DELETE ON operator_commands BEGIN
    SELECT RAISE(ABORT, 'commands are append-only');
END;

-- Marks under the house's key, over the whole row.
ALTER TABLE sessions ADD COLUMN mark BLOB;
ALTER TABLE operators ADD COLUMN mark BLOB;
ALTER TABLE jackpots ADD COLUMN mark BLOB;

-- Nothing in the database says what an audit may leave out: older rows are under the first signed
-- seal, which covers every row that was there.
DROP TABLE bare;

-- A signed seal says in `body` how far it covers each table, and signs its hash.
ALTER TABLE seals ADD COLUMN body TEXT;
ALTER TABLE seals ADD COLUMN signature BLOB;

-- The public keys that seals are signed with. A new key is signed by itself and by the one before.
CREATE TABLE keys (
    id         INTEGER PRIMARY KEY,
    at_ms      INTEGER NOT NULL,
    public_key BLOB NOT NULL,
    signature  BLOB NOT NULL,  -- by this key
    passed_on  BLOB            -- by the key before; none for the first
) STRICT;
CREATE TRIGGER keys_are_never_changed BEFORE UPDATE ON keys BEGIN
    SELECT RAISE(ABORT, 'keys are append-only');
END;
CREATE TRIGGER keys_are_never_deleted BEFORE DELETE ON keys BEGIN
    SELECT RAISE(ABORT, 'keys are append-only');
END;

-- The rows that no seal covers yet, counted under the house's key in the commit that wrote them
-- (store/cover.py). Each connection that writes at the same time as others has a row of its own.
CREATE TABLE tails (
    slot INTEGER PRIMARY KEY,
    body BLOB NOT NULL,
    mac  BLOB NOT NULL
) STRICT;
