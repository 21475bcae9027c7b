"""Bankrolls: results and ruin over many rounds, from the counted outcomes of one round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING

from tapisvert.engine.sheet import Sheet
from tapisvert.extras import need
from tapisvert.library.bankroll_question import (
    Question,
    check_covers,
    check_question,
    unknown_strategy,
)
from tapisvert.library.bet_proof import BetProof
from tapisvert.library.proving import Proof, prove, stored
from tapisvert.library.refusals import check_whole, explained
from tapisvert.library.sheets import sheet_of
from tapisvert.library.tables import Cell, html
from tapisvert.odds.parallel import Progress, no_progress, part
from tapisvert.par.drawing import Drawing
from tapisvert.par.histogram import HistogramBar, histogram
from tapisvert.par.measures import ROUNDS_PER_HOUR
from tapisvert.refusal import Refused
from tapisvert.words import catalogue

if TYPE_CHECKING:
    from tapisvert.lab.bankroll import Law
    from tapisvert.lab.ruin import Purse

PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
RUIN_PERCENTILES = (10, 25, 50, 75, 90)
_BARS = 40
_BARS_MAX = 10_000
_MAIN = "main"


@dataclass(frozen=True)
class Bankroll:
    """The results and the ruin of a bankroll over many rounds. Amounts are in cents.

    `mean_cents`, `n0` and `loss_per_hour_cents` are exact fractions. Probabilities are doubles;
    `error` bounds the error of each. The first group of fields ignores ruin and goal: it is the law
    of the result of all rounds. The second is about a player who stops at ruin or at the goal.
    """

    game: str
    strategy: str
    rounds: int
    stake_cents: int
    bankroll_cents: int
    goal_cents: int | None
    rounds_per_hour: int
    opening_cents: int
    """The bets placed before the deal: with less in the purse the player is ruined."""

    mean_cents: Fraction
    """The mean result of all rounds."""
    standard_deviation_cents: float
    percentiles_cents: Mapping[int, Fraction]
    """For each percentage, the least result that is not exceeded with that probability."""
    n0: Fraction | None
    """The rounds after which the mean result equals the standard deviation; None if it is 0."""
    loss_per_hour_cents: Fraction

    ruin: float
    """The probability of ruin within the rounds, before the goal if there is one."""
    goal_reached: float | None
    """The probability of the goal within the rounds, before ruin."""
    ruin_ever: float | None
    """The same as `ruin` without a limit of rounds; None where it takes too long to compute."""
    mean_rounds_to_ruin: float | None
    """Among the players ruined within the rounds; None if there are none."""
    mean_rounds_error: float | None
    rounds_to_ruin: Mapping[int, int]
    """For each percentage of the players ruined within the rounds, the least number of rounds after
    which so many of them are ruined. Empty if there are none.
    """
    error: float
    law: Law = field(repr=False, compare=False)
    unit: int = field(repr=False)
    """Steps of the law per first stake."""
    exact: bool = False

    @explained
    def at_most(self, result_cents: int) -> float:
        """Return the probability that all rounds together bring at most this result."""
        return self.law.at_most(floor(Fraction(result_cents * self.unit, self.stake_cents)))

    @explained
    def bars(self, count: int = _BARS) -> list[tuple[Fraction, Fraction, float]]:
        """Return the law in ranges of equal width: first and last result, and probability.

        The first and the last range also hold the 0.1 % beyond them.
        """
        check_whole("count", count, 1, _BARS_MAX)
        low, high = self.law.quantiles([0.001, 0.999])
        width = ceil((high - low + 1) / count)
        if width > 2 * self.unit:  # whole and even stakes are likelier at many games
            width = 2 * self.unit * ceil(width / (2 * self.unit))
        edges = [*range(low, high + 1, width)]
        edges.append(edges[-1] + width)
        ends = [*edges[1:-1], self.law.first + len(self.law.chances)]
        until = [0.0, *(self.law.at_most(end - 1) for end in ends)]
        return [
            (self._cents(first), self._cents(following - 1), above - below)
            for (first, following), (below, above) in zip(
                pairwise(edges), pairwise(until), strict=True
            )
        ]

    def svg(self) -> str:
        """Return a picture of the law of the result, as SVG."""
        return self._picture().svg()

    def png(self) -> bytes:
        """Return the same picture as PNG."""
        return self._picture().png()

    def _picture(self) -> Drawing:
        words = catalogue("en")
        title = f"{self.game}, {self.strategy}: result after {self.rounds:,} rounds"
        drawn = [
            HistogramBar(
                words.money(round((low + high) / 2)),
                chance,
                "won" if low > 0 else "lost" if high < 0 else "even",
            )
            for low, high, chance in self.bars()
        ]
        return histogram(title, drawn)

    def cells(self) -> Mapping[str, Cell]:
        """Return the figures by name."""
        return {
            "game": self.game,
            "strategy": self.strategy,
            "rounds": self.rounds,
            "stake_cents": self.stake_cents,
            "bankroll_cents": self.bankroll_cents,
            "goal_cents": self.goal_cents,
            "rounds_per_hour": self.rounds_per_hour,
            "opening_cents": self.opening_cents,
            "mean_cents": self.mean_cents,
            "standard_deviation_cents": self.standard_deviation_cents,
            **{f"percentile_{share}_cents": cents for share, cents in self._percentiles()},
            "n0": self.n0,
            "loss_per_hour_cents": self.loss_per_hour_cents,
            "ruin": self.ruin,
            "goal_reached": self.goal_reached,
            "ruin_ever": self.ruin_ever,
            "mean_rounds_to_ruin": self.mean_rounds_to_ruin,
            "mean_rounds_error": self.mean_rounds_error,
            **{f"rounds_to_ruin_{share}": taken for share, taken in self.rounds_to_ruin.items()},
            "exact": self.exact,
            "error": self.error,
        }

    def _percentiles(self) -> list[tuple[int, Fraction]]:
        return list(self.percentiles_cents.items())

    def _cents(self, step: int) -> Fraction:
        return Fraction(step * self.stake_cents, self.unit)

    def __repr__(self) -> str:
        return (
            f"Bankroll({self.game}, {self.strategy}, {self.rounds:,} rounds:"
            f" ruin {self.ruin:.6g}, error {self.error:.1g})"
        )

    def _repr_html_(self) -> str:
        cells = self.cells()
        return html({"figure": list(cells), "value": list(cells.values())}) + self.svg()


@explained
def bankroll(
    game: str | Sheet,
    *,
    bankroll_cents: int,
    stake_cents: int,
    rounds: int,
    goal_cents: int | None = None,
    strategy: str | None = None,
    rounds_per_hour: int = ROUNDS_PER_HOUR,
    progress: Progress = no_progress,
) -> Bankroll:
    """Return what rounds of the main bet do to a bankroll, with the same first stake each time.

    The player enters a round if the purse covers the bets before the deal, and is ruined if not.
    Raises, doubles and splits are played in any case: what the purse lacks is lent, so that it may
    end below zero, which is ruin. `strategy` is the best that is proved if none is named.
    """
    asked = sheet_of(game)
    question = Question(stake_cents, bankroll_cents, rounds, rounds_per_hour, goal_cents)
    check_question(asked, question, strategy)
    need("prove")
    from tapisvert.lab import bankroll as laws
    from tapisvert.lab.bankroll_table import opening_bets

    if rounds > laws.ROUNDS_MAX:
        raise Refused("bankroll/rounds", rounds=rounds, max=laws.ROUNDS_MAX)
    counted = 0.1 if stored(asked) else 0.8  # the share of the time that counting takes
    proof = prove(asked, progress=part(progress, 0, counted))
    bet = _bet(proof, strategy)
    opening_cents = ceil(opening_bets(each.record for each in proof.bets) * stake_cents)
    check_covers(question, opening_cents)
    return _computed(asked, bet, question, opening_cents, part(progress, counted, 1))


def _computed(
    sheet: Sheet, bet: BetProof, asked: Question, opening_cents: int, progress: Progress
) -> Bankroll:
    """Compute the figures; everything has been checked."""
    from tapisvert.lab import bankroll as laws
    from tapisvert.lab import ruin as ruins
    from tapisvert.lab.bankroll_table import law_of

    one = law_of(bet.record)
    scale = Fraction(one.unit, asked.stake_cents)
    least = ceil((opening_cents - asked.bankroll_cents) * scale)
    goal = asked.goal_cents
    if goal is not None:
        goal = ceil((goal - asked.bankroll_cents) * scale)
    law = laws.law(one, asked.rounds, part(progress, 0, 0.2))
    purse = ruins.after(one, least, goal, asked.rounds, part(progress, 0.2, 0.9))
    ever = ruins.ruin_ever(one, least, goal)
    taken = purse.rounds_to_ruin
    steps = law.quantiles([share / 100 for share in PERCENTILES])
    progress(1.0)
    return Bankroll(
        game=sheet.game,
        strategy=bet.strategy,
        **asked._asdict(),
        opening_cents=opening_cents,
        mean_cents=one.mean * asked.rounds * asked.stake_cents,
        standard_deviation_cents=sqrt(one.variance * asked.rounds) * asked.stake_cents,
        percentiles_cents={
            share: step / scale for share, step in zip(PERCENTILES, steps, strict=True)
        },
        n0=one.variance / one.mean**2 if one.mean else None,
        loss_per_hour_cents=-one.mean * asked.rounds_per_hour * asked.stake_cents,
        ruin=purse.ruin.value,
        goal_reached=None if goal is None else purse.goal.value,
        ruin_ever=ever.value if ever else None,
        mean_rounds_to_ruin=taken.value if taken else None,
        mean_rounds_error=taken.error if taken else None,
        rounds_to_ruin=_rounds_to_ruin(purse) if taken else {},
        error=max(law.error, purse.ruin.error, purse.goal.error, ever.error if ever else 0.0),
        law=law,
        unit=one.unit,
    )


def _bet(proof: Proof, strategy: str | None) -> BetProof:
    """Return the main bet by a strategy; refuse an unknown one, and a proof without outcomes."""
    known = [each for each in proof.bets if each.bet == _MAIN]
    for each in known:
        if strategy in (None, each.strategy):
            if not each.outcomes:
                raise Refused("bankroll/no_outcomes", game=proof.sheet.game)
            return each
    raise unknown_strategy(strategy, (each.strategy for each in known))


def _rounds_to_ruin(purse: Purse) -> dict[int, int]:
    from tapisvert.lab.ruin import rounds_until

    by_round = purse.ruin_by_round()
    found = {
        share: rounds_until(by_round, share / 100 * by_round[-1]) for share in RUIN_PERCENTILES
    }
    return {share: taken for share, taken in found.items() if taken is not None}
