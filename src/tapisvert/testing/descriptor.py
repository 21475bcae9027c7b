"""Checks of a game's descriptor and files: complete, valid, and fast to import."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec

from tapisvert.cards import parse
from tapisvert.engine import events as ev
from tapisvert.engine.sheet_file import load_body, load_file
from tapisvert.games.completeness import FILES, Incomplete, check
from tapisvert.refusal import Refused
from tapisvert.testing.case import MAIN, Case, main_spots, side_bets
from tapisvert.testing.random_rounds import rounds_of
from tapisvert.words import LANGUAGES

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_HEAVY = ("numpy", "numba")
_LOADED = """\
import sys
from importlib import import_module
from importlib.metadata import entry_points
import_module(sys.argv[1])
print(*(name for name in sys.argv[2:] if name in sys.modules))
"""


def files_are_there(case: Case) -> list[str]:
    """Every required file is in the folder, and a server accepts the game."""
    game = case.game
    wanted = [*FILES, "chart.json", *(f"words/{each}.toml" for each in LANGUAGES)]
    found = [f"{name} is missing" for name in wanted if not (game.folder / name).is_file()]
    if find_spec(game.odds) is None:
        found.append(f"its mathematics, {game.odds}, is not there")
    try:
        check(game, game.id)
    except Incomplete as error:
        if str(error) not in found:
            found.append(str(error))
    return found


def descriptor_is_complete(case: Case) -> list[str]:
    """The fields of GAME agree with each other and with the sheet."""
    game, sheet = case.game, case.sheet
    found = []
    if not _ID.fullmatch(game.id):
        found.append(f"the id {game.id!r} is not lower-case words joined by hyphens")
    if sheet.game_id != game.id:
        found.append(f"the sheet is of {sheet.game_id!r}")
    if not _ID.fullmatch(game.clauses):
        found.append(f"the prefix of its clauses, {game.clauses!r}, is not a lower-case word")
    numbers = [each.number for each in game.editions]
    if not numbers or numbers != list(range(1, len(numbers) + 1)):
        found.append(f"its editions are numbered {numbers}, not from 1 on")
    for name in ("bets", "strategies", "hand_order"):
        if not getattr(game, name):
            found.append(f"GAME.{name} is empty")
        elif len(set(getattr(game, name))) != len(getattr(game, name)):
            found.append(f"GAME.{name} names something twice")
    for strategy in game.blind:
        if strategy not in game.strategies:
            found.append(f"GAME.blind names {strategy!r}, which is not one of GAME.strategies")
    if game.bets and next(iter(game.bets)) != MAIN:
        found.append(f"the first of GAME.bets must be called {MAIN!r}")
    try:
        if len({parse(card) for card in game.fan}) != 5:
            found.append("GAME.fan is not five different cards")
    except ValueError as error:
        found.append(f"GAME.fan: {error}")
    return found


def sheet_is_stable(case: Case) -> list[str]:
    """The shipped sheet loads, and its hash does not depend on how it is loaded."""
    game = case.game
    try:
        again = load_file(game.folder / "sheet.toml", game.sheet_type)
        stored = load_body(case.sheet.body, game.sheet_type)
    except Refused as refusal:
        return [f"its sheet does not load: {refusal}"]
    found = []
    if not case.sheet.hash == again.hash == stored.hash:
        found.append("the hash of its sheet changes when the sheet is loaded again")
    if not re.fullmatch("[0-9a-f]{64}", case.sheet.hash):
        found.append("the hash of its sheet is not 64 hexadecimal digits")
    return found


def import_is_light(case: Case) -> list[str]:
    """Importing GAME in a fresh process loads neither NumPy nor Numba."""
    module = case.game.odds.rpartition(".")[0]
    asked = [sys.executable, "-c", _LOADED, module, *_HEAVY]
    ran = subprocess.run(asked, capture_output=True, text=True, check=False)
    if ran.returncode:
        last = ran.stderr.strip().splitlines()[-1:] or ["no message"]
        return [f"{module} cannot be imported in a fresh process: {last[0]}"]
    return [f"importing {module} loads {name}" for name in ran.stdout.split()]


def cards_dealt_as_said(case: Case) -> list[str]:
    """Every round deals GAME.cards_dealt cards; if it is None, the numbers differ."""
    counts = set()
    for played in rounds_of(case, "cards dealt", max(50, case.rounds // 50)):
        events = played.end.events
        counts.add(sum(len(event.cards) for event in events if isinstance(event, ev.Dealt)))
    said = case.game.cards_dealt
    if counts == {said} or (said is None and len(counts) > 1):
        return []
    return [f"GAME.cards_dealt is {said}, but rounds deal {', '.join(map(str, sorted(counts)))}"]


def bets_are_proved(case: Case) -> list[str]:
    """Every bet of the layout has a proof, or is part of the main one."""
    game, sheet = case.game, case.sheet
    found = []
    if not main_spots(sheet):
        found.append("no spot of the layout is a main one")
    main = next(iter(game.bets), None)
    for spot in side_bets(sheet):
        if spot not in game.bets:
            found.append(f"GAME.bets does not name {spot!r}, a side bet of the layout")
    known = {*side_bets(sheet), main}
    for bet in game.bets:
        if bet not in known:
            found.append(f"GAME.bets names {bet!r}, which is no spot of the layout")
    kept = {proof.bet for proof in case.proofs}
    for bet in game.bets:
        if bet not in kept:
            found.append(f"no kept proof of {bet!r} holds for the shipped sheet")
    return found
