"""A round as a script: the operations a game may use.

A game is a generator that reads like its rule sheet. It takes cards from the table, asks the
player, claims from the bank, and settles bets. It has no randomness, no clock, no input or output
and no float, so the same deck, stakes and answers give the same events, always. engine/replay.py
runs it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, TypeVar

from tapisvert.cards import Card, text
from tapisvert.engine import events as ev
from tapisvert.engine.events import AnyEvent, Asked, HandName, Option
from tapisvert.engine.settlement import Line, capped_lines
from tapisvert.engine.sheet import Sheet, write_odds
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
        self._deck, self._dealt = deck, 0
        self._face_down: set[Card] = set()
        self._caps = sheet.caps_cents
        self._open_lines: list[Line] = []  # settled in this step, not final yet
        self._step = 0
        for bet, cents in stakes.items():
            self._stake(bet, cents)

    # Cards -----------------------------------------------------------------------------------

    def deal(self, zone: str, count: int = 1, *, up: int | None = None) -> list[Card]:
        """Deal cards to a zone, the first `up` of them face up (default: all)."""
        new = self._deck[self._dealt : self._dealt + count]
        invariant(len(new) == count, "the deck has a card for every deal")
        self._dealt += count
        cards: tuple[str | None, ...] = _texts(new)
        if up is not None:
            self._face_down.update(new[up:])
            cards = cards[:up] + (None,) * (count - up)
        held = self.zones.setdefault(zone, [])
        held.extend(new)
        self.events.append(ev.Dealt(len(self.events), zone, cards))
        return held

    def reveal(self, zone: str) -> None:
        """Turn all cards of a zone face up."""
        self._face_down.difference_update(self.zones[zone])
        self.events.append(ev.Revealed(len(self.events), zone, _texts(self.zones[zone])))

    def move(self, cards: Sequence[Card], zone: str, to: str) -> list[Card]:
        """Move face-up cards to the end of another zone."""
        moved = tuple(cards)  # copy first: `cards` may be the zone itself, which changes below
        invariant(self._face_down.isdisjoint(moved), "a card face down is never moved in sight")
        for card in moved:
            self.zones[zone].remove(card)
        self.zones.setdefault(to, []).extend(moved)
        self.events.append(ev.Moved(len(self.events), zone, to, _texts(moved)))
        return self.zones[to]

    def name(self, zone: str, hand: HandName) -> HandName:
        """Name a hand; return the name."""
        self.events.append(ev.Named(len(self.events), zone, hand))
        return hand

    def say(self, key: str, **args: Arg) -> None:
        """Send the player a message."""
        self.events.append(ev.Said(len(self.events), key, args))

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
        question = Asked(len(self.events), self._step, key, hand, options)
        self.events.append(question)
        answer = yield question
        meant = read(str(answer))
        chosen = next((option for option in options if option.id == meant), None)
        if chosen is None:
            raise Refused("choice/not_offered", choice=str(answer))
        if chosen.why_not is not None:
            raise Refused("choice/not_legal", choice=chosen.id, why=chosen.why_not)
        self.answers.append(chosen.id)  # the listed id, whatever the spelling
        self.events.append(ev.Chose(len(self.events), self._step, hand, chosen.id))
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
        self.events.append(ev.Claimed(len(self.events), bet, cents))
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
        self.events.append(ev.Ended(len(self.events), sum(self.stakes.values()), returned))

    # Inside ----------------------------------------------------------------------------------

    def _stake(self, bet: str, cents: int) -> None:
        invariant(bet not in self.lines, "nothing is staked on a settled bet")
        self.stakes[bet] = self.stakes.get(bet, 0) + cents
        self.events.append(ev.Staked(len(self.events), bet, cents))

    def _show_lines(self) -> None:
        """Make this step's settlements final, with caps applied, in the order of staking."""
        final, self._open_lines = self._open_lines, []
        if len(final) > 1:
            order = list(self.stakes)
            final.sort(key=lambda line: order.index(line.bet))
        if final and self._caps:
            total = sum(line.returned_cents for line in self.lines.values())
            final = capped_lines(final, self._caps, total)
        for line in final:
            self.lines[line.bet] = line
            self.events.append(line.event(len(self.events)))


def _texts(cards: Sequence[Card]) -> tuple[str, ...]:
    return tuple([text(card) for card in cards])
