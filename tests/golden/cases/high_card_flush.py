"""Rounds of High Card Flush, grouped by the clauses of docs/rules/high-card-flush.md."""

from __future__ import annotations

from collections.abc import Mapping

from golden.cases.case import Case, Known

# Hands of the house for rounds in which its cards do not matter otherwise.
QUALIFIED = "9c 7c 4c 8d 6d 5h 3h"  # a flush of three, nine high
TOO_LOW = "8c 7c 6c 5d 4d 3h 2h"  # a flush of three, eight high
TOO_SHORT = "Ac Kc Ah Kh Ad Kd Qs"  # no flush of three
FOUR = "5c 4c 3c 2c 7d 6h 8h"  # five high, but of four cards

ANTE = {"ante": 1000}
BOTH = {"ante": 1000, "flush": 500, "straight-flush": 100}
THREE_TIMES = {"raise.most_times.flush-6": 3, "raise.most_times.flush-7": 3}


def flush(
    player: str,
    house: str,
    choice: str,
    stakes: Mapping[str, int] = ANTE,
    changes: Mapping[str, object] = {},
) -> Case:
    """Return the round of two hands."""
    return Case(stakes, f"{player} {house}", [choice], changes)


KNOWN = Known("Ts 3s 2s Kh Qh Jd 8d 9c 3c 2c 8h 7h 6d 5d", {"ante": 1000}, ("raise-1",), 2000)

CASES: dict[str, Case] = {
    # flush.8 and flush.9: whether the house qualifies, by the length of its flush or by its rank.
    "qualified-just": flush("Ts 3s 2s Kh Qh Jd 8d", "9c 3c 2c 8h 7h 6d 5d", "raise-1"),
    "qualified-by-length": flush("Ks Js 9s 7s 5s Ah 2d", FOUR, "raise-1"),
    "not-qualified-by-rank": flush("Js 9s 5s 3s Ah Kd Qd", TOO_LOW, "raise-1"),
    "not-qualified-by-length": flush("5s 4s 2s 8h 7h 6d 3d", TOO_SHORT, "raise-1"),
    "not-qualified-and-better": flush("As Ks Ah Kh Ad Kd Qc", TOO_LOW, "raise-1"),
    "not-qualified-by-the-sheet": flush(
        "Js 9s 5s 2s Ah Kd Qd", QUALIFIED, "raise-1", changes={"house.qualifies_with": ["9", "8"]}
    ),
    # flush.10 and flush.11: the comparison.
    "beaten-at-the-last-card": flush("9s 7s 5s Kh Qh Jd 2d", QUALIFIED, "raise-1"),
    "beaten-by-the-better-of-two-suits": flush("9s 4s 2s Qh Jh Th 2d", QUALIFIED, "raise-1"),
    "tie": flush("Ks 9s 4s 3h 2h 6d 5d", "Kc 9c 4c 8h 7h 3d 2d", "raise-1"),
    "house-wins-by-rank": flush("9s 7s 3s Kh Qh Jd Td", QUALIFIED, "raise-1"),
    "house-wins-by-length": flush("As Ks Qs Jh Th 9d 8d", FOUR, "raise-1"),
    # flush.5: the raise a flush allows; by the sheet three times with six or seven cards.
    "raise-2-with-five": flush("Ks Js 9s 7s 5s Ah 2d", QUALIFIED, "raise-2"),
    "raise-2-not-qualified": flush("Ks Js 9s 7s 5s Ah 2d", TOO_LOW, "raise-2"),
    "raise-2-house-wins": flush("7s 6s 4s 3s 2s Kd Jh", "8c 6c 4c 3c 2c Ad Kh", "raise-2"),
    "raise-3-with-six": flush("Ks Js 9s 7s 5s 3s Ah", QUALIFIED, "raise-3", changes=THREE_TIMES),
    "raise-3-not-with-five": flush(
        "Ks Js 9s 7s 5s Ah 2d", QUALIFIED, "raise-2", changes=THREE_TIMES
    ),
    # flush.6 and flush.14: a fold costs the ante, not the side bets.
    "fold": flush("Js 9s 4h 2h Ad Kd Qc", QUALIFIED, "fold"),
    "fold-side-bets-lost": flush("Js 9s 7h 2h Ad Qd 5c", QUALIFIED, "fold", BOTH),
    "fold-side-bets-paid": flush("5s 4s 3s 2s Ah Kd Jd", QUALIFIED, "fold", BOTH),
    # flush.7: the suited A-K-Q-J-10-9-8 may not be folded; seven other cards of a suit may.
    "unbeatable": flush("As Ks Qs Js Ts 9s 8s", QUALIFIED, "raise-2", BOTH),
    "seven-cards-folded": flush("As 7s 6s 5s 4s 3s 2s", QUALIFIED, "fold", BOTH),
    # flush.12 and flush.13: every row of the side bets, whatever becomes of ante and raise.
    "flush-7": flush("Ks Qs Ts 9s 7s 6s 4s", QUALIFIED, "raise-2", BOTH),
    "flush-6": flush("Ks Js Ts 8s 7s 4s Qh", TOO_SHORT, "raise-2", BOTH),
    "flush-5": flush("Ks Qs Ts 9s 7s Ah 2d", QUALIFIED, "raise-1", BOTH),
    "flush-4-house-wins": flush("Js Ts 7s 6s Ah 2d 3h", "Qc Tc 7c 6c Ad Kd 2h", "raise-1", BOTH),
    "straight-flush-6": flush("9s 8s 7s 6s 5s 4s Ah", TOO_LOW, "raise-2", BOTH),
    "straight-flush-5": flush("9s 8s 7s 6s 5s Ah 2d", QUALIFIED, "raise-2", BOTH),
    "straight-flush-4": flush("9s 8s 7s 6s Ah 2d 3d", QUALIFIED, "raise-1", BOTH),
    "straight-flush-3": flush("9s 8s 7s Ah 2d 3d Kh", QUALIFIED, "raise-1", BOTH),
    "straight-flush-3-ace-high": flush("As Ks Qs 9s 2d 3d 7h", QUALIFIED, "raise-1", BOTH),
    "straight-flush-3-ace-low": flush("As 3s 2s Kh Qd 9d 7h", QUALIFIED, "raise-1", BOTH),
}
