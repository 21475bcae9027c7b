"""The figures of Casino Stud, typed. Their values are in `sheet.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from msgspec import Struct

from tapisvert.cards import RANKS
from tapisvert.engine.sheet import (
    FlatBet,
    Pays,
    PayTable,
    Place,
    Rank,
    Sheet,
    TableBet,
    Times,
    wrong,
)
from tapisvert.ranking.standard import CATEGORIES, HIGH_CARD, pack

_BONUS_ROWS = CATEGORIES[CATEGORIES.index("three-of-a-kind") :]


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The house's qualifying hand."""

    qualifies_with: tuple[Rank, ...]


class PlayBet(Struct, frozen=True, forbid_unknown_fields=True):
    """The bet that keeps the player in the round."""

    times_ante: Times
    pays: Pays


class CasinoStud(Sheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sheet of one Casino Stud table."""

    game_id = "casino-stud"
    layout: ClassVar[Mapping[str, Place]] = {
        "ante": Place(main=True),
        "bonus": Place(requires=("ante",)),
    }
    cap_ids = ("ante", "play", "bonus", "round")
    published_ids = ("main", "bonus")

    house: HouseRules
    ante: FlatBet
    play: PlayBet
    bonus: TableBet

    def pay_tables(self) -> Mapping[str, PayTable]:
        """Return both pay tables: play pays on any hand, the bonus from three of a kind up."""
        play_max_cents = self.play.times_ante * self.spots["ante"].max_cents
        return {
            "play.pays": PayTable(self.play.pays, CATEGORIES, play_max_cents),
            "bonus.pays": PayTable(self.bonus.pays, _BONUS_ROWS, self.spots["bonus"].max_cents),
        }

    def prices(self) -> Mapping[str, Fraction]:
        """Return the price of the ante."""
        return {"ante.pays": self.ante.pays}

    @property
    def least_to_qualify(self) -> int:
        """Return the strength of the weakest qualifying hand of the house (stud.8)."""
        return pack(HIGH_CARD, [RANKS.index(rank) for rank in self.house.qualifies_with])

    def __post_init__(self) -> None:
        """Check the constraints specific to this game."""
        super().__post_init__()
        places = [RANKS.index(rank) for rank in self.house.qualifies_with]
        if not 1 <= len(places) <= 5 or sorted(set(places), reverse=True) != places:
            raise wrong("house.qualifies_with", "must be one to five ranks, highest first")
