"""A recording as its endings are recognised in it: by its events alone."""

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
    """A question, and what was answered."""

    asked: ev.Asked
    option: str

    @property
    def forbidden(self) -> dict[str, str]:
        """The options that could not be chosen, and why not."""
        return {each.id: each.why_not for each in self.asked.options if each.why_not is not None}


class Seen:
    """A whole round, and small questions about it."""

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
        """What the player answered, in order."""
        return [answer.option for answer in self.answers]

    def line(self, bet: str) -> str:
        """What became of a bet and why: `won beats-house`; nothing if it was not staked."""
        line = self.lines.get(bet)
        return f"{line.outcome} {line.why}" if line else ""

    def any_line(self, outcome: str, why: str) -> bool:
        """Whether some bet ended so."""
        return f"{outcome} {why}" in map(self.line, self.lines)

    def names(self, zone: str) -> list[HandName]:
        """Every name a hand was given, in order."""
        return [e.hand for e in self.events if isinstance(e, ev.Named) and e.zone == zone]

    def kind(self, zone: str) -> str:
        """The last kind of hand a zone was named; nothing if it was not."""
        return self.names(zone)[-1].category if self.names(zone) else ""

    def turned(self, zone: str) -> bool:
        """Whether the cards of a zone were turned face up."""
        return any(isinstance(e, ev.Revealed) and e.zone == zone for e in self.events)


Ending = Callable[[Seen], bool]
Endings = dict[str, Ending]


def order(hand: HandName) -> tuple[int, list[int]]:
    """Return what orders hands: the kind (or the length of a flush), then the ranks."""
    kind = hand.category
    place = CATEGORIES.index(kind) if kind in CATEGORIES else int(kind.removeprefix("flush-"))
    return place, [RANKS.index(rank) for rank in hand.ranks]


def better(seen: Seen, zone: str, other: str) -> bool:
    """Say whether one hand is better than another, by the names they were given."""
    return order(seen.names(zone)[-1]) > order(seen.names(other)[-1])


def suits(cards: tuple[str, ...]) -> Counter[str]:
    """Count the suits of some cards."""
    return Counter(card[1] for card in cards)
