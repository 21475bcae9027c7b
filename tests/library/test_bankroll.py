"""`tapisvert.bankroll` and `tapis bankroll`: figures, pictures, refusals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

import tapisvert
from cli.typed import refused, typed
from tapisvert import extras
from tapisvert.engine.sheet import Sheet
from tapisvert.lab import bankroll as laws
from tapisvert.lab import mathematics, proof_store
from tapisvert.library.bankrolls import PERCENTILES
from tapisvert.odds.figures import Figure
from tapisvert.odds.parallel import Progress

FLUSH = {"casino-stud": "play.pays.flush", "ultimate": "blind.pays.flush"}
ASKED: dict[str, Any] = {"bankroll_cents": 10_000, "stake_cents": 500, "rounds": 60}


def found(game: str | Sheet = "casino-stud", **named: Any) -> tapisvert.Bankroll:
    return tapisvert.bankroll(game, **{**ASKED, **named})


def test_exact_figures_follow_from_the_proof() -> None:
    proved = tapisvert.prove("casino-stud").main
    one = found(rounds_per_hour=30)
    assert one.mean_cents == 60 * 500 * proved.edge
    assert one.loss_per_hour_cents == -30 * 500 * proved.edge
    assert one.n0 == proved.variance / proved.edge**2
    assert one.standard_deviation_cents == pytest.approx(500 * (60 * float(proved.variance)) ** 0.5)
    assert (one.exact, one.strategy, one.ruin_ever, one.goal_reached) == (False, "optimal", 1, None)
    assert 0 < one.error < 1e-10


def test_percentiles_are_results_of_the_law() -> None:
    one = found("blackjack")
    assert tuple(one.percentiles_cents) == PERCENTILES
    results = list(one.percentiles_cents.values())
    assert results == sorted(results)
    for share, result in one.percentiles_cents.items():
        assert (result / 250).denominator == 1  # steps of half a stake
        assert one.at_most(int(result) - 1) < share / 100 <= one.at_most(int(result))


def test_rounds_to_ruin_are_percentiles_of_the_players_ruined_within_the_rounds() -> None:
    """Asked for fewer rounds, so that ruin within them is known from another computation."""
    one = found(rounds=400)
    assert list(one.rounds_to_ruin) == [10, 25, 50, 75, 90]
    for share, taken in one.rounds_to_ruin.items():
        reached = found(rounds=taken).ruin / one.ruin
        before = found(rounds=taken - 1).ruin / one.ruin
        assert before < share / 100 <= reached
    assert one.cells()["rounds_to_ruin_50"] == one.rounds_to_ruin[50]


def test_a_changed_sheet_is_counted_and_takes_most_of_the_progress(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[float] = []
    sheet = tapisvert.sheet("casino-stud", play__pays__flush="7:1")
    shipped = mathematics.prove

    def counting(asked: Sheet, tell: Progress) -> list[Figure]:
        tell(1.0)
        told.append(-1.0)
        return shipped(asked, lambda done: None)

    monkeypatch.setattr(mathematics, "prove", counting)
    richer = found(sheet, progress=told.append)
    assert richer.mean_cents > found().mean_cents
    assert told[:2] == [pytest.approx(0.8), -1.0]
    assert told[-1] == 1.0


def test_ranges_hold_the_whole_law() -> None:
    for count in (1, 7, 40):
        ranges = found().bars(count)
        assert len(ranges) <= count
        assert sum(chance for _, _, chance in ranges) == pytest.approx(1, abs=1e-10)
        assert all(low <= high for low, high, _ in ranges)
    single = found(rounds=1).bars()
    assert single[0][:2] == (Fraction(-1500), Fraction(-1500))


def test_a_purse_between_two_steps_has_the_goal_and_the_ruin_above_it() -> None:
    whole = found(bankroll_cents=10_000, goal_cents=12_500)
    between = found(bankroll_cents=10_001, goal_cents=12_501)
    further = found(bankroll_cents=10_001, goal_cents=12_502)
    assert (whole.ruin, whole.goal_reached) == (between.ruin, between.goal_reached)
    assert further.goal_reached is not None
    assert whole.goal_reached is not None
    assert further.goal_reached < whole.goal_reached
    assert found(bankroll_cents=9_999).ruin > found().ruin


def test_bets_before_the_deal_are_ante_and_blind_at_ultimate() -> None:
    assert found("ultimate").opening_cents == 1000
    assert found("ultimate", strategy="never-fold").opening_cents == 1000
    assert found("casino-stud", strategy="always-play").opening_cents == 500


def test_a_purse_that_no_run_of_losses_can_empty_is_safe() -> None:
    safe = found(bankroll_cents=10**12)
    assert (safe.ruin, safe.mean_rounds_to_ruin, safe.rounds_to_ruin) == (0, None, {})


def test_the_missing_strategy_is_the_best_and_another_costs_more() -> None:
    assert found() == found(strategy="optimal")
    assert found(strategy="always-play").mean_cents < found().mean_cents


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ({"bankroll_cents": 499}, "bankroll/too_small"),
        ({"game": "ultimate", "bankroll_cents": 999}, "bankroll/too_small"),
        ({"goal_cents": 10_000}, "bankroll/goal"),
        ({"goal_cents": 9_999}, "bankroll/goal"),
        ({"rounds": 10**9}, "bankroll/rounds"),
        ({"rounds": laws.ROUNDS_MAX + 1}, "bankroll/rounds"),
        ({"rounds": 0}, "request/malformed"),
        ({"rounds": 2.5}, "request/malformed"),
        ({"rounds": True}, "request/malformed"),
        ({"rounds": 10**30}, "request/malformed"),
        ({"stake_cents": 0}, "request/malformed"),
        ({"stake_cents": "5"}, "request/malformed"),
        ({"bankroll_cents": -1}, "request/malformed"),
        ({"goal_cents": 1.5}, "request/malformed"),
        ({"rounds_per_hour": 0}, "request/malformed"),
        ({"strategy": "moon"}, "simulate/strategy"),
        ({"game": "roulette"}, "request/unknown_game"),
        ({"game": 7}, "request/unknown_game"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(named: dict[str, Any], code: str) -> None:
    with pytest.raises(tapisvert.Refused) as caught:
        found(**named)
    assert caught.value.code == code
    assert caught.value.message.endswith(".")


@pytest.mark.parametrize(
    ("game", "named", "code"),
    [
        ("casino-stud", {"bankroll_cents": 499}, "bankroll/too_small"),
        ("ultimate", {"bankroll_cents": 999}, "bankroll/too_small"),
        ("casino-stud", {"goal_cents": 10_000}, "bankroll/goal"),
        ("casino-stud", {"strategy": "moon"}, "simulate/strategy"),
    ],
)
def test_what_a_proof_cannot_make_right_is_refused_before_it_is_counted(
    game: str, named: dict[str, Any], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mathematics, "prove", lambda *_: pytest.fail("counted"))
    changed = tapisvert.sheet(game, void_after_s=3600, **{FLUSH[game]: "9:1"})
    with pytest.raises(tapisvert.Refused) as caught:
        found(changed, **named)
    assert caught.value.code == code


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "_found", "numba".__ne__)
    with pytest.raises(tapisvert.Refused) as caught:
        found()
    assert (caught.value.code, caught.value.details) == ("extra/missing", {"extra": "prove"})


def test_a_proof_without_outcomes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = proof_store.find(tapisvert.sheet("casino-stud"))
    bare = [msgspec.structs.replace(each, outcomes=()) for each in kept]
    monkeypatch.setattr(proof_store, "find", lambda sheet: bare)
    with pytest.raises(tapisvert.Refused, match="bankroll/no_outcomes"):
        found()


def test_a_value_shows_as_a_table_with_a_picture() -> None:
    one = found(goal_cents=20_000)
    shown = one._repr_html_()
    assert "<table>" in shown
    assert "<svg" in shown
    assert repr(one).startswith("Bankroll(casino-stud, optimal, 60 rounds: ruin 0.")


WORDS = ("bankroll", "casino-stud", "--bankroll", "100", "--stake", "5", "--rounds", "60")


def test_the_command_prints_figures_json_and_a_picture(tmp_path: Path) -> None:
    path, pixels = tmp_path / "law.svg", tmp_path / "new" / "law.png"
    one = found(goal_cents=20_000)
    told = typed(*WORDS, "--goal", "200", "--svg", path, "--png", pixels)
    assert (told.returncode, told.stderr) == (0, "")
    assert f"{100 * one.ruin:.6f} %" in told.stdout
    assert "what the purse lacks is lent" in told.stdout
    assert ElementTree.fromstring(path.read_text(encoding="utf-8")).tag.endswith("svg")
    assert pixels.read_bytes() == one.png()
    assert [each.name for each in pixels.parent.iterdir()] == ["law.png"]
    written = msgspec.json.decode(typed(*WORDS, "--goal", "200", "--json").stdout)
    assert (written["ruin"], written["exact"], written["error"]) == (one.ruin, False, one.error)
    assert Fraction(written["mean_cents"]) == one.mean_cents
    assert Fraction(written["percentiles_cents"]["50"]) == one.percentiles_cents[50]
    assert written["rounds_to_ruin"] == {str(key): n for key, n in one.rounds_to_ruin.items()}
    assert len(written["law"]) == len(one.bars())


def test_the_command_changes_the_sheet_as_prove_does() -> None:
    sheet = tapisvert.sheet("casino-stud", play__pays__flush="7:1")
    told = typed(*WORDS, "--set", "play.pays.flush=7:1", "--json")
    written = msgspec.json.decode(told.stdout)
    assert Fraction(written["mean_cents"]) == 60 * 500 * tapisvert.prove(sheet).main.edge


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--rounds", "1000000000"), "bankroll/rounds"),
        (("--rounds", "0"), "request/malformed"),
        (("--bankroll", "4.99"), "bankroll/too_small"),
        (("--goal", "100"), "bankroll/goal"),
        (("--strategy", "moon"), "simulate/strategy"),
        (("--svg", "/dev/null/law.svg"), "store/unwritable"),
        (("--png", "/dev/null/law.png"), "store/unwritable"),
        (("--set", "play.pays.moon=6:1"), "sheet/unknown_key"),
        (("--set", "play.pays.flush"), "prove/contradiction"),
    ],
    ids=str,
)
def test_the_command_refuses_bad_input_in_a_sentence(words: tuple[str, ...], code: str) -> None:
    assert refused(typed(*WORDS, *words))[1] == code


def test_an_amount_that_is_none_is_refused() -> None:
    told = typed(*WORDS, "--stake", "five")
    assert (told.returncode, told.stdout) == (2, "")
    assert "is not an amount such as 25 or 12.50" in told.stderr


@pytest.mark.parametrize(
    "interrupted", ["tapisvert.lab.mathematics.prove", "tapisvert.lab.ruin.after"]
)
def test_an_interrupted_command_leaves_no_picture(
    interrupted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the changed sheet is proved, and while its bankroll is computed."""

    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(interrupted, pressed)
    change = ("--set", "play.pays.flush=7:1") if interrupted.endswith("prove") else ()
    told = typed(*WORDS, *change, "--png", tmp_path / "new" / "law.png")
    assert (told.returncode, told.stdout) == (130, "")
    assert list(tmp_path.iterdir()) == []
