"""The one way to run a game: from its beginning, through the answers so far.

A run stops at a question. It can be continued with the answer, as the server does, or repeated from
the beginning with one answer more, as resuming after a crash, history, the verifier and the tests
do: the events are the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tapisvert.cards import Card
from tapisvert.engine.events import AnyEvent, Asked
from tapisvert.engine.script import Answer, Claim, GameScript, Question, S, Table
from tapisvert.engine.settlement import Line
from tapisvert.engine.stakes import Placed, check_stakes
from tapisvert.refusal import Refused

Bank = Callable[[Claim], int]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A round up to the present: its events, and the question it waits on."""

    events: tuple[AnyEvent, ...]
    waiting: Question | None
    stakes: Mapping[str, int]
    lines: Mapping[str, Line]
    answers: tuple[Answer, ...]

    @property
    def settled(self) -> bool:
        """Tell whether the round is over."""
        return self.waiting is None

    def since(self, n: int) -> tuple[AnyEvent, ...]:
        """Return the events from number `n` on; all of them, if `n` is negative."""
        return self.events[max(n, 0) :]

    def first_after(self, step: int) -> int:
        """Return the number of the event after the question of a step: its answer, or a void."""
        asked = next(
            event.n
            for event in reversed(self.events)
            if isinstance(event, Asked) and event.step == step
        )
        return asked + 1


class Run:
    """A run of a script, up to the question it waits on. After a refusal it is of no more use."""

    def __init__(
        self,
        game: GameScript[S],
        sheet: S,
        deck: Sequence[Card],
        stakes: Mapping[str, object],
    ) -> None:
        if len(deck) != len(sheet.deck) or sorted(deck) != list(sheet.deck):
            raise Refused("deck/invalid", cards=len(sheet.deck), game=sheet.game)
        placed = stakes if isinstance(stakes, Placed) else check_stakes(sheet, stakes)
        self._game = sheet.game
        self._table = Table(sheet, deck, placed)
        self._script = game(self._table, sheet)
        self._waiting: Question | None = None
        try:
            self._waiting = next(self._script)
        except StopIteration:
            self._end()

    def answer(self, answers: Sequence[Answer], bank: Bank | None = None) -> None:
        """Go on with these answers.

        A claim takes its recorded answer, or asks the bank if there is none.
        """
        try:
            self._answer(deque(answers), bank)
        except Refused as refusal:
            refusal.details["game"] = self._game  # the reader renders it in this game's words
            raise

    def void(self, why: str) -> None:
        """Break off the round, unless it is over: unsettled stakes are returned."""
        if self._waiting is not None:
            self._table.void(why)
            self._end()

    def transcript(self) -> Transcript:
        """Return the round up to the present."""
        table = self._table
        return Transcript(
            tuple(table.events),
            self._waiting,
            dict(table.stakes),
            dict(table.lines),
            tuple(table.answers),
        )

    def _answer(self, given: deque[Answer], bank: Bank | None) -> None:
        try:
            while self._waiting is not None:
                if isinstance(self._waiting, Claim) and bank and not _is_amount(given):
                    self._waiting = self._script.send(bank(self._waiting))
                elif given:
                    self._waiting = self._script.send(given.popleft())
                else:
                    return
        except StopIteration:
            self._end()
        for extra in given:
            raise Refused("choice/too_many", choice=str(extra))

    def _end(self) -> None:
        self._waiting = None
        self._table.end()


def _is_amount(given: deque[Answer]) -> bool:
    return bool(given) and isinstance(given[0], int)


def replay(
    game: GameScript[S],
    sheet: S,
    deck: Sequence[Card],
    stakes: Mapping[str, object],
    answers: Sequence[Answer],
    *,
    bank: Bank | None = None,
    void: str | None = None,
) -> Transcript:
    """Run a round from its beginning through the answers so far.

    With `void`, the round is broken off after the answers for that reason.
    """
    run = Run(game, sheet, deck, stakes)
    run.answer(answers, bank)
    if void is not None:
        run.void(void)
    return run.transcript()
