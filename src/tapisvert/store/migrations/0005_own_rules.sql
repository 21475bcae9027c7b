-- The rules that players of play money have chosen for their tables in place of the house's. A row
-- stays when another choice is made: the history names the rules of every round.
CREATE TABLE own_rules (
    player_id  TEXT NOT NULL REFERENCES players (id),
    game       TEXT NOT NULL,
    sheet_hash TEXT NOT NULL REFERENCES sheets (hash),
    name       TEXT NOT NULL,     -- a variant of the game, or 'own'
    in_force   INTEGER NOT NULL CHECK (in_force IN (0, 1)),
    PRIMARY KEY (player_id, game, sheet_hash)
) STRICT;
CREATE UNIQUE INDEX own_rules_in_force ON own_rules (player_id, game) WHERE in_force = 1;
