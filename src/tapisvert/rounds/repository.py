"""Rounds in the database. Read models have their own queries (history/round_queries.py)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from tapisvert.bank.covered_tables import SEAT, digest
from tapisvert.bank.money import player_account
from tapisvert.engine import Transcript
from tapisvert.games.registry import edition
from tapisvert.players.player import Player
from tapisvert.refusal import Refused, invariant
from tapisvert.rounds.decks import Decks
from tapisvert.rounds.draft import Change
from tapisvert.rounds.round import Round, read_round
from tapisvert.rounds.stored_sheets import stored_sheet
from tapisvert.store import Row, Tx

_NAMES = Round.__struct_fields__
_SELECT = f"SELECT {', '.join(_NAMES)} FROM rounds"
_OF_ROUNDS = ", ".join(f"rounds.{name}" for name in _NAMES)
# One branch per index: the seat, the open round, the seat it replaces, the named round.
_FOR_PLAYERS = (
    f"SELECT {_OF_ROUNDS} FROM given JOIN rounds ON rounds.player_id = given.player_id"
    " AND rounds.state = 'seated'"
    f" UNION ALL SELECT {_OF_ROUNDS} FROM given JOIN rounds"
    " ON rounds.player_id = given.player_id AND rounds.state = 'open'"
    f" UNION ALL SELECT {_OF_ROUNDS} FROM given JOIN rounds AS seat"
    " ON seat.player_id = given.player_id AND seat.state = 'seated'"
    " JOIN rounds ON rounds.id = seat.replaces"
    f" UNION ALL SELECT {_OF_ROUNDS} FROM given JOIN rounds ON rounds.id = given.round_id"
    " AND rounds.player_id = given.player_id AND rounds.state NOT IN ('seated', 'open')"
)
_CHANGING = (
    "state",
    "server_seed",
    "client_seed",
    "stakes",
    "answers",
    "opened_at_ms",
    "ended_at_ms",
    "balance_before_cents",
    "balance_after_cents",
    "void_reason",
    "void_at_ms",
    "mark",
    "staked_cents",
    "returned_cents",
)
# An answer to an open round sets no indexed column: SQLite would rewrite each index entry.
_ANSWERING = ("answers", "mark", "staked_cents")


def find_round(tx: Tx, player_id: str, round_id: str) -> Round | None:
    """Return a player's own round, seats included; None for another player's round."""
    row = tx.row(f"{_SELECT} WHERE id = ? AND player_id = ?", (round_id, player_id))
    return None if row is None else read_round(row)


def find_any(tx: Tx, round_id: str) -> Round | None:
    """Return a round of any player, or None."""
    row = tx.row(f"{_SELECT} WHERE id = ?", (round_id,))
    return None if row is None else read_round(row)


def owner_of(tx: Tx, round_id: str) -> Player | None:
    """Return the player of a round, or None; the rules the player has chosen are not loaded."""
    row = tx.row(
        "SELECT players.id, currency FROM rounds JOIN players ON players.id = rounds.player_id"
        " WHERE rounds.id = ?",
        (round_id,),
    )
    return None if row is None else Player(*row)


def round_rows(tx: Tx, after: str, limit: int) -> list[Row]:
    """Return rows of rounds for `read_round`, in ascending order of id, the first column."""
    return tx.rows(f"{_SELECT} WHERE id > ? ORDER BY id LIMIT {limit}", (after,))


def rounds_to_mark(tx: Tx, *, anew: bool) -> Iterator[Round]:
    """Yield the rounds without a mark; with `anew`, all. Seals cover pending deals."""
    which = "" if anew else "AND mark IS NULL"
    last = 0
    while page := tx.rows(
        f"{_SELECT} WHERE seq > ? AND state <> 'seated' {which} ORDER BY seq LIMIT 1000", (last,)
    ):
        for row in page:
            stored = read_round(row)
            last = stored.seq
            yield stored


def sealed_seeds(tx: Tx) -> list[Row]:
    """Return the id and sealed seed of every round."""
    return tx.rows("SELECT id, sealed_seed FROM rounds ORDER BY seq")


def load_round(tx: Tx, player_id: str, round_id: str) -> Round:
    """Return a player's own round that has been opened, or refuse."""
    found = find_round(tx, player_id, round_id)
    if found is None or found.state in ("seated", "retired"):
        raise Refused("round/unknown", round_id=round_id)
    return found


def transcript_of(tx: Tx, decks: Decks, stored: Round) -> Transcript:
    """Replay a stored round, to resume it, to show it or to prove it."""
    by = edition(stored.game, stored.edition)
    return decks.replay(stored, stored_sheet(tx, stored.sheet_hash, by))


def is_bare(tx: Tx, stored: Round) -> bool:
    """Tell whether a seat row holds only the columns written when it was made or retired."""
    columns = "staked_cents, returned_cents"
    if stored.state == "seated":
        columns += (
            ", stakes, answers, server_seed, client_seed, opened_at_ms, ended_at_ms, void_reason,"
            " balance_before_cents, balance_after_cents, void_at_ms, mark"
        )
    row = tx.row(f"SELECT {columns} FROM rounds WHERE id = ? AND seen = 0", (stored.id,))
    return row is not None and not any(value is not None for value in row)


def balance_and_held(tx: Tx, player_id: str) -> tuple[int, int]:
    """Return a player's balance, and the sum that open rounds hold, in units."""
    row = tx.row(
        "SELECT (SELECT units FROM accounts WHERE id = ?), (SELECT COALESCE(SUM(accounts.units), 0)"
        " FROM rounds JOIN accounts ON accounts.id = 'round:' || rounds.id"
        " WHERE rounds.player_id = ? AND rounds.state = 'open')",
        (player_account(player_id), player_id),
    )
    assert row is not None
    return int(row[0]), int(row[1])


def counts_of(tx: Tx, player_id: str) -> tuple[int, int]:
    """Count a player's open and voided rounds; both have been opened, so an index lists them."""
    row = tx.row(
        "SELECT (SELECT COUNT(*) FROM rounds WHERE player_id = ? AND state = 'open'),"
        " (SELECT COUNT(*) FROM rounds"
        " WHERE player_id = ? AND state = 'voided' AND opened_at_ms IS NOT NULL)",
        (player_id, player_id),
    )
    assert row is not None
    return int(row[0]), int(row[1])


def open_count(tx: Tx) -> int:
    """Count the open rounds of all players."""
    row = tx.row("SELECT COUNT(*) FROM rounds WHERE state = 'open'")
    assert row is not None
    return int(row[0])


def count_by_game(tx: Tx) -> list[Row]:
    """Return each game with the number of its rounds, seats included."""
    return tx.rows("SELECT game, COUNT(*) FROM rounds GROUP BY game ORDER BY game")


def due(tx: Tx, now_ms: int, limit: int) -> list[str]:
    """Return the open rounds past their delay, oldest first."""
    rows = tx.rows(
        "SELECT id FROM rounds WHERE state = 'open' AND void_at_ms <= ?"
        f" ORDER BY void_at_ms LIMIT {limit}",
        (now_ms,),
    )
    return [row[0] for row in rows]


def totals(tx: Tx, round_id: str) -> Row | None:
    """Return the stake and return of a round in cents, from its row."""
    return tx.row("SELECT staked_cents, returned_cents FROM rounds WHERE id = ?", (round_id,))


def set_seen(tx: Tx, round_id: str, *, seen: bool) -> None:
    """Store whether the player has seen how a round ended."""
    tx.run("UPDATE rounds SET seen = ? WHERE id = ?", (int(seen), round_id))


def set_mark(tx: Tx, round_id: str, mark: bytes) -> None:
    """Update only the mark of a round."""
    tx.run("UPDATE rounds SET mark = ? WHERE id = ?", (mark, round_id))


def set_sealed_seed(tx: Tx, round_id: str, sealed: bytes) -> None:
    """Store a seed encrypted under another key."""
    tx.run("UPDATE rounds SET sealed_seed = ? WHERE id = ?", (sealed, round_id))


# Groups of commands -------------------------------------------------------------------


def rounds_for(tx: Tx, wanted: Sequence[tuple[str, str]]) -> list[Round]:
    """Return the seats and open rounds of players, and the round each names; "" names none.

    A seat comes with the seat it replaces.
    """
    rows = tx.look_up(_FOR_PLAYERS, {"player_id": "text", "round_id": "text"}, wanted)
    return [read_round(row) for row in rows]


def add_seats(tx: Tx, seats: Sequence[Round]) -> None:
    """Store new pending deals."""
    contents = [_seat_content(seat) for seat in seats]
    rows = [
        (*content, seat.state, seat.sealed_seed)
        for content, seat in zip(contents, seats, strict=True)
    ]
    numbers = tx.insert("rounds", (*SEAT, "state", "sealed_seed"), rows, number="seq")
    for number, content in zip(numbers, contents, strict=True):
        tx.add_to_tail("rounds", number, digest(content))


def change_rounds(tx: Tx, changes: Sequence[Change]) -> None:
    """Update rounds; raise if one is no longer in the state it was loaded in."""
    answered, others = list[Row](), list[Row]()
    for change in changes:
        key = (change.stored.id, change.was)
        if change.stored.state == change.was == "open":
            answered.append((*_answered(change), *key))
        else:
            others.append((*_changed(change), *key))
    found = tx.update("rounds", _ANSWERING, ("id", "state"), answered)
    found += tx.update("rounds", _CHANGING, ("id", "state"), others)
    invariant(found == len(changes), "a round must be in the state it was loaded in")


def _seat_content(seat: Round) -> Row:
    return tuple(getattr(seat, name) for name in SEAT)


def _answered(change: Change) -> Row:
    """Return the columns that an answer changes, in the order of `_ANSWERING`."""
    answers = msgspec.json.encode(change.stored.answers).decode()
    return (answers, change.stored.mark, change.staked_cents)


def _changed(change: Change) -> Row:
    """Return the columns that a command changes, in the order of `_CHANGING`."""
    stored = change.stored
    if stored.state == "retired":
        stakes = answers = None
    else:
        stakes = msgspec.json.encode(stored.stakes).decode()
        answers = msgspec.json.encode(stored.answers).decode()
    return (
        stored.state,
        stored.server_seed,
        stored.client_seed,
        stakes,
        answers,
        stored.opened_at_ms,
        stored.ended_at_ms,
        stored.balance_before_cents,
        stored.balance_after_cents,
        stored.void_reason,
        stored.void_at_ms,
        stored.mark,
        change.staked_cents,
        change.returned_cents,
    )
