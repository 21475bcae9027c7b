"""The eleven events of a round, frozen for all games (docs/events.md).

An event holds only what a player may see. A card dealt face down is `None` in the event itself, so
no view has to filter it. `n` numbers the events of a round from 0; the meaning of a number never
changes.
"""

from __future__ import annotations

from msgspec import Struct

from tapisvert.refusal import Arg

CardText = str  # as in `cards.text`


class HandName(Struct, frozen=True):
    """The name of a hand; the catalogue turns it into words."""

    category: str  # `two-pair`, `soft`, `flush-4`: each game's catalogue has a sentence for each
    ranks: str = ""  # the ranks in the name, most important first: `K4A`
    cards: tuple[CardText, ...] = ()  # the cards the hand is made of
    total: int | None = None  # blackjack points
    joker: CardText | None = None  # the card a joker stands for


class Option(Struct, frozen=True):
    """One answer to a question. A forbidden option is listed too, with its reason."""

    id: str
    bet: str = ""  # the bet this option stakes on ("" = none) ...
    stake_cents: int = 0  # ... and the money it adds
    why_not: str | None = None  # a message key; if present, the option is listed but refused
    suggested: bool = False
    hands: dict[str, HandName] = {}  # the hands the option would make (pai gow: low and high)


class Event(Struct, frozen=True, tag_field="kind"):
    """An event at its position in the round."""

    n: int


class Staked(Event, frozen=True, tag="staked"):
    """Money was put on a bet, before the deal or by a choice."""

    bet: str
    cents: int


class Dealt(Event, frozen=True, tag="dealt"):
    """Cards were dealt from the deck to a zone, in order; `None` is face down."""

    zone: str
    cards: tuple[CardText | None, ...]


class Revealed(Event, frozen=True, tag="revealed"):
    """All cards of a zone are now face up."""

    zone: str
    cards: tuple[CardText, ...]


class Moved(Event, frozen=True, tag="moved"):
    """Cards were moved from one zone to the end of another."""

    zone: str
    to: str
    cards: tuple[CardText, ...]


class Named(Event, frozen=True, tag="named"):
    """A hand got its name. `zone` is the hand's zone, or the bet it counts for."""

    zone: str
    hand: HandName


class Asked(Event, frozen=True, tag="asked"):
    """A question to the player: a message key of the game, and the options.

    `hand` is the stake id of the hand in question, if there are several.
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
    """The bank answered a claim: the amount of a share of the pot."""

    bet: str
    cents: int


class Said(Event, frozen=True, tag="said"):
    """A message to the player: a message key of the game, with its arguments."""

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
