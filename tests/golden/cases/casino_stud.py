"""Rounds of Casino Stud, grouped by the clauses of docs/rules/casino-stud.md."""

from __future__ import annotations

from collections.abc import Mapping

from golden.cases.case import Case, Known

# Hands of the house for rounds in which its cards do not matter otherwise.
QUALIFIED = "9c Ad Kh 4s 2d"  # ace-king high, a nine face up
NOT_QUALIFIED = "9c Qd Jh 4s 2d"


def stud(
    player: str,
    house: str,
    choice: str,
    bonus: int | None = None,
    changes: Mapping[str, object] = {},
) -> Case:
    """Return the round of two hands; the house's first card is its face-up card."""
    stakes = {"ante": 1000} if bonus is None else {"ante": 1000, "bonus": bonus}
    return Case(stakes, f"{player} {house}", [choice], changes)


# A pair of kings against ace-king: a round that goes on to a settlement.
KNOWN = Known("Kh Kd 7c 4s 2d Ac Ks 9h 8d 3c", {"ante": 1000, "bonus": 500}, ("play",), 2500)

CASES: dict[str, Case] = {
    # stud.10, every row of play: the house qualifies and is beaten.
    "play-royal-flush": stud("As Ks Qs Js Ts", QUALIFIED, "play"),
    "play-straight-flush": stud("9s 8s 7s 6s 5s", QUALIFIED, "play"),
    "play-four-of-a-kind": stud("7c 7d 7h 7s 2s", QUALIFIED, "play"),
    "play-full-house": stud("7c 7d 7h 8s 8d", QUALIFIED, "play"),
    "play-flush": stud("Qs Js 8s 5s 3s", QUALIFIED, "play"),
    "play-straight": stud("8s 7d 6c 5h 4c", QUALIFIED, "play"),
    "play-straight-five-high": stud("As 2s 3s 4c 5c", QUALIFIED, "play"),
    "play-three-of-a-kind": stud("7c 7d 7h 8s 3d", QUALIFIED, "play"),
    "play-two-pair": stud("7c 7d 8h 8s 3d", QUALIFIED, "play"),
    "play-pair": stud("7c 7d 8h 6s 3d", QUALIFIED, "play"),
    "play-high-card": stud("As Kd 9h 5s 3c", QUALIFIED, "play"),
    # stud.13, every row of the bonus, some with the house's up card, and what is below the table.
    "bonus-royal-flush": stud("As Ks Qs Js Ts", QUALIFIED, "play", 500),
    "bonus-royal-flush-with-up-card": stud("Ks Qs 2d Js Ts", "As 9c 4h 3s 2c", "fold", 500),
    "bonus-straight-flush": stud("9s 8s 2d 6s 5s", "7s Ad Kh 4s 2c", "play", 500),
    "bonus-four-of-a-kind": stud("7c 7d 7h 2h 2s", "7s Ad Kh 4s 2d", "play", 500),
    "bonus-full-house": stud("7c 7d 8h 8s 2s", "7h Ad Kh 4s 2d", "play", 500),
    "bonus-flush": stud("Qs Js 8s 5s 3d", "2s Ad Kh 4s 3c", "play", 500),
    "bonus-straight": stud("8s 7d 2c 5h 4c", "6c Ad Kh 4s 2d", "play", 500),
    "bonus-three-of-a-kind": stud("7c 7d Jh 9s 3d", "7h Ad Kh 4s 2d", "play", 500),
    "bonus-lost-two-pair": stud("7c 7d 8h 8s 3d", QUALIFIED, "play", 500),
    "bonus-lost-pair": stud("7c 7d 8h 6s 3d", QUALIFIED, "play", 500),
    "bonus-lost-high-card": stud("As Kd 8h 5s 3c", QUALIFIED, "play", 500),
    # Every other way a round can end: stud.6, stud.9, stud.11, stud.12, stud.14, stud.15.
    "not-qualified": stud("6s 6c 8h 7s 3c", NOT_QUALIFIED, "play"),
    "not-qualified-and-better": stud("7s 5c 4h 3s 2c", "Ac Qd Jh 9s 8d", "play"),
    "not-qualified-bonus-paid": stud("7c 7d 7h 5s 3c", NOT_QUALIFIED, "play", 500),
    "tie": stud("As Kc 9h 5s 3c", "Ad Kh 9c 5d 3h", "play"),
    "house-wins": stud("Qs Qc 8h 7s 6d", "Kc Kd 8c 7d 6h", "play"),
    "house-wins-bonus-paid": stud("7c 7d 7h 9s 3d", "Kc Ks Kd 8h 2d", "play", 500),
    "fold": stud("9s 7c 4h 3s 2c", "Ac Qd Jh 9d 8d", "fold"),
    "fold-bonus-lost": stud("9s 7c 4h 3s 2c", "Ac Qd Jh 9d 8d", "fold", 500),
    "fold-bonus-paid": stud("7c 7d 7h 9s 3d", "Kc Ks Kd 8h 2d", "fold", 500),
    "capped": stud(
        "As Ks Qs Js Ts",
        QUALIFIED,
        "play",
        500,
        {"caps_cents.bonus": 250_000, "caps_cents.round": 400_000},
    ),
}
