"""The figures of Fortune Pai Gow Poker, typed. Their values are in `pai-gow.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from msgspec import Struct

from tapisvert.cards import WITH_JOKER, Card
from tapisvert.ranking.fortune import ROWS
from tapisvert.sheets.sheet import Pays, PayTable, Place, Rank, Sheet, wrong


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """When the house is not eligible."""

    not_eligible_with: Rank


class MainBet(Struct, frozen=True, forbid_unknown_fields=True):
    """The bet on the two hands."""

    pays: Fraction


class FortuneBet(Struct, frozen=True, forbid_unknown_fields=True):
    """The side bet on the player's seven cards."""

    pays: Pays


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
    main: MainBet
    fortune: FortuneBet

    def pay_tables(self) -> Mapping[str, PayTable]:
        """Return the pay table of the Fortune Bonus."""
        most = self.spots["fortune"].max_cents
        return {"fortune.pays": PayTable(self.fortune.pays, ROWS, most)}

    def __post_init__(self) -> None:
        """Check what the common checks cannot know."""
        super().__post_init__()
        if self.step_cents * self.main.pays % 1:
            raise wrong("main.pays", f"does not pay whole cents on {self.step_cents}")
