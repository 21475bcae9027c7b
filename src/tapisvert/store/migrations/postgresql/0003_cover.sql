-- The changes of SQLite's migration 0004: what lets an audit name every change. Rows that are only
-- ever added are numbered and hashed, a tail counts those that no seal covers yet, seals are
-- signed, and small rows carry a mark.

-- Replies to commands: numbered, so that seals can cover them, and hashed.
ALTER TABLE commands ADD COLUMN id BIGINT GENERATED ALWAYS AS IDENTITY;
ALTER TABLE commands ADD COLUMN hash BYTEA;
ALTER TABLE commands DROP CONSTRAINT commands_pkey;
ALTER TABLE commands ADD PRIMARY KEY (id);
ALTER TABLE commands ADD UNIQUE (player_id, key);
CREATE TRIGGER commands_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON commands
    FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER commands_are_numbered_late BEFORE INSERT ON commands
    FOR EACH STATEMENT EXECUTE FUNCTION begin_before_numbering();

ALTER TABLE operator_commands ADD COLUMN id BIGINT GENERATED ALWAYS AS IDENTITY;
ALTER TABLE operator_commands ADD COLUMN hash BYTEA;
ALTER TABLE operator_commands DROP CONSTRAINT operator_commands_pkey;
ALTER TABLE operator_commands ADD PRIMARY KEY (id);
ALTER TABLE operator_commands ADD UNIQUE (operator, key);
CREATE TRIGGER operator_commands_are_never_changed
    BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_commands
    FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER operator_commands_are_numbered_late BEFORE INSERT ON operator_commands
    FOR EACH STATEMENT EXECUTE FUNCTION begin_before_numbering();

CREATE TRIGGER rounds_are_numbered_late BEFORE INSERT ON rounds
    FOR EACH STATEMENT EXECUTE FUNCTION begin_before_numbering();
CREATE TRIGGER contributions_are_numbered_late BEFORE INSERT ON contributions
    FOR EACH STATEMENT EXECUTE FUNCTION begin_before_numbering();

-- Marks under the house's key, over the whole row.
ALTER TABLE sessions ADD COLUMN mark BYTEA;
ALTER TABLE operators ADD COLUMN mark BYTEA;
ALTER TABLE jackpots ADD COLUMN mark BYTEA;

-- Nothing in the database says what an audit may leave out.
DROP TABLE bare;

-- A signed seal says in `body` how far it covers each table, and signs its hash.
ALTER TABLE seals ADD COLUMN body TEXT;
ALTER TABLE seals ADD COLUMN signature BYTEA;

-- The public keys that seals are signed with. A new key is signed by itself and by the one before.
CREATE TABLE keys (
    id         BIGINT PRIMARY KEY,
    at_ms      BIGINT NOT NULL,
    public_key BYTEA NOT NULL,
    signature  BYTEA NOT NULL,  -- by this key
    passed_on  BYTEA            -- by the key before; none for the first
);
CREATE TRIGGER keys_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON keys
    FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- The rows that no seal covers yet, counted under the house's key in the commit that wrote them
-- (store/cover.py). Each connection that writes at the same time as others has a row of its own.
CREATE TABLE tails (
    slot BIGINT PRIMARY KEY,
    body BYTEA NOT NULL,
    mac  BYTEA NOT NULL
) WITH (fillfactor = 50);

-- A commit is refused while the server does not wait for the disk. A connection learns of a changed
-- setting between two statements, so this is asked in the same message as the commit.
CREATE FUNCTION must_be_durable() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('fsync') <> 'on' THEN
        RAISE 'fsync is off: a commit would not be on disk' USING ERRCODE = 'TV001';
    END IF;
END $$;

CREATE FUNCTION keep_tail(mine BIGINT, before BYTEA, new_body BYTEA, new_mac BYTEA)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('fsync') <> 'on' THEN
        RAISE 'fsync is off: a commit would not be on disk' USING ERRCODE = 'TV001';
    END IF;
    UPDATE tails SET body = new_body, mac = new_mac WHERE slot = mine AND mac = before;
    IF NOT FOUND THEN
        RAISE 'the tail of this connection was changed by another' USING ERRCODE = 'TV002';
    END IF;
END $$;
