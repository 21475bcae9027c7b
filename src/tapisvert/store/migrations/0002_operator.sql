-- What an operator needs: hashes and seals over what was written, players with real money, voids,
-- switches, and a record of who did what.

-- A transfer's hash covers the one before it of the same player; an event's the one before it. A
-- round's mark covers its record, under the house's key.
ALTER TABLE transfers ADD COLUMN hash BLOB;
ALTER TABLE significant_events ADD COLUMN hash BLOB;
ALTER TABLE rounds ADD COLUMN mark BLOB;

-- The rows of before this migration have neither; the first seal covers their money.
CREATE TABLE bare (
    transfers INTEGER NOT NULL,  -- up to this one
    events    INTEGER NOT NULL,
    rounds    INTEGER NOT NULL
) STRICT;
INSERT INTO bare SELECT
    (SELECT COALESCE(MAX(id), 0) FROM transfers),
    (SELECT COALESCE(MAX(id), 0) FROM significant_events),
    (SELECT COALESCE(MAX(seq), 0) FROM rounds);

-- Every few seconds a seal over all rows since the last one, in order, and over that seal.
CREATE TABLE seals (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms         INTEGER NOT NULL,
    last_transfer INTEGER NOT NULL,
    last_event    INTEGER NOT NULL,
    hash          BLOB NOT NULL
) STRICT;
CREATE TRIGGER seals_are_never_changed BEFORE UPDATE ON seals BEGIN
    SELECT RAISE(ABORT, 'seals are append-only');
END;
CREATE TRIGGER seals_are_never_deleted BEFORE DELETE ON seals BEGIN
    SELECT RAISE(ABORT, 'seals are append-only');
END;
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON significant_events BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON significant_events BEGIN
    SELECT RAISE(ABORT, 'events are append-only');
END;

-- What a player owes after a round was reversed is on `debt:<player>`, which is the other side of
-- a movement like `house:` and `cashier:` and keeps no balance row.
DROP TRIGGER transfer_moves_money;
CREATE TRIGGER transfer_moves_money AFTER INSERT ON transfers BEGIN
    -- Both accounts that keep a row must have one, in this currency: currencies never mix.
    SELECT RAISE(ABORT, 'no such account in this currency') WHERE
        (SELECT COUNT(*) FROM accounts
            WHERE id IN (NEW.debit, NEW.credit) AND currency = NEW.currency)
        <> (substr(NEW.debit, 1, 6) <> 'house:' AND substr(NEW.debit, 1, 8) <> 'cashier:'
            AND substr(NEW.debit, 1, 5) <> 'debt:')
         + (substr(NEW.credit, 1, 6) <> 'house:' AND substr(NEW.credit, 1, 8) <> 'cashier:'
            AND substr(NEW.credit, 1, 5) <> 'debt:');
    UPDATE accounts SET units = units - NEW.units WHERE id = NEW.debit;
    UPDATE accounts SET units = units + NEW.units WHERE id = NEW.credit;
END;
CREATE INDEX transfers_of_round ON transfers (round_id) WHERE round_id IS NOT NULL;
CREATE INDEX debts ON transfers (player_id) WHERE reason IN ('debt', 'debt-paid');

CREATE TABLE operators (
    name          TEXT PRIMARY KEY,
    token_hash    BLOB NOT NULL UNIQUE,
    created_at_ms INTEGER NOT NULL
) STRICT;

-- What an operator's command did: the same key gets the same reply.
CREATE TABLE operator_commands (
    operator    TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    at_ms       INTEGER NOT NULL,
    reply       BLOB,
    refusal     BLOB,
    PRIMARY KEY (operator, key),
    CHECK ((reply IS NULL) <> (refusal IS NULL))
) STRICT;

-- A row stops new rounds: of everyone ('all'), at one game ('game:x'), of one player ('player:x').
CREATE TABLE switches (
    scope  TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    by     TEXT NOT NULL,
    at_ms  INTEGER NOT NULL
) STRICT;

-- A round whose plays and pays an operator has voided; the round's own record stays as it was.
CREATE TABLE reversals (
    round_id    TEXT PRIMARY KEY REFERENCES rounds (id),
    at_ms       INTEGER NOT NULL,
    by          TEXT NOT NULL,
    reason      TEXT NOT NULL,
    given_cents INTEGER NOT NULL,
    taken_cents INTEGER NOT NULL,
    debt_cents  INTEGER NOT NULL
) STRICT;

ALTER TABLE rounds ADD COLUMN void_at_ms INTEGER;
UPDATE rounds SET void_at_ms = opened_at_ms + 1000 * (
    SELECT CAST(json_extract(CAST(body AS TEXT), '$.void_after_s') AS INTEGER)
    FROM sheets WHERE hash = rounds.sheet_hash
) WHERE opened_at_ms IS NOT NULL;
CREATE INDEX rounds_due ON rounds (void_at_ms) WHERE state = 'open';
