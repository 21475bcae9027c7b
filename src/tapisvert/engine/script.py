"""A round as a script: the operations a game may use, and the one way to run it.

A game is a generator that reads like its rule sheet. It takes cards from the table, asks the
player, claims from the bank, and settles bets. It has no randomness, no clock, no input or output
and no float, so the same deck, stakes and answers give the same events, always. Every run of a game
goes through `replay`: the server after each choice, resuming after a crash, history, verifier,
tests.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, TypeVar

from tapisvert.cards import Card, text
from tapisvert.engine import events as ev
from tapisvert.engine.events import AnyEvent, Asked, HandName, Option
from tapisvert.engine.settlement import Line, capped_lines
from tapisvert.engine.sheet import Sheet, write_odds
from tapisvert.engine.stakes import Placed, check_stakes
from tapisvert.refusal import Arg, Refused, invariant

T = TypeVar("T")
S = TypeVar("S", bound=Sheet)
E = TypeVar("E", bound=AnyEvent)

Answer = str | int  # a player's option id, or the cents of a claim


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of a share of the pot, answered by the bank in the transaction of the deal.

    A pot that `restarts` is refilled to its starting value after the share is taken.
    """

    bet: str
    share: Fraction
    restarts: bool = False


Question = Asked | Claim
Script: TypeAlias = Generator[Question, Answer, T]
GameScript: TypeAlias = Callable[["Table", S], Script[None]]


class Table:
    """The operations of a script. Zones hold real cards; events hide cards face down."""

    def __init__(self, sheet: Sheet, deck: Sequence[Card], stakes: Mapping[str, int]) -> None:
        self.stakes: dict[str, int] = {}
        self.zones: dict[str, list[Card]] = {}
        self.lines: dict[str, Line] = {}
        self.events: list[AnyEvent] = []
        self.answers: list[Answer] = []
        self._deck: Iterator[Card] = iter(deck)
        self._face_down: set[Card] = set()
        self._caps = sheet.caps_cents
        self._open_lines: list[Line] = []  # settled in this step, not final yet
        self._step = 0
        for bet, cents in stakes.items():
            self._stake(bet, cents)

    # Cards -----------------------------------------------------------------------------------

    def deal(self, zone: str, count: int = 1, *, up: int | None = None) -> list[Card]:
        """Deal cards to a zone, the first `up` of them face up (default: all)."""
        new = [next(self._deck) for _ in range(count)]
        shown = count if up is None else up
        self.zones.setdefault(zone, []).extend(new)
        self._face_down.update(new[shown:])
        cards = tuple(text(card) if place < shown else None for place, card in enumerate(new))
        self._log(ev.Dealt(self._n, zone, cards))
        return self.zones[zone]

    def reveal(self, zone: str) -> None:
        """Turn all cards of a zone face up."""
        self._face_down.difference_update(self.zones[zone])
        self._log(ev.Revealed(self._n, zone, self._texts(self.zones[zone])))

    def move(self, cards: Sequence[Card], zone: str, to: str) -> list[Card]:
        """Move face-up cards to the end of another zone."""
        moved = tuple(cards)  # copy first: `cards` may be the zone itself, which changes below
        invariant(self._face_down.isdisjoint(moved), "a card face down is never moved in sight")
        for card in moved:
            self.zones[zone].remove(card)
        self.zones.setdefault(to, []).extend(moved)
        self._log(ev.Moved(self._n, zone, to, self._texts(moved)))
        return self.zones[to]

    def name(self, zone: str, hand: HandName) -> HandName:
        """Name a hand; return the name."""
        self._log(ev.Named(self._n, zone, hand))
        return hand

    def say(self, key: str, **args: Arg) -> None:
        """Send the player a message."""
        self._log(ev.Said(self._n, key, args))

    # Questions -------------------------------------------------------------------------------

    def ask(
        self,
        key: str,
        *options: Option,
        hand: str | None = None,
        read: Callable[[str], str] = str,
    ) -> Script[str]:
        """Ask the player; stake the money of the chosen option and return it.

        `read` normalises an answer to a listed option id (a set's cards may come in either order).
        """
        self._show_lines()
        question = Asked(self._n, self._step, key, hand, options)
        self._log(question)
        answer = yield question
        meant = read(str(answer))
        chosen = next((option for option in options if option.id == meant), None)
        if chosen is None:
            raise Refused("choice/not_offered", choice=str(answer))
        if chosen.why_not is not None:
            raise Refused("choice/not_legal", choice=chosen.id, why=chosen.why_not)
        self.answers.append(chosen.id)  # the listed id, whatever the spelling
        self._log(ev.Chose(self._n, self._step, hand, chosen.id))
        self._step += 1
        if chosen.bet:
            self._stake(chosen.bet, chosen.stake_cents)
        return chosen.id

    def claim(self, bet: str, share: Fraction, *, restarts: bool = False) -> Script[int]:
        """Ask the bank for the amount of a share of the pot, as of now."""
        cents = yield Claim(bet, share, restarts)
        if type(cents) is not int or cents < 0:
            raise Refused("choice/not_offered", choice=str(cents))  # a forged proof
        self.answers.append(cents)
        self._log(ev.Claimed(self._n, bet, cents))
        return cents

    # Bets ------------------------------------------------------------------------------------

    def pay(self, bet: str, odds: Fraction | int, why: str, row: str = "") -> None:
        """Return the stake and pay odds on it."""
        if bet in self.stakes:
            odds = Fraction(odds)
            prize = self.stakes[bet] * odds
            invariant(prize.denominator == 1, "the sheet's step keeps every prize in whole cents")
            self.settle(bet, self.stakes[bet] + int(prize), why, row, write_odds(odds))

    def push(self, bet: str, why: str) -> None:
        """Return the stake."""
        self.settle(bet, self.stakes.get(bet, 0), why)

    def lose(self, bet: str, why: str, row: str = "") -> None:
        """Take the stake."""
        self.settle(bet, 0, why, row)

    def settle(self, bet: str, cents: int, why: str, row: str = "", odds: str = "") -> None:
        """Settle a bet for good; a bet that was not staked is ignored."""
        if bet in self.stakes:
            invariant(bet not in self.lines, f"{bet} is settled once")
            line = Line(bet, self.stakes[bet], cents, why, row, odds)
            self.lines[bet] = line
            self._open_lines.append(line)
            if "round" not in self._caps:
                self._show_lines()  # no later line can reduce this one, so it is final at once

    def void(self, why: str) -> None:
        """Return every unsettled stake; settled bets stay settled."""
        self._show_lines()
        self._caps = {}  # caps do not apply to returned stakes
        for bet in self.stakes:
            if bet not in self.lines:
                self.push(bet, why)

    def end(self) -> None:
        """Close the round: every stake must have been settled."""
        invariant(self.lines.keys() == self.stakes.keys(), "every stake is settled")
        self._show_lines()
        returned = sum(line.returned_cents for line in self.lines.values())
        self._log(ev.Ended(self._n, sum(self.stakes.values()), returned))

    # Inside ----------------------------------------------------------------------------------

    @property
    def _n(self) -> int:
        return len(self.events)

    def _log(self, event: AnyEvent) -> None:
        self.events.append(event)

    def _texts(self, cards: Sequence[Card]) -> tuple[str, ...]:
        return tuple(text(card) for card in cards)

    def _stake(self, bet: str, cents: int) -> None:
        invariant(bet not in self.lines, f"nothing is staked on {bet} once it is settled")
        self.stakes[bet] = self.stakes.get(bet, 0) + cents
        self._log(ev.Staked(self._n, bet, cents))

    def _show_lines(self) -> None:
        """Make this step's settlements final, with caps applied, in the order of staking."""
        if not self._open_lines:
            return
        order = list(self.stakes)
        final = capped_lines(
            sorted(self._open_lines, key=lambda line: order.index(line.bet)),
            self._caps,
            sum(line.returned_cents for line in self.lines.values()),
        )
        self._open_lines = []
        for line in final:
            self.lines[line.bet] = line
            self._log(line.event(self._n))


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

    def since(self, step: int) -> tuple[AnyEvent, ...]:
        """Return the events after the question of a step: its answer, or a void."""
        asked = next(
            each.n for each in self.events if isinstance(each, Asked) and each.step == step
        )
        return self.events[asked + 1 :]


def replay(
    game: GameScript[S],
    sheet: S,
    deck: Sequence[Card],
    stakes: Mapping[str, object],
    answers: Sequence[Answer],
    *,
    bank: Callable[[Claim], int] | None = None,
    void: str | None = None,
) -> Transcript:
    """Run a round from its beginning through the answers so far.

    A claim takes its recorded answer, or asks the bank if there is none. With `void`, the round is
    broken off after the answers for that reason, and unsettled stakes are returned.
    """
    try:
        if len(deck) != len(sheet.deck) or sorted(deck) != list(sheet.deck):
            raise Refused("deck/invalid", cards=len(sheet.deck))
        placed = stakes if isinstance(stakes, Placed) else check_stakes(sheet, stakes)
        table = Table(sheet, deck, placed)
        waiting = _drive(game(table, sheet), deque(answers), bank)
    except Refused as refusal:
        refusal.details["game"] = sheet.game  # the reader renders the refusal in this game's words
        raise
    if waiting is not None and void is not None:
        table.void(void)
        waiting = None
    if waiting is None:
        table.end()
    events, given = tuple(table.events), tuple(table.answers)
    return Transcript(events, waiting, table.stakes, table.lines, given)


def _drive(
    script: Script[None], given: deque[Answer], bank: Callable[[Claim], int] | None
) -> Question | None:
    """Drive a script through the answers; return what it waits for."""
    try:
        question = next(script)
        while True:
            if isinstance(question, Claim) and bank and not (given and isinstance(given[0], int)):
                question = script.send(bank(question))
            elif given:
                question = script.send(given.popleft())
            else:
                return question
    except StopIteration:
        for extra in given:
            raise Refused("choice/too_many", choice=str(extra)) from None
        return None
