"""F1 without a store: whole nights of decisions, checked against the same invariants.

`make test` runs 8 nights; the second tier runs 60, and every bug planted in the decision code.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from simulation import decided_books
from simulation.decided import Decided
from simulation.planted import PATCHES, breaks, plant, ran, read_patch
from tapisvert.rounds.decide import Command, Outcome, decide
from tapisvert.rounds.state import CommandState
from tiers import long, one_in

FEW, SEEDS, COMMANDS = 8, 60, 300
# Bugs that need no store, no operator and no crash to be seen.
IN_DECISIONS = (
    *("any-step-answered", "balance-noted-too-late", "caps-skipped", "claim-not-recorded"),
    *("face-up", "gate-not-checked", "key-of-another-body", "part-after-the-win"),
    *("play-money-in-francs", "play-money-when-not-broke", "posted-from-the-start"),
    *("raise-not-held", "refusals-not-kept", "refused-not-undone", "reply-before-the-effect"),
    *("seat-drawn-again", "seat-reused", "stake-not-held", "stop-of-a-game-forgotten"),
    *("two-open-rounds", "win-paid-twice"),
)


@pytest.mark.parametrize(
    "seeds",
    [range(1, FEW + 1), pytest.param(range(FEW + 1, SEEDS + 1), marks=long)],
    ids=lambda seeds: f"{seeds[0]}-{seeds[-1]}",
)
def test_F1_whatever_is_asked_every_invariant_holds_of_what_is_decided(seeds: range) -> None:
    done = [Decided(seed, COMMANDS).run() for seed in seeds]
    assert [(report.seed, report.violations) for report in done if report.violations] == []
    assert sum(report.wins for report in done) > 0
    codes = sum((report.codes for report in done), Counter[str]())
    assert codes.total() == len(seeds) * COMMANDS
    assert codes["granted"] > codes.total() // 2
    for code in ("idempotency/reused", "play/stopped", "seat/stale", "dealing/unavailable"):
        assert codes[code] > 0, code


def test_F1_a_night_of_decisions_comes_again_from_its_seed() -> None:
    assert Decided(3, 100).run() == Decided(3, 100).run()


def test_F1_a_decision_that_is_not_a_function_of_its_state_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Control: a second decision of the same command has another outcome."""

    def fickle(state: CommandState, command: Command) -> Outcome:
        found = decide(state, command)
        assert isinstance(found, Outcome)
        return Outcome(b"something else", found.writes)

    monkeypatch.setattr(decided_books, "decide", fickle)
    assert [name for name, _ in Decided(1, COMMANDS).run().violations] == ["decide-is-pure"]


@pytest.mark.parametrize("name", one_in(8, IN_DECISIONS))
def test_F1_a_bug_planted_in_decisions_is_found_without_a_store(tmp_path: Path, name: str) -> None:
    planted = read_patch(next(path for path in PATCHES if path.stem == name))
    copy = plant(planted, tmp_path)
    told = ran(copy, "decided.py", "--seeds", str(SEEDS), "--until", planted.invariant)
    assert breaks(told, planted.invariant), told
