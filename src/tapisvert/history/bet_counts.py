"""Stakes and returns of a player per bet, beside the proved return of that bet.

A raise, a double and an insurance belong to the main bet, whose proof covers them all. The net
result of a round is its first stake times a random variable with a proved mean (the edge) and
variance. Rounds are independent, so over all rounds the mean is the sum of stake times edge, and
the variance is the sum of stake squared times variance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import isqrt
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from tapisvert.bank.money import UNITS_PER_CENT
from tapisvert.decoding import read_json
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES, edition
from tapisvert.history.round_queries import MAIN, side_returns, stakes_alike
from tapisvert.lab import proof_store
from tapisvert.lab.proof_store import StoredProof
from tapisvert.odds.figures import write_return
from tapisvert.rounds.context import QueryContext
from tapisvert.rounds.stored_sheets import stored_sheet

DEVIATIONS = 2  # half width of the band, in standard deviations
_BEST = ("optimal", "none")  # the strategy a band assumes; side bets have none


class Band(Struct, frozen=True):
    """The proved return of a bet, and the net result expected for the player's stakes.

    `return` is per unit of money staked. `low_cents` and `high_cents` are two standard deviations
    from the mean; with many rounds about 95 % of net results lie between them.
    """

    strategy: str
    returned: str = msgspec.field(name="return")
    mean_cents: int
    low_cents: int
    high_cents: int


class BetCount(Struct, frozen=True):
    """Stakes and returns of a bet; raises belong to the main bet."""

    bet: str
    rounds: int
    staked_cents: int
    returned_cents: int
    band: Band | None  # None without a proof, and where a jackpot pays


class GameCount(Struct, frozen=True):
    """The rounds of one game."""

    game: str
    rounds: int
    staked_cents: int
    returned_cents: int
    bets: tuple[BetCount, ...]


class Alike(NamedTuple):
    """Rounds of a game with the same sheet and the same stakes before the deal."""

    sheet: Sheet
    stakes: Mapping[str, int]
    rounds: int
    staked_cents: int
    returned_cents: int

    def first_cents(self, bet: str) -> int:
        """Return the first stake on a bet; for the main bet, the sum over all main spots."""
        if bet != MAIN:
            return self.stakes.get(bet, 0)
        return sum(self.stakes.get(spot, 0) for spot in self.sheet.layout if self._main(spot))

    def _main(self, spot: str) -> bool:
        return self.sheet.layout[spot].main


def game_counts(context: QueryContext, folder: Path | None = None) -> tuple[GameCount, ...]:
    """Count every game the player has played, bet by bet."""
    played: dict[str, list[Alike]] = {}
    for game, number, sheet_hash, stakes, *sums in stakes_alike(context.tx, context.player.id):
        if game not in GAMES:  # no longer installed: its bets are unknown
            continue
        sheet = stored_sheet(context.tx, sheet_hash, edition(game, number))
        rounds, staked, returned = (int(each) for each in sums)
        laid = read_json(stakes, dict[str, int])
        played.setdefault(game, []).append(Alike(sheet, laid, rounds, staked, returned))
    sides = {
        (game, bet): int(units) // UNITS_PER_CENT
        for game, bet, units in side_returns(context.tx, context.player.id)
    }
    return tuple(_game_count(game, played[game], sides, folder) for game in GAMES if game in played)


def _game_count(
    game: str, played: list[Alike], sides: Mapping[tuple[str, str], int], folder: Path | None
) -> GameCount:
    staked = sum(each.staked_cents for each in played)
    returned = sum(each.returned_cents for each in played)
    counts: dict[str, BetCount] = {}
    for bet in (bet for bet in GAMES[game].bets if bet != MAIN):
        on_it = [each for each in played if each.first_cents(bet)]
        put = sum(each.rounds * each.first_cents(bet) for each in on_it)
        if on_it:
            rounds, back = sum(each.rounds for each in on_it), sides.get((game, bet), 0)
            counts[bet] = BetCount(bet, rounds, put, back, band(bet, on_it, folder))
    counts[MAIN] = BetCount(
        MAIN,
        sum(each.rounds for each in played),
        staked - sum(each.staked_cents for each in counts.values()),
        returned - sum(each.returned_cents for each in counts.values()),
        band(MAIN, played, folder),
    )
    bets = tuple(counts[bet] for bet in GAMES[game].bets if bet in counts)
    return GameCount(game, counts[MAIN].rounds, staked, returned, bets)


def band(bet: str, played: Iterable[Alike], folder: Path | None = None) -> Band | None:
    """Return the band of a bet from the first stakes and the proofs of their sheets.

    Two hands of Blackjack play against the same dealer hand and are not independent. Their variance
    is at most that of one hand with both stakes. The band uses that bound, so it can only be too
    wide. A jackpot changes every round, and with play money it does not grow: no band.
    """
    mean = put = laid = variance = Fraction(0)
    strategy = ""
    for each in played:
        proof = None if bet in each.sheet.pot_bets else _proof(each.sheet, bet, folder)
        if proof is None:
            return None
        strategy, first = proof.strategy, each.first_cents(bet)
        laid += each.rounds * first
        mean += each.rounds * first * Fraction(proof.edge)
        put += each.rounds * first * Fraction(proof.staked)
        variance += each.rounds * first**2 * Fraction(proof.variance)
    spread = isqrt(int(DEVIATIONS**2 * variance))
    middle = round(mean)
    low = middle - spread
    if put == laid:  # no later stakes: the loss is at most the first stake
        low = max(low, -int(laid))
    return Band(strategy, write_return(1 + mean / put), middle, low, middle + spread)


def _proof(sheet: Sheet, bet: str, folder: Path | None) -> StoredProof | None:
    """Return the proof of the best play."""
    found = (proof for proof in proof_store.find(sheet, folder) if proof.bet == bet)
    return next((proof for proof in found if proof.strategy in _BEST), None)
