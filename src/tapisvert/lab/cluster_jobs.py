"""Proofs and simulations whose parts run on a cluster.

A proof runs whole on one worker: the parts of its count share tables in memory. A simulation is
cut into blocks of rounds, whose tallies add up in integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tapisvert.engine.sheet import Sheet
from tapisvert.lab import mathematics
from tapisvert.lab.cluster import Cluster, in_order
from tapisvert.lab.cluster_work import code_id, play_rounds, prove_sheet
from tapisvert.lab.finished_proofs import FinishedProofs, TimedProof

if TYPE_CHECKING:
    from tapisvert.odds.tally import Tally

ROUNDS = 1 << 20  # of a block


def prove_on(
    cluster: Cluster, sheets: Sequence[Sheet], finished: FinishedProofs | None = None
) -> Iterator[TimedProof]:
    """Prove sheets on the workers, one sheet each; yield their figures in order.

    Proofs found in `finished` are not repeated. Every other proof is stored there as it ends.
    """
    return in_order(_proved(cluster, sheets, finished))


def _proved(
    cluster: Cluster, sheets: Sequence[Sheet], finished: FinishedProofs | None
) -> Iterator[tuple[int, TimedProof]]:
    """Yield the number and the proof of each sheet, stored proofs first."""
    missing = []
    for number in range(len(sheets)):
        known = finished.find(number) if finished is not None else None
        if known is None:
            missing.append(number)
        else:
            yield number, known
    for game in {sheets[number].game for number in missing}:
        cluster.check(game)
    asked = [sheets[number] for number in missing]
    parts = [(code_id(sheet.game), sheet.game, sheet.body) for sheet in asked]
    for place, (seconds, figures) in cluster.run(prove_sheet, parts):
        proof = TimedProof(seconds, figures)
        if finished is not None:
            finished.keep(missing[place], proof)
        yield missing[place], proof


def play_on(
    cluster: Cluster, sheet: Sheet, strategy: str, rounds: int, seed: int, first: int = 0
) -> Iterator[Tally]:
    """Play rounds `first` to `rounds` on the workers; yield the tallies of blocks in order."""
    mathematics.check_strategy(sheet, strategy)
    cluster.check(sheet.game)
    code = code_id(sheet.game)
    parts = [
        (code, sheet.game, sheet.body, strategy, seed, begin, min(ROUNDS, rounds - begin))
        for begin in range(first, rounds, ROUNDS)
    ]
    return in_order(cluster.run(play_rounds, parts))
