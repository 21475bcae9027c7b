-- The tables of migrations 0001 and 0002 of SQLite, with the same names, columns and rules; a test
-- compares them. Accounts count in 10^-7 of their currency: a cent is 100,000 units. Only player:,
-- round: and jackpot: accounts keep a balance row; house:, cashier: and debt: are the other side of
-- a movement, may be negative and are folded from the transfers, so that no round ever waits for
-- them. No row is changed by every command.

CREATE TABLE facts (
    name  TEXT COLLATE "C" PRIMARY KEY,
    value BYTEA NOT NULL
);

CREATE TABLE players (
    id            TEXT COLLATE "C" PRIMARY KEY,
    kind          TEXT NOT NULL,
    currency      TEXT NOT NULL,
    created_at_ms BIGINT NOT NULL
);

CREATE TABLE sessions (
    token_hash    BYTEA PRIMARY KEY,
    player_id     TEXT COLLATE "C" NOT NULL REFERENCES players (id),
    created_at_ms BIGINT NOT NULL
);

-- Room is left on the pages of rows that change, so that a change stays on its page.
CREATE TABLE accounts (
    id       TEXT COLLATE "C" PRIMARY KEY,
    currency TEXT NOT NULL,
    units    BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT never_below_zero CHECK (units >= 0),
    CONSTRAINT whole_cents CHECK (units % 100000 = 0 OR id LIKE 'jackpot:%')
) WITH (fillfactor = 70);

CREATE TABLE transfers (
    id        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at_ms     BIGINT NOT NULL,
    debit     TEXT COLLATE "C" NOT NULL,     -- the account the money leaves
    credit    TEXT COLLATE "C" NOT NULL,     -- the account it reaches
    currency  TEXT NOT NULL,
    units     BIGINT NOT NULL CONSTRAINT moves_something CHECK (units > 0),
    reason    TEXT NOT NULL,     -- grant, stake, return, win, loss
    player_id TEXT COLLATE "C" REFERENCES players (id),  -- none where the house moves its own money
    round_id  TEXT COLLATE "C",
    bet       TEXT,
    hash      BYTEA,             -- over this row and the one before it of the same player
    CONSTRAINT different_accounts CHECK (debit <> credit),
    CONSTRAINT not_between_players
        CHECK (substr(debit, 1, 7) <> 'player:' OR substr(credit, 1, 7) <> 'player:')
);
CREATE INDEX transfers_of_player ON transfers (player_id, id);
CREATE INDEX transfers_of_round ON transfers (round_id) WHERE round_id IS NOT NULL;
CREATE INDEX debts ON transfers (player_id) WHERE reason IN ('debt', 'debt-paid');

-- A balance is the fold of the transfers, kept by the database itself: code inserts transfers and
-- never touches a balance. An account that keeps a row must have one, in the transfer's currency:
-- currencies never mix.
CREATE FUNCTION transfer_moves_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.debit !~ '^(house|cashier|debt):' THEN
        UPDATE accounts SET units = units - NEW.units
            WHERE id = NEW.debit AND currency = NEW.currency;
        IF NOT FOUND THEN
            RAISE 'no such account in this currency' USING ERRCODE = 'foreign_key_violation';
        END IF;
    END IF;
    IF NEW.credit !~ '^(house|cashier|debt):' THEN
        UPDATE accounts SET units = units + NEW.units
            WHERE id = NEW.credit AND currency = NEW.currency;
        IF NOT FOUND THEN
            RAISE 'no such account in this currency' USING ERRCODE = 'foreign_key_violation';
        END IF;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER transfer_moves_money AFTER INSERT ON transfers
    FOR EACH ROW EXECUTE FUNCTION transfer_moves_money();

CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE '% are append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER transfers_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers
    FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- A row's number is drawn before it is committed, so a lower one may appear after a higher. Whoever
-- wants to know that none is still to come waits for the transactions that have begun (the store's
-- barrier); so each must be known as begun, by its own number, before it draws a row's.
CREATE FUNCTION begin_before_numbering() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_current_xact_id();
    RETURN NULL;
END $$;
CREATE TRIGGER transfers_are_numbered_late BEFORE INSERT ON transfers
    FOR EACH STATEMENT EXECUTE FUNCTION begin_before_numbering();

CREATE TABLE sheets (
    hash TEXT COLLATE "C" PRIMARY KEY,
    game TEXT NOT NULL,
    body BYTEA NOT NULL
);

-- A round from its seat on. The seed rests sealed, and in the clear only when the round is over.
-- A seat whose table changes its rules is retired: its seed is revealed and never dealt from.
CREATE TABLE rounds (
    seq                  BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id                   TEXT COLLATE "C" NOT NULL UNIQUE,
    player_id            TEXT COLLATE "C" NOT NULL REFERENCES players (id),
    game                 TEXT NOT NULL,
    edition              BIGINT NOT NULL,
    sheet_hash           TEXT COLLATE "C" NOT NULL REFERENCES sheets (hash),
    state                TEXT NOT NULL
        CHECK (state IN ('seated', 'retired', 'open', 'settled', 'voided')),
    commitment           TEXT COLLATE "C" NOT NULL UNIQUE,
    sealed_seed          BYTEA NOT NULL,
    server_seed          BYTEA,
    client_seed          TEXT,
    stakes               TEXT,
    answers              TEXT,
    seated_at_ms         BIGINT NOT NULL,
    opened_at_ms         BIGINT,
    ended_at_ms          BIGINT,
    staked_cents         BIGINT,
    returned_cents       BIGINT,
    balance_before_cents BIGINT,
    balance_after_cents  BIGINT,
    seen                 BIGINT NOT NULL DEFAULT 0,
    void_reason          TEXT CHECK (void_reason IN ('expired', 'operator')),
    replaces             TEXT COLLATE "C" REFERENCES rounds (id),  -- the retired seat it stands for
    mark                 BYTEA,   -- over its record, under the house's key
    void_at_ms           BIGINT,
    CHECK ((server_seed IS NULL) = (state IN ('seated', 'open'))),
    CHECK ((client_seed IS NULL) = (state IN ('seated', 'retired'))),
    CHECK ((opened_at_ms IS NULL) = (state IN ('seated', 'retired'))),
    CHECK ((ended_at_ms IS NULL) = (state IN ('seated', 'open'))),
    CHECK ((void_reason IS NULL) = (state <> 'voided'))
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX one_seat ON rounds (player_id, game) WHERE state = 'seated';
CREATE UNIQUE INDEX one_open_round ON rounds (player_id, game) WHERE state = 'open';
CREATE INDEX rounds_unseen ON rounds (player_id, seq)
    WHERE seen = 0 AND state IN ('settled', 'voided');
CREATE INDEX rounds_of_player ON rounds (player_id, seq) WHERE opened_at_ms IS NOT NULL;
CREATE INDEX rounds_due ON rounds (void_at_ms) WHERE state = 'open';

-- What a command did, kept with its round: the same key gets the same reply, for ever.
CREATE TABLE commands (
    player_id   TEXT COLLATE "C" NOT NULL REFERENCES players (id),
    key         TEXT COLLATE "C" NOT NULL,
    fingerprint BYTEA NOT NULL,
    at_ms       BIGINT NOT NULL,
    reply       BYTEA,
    refusal     BYTEA,
    PRIMARY KEY (player_id, key),
    CHECK ((reply IS NULL) <> (refusal IS NULL))
);

CREATE TABLE significant_events (
    id        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at_ms     BIGINT NOT NULL,
    kind      TEXT NOT NULL,
    player_id TEXT COLLATE "C",
    round_id  TEXT COLLATE "C",
    data      TEXT NOT NULL,
    hash      BYTEA               -- over this row and the one before it
);
CREATE TRIGGER events_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON significant_events
    FOR EACH STATEMENT EXECUTE FUNCTION append_only();
CREATE TRIGGER events_are_numbered_late BEFORE INSERT ON significant_events
    FOR EACH STATEMENT EXECUTE FUNCTION begin_before_numbering();

-- Rows without a hash: none, a PostgreSQL database has always had them.
CREATE TABLE bare (
    transfers BIGINT NOT NULL,
    events    BIGINT NOT NULL,
    rounds    BIGINT NOT NULL
);
INSERT INTO bare VALUES (0, 0, 0);

-- Every few seconds a seal over all rows since the last one, in order, and over that seal.
CREATE TABLE seals (
    id            BIGINT PRIMARY KEY,
    at_ms         BIGINT NOT NULL,
    last_transfer BIGINT NOT NULL,
    last_event    BIGINT NOT NULL,
    hash          BYTEA NOT NULL
);
CREATE TRIGGER seals_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON seals
    FOR EACH STATEMENT EXECUTE FUNCTION append_only();

CREATE TABLE operators (
    name          TEXT COLLATE "C" PRIMARY KEY,
    token_hash    BYTEA NOT NULL UNIQUE,
    created_at_ms BIGINT NOT NULL
);

-- What an operator's command did: the same key gets the same reply.
CREATE TABLE operator_commands (
    operator    TEXT COLLATE "C" NOT NULL,
    key         TEXT COLLATE "C" NOT NULL,
    fingerprint BYTEA NOT NULL,
    at_ms       BIGINT NOT NULL,
    reply       BYTEA,
    refusal     BYTEA,
    PRIMARY KEY (operator, key),
    CHECK ((reply IS NULL) <> (refusal IS NULL))
);

-- A row stops new rounds: of everyone ('all'), at one game ('game:x'), of one player ('player:x').
CREATE TABLE switches (
    scope  TEXT COLLATE "C" PRIMARY KEY,
    reason TEXT NOT NULL,
    by     TEXT NOT NULL,
    at_ms  BIGINT NOT NULL
);

-- A round whose plays and pays an operator has voided; the round's own record stays as it was.
CREATE TABLE reversals (
    round_id    TEXT COLLATE "C" PRIMARY KEY REFERENCES rounds (id),
    at_ms       BIGINT NOT NULL,
    by          TEXT NOT NULL,
    reason      TEXT NOT NULL,
    given_cents BIGINT NOT NULL,
    taken_cents BIGINT NOT NULL,
    debt_cents  BIGINT NOT NULL
);
