"""An exchange rate as a value: one unit of a player's currency in the pot's currency."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct


class Rate(Struct, frozen=True):
    """A rate as the operator set it."""

    id: int
    currency: str
    written: str

    def convert(self, amount: int) -> int:
        """Convert an amount from the pot's currency to the player's, rounded half up.

        >>> Rate(1, "EUR", "1.4700").convert(100), Rate(2, "JPY", "0.008").convert(1)
        (68, 125)
        >>> Rate(3, "XXX", "2").convert(1)  # a half goes up
        1
        """
        exact = amount / Fraction(self.written)
        return (2 * exact.numerator + exact.denominator) // (2 * exact.denominator)

    def floor(self, cents: int) -> int:
        """Convert cents of the pot's currency to the player's, rounded down.

        >>> Rate(1, "EUR", "1.4700").floor(2_000_000), Rate(2, "JPY", "0.008").floor(1)
        (1360544, 125)
        """
        exact = cents / Fraction(self.written)
        return exact.numerator // exact.denominator
