"""Arguments of a wrong kind: every public function and method refuses them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import tapisvert
from tapisvert.cards import STANDARD, text
from tapisvert.lab import sweep
from tapisvert.odds.parallel import no_progress

STUD = "casino-stud"
DECK = [text(card) for card in STANDARD]
ROUND = Path(__file__).parents[2] / "examples" / "notebooks" / "round.json"
POSITION = {"game": STUD, "player": ["As", "Ad", "Qh", "5c", "3d"], "house": ["Kc"]}
PURSE: dict[str, Any] = {"bankroll_cents": 5_000, "stake_cents": 500, "rounds": 20}
WRONG: Sequence[Any] = (
    *(None, True, -7, 1.5, float("nan"), b"moon", "moon", "a\0b"),
    *([], [-7], {}, {-7: -7}, {"moon": -7}, {"moon": object()}, object()),
)


@cache
def values() -> Mapping[str, object]:
    """Return a value of every public class whose methods take arguments."""
    return {
        "Bankroll": tapisvert.bankroll(STUD, **PURSE),
        "OptionValues": tapisvert.advise(POSITION),
        "Proof": tapisvert.prove(STUD),
        "ReplayedRound": tapisvert.replay(STUD, DECK, {"ante": 1000}),
        "Verification": tapisvert.verify(ROUND),
    }


# For every public function and method: arguments that are right, one for each parameter.
RIGHT: dict[str, dict[str, Any]] = {
    "advise": {"position": POSITION},
    "bankroll": {
        **{"game": STUD, **PURSE, "goal_cents": None, "strategy": None},
        **{"rounds_per_hour": 40, "progress": no_progress},
    },
    "cluster": {"address": "tcp://", "tls_ca": None, "tls_cert": None, "tls_key": None},
    "prove": {"game": STUD, "kept": True, "cluster": None, "progress": no_progress},
    "prove_strategy": {"game": STUD, "strategy": "always-play", "progress": no_progress},
    "rank": {"hands": "As Kd Qh 5c 3d", "order": "standard"},
    "replay": {
        **{"game": STUD, "deck": DECK, "stakes": {"ante": 1000}},
        **{"choices": [], "jackpot_cents": 0},
    },
    "sheet": {"game": STUD, "changes": {}},
    "short_strategies": {"game": STUD, "rules": 1, "progress": no_progress},
    "simulate": {
        **{"game": STUD, "rounds": 20, "strategy": "optimal", "seed": 1, "out": None},
        **{"cluster": None, "prepared": no_progress, "progress": no_progress},
    },
    "strategy": {"game": STUD, "kept": True, "progress": no_progress},
    "strategy_files": {"game": STUD},
    "sweep": {
        **{"game": STUD, "vary": {"play.pays.flush": ["5:1"]}, "out": None},
        **{"cluster": None, "progress": no_progress},
    },
    "verify": {"round_json": ROUND, "commitment": None},
    "Bankroll.at_most": {"result_cents": 0},
    "Bankroll.bars": {"count": 40},
    "OptionValues.__getitem__": {"option": "play"},
    "Proof.bankrolls": {"progress": no_progress},
    "Proof.bet": {"bet": "main", "strategy": None},
    "Proof.page": {"language": "en"},
    "Proof.par": {"rounds_per_hour": 40},
    "Proof.workbook": {"language": "en"},
    "ReplayedRound.told": {"language": "en"},
    "Verification.told": {"language": "en"},
}


def surface() -> Iterator[tuple[str, Callable[..., object]]]:
    """Give every public function with parameters, and every such method of a public class."""
    for name in tapisvert.__all__:
        found = getattr(tapisvert, name)
        if inspect.isfunction(found):
            yield name, found
        elif inspect.isclass(found) and found.__module__.startswith("tapisvert.library"):
            for method, each in vars(found).items():
                own = not method.startswith("_") or method == "__getitem__"
                if own and inspect.isfunction(each):
                    yield f"{name}.{method}", each


def parameters(function: Callable[..., object]) -> set[str]:
    return set(inspect.signature(function).parameters) - {"self"}


def test_every_public_function_and_method_has_a_row_with_every_parameter() -> None:
    found = {name: parameters(each) for name, each in surface()}
    assert {name: set(row) for name, row in RIGHT.items()} == {
        name: each for name, each in found.items() if each
    }


def call(name: str, given: dict[str, Any]) -> object:
    """Call a function or method; positional arguments and changed keys as a user writes them."""
    of, _, method = name.rpartition(".")
    function = getattr(values()[of] if of else tapisvert, method)
    if name == "sheet":
        return function(given["game"], **given["changes"])
    return function(*given.values()) if name.endswith("__") else function(**given)


CASES = [(name, parameter) for name, row in RIGHT.items() for parameter in row]


@pytest.mark.parametrize(("name", "parameter"), CASES)
def test_a_wrong_kind_is_refused_with_code_and_message(
    name: str, parameter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a text for `out` is a file that can be written
    monkeypatch.setattr(sweep, "run", lambda *_: [[]])
    refusals = []
    for wrong in WRONG:
        given = {"play.pays.flush": wrong} if parameter == "changes" else wrong
        try:
            call(name, RIGHT[name] | {parameter: given})
        except tapisvert.Refused as refusal:
            refusals.append(refusal)
    assert len(refusals) >= len(WRONG) - 5  # the others are right
    assert all(each.code.count("/") == 1 for each in refusals)
    assert all(each.message.endswith((".", "”")) for each in refusals)


@pytest.mark.parametrize(
    ("name", "given", "reason"),
    [
        ("prove", {"kept": 7}, "'kept' must be true or false"),
        ("prove", {"cluster": 7}, "'cluster' must be a Cluster or None"),
        ("simulate", {"out": 7}, "'out' must be a text or a path or None"),
        ("simulate", {"progress": 7}, "'progress' must be a function"),
        ("simulate", {"strategy": 5}, "'strategy' must be a text"),
        ("sweep", {"vary": {"play.pays.flush": 5}}, "'play.pays.flush' must be a list"),
        ("sweep", {"vary": {"play.pays.flush": "6:1"}}, "'play.pays.flush' must be a list"),
        ("replay", {"stakes": None}, "'stakes' must be a mapping"),
        ("replay", {"choices": "play"}, "'choices' must be a list"),
        ("bankroll", {"rounds": True}, "'rounds' must be a whole number"),
        ("verify", {"commitment": 7}, "'commitment' must be a text or None"),
        ("verify", {"round_json": "a\0b"}, "a text has a NUL character"),
        ("Bankroll.bars", {"count": 0}, "'count' must be a whole number from 1 to 10000"),
        ("OptionValues.__getitem__", {"option": "moon"}, "the options are play, fold"),
        ("ReplayedRound.told", {"language": "de"}, "'language' must be fr or en"),
    ],
)
def test_the_message_names_the_argument_and_its_kind(
    name: str, given: dict[str, Any], reason: str
) -> None:
    with pytest.raises(tapisvert.Refused) as caught:
        call(name, RIGHT[name] | given)
    assert caught.value.code == "request/malformed"
    assert caught.value.message == f"The request cannot be read: {reason}."


def test_a_game_and_a_deck_of_a_wrong_kind_have_their_own_codes() -> None:
    for name, given, code in (
        ("sheet", {"game": []}, "request/unknown_game"),
        ("strategy_files", {"game": 7}, "request/unknown_game"),
        ("replay", {"deck": 7}, "deck/invalid"),
        ("verify", {"round_json": {"a": object()}}, "proof/unreadable"),
    ):
        with pytest.raises(tapisvert.Refused) as caught:
            call(name, RIGHT[name] | given)
        assert caught.value.code == code
