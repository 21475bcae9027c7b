"""The terms of a round on a progressive pot: its sheet, its pot and its exchange rate.

Only real money feeds or wins a pot. With play money the pot is a demonstration: it stays at its
starting value, and the house pays its prizes.

The sheet of a real-money player has the figures of the running pot. If the player's currency
differs from the pot's, the price of the bet and its prizes are converted at the operator's rate.
The converted sheet is stored with the round like any other, so replay and proof use the figures the
player saw.

A bet reads its terms once, because they may change while it is placed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tapisvert.bank.exchange_rate import Rate
from tapisvert.bank.money import PLAY_MONEY
from tapisvert.bank.pot import Pot
from tapisvert.engine.sheet import Jackpot, Sheet
from tapisvert.rounds.bounded_cache import BoundedCache
from tapisvert.rounds.schemas import Conversion

# One entry for each combination of house sheet, pot figures and rate.
_VARIANTS: BoundedCache[tuple[str, Jackpot, str], Sheet] = BoundedCache(256)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a player's round: the sheet, and the pot and rate it derives from."""

    house: Sheet  # the house sheet, in the pot's currency
    sheet: Sheet
    pot: Pot | None = None
    rate: Rate | None = None


def terms_of(
    sheet: Sheet,
    currency: str,
    pots: Mapping[str, Pot],
    rates: Mapping[tuple[str, str], Rate],
) -> Terms:
    """Return the terms of a game for a player of this currency."""
    pot = pots.get(sheet.game) if sheet.pot_bets and currency != PLAY_MONEY else None
    if pot is None:
        return Terms(sheet, sheet)
    rate = None if currency == pot.currency else rates.get((pot.id, currency))
    return Terms(sheet, _variant(sheet, pot, rate), pot, rate)


def _variant(sheet: Sheet, pot: Pot, rate: Rate | None) -> Sheet:
    """Return the sheet with the pot's figures. The cache key holds all figures, so no entry is
    stale.
    """
    if rate is None and sheet.jackpot == pot.figures:
        return sheet
    name = (sheet.hash, pot.figures, rate.written if rate else "")
    found = _VARIANTS.get(name)
    if found is not None:
        return found
    return _VARIANTS.put(name, sheet.at_pot(pot.figures, _price(rate) if rate else None))


def _price(rate: Rate) -> Callable[[int], int]:
    """Return the conversion of prices: rounded half up to the cent, at least one cent."""
    return lambda cents: max(1, rate.convert(cents))


def conversion_of(terms: Terms, currency: str) -> Conversion | None:
    """Return the exchange rate shown to a player whose currency differs from the pot's, or None."""
    if terms.pot is None or terms.pot.currency == currency:
        return None
    return Conversion(terms.pot.currency, terms.rate.written if terms.rate else None)
