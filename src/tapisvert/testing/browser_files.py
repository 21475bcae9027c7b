"""A game's files for the browser: the certificate's settlement, and the layout of its table."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

import tapisvert
from tapisvert.cards import text
from tapisvert.engine import events as ev
from tapisvert.engine import view
from tapisvert.engine.sheet import content
from tapisvert.games.game import Game
from tapisvert.testing.case import Case, NotRun
from tapisvert.testing.golden import goldens
from tapisvert.testing.random_rounds import NAMED_MAX, Round, rounds_of

_HERE = Path(__file__).parent
_SHARED = Path(tapisvert.__file__).parent / "web" / "certificate" / "settle"
_ROUNDS_PART = 10  # one in so many of the rounds; 10,000 of 100,000


def run_node(script: Path, *args: Path, lines: Iterable[bytes] = ()) -> list[bytes]:
    """Give lines to a script and return those it writes."""
    own = Path(sys.executable).with_name("node")
    node = own if own.exists() else shutil.which("node")
    if node is None:
        raise NotRun("node is not installed")
    done = subprocess.run(
        [node, script, *args],
        input=b"".join(line + b"\n" for line in lines),
        capture_output=True,
        check=False,
    )
    if done.returncode:
        told = [line for line in done.stderr.decode().splitlines() if "Error" in line]
        raise ValueError(told[0] if told else "node failed")
    return done.stdout.splitlines()


def lay_out(game: Game, folder: Path) -> Path:
    """Copy the shared modules and a game's settlement as they name each other."""
    shutil.copytree(_SHARED, folder / "settle")
    own = folder / "games" / game.id
    own.mkdir(parents=True)
    shutil.copy(game.folder / "settle.js", own)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def certificate_settles_alike(case: Case) -> list[str]:
    """The settlement that certificates carry agrees with the script, line by line."""
    if not (case.game.folder / "settle.js").is_file():
        return ["settle.js is missing: its certificates cannot settle a round again"]
    played = list(rounds_of(case, "certificate", max(100, case.rounds // _ROUNDS_PART)))
    lines = [msgspec.json.encode([content(case.sheet)]), *(_written(case, each) for each in played)]
    with TemporaryDirectory() as folder:
        program = lay_out(case.game, Path(folder) / "program")
        settled = run_node(_HERE / "settle_again.mjs", program, lines=lines)
    found = []
    for each, line in zip(played, settled, strict=True):
        if line != msgspec.json.encode(view(each.end).lines):
            deck = " ".join(text(card) for card in each.deck[:16])
            found.append(f"its certificate settles a round otherwise than the script (deck {deck})")
    if len(found) > NAMED_MAX:
        found = [*found[:NAMED_MAX], f"and {len(found) - NAMED_MAX} rounds more"]
    return found


def _written(case: Case, played: Round) -> bytes:
    """Write a round down as its proof would."""
    return msgspec.json.encode(
        {
            "game": case.game.id,
            "sheet": 0,
            "deck": " ".join(text(card) for card in played.deck),
            "stakes": played.stakes,
            "answers": played.end.answers,
            "void_reason": None,
        }
    )


def layout_names_everything(case: Case) -> list[str]:
    """The layout of the table names every bet and every zone of the game."""
    path = case.game.folder / "layout.js"
    if not path.is_file():
        return ["layout.js is missing: its table cannot be drawn"]
    (written,) = run_node(_HERE / "layout_of.mjs", path)
    named = msgspec.json.decode(written, type=dict[str, list[str]])
    bets, zones = set(case.sheet.layout), set()
    rounds = [each.end.events for each in rounds_of(case, "layout", max(200, case.rounds // 50))]
    for golden in goldens(case):
        rounds.append(tuple(event for step in golden.steps for event in step.events))
    for events in rounds:
        bets |= {event.bet for event in events if isinstance(event, ev.Staked)}
        zones |= {event.zone for event in events if isinstance(event, ev.Dealt)}
        zones |= {event.to for event in events if isinstance(event, ev.Moved)}
    found = [
        f"layout.js has no place for the bet {bet!r}" for bet in sorted(bets - {*named["bets"]})
    ]
    found += [
        f"layout.js has no row for the zone {zone!r}" for zone in sorted(zones - {*named["zones"]})
    ]
    known = (("bet", named["bets"], bets), ("zone", named["zones"], zones))
    for kind, given, used in known:
        found += [f"layout.js names the {kind} {each!r}, which no round has"
                  for each in sorted({*given} - used)]  # fmt: skip
    return found
