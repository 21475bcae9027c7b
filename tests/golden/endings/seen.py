"""A recording from which endings are recognised, by its events alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from golden.golden import Golden
from tapisvert.cards import RANKS
from tapisvert.engine import AnyEvent, HandName
from tapisvert.engine import events as ev
from tapisvert.ranking.joker import CATEGORIES


class Answered(NamedTuple):
    """A question and its answer."""

    asked: ev.Asked
    option: str

    @property
    def forbidden(self) -> dict[str, str]:
        return {each.id: each.why_not for each in self.asked.options if each.why_not is not None}


class Seen:
    """A whole round, with queries about it."""

    def __init__(self, golden: Golden) -> None:
        self.stakes = golden.stakes
        self.spoken = golden.choices
        self.pot_cents = golden.pot_cents
        self.events: list[AnyEvent] = [event for step in golden.steps for event in step.events]
        self.lines = {event.bet: event for event in self.events if isinstance(event, ev.Settled)}
        self.said = {event.key: event for event in self.events if isinstance(event, ev.Said)}
        asked = [event for event in self.events if isinstance(event, ev.Asked)]
        chose = [event for event in self.events if isinstance(event, ev.Chose)]
        self.answers = [
            Answered(*pair) for pair in zip(asked, [c.option for c in chose], strict=True)
        ]
        self.cards = golden.steps[-1].view.hands

    @property
    def chosen(self) -> list[str]:
        """Return the player's answers, in order."""
        return [answer.option for answer in self.answers]

    def line(self, bet: str) -> str:
        """Return the result of a bet and why: `won beats-house`; "" if it was not staked."""
        line = self.lines.get(bet)
        return f"{line.outcome} {line.why}" if line else ""

    def any_line(self, outcome: str, why: str) -> bool:
        return f"{outcome} {why}" in map(self.line, self.lines)

    def names(self, zone: str) -> list[HandName]:
        """Return all names of hands, in order."""
        return [e.hand for e in self.events if isinstance(e, ev.Named) and e.zone == zone]

    def kind(self, zone: str) -> str:
        """Return the last category a zone was named; "" if none."""
        return self.names(zone)[-1].category if self.names(zone) else ""

    def turned(self, zone: str) -> bool:
        """Tell whether the cards of a zone were turned face up."""
        return any(isinstance(e, ev.Revealed) and e.zone == zone for e in self.events)


Ending = Callable[[Seen], bool]
Endings = dict[str, Ending]


def order(hand: HandName) -> tuple[int, list[int]]:
    """Return the sort key of a hand: the category (or the length of a flush), then the ranks."""
    kind = hand.category
    place = CATEGORIES.index(kind) if kind in CATEGORIES else int(kind.removeprefix("flush-"))
    return place, [RANKS.index(rank) for rank in hand.ranks]


def better(seen: Seen, zone: str, other: str) -> bool:
    """Tell whether one hand is better than another, by their names."""
    return order(seen.names(zone)[-1]) > order(seen.names(other)[-1])


def suits(cards: tuple[str, ...]) -> Counter[str]:
    return Counter(card[1] for card in cards)
