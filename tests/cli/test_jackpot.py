"""`tapis jackpot`: opened, shown, changed, rated, stopped, from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tapisvert.cli.app import app
from tapisvert.cli.serving import open_house
from tapisvert.refusal import Refused


@pytest.fixture
def database(tmp_path: Path) -> str:
    path = tmp_path / "tapis.db"
    open_house(path).store.close()
    return f"sqlite:///{path}"


def tapis(database: str, *words: str) -> Any:
    """Run a command; return what it printed."""
    ran = CliRunner().invoke(app, [*words, "--database", database], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return json.loads(ran.stdout)


def refused(database: str, *words: str) -> str:
    """Return the code a command is refused with."""
    ran = CliRunner().invoke(app, [*words, "--database", database])
    assert isinstance(ran.exception, Refused), ran.output
    return ran.exception.code


def test_a_jackpot_is_opened_shown_changed_and_rated(database: str) -> None:
    assert tapis(database, "jackpot", "show") == []
    opened = tapis(database, "jackpot", "open", "blackjack", "--currency", "CAD")
    assert (opened["pot"], opened["currency"], opened["epoch"]) == ("blackjack", "CAD", 1)
    assert opened["held_units"] == opened["shown_units"] == 200_000_000_000
    changed = tapis(
        database, "jackpot", "set", "--reset", "25000.50", "--contribution", "22.5",
        "--reason", "licence",
    )  # fmt: skip
    assert (changed["reset_cents"], changed["next_reset_cents"]) == (2_000_000, 2_500_050)
    assert (changed["contribution"], changed["next_contribution"]) == ("2030843:10000000", "9:40")
    rated = tapis(database, "jackpot", "rate", "EUR", "1.4700")
    assert rated["rates"] == {"EUR": "1.4700"}
    assert tapis(database, "jackpot", "rate", "EUR", "1.48")["rates"] == {"EUR": "1.48"}
    stopped = tapis(database, "stop", "jackpot:blackjack", "--reason", "meter is checked")
    assert list(stopped) == ["jackpot:blackjack"]
    (shown,) = tapis(database, "jackpot", "show")
    assert (shown["stopped"], shown["difference_units"]) == ("meter is checked", 0)
    assert tapis(database, "resume", "jackpot:blackjack", "--reason", "checked") == {}
    kinds = [event["kind"] for event in tapis(database, "events")]
    assert kinds == [
        *("resumed", "stopped", "rate_set", "rate_set", "jackpot_changed", "jackpot_opened"),
    ]


def test_what_cannot_be_is_refused_by_name(database: str) -> None:
    assert refused(database, "jackpot", "open", "ultimate", "--currency", "CAD") == (
        "jackpot/unknown"
    )
    assert refused(database, "jackpot", "open", "roulette", "--currency", "CAD") == (
        "jackpot/unknown"
    )
    assert refused(database, "jackpot", "rate", "EUR", "1.47") == "jackpot/unknown"
    tapis(database, "jackpot", "open", "--currency", "CAD")
    assert refused(database, "jackpot", "open", "--currency", "CAD") == "jackpot/exists"
    assert refused(database, "jackpot", "rate", "EUR", "1,47") == "jackpot/rate"
    assert refused(database, "jackpot", "set", "--contribution", "100", "--reason", "x") == (
        "jackpot/figures"
    )
    assert refused(database, "jackpot", "set", "--reset", "1", "--reason", " ") == (
        "operator/reason"
    )


def test_a_change_of_nothing_is_no_command(database: str) -> None:
    ran = CliRunner().invoke(app, ["jackpot", "set", "--reason", "x", "--database", database])
    assert ran.exit_code == 2
    assert "--reset" in ran.output
