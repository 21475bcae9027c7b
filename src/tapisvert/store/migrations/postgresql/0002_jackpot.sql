-- The tables of SQLite's migration 0003, with the same names, columns and rules: the progressive
-- jackpot, one pot per game, in the operator's currency, counted in 10^-7 of it.

-- No bet ever locks a row of this table: what it puts in is a row of `contributions`, which a fold
-- gathers. `units` is what the pot holds since the last fold or award, and what is shown of it.
CREATE TABLE jackpots (
    id                TEXT COLLATE "C" PRIMARY KEY,  -- the game whose bet feeds it
    currency          TEXT NOT NULL,
    opened_at_ms      BIGINT NOT NULL,
    epoch             BIGINT NOT NULL,  -- which pot this is, from 1 on: a royal starts the next
    reset_cents       BIGINT NOT NULL,
    contribution      TEXT NOT NULL,    -- of every stake, as a sheet writes it
    next_reset_cents  BIGINT,           -- what the next pot goes by, if it is to be another figure
    next_contribution TEXT,
    folds             BIGINT NOT NULL,
    triggers          BIGINT NOT NULL,  -- awards so far
    funded_units      BIGINT NOT NULL,  -- by the house: the start and every reset
    gathered_units    BIGINT NOT NULL,  -- from the contributions that were folded in
    awarded_units     BIGINT NOT NULL,
    units             BIGINT NOT NULL,
    as_of_ms          BIGINT NOT NULL,
    CONSTRAINT pot_adds_up CHECK (funded_units + gathered_units - awarded_units = units),
    CONSTRAINT pot_never_below_zero CHECK (units >= 0)
) WITH (fillfactor = 10);

-- What a stake put in, or what came back when an awarded round was voided. A fold claims the rows
-- that have none yet, by that and never by their ids: a row with a lower id may commit later.
-- `pot` is no foreign key: checking it would lock the pot's row for every bet.
CREATE TABLE contributions (
    id          BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    pot         TEXT COLLATE "C" NOT NULL,
    round_id    TEXT COLLATE "C" NOT NULL REFERENCES rounds (id),
    kind        TEXT NOT NULL CHECK (kind IN ('stake', 'void')),
    price_cents BIGINT NOT NULL,  -- the stake in the pot's currency
    units       BIGINT NOT NULL CHECK (units >= 0),
    rate_id     BIGINT,           -- for a player of another currency
    fold        BIGINT,
    UNIQUE (round_id, kind)
) WITH (fillfactor = 70);
CREATE INDEX contributions_unfolded ON contributions (pot) WHERE fold IS NULL;
CREATE FUNCTION folded_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.fold IS NOT NULL OR NEW.fold IS NULL
        OR (NEW.id, NEW.pot, NEW.round_id, NEW.kind, NEW.price_cents, NEW.units, NEW.rate_id)
            IS DISTINCT FROM
           (OLD.id, OLD.pot, OLD.round_id, OLD.kind, OLD.price_cents, OLD.units, OLD.rate_id)
    THEN
        RAISE 'contributions are only folded, and once'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER contributions_are_folded_once BEFORE UPDATE ON contributions
    FOR EACH ROW EXECUTE FUNCTION folded_once();
CREATE TRIGGER contributions_are_never_deleted BEFORE DELETE OR TRUNCATE ON contributions
    FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- Who won what of which pot, in the order the pot was locked: `trigger_no` has no gap.
CREATE TABLE awards (
    pot            TEXT COLLATE "C" NOT NULL,
    trigger_no     BIGINT NOT NULL,
    round_id       TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES rounds (id),
    at_ms          BIGINT NOT NULL,
    epoch          BIGINT NOT NULL,
    fold           BIGINT NOT NULL,  -- the one that gathered the pot for it
    share          TEXT NOT NULL,
    before_units   BIGINT NOT NULL,
    award_units    BIGINT NOT NULL CHECK (award_units >= 0 AND award_units % 100000 = 0),
    reset_units    BIGINT NOT NULL,  -- what the house put in for the next pot; 0 when it goes on
    after_units    BIGINT NOT NULL,
    currency       TEXT NOT NULL,    -- the winner's
    paid_cents     BIGINT NOT NULL,
    rate_id        BIGINT,
    rounding_units BIGINT NOT NULL,  -- in the winner's currency: what was paid less than the rate says
    PRIMARY KEY (pot, trigger_no),
    CHECK (before_units - award_units + reset_units = after_units)
);
CREATE TRIGGER awards_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON awards
    FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- What one unit of a player's currency is in the pot's; the newest row of a currency is in force.
CREATE TABLE rates (
    id       BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    pot      TEXT COLLATE "C" NOT NULL,
    currency TEXT COLLATE "C" NOT NULL,
    rate     TEXT NOT NULL,  -- a decimal, as it was given
    at_ms    BIGINT NOT NULL
);
CREATE INDEX rates_in_force ON rates (pot, currency, id);
CREATE TRIGGER rates_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON rates
    FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- `contributed:<game>` is what no fold has gathered yet, `fx:<currency>` where one currency goes and
-- another comes from: both are the other side of movements like `house:` and keep no balance row.
CREATE OR REPLACE FUNCTION transfer_moves_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.debit !~ '^(house|cashier|debt|contributed|fx):' THEN
        UPDATE accounts SET units = units - NEW.units
            WHERE id = NEW.debit AND currency = NEW.currency;
        IF NOT FOUND THEN
            RAISE 'no such account in this currency' USING ERRCODE = 'foreign_key_violation';
        END IF;
    END IF;
    IF NEW.credit !~ '^(house|cashier|debt|contributed|fx):' THEN
        UPDATE accounts SET units = units + NEW.units
            WHERE id = NEW.credit AND currency = NEW.currency;
        IF NOT FOUND THEN
            RAISE 'no such account in this currency' USING ERRCODE = 'foreign_key_violation';
        END IF;
    END IF;
    RETURN NULL;
END $$;
