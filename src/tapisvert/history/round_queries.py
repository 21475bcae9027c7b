"""The SQL queries of the read models; commands use rounds/repository.py."""

from __future__ import annotations

from typing import NamedTuple

from tapisvert.games.registry import GAMES
from tapisvert.store import Row, Tx

MAIN = "main"
# A player's rounds that count: settled, and not reversed by an operator.
_COUNTED = (
    "rounds.player_id = ? AND rounds.opened_at_ms IS NOT NULL AND rounds.state = 'settled'"
    " AND NOT EXISTS (SELECT 1 FROM reversals WHERE reversals.round_id = rounds.id)"
)
LISTS = {
    None: "opened_at_ms IS NOT NULL",
    "open": "state = 'open'",
    "unseen": "seen = 0 AND state IN ('settled', 'voided')",
}
_SIDE_BETS = ", ".join(
    sorted({f"'{bet}'" for game in GAMES.values() for bet in game.bets if bet != MAIN})
)


class Wanted(NamedTuple):
    """The filter of a list of rounds: game, and bounds of the opening time. None means all."""

    game: str | None = None
    from_ms: int | None = None
    to_ms: int | None = None

    def sql(self) -> tuple[str, tuple[str | int, ...]]:
        """Return the conditions, each after an AND, and their parameters."""
        conditions = {"game = ?": self.game, "opened_at_ms >= ?": self.from_ms}
        conditions["opened_at_ms < ?"] = self.to_ms
        given = {text: value for text, value in conditions.items() if value is not None}
        return "".join(f" AND {text}" for text in given), tuple(given.values())


ALL = Wanted()


def page(
    tx: Tx, player_id: str, status: str | None, before: int, limit: int, wanted: Wanted = ALL
) -> list[Row]:
    """Return summaries of a player's rounds, newest first; `status` is a key of `LISTS`."""
    conditions, params = wanted.sql()
    return tx.rows(
        "SELECT seq, id, game, state, opened_at_ms, ended_at_ms, staked_cents, returned_cents,"
        " seen, EXISTS (SELECT 1 FROM reversals WHERE round_id = rounds.id),"
        " (SELECT name FROM own_rules WHERE own_rules.player_id = rounds.player_id"
        " AND own_rules.game = rounds.game AND own_rules.sheet_hash = rounds.sheet_hash)"
        f" FROM rounds WHERE player_id = ? AND seq < ? AND {LISTS[status]}{conditions}"
        f" ORDER BY seq DESC LIMIT {limit}",
        (player_id, before, *params),
    )


def nets(tx: Tx, player_id: str) -> list[tuple[int, int]]:
    """Return the seq and the net result in cents of every round that counts, oldest first."""
    rows = tx.rows(
        "SELECT seq, returned_cents - staked_cents FROM rounds"
        f" WHERE {_COUNTED} ORDER BY rounds.seq",
        (player_id,),
    )
    return [(seq, net) for seq, net in rows]


def ended(tx: Tx, player_id: str) -> int:
    """Count the finished rounds, voided ones included."""
    row = tx.row(
        "SELECT COUNT(*) FROM rounds WHERE player_id = ? AND opened_at_ms IS NOT NULL"
        " AND state IN ('settled', 'voided')",
        (player_id,),
    )
    assert row is not None
    return int(row[0])


def numbered(tx: Tx, seq: int) -> Row | None:
    """Return the id and the game of a round by its seq."""
    return tx.row("SELECT id, game FROM rounds WHERE seq = ?", (seq,))


def newest(tx: Tx, player_id: str, limit: int, game: str | None = None) -> list[Row]:
    """Return the id and the game of the newest rounds that count, of one game or of all."""
    one_game, params = ("", ()) if game is None else (" AND game = ?", (game,))
    return tx.rows(
        f"SELECT id, game FROM rounds WHERE {_COUNTED}{one_game} ORDER BY seq DESC LIMIT {limit}",
        (player_id, *params),
    )


def stakes_alike(tx: Tx, player_id: str) -> list[Row]:
    """Return game, edition, sheet, stakes, count and sums of the rounds that count.

    Rounds are grouped by their stakes before the deal, which have few different values.
    """
    return tx.rows(
        "SELECT game, edition, sheet_hash, stakes, COUNT(*), SUM(staked_cents),"
        f" SUM(returned_cents) FROM rounds WHERE {_COUNTED}"
        " GROUP BY game, edition, sheet_hash, stakes",
        (player_id,),
    )


def side_returns(tx: Tx, player_id: str) -> list[Row]:
    """Return the sum each side bet returned, by game; only the transfers record it."""
    return tx.rows(
        "SELECT rounds.game, transfers.bet, SUM(units) FROM transfers"
        " JOIN rounds ON rounds.id = transfers.round_id"
        f" WHERE {_COUNTED} AND transfers.player_id = rounds.player_id"
        " AND transfers.reason IN ('return', 'win')"
        f" AND transfers.bet IN ({_SIDE_BETS})"
        " GROUP BY rounds.game, transfers.bet",
        (player_id,),
    )
