"""Recorded rounds replay to the byte, and reach every pay row and every way a round can end."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tapisvert.engine.events import HandName, Named, Revealed, Said, Settled
from tapisvert.testing.golden import Golden, record
from tapisvert.testing.recording import events_of

from golden_cases import CASES
from recordings import FOLDER, SHEETS, read, round_of
from rounds import SHEET

RECORDED = {name: read(name) for name in CASES}


class Round:
    """Small questions about a recorded round."""

    def __init__(self, golden: Golden) -> None:
        self.stakes, self.chosen = golden.stakes, golden.choices
        events = events_of(golden)
        self.lines = {each.bet: each for each in events if isinstance(each, Settled)}
        self.names = {each.zone: each.hand for each in events if isinstance(each, Named)}
        self.said = [each.key for each in events if isinstance(each, Said)]
        self.shown = any(isinstance(each, Revealed) for each in events)

    def line(self, bet: str) -> str:
        """Return what became of a bet and why; nothing if it was not staked."""
        line = self.lines.get(bet)
        return f"{line.outcome} {line.why}" if line else ""

    def hand(self, zone: str) -> HandName:
        """Return the name of a hand."""
        return self.names.get(zone, HandName(""))


ENDINGS: dict[str, Callable[[Round], bool]] = {
    "three.5 play for another ante": lambda r: (
        "play" in r.lines and r.lines["play"].staked_cents == r.stakes["ante"]
    ),
    "three.6 a fold, and the house is never shown": lambda r: (
        r.line("ante") == "lost folded" and not r.shown
    ),
    "three.8 the house does not qualify": lambda r: (
        r.line("ante") == "won house-not-qualified"
        and r.line("play") == "returned house-not-qualified"
    ),
    "three.8 even if its hand is the stronger": lambda r: (
        bool(r.said) and r.hand("player").ranks == "974"
    ),
    "three.9 the house is beaten": lambda r: r.line("ante") == r.line("play") == "won beats-house",
    "three.10 a tie": lambda r: r.line("ante") == r.line("play") == "returned tie",
    "three.11 the house wins": lambda r: r.line("ante") == r.line("play") == "lost house-wins",
    "three.12 a bonus on a win": lambda r: r.line("ante") == "won beats-house-bonus",
    "three.12 a bonus, the house not qualified": lambda r: (
        r.line("ante") == "won house-not-qualified-bonus"
    ),
    "three.12 a bonus on a tie": lambda r: r.line("ante") == "won tie-bonus",
    "three.12 a bonus as large as the ante that is lost": lambda r: (
        r.line("ante") == "returned house-wins-bonus"
    ),
    "three.12 a bonus larger than the ante that is lost": lambda r: (
        r.line("ante") == "won house-wins-bonus"
    ),
    "three.13 no Pair Plus": lambda r: "pair-plus" not in r.stakes,
    "three.13 Pair Plus below the table": lambda r: (
        r.line("pair-plus") == "lost pair-plus-below-table"
    ),
    "three.13 Pair Plus paid, the house wins": lambda r: (
        r.line("play") == "lost house-wins" and r.line("pair-plus") == "won pair-plus-pays"
    ),
    "three.13 Pair Plus paid, the house not qualified": lambda r: (
        bool(r.said) and r.line("pair-plus") == "won pair-plus-pays"
    ),
    "three.14 a fold forfeits Pair Plus": lambda r: r.line("pair-plus") == "lost folded",
    "three.14 even with a pair": lambda r: (
        r.hand("player").category == "pair" and r.line("pair-plus") == "lost folded"
    ),
    "three.15 capped": lambda r: any(line.capped for line in r.lines.values()),
    "three.16 the lowest straight": lambda r: (
        r.hand("player").category == "straight" and r.hand("player").ranks == "3"
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_case_is_what_is_recorded(name: str) -> None:
    golden, sheet = round_of(CASES[name])
    assert record(golden, sheet) == RECORDED[name], "python tests/recordings.py"


def test_every_file_has_a_case_and_every_sheet_a_recording() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(CASES)
    used = {golden.sheet_hash for golden in RECORDED.values()}
    assert {path.stem for path in SHEETS.iterdir()} == used
    assert SHEET.hash in used


def test_three_12_and_13_every_row_of_both_pay_tables_has_a_recording() -> None:
    paid = {
        (line.bet, line.row, line.odds)
        for golden in RECORDED.values()
        for line in Round(golden).lines.values()
        if line.row and line.outcome == "won" and line.odds
    }
    plus = {("pair-plus", row, f"{odds}:1") for row, odds in PAIR_PLUS.items()}
    # A winning ante is paid 1:1 and the bonus, in one line.
    bonus = {("ante", row, f"{1 + odds}:1") for row, odds in ANTE_BONUS.items()}
    assert plus | bonus <= paid
    rows = {key: set(table.rows) for key, table in SHEET.pay_tables().items()}
    assert rows == {"pair-plus.pays": set(PAIR_PLUS), "ante-bonus.pays": set(ANTE_BONUS)}


PAIR_PLUS = {"straight-flush": 40, "three-of-a-kind": 30, "straight": 6, "flush": 4, "pair": 1}
ANTE_BONUS = {"straight-flush": 5, "three-of-a-kind": 4, "straight": 1}


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_way_a_round_can_end_has_a_recording(ending: str) -> None:
    shows = [name for name, golden in RECORDED.items() if ENDINGS[ending](Round(golden))]
    assert 0 < len(shows) < len(RECORDED)
