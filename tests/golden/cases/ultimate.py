"""Rounds of Ultimate Texas Hold'em, grouped by the clauses of docs/rules/ultimate.md."""

from __future__ import annotations

from collections.abc import Mapping

from golden.cases.case import Case, Known

MAIN = {"ante": 1000, "blind": 1000}
TRIPS = {**MAIN, "trips": 500}
LATE = ("check", "check", "raise-1")
FOLD = ("check", "check", "fold")


def holdem(
    player: str,
    house: str,
    board: str,
    *choices: str,
    stakes: Mapping[str, int] = MAIN,
    changes: Mapping[str, object] = {},
) -> Case:
    """Return the round of two hands and a board."""
    return Case(stakes, f"{player} {house} {board}", choices, changes)


KNOWN = Known("Qs Qd Kc Kd 9h 7s 5d 3c 2h", MAIN, ("raise-4",), -6000)

CASES: dict[str, Case] = {
    # uth.4 to uth.6: each raise at each step, and the fold.
    "raise-4": holdem("As Ad", "Kc Kd", "9h 7s 5d 3c 2h", "raise-4"),
    "raise-3": holdem("As Ad", "Kc Kd", "9h 7s 5d 3c 2h", "raise-3"),
    "raise-2": holdem("As Ad", "Kc Kd", "9h 7s 5d 3c 2h", "check", "raise-2"),
    "raise-1": holdem("As Ad", "Kc Kd", "9h 7s 5d 3c 2h", *LATE),
    "fold": holdem("4s 2d", "Kc Kd", "9h 7s 5d Jc Th", *FOLD),
    # The raises are the sheet's, at each step.
    "changed-before-the-flop": holdem(
        "As Ad", "Kc Kd", "9h 7s 5d 3c 2h", "raise-2", changes={"play.before_flop": [2]}
    ),
    "changed-after-the-flop": holdem(
        "As Ad", "Kc Kd", "9h 7s 5d 3c 2h", "check", "raise-3", changes={"play.after_flop": [1, 3]}
    ),
    "changed-after-the-river": holdem(
        "As Ad",
        "Kc Kd",
        "9h 7s 5d 3c 2h",
        "check",
        "check",
        "raise-2",
        changes={"play.after_river": [1, 2]},
    ),
    # uth.9 with uth.10 to uth.12: the house does not open, and the player wins, ties or loses.
    "not-opened-win": holdem("As Qd", "Kc Jd", "9h 7s 5d 3c 2h", "raise-4"),
    "not-opened-win-blind-paid": holdem("9s 8d", "Ac Qd", "7c 6h 5s Kd 2c", "check", "raise-2"),
    "not-opened-tie": holdem("3d 2h", "5d 4h", "Ac Kd Qh 9s 8c", *LATE),
    "not-opened-lose": holdem("Kc Jd", "As Qd", "9h 7s 5d 3c 2h", "raise-3"),
    "opens-with-less-by-the-sheet": holdem(
        "As Qd", "Kc Jd", "9h 7s 5d 3c 2h", "raise-4", changes={"house.opens_with": "high-card"}
    ),
    "opens-with-more-by-the-sheet": holdem(
        "As Ad", "Kc Kd", "9h 7s 5d 3c 2h", "raise-4", changes={"house.opens_with": "two-pair"}
    ),
    # The house opens, and the player ties or loses; a tie gives the blind back on any hand.
    "opened-tie": holdem("As 3d", "Ac 4d", "Kh Kd Qs Jc 9h", *LATE, stakes=TRIPS),
    "opened-tie-royal-board": holdem("2s 2d", "3c 3d", "As Ks Qs Js Ts", *LATE, stakes=TRIPS),
    "opened-lose": holdem("Qs Qd", "Kc Kd", "9h 7s 5d 3c 2h", "raise-4"),
    "opened-lose-trips-paid": holdem(
        "9s 8d", "As 2s", "7s 6s 5s Kd 2c", "check", "raise-2", stakes=TRIPS
    ),
    # uth.10 and uth.13, every row of blind and trips; with less than a straight the blind is back.
    "royal-flush": holdem("As Ks", "9c 9d", "Qs Js Ts 2h 3d", "raise-4", stakes=TRIPS),
    "straight-flush": holdem("9s 8s", "Ac 2d", "7s 6s 5s Ah Kd", "raise-3", stakes=TRIPS),
    "four-of-a-kind": holdem("7c 7d", "Kh Qs", "7h 7s Kd 2c 3d", "check", "raise-2", stakes=TRIPS),
    "full-house": holdem("7c 7d", "Kh Qs", "7h Ks 2d 2c 3d", *LATE, stakes=TRIPS),
    "flush": holdem("Qs 8s", "Kh 4d", "Ks 5s 2s 9d 3c", "check", "raise-2", stakes=TRIPS),
    "straight": holdem("9s 8d", "Kh 4d", "Ks 7c 6s 5d 2c", *LATE, stakes=TRIPS),
    "straight-five-high": holdem("As 2d", "Kh 9d", "Ks 5c 4s 3d Jc", *LATE, stakes=TRIPS),
    "three-of-a-kind": holdem("7c 7d", "Kh Qs", "7h Ks 2d 9c 3d", "raise-4", stakes=TRIPS),
    "two-pair": holdem("7c 8d", "Kh Qs", "7h Ks 8s 9c 3d", "check", "raise-2", stakes=TRIPS),
    # uth.6 and uth.13: a fold costs ante and blind, not trips.
    "fold-trips-paid": holdem("4s 2d", "Kc Kd", "9h 9s 9d Jc Th", *FOLD, stakes=TRIPS),
    "fold-trips-lost": holdem("4s 2d", "Kc Kd", "9h 7s 5d Jc Th", *FOLD, stakes=TRIPS),
}
