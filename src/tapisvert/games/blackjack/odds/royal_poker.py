"""Royal Poker, the side bet of Blackjack: five cards, fixed prizes, and a pot that grows.

The five cards are any five of 52. Let p and q be the probabilities of a royal and of a straight
flush, a and b the shares of the pot they take, c the contribution of each bet, added before its
cards are dealt, and R the reset value. Let X be the pot at the deal, this bet's contribution
included. The mean pot of the next bet is

    X' = c + X - (p * a + q * b) * X + p * R

since a royal restarts the pot at R, on top of what its share left: nothing at 1:1, and of an award
rounded down to the cent less than a cent. In the long run the means of X' and X are equal, so

    mean pot  = (c + p * R) / (p * a + q * b)
    from the pot, per bet: (p * a + q * b) * mean pot = c + p * R

which is the rule sheet's sum: all money that enters the pot leaves it. The deal does not depend on
the pot, so the mean pot is also the mean pot at a royal. The square of the next pot,

    X'^2 = (c + Y)^2 with Y = X, (1 - b) * X or R + (1 - a) * X,

gives the mean square in the same way, and with it the variance.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
from msgspec import Struct, structs

from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.odds.suits import cards_of, patterns
from tapisvert.ranking.batch import strengths
from tapisvert.ranking.standard import CATEGORIES

DEALS = comb(52, 5)
_ROYAL, _STRAIGHT_FLUSH = "royal-flush", "straight-flush"


class RoyalPoker(Struct, frozen=True, kw_only=True):
    """The long-run figures of the bet per unit staked; pots are in units of the stake."""

    fixed: Fraction  # return from the fixed prizes
    reset: Fraction  # return from the house's refills: P(royal) times the reset value
    contribution: Fraction  # return from the players' contributions
    total: Fraction
    mean_bets_between_royals: Fraction
    mean_pot: Fraction  # mean pot at the deal, own contribution included; also the mean at a royal
    mean_square_pot: Fraction
    break_even_pot: Fraction  # the pot at the deal with a return of 1
    counts: dict[str, int]  # number among the C(52, 5) deals

    def chance(self, row: str) -> Fraction:
        """Return the probability of this row."""
        return Fraction(self.counts[row], DEALS)


def royal_poker(sheet: Blackjack) -> RoyalPoker:
    """Compute the long-run figures of Royal Poker."""
    counts = hand_counts()
    stake = sheet.spots["royal"].min_cents
    royal, straight_flush = (Fraction(counts[row], DEALS) for row in (_ROYAL, _STRAIGHT_FLUSH))
    whole, part = sheet.royal.shares[_ROYAL], sheet.royal.shares[_STRAIGHT_FLUSH]
    start = Fraction(sheet.royal.jackpot.reset_cents, stake)
    added = sheet.royal.jackpot.contribution
    fixed = sum(
        (Fraction(counts[row] * prize, DEALS * stake) for row, prize in _prizes(sheet)),
        Fraction(0),
    )
    taken = royal * whole + straight_flush * part
    mean = (added + royal * start) / taken
    # E[X'^2] = sum over the next states of probability * E[(base + kept * X)^2]
    ways = (
        (1 - royal - straight_flush, added, Fraction(1)),
        (straight_flush, added, 1 - part),
        (royal, added + start, 1 - whole),
    )
    none = Fraction(0)
    constant = sum(
        (chance * (base**2 + 2 * base * kept * mean) for chance, base, kept in ways), none
    )
    return RoyalPoker(
        fixed=fixed,
        reset=royal * start,
        contribution=added,
        total=fixed + royal * start + added,
        mean_bets_between_royals=1 / royal,
        mean_pot=mean,
        mean_square_pot=constant / (1 - sum((chance * kept**2 for chance, _, kept in ways), none)),
        break_even_pot=(1 - fixed) / taken,
        counts=counts,
    )


def returned_at(sheet: Blackjack, pot: Fraction) -> Fraction:
    """Return the mean return of one bet when the pot holds this many stakes at the deal."""
    bet = royal_poker(sheet)
    shares = sum(bet.chance(row) * share for row, share in sheet.royal.shares.items())
    return bet.fixed + shares * pot


def prove_royal(sheet: Blackjack) -> Figure:
    """Build the long-run figure of the bet; its counts are the five-card hands."""
    bet = royal_poker(sheet)
    stake = sheet.spots["royal"].min_cents
    returns = {row: Fraction(prize, stake) for row, prize in _prizes(sheet)}
    returns |= {row: share * bet.mean_pot for row, share in sheet.royal.shares.items()}
    outcomes = [
        Outcome(row, deals, returns.get(row, Fraction(0)) - 1) for row, deals in bet.counts.items()
    ]
    figure = counted("royal", "none", DEALS, outcomes)
    # The pot varies: its rows use the mean square of the pot, not the square of its mean.
    spread = bet.mean_square_pot - bet.mean_pot**2
    varying = sum(bet.chance(row) * share**2 for row, share in sheet.royal.shares.items())
    parts = {name: getattr(bet, name) for name in _PARTS}
    return structs.replace(figure, variance=figure.variance + varying * spread, parts=parts)


_PARTS = (
    "fixed",
    "reset",
    "contribution",
    "total",
    "mean_bets_between_royals",
    "mean_pot",
    "break_even_pot",
)


def hand_counts() -> dict[str, int]:
    """Count the five-card hands of each row.

    >>> hand_counts()["royal-flush"], hand_counts()["straight-flush"]
    (4, 36)
    """
    found = patterns(5)
    rows = strengths(cards_of(found.suits, 5)) >> 20
    deals = np.bincount(rows, weights=found.weights, minlength=len(CATEGORIES))
    return {row: int(number) for row, number in zip(CATEGORIES, deals, strict=True)}


def _prizes(sheet: Blackjack) -> list[tuple[str, int]]:
    return list(sheet.royal.prizes_cents.items())
