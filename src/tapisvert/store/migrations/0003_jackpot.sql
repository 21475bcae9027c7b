-- The progressive jackpot: one pot per game, in the operator's currency, counted in 10^-7 of it.

-- No bet ever locks a row of this table: what it puts in is a row of `contributions`, which a fold
-- gathers. `units` is what the pot holds since the last fold or award, and what is shown of it.
CREATE TABLE jackpots (
    id                TEXT PRIMARY KEY,  -- the game whose bet feeds it
    currency          TEXT NOT NULL,
    opened_at_ms      INTEGER NOT NULL,
    epoch             INTEGER NOT NULL,  -- which pot this is, from 1 on: a royal starts the next
    reset_cents       INTEGER NOT NULL,
    contribution      TEXT NOT NULL,     -- of every stake, as a sheet writes it
    next_reset_cents  INTEGER,           -- what the next pot goes by, if it is to be another figure
    next_contribution TEXT,
    folds             INTEGER NOT NULL,
    triggers          INTEGER NOT NULL,  -- awards so far
    funded_units      INTEGER NOT NULL,  -- by the house: the start and every reset
    gathered_units    INTEGER NOT NULL,  -- from the contributions that were folded in
    awarded_units     INTEGER NOT NULL,
    units             INTEGER NOT NULL,
    as_of_ms          INTEGER NOT NULL,
    CONSTRAINT pot_adds_up CHECK (funded_units + gathered_units - awarded_units = units),
    CONSTRAINT pot_never_below_zero CHECK (units >= 0)
) STRICT;

-- What a stake put in, or what came back when an awarded round was voided. A fold claims the rows
-- that have none yet, by that and never by their ids: a row with a lower id may commit later.
-- `pot` is no foreign key: checking it would lock the pot's row for every bet.
CREATE TABLE contributions (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    pot         TEXT NOT NULL,
    round_id    TEXT NOT NULL REFERENCES rounds (id),
    kind        TEXT NOT NULL CHECK (kind IN ('stake', 'void')),
    price_cents INTEGER NOT NULL,  -- the stake in the pot's currency
    units       INTEGER NOT NULL CHECK (units >= 0),
    rate_id     INTEGER,           -- for a player of another currency
    fold        INTEGER,
    UNIQUE (round_id, kind)
) STRICT;
CREATE INDEX contributions_unfolded ON contributions (pot) WHERE fold IS NULL;
CREATE TRIGGER contributions_are_folded_once BEFORE UPDATE ON contributions
WHEN OLD.fold IS NOT NULL OR NEW.fold IS NULL OR NEW.id <> OLD.id OR NEW.pot <> OLD.pot
    OR NEW.round_id <> OLD.round_id OR NEW.kind <> OLD.kind OR NEW.price_cents <> OLD.price_cents
    OR NEW.units <> OLD.units OR NEW.rate_id IS NOT OLD.rate_id
BEGIN
    SELECT RAISE(ABORT, 'contributions are only folded, and once');
END;
CREATE TRIGGER contributions_are_never_deleted BEFORE DELETE ON contributions BEGIN
    SELECT RAISE(ABORT, 'contributions are append-only');
END;

-- Who won what of which pot, in the order the pot was locked: `trigger_no` has no gap.
CREATE TABLE awards (
    pot            TEXT NOT NULL,
    trigger_no     INTEGER NOT NULL,
    round_id       TEXT NOT NULL UNIQUE REFERENCES rounds (id),
    at_ms          INTEGER NOT NULL,
    epoch          INTEGER NOT NULL,
    fold           INTEGER NOT NULL,  -- the one that gathered the pot for it
    share          TEXT NOT NULL,
    before_units   INTEGER NOT NULL,
    award_units    INTEGER NOT NULL CHECK (award_units >= 0 AND award_units % 100000 = 0),
    reset_units    INTEGER NOT NULL,  -- what the house put in for the next pot; 0 when it goes on
    after_units    INTEGER NOT NULL,
    currency       TEXT NOT NULL,     -- the winner's
    paid_cents     INTEGER NOT NULL,
    rate_id        INTEGER,
    rounding_units INTEGER NOT NULL,  -- in the winner's currency: what was paid less than the rate says
    PRIMARY KEY (pot, trigger_no),
    CHECK (before_units - award_units + reset_units = after_units)
) STRICT;
CREATE TRIGGER awards_are_never_changed BEFORE UPDATE ON awards BEGIN
    SELECT RAISE(ABORT, 'awards are append-only');
END;
CREATE TRIGGER awards_are_never_deleted BEFORE DELETE ON awards BEGIN
    SELECT RAISE(ABORT, 'awards are append-only');
END;

-- What one unit of a player's currency is in the pot's; the newest row of a currency is in force.
CREATE TABLE rates (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    pot      TEXT NOT NULL,
    currency TEXT NOT NULL,
    rate     TEXT NOT NULL,  -- a decimal, as it was given
    at_ms    INTEGER NOT NULL
) STRICT;
CREATE INDEX rates_in_force ON rates (pot, currency, id);
CREATE TRIGGER rates_are_never_changed BEFORE UPDATE ON rates BEGIN
    SELECT RAISE(ABORT, 'rates are append-only');
END;
CREATE TRIGGER rates_are_never_deleted BEFORE DELETE ON rates BEGIN
    SELECT RAISE(ABORT, 'rates are append-only');
END;

-- `contributed:<game>` is what no fold has gathered yet, `fx:<currency>` where one currency goes and
-- another comes from: both are the other side of movements like `house:` and keep no balance row.
DROP TRIGGER transfer_moves_money;
CREATE TRIGGER transfer_moves_money AFTER INSERT ON transfers BEGIN
    -- Both accounts that keep a row must have one, in this currency: currencies never mix.
    SELECT RAISE(ABORT, 'no such account in this currency') WHERE
        (SELECT COUNT(*) FROM accounts
            WHERE id IN (NEW.debit, NEW.credit) AND currency = NEW.currency)
        <> (substr(NEW.debit, 1, instr(NEW.debit, ':'))
            NOT IN ('house:', 'cashier:', 'debt:', 'contributed:', 'fx:'))
         + (substr(NEW.credit, 1, instr(NEW.credit, ':'))
            NOT IN ('house:', 'cashier:', 'debt:', 'contributed:', 'fx:'));
    UPDATE accounts SET units = units - NEW.units WHERE id = NEW.debit;
    UPDATE accounts SET units = units + NEW.units WHERE id = NEW.credit;
END;
