-- Practice (docs/practice.md). Nothing here is money or history: the rows may be lost without harm.
-- The mistakes a player sees again, each with the state of its repetition.
CREATE TABLE practice_cards (
    player_id TEXT NOT NULL REFERENCES players (id),
    game      TEXT NOT NULL,
    position  TEXT NOT NULL,      -- hash of what the player saw
    theme     TEXT NOT NULL,
    memory    TEXT NOT NULL,      -- JSON: how well it is remembered, and when it is due
    source    TEXT NOT NULL,      -- JSON: the deck, stakes and answers that lead to it
    PRIMARY KEY (player_id, game, position)
);
-- The last question asked at a game, with the coach's values; its reply once it is answered.
CREATE TABLE practice_questions (
    player_id TEXT NOT NULL REFERENCES players (id),
    game      TEXT NOT NULL,
    question  TEXT NOT NULL,      -- JSON
    choice    TEXT,
    reply     TEXT,               -- JSON
    PRIMARY KEY (player_id, game)
);
-- The newest answers at a game, for progress by theme.
CREATE TABLE practice_answers (
    player_id TEXT NOT NULL REFERENCES players (id),
    game      TEXT NOT NULL,
    number    BIGINT NOT NULL,
    theme     TEXT NOT NULL,
    at_ms     BIGINT NOT NULL,
    cost_ppm  BIGINT NOT NULL,    -- in millionths of the stake
    PRIMARY KEY (player_id, game, number)
);
-- Days in a row and right answers in a row, at any game.
CREATE TABLE practice_streaks (
    player_id TEXT PRIMARY KEY REFERENCES players (id),
    streak    TEXT NOT NULL       -- JSON
);
