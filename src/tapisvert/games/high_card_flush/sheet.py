"""The figures of High Card Flush, typed. Their values are in `sheet.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, ClassVar

from msgspec import Meta, Struct, field

from tapisvert.cards import RANKS
from tapisvert.engine.sheet import (
    FlatBet,
    PayTable,
    Place,
    Rank,
    Sheet,
    TableBet,
    exactly,
    wrong,
)
from tapisvert.ranking.flush import least

Raise = Annotated[int, Meta(ge=1, le=3)]  # words exist for `raise-1` to `raise-3`

_LENGTHS = tuple(f"flush-{cards}" for cards in range(2, 8))
_FLUSH_ROWS = tuple(f"flush-{cards}" for cards in range(4, 8))
_RUN_ROWS = tuple(f"straight-flush-{cards}" for cards in range(3, 8))


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The house's qualifying hand."""

    qualifies_length: Annotated[int, Meta(ge=2, le=7)]
    qualifies_with: tuple[Rank, ...]


class RaiseBet(Struct, frozen=True, forbid_unknown_fields=True):
    """The bet that keeps the player in the round."""

    pays: Fraction
    most_times: dict[str, Raise]


class HighCardFlush(Sheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sheet of one High Card Flush table."""

    game_id = "high-card-flush"
    layout: ClassVar[Mapping[str, Place]] = {
        "ante": Place(main=True),
        "flush": Place(requires=("ante",)),
        "straight-flush": Place(requires=("ante",)),
    }

    house: HouseRules
    ante: FlatBet
    raises: RaiseBet = field(name="raise")
    flush: TableBet
    straight_flush: TableBet = field(name="straight-flush")

    def pay_tables(self) -> Mapping[str, PayTable]:
        """Return the pay tables of the two side bets."""
        flush_max, run_max = (self.spots[bet].max_cents for bet in ("flush", "straight-flush"))
        return {
            "flush.pays": PayTable(self.flush.pays, _FLUSH_ROWS, flush_max),
            "straight-flush.pays": PayTable(self.straight_flush.pays, _RUN_ROWS, run_max),
        }

    def prices(self) -> Mapping[str, Fraction]:
        """Return the prices of ante and raise."""
        return {"ante.pays": self.ante.pays, "raise.pays": self.raises.pays}

    @property
    def least_to_qualify(self) -> int:
        """Return the strength of the weakest qualifying flush of the house (flush.8)."""
        return least(self.house.qualifies_length, self.house.qualifies_with)

    def __post_init__(self) -> None:
        """Check the constraints specific to this game."""
        super().__post_init__()
        exactly("raise.most_times", self.raises.most_times, _LENGTHS)
        places = [RANKS.index(rank) for rank in self.house.qualifies_with]
        fits = 1 <= len(places) <= self.house.qualifies_length
        if not fits or sorted(set(places), reverse=True) != places:
            raise wrong("house.qualifies_with", "must be ranks of that flush, highest first")
