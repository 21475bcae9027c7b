"""The description of a table: every spot with its limits, from the sheet in force."""

from __future__ import annotations

import msgspec

from tapisvert.engine.sheet import content
from tapisvert.engine.sheet_file import with_changes
from tapisvert.rounds.game_catalogue import (
    GameView,
    ReturnView,
    SpotView,
    game_view,
    returns,
    spots,
)
from tapisvert.sheets import load


def test_limits_are_shown_as_multiples_of_the_step() -> None:
    changes = {"step_cents": 200, "spots.ante.min_cents": 300, "spots.ante.max_cents": 999}
    ante, bonus = spots(with_changes(load("casino-stud"), changes))
    assert ante == SpotView("ante", 400, 800, 200, False, (), None, True)
    assert bonus == SpotView("bonus", 200, 10_000, 200, False, ("ante",), None, False)


def test_a_spot_that_takes_one_amount_only_is_fixed() -> None:
    hand_1, hand_2, royal = spots(load("blackjack"))
    assert (royal.id, royal.min, royal.max, royal.fixed) == ("royal", 100, 100, True)
    assert (hand_1.fixed, hand_2.fixed) == (False, False)


def test_a_spot_says_which_other_it_equals() -> None:
    shown = {spot.id: spot.equals for spot in spots(load("ultimate"))}
    assert shown["blind"] == "ante"
    assert shown["ante"] is None


def test_G7_the_returns_shown_are_the_kept_proofs() -> None:
    sheet = load("casino-stud")
    shown = returns(sheet, None)
    main, bonus = (
        next(each for each in shown if (each.bet, each.strategy) == asked)
        for asked in (("main", "optimal"), ("bonus", "none"))
    )
    assert main.exact
    assert (main.edge, main.returned[:8]) == ("-142031221/2718662100", "0.974447")
    assert bonus.staked == "1/1"


def test_a_game_is_described_by_its_sheet() -> None:
    sheet = load("casino-stud")
    assert game_view(sheet) == GameView(
        id="casino-stud",
        edition=1,
        sheet_hash=sheet.hash,
        sheet=content(sheet),
        spots=spots(sheet),
        void_after_s=2_592_000,
        returns=returns(sheet, None),
    )


def test_a_return_is_called_so() -> None:
    said = msgspec.to_builtins(ReturnView("main", "optimal", True, "-1/2", "1/1", "0.500000000000"))
    assert said["return"] == "0.500000000000"
    assert "returned" not in said
