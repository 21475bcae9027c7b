"""F2: the enumeration includes every command; a new one must be added before this passes."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

import tapisvert
from crash.game_scenes import GAMES, turns
from crash.reference import all_scenes
from golden.golden import CASES, play, round_of
from tapisvert.engine.events import Asked
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.operations.operator_commands import OperatorCommands
from tapisvert.rounds import PlayerService

SOURCE = Path(tapisvert.__file__).parent
# Public methods that write nothing, or only run the others.
NO_COMMANDS = {
    PlayerService: {"query", "games", "game", "drawing", "shared"},
    OperatorCommands: {"player", "stopped", "events", "jackpots", "once"},
    Housekeeping: {"now_ms", "run", "stop"},
}
# Every place that writes to the store. All but one run commands of the three classes above.
WRITERS = {
    "rounds/groups.py _done",  # that dealing failed, where the record of it was undone
    "rounds/groups.py _begin",  # the commands of players: seat, open, choose, more play money
    "rounds/player_service.py guest",
    "rounds/player_service.py mark_seen",
    "rounds/player_service.py choose_rules",
    "rounds/player_service.py change",  # what is no money and no round: practice
    "operations/housekeeping.py fold",
    "operations/housekeeping.py sweep",
    "operations/housekeeping.py seal",
    "operations/housekeeping.py watch_clock",
    "rounds/audit_trail.py start_audit_trail",  # the first start: tests/store/test_keys.py
    "operations/operator_service.py command",
    "operations/operator_service.py once",
    "operations/key_rotation.py replace_key",  # every server is stopped: tests/store/test_books.py
    "store/outage.py write",  # passes the others on
}


def commands_of(kind: type, others: set[str]) -> set[str]:
    """Return the commands of a class, with its name."""
    public = [name for name, _ in inspect.getmembers(kind, inspect.isfunction) if name[0] != "_"]
    return {f"{kind.__name__}.{name}" for name in public if name not in others}


def writers(path: Path, source: str) -> set[str]:
    """Return the functions of a module that write to a store."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("store.write"):
                    found.add(f"{path.as_posix()} {node.name}")
    return found


def test_F2_every_public_command_of_house_office_and_keeper_is_enumerated() -> None:
    there = set().union(*(commands_of(kind, others) for kind, others in NO_COMMANDS.items()))
    assert {scene.command for scene in all_scenes()} == there


def test_F2_nothing_else_writes_to_the_store() -> None:
    files = [path.relative_to(SOURCE) for path in SOURCE.rglob("*.py")]
    found = set().union(*(writers(path, (SOURCE / path).read_text("utf-8")) for path in files))
    assert found == WRITERS


def test_F2_a_new_command_would_be_noticed() -> None:
    """Control: a method and a function that are not enumerated."""

    class Richer(OperatorCommands):
        def give_bonus(self) -> None:
            """Give money away."""

    assert commands_of(Richer, NO_COMMANDS[OperatorCommands]) - commands_of(
        OperatorCommands, NO_COMMANDS[OperatorCommands]
    ) >= {"Richer.give_bonus"}
    new = "def bonus(house):\n    return house.store.write(lambda tx: tx.run('UPDATE'))\n"
    assert writers(Path("rounds/bonus.py"), new) == {"rounds/bonus.py bonus"}


@pytest.mark.parametrize("game", GAMES)
def test_F2_every_option_of_the_shipped_tables_is_chosen_in_a_scene(game: str) -> None:
    """The golden rounds walk every branch of the scripts, so they offer every option."""
    offered = set()
    for case in [each for each in CASES[game].values() if not each.changes]:
        golden, sheet = round_of(game, case)
        for answered in range(len(golden.choices)):
            question = play(golden, sheet, answered).waiting
            assert isinstance(question, Asked)
            for option in question.options:
                if option.why_not is None:
                    name = "two cards" if game == "pai-gow" else option.id
                    offered.add((question.key, name))
    assert offered
    assert offered <= {(kind.asked, kind.chosen) for kind in turns(game)}


def test_F2_a_scene_has_a_name_of_its_own() -> None:
    names = [scene.name for scene in all_scenes()]
    assert len(names) == len(set(names))
