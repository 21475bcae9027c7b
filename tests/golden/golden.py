"""Recorded playthroughs: the exact course of rounds when their edition was made.

    python tests/golden/golden.py --write

A file `<game>/<case>.json` holds a round's five values (edition, sheet, deck, stakes, choices; and
the jackpot, if it is not the usual one) and, for every step, its events, the player's view and the
sentences in both languages. Sheets are stored whole under their hash in `sheets/`, so that an old
recording outlives a change of the shipped one. Only this script writes these files. A recording of
an older edition stays beside the new one: its sentences follow the current catalogue, its events
never change.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

if __name__ == "__main__":  # then Python has put this folder first: `golden` would be this file
    sys.path[0] = str(Path(__file__).parents[1])

from golden import by_game
from golden.cases.case import Case
from tapisvert.cards import parse_hand, write_hand
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import SHIPPED, current
from tapisvert.sheets import load
from tapisvert.testing.golden import Golden as Golden
from tapisvert.testing.golden import Step as Step
from tapisvert.testing.golden import play as play
from tapisvert.testing.golden import read as read
from tapisvert.testing.golden import record as record
from tapisvert.testing.golden import sheet_of as kept_sheet
from tapisvert.testing.golden import write as write

FOLDER = Path(__file__).parent

Cases = Mapping[str, Mapping[str, Case]]
CASES: Cases = {game: by_game.cases(game).CASES for game in SHIPPED}


def round_of(game: str, case: Case) -> tuple[Golden, Sheet]:
    """Return a case as a round of the current edition and sheet."""
    sheet = with_changes(load(game), case.changes)
    top = parse_hand(case.cards)
    deck = write_hand([*top, *(card for card in sheet.deck if card not in top)])
    number, choices = current(game).number, list(case.choices)
    return Golden(game, number, sheet.hash, deck, dict(case.stakes), choices, case.pot_cents), sheet


def record_again(golden: Golden, folder: Path = FOLDER) -> Golden:
    """Record the same round with the same edition and sheet, as the current code plays it."""
    return record(golden, sheet_of(golden, folder))


def sheet_of(golden: Golden, folder: Path = FOLDER) -> Sheet:
    return kept_sheet(golden, folder)


def plays_alike(old: Golden, new: Golden) -> bool:
    """Tell whether the events are equal, whatever the view and the sentences."""
    return [step.events for step in old.steps] == [step.events for step in new.steps]


def complaint(old: Golden, new: Golden) -> str:
    """Describe how to deal with a recording that differs from the current code."""
    if plays_alike(old, new):
        return (
            "the round is the same, only the view or the words differ; if that is meant: "
            "python tests/golden/golden.py --write"
        )
    return (
        f"edition {old.edition} of {old.game} no longer plays this round as recorded, and a stored "
        "round would change with it: bump the edition (games/__init__.py), keep the old script "
        "under the old number, then run: python tests/golden/golden.py --write"
    )


def write_all(folder: Path = FOLDER, cases: Cases = CASES) -> list[str]:
    """Write every case; return complaints about those skipped because they need a new edition."""
    named = [(game, name, case) for game in cases for name, case in cases[game].items()]
    complaints = [told for each in named if (told := _write_case(folder, *each))]
    older = sorted(path for game in cases for path in (folder / game).glob("*.edition-*.json"))
    complaints += [told for path in older if (told := _write_older(folder, path))]
    sheets = folder / "sheets"
    recorded = [path for path in folder.glob("*/*.json") if path.parent != sheets]
    used = {read(path).sheet_hash for path in recorded}
    for path in sheets.iterdir():
        if path.stem not in used:  # the shipped sheet has changed, and every recording with it
            path.unlink()
    return complaints


def _write_case(folder: Path, game: str, name: str, case: Case) -> str | None:
    golden, sheet = round_of(game, case)
    path = folder / game / f"{name}.json"
    if path.exists():
        old = read(path)
        if old.edition < golden.edition:
            path.rename(path.with_name(f"{name}.edition-{old.edition}.json"))
        elif not plays_alike(old, now := record_again(old, folder)):
            return f"{game}/{path.name}: {complaint(old, now)}"
    (folder / "sheets").mkdir(parents=True, exist_ok=True)
    (folder / "sheets" / f"{golden.sheet_hash}.json").write_bytes(sheet.body)
    path.parent.mkdir(exist_ok=True)
    path.write_text(write(record(golden, sheet)), encoding="utf-8", newline="\n")
    return None


def _write_older(folder: Path, path: Path) -> str | None:
    """Write a recording of an older edition with current sentences; its events stay the same."""
    old = read(path)
    now = record_again(old, folder)
    if not plays_alike(old, now):
        return f"{old.game}/{path.name}: {complaint(old, now)}"
    path.write_text(write(now), encoding="utf-8", newline="\n")
    return None


def main(arguments: Sequence[str]) -> int:
    """Write the recordings if requested; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", required=True, help="record every case")
    parser.parse_args(arguments)
    complaints = write_all()
    written = sum(map(len, CASES.values())) - len(complaints)
    print("\n".join([*complaints, f"{written} recordings written"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
