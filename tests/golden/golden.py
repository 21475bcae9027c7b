"""Recorded playthroughs: how rounds went, to the byte, when their edition was made.

    python tests/golden/golden.py --write

A file `<game>/<case>.json` holds a round's five values (edition, sheet, deck, stakes, choices) and,
for every step, its events, the player's view and the sentences in both languages. Sheets are kept
whole under their hash in `sheets/`, so that an old recording outlives a change of the shipped one.
Nothing else writes these files. A recording of an older edition is kept beside the new one.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parents[1]))  # tests/, when run as a script

from games.stud import NOT_QUALIFIED, QUALIFIED, stud_deck
from tapisvert.cards import parse_hand
from tapisvert.games import current, edition
from tapisvert.sheets import Sheet, load, load_body, with_changes
from tapisvert.table import AnyEvent, View, replay, view
from tapisvert.words import LANGUAGES, catalogue, tell

FOLDER = Path(__file__).parent
LINE = 160  # recordings are data: wide enough for most events on one line


class Case(NamedTuple):
    """A round of Casino Stud worth recording."""

    player: str
    house: str
    choice: str
    bonus: int | None = None
    changes: Mapping[str, object] = {}


class Step(Struct, frozen=True):
    """What one more answer brought: the new events, the view after them, the new sentences."""

    answers: list[str]
    events: list[AnyEvent]
    view: View
    told: dict[str, list[str]]


class Golden(Struct, frozen=True, forbid_unknown_fields=True):
    """One recorded round."""

    game: str
    edition: int
    sheet_hash: str
    deck: str
    stakes: dict[str, int]
    choices: list[str]
    steps: list[Step]


STUD_CASES: dict[str, Case] = {
    # Every row of play: the house qualifies and is beaten.
    "play-royal-flush": Case("As Ks Qs Js Ts", QUALIFIED, "play"),
    "play-straight-flush": Case("9s 8s 7s 6s 5s", QUALIFIED, "play"),
    "play-four-of-a-kind": Case("7c 7d 7h 7s 2s", QUALIFIED, "play"),
    "play-full-house": Case("7c 7d 7h 8s 8d", QUALIFIED, "play"),
    "play-flush": Case("Qs Js 8s 5s 3s", QUALIFIED, "play"),
    "play-straight": Case("8s 7d 6c 5h 4c", QUALIFIED, "play"),
    "play-straight-five-high": Case("As 2s 3s 4c 5c", QUALIFIED, "play"),
    "play-three-of-a-kind": Case("7c 7d 7h 8s 3d", QUALIFIED, "play"),
    "play-two-pair": Case("7c 7d 8h 8s 3d", QUALIFIED, "play"),
    "play-pair": Case("7c 7d 8h 6s 3d", QUALIFIED, "play"),
    "play-high-card": Case("As Kd 9h 5s 3c", QUALIFIED, "play"),
    # Every row of the bonus, some with the house's up card, and what is below the table.
    "bonus-royal-flush": Case("As Ks Qs Js Ts", QUALIFIED, "play", 500),
    "bonus-royal-flush-with-up-card": Case("Ks Qs 2d Js Ts", "As 9c 4h 3s 2c", "fold", 500),
    "bonus-straight-flush": Case("9s 8s 2d 6s 5s", "7s Ad Kh 4s 2c", "play", 500),
    "bonus-four-of-a-kind": Case("7c 7d 7h 2h 2s", "7s Ad Kh 4s 2d", "play", 500),
    "bonus-full-house": Case("7c 7d 8h 8s 2s", "7h Ad Kh 4s 2d", "play", 500),
    "bonus-flush": Case("Qs Js 8s 5s 3d", "2s Ad Kh 4s 3c", "play", 500),
    "bonus-straight": Case("8s 7d 2c 5h 4c", "6c Ad Kh 4s 2d", "play", 500),
    "bonus-three-of-a-kind": Case("7c 7d Jh 9s 3d", "7h Ad Kh 4s 2d", "play", 500),
    "bonus-lost-two-pair": Case("7c 7d 8h 8s 3d", QUALIFIED, "play", 500),
    "bonus-lost-pair": Case("7c 7d 8h 6s 3d", QUALIFIED, "play", 500),
    "bonus-lost-high-card": Case("As Kd 8h 5s 3c", QUALIFIED, "play", 500),
    # Every other way a round can end.
    "not-qualified": Case("6s 6c 8h 7s 3c", NOT_QUALIFIED, "play"),
    "not-qualified-and-better": Case("7s 5c 4h 3s 2c", "Ac Qd Jh 9s 8d", "play"),
    "not-qualified-bonus-paid": Case("7c 7d 7h 5s 3c", NOT_QUALIFIED, "play", 500),
    "tie": Case("As Kc 9h 5s 3c", "Ad Kh 9c 5d 3h", "play"),
    "house-wins": Case("Qs Qc 8h 7s 6d", "Kc Kd 8c 7d 6h", "play"),
    "house-wins-bonus-paid": Case("7c 7d 7h 9s 3d", "Kc Ks Kd 8h 2d", "play", 500),
    "fold": Case("9s 7c 4h 3s 2c", "Ac Qd Jh 9d 8d", "fold"),
    "fold-bonus-lost": Case("9s 7c 4h 3s 2c", "Ac Qd Jh 9d 8d", "fold", 500),
    "fold-bonus-paid": Case("7c 7d 7h 9s 3d", "Kc Ks Kd 8h 2d", "fold", 500),
    "capped": Case(
        "As Ks Qs Js Ts",
        QUALIFIED,
        "play",
        500,
        {"caps_cents.bonus": 250_000, "caps_cents.round": 400_000},
    ),
}


def record(
    game: str, number: int, sheet: Sheet, deck: str, stakes: dict[str, int], choices: Sequence[str]
) -> Golden:
    """Play a round by one edition of its game and write down every step of it."""
    script, cards = edition(game, number).script, parse_hand(deck)
    steps: list[Step] = []
    seen = 0
    for count in range(len(choices) + 1):
        played = replay(script, sheet, cards, stakes, choices[:count])
        new = list(played.events[seen:])
        seen = len(played.events)
        told = {each: [tell(catalogue(each), game, event) for event in new] for each in LANGUAGES}
        steps.append(Step(list(choices[:count]), new, view(played), told))
    return Golden(game, number, sheet.hash, deck, stakes, list(choices), steps)


def record_case(case: Case) -> tuple[Golden, Sheet]:
    """Record a case by the edition and the sheet of today."""
    sheet = with_changes(load("casino-stud"), case.changes)
    deck = " ".join(stud_deck(case.player, case.house))
    stakes = {"ante": 1000} if case.bonus is None else {"ante": 1000, "bonus": case.bonus}
    number = current("casino-stud").number
    return record("casino-stud", number, sheet, deck, stakes, [case.choice]), sheet


def record_again(golden: Golden, folder: Path = FOLDER) -> Golden:
    """Record the same round by the same edition and sheet, as the code plays it now."""
    kept = (folder / "sheets" / f"{golden.sheet_hash}.json").read_bytes()
    sheet = load_body(kept, edition(golden.game, golden.edition).sheet_type)
    return record(
        golden.game, golden.edition, sheet, golden.deck, golden.stakes, list(golden.choices)
    )


def write(golden: Golden) -> str:
    """Write a recording as text: JSON, broken only where a line would grow too long."""
    return _laid_out(msgspec.to_builtins(golden), 0) + "\n"


def read(path: Path) -> Golden:
    """Read a recording."""
    return msgspec.json.decode(path.read_bytes(), type=Golden)


def plays_alike(old: Golden, new: Golden) -> bool:
    """Tell whether the same things happened, however they are shown or said."""
    return [step.events for step in old.steps] == [step.events for step in new.steps]


def complaint(old: Golden, new: Golden) -> str:
    """Say what to do about a recording that is not what the code plays now."""
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


def write_all(folder: Path = FOLDER) -> list[str]:
    """Write every case; return complaints about those left alone because an edition is due."""
    complaints = []
    for name, case in STUD_CASES.items():
        golden, sheet = record_case(case)
        path = folder / golden.game / f"{name}.json"
        if path.exists():
            old = read(path)
            if old.edition < golden.edition:
                path.rename(path.with_name(f"{name}.edition-{old.edition}.json"))
            elif not plays_alike(old, now := record_again(old, folder)):
                complaints.append(f"{path.name}: {complaint(old, now)}")
                continue
        (folder / "sheets").mkdir(parents=True, exist_ok=True)
        (folder / "sheets" / f"{golden.sheet_hash}.json").write_bytes(sheet.body)
        path.parent.mkdir(exist_ok=True)
        path.write_text(write(golden), encoding="utf-8", newline="\n")
    return complaints


def _laid_out(value: object, indent: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= LINE or not isinstance(value, dict | list | tuple):
        return flat
    inner, pad = indent + 1, " " * (indent + 1)
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {_laid_out(each, inner)}" for key, each in value.items()]
    else:
        items = [_laid_out(each, inner) for each in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{pad}" + f",\n{pad}".join(items) + f"\n{' ' * indent}{closing}"


def main(arguments: Sequence[str]) -> int:
    """Write the recordings if asked to; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", required=True, help="record every case")
    parser.parse_args(arguments)
    complaints = write_all()
    print("\n".join([*complaints, f"{len(STUD_CASES) - len(complaints)} recordings written"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
