"""The tables of a simulated night: short delays, low caps, and decks with rare events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

from tapisvert.cards import Card, parse_hand
from tapisvert.dealing import Deal, shuffle
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import SHIPPED
from tapisvert.sheets import load

GAMES = tuple(SHIPPED)
DELAYS_S = (600, 3_600, 86_400)
# Number of house cards a player may see while a round is open, by the rules of each game.
HOUSE_CARDS_SHOWN = {
    "pai-gow": 0,
    "casino-stud": 1,
    "high-card-flush": 0,
    "blackjack": 1,
    "ultimate": 0,
}
TIGHT_CAPS = {
    "casino-stud": {"ante": 15_000, "play": 30_000, "bonus": 40_000, "round": 50_000},
    "pai-gow": {"round": 12_000},
}
# Dealt now and then, selected by the first bytes of the seed: hands that hit caps, claims and
# splits.
TOPS = {
    "pai-gow": ("As Ks Qs Js Ts 9s 8s", "2c 3d 5h 7s 9c Jd Kh Ad As Ah Ac Qd Qs Qh"),
    "casino-stud": ("As Ks Qs Js Ts 2c 3d 4h 5s 7c", "Kh Kd Kc 4s 4d Ac As 9h 8d 3c"),
    "high-card-flush": ("As Ks Qs Js Ts 9s 8s", "9h 8h 7h 6h 5h 4h 2c"),
    "blackjack": (
        "As Ks Qs Js Ts 9c",  # a royal flush: the whole pot
        "9s 8s 7s 6s 5s 9c",  # a straight flush: a tenth of it
        "Ac Kd 8h 8s Ad Tc",  # even money, insurance, a house blackjack
        "8c 8d 6h 5s Ad 5c",  # a split, a double, insurance lost
    ),
    "ultimate": ("As Ks 2c 7d Qs Js Ts 3d 4h", "2c 7d Ah Ad As Ac Kd Kh 3s"),
}


@cache
def sheet(game: str, delay_s: int, tight: bool) -> Sheet:
    """Return a game's sheet with a delay, and with low caps where it has any."""
    caps = TIGHT_CAPS.get(game, {}) if tight else {}
    changes = {f"caps_cents.{bet}": cents for bet, cents in caps.items()}
    return with_changes(load(game), {"void_after_s": delay_s, **changes})


def tonight(rng: Random) -> Callable[[str], Sheet]:
    delay_s, tight = rng.choice(DELAYS_S), rng.random() < 0.6
    return lambda game: sheet(game, delay_s, tight)


def is_stacked(seed: bytes) -> bool:
    """Tell whether a seed selects one of these decks."""
    return seed[0] % 4 == 0


def stacked(seed: bytes, deal: Deal, cards: Sequence[Card]) -> list[Card]:
    """Shuffle, or return one of the decks above: a function of the seed, like any shuffle."""
    shuffled = shuffle(seed, deal, cards)
    if not is_stacked(seed):
        return shuffled
    tops = TOPS[deal.game]
    top = parse_hand(tops[seed[1] % len(tops)])
    return [*top, *(card for card in shuffled if card not in top)]
