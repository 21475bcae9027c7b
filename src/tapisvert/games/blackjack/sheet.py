"""The figures of Blackjack Royal Poker, typed. Their values are in `sheet.toml`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from tapisvert.engine.sheet import (
    Cents,
    FlatBet,
    Jackpot,
    Pays,
    PayTable,
    Place,
    Sheet,
    Spot,
    exactly,
    wrong,
)
from tapisvert.ranking.standard import CATEGORIES

_SHARE_ROWS = CATEGORIES[CATEGORIES.index("straight-flush") :]
_PRIZE_ROWS = CATEGORIES[CATEGORIES.index("three-of-a-kind") : CATEGORIES.index("straight-flush")]


class HandRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The price of a winning hand, and the doubling rule of split hands."""

    pays: Fraction
    blackjack_pays: Fraction
    even_money_pays: Fraction
    double_after_split: Literal["10-11", "any", "none"]


class HouseRules(Struct, frozen=True, forbid_unknown_fields=True):
    """How the house plays."""

    hits_soft_17: bool


class RoyalBet(Struct, frozen=True, forbid_unknown_fields=True):
    """The side bet on five cards: shares of the pot, and fixed prizes."""

    shares: Pays
    prizes_cents: dict[str, Cents]
    jackpot: Jackpot


class Blackjack(Sheet, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The sheet of one Blackjack table."""

    game_id = "blackjack"
    layout: ClassVar[Mapping[str, Place]] = {
        "hand-1": Place(main=True),
        "hand-2": Place(main=True),
        "royal": Place(requires=("hand-1", "hand-2")),
    }
    published_ids = ("main", "royal")

    hand: HandRules
    insurance: FlatBet
    house: HouseRules
    royal: RoyalBet

    def pay_tables(self) -> Mapping[str, PayTable]:
        """Return none: hands pay one price, and Royal Poker pays prizes."""
        return {}

    def prices(self) -> Mapping[str, Fraction]:
        """Return the prices of hands and insurance; insurance is half a stake."""
        return {
            "hand.pays": self.hand.pays,
            "hand.blackjack_pays": self.hand.blackjack_pays,
            "hand.even_money_pays": self.hand.even_money_pays,
            "insurance.pays": self.insurance.pays / 2,
        }

    @property
    def jackpot(self) -> Jackpot:
        """Return the pot of Royal Poker."""
        return self.royal.jackpot

    @property
    def pot_bets(self) -> tuple[str, ...]:
        """Return Royal Poker."""
        return ("royal",)

    @property
    def pot_shares(self) -> Mapping[str, Fraction]:
        """Return the shares of Royal Poker."""
        return self.royal.shares

    def at_pot(self, jackpot: Jackpot, convert: Callable[[int], int] | None = None) -> Blackjack:
        """Return the sheet with the running pot's figures; price and prizes of Royal Poker
        converted.
        """
        if convert is None:
            return replace(self, royal=replace(self.royal, jackpot=jackpot))
        price = convert(self.spots["royal"].min_cents)
        prizes = {row: convert(cents) for row, cents in self.royal.prizes_cents.items()}
        here = replace(jackpot, reset_cents=convert(jackpot.reset_cents))
        return replace(
            self,
            spots={**self.spots, "royal": Spot(price, price, step_cents=1)},
            royal=replace(self.royal, prizes_cents=prizes, jackpot=here),
        )

    def __post_init__(self) -> None:
        """Check the constraints specific to this game."""
        super().__post_init__()
        exactly("royal.shares", self.royal.shares, _SHARE_ROWS)
        exactly("royal.prizes_cents", self.royal.prizes_cents, _PRIZE_ROWS)
        for row, share in self.royal.shares.items():
            if not 0 < share <= 1:
                raise wrong(f"royal.shares.{row}", "must be a part of the pot")
        if not 0 <= self.royal.jackpot.contribution < 1:
            raise wrong("royal.jackpot.contribution", "must be a part of the stake")
