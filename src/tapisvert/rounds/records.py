"""A round as it is stored, and the round it replays to.

The row holds the five values a round is made of: edition, sheet, deck order (as a sealed seed),
stakes and answers. Everything else is made again by replaying them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Literal

import msgspec
from msgspec import Struct

from tapisvert.cards import Card
from tapisvert.dealing import Deal
from tapisvert.engine import Answer, Transcript, replay
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import load_body
from tapisvert.games.game import Edition
from tapisvert.games.registry import edition
from tapisvert.refusal import Refused
from tapisvert.rounds.dealer import Dealer
from tapisvert.store import Row, Tx

VoidReason = Literal["expired", "operator"]


class Round(Struct, frozen=True):
    """One row of `rounds`: its fields are the names of the columns."""

    id: str
    player_id: str
    game: str
    edition: int
    sheet_hash: str
    state: str
    commitment: str
    sealed_seed: bytes
    server_seed: bytes | None = None
    client_seed: str | None = None
    stakes: dict[str, int] = {}
    answers: list[Answer] = []
    opened_at_ms: int | None = None
    ended_at_ms: int | None = None
    balance_before_cents: int | None = None
    balance_after_cents: int | None = None
    seen: bool = False
    void_reason: VoidReason | None = None
    void_at_ms: int | None = None
    seq: int = 0
    seated_at_ms: int = 0
    replaces: str | None = None
    mark: bytes | None = None

    @property
    def steps_answered(self) -> int:
        """Count the player's answers; the others are the bank's."""
        return sum(isinstance(answer, str) for answer in self.answers)

    @property
    def over(self) -> bool:
        """Tell whether the round has ended."""
        return self.state in ("settled", "voided")


# What a round's mark covers, in this order for ever: its record, but not whether it was seen.
_MARKED = (
    "seq",
    "id",
    "player_id",
    "game",
    "edition",
    "sheet_hash",
    "state",
    "commitment",
    "sealed_seed",
    "server_seed",
    "client_seed",
    "stakes",
    "answers",
    "seated_at_ms",
    "opened_at_ms",
    "ended_at_ms",
    "void_at_ms",
    "balance_before_cents",
    "balance_after_cents",
    "void_reason",
    "replaces",
)
_marked = attrgetter(*_MARKED)
_STAKES, _ANSWERS, _SEEN = map(Round.__struct_fields__.index, ("stakes", "answers", "seen"))
_read_stakes = msgspec.json.Decoder(dict[str, int])
_read_answers = msgspec.json.Decoder(list[Answer])
_SELECT = f"SELECT {', '.join(Round.__struct_fields__)} FROM rounds"


def find_round(tx: Tx, player_id: str, round_id: str) -> Round | None:
    """Find a player's own round, from its seat on; anyone else's does not exist for them."""
    row = tx.row(f"{_SELECT} WHERE id = ? AND player_id = ?", (round_id, player_id))
    return None if row is None else read_round(row)


def find_any(tx: Tx, round_id: str) -> Round | None:
    """Find anyone's round: for the house and its operators."""
    row = tx.row(f"{_SELECT} WHERE id = ?", (round_id,))
    return None if row is None else read_round(row)


def locked_round(tx: Tx, round_id: str) -> Round | None:
    """Find anyone's round as it stands once its player is locked: nobody else can change it now."""
    found = find_any(tx, round_id)
    if found is None:
        return None
    tx.lock("players", found.player_id)
    return find_any(tx, round_id)


def round_rows(tx: Tx, after: str, limit: int) -> list[Row]:
    """Return rows of rounds for `read_round`, in the order of their ids, which come first."""
    return tx.rows(f"{_SELECT} WHERE id > ? ORDER BY id LIMIT {limit}", (after,))


def rounds_to_mark(tx: Tx, *, anew: bool) -> Iterator[Round]:
    """Yield the rounds without a mark, or all; but no seats: they are whole under the seals."""
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
    """Return the id and the sealed seed of every round."""
    return tx.rows("SELECT id, sealed_seed FROM rounds ORDER BY seq")


def mark_of(dealer: Dealer, stored: Round) -> bytes:
    """Return the mark of a round's record as it stands."""
    return dealer.mark(msgspec.json.encode(_marked(stored)))


def read_round(row: Row) -> Round:
    """Return a row as a round."""
    values = list(row)
    values[_STAKES] = _read_stakes.decode(values[_STAKES] or "{}")
    values[_ANSWERS] = _read_answers.decode(values[_ANSWERS] or "[]")
    values[_SEEN] = bool(values[_SEEN])
    return Round(*values)


def load_round(tx: Tx, player_id: str, round_id: str) -> Round:
    """Load a player's own round that has been opened."""
    found = find_round(tx, player_id, round_id)
    if found is None or found.state in ("seated", "retired"):
        raise Refused("round/unknown", round_id=round_id)
    return found


def transcript_of(tx: Tx, dealer: Dealer, stored: Round) -> Transcript:
    """Replay a stored round: resuming, history and proof all come here."""
    by = edition(stored.game, stored.edition)
    sheet = stored_sheet(tx, stored.sheet_hash, by)
    return replayed(stored, sheet, deck_of(dealer, stored, sheet))


def replayed(stored: Round, sheet: Sheet, deck: Sequence[Card]) -> Transcript:
    """Replay a stored round with a deck."""
    by = edition(stored.game, stored.edition)
    return replay(by.script, sheet, deck, stored.stakes, stored.answers, void=stored.void_reason)


def is_bare(tx: Tx, stored: Round) -> bool:
    """Tell whether nothing is written in a seat but what it was made with, or retired with."""
    columns = "staked_cents, returned_cents"
    if stored.state == "seated":
        columns += (
            ", stakes, answers, server_seed, client_seed, opened_at_ms, ended_at_ms, void_reason,"
            " balance_before_cents, balance_after_cents, void_at_ms, mark"
        )
    row = tx.row(f"SELECT {columns} FROM rounds WHERE id = ? AND seen = 0", (stored.id,))
    return row is not None and not any(value is not None for value in row)


def deck_of(dealer: Dealer, stored: Round, sheet: Sheet) -> Sequence[Card]:
    """Lay out a stored round's deck again from its seed."""
    deal = Deal(stored.game, stored.sheet_hash, stored.id, stored.client_seed or "")
    return dealer.deck(stored.sealed_seed, deal, sheet.deck)


def keep_sheet(tx: Tx, sheet: Sheet) -> None:
    """Store a sheet's body once, under its hash."""
    tx.run(
        "INSERT INTO sheets (hash, game, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        (sheet.hash, sheet.game, sheet.body),
    )


def stored_sheet(tx: Tx, name: str, by: Edition) -> Sheet:
    """Load a stored sheet; its name is the hash of its content, so a copy in memory never ages."""
    if name not in _SHEETS:
        _SHEETS[name] = load_body(stored_body(tx, name), by.sheet_type)
    return _SHEETS[name]


def stored_body(tx: Tx, name: str) -> bytes:
    """Return the text a sheet was stored as."""
    row = tx.row("SELECT body FROM sheets WHERE hash = ?", (name,))
    if row is None:
        raise Refused("sheet/unreadable", file=name, reason="not stored")
    body: bytes = row[0]
    return body


_SHEETS: dict[str, Sheet] = {}
