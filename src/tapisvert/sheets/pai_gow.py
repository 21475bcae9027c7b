"""The figures of Fortune Pai Gow Poker, typed. Their values are in `pai-gow.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from msgspec import Struct

from tapisvert.cards import WITH_JOKER, Card
from tapisvert.ranking.fortune import ROWS
from tapisvert.sheets.sheet import FlatBet, PayTable, Place, Rank, Sheet, TableBet


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """When the house is not eligible."""

    not_eligible_with: Rank


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
    main: FlatBet
    fortune: TableBet

    def pay_tables(self) -> Mapping[str, PayTable]:
        """Return the pay table of the Fortune Bonus."""
        most = self.spots["fortune"].max_cents
        return {"fortune.pays": PayTable(self.fortune.pays, ROWS, most)}

    def prices(self) -> Mapping[str, Fraction]:
        """Return what the main bet pays."""
        return {"main.pays": self.main.pays}
