"""Recorded rounds: how each case went, to the byte, when the edition was made.

    python tests/recordings.py --write

A file `golden/<case>.json` holds a round's values (edition, sheet, deck, stakes, choices) and, for
every step, its events, the player's view and the sentences in both languages. Sheets are kept
whole under their hash in `golden/sheets/`. A changed event needs a new edition of the script.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tapisvert.cards import STANDARD, parse_hand, write_hand
from tapisvert.engine import AnyEvent
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import load_file, with_changes
from tapisvert.testing import golden as kit
from tapisvert.testing.golden import Golden, record, write

from golden_cases import CASES, Case
from three_card_poker import GAME

FOLDER = Path(__file__).parent / "golden"
SHEETS = FOLDER / "sheets"


def events_of(golden: Golden) -> list[AnyEvent]:
    """Return every event of a round."""
    return [event for step in golden.steps for event in step.events]


def read(name: str) -> Golden:
    """Read the recording of a case."""
    return kit.read(FOLDER / f"{name}.json")


def round_of(case: Case) -> tuple[Golden, Sheet]:
    """Return a case as a round of the current edition and sheet."""
    sheet = with_changes(load_file(GAME.folder / "sheet.toml", GAME.sheet_type), case.changes)
    top = parse_hand(f"{case.player} {case.house}")
    deck = write_hand([*top, *(card for card in STANDARD if card not in top)])
    stakes = {"ante": 1000} | ({} if case.pair_plus is None else {"pair-plus": case.pair_plus})
    number = GAME.editions[-1].number
    return Golden(GAME.id, number, sheet.hash, deck, stakes, [case.choice]), sheet


def _plays_otherwise(old: Golden, edition: int) -> bool:
    """Tell whether the same edition no longer plays a round as it is recorded."""
    again = record(old, kit.sheet_of(old, FOLDER))
    return old.edition == edition and events_of(again) != events_of(old)


def main(arguments: Sequence[str]) -> int:
    """Record every case; leave alone one whose events have changed, and return 1."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", required=True, help="record every case")
    parser.parse_args(arguments)
    SHEETS.mkdir(parents=True, exist_ok=True)
    changed = []
    for name, case in CASES.items():
        golden, sheet = round_of(case)
        path = FOLDER / f"{name}.json"
        if path.exists() and _plays_otherwise(read(name), golden.edition):
            changed.append(name)
            continue
        (SHEETS / f"{golden.sheet_hash}.json").write_bytes(sheet.body)
        path.write_text(write(record(golden, sheet)), encoding="utf-8", newline="\n")
    for name in changed:
        print(f"{name}: the script plays this round otherwise; it needs a new edition")
    print(f"{len(CASES) - len(changed)} recordings written")
    return int(bool(changed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
