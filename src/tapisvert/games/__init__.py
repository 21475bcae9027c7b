"""The games: each a script that reads like its rule sheet, and which edition of it is played.

An edition is a number. A change to a script that alters any golden transcript takes a new number
and leaves the old script here while stored rounds refer to it (docs/design.md, tests/golden).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tapisvert.games import blackjack, blackjack_1, casino_stud, high_card_flush, pai_gow, ultimate
from tapisvert.refusal import Refused
from tapisvert.sheets import Blackjack, CasinoStud, HighCardFlush, PaiGow, Sheet, Ultimate
from tapisvert.table import Game


@dataclass(frozen=True, slots=True)
class Edition:
    """One version of a game: its script and the shape of the sheets it plays by."""

    number: int
    script: Game[Any]
    sheet_type: type[Sheet]


EDITIONS: dict[str, tuple[Edition, ...]] = {
    "pai-gow": (Edition(1, pai_gow.pai_gow, PaiGow),),
    "casino-stud": (Edition(1, casino_stud.casino_stud, CasinoStud),),
    "high-card-flush": (Edition(1, high_card_flush.high_card_flush, HighCardFlush),),
    "blackjack": (
        Edition(1, blackjack_1.blackjack_1, Blackjack),
        Edition(2, blackjack.blackjack, Blackjack),
    ),
    "ultimate": (Edition(1, ultimate.ultimate, Ultimate),),
}


def known(game: object) -> str:
    """Return the id of a game we have, or refuse."""
    if not isinstance(game, str) or game not in EDITIONS:
        raise Refused("request/unknown_game", game=str(game)[:64])
    return game


def current(game: str) -> Edition:
    """Return the edition new rounds are played by."""
    return EDITIONS[known(game)][-1]


def edition(game: str, number: int) -> Edition:
    """Return the edition a stored round was played by."""
    for each in EDITIONS[known(game)]:
        if each.number == number:
            return each
    raise Refused("round/unknown_edition", game=game, edition=number)
