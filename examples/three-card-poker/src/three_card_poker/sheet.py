"""The figures of Three Card Poker, typed. Their values are in `sheet.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from msgspec import Struct, field
from tapisvert.cards import RANKS
from tapisvert.engine.sheet import (
    FlatBet,
    PayTable,
    Place,
    Rank,
    Sheet,
    TableBet,
    Times,
    wrong,
)

from three_card_poker.ranking import CATEGORIES, HIGH_CARD, PAIR, STRAIGHT, pack

_BONUS_ROWS = CATEGORIES[STRAIGHT:]
_PAIR_PLUS_ROWS = CATEGORIES[PAIR:]


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """What the house needs to qualify."""

    qualifies_with: tuple[Rank, ...]


class PlayBet(Struct, frozen=True, forbid_unknown_fields=True):
    """The bet that keeps the player in the round."""

    times_ante: Times
    pays: Fraction


class ThreeCardPoker(Sheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sheet of one Three Card Poker table."""

    game_id = "three-card"
    layout: ClassVar[Mapping[str, Place]] = {
        "ante": Place(main=True),
        "pair-plus": Place(requires=("ante",)),
    }
    cap_ids = ("ante", "play", "pair-plus", "round")

    house: HouseRules
    ante: FlatBet
    play: PlayBet
    ante_bonus: TableBet = field(name="ante-bonus")
    pair_plus: TableBet = field(name="pair-plus")

    def pay_tables(self) -> Mapping[str, PayTable]:
        """Return both pay tables; the bonus is paid on the ante."""
        ante_max, plus_max = (self.spots[bet].max_cents for bet in ("ante", "pair-plus"))
        return {
            "ante-bonus.pays": PayTable(self.ante_bonus.pays, _BONUS_ROWS, ante_max),
            "pair-plus.pays": PayTable(self.pair_plus.pays, _PAIR_PLUS_ROWS, plus_max),
        }

    def prices(self) -> Mapping[str, Fraction]:
        """Return what ante and play pay."""
        return {"ante.pays": self.ante.pays, "play.pays": self.play.pays}

    @property
    def least_to_qualify(self) -> int:
        """Return the strength of the weakest hand the house qualifies with (three.7)."""
        return pack(HIGH_CARD, [RANKS.index(rank) for rank in self.house.qualifies_with])

    def __post_init__(self) -> None:
        """Check what the common checks cannot know."""
        super().__post_init__()
        places = [RANKS.index(rank) for rank in self.house.qualifies_with]
        if not 1 <= len(places) <= 3 or sorted(set(places), reverse=True) != places:
            raise wrong("house.qualifies_with", "must be one to three ranks, highest first")
