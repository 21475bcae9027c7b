"""Golden rounds: recordings that every later version must replay byte for byte.

A recording is JSON: the deck, the stakes, the player's answers, and after every answer the new
events, the view and the sentences. Its sheet is `sheets/HASH.json`, beside the recordings or one
folder up.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import msgspec
from msgspec import Struct

from tapisvert.cards import parse_hand
from tapisvert.decoding import read_json
from tapisvert.engine import AnyEvent, Transcript, View, replay, view
from tapisvert.engine import events as ev
from tapisvert.engine.sheet import Sheet, write_odds
from tapisvert.engine.sheet_file import load_body
from tapisvert.games.registry import edition
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from tapisvert.testing.case import Case, NotRun
from tapisvert.testing.walk import scripts_of, walked
from tapisvert.words import LANGUAGES, catalogue, tell

LINE = 160  # columns of a recording: most events fit on one line
POT_CENTS = 2_000_000


class Step(Struct, frozen=True):
    """The effect of one answer: new events, the view after them, new sentences."""

    answers: list[str]
    events: list[AnyEvent]
    view: View
    told: dict[str, list[str]]


class Golden(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One recorded round; without steps, a round to be recorded."""

    game: str
    edition: int
    sheet_hash: str
    deck: str
    stakes: dict[str, int]
    choices: list[str]  # the player's answers; the bank's follow from the pot
    pot_cents: int = POT_CENTS
    steps: list[Step] = []


def play(golden: Golden, sheet: Sheet, answered: int) -> Transcript:
    """Play a round in its own edition, with the first `answered` answers."""
    return replay(
        edition(golden.game, golden.edition).script,
        sheet,
        parse_hand(golden.deck),
        golden.stakes,
        golden.choices[:answered],
        bank=lambda claim: int(golden.pot_cents * claim.share),
    )


def record(golden: Golden, sheet: Sheet) -> Golden:
    """Play a round and record every step."""
    steps: list[Step] = []
    seen = 0
    for answered in range(len(golden.choices) + 1):
        played = play(golden, sheet, answered)
        new = list(played.since(seen))
        seen = len(played.events)
        told = {
            each: [tell(catalogue(each), golden.game, event) for event in new] for each in LANGUAGES
        }
        steps.append(Step(golden.choices[:answered], new, view(played), told))
    return msgspec.structs.replace(golden, steps=steps)


def sheet_of(golden: Golden, folder: Path) -> Sheet:
    """Return the sheet with which a round in this folder was recorded."""
    for place in (folder / "sheets", folder.parent / "sheets"):
        path = place / f"{golden.sheet_hash}.json"
        if path.exists():
            kind = edition(golden.game, golden.edition).sheet_type
            return load_body(path.read_bytes(), kind)
    shipped = load(golden.game)
    if shipped.hash == golden.sheet_hash:
        return shipped
    raise FileNotFoundError(f"sheets/{golden.sheet_hash}.json")


def write(golden: Golden) -> str:
    """Return a recording as JSON text; a value is broken up only if its line would be too long."""
    plain = msgspec.to_builtins(golden)
    if golden.pot_cents == POT_CENTS:  # msgspec omits a default only if it is the same object
        plain.pop("pot_cents", None)
    return _laid_out(plain, 0) + "\n"


def read(path: Path) -> Golden:
    """Read a recording."""
    return read_json(path.read_bytes(), Golden)


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


# Checks -------------------------------------------------------------------------------------------


def recordings(case: Case) -> list[Path]:
    """Return the recordings of the game; raise NotRun if there are none."""
    project = case.needs_project()
    found = sorted(project.golden.glob("*.json"))
    if not found:
        raise NotRun(f"{project.golden} has no golden rounds")
    return found


def goldens(case: Case) -> list[Golden]:
    """Return the golden rounds of the current edition; an empty list without a project."""
    if case.project is None:
        return []
    found = map(read, sorted(case.project.golden.glob("*.json")))
    return [golden for golden in found if golden.edition == case.game.editions[-1].number]


def golden_rounds_replay(case: Case) -> list[str]:
    """Every golden round is of this game, replays byte for byte, and reaches its end."""
    found = []
    if not any(case.needs_project().golden.glob("*.json")):
        return ["it has no golden rounds"]
    current = set()
    for path in recordings(case):
        golden = read(path)
        if golden.game != case.game.id:
            found.append(f"golden round {path.name} is of {golden.game!r}")
            continue
        try:
            again = record(golden, sheet_of(golden, path.parent))
        except (Refused, OSError, KeyError) as error:
            found.append(f"golden round {path.name} cannot be replayed: {error}")
            continue
        if path.read_bytes() != write(again).encode():
            found.append(f"golden round {path.name} is not what the script plays now")
        if not golden.steps or golden.steps[-1].view.status != "settled":
            found.append(f"golden round {path.name} is not played to its end")
        if golden.edition == case.game.editions[-1].number:
            current.add(golden.sheet_hash)
    if case.sheet.hash not in current:
        found.append("no golden round is played by the current edition and the shipped sheet")
    return found


def golden_rounds_reach_everything(case: Case) -> list[str]:
    """The golden rounds cover every line and branch of the scripts."""
    files = recordings(case)
    if find_spec("coverage") is None:
        raise NotRun("coverage is not installed")
    found, scripts = [], scripts_of(case.game)
    missed = walked(files, scripts)
    for script in scripts:
        each = missed.get(script.resolve())
        if each is None:
            found.append(f"no golden round runs {script.name}")
            continue
        found += [f"no golden round reaches {script.name}, line {n}" for n in each.missing_lines]
        lines = set(each.missing_lines)
        found += [
            f"no golden round goes from line {a} of {script.name} to "
            + (f"line {b}" if b > 0 else "its end")
            for a, b in each.missing_branches
            if a not in lines and b not in lines
        ]
    return found


def golden_rounds_pay_every_row(case: Case) -> list[str]:
    """A golden round of the current edition pays each row of each pay table."""
    recordings(case)
    paid = {
        (event.bet, event.row, event.odds)
        for golden in goldens(case)
        for step in golden.steps
        for event in step.events
        if isinstance(event, ev.Settled) and event.outcome == "won" and event.row
    }
    known = {bet for bet, _, _ in paid} | set(case.sheet.layout)
    found = []
    for key, table in case.sheet.pay_tables().items():
        own = key.partition(".")[0]
        for row in table.rows:
            odds = write_odds(table.pays[row])
            # A table not named after a bet pays on another bet: match it by its price.
            if not any(
                row == of_row and (bet == own if own in known else price == odds)
                for bet, of_row, price in paid
            ):
                found.append(f"no golden round pays {row!r} of {key}")
    for bet in case.sheet.pot_bets:
        for row in case.sheet.pot_shares:
            if not any((bet, row) == each[:2] for each in paid):
                found.append(f"no golden round pays {row!r} of the pot")
    return found
