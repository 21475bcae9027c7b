"""A player's best hands, found by replaying the newest rounds."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from tapisvert.cards import RANKS
from tapisvert.engine import AnyEvent, HandName
from tapisvert.engine.events import Named
from tapisvert.games.registry import GAMES
from tapisvert.history.round_queries import newest
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.repository import load_round, transcript_of

ROUNDS_MAX = 500
_KEPT_MAX = 50_000


class BestHand(Struct, frozen=True):
    """The best hand of a game, and the round it was in."""

    game: str
    round_id: str
    hand: HandName


def best_hands(context: QueryContext) -> tuple[tuple[BestHand, ...], int]:
    """Return the best hand of each game in the newest rounds, and the number of those rounds."""
    rows = newest(context.tx, context.player.id, ROUNDS_MAX)
    best: dict[str, BestHand] = {}
    for round_id, game in rows:
        hand = _hand(context, round_id, game) if game in GAMES else None
        if hand and (game not in best or worth(game, hand) > worth(game, best[game].hand)):
            best[game] = BestHand(game, round_id, hand)
    return tuple(best[game] for game in GAMES if game in best), len(rows)


def best_of(game: str, events: Iterable[AnyEvent]) -> HandName | None:
    """Return the best of the player's named hands in a round; of equals, the first.

    The low hand of Pai Gow has two cards and is left out.
    """
    mine = (
        event.hand
        for event in events
        if isinstance(event, Named) and not event.zone.startswith("house")
        if not event.zone.endswith("-low")
    )
    return max(mine, key=lambda hand: worth(game, hand), default=None)


def worth(game: str, hand: HandName) -> tuple[int, ...]:
    """Return the sort key of a hand at a game: its kind, then its ranks or total."""
    kind = GAMES[game].hand_order.index(hand.category)
    return (kind, hand.total or 0, *map(RANKS.index, hand.ranks))


def _hand(context: QueryContext, round_id: str, game: str) -> HandName | None:
    """Return the best hand of a finished round; cached, because such a round never changes."""
    if round_id in _HANDS:
        return _HANDS[round_id]
    stored = load_round(context.tx, context.player.id, round_id)
    found = best_of(game, transcript_of(context.tx, context.dealer.decks, stored).events)
    if len(_HANDS) >= _KEPT_MAX:
        _HANDS.pop(next(iter(_HANDS)), None)
    _HANDS[round_id] = found
    return found


_HANDS: dict[str, HandName | None] = {}
