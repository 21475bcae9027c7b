"""`tapis jackpot`: open, show, set, rate, and stop from the command line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.typed import Desk, typed
from tapisvert.games import registry


def test_a_jackpot_is_opened_shown_changed_and_rated(desk: Desk) -> None:
    assert desk.say("jackpot", "show") == []
    opened = desk.say("jackpot", "open", "blackjack", "--currency", "CAD")
    assert (opened["pot"], opened["currency"], opened["epoch"]) == ("blackjack", "CAD", 1)
    assert opened["held_units"] == opened["shown_units"] == 200_000_000_000
    figures = ("--reset", "25000.50", "--contribution", "22.5")
    changed = desk.say("jackpot", "set", *figures, "--reason", "licence")
    assert (changed["reset_cents"], changed["next_reset_cents"]) == (2_000_000, 2_500_050)
    assert (changed["contribution"], changed["next_contribution"]) == ("2030843:10000000", "9:40")
    rated = desk.say("jackpot", "rate", "EUR", "1.4700")
    assert rated["rates"] == {"EUR": "1.4700"}
    assert desk.say("jackpot", "rate", "EUR", "1.48")["rates"] == {"EUR": "1.48"}
    stopped = desk.say("stop", "jackpot:blackjack", "--reason", "meter is checked")
    assert list(stopped) == ["jackpot:blackjack"]
    (shown,) = desk.say("jackpot", "show")
    assert (shown["stopped"], shown["difference_units"]) == ("meter is checked", 0)
    assert desk.say("resume", "jackpot:blackjack", "--reason", "checked") == {}
    kinds = [event["kind"] for event in desk.say("events")]
    assert kinds == [
        *("resumed", "stopped", "rate_set", "rate_set", "jackpot_changed", "jackpot_opened")
    ]


def test_what_cannot_be_is_refused_by_name(desk: Desk) -> None:
    for game in ("ultimate", "roulette"):
        assert desk.refused("jackpot", "open", game, "--currency", "CAD") == "jackpot/unknown"
    assert desk.refused("jackpot", "rate", "EUR", "1.47") == "jackpot/unknown"
    desk.say("jackpot", "open", "--currency", "CAD")
    assert desk.refused("jackpot", "open", "--currency", "CAD") == "jackpot/exists"
    assert desk.refused("jackpot", "rate", "EUR", "1,47") == "jackpot/rate"
    set_ = ("jackpot", "set", "--reason")
    assert desk.refused(*set_, "x", "--contribution", "100") == "jackpot/figures"
    assert desk.refused(*set_, " ", "--reset", "1") == "operator/reason"


def test_a_change_of_nothing_is_no_command(desk: Desk) -> None:
    told = desk.run("jackpot", "set", "--reason", "x", code=2)
    assert "--reset" in told.stderr


def test_the_game_may_be_left_out_where_only_one_has_a_pot(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening = ("jackpot", "open", "--currency", "CAD")
    assert "[default: blackjack]" in desk.run("jackpot", "open", "--help").stdout
    patched = replace(desk, way=typed)  # what is patched is patched in this process alone
    for offered in (("casino-stud", "ultimate"), ("blackjack", "ultimate", "blackjack")):
        monkeypatch.setattr(registry, "OFFERED", offered)
        assert "name the game" in patched.run(*opening, code=2).stderr
    monkeypatch.undo()
    assert desk.say(*opening)["pot"] == "blackjack"
