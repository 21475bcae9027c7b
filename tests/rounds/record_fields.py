"""The fields a game record must hold (GLI-19 v3.0, 2.8.2), and where ours holds them.

The subjects are the standard's; the letters are those of our own list, because we may not print the
standard's text. `FIELDS` is the table of docs/guarantees.md; every `read` uses stored data only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tapisvert.engine import Transcript
from tapisvert.engine import events as ev
from tapisvert.rounds import Dealer
from tapisvert.rounds.repository import find_any, transcript_of
from tapisvert.rounds.round import Round
from tapisvert.store import Tx

# The standard's name of a status, by our state and by whether the round was reversed.
STATUS = {
    ("open", False): "in progress",  # an interrupted game is an open round
    ("settled", False): "complete",
    ("settled", True): "complete, reversed",
    ("voided", False): "cancelled",
    ("voided", True): "cancelled, reversed",
}
NOT_COLLECTED = "not collected"
Moves = list[tuple[str, str, str, str | None, int]]  # debit, credit, reason, bet, cents


@dataclass(frozen=True)
class Record:
    """A round as stored: its row, its transfers, and its replay."""

    row: dict[str, Any]
    stored: Round
    moves: Moves
    reversed: bool
    currencies: set[str]
    paytable: bytes
    played: Transcript
    fed_units: int = 0

    def of(self, kind: type[ev.Event]) -> list[Any]:
        """Return the events of a kind."""
        return [event for event in self.played.events if isinstance(event, kind)]

    def moved(self, *reasons: str) -> int:
        """Return the cents moved for these reasons."""
        return sum(move[4] for move in self.moves if move[2] in reasons)


@dataclass(frozen=True)
class Field:
    """One required field of a record."""

    letter: str
    subject: str
    where: str
    read: Callable[[Record], object]


def column(name: str) -> Callable[[Record], object]:
    """Return a reader of a column of the row."""
    return lambda record: record.row[name]


FIELDS = (
    Field(
        *("a", "date and time the game was played"),
        "`rounds.opened_at_ms`; its end in `ended_at_ms`, its seat in `seated_at_ms`",
        column("opened_at_ms"),
    ),
    Field(
        *("b", "the player's balance at the start"),
        "`rounds.balance_before_cents`",
        column("balance_before_cents"),
    ),
    Field(
        *("c", "contributions to progressive pots"),
        "`contributions.units`, one row for each real-money stake on the pot; in `transfers`"
        " (`contribution`)",
        lambda record: record.fed_units,
    ),
    Field(
        *("d", "status of the game"),
        "`rounds.state` and `void_reason`, and the row of `reversals` if there is one",
        lambda record: STATUS[record.row["state"], record.reversed],
    ),
    Field(
        *("e", "total amount wagered"),
        "`rounds.staked_cents`; bet by bet in `transfers` (`stake`)",
        column("staked_cents"),
    ),
    Field(
        *("f", "the player's decisions"),
        "`rounds.answers`",
        lambda record: [each for each in record.stored.answers if isinstance(each, str)],
    ),
    Field(
        *("g", "final outcome as it was displayed"),
        "replayed from `sealed_seed`, `client_seed`, `stakes` and `answers`: cards and lines",
        lambda record: {
            event.bet: (event.outcome, event.returned_cents) for event in record.of(ev.Settled)
        },
    ),
    Field(
        *("h", "intermediate phases of the game"),
        "replayed: every question with its step, in the order they were asked",
        lambda record: [(event.step, event.key) for event in record.of(ev.Asked)],
    ),
    Field(
        *("i", "total amount won"),
        "`rounds.returned_cents`; bet by bet in `transfers` (`return`, `win`, `award`)",
        column("returned_cents"),
    ),
    Field(
        *("j", "progressive prizes won"),
        "`rounds.answers`, where the bank's own answers are numbers; with real money also `awards`",
        lambda record: [each for each in record.stored.answers if isinstance(each, int)],
    ),
    Field(
        *("k", "the player's balance at the end"),
        "`rounds.balance_after_cents`",
        column("balance_after_cents"),
    ),
    Field(
        *("l", "advice offered to the player"),
        "replayed: the options marked `suggested` (the house way of Pai Gow)",
        lambda record: [
            option.id
            for event in record.of(ev.Asked)
            for option in event.options
            if option.suggested
        ],
    ),
    Field(
        *("m", "the choices offered, and which was taken"),
        "replayed: the options of every question, and the option chosen",
        lambda record: [
            (tuple(option.id for option in asked.options), chosen.option)
            for asked, chosen in zip(record.of(ev.Asked), record.of(ev.Chose), strict=False)
        ],
    ),
    Field(
        *("n", "unique game id"),
        "`rounds.game` and `edition`, the number of its script",
        lambda record: (record.row["game"], record.row["edition"]),
    ),
    Field("o", "unique player id", "`rounds.player_id`", column("player_id")),
    Field(
        *("p", "unique id of the game cycle"),
        "`rounds.id`; `seq` is its number in the house",
        column("id"),
    ),
    Field(
        *("q", "paytable id"),
        "`rounds.sheet_hash`, the SHA-256 of the whole sheet, which is kept in `sheets`",
        column("sheet_hash"),
    ),
    Field(
        *("r", "location and device of the player"),
        f"{NOT_COLLECTED}: neither address, place nor device is stored, for anyone",
        lambda record: NOT_COLLECTED,
    ),
    # Named by the standard beside those of our list.
    Field(
        *("-", "denomination and currency"),
        "one denomination, the cent; `players.currency`, and on every transfer",
        lambda record: record.currencies,
    ),
    Field(
        *("-", "rake, commission and fees"),
        "none are taken: a stake comes back or is lost, bet by bet in `transfers`",
        lambda record: record.moved("stake") - record.moved("return", "loss"),
    ),
    Field(
        *("-", "incentive credits wagered and won"),
        "there are none: no such reason in `transfers`",
        lambda record: record.moved("incentive", "bonus"),
    ),
)


def record_of(tx: Tx, dealer: Dealer, round_id: str) -> Record:
    """Read a round's record from the database; a dealer decrypts its seed."""
    columns = [row[0] for row in tx.rows("SELECT name FROM pragma_table_info('rounds')")]
    stored = find_any(tx, round_id)
    assert stored is not None
    row = tx.row(f"SELECT {', '.join(columns)} FROM rounds WHERE id = ?", (stored.id,))
    assert row is not None
    sheet = tx.row("SELECT body FROM sheets WHERE hash = ?", (stored.sheet_hash,))
    assert sheet is not None
    moves = tx.rows(
        "SELECT debit, credit, reason, bet, units / 100000, currency FROM transfers"
        " WHERE round_id = ? ORDER BY id",
        (stored.id,),
    )
    gone = tx.row("SELECT 1 FROM reversals WHERE round_id = ?", (stored.id,))
    return Record(
        dict(zip(columns, row, strict=True)),
        stored,
        [(move[0], move[1], move[2], move[3], move[4]) for move in moves],
        gone is not None,
        {move[5] for move in moves},
        sheet[0],
        transcript_of(tx, dealer.decks, stored),
        sum(row[0] for row in tx.rows(_FED, (stored.id,))),
    )


_FED = "SELECT units FROM contributions WHERE round_id = ? AND kind = 'stake'"


def table() -> str:
    """Format the fields as the table of the docs."""
    rows = [f"| {each.letter} | {each.subject} | {each.where} |" for each in FIELDS]
    return "\n".join(["| | a record holds | where |", "|---|---|---|", *rows])
