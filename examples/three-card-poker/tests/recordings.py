"""Recorded rounds: how each case went, to the byte, when the edition was made.

    python tests/recordings.py

A file `golden/<case>.json` holds a round's values (edition, sheet, deck, stakes, choices) and, for
every step, its events, the player's view and the sentences in both languages. Sheets are kept
whole under their hash in `golden/sheets/`. A changed event needs a new edition of the script.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tapisvert.engine.sheet import Sheet
from tapisvert.testing import golden as kit
from tapisvert.testing import recording
from tapisvert.testing.golden import Golden

from golden_cases import CASES, Case
from three_card_poker import GAME

FOLDER = Path(__file__).parent / "golden"
SHEETS = FOLDER / "sheets"


def read(name: str) -> Golden:
    """Read the recording of a case."""
    return kit.read(FOLDER / f"{name}.json")


def round_of(case: Case) -> tuple[Golden, Sheet]:
    """Return a case as a round of the current edition and sheet."""
    cards = f"{case.player} {case.house}"
    stakes = {"ante": 1000} | ({} if case.pair_plus is None else {"pair-plus": case.pair_plus})
    return recording.round_of(GAME.id, cards, stakes, [case.choice], case.changes)


if __name__ == "__main__":
    rounds = {name: round_of(case) for name, case in CASES.items()}
    sys.exit(recording.write_rounds(FOLDER, rounds))
