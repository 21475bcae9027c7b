"""Computes the bankroll tables of a par sheet from the outcomes of its main bet.

Imports NumPy: never imported by a server.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil, sqrt

from tapisvert.lab.bankroll import RoundLaw, law, round_law
from tapisvert.lab.bankroll_store import MAIN, BankrollTable, ResultAfter, RuinFrom
from tapisvert.lab.proof_store import StoredProof
from tapisvert.lab.ruin import after, rounds_until
from tapisvert.odds.parallel import Progress, no_progress, part
from tapisvert.refusal import Refused

STRATEGIES = ("optimal", "house-way", "none")
ROUNDS = (100, 1_000, 10_000, 100_000)  # of the results
PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
BANKROLLS = (20, 50, 100, 200, 500)  # first stakes
RUIN_ROUNDS = (100, 1_000, 10_000)
RUIN_PERCENTILES = (10, 25, 50, 75, 90)


def bankroll_tables(
    proofs: Iterable[StoredProof], tell: Progress = no_progress
) -> tuple[BankrollTable, ...]:
    """Return a table for each main strategy that has outcomes and is not too large to compute."""
    mains = [each for each in proofs if each.bet == MAIN and each.outcomes]
    asked = [each for each in mains if each.strategy in STRATEGIES]
    found = []
    for place, proof in enumerate(asked):
        doing = part(tell, place / len(asked), (place + 1) / len(asked))
        try:
            found.append(_table(proof, opening_bets(mains), doing))
        except Refused as refusal:
            if refusal.code != "bankroll/too_large":
                raise
    return tuple(found)


def opening_bets(proofs: Iterable[StoredProof]) -> Fraction:
    """Return the bets before the deal in first stakes: the least staked in any outcome."""
    ends = (end for proof in proofs if proof.bet == MAIN for end in proof.outcomes)
    return min(Fraction(end.staked) for end in ends)


def law_of(proof: StoredProof) -> RoundLaw:
    """Return the distribution of one round's net result, from the proof of a bet."""
    deals = sum(end.deals for end in proof.outcomes)
    return round_law((Fraction(end.net), Fraction(end.deals, deals)) for end in proof.outcomes)


def _table(proof: StoredProof, opening: Fraction, tell: Progress) -> BankrollTable:
    one = law_of(proof)
    results = tuple(_results(one, part(tell, 0, 0.3)))
    ruins = tuple(_ruins(one, opening, part(tell, 0.3, 1)))
    return BankrollTable(
        strategy=proof.strategy,
        opening=opening,
        n0=one.variance / one.mean**2 if one.mean else None,
        results=results,
        ruins=ruins,
        error=max([each.error for each in results] + [each.error for each in ruins]),
    )


def _results(one: RoundLaw, tell: Progress) -> Iterator[ResultAfter]:
    for rounds in ROUNDS:
        found = law(one, rounds)
        steps = found.quantiles([share / 100 for share in PERCENTILES])
        yield ResultAfter(
            rounds=rounds,
            mean=rounds * one.mean,
            standard_deviation=sqrt(rounds * one.variance),
            percentiles={
                share: Fraction(step, one.unit)
                for share, step in zip(PERCENTILES, steps, strict=True)
            },
            loss=found.at_most(-1),
            gain=float(found.chances[max(0, 1 - found.first) :].sum()),
            error=found.error,
        )
        tell(rounds / ROUNDS[-1])


def _ruins(one: RoundLaw, opening: Fraction, tell: Progress) -> Iterator[RuinFrom]:
    for place, bankroll in enumerate(BANKROLLS):
        if bankroll < opening:
            continue
        floor = ceil((opening - bankroll) * one.unit)
        purse = after(one, floor, None, RUIN_ROUNDS[-1])
        by_round = purse.ruin_by_round()
        yield RuinFrom(
            bankroll=bankroll,
            # If every player stops early, the last entry holds for later rounds.
            within={n: float(by_round[min(n, len(by_round)) - 1]) for n in RUIN_ROUNDS},
            rounds_to_ruin={
                share: rounds_until(by_round, share / 100) for share in RUIN_PERCENTILES
            },
            error=purse.ruin.error,
        )
        tell((place + 1) / len(BANKROLLS))
