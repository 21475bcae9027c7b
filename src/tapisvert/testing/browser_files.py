"""Checks of a game's browser files: certificate settlement, rankings, table layout."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec
from msgspec import Struct, field

import tapisvert
from tapisvert.cards import parse_hand, text
from tapisvert.decoding import read_json
from tapisvert.engine import Transcript, view
from tapisvert.engine import events as ev
from tapisvert.engine.sheet import Sheet, content
from tapisvert.games.game import Game
from tapisvert.testing.case import Case, NotRun
from tapisvert.testing.golden import goldens, play, sheet_of
from tapisvert.testing.random_rounds import NAMED_MAX, rounds_of
from tapisvert.words import LANGUAGES, catalogue

_HERE = Path(__file__).parent
_WEB = Path(tapisvert.__file__).parent / "web"
_SHARED, _STATIC = _WEB / "certificate" / "settle", _WEB / "static"
_ROUNDS_PART = 10  # settle one round in ten: 10,000 of 100,000
_CARDS_TOLD = 16  # of a deck, in a finding


class Drawn(Struct, frozen=True):
    """A hand shown in help."""

    kind: str = field(name="is")
    cards: str
    told: str = field(name="as", default="")


class Group(Struct, frozen=True):
    """A group of hands shown together in help."""

    id: str
    hands: list[Drawn]


def run_node(script: Path, *args: Path, lines: Iterable[bytes] = ()) -> list[bytes]:
    """Run a script in node with lines on standard input; return its output lines."""
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
        told = re.search(r"^\w*Error\b.*", done.stderr.decode(), re.MULTILINE)
        place = re.search(r"[\w-]+\.js:\d+", done.stderr.decode())
        said = told[0] if told else "node failed"
        raise ValueError(f"{said} ({place[0]})" if place else said)
    return done.stdout.splitlines()


def lay_out(game: Game, folder: Path) -> Path:
    """Copy the shared modules and a game's settlement to the paths they import each other by."""
    shutil.copytree(_SHARED, folder / "settle")
    own = folder / "games" / game.id
    own.mkdir(parents=True)
    shutil.copy(game.folder / "settle.js", own)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


class Ended(NamedTuple):
    """A round to settle again: deck, stakes, answers and sheet."""

    deck: str
    stakes: Mapping[str, int]
    end: Transcript
    sheet: Sheet


def certificate_settles_alike(case: Case) -> list[str]:
    """The settlement program of certificates agrees with the script, line by line."""
    if not (case.game.folder / "settle.js").is_file():
        return ["settle.js is missing: its certificates cannot settle a round again"]
    ended = list(_ended(case))
    sheets = {each.sheet.hash: each.sheet for each in ended}
    lines = [msgspec.json.encode([content(sheet) for sheet in sheets.values()])]
    lines += [_written(each, list(sheets).index(each.sheet.hash)) for each in ended]
    with TemporaryDirectory() as folder:
        program = lay_out(case.game, Path(folder) / "program")
        settled = run_node(_HERE / "settle_again.mjs", program, lines=lines)
    found = []
    for each, line in zip(ended, settled, strict=True):
        expected = msgspec.json.encode(view(each.end).lines)
        if line != expected:
            found.append(
                f"settle.js settles a round otherwise than the script (deck"
                f" {each.deck[: 3 * _CARDS_TOLD]}...): {line.decode()}, not {expected.decode()}"
            )
    if len(found) > NAMED_MAX:
        found = [*found[:NAMED_MAX], f"and {len(found) - NAMED_MAX} rounds more"]
    return found


def _ended(case: Case) -> Iterator[Ended]:
    """Yield random rounds with the shipped sheet, then golden rounds, which have the rare cases."""
    for each in rounds_of(case, "certificate", max(100, case.rounds // _ROUNDS_PART)):
        deck = " ".join(text(card) for card in each.deck)
        yield Ended(deck, each.stakes, each.end, case.sheet)
    for golden in goldens(case):
        sheet = sheet_of(golden, case.needs_project().golden)
        end = play(golden, sheet, len(golden.choices))
        if end.settled:
            yield Ended(golden.deck, golden.stakes, end, sheet)


def _written(ended: Ended, sheet: int) -> bytes:
    """Encode a round as its proof does."""
    return msgspec.json.encode(
        {
            "game": ended.sheet.game,
            "sheet": sheet,
            "deck": ended.deck,
            "stakes": ended.stakes,
            "answers": ended.end.answers,
            "void_reason": None,
        }
    )


def rankings_have_words(case: Case) -> list[str]:
    """Every hand shown in help has valid cards, a name, and words in both languages."""
    path = case.game.folder / "rankings.js"
    if not path.is_file():
        return ["rankings.js is missing: help cannot draw its hands"]
    with TemporaryDirectory() as folder:
        own = Path(folder) / "games" / case.game.id
        shutil.copytree(_STATIC / "js" / "rankings", Path(folder) / "js" / "rankings")
        own.mkdir(parents=True)
        shutil.copy(path, own)
        (Path(folder) / "package.json").write_text('{"type": "module"}')
        (written,) = run_node(_HERE / "rankings_of.mjs", own / "rankings.js")
    found = []
    for group in read_json(written, list[Group]):
        keys: dict[str, str] = {f"ranking.title.{group.id}": ""}  # key, and an alternative key
        for hand in group.hands:
            keys[f"ranking.{hand.told or hand.kind}"] = ""
            keys[f"row.{hand.kind}"] = f"ranking.name.{hand.kind}"
            try:
                parse_hand(hand.cards.replace(" | ", " "))
            except ValueError as error:
                found.append(f"rankings.js: {hand.kind!r}: {error}")
        for language in LANGUAGES:
            words = catalogue(language)
            found += [
                f"words/{language}.toml has no {key!r}, which rankings.js needs"
                for key, other in keys.items()
                if not words.find(key, case.game.id) and not words.find(other, case.game.id)
            ]
    return found


def layout_names_everything(case: Case) -> list[str]:
    """The layout of the table names every bet and every zone of the game."""
    path = case.game.folder / "layout.js"
    if not path.is_file():
        return ["layout.js is missing: its table cannot be drawn"]
    (written,) = run_node(_HERE / "layout_of.mjs", path)
    named = read_json(written, dict[str, list[str]])
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
