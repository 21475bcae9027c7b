"""The public surface: what `import tapisvert` gives, all of it documented and nothing private."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from fractions import Fraction
from math import comb
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import tapisvert
from tapisvert.lab import mathematics
from tapisvert.lab.cluster_work import SweptBet
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.ranking.standard import strength
from tapisvert.strategies.record import MistakeRecord, RuleRecord

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"
DECK = [rank + suit for suit in "shdc" for rank in "AKQJT98765432"]
HEAVY = ("numpy", "numba", "litestar", "tapisvert.library", "tapisvert.games.registry")


def refusal(call: Any, *given: Any, **named: Any) -> tapisvert.Refused:
    with pytest.raises(tapisvert.Refused) as caught:
        call(*given, **named)
    return caught.value


def test_the_tutorial_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 20
    assert found.failed == 0


def leaked(module: ModuleType) -> set[str]:
    """Return the names in a module that are not public; its submodules do not count."""
    return {
        name
        for name, value in vars(module).items()
        if name not in (*module.__all__, "__getattr__", "__dir__", "__all__", "__version__")
        and not (inspect.ismodule(value) and value.__name__ == f"{module.__name__}.{name}")
    } - vars(ModuleType("empty")).keys()


def test_nothing_private_is_in_the_package() -> None:
    made_by_python = {"__file__", "__path__", "__builtins__", "__cached__"}
    assert leaked(tapisvert) == made_by_python
    assert set(dir(tapisvert)) == {*tapisvert.__all__, "__version__"}


def test_a_name_that_leaks_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    before = leaked(tapisvert)
    monkeypatch.setattr(tapisvert, "TYPE_CHECKING", False, raising=False)
    monkeypatch.setattr(tapisvert, "_words", {}, raising=False)
    assert leaked(tapisvert) - before == {"TYPE_CHECKING", "_words"}


def test_every_public_name_is_loaded_documented_and_has_types() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name in tapisvert.__all__:
        found = getattr(tapisvert, name)
        assert found.__doc__, name
        if inspect.isfunction(found):
            assert "return" in found.__annotations__
        assert re.search(rf"`(tapisvert\.)?{name}\b", page), f"docs/python.md lacks {name}"


def test_the_tutorial_uses_public_names_only() -> None:
    page = PAGE.read_text(encoding="utf-8")
    used = set(re.findall(r"\btapisvert\.([A-Za-z_]+)", page))
    assert used <= set(tapisvert.__all__)
    assert {"games", "prove", "Refused"} <= used


# Classes of a result that are not of this package, or are parts of a file (docs/strategies.md).
NOT_OURS = {"Any", "Cell", "Fraction", "Mapping", "NDArray", "None", "Published", "Source"}


def test_what_public_functions_and_values_return_is_public_too() -> None:
    for name in tapisvert.__all__:
        found = getattr(tapisvert, name)
        if not found.__module__.startswith("tapisvert.library"):
            continue
        given = vars(found).items() if inspect.isclass(found) else [(name, found)]
        for attribute, each in given:
            function = each.fget if isinstance(each, property) else each
            if inspect.isfunction(function) and not attribute.startswith("_"):
                written = str(function.__annotations__["return"])
                named = set(re.findall(r"\b[A-Z]\w+", written)) - NOT_OURS
                assert named <= set(tapisvert.__all__), (name, attribute)


def test_a_name_that_is_not_public_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'secrets'"):
        tapisvert.secrets  # noqa: B018


def test_importing_the_package_loads_nothing_heavy() -> None:
    program = f"import sys, tapisvert; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_games_is_a_function_also_where_its_package_was_imported_first() -> None:
    program = "import tapisvert.games.registry; print(len(tapisvert.games()) >= 5)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_games_is_a_function_and_stays_a_package() -> None:
    import tapisvert.games.registry

    listed = {game.id: game for game in tapisvert.games()}
    assert listed.keys() == tapisvert.games.registry.GAMES.keys()  # type: ignore[attr-defined]
    assert listed["ultimate"].bets[0] == "main"
    assert "wait-for-the-river" in listed["ultimate"].strategies


@pytest.mark.parametrize("game", ["casino-stud", "ultimate", "pai-gow", "blackjack"])
def test_figures_are_fractions_that_follow_from_the_outcomes(game: str) -> None:
    for bet in tapisvert.prove(game).bets:
        if bet.outcomes:
            assert sum(each.probability for each in bet.outcomes) == 1
            mean = sum(each.probability * each.net for each in bet.outcomes)
            square = sum(each.probability * each.net**2 for each in bet.outcomes)
            assert bet.edge == mean
            assert bet.staked == sum(each.probability * each.staked for each in bet.outcomes)
            if bet.bet != "royal":  # the pot is not always the same
                assert bet.variance == square - mean**2
            assert bet.hit == sum(each.probability for each in bet.outcomes if each.net > 0)
        assert bet.returned == 1 + bet.edge / bet.staked
        assert f"{float(bet.returned):.9f}" == f"{float(bet.record.returned):.9f}"


def coin(sheet: object, tell: object) -> list[Figure]:
    """Count nothing: two bets on a coin, the first by two strategies."""
    ends = [Outcome("won", 1, Fraction(1)), Outcome("lost", 1, Fraction(-1))]
    names = (("main", "optimal"), ("bonus", "none"), ("main", "always-play"))
    return [counted(bet, strategy, 2, ends) for bet, strategy in names]


def test_a_sheet_without_a_proof_is_counted_and_a_shipped_one_when_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mathematics, "prove", coin)
    shipped = tapisvert.prove("casino-stud").main.deals
    assert shipped == comb(52, 5) * 47 * comb(46, 4)
    assert tapisvert.prove("casino-stud", kept=False).main.deals == 2
    changed = tapisvert.sheet("casino-stud", play__pays__flush="7:1")
    order = [(each.bet, each.strategy) for each in tapisvert.prove(changed).bets]
    assert order == [("main", "optimal"), ("bonus", "none"), ("main", "always-play")]


def test_hands_are_ranked_alike_from_texts_lists_and_arrays() -> None:
    texts = ["As Kd Qh 5c 3d", "9c 9d 9h 2s 2c", "Ts 9s 8s 7s 6s"]
    cards = np.array([[51, 45, 42, 12, 5], [28, 29, 30, 3, 0], [35, 31, 27, 23, 19]])
    expected = [strength(row) for row in cards.tolist()]
    for hands in (texts, [text.split() for text in texts], cards, cards.astype(np.uint8)):
        assert tapisvert.rank(hands).tolist() == expected
    assert tapisvert.rank("As Kd Qh 5c 3d").tolist() == expected[:1]


@pytest.mark.parametrize(
    ("hands", "order", "reason"),
    [
        (np.array([[1.0, 2, 3, 4, np.nan]]), "standard", "a card is a whole number"),
        (np.array([[1.5, 2, 3, 4, 5]]), "standard", "a card is a whole number"),
        ([[0, 1, 2, 3, 52]], "standard", "from 0 to 51"),
        ([[0, 1, 2, 3, -1]], "standard", "from 0 to 51"),
        ([[0, 1, 2, 3, 3]], "standard", "a card twice"),
        (["As Kd"], "standard", "rows of 5 or 6 or 7 cards"),
        (["As Kd", "As"], "pai-gow-low", ""),
        (["As 10d"], "pai-gow-low", "not a card: '10d'"),
        ([[None, 1]], "pai-gow-low", "a card is a whole number"),
        (["As Kd Qh 5c 3d"], "by-the-moon", "the order must be one of standard"),
        (7, "standard", "rows of 5 or 6 or 7 cards"),
    ],
)
def test_hands_that_are_none_are_refused(hands: Any, order: str, reason: str) -> None:
    refused = refusal(tapisvert.rank, hands, order=order)
    assert refused.code == "hands/invalid"
    assert reason in refused.message


def test_bad_input_is_a_refusal_with_a_sentence() -> None:
    cases = [
        (refusal(tapisvert.sheet, "nope"), "request/unknown_game"),
        (refusal(tapisvert.prove, 7), "request/unknown_game"),
        (refusal(tapisvert.sheet, "casino-stud", play__pays__moon="6:1"), "sheet/unknown_key"),
        (refusal(tapisvert.sheet, "casino-stud", play__pays__flush="moon"), "sheet/invalid"),
        (refusal(tapisvert.simulate, "casino-stud", 0), "request/malformed"),
        (refusal(tapisvert.simulate, "casino-stud", 10**11), "request/malformed"),
        (refusal(tapisvert.simulate, "casino-stud", 5, strategy="moon"), "simulate/strategy"),
        (refusal(tapisvert.simulate, "casino-stud", 5, seed=-1), "request/malformed"),
        (refusal(tapisvert.advise, {"game": "casino-stud"}), "request/malformed"),
        (refusal(tapisvert.replay, "casino-stud", [], {"ante": 1000}), "deck/invalid"),
        (refusal(tapisvert.replay, "casino-stud", DECK, {"ante": 1}), "stake/under_limit"),
        (refusal(tapisvert.verify, "no/such/file.json"), "proof/unreadable"),
        (refusal(tapisvert.verify, b"[]"), "proof/unreadable"),
        (refusal(tapisvert.verify, {}), "proof/unreadable"),
        (refusal(tapisvert.prove("casino-stud").bet, "moon"), "proof/unknown_bet"),
    ]
    for refused, code in cases:
        assert refused.code == code
        assert refused.message.endswith((".", "”"))
        assert str(refused) == f"{refused.message} [{code}]"


def test_values_show_as_tables_and_a_proof_with_a_picture() -> None:
    proof = tapisvert.prove("casino-stud")
    played = tapisvert.replay("casino-stud", DECK, {"ante": 1000})
    shown = [
        tapisvert.games()._repr_html_(),
        proof._repr_html_(),
        proof.main._repr_html_(),
        proof.main.outcomes._repr_html_(),
        tapisvert.strategy("casino-stud")._repr_html_(),
        played._repr_html_(),
        tapisvert.simulate("casino-stud", 20).bets._repr_html_(),
    ]
    assert all("<table>" in each for each in shown)
    assert "<svg" in shown[1]
    assert "<svg" in shown[2]


def test_a_single_value_shows_as_a_table_too() -> None:
    proof, sheet = tapisvert.prove("casino-stud"), tapisvert.sheet("casino-stud")
    mistake = MistakeRecord({"house": ["Ac"]}, "play", "1/8", 3, "1/80")
    rule = RuleRecord("play", 1, {}, "a pair or better", "fold", 7, "1/4", (mistake,))
    swept = SweptBet("main", "optimal", True, "-1/20", "3", "5", "1/2")
    values: list[tuple[Any, str]] = [
        (sheet, '<th scope="row">play.pays.flush</th><td>5:1</td>'),
        (tapisvert.games()[1], '<th scope="row">id</th><td>casino-stud</td>'),
        (proof.main.outcomes[0], '<th scope="row">outcome</th><td>'),
        (proof.par()[0], '<th scope="row">return_staked</th><td>0.974447</td>'),
        (proof.bankrolls()[0], '<th scope="row">n0</th><td>1843.24</td>'),
        (tapisvert.strategy_files("casino-stud")[0], '<th scope="row">name</th><td>AKJ83-or'),
        (tapisvert.simulate("casino-stud", 20).bets[0], '<th scope="row">rounds</th><td>20</td>'),
        (tapisvert.SweptFigure({}, "", swept), '<th scope="row">edge</th><td>-0.05</td>'),
        (tapisvert.RuleValue(rule), '<th scope="row">cost</th><td>0.25</td>'),
        (tapisvert.RuleValue(rule).mistakes[0], '<th scope="row">loss</th><td>0.125</td>'),
    ]
    for value, line in values:
        assert "<table>" in value._repr_html_()
        assert line in value._repr_html_()


@pytest.mark.parametrize("game", [each.id for each in tapisvert.games()])
def test_the_picture_of_a_proof_needs_no_style_sheet(game: str) -> None:
    for bet in tapisvert.prove(game).bets:
        picture = ElementTree.fromstring(bet.svg())
        assert {"width", "height", "viewBox", "font-size"} <= picture.attrib.keys()
        assert not [each for each in picture.iter() if "class" in each.attrib]
        kinds = {each.tag.rpartition("}")[2]: set(each.attrib) for each in picture.iter()}
        assert {"stroke", "opacity"} <= kinds["line"]
        assert {"fill", "text-anchor"} <= kinds["text"]
        bars = [each.get("fill") for each in picture.iter() if each.tag.endswith("rect")]
        signs = {(each.net > 0) - (each.net < 0) for each in bet.outcomes if each.deals}
        assert len(set(bars)) == len(signs)
