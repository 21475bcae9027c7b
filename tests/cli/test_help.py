"""The help of commands: it fits a terminal, cuts nothing short, and costs little to load."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator, Mapping

import pytest
from click import Argument, Command, Group

from cli import typed
from tapisvert.cli.app import app


def pages(commands: Mapping[str, Command], *before: str) -> Iterator[tuple[str, ...]]:
    for name, each in commands.items():
        yield (*before, name)
        if isinstance(each, Group):
            yield from pages(each.commands, *before, name)


def command_of(words: tuple[str, ...]) -> Command:
    found: Command = app
    for word in words:
        assert isinstance(found, Group)
        found = found.commands[word]
    return found


def is_group(words: tuple[str, ...]) -> bool:
    return isinstance(command_of(words), Group)


def letters(text: str) -> str:
    """Return a text without spaces, the borders of panels and the marks of code."""
    return "".join(text.replace("│", "").replace("`", "").split())


@pytest.mark.parametrize("words", [(), *pages(app.commands)], ids=" ".join)
def test_help_fits_80_columns_and_cuts_nothing(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(typed.WIDTH, "COLUMNS", "80")
    told = typed.typed(*words, "--help")
    assert (told.returncode, told.stderr) == (0, "")
    assert "\x1b" not in told.stdout  # it is no terminal
    assert max(map(len, told.stdout.splitlines())) <= 80
    command = command_of(words)
    assert letters(inspect.cleandoc(command.help or "")) in letters(told.stdout)
    for each in command.params:
        names = [each.human_readable_name] if isinstance(each, Argument) else each.opts
        assert all(name in told.stdout for name in names)


def test_help_says_of_every_command_what_it_does() -> None:
    told = letters(typed.typed("--help").stdout)
    for name, each in app.commands.items():
        summary = inspect.cleandoc(each.help or "").partition("\n\n")[0]
        assert letters(name + summary) in told


def test_a_group_without_a_command_shows_its_help() -> None:
    alone, asked = typed.typed("jackpot"), typed.typed("jackpot", "--help")
    assert (alone.returncode, alone.stdout, alone.stderr) == (2, asked.stdout, "")


def test_the_command_line_loads_neither_rich_nor_a_game() -> None:
    code = (
        "import sys, tapisvert.cli; found = sys.modules.keys();"
        "print(*({'rich', 'numpy', 'uvicorn', 'tapisvert.games.registry'} & found))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []
