"""A round and the progressive pot: the sheet it is played by, its part of the stake, its claim.

Only real money feeds or wins a pot. With play money the pot is a demonstration, fixed at where the
sheet starts it, and what it pays comes from the house.

A real-money player's sheet has the figures the pot runs by. Of a player of another currency, the
price of the bet and its prizes are converted at the operator's rate: that sheet is stored with the
round like any other, so the round replays and is proved by what the player was shown.

A bet reads its terms once: they may change while it is being placed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tapisvert.bank.exchange_rate import Rate
from tapisvert.bank.money import PLAY_MONEY
from tapisvert.bank.pot import Pot
from tapisvert.engine.sheet import Sheet
from tapisvert.rounds.schemas import Conversion

_VARIANTS: dict[tuple[str, object, str], Sheet] = {}
_VARIANTS_MAX = 256  # each new rate or figure of a pot adds one


@dataclass(frozen=True, slots=True)
class Terms:
    """What a player's round is played by: the sheet, and the pot and rate it was made with."""

    house: Sheet  # the game's own, in the pot's currency
    sheet: Sheet
    pot: Pot | None = None
    rate: Rate | None = None


def terms_of(
    sheet: Sheet,
    currency: str,
    pots: Mapping[str, Pot],
    rates: Mapping[tuple[str, str], Rate],
) -> Terms:
    """Return the terms a player of this currency plays a game by."""
    pot = pots.get(sheet.game) if sheet.pot_bets and currency != PLAY_MONEY else None
    if pot is None:
        return Terms(sheet, sheet)
    rate = None if currency == pot.currency else rates.get((pot.id, currency))
    return Terms(sheet, _variant(sheet, pot, rate), pot, rate)


def _variant(sheet: Sheet, pot: Pot, rate: Rate | None) -> Sheet:
    """Return the sheet at a pot; a copy in memory never ages, its figures are its name."""
    if rate is None and sheet.jackpot == pot.figures:
        return sheet
    name = (sheet.hash, pot.figures, rate.written if rate else "")
    if name not in _VARIANTS:
        if len(_VARIANTS) >= _VARIANTS_MAX:
            _VARIANTS.clear()  # those in use are made again
        _VARIANTS[name] = sheet.at_pot(pot.figures, _price(rate) if rate else None)
    return _VARIANTS[name]


def _price(rate: Rate) -> Callable[[int], int]:
    """Return how a price is converted: half up to the cent, and never to nothing."""
    return lambda cents: max(1, rate.convert(cents))


def conversion_of(terms: Terms, currency: str) -> Conversion | None:
    """Return at what rate a player of this currency plays, if the pot has another."""
    if terms.pot is None or terms.pot.currency == currency:
        return None
    return Conversion(terms.pot.currency, terms.rate.written if terms.rate else None)
