"""The player's view of a round: a fold over its events, which contain no hidden card."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tapisvert.engine import events as ev
from tapisvert.engine.events import AnyEvent, HandName
from tapisvert.engine.replay import Transcript

FACE_DOWN = "??"
_OF_CARDS = frozenset((ev.Dealt, ev.Revealed, ev.Moved))  # looked up first: most are others


class OptionView(Struct, frozen=True):
    """One option. `affordable` depends on the wallet now, so no event carries it."""

    id: str
    bet: str
    stake_cents: int
    legal: bool
    why_not: str | None
    suggested: bool
    hands: dict[str, HandName]
    affordable: bool


class AskView(Struct, frozen=True):
    """The question the round waits on."""

    step: int
    key: str
    hand: str | None
    options: tuple[OptionView, ...]


class LineView(Struct, frozen=True):
    """One settled bet."""

    bet: str
    staked_cents: int
    returned_cents: int
    outcome: str
    capped: bool


class View(Struct, frozen=True):
    """A round as the player sees it."""

    status: str  # waiting or settled
    ask: AskView | None
    lines: tuple[LineView, ...]
    staked_cents: int
    returned_cents: int
    hands: dict[str, tuple[str, ...]]


def view(transcript: Transcript, balance_cents: int | None = None) -> View:
    """Build the view of a round; with a balance, mark the options it can pay for."""
    lines = tuple(
        LineView(bet, line.staked_cents, line.returned_cents, line.outcome, line.capped)
        for bet in transcript.stakes
        if (line := transcript.lines.get(bet)) is not None
    )
    waiting = transcript.waiting
    return View(
        status="settled" if transcript.settled else "waiting",
        ask=_ask_view(waiting, balance_cents) if isinstance(waiting, ev.Asked) else None,
        lines=lines,
        staked_cents=sum(transcript.stakes.values()),
        returned_cents=sum(line.returned_cents for line in lines),
        hands=hands(transcript.events),
    )


def hands(events: Sequence[AnyEvent]) -> dict[str, tuple[str, ...]]:
    """Return the cards in each zone, with `??` for a card face down."""
    zones: dict[str, list[str]] = {}
    for event in events:
        if type(event) not in _OF_CARDS:
            continue
        if isinstance(event, ev.Dealt):
            zones.setdefault(event.zone, []).extend([card or FACE_DOWN for card in event.cards])
        elif isinstance(event, ev.Revealed):
            zones[event.zone] = list(event.cards)
        elif isinstance(event, ev.Moved):
            for card in event.cards:
                zones[event.zone].remove(card)
            zones.setdefault(event.to, []).extend(event.cards)
    return {zone: tuple(cards) for zone, cards in zones.items() if cards}


def _ask_view(ask: ev.Asked, balance_cents: int | None) -> AskView:
    return AskView(
        ask.step,
        ask.key,
        ask.hand,
        tuple(
            OptionView(
                id=option.id,
                bet=option.bet,
                stake_cents=option.stake_cents,
                legal=option.why_not is None,
                why_not=option.why_not,
                suggested=option.suggested,
                hands=option.hands,
                affordable=balance_cents is None or option.stake_cents <= balance_cents,
            )
            for option in ask.options
        ),
    )
