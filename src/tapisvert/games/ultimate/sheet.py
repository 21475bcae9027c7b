"""The figures of Ultimate Texas Hold'em, typed. Their values are in `sheet.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from tapisvert.engine.sheet import (
    FlatBet,
    PayTable,
    Place,
    Sheet,
    TableBet,
    wrong,
)
from tapisvert.ranking.standard import CATEGORIES

Raise = Annotated[int, Meta(ge=1, le=4)]  # words exist for `raise-1` to `raise-4`

_BLIND_ROWS = CATEGORIES[CATEGORIES.index("straight") :]
_TRIPS_ROWS = CATEGORIES[CATEGORIES.index("three-of-a-kind") :]


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The house's opening hand."""

    opens_with: str


class PlayBet(Struct, frozen=True, forbid_unknown_fields=True):
    """The raise: its price, and the allowed multiples of the ante at each step."""

    pays: Fraction
    before_flop: tuple[Raise, ...]
    after_flop: tuple[Raise, ...]
    after_river: tuple[Raise, ...]


class Ultimate(Sheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sheet of one Ultimate Texas Hold'em table."""

    game_id = "ultimate"
    layout: ClassVar[Mapping[str, Place]] = {
        "ante": Place(main=True),
        "blind": Place(requires=("ante",), equals="ante"),
        "trips": Place(requires=("ante",)),
    }
    published_ids = ("main", "trips")

    house: HouseRules
    ante: FlatBet
    play: PlayBet
    blind: TableBet
    trips: TableBet

    def pay_tables(self) -> Mapping[str, PayTable]:
        """Return the pay tables of blind and trips."""
        blind_max, trips_max = (self.spots[bet].max_cents for bet in ("blind", "trips"))
        return {
            "blind.pays": PayTable(self.blind.pays, _BLIND_ROWS, blind_max),
            "trips.pays": PayTable(self.trips.pays, _TRIPS_ROWS, trips_max),
        }

    def prices(self) -> Mapping[str, Fraction]:
        """Return the prices of ante and play."""
        return {"ante.pays": self.ante.pays, "play.pays": self.play.pays}

    def __post_init__(self) -> None:
        """Check the constraints specific to this game."""
        super().__post_init__()
        if self.house.opens_with not in CATEGORIES:
            raise wrong("house.opens_with", "is not a hand")
        for step in ("before_flop", "after_flop", "after_river"):
            raises = getattr(self.play, step)
            if not raises or list(raises) != sorted(set(raises)):
                raise wrong(f"play.{step}", "must be raises, smallest first")
