"""Rounds of Blackjack Royal Poker, grouped by the clauses of docs/rules/blackjack.md.

The cards are written as they are dealt: the hands | the house's up card and hole card | the cards
drawn, in the order they are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping

from golden.cases.case import DAY_MS, POT_CENTS, Case, Known

ONE = {"hand-1": 1000}
TWO = {"hand-1": 1000, "hand-2": 2000}
ROYAL = {**TWO, "royal": 100}


def jack(
    cards: str,
    *choices: str,
    stakes: Mapping[str, int] = ONE,
    changes: Mapping[str, object] = {},
    pot_cents: int = POT_CENTS,
) -> Case:
    """Return the round of these cards."""
    return Case(stakes, cards.replace("|", " "), choices, changes, pot_cents)


# Insurance is lost before the hand is played, and stays lost; then 19 beats 18.
KNOWN = Known("Th 9s Ad 7c", {"hand-1": 1000}, ("insure", "stand"), 500, DAY_MS)

CASES: dict[str, Case] = {
    # bj.9 and bj.14: one hand, played and compared.
    "stand-win": jack("Th 9s | 7d Tc", "stand"),
    "stand-lose": jack("Th 7s | 9d Tc", "stand"),
    "stand-tie": jack("Th 9s | 9d Tc", "stand"),
    "hit-and-stand": jack("4h 4s | 7d Tc | 4c 6h", "hit", "hit", "stand"),
    "bust": jack("Th 6s | 7d 5c | 9h", "hit"),
    "hard-21-stands-by-itself": jack("Th 6s | 7d Tc | 5h", "hit"),
    "soft-21-is-asked": jack("Ah 5s | 7d Tc | 5h", "hit", "stand"),
    "soft-21-hit-becomes-hard": jack("Ah 5s | 7d Tc | 5h 6c", "hit", "hit", "stand"),
    "two-aces-hit": jack("As Ah | 7d Tc | Ts 9h", "hit", "hit"),
    "soft-hand-busts": jack("Ah 5s | 7d 5c | Tc 9h", "hit", "hit"),
    "second-hand-alone": jack("Th 9s | 7d Tc", "stand", stakes={"hand-2": 500}),
    "two-hands": jack("Th 6s 5h 6c | 7d Tc | 3h 9h", "hit", "stand", "hit", "stand", stakes=TWO),
    # bj.13: the house draws to 17 and hits a soft 17, but not when no hand is left to beat.
    "house-draws-to-17": jack("Th 8s | 2d 3c | 4h 5c 3d", "stand"),
    "house-busts": jack("Th 2s | 6d Tc | 6c", "stand"),
    "house-hits-soft-17": jack("Th 9s | 6d Ac | 4h", "stand"),
    "house-hits-soft-17-to-hard": jack("Td 9s | 6d Ac | Th", "stand"),
    "house-stands-on-soft-17-by-the-sheet": jack(
        "Th 9s | 6d Ac | 4h", "stand", changes={"house.hits_soft_17": False}
    ),
    "house-stands-on-soft-18": jack("Th 9s | 7d Ac", "stand"),
    "every-hand-bust": jack("Th 6s Td 6c | 7d 5c | 9h Kh", "hit", "hit", stakes=TWO),
    "one-hand-bust": jack("Th 6s Td 8c | 7d 5c | 9h 6h", "hit", "stand", stakes=TWO),
    # bj.8: a blackjack is paid 3:2; the house draws only for another hand.
    "blackjack": jack("Ah Ks | 9d 5c"),
    "blackjack-house-shows-a-ten": jack("Ah Ks | Kd 5c"),
    "blackjack-and-a-hand": jack("Ah Ks Td 8c | 9d 5c | 6h", "stand", stakes=TWO),
    "blackjack-and-a-bust": jack("Td 6c Ah Ks | 9d 5c | Jh", "hit", stakes=TWO),
    # bj.7: the house's blackjack, with a ten-value up; no insurance is offered.
    "house-blackjack-ten-up": jack("Th 9s | Kd Ac"),
    "house-blackjack-both-hands": jack("Th 9s Ah Ks | Td Ac", stakes=TWO),
    # bj.6 and bj.7: insurance, hand by hand.
    "insurance-won": jack("Th 9s | Ad Kc", "insure"),
    "insurance-lost": jack("Th 9s | Ad 7c", "insure", "stand"),
    "insurance-declined-house-blackjack": jack("Th 9s | Ad Kc", "decline"),
    "insurance-declined": jack("Th 9s | Ad 7c", "decline", "stand"),
    "insurance-on-the-first-won": jack("Th 9s 8h 8c | Ad Kc", "insure", "decline", stakes=TWO),
    "insurance-on-the-second-won": jack("Th 9s 8h 8c | Ad Kc", "decline", "insure", stakes=TWO),
    "insurance-on-the-first-lost": jack(
        "Th 9s 9h 8c | Ad 7c", "insure", "decline", "stand", "stand", stakes=TWO
    ),
    # bj.6: even money instead, which ends a blackjack at once.
    "even-money": jack("Ah Ks | Ad 5c", "even-money"),
    "even-money-house-blackjack": jack("Ah Ks | Ad Tc", "even-money"),
    "even-money-declined": jack("Ah Ks | Ad 5c", "decline"),
    "even-money-declined-house-blackjack": jack("Ah Ks | Ad Tc", "decline"),
    "even-money-on-both": jack("Ah Ks Ac Kh | Ad 5c", "even-money", "even-money", stakes=TWO),
    "even-money-and-insurance-won": jack("Ah Ks Th 9s | Ad Tc", "even-money", "insure", stakes=TWO),
    "even-money-and-insurance-lost": jack(
        "Th 9s Ah Ks | Ad 7c", "insure", "even-money", "stand", stakes=TWO
    ),
    # bj.10: a double is one card.
    "double-win": jack("6h 5s | 7d Tc | Th", "double"),
    "double-lose": jack("6h 4s | 7d Tc | 2h", "double"),
    "double-tie": jack("6h 5s | 7d Tc | 6c", "double"),
    "no-double-on-three-cards": jack("2h 3s | 7d Tc | 6h 9c", "hit", "hit", "stand"),
    # bj.11: a split; aces get one card each, and 21 is no blackjack.
    "split": jack("8s 8h | 7d Tc | Ts 5h 4c", "split", "stand", "hit", "stand"),
    "split-both-halves-bust": jack("8s 8h | 7d 5c | 6s Ts 5h Kc", "split", "hit", "hit"),
    "split-of-a-ten-and-a-king": jack("Ts Kh | 7d 4c | As 9h Tc", "split", "stand", "stand"),
    "split-aces": jack("As Ah | 7d Tc | Ks 5h", "split"),
    "split-aces-house-21": jack("As Ah | 7d 4c | Ac Ks Tc", "split"),
    "split-a-pair-again-is-not-split": jack("9s 9h | 6d Tc | 9d 8h 7h", "split", "stand", "stand"),
    # bj.12: a double after a split, by the three values of the sheet.
    "split-and-double": jack("8s 8h | 7d Tc | 3s Ts 2h 5h", "split", "double", "double"),
    "split-and-no-double": jack(
        "8s 8h | 7d Tc | 3s Ts 5h 4d",
        "split",
        "hit",
        "hit",
        "stand",
        changes={"hand.double_after_split": "none"},
    ),
    "split-and-double-any": jack(
        "8s 8h | 7d Tc | 5s Ts 6h 5h",
        "split",
        "double",
        "double",
        changes={"hand.double_after_split": "any"},
    ),
    # Everything at once: both hands insured and split, all four halves doubled.
    "both-hands-insured-split-and-doubled": jack(
        "8s 8h 8d 8c | Ad 6h | 3s Ts 2h 5h 3d 6d 2c Tc Kd",
        *("insure", "insure"),
        *("split", "double", "double"),
        *("split", "double", "double"),
        stakes=ROYAL,
    ),
    "both-hands-split": jack(
        "7s 7h 9s 9h | 6d Tc | Ts 5h Kh 9d 2h Qh 7c",
        *("split", "stand", "hit"),
        *("split", "stand", "double"),
        stakes=TWO,
    ),
    # bj.5: every row of Royal Poker, on both hands and the up card.
    "royal-flush": jack("As Ks Qs Js | Ts 9c", "stand", stakes=ROYAL),
    "royal-straight-flush": jack(
        "9s 8s 7s 6s | 5s Tc | 4h", "stand", "stand", stakes=ROYAL, pot_cents=1_234_567
    ),
    "royal-four-of-a-kind": jack("Ts Th Td Tc | 7d Kc", "stand", "stand", stakes=ROYAL),
    "royal-full-house": jack("Ts Th Td 8c | 8d Kc", "stand", "stand", stakes=ROYAL),
    "royal-plain-flush": jack("Ts 9s 7s Ks | 8s Kc", "stand", "stand", stakes=ROYAL),
    "royal-straight": jack("Ts 9h 8s 6h | 7d Kc | 3d", "stand", "hit", "stand", stakes=ROYAL),
    "royal-three-of-a-kind": jack("Ts 9h Td 8h | Th 7c", "stand", "stand", stakes=ROYAL),
    "royal-lost-two-pair": jack("Ts 9h Td 9d | 7h Kc", "stand", "stand", stakes=ROYAL),
    "royal-lost-house-blackjack": jack("Ts 9h 8d 7c | Kh Ac", stakes=ROYAL),
    "royal-paid-and-even-money": jack("As Ks Qs Ad | Ah 5c", "even-money", "decline", stakes=ROYAL),
}
