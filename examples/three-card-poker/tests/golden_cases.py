"""Rounds of Three Card Poker worth recording, grouped by the clauses of docs/rules.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

QUALIFIED = "Qc 8d 3h"  # queen high
NOT_QUALIFIED = "Jc 8d 3h"


class Case(NamedTuple):
    """A round: two hands, what is answered, and what is staked on Pair Plus."""

    player: str
    house: str
    choice: str = "play"
    pair_plus: int | None = None
    changes: Mapping[str, object] = {}  # to the sheet


CASES: dict[str, Case] = {
    # three.9: the house qualifies and is beaten, by each kind of hand that earns no bonus.
    "beaten-by-high-card": Case("Ks 7d 4c", QUALIFIED),
    "beaten-by-pair": Case("7s 7d 4c", QUALIFIED),
    "beaten-by-flush": Case("Js 7s 4s", QUALIFIED),
    # three.12: each row of the bonus, whatever becomes of the ante.
    "bonus-straight": Case("9s 8c 7d", QUALIFIED),
    "bonus-lowest-straight": Case("3s 2c Ad", QUALIFIED),
    "bonus-three-of-a-kind": Case("7s 7d 7c", QUALIFIED),
    "bonus-straight-flush": Case("Js Ts 9s", QUALIFIED),
    "bonus-not-qualified": Case("9s 8c 7d", NOT_QUALIFIED),
    "bonus-tie": Case("9s 8c 7d", "9h 8h 7c"),
    "bonus-lost-ante-straight": Case("9s 8c 7d", "Ts 9h 8h"),
    "bonus-lost-ante-three-of-a-kind": Case("7s 7d 7c", "8s 8d 8c"),
    "bonus-lost-ante-straight-flush": Case("Js Ts 9s", "Qh Jh Th"),
    # three.13: each row of Pair Plus, and what is below it; three.14: the house does not matter.
    "pair-plus-pair": Case("7s 7d 4c", QUALIFIED, pair_plus=500),
    "pair-plus-flush": Case("Js 7s 4s", QUALIFIED, pair_plus=500),
    "pair-plus-straight": Case("9s 8c 7d", QUALIFIED, pair_plus=500),
    "pair-plus-three-of-a-kind": Case("7s 7d 7c", QUALIFIED, pair_plus=500),
    "pair-plus-straight-flush": Case("3s 2s As", QUALIFIED, pair_plus=500),
    "pair-plus-lost": Case("As 7d 4c", QUALIFIED, pair_plus=500),
    "pair-plus-not-qualified": Case("7s 7d 4c", NOT_QUALIFIED, pair_plus=500),
    "pair-plus-house-wins": Case("7s 7d 4c", "8s 8d 4h", pair_plus=500),
    # Every other way a round can end: three.6, three.8, three.10, three.11, three.14, three.15.
    "not-qualified": Case("Ks 7d 4c", NOT_QUALIFIED),
    "not-qualified-and-better": Case("9s 7d 4c", NOT_QUALIFIED),
    "tie": Case("Ks 7d 4c", "Kd 7h 4s"),
    "house-wins": Case("Qs 7d 4c", QUALIFIED),
    "fold": Case("Qs 6d 3c", QUALIFIED, "fold"),
    "fold-pair-plus-lost": Case("Qs 6d 3c", QUALIFIED, "fold", 500),
    "fold-a-pair-pair-plus-lost": Case("7s 7d 4c", QUALIFIED, "fold", 500),
    "capped": Case(
        "Js Ts 9s",
        QUALIFIED,
        "play",
        500,
        {"caps_cents.pair-plus": 15_000, "caps_cents.round": 20_000},
    ),
}
