"""The kit as a command and as a pytest plugin: output, exit code, tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from kit.planting import ROOT, STUD, Planter
from tapisvert.cli.app import app
from tapisvert.games.registry import GAMES
from tapisvert.testing.case import Case, NotRun, project_of
from tapisvert.testing.kit import CHECKS, case_of, check_game, run_check
from tapisvert.testing.plugin import assert_passes
from tapisvert.testing.plugin import check_game as cases_of
from tapisvert.words import catalogue

test_some_checks_of_casino_stud = cases_of(STUD, rounds=50, checks=("files", "sheet", "clauses"))


def asked(*arguments: str) -> tuple[int, str]:
    ran = CliRunner().invoke(app, ["check-game", *arguments])
    return ran.exit_code, ran.output


def test_the_command_prints_a_line_for_each_check() -> None:
    code, printed = asked(STUD, "--rounds", "50", "--check", "files", "--check", "every-value")
    assert (code, printed.splitlines()) == (
        0,
        [
            "ok       files",
            "NOT RUN  every-value: every position is summed with --full alone",
        ],
    )


def test_the_exit_code_of_a_finding_is_1(planter: Planter) -> None:
    planter.game(STUD, cards_dealt=9)
    code, printed = asked(STUD, "--rounds", "50", "--check", "cards-dealt")
    told = "WRONG    cards-dealt: casino-stud: GAME.cards_dealt is 9, but rounds deal 10"
    assert (code, printed.strip()) == (1, told)


def test_an_unknown_check_and_a_folder_that_is_not_there_are_refused() -> None:
    assert asked(STUD, "--check", "nope")[0] == 2
    assert asked(STUD, "--project", "/nowhere/at/all")[0] == 2


def test_help_has_an_example() -> None:
    code, printed = asked("--help")
    assert code == 0
    assert "tapis check-game casino-stud" in printed


def test_the_page_of_the_kit_lists_every_check() -> None:
    page = (ROOT / "docs" / "check-game.md").read_text(encoding="utf-8")
    listed = page.partition("## Checks")[2].partition("## Planted")[0]
    assert re.findall(r"^\| `([\w-]+)` \|", listed, re.MULTILINE) == list(CHECKS)


def test_the_page_of_words_lists_the_letters_of_the_table() -> None:
    page = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
    listed = re.findall(r"`((?:[A-Z] )+[A-Z])` are the table's", page)
    keys = catalogue("en").templates
    letters = sorted(key[-1] for key in keys if re.fullmatch("shortcut[.][A-Z]", key))
    assert listed == [" ".join(letters)]


def test_without_a_project_its_checks_say_so(planter: Planter) -> None:
    planter.folder(STUD)  # a game that no repository around it ships
    case = case_of(STUD, rounds=50)
    assert project_of(GAMES[STUD], None) is None
    without = [each.check for each in check_game(case, ("clauses", "golden")) if each.not_run]
    assert without == ["clauses", "golden"]
    assert run_check("golden-rows", case).line.startswith("NOT RUN  golden-rows: ")


def test_whatever_the_code_of_a_game_raises_is_a_finding(
    planter: Planter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Case) -> list[str]:
        raise ZeroDivisionError("in\nthe odds")

    monkeypatch.setitem(CHECKS, "sheet", broken)
    line = broken.__code__.co_firstlineno + 1
    told = f"WRONG    sheet: {STUD}: the check fails: ZeroDivisionError: in the odds"
    assert run_check("sheet", case_of(STUD, rounds=50)).line == told
    planter.game(STUD, folder=Path(__file__).parents[1])
    place = f"{told} (kit/test_running.py, line {line})"
    assert run_check("sheet", case_of(STUD, rounds=50)).line == place


def test_a_check_without_what_it_needs_is_skipped_and_a_finding_fails(
    planter: Planter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_node(_: Case) -> list[str]:
        raise NotRun("node is not installed")

    monkeypatch.setitem(CHECKS, "certificate", no_node)
    with pytest.raises(pytest.skip.Exception, match="node is not installed"):
        assert_passes("certificate", case_of(STUD, rounds=50))
    planter.game(STUD, fan=())
    with pytest.raises(AssertionError, match="is not five different cards"):
        assert_passes("descriptor", case_of(STUD, rounds=50))
