"""Speed of hand ranking: batch, scalar and eval7, on the same hands in the same run.

    python benches/ranking.py

All three run on one core. Each figure is the best of several passes, because other load only adds
time. Dealing, compiling, filling tables and building lists of cards are not measured. For the
scalar and eval7 the Python loop that calls them is measured too, as in a real program.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import TypeVar

import eval7
import numpy as np
from numpy.typing import NDArray

from tapisvert.cards import STANDARD, text
from tapisvert.ranking.batch import strengths
from tapisvert.ranking.standard import strength

T = TypeVar("T")

CARDS = 7
BATCH_HANDS = 4_000_000
LIST_HANDS = 200_000  # fewer than the batch: four million lists would not fit in memory
PASSES = 5
SEED = 7
BUDGET_PER_S = 100_000_000  # DESIGN.md, budgets: seven cards, batch, one core


def random_hands(count: int) -> NDArray[np.uint8]:
    """Deal seven-card hands, each from a full deck; always the same ones.

    Cards are drawn with replacement, and rows with a duplicate card are dropped. All ordered hands
    remain equally likely.
    """
    rng = np.random.default_rng(SEED)
    # 66 % of the rows have seven different cards, so twice the rows are always enough.
    drawn = rng.integers(0, len(STANDARD), size=(2 * count, CARDS), dtype=np.uint8)
    ordered = np.sort(drawn, axis=1)
    hands = drawn[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)][:count]
    assert len(hands) == count
    return np.ascontiguousarray(hands)


def best_s(work: Callable[[], object]) -> float:
    """Return the seconds of the fastest pass, after an untimed one."""
    work()
    passes_s = []
    for _ in range(PASSES):
        start_s = time.perf_counter()
        work()
        passes_s.append(time.perf_counter() - start_s)
    return min(passes_s)


def call_for_each(ranking: Callable[[Sequence[T]], int], hands: list[list[T]]) -> None:
    """Rank hands with one call each; discard the results."""
    for hand in hands:
        ranking(hand)


def run() -> list[tuple[str, str]]:
    """Measure; return the rows of the table."""
    hands = random_hands(BATCH_HANDS)
    as_lists = hands[:LIST_HANDS].tolist()
    eval7_cards = [eval7.Card(text(card)) for card in STANDARD]
    as_eval7 = [[eval7_cards[card] for card in hand] for hand in as_lists]
    # All three must agree before they are timed.
    assert strengths(hands[:1000]).tolist() == [strength(hand) for hand in as_lists[:1000]]

    batch_per_s = BATCH_HANDS / best_s(lambda: strengths(hands))
    scalar_per_s = LIST_HANDS / best_s(lambda: call_for_each(strength, as_lists))
    eval7_per_s = LIST_HANDS / best_s(lambda: call_for_each(eval7.evaluate, as_eval7))
    return [
        (f"batch, {BATCH_HANDS:,} hands", _millions(batch_per_s)),
        (f"scalar, the first {LIST_HANDS:,}", _millions(scalar_per_s)),
        (f"eval7 {version('eval7')}, the same {LIST_HANDS:,}", _millions(eval7_per_s)),
        ("batch / eval7", f"{batch_per_s / eval7_per_s:.1f}"),
        ("batch / scalar", f"{batch_per_s / scalar_per_s:.0f}"),
        ("scalar / eval7", f"{scalar_per_s / eval7_per_s:.3f}"),
        ("batch / budget of 100 million/s", f"{batch_per_s / BUDGET_PER_S:.2f}"),
    ]


def _millions(per_s: float) -> str:
    return f"{per_s / 1e6:.2f} million hands/s"


def main() -> None:
    """Print the rows as plain text."""
    rows = run()
    width = max(len(what) for what, _ in rows)
    print(f"ranking {CARDS}-card hands, one core, best of {PASSES}; building lists is excluded")
    for what, figure in rows:
        print(f"  {what:<{width}}  {figure}")


if __name__ == "__main__":
    main()
