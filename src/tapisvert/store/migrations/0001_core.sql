-- Accounts count in 10^-7 of their currency: a cent is 100,000 units. Only player:, round: and
-- jackpot: accounts keep a balance row; house: and cashier: are the other side of every movement,
-- may be negative and are folded from the transfers, so that no round ever waits for them.

CREATE TABLE facts (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;

CREATE TABLE players (
    id            TEXT PRIMARY KEY,
    kind          TEXT NOT NULL,
    currency      TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    token_hash    BLOB PRIMARY KEY,
    player_id     TEXT NOT NULL REFERENCES players (id),
    created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    id       TEXT PRIMARY KEY,
    currency TEXT NOT NULL,
    units    INTEGER NOT NULL DEFAULT 0,
    CONSTRAINT never_below_zero CHECK (units >= 0),
    CONSTRAINT whole_cents CHECK (units % 100000 = 0 OR id LIKE 'jackpot:%')
) STRICT, WITHOUT ROWID;

CREATE TABLE transfers (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms     INTEGER NOT NULL,
    debit     TEXT NOT NULL,     -- the account the money leaves
    credit    TEXT NOT NULL,     -- the account it reaches
    currency  TEXT NOT NULL,
    units     INTEGER NOT NULL CHECK (units > 0),
    reason    TEXT NOT NULL,     -- grant, stake, return, win, loss
    player_id TEXT REFERENCES players (id),  -- none where the house moves its own money
    round_id  TEXT,
    bet       TEXT,
    CHECK (debit <> credit),
    CHECK (substr(debit, 1, 7) <> 'player:' OR substr(credit, 1, 7) <> 'player:')
) STRICT;
CREATE INDEX transfers_of_player ON transfers (player_id, id);

-- A balance is the fold of the transfers, kept by the database itself: code inserts transfers and
-- never touches a balance.
CREATE TRIGGER transfer_moves_money AFTER INSERT ON transfers BEGIN
    -- Both accounts that keep a row must have one, in this currency: currencies never mix.
    SELECT RAISE(ABORT, 'no such account in this currency') WHERE
        (SELECT COUNT(*) FROM accounts
            WHERE id IN (NEW.debit, NEW.credit) AND currency = NEW.currency)
        <> (substr(NEW.debit, 1, 6) <> 'house:' AND substr(NEW.debit, 1, 8) <> 'cashier:')
         + (substr(NEW.credit, 1, 6) <> 'house:' AND substr(NEW.credit, 1, 8) <> 'cashier:');
    UPDATE accounts SET units = units - NEW.units WHERE id = NEW.debit;
    UPDATE accounts SET units = units + NEW.units WHERE id = NEW.credit;
END;
CREATE TRIGGER transfers_are_never_changed BEFORE UPDATE ON transfers BEGIN
    SELECT RAISE(ABORT, 'transfers are append-only');
END;
CREATE TRIGGER transfers_are_never_deleted BEFORE DELETE ON transfers BEGIN
    SELECT RAISE(ABORT, 'transfers are append-only');
END;

CREATE TABLE sheets (
    hash TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    body BLOB NOT NULL
) STRICT;

-- A round from its seat on. The seed rests sealed, and in the clear only when the round is over.
-- A seat whose table changes its rules is retired: its seed is revealed and never dealt from.
CREATE TABLE rounds (
    seq                  INTEGER PRIMARY KEY AUTOINCREMENT,
    id                   TEXT NOT NULL UNIQUE,
    player_id            TEXT NOT NULL REFERENCES players (id),
    game                 TEXT NOT NULL,
    edition              INTEGER NOT NULL,
    sheet_hash           TEXT NOT NULL REFERENCES sheets (hash),
    state                TEXT NOT NULL
        CHECK (state IN ('seated', 'retired', 'open', 'settled', 'voided')),
    commitment           TEXT NOT NULL UNIQUE,
    sealed_seed          BLOB NOT NULL,
    server_seed          BLOB,
    client_seed          TEXT,
    stakes               TEXT,
    answers              TEXT,
    seated_at_ms         INTEGER NOT NULL,
    opened_at_ms         INTEGER,
    ended_at_ms          INTEGER,
    staked_cents         INTEGER,
    returned_cents       INTEGER,
    balance_before_cents INTEGER,
    balance_after_cents  INTEGER,
    seen                 INTEGER NOT NULL DEFAULT 0,
    void_reason          TEXT CHECK (void_reason IN ('expired', 'operator')),
    replaces             TEXT REFERENCES rounds (id),  -- the retired seat this one stands for
    CHECK ((server_seed IS NULL) = (state IN ('seated', 'open'))),
    CHECK ((client_seed IS NULL) = (state IN ('seated', 'retired'))),
    CHECK ((opened_at_ms IS NULL) = (state IN ('seated', 'retired'))),
    CHECK ((ended_at_ms IS NULL) = (state IN ('seated', 'open'))),
    CHECK ((void_reason IS NULL) = (state <> 'voided'))
) STRICT;
CREATE UNIQUE INDEX one_seat ON rounds (player_id, game) WHERE state = 'seated';
CREATE UNIQUE INDEX one_open_round ON rounds (player_id, game) WHERE state = 'open';
CREATE INDEX rounds_unseen ON rounds (player_id, seq)
    WHERE seen = 0 AND state IN ('settled', 'voided');
CREATE INDEX rounds_of_player ON rounds (player_id, seq) WHERE opened_at_ms IS NOT NULL;

-- What a command did, kept with its round: the same key gets the same reply, for ever.
CREATE TABLE commands (
    player_id   TEXT NOT NULL REFERENCES players (id),
    key         TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    at_ms       INTEGER NOT NULL,
    reply       BLOB,
    refusal     BLOB,
    PRIMARY KEY (player_id, key),
    CHECK ((reply IS NULL) <> (refusal IS NULL))
) STRICT;

CREATE TABLE significant_events (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms     INTEGER NOT NULL,
    kind      TEXT NOT NULL,
    player_id TEXT,
    round_id  TEXT,
    data      TEXT NOT NULL
) STRICT;
