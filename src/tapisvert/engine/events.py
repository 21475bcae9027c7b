"""The eleven events of a round, frozen for all games (docs/events.md).

An event says what a player may see and nothing else: a card dealt face down is `None` in the
event itself, so there is no view to filter and nothing to forget. `n` numbers the events of a
round from 0; a number never changes its meaning once given.
"""

from __future__ import annotations

from msgspec import Struct

from tapisvert.refusal import Arg

CardText = str  # as in `cards.text`


class HandName(Struct, frozen=True):
    """What a hand is called, for the catalogue to put in words."""

    category: str  # `two-pair`, `soft`, `flush-4`: the catalogue has a sentence for each, per game
    ranks: str = ""  # the ranks that name it, most important first: `K4A`
    cards: tuple[CardText, ...] = ()  # the cards that make it
    total: int | None = None  # blackjack points
    joker: CardText | None = None  # the card a joker stands for


class Option(Struct, frozen=True):
    """One answer to a question. A forbidden one is listed too, with its reason."""

    id: str
    bet: str = ""  # the bet this choice stakes on ("" = none) ...
    stake_cents: int = 0  # ... and the money it adds
    why_not: str | None = None  # a message key; present = listed but refused
    suggested: bool = False
    hands: dict[str, HandName] = {}  # what the choice would make (pai gow: low and high)


class Event(Struct, frozen=True, tag_field="kind"):
    """Something that happened, at its place in the round."""

    n: int


class Staked(Event, frozen=True, tag="staked"):
    """Money was put on a bet, before the deal or by a choice."""

    bet: str
    cents: int


class Dealt(Event, frozen=True, tag="dealt"):
    """Cards came from the deck to a zone, in order; `None` is face down."""

    zone: str
    cards: tuple[CardText | None, ...]


class Revealed(Event, frozen=True, tag="revealed"):
    """All cards of a zone are face up now."""

    zone: str
    cards: tuple[CardText, ...]


class Moved(Event, frozen=True, tag="moved"):
    """Cards went from one zone to the end of another."""

    zone: str
    to: str
    cards: tuple[CardText, ...]


class Named(Event, frozen=True, tag="named"):
    """A hand got its name. `zone` is where it lies, or the bet it counts for."""

    zone: str
    hand: HandName


class Asked(Event, frozen=True, tag="asked"):
    """A question was put to the player: a message key of the game, and what may be answered.

    `hand` is the stake id of the hand asked, where there are several.
    """

    step: int
    key: str
    hand: str | None
    options: tuple[Option, ...]


class Chose(Event, frozen=True, tag="chose"):
    """The player answered the question of that step."""

    step: int
    hand: str | None
    option: str


class Claimed(Event, frozen=True, tag="claimed"):
    """The bank said what a share of the pot comes to."""

    bet: str
    cents: int


class Said(Event, frozen=True, tag="said"):
    """Something to tell the player: a message key of the game, with its arguments."""

    key: str
    args: dict[str, Arg]


class Settled(Event, frozen=True, tag="settled"):
    """A bet is final. `why` is a message key; `row` and `odds` say which line of a table paid."""

    bet: str
    staked_cents: int
    returned_cents: int
    outcome: str  # won, returned, part, lost
    why: str
    row: str = ""
    odds: str = ""
    capped: bool = False


class Ended(Event, frozen=True, tag="ended"):
    """The round is over: every bet is settled."""

    staked_cents: int
    returned_cents: int


AnyEvent = (
    Staked | Dealt | Revealed | Moved | Named | Asked | Chose | Claimed | Said | Settled | Ended
)


def outcome(staked_cents: int, returned_cents: int) -> str:
    """Return the outcome of a stake.

    >>> [outcome(100, cents) for cents in (250, 100, 50, 0)]
    ['won', 'returned', 'part', 'lost']
    """
    if returned_cents > staked_cents:
        return "won"
    if returned_cents == staked_cents:
        return "returned"
    return "part" if returned_cents else "lost"
