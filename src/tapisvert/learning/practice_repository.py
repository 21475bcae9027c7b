"""The SQL of practice: its four tables, written here alone. Each is bounded per player and game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct

from tapisvert.decoding import read_json
from tapisvert.engine import Answer
from tapisvert.learning.progress import Streak
from tapisvert.learning.schedule import CardMemory
from tapisvert.learning.selection import Answered, CardInHand
from tapisvert.store import Tx

CARDS_MAX = 100  # per player and game; the card that is due last is deleted
ANSWERS_MAX = 500
_PPM = 1_000_000
T = TypeVar("T")


class Source(Struct, frozen=True):
    """The origin of a position: the input of its replay, and the cost of the mistake made there.

    Without a sheet, the replay uses the house's current one.
    """

    deck: str
    stakes: dict[str, int]
    answers: tuple[Answer, ...]
    sheet_hash: str | None = None
    edition: int | None = None
    round_id: str | None = None
    cost: float = 0.0  # in units of the stake


class PracticeCard(Struct, frozen=True):
    """A mistake that is asked again until it is learned."""

    position: str
    theme: str
    memory: CardMemory
    source: Source

    @property
    def in_hand(self) -> CardInHand:
        """Return the card as the selection sees it."""
        return CardInHand(self.position, self.theme, self.memory)


class Worth(Struct, frozen=True):
    """The coach's values of the legal options of a question, in units of `unit_cents`."""

    step: int
    options: dict[str, float]
    unit_cents: int
    house_way: str | None

    @property
    def best(self) -> str:
        """Return the best option."""
        return max(self.options, key=lambda option: self.options[option])

    @property
    def lead(self) -> float:
        """Return how much more the best option is worth than the second."""
        first, *rest = sorted(self.options.values(), reverse=True)
        return first - rest[0] if rest else 0.0

    def cost(self, choice: str) -> float:
        """Return how much less an option is worth than the best."""
        return max(self.options.values()) - self.options[choice]


class PracticeQuestion(Struct, frozen=True):
    """A question that was asked, with the values of its options."""

    id: str
    theme: str
    wanted: str | None  # the theme the player asked for
    position: str
    card: str | None  # the position of the card that is due
    source: Source
    worth: Worth
    because_round: str | None
    because_cost: float | None


def cards(tx: Tx, player_id: str, game: str) -> list[PracticeCard]:
    """Return the cards of a player at a game."""
    rows = tx.rows(
        "SELECT position, theme, memory, source FROM practice_cards"
        " WHERE player_id = ? AND game = ? ORDER BY position",
        (player_id, game),
    )
    return [
        PracticeCard(position, theme, _read(memory, CardMemory), _read(source, Source))
        for position, theme, memory, source in rows
    ]


def add_cards(tx: Tx, player_id: str, game: str, new: Sequence[PracticeCard]) -> None:
    """Store new cards; a card that is stored already does not change."""
    for card in new:
        tx.run(
            "INSERT INTO practice_cards (player_id, game, position, theme, memory, source)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (player_id, game, card.position, card.theme, _text(card.memory), _text(card.source)),
        )
    known = sorted(cards(tx, player_id, game), key=lambda each: (each.memory.due_ms, each.position))
    for each in known[CARDS_MAX:]:
        tx.run(
            "DELETE FROM practice_cards WHERE player_id = ? AND game = ? AND position = ?",
            (player_id, game, each.position),
        )


def remember(tx: Tx, player_id: str, game: str, position: str, memory: CardMemory) -> None:
    """Store the new state of a card."""
    tx.run(
        "UPDATE practice_cards SET memory = ? WHERE player_id = ? AND game = ? AND position = ?",
        (_text(memory), player_id, game, position),
    )


def question(
    tx: Tx, player_id: str, game: str
) -> tuple[PracticeQuestion, str | None, str | None] | None:
    """Return the last question asked at a game, the choice, and the reply to it, encoded."""
    row = tx.row(
        "SELECT question, choice, reply FROM practice_questions WHERE player_id = ? AND game = ?",
        (player_id, game),
    )
    return row and (_read(row[0], PracticeQuestion), row[1], row[2])


def ask(tx: Tx, player_id: str, game: str, asked: PracticeQuestion) -> None:
    """Store a question in place of the last one."""
    tx.run(
        "INSERT INTO practice_questions (player_id, game, question) VALUES (?, ?, ?)"
        " ON CONFLICT (player_id, game) DO UPDATE SET question = ?, choice = NULL, reply = NULL",
        (player_id, game, _text(asked), _text(asked)),
    )


def reply(tx: Tx, player_id: str, game: str, choice: str, outcome: Struct) -> None:
    """Store the answer to the last question, and the reply to it."""
    tx.run(
        "UPDATE practice_questions SET choice = ?, reply = ? WHERE player_id = ? AND game = ?",
        (choice, _text(outcome), player_id, game),
    )


def answers(tx: Tx, player_id: str, game: str) -> list[Answered]:
    """Return the stored answers of a player at a game, newest first."""
    rows = tx.rows(
        "SELECT theme, cost_ppm FROM practice_answers WHERE player_id = ? AND game = ?"
        " ORDER BY number DESC",
        (player_id, game),
    )
    return [Answered(theme, ppm / _PPM) for theme, ppm in rows]


def add_answer(tx: Tx, player_id: str, game: str, answered: Answered, at_ms: int) -> None:
    """Store an answer; delete the oldest beyond ANSWERS_MAX."""
    row = tx.row(
        "SELECT COALESCE(MAX(number), 0) FROM practice_answers WHERE player_id = ? AND game = ?",
        (player_id, game),
    )
    number = (row[0] if row else 0) + 1
    tx.run(
        "INSERT INTO practice_answers (player_id, game, number, theme, at_ms, cost_ppm)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (player_id, game, number, answered.theme, at_ms, round(answered.cost * _PPM)),
    )
    tx.run(
        "DELETE FROM practice_answers WHERE player_id = ? AND game = ? AND number <= ?",
        (player_id, game, number - ANSWERS_MAX),
    )


def streak(tx: Tx, player_id: str) -> Streak:
    """Return the streaks of a player."""
    row = tx.row("SELECT streak FROM practice_streaks WHERE player_id = ?", (player_id,))
    return _read(row[0], Streak) if row else Streak()


def put_streak(tx: Tx, player_id: str, found: Streak) -> None:
    """Store the streaks of a player."""
    tx.run(
        "INSERT INTO practice_streaks (player_id, streak) VALUES (?, ?)"
        " ON CONFLICT (player_id) DO UPDATE SET streak = ?",
        (player_id, _text(found), _text(found)),
    )


def in_hand(found: Sequence[PracticeCard]) -> list[CardInHand]:
    """Return cards as the selection sees them."""
    return [each.in_hand for each in found]


def _text(value: Struct) -> str:
    return msgspec.json.encode(value).decode()


def _read(text: str, kind: type[T]) -> T:
    return read_json(text, kind)
