"""The figures of Fortune Pai Gow Poker, typed. Their values are in `sheet.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from msgspec import Struct

from tapisvert.cards import WITH_JOKER, Card
from tapisvert.engine.sheet import (
    FlatBet,
    PayTable,
    Place,
    Rank,
    Sheet,
    TableBet,
)
from tapisvert.ranking.fortune import ROWS


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The house's ineligible hands."""

    not_eligible_with: Rank


class HouseWay(Struct, frozen=True, forbid_unknown_fields=True):
    """The ranks in the rules of the house way (docs/rules/pai-gow.md numbers the rules)."""

    # The defaults apply to sheets stored before these figures existed.
    fours_stay_to: Rank = "6"  # 3
    fours_stay_with_ace_to: Rank = "T"  # 3
    two_pairs_stay_to: Rank = "6"  # 8, the higher pair
    two_pairs_split_from: Rank = "J"  # 8, the higher pair
    two_pairs_split_with: Rank = "6"  # 8, the lower pair
    pair_stays_from: Rank = "T"  # 9, the exception


class PaiGow(Sheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sheet of one Pai Gow table."""

    game_id = "pai-gow"
    deck: ClassVar[tuple[Card, ...]] = WITH_JOKER
    layout: ClassVar[Mapping[str, Place]] = {
        "main": Place(main=True),
        "fortune": Place(requires=("main",)),
    }
    cap_ids = ("round",)
    published_ids = ("main", "fortune")

    house: HouseRules
    house_way: HouseWay = HouseWay()
    main: FlatBet
    fortune: TableBet

    def pay_tables(self) -> Mapping[str, PayTable]:
        """Return the pay table of the Fortune Bonus."""
        most = self.spots["fortune"].max_cents
        return {"fortune.pays": PayTable(self.fortune.pays, ROWS, most)}

    def prices(self) -> Mapping[str, Fraction]:
        """Return the price of the main bet."""
        return {"main.pays": self.main.pays}
