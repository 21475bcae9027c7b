"""The best hands a player has had: looked for in the newest rounds, which are replayed for it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from tapisvert.cards import RANKS
from tapisvert.odds.bets import BETS
from tapisvert.ranking.joker import CATEGORIES
from tapisvert.rounds.bet_counts import COUNTED
from tapisvert.rounds.desk import Desk
from tapisvert.rounds.records import load_round, transcript_of
from tapisvert.table import AnyEvent, HandName
from tapisvert.table.events import Named

ROUNDS_MAX = 500
_KEPT_MAX = 50_000
# From the least to the best. Poker hands by their own order. At Blackjack an ace and a ten are
# rarer than a pair and less rare than two pair; flushes and runs of High Card Flush are told apart
# by how many of the C(52, 7) hands have them (a flush of five 3,814,668, a run of three 8,642,932).
_ORDER = {
    "high-card-flush": (
        *("flush-2", "flush-3", "straight-flush-1", "straight-flush-2", "flush-4"),
        *("straight-flush-3", "flush-5", "straight-flush-4", "flush-6", "straight-flush-5"),
        *("flush-7", "straight-flush-6", "straight-flush-7"),
    ),
    "blackjack": ("bust", "hard", "soft", *CATEGORIES[:2], "blackjack", *CATEGORIES[2:]),
}


class BestHand(Struct, frozen=True):
    """The best hand of a game, and the round it was in."""

    game: str
    round_id: str
    hand: HandName


def best_hands(desk: Desk) -> tuple[tuple[BestHand, ...], int]:
    """Return the best hand of each game in the newest rounds, and how many those were."""
    rows = desk.tx.rows(
        f"SELECT id, game FROM rounds WHERE {COUNTED} ORDER BY seq DESC LIMIT {ROUNDS_MAX}",
        (desk.player.id,),
    )
    best: dict[str, BestHand] = {}
    for round_id, game in rows:
        hand = _hand(desk, round_id, game)
        if hand and (game not in best or worth(game, hand) > worth(game, best[game].hand)):
            best[game] = BestHand(game, round_id, hand)
    return tuple(best[game] for game in BETS if game in best), len(rows)


def best_of(game: str, events: Iterable[AnyEvent]) -> HandName | None:
    """Return the best hand of the player that was named in a round; of equals, the first.

    A low hand of Pai Gow has two cards and is no hand of its own.
    """
    mine = (
        event.hand
        for event in events
        if isinstance(event, Named) and not event.zone.startswith("house")
        if not event.zone.endswith("-low")
    )
    return max(mine, key=lambda hand: worth(game, hand), default=None)


def worth(game: str, hand: HandName) -> tuple[int, ...]:
    """Return how good a hand is at a game, for comparing: its kind, then its ranks or total."""
    kind = _ORDER.get(game, CATEGORIES).index(hand.category)
    return (kind, hand.total or 0, *map(RANKS.index, hand.ranks))


def _hand(desk: Desk, round_id: str, game: str) -> HandName | None:
    """Return the best hand of a round that is over; such a round never changes."""
    if round_id in _HANDS:
        return _HANDS[round_id]
    stored = load_round(desk.tx, desk.player.id, round_id)
    found = best_of(game, transcript_of(desk.tx, desk.dealer, stored).events)
    if len(_HANDS) >= _KEPT_MAX:
        _HANDS.pop(next(iter(_HANDS)), None)
    _HANDS[round_id] = found
    return found


_HANDS: dict[str, HandName | None] = {}
