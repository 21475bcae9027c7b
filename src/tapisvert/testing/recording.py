"""Records the golden rounds that a package lists.

In `tests/recordings.py` of a package:

    ROUNDS = {"higher": round_of("casino-war", "Ks 4d", {"ante": 1000})}

    if __name__ == "__main__":
        sys.exit(write_rounds(Path(__file__).parent / "golden", ROUNDS))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tapisvert.cards import parse_hand, write_hand
from tapisvert.engine import AnyEvent
from tapisvert.engine.sheet import Sheet
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import admit, current
from tapisvert.sheets import load
from tapisvert.testing.golden import Golden, read, record, sheet_of, write


def round_of(
    game: str,
    cards: str,
    stakes: Mapping[str, int],
    choices: Sequence[str] = (),
    changes: Mapping[str, object] | None = None,
) -> tuple[Golden, Sheet]:
    """Return a round to record, by the current edition, and its sheet.

    `cards` are the top of the deck; the others follow in sheet order. `changes` maps dotted keys of
    the sheet to new values.
    """
    admit(game)  # the game may be incomplete
    sheet = with_changes(load(game), changes or {})
    top = parse_hand(cards)
    deck = write_hand([*top, *(card for card in sheet.deck if card not in top)])
    number = current(game).number
    return Golden(game, number, sheet.hash, deck, dict(stakes), list(choices)), sheet


def write_rounds(folder: Path, rounds: Mapping[str, tuple[Golden, Sheet]]) -> int:
    """Record rounds as `<name>.json`; return 1 if one was not overwritten: its events changed."""
    (folder / "sheets").mkdir(parents=True, exist_ok=True)
    changed = 0
    for name, (golden, sheet) in rounds.items():
        path = folder / f"{name}.json"
        if path.exists() and _plays_otherwise(read(path), golden.edition, folder):
            print(f"{name}: the script plays this round otherwise; it needs a new edition")
            changed += 1
            continue
        (folder / "sheets" / f"{golden.sheet_hash}.json").write_bytes(sheet.body)
        path.write_text(write(record(golden, sheet)), encoding="utf-8", newline="\n")
    print(f"{len(rounds) - changed} recordings written")
    return int(changed > 0)


def events_of(golden: Golden) -> list[AnyEvent]:
    """Return every event of a recorded round."""
    return [event for step in golden.steps for event in step.events]


def _plays_otherwise(old: Golden, edition: int, folder: Path) -> bool:
    """Return whether the edition of a recording now plays it differently."""
    again = record(old, sheet_of(old, folder))
    return old.edition == edition and events_of(again) != events_of(old)
