"""Rounds of Fortune Pai Gow Poker, grouped by the clauses of docs/rules/pai-gow.md.

Each round also shows the house way twice, on the player's cards (the suggestion) and on the
house's. Together they show its rules 1 to 12, mostly where a rule just holds or just does not.
"""

from __future__ import annotations

from collections.abc import Mapping

from golden.cases.case import Case, Known

MAIN = {"main": 1000}
FORTUNE = {"main": 1000, "fortune": 500}


def pai_gow(
    player: str,
    house: str,
    low: str,
    stakes: Mapping[str, int] = FORTUNE,
    changes: Mapping[str, object] = {},
) -> Case:
    """Return the round of two hands of seven cards; `low` is the player's low hand."""
    return Case(stakes, f"{player} {house}", [low], changes)


KNOWN = Known("9s 8s 7s 6s 5s Ah Kd 9h 9d 9c 4c 2s Kh Qd", MAIN, ("Ah Kd",), 1000)

CASES: dict[str, Case] = {
    # pai.8: both hands win, lose, or one each; a copy goes to the house.
    "both-win": pai_gow("9s 8s 7s 6s 5s Ah Kd", "9h 9d 9c 4c 2s Kh Qd", "Ah Kd"),
    "both-lose": pai_gow("9s 8s 7s 6s 5s 4s 3s", "As Ah Ad Ac Jk Kc Kd", "9s 8s"),
    "only-the-low-hand-wins": pai_gow("9s 9h 9d 3c 3s Ah Kd", "6s 6h 6d 6c Kc Qh 2d", "3c 3s"),
    "only-the-high-hand-wins": pai_gow("As Ks Qs Js Ts Kh Qh", "9d 9h 9c 4s 4h 4d 2c", "Kh Qh"),
    "low-copy-and-high-win": pai_gow("As Js 9s 7s 4s Kh Qh", "8h 8d 8c 4c 2s Kd Qd", "Kh Qh"),
    "low-copy-and-high-loss": pai_gow("5s 5h Kh Qh 9d 7c 2c", "8h 8d 8c 4c 2s Kd Qd", "Kh Qh"),
    "high-copy-and-low-win": pai_gow("As Kh Qd 9c 7s 4h 2d", "Ah Kd Jc 9d 7h 4c 2s", "Kh Qd"),
    "two-copies": pai_gow("As Kh Jd 9c 7s 4h 2d", "Ah Kd Jc 9d 7h 4c 2s", "Kh Jd", MAIN),
    # pai.9: not eligible with exactly a nine and no pair low, whatever the hands.
    "not-eligible": pai_gow("As Ah Ad Ac Jk 9c 4d", "Tc 9d 7d 5h 4s 3s 2c", "9c 4d"),
    "not-eligible-and-better": pai_gow("Qs Qh 8h 6c 4d 3s 2d", "Ac Ad 9h 7d 5s 3c 2c", "8h 6c"),
    "eligible-with-an-eight": pai_gow("9s 9h As Ks 7s 4s 2c", "9d 8h 7h 5c 4d 3s 2d", "9h 2c"),
    "eligible-with-a-pair-of-nines": pai_gow(
        "Ts Th Ad 9s 8s 7d 6h", "Kc Ks 9c 9d 8h 4h 2s", "Ts Ad"
    ),
    "not-eligible-with-an-eight-by-the-sheet": pai_gow(
        "Js Jh 6d 6c As 9h Tc",
        "9d 8h 7h 5c 4d 3s 2d",
        "6d 6c",
        MAIN,
        {"house.not_eligible_with": "8"},
    ),
    # pai.4: the two cards may be said in either order; a high hand may equal the low one.
    "set-in-the-other-order": pai_gow(
        "Ts Th Ad Kc Qs Jd 2h", "9s 9h 9d 9c 4s 4h 4d", "Kc Ad", MAIN
    ),
    "equal-pairs-may-stand": pai_gow("Js Jh Jd Jc Ac Qh 3d", "9s 9h 9d 2c 2s Ah Kd", "Js Jh"),
    "equal-high-cards-may-stand": pai_gow(
        "As Ad Ks Kd 9h 7c 4s", "Kc Kh Ac Qc Js Td 2h", "As Ks", MAIN
    ),
    # pai.6: what the joker is, in the high hand and in the low one.
    "joker-an-ace": pai_gow("Jk Kh Jd 9c 7s 4h 2d", "9s 9h 9d Kc Ks 4c 4d", "Kh Jd"),
    "joker-in-a-pair-of-aces": pai_gow("As Ah Jk 4c 2s Kh 9d", "9s 9h 9c Ks 7s 4s 3s", "As Kh"),
    "joker-in-a-straight": pai_gow("Jk 9h 8d 7c 6s Kc 2h", "6d 6h 2c 2s Kd 9c 7d", "Kc 2h"),
    "joker-in-ace-to-five": pai_gow("Jk 2h 3d 4c 5s Kc Th", "Ks Qd Jh Tc 9s 3c 2c", "Kc Th"),
    "joker-in-a-flush": pai_gow("As Js 9s 4s Jk Qh 2d", "7d 7h 2c 2s Kd 9h 4c", "Qh 2d"),
    "joker-in-a-straight-flush": pai_gow("9s 8s Jk 6s 5s 4s 3s", "Kd Kh Kc 2d 2h Ad Qc", "9s 8s"),
    "joker-in-a-royal-flush": pai_gow("As Ks Qs Jk Ts 4h 2d", "Th Td 9d 9c Ah Kh 5c", "4h 2d"),
    "joker-low": pai_gow("Ts Th Td Tc Jk Qh 2d", "Js Jh 5d 5c As 9h 7d", "Jk Qh"),
    "joker-in-a-low-pair": pai_gow("As Jk 4d 4c Ks Kh 2d", "Qs Qh Ad Kc Jc Td 2h", "As Jk"),
    # pai.10: the rows are shown above, but for this one without the joker.
    "four-of-a-kind": pai_gow("7s 7h 7d 7c 4s 4h Kd", "8s 8h 8d 8c Kc Qh 2d", "4s 4h"),
    # pai.11, with a lower ceiling.
    "capped": pai_gow(
        "9s 8s 7s 6s 5s 4s 3s",
        "Th Tc Kh Qh 7h 4h 2d",
        "9s 8s",
        changes={"caps_cents.round": 1_000_000},
    ),
    # Two rows of one price: the first of the table is paid, whatever the process (pai.10).
    "two-rows-of-one-price-by-the-sheet": pai_gow(
        "9s 9h 9d 8c 7s 6h 5d",
        "Kc Ks 4c 4d 3h 2h 2s",
        "9s 9h",
        changes={"fortune.pays.straight": "3:1"},
    ),
}
