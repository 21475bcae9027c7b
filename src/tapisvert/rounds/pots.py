"""A round and the progressive pot: the sheet it is played by, its part of the stake, its claim.

Only real money feeds or wins a pot. With play money the pot is a demonstration, fixed at where the
sheet starts it, and what it pays comes from the house.

A real-money player's sheet has the figures the pot runs by. Of a player of another currency, the
price of the bet and its prizes are converted at the operator's rate: that sheet is stored with the
round like any other, so the round replays and is proved by what the player was shown.

A bet reads its terms once: nobody keeps them from changing while it is being placed.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass

from tapisvert.bank import awards, jackpot
from tapisvert.bank.jackpot import Pot, Stake
from tapisvert.bank.ledger import PLAY_MONEY, Purse, Transfer
from tapisvert.bank.rates import Rate
from tapisvert.engine import Claim
from tapisvert.engine.sheet import Sheet
from tapisvert.refusal import Refused
from tapisvert.rounds.layout import Conversion
from tapisvert.store import Tx

_VARIANTS: dict[tuple[str, object, str], Sheet] = {}


@dataclass(frozen=True, slots=True)
class Terms:
    """What a player's round is played by: the sheet, and the pot and rate it was made with."""

    house: Sheet  # the game's own, in the pot's currency
    sheet: Sheet
    pot: Pot | None = None
    rate: Rate | None = None


def terms_for(tx: Tx, sheet: Sheet, currency: str) -> Terms:
    """Return the terms a player of this currency plays by."""
    pot = None
    if sheet.pot_bets and currency != PLAY_MONEY:
        pot = jackpot.find(tx, sheet.game)
    if pot is None:
        return Terms(sheet, sheet)
    rate = awards.rate_of(tx, pot, currency)
    return Terms(sheet, _variant(sheet, pot, rate), pot, rate)


def _variant(sheet: Sheet, pot: Pot, rate: Rate | None) -> Sheet:
    """Return the sheet at a pot; a copy in memory never ages, its figures are its name."""
    if rate is None and sheet.jackpot == pot.figures:
        return sheet
    name = (sheet.hash, pot.figures, rate.written if rate else "")
    if name not in _VARIANTS:
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


class Bets:
    """The bets of a round on its game's pot: nothing at play money, and where none is placed."""

    def __init__(
        self,
        tx: Tx,
        purse: Purse,
        terms: Terms,
        placed: Mapping[str, int],
        stopped: Container[str],
    ) -> None:
        """Refuse bets on a pot that does not run, before anything is held.

        Checked in the bet's own transaction: without its pot the bet would return little more than
        half (J6).
        """
        self._tx, self._purse = tx, purse
        house, self._sheet = terms.house, terms.sheet
        self._pot: Pot | None = None
        bets = [bet for bet in self._sheet.pot_bets if bet in placed]
        if not bets or purse.currency == PLAY_MONEY:
            return
        self._pot = _running(terms, stopped)
        self._rate = awards.must_have_rate(self._pot, purse.currency, terms.rate)
        assert self._sheet.jackpot is not None
        share = self._sheet.jackpot.contribution
        self._stakes = [
            Stake(bet, house.spots[bet].min_cents if self._rate else placed[bet], share)
            for bet in bets
        ]

    def contribute(self) -> list[Transfer]:
        """Note the bets' part for the pot; return how it comes there."""
        if self._pot is None:
            return []
        parts = (
            jackpot.contribute(self._tx, self._purse, self._pot, stake, self._rate)
            for stake in self._stakes
        )
        return [transfer for part in parts for transfer in part]

    def claim(self, claim: Claim) -> int:
        """Answer a claim: from the pot, or at play money from the demonstration."""
        if self._pot is None:
            return int(self._sheet.demonstration_pot_cents * claim.share)
        return awards.award(
            self._tx,
            self._purse,
            self._pot.id,
            claim.bet,
            claim.share,
            restarts=claim.restarts,
        )


def _running(terms: Terms, stopped: Container[str]) -> Pot:
    """Return the pot, or refuse: there is none, or a switch is off."""
    if terms.pot is None or f"jackpot:{terms.pot.id}" in stopped:
        raise Refused("jackpot/closed")
    return terms.pot
