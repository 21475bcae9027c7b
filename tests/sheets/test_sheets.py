"""The sheet of Casino Stud: the figures of RULES section 2, and no others.

Refusals are tested through `load_file` on files written here, like an operator's own sheet.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from sheets.figures import FIGURES, figures, paths, put, refusal, written
from tapisvert.engine.sheet import PayTable
from tapisvert.engine.sheet_file import keys, load_file
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.games.registry import GAMES
from tapisvert.refusal import Refused
from tapisvert.sheets import load
from tapisvert.words import catalogue, explain


def test_the_shipped_figures_are_those_of_RULES_section_2() -> None:
    sheet = load("casino-stud")
    assert sheet.game == "casino-stud"
    assert json.loads(json.dumps(dict(keys(sheet)))) == FIGURES
    assert len(sheet.deck) == 52


# A missing table is refused for its first missing row.
FIRST_ROW = {"caps_cents": "caps_cents.ante", "published": "published.main"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *((key, ...) for key in paths(figures())),
        *((key, 1) for key in ("tip", "spots.ante.tip", "house.tip", "play.tip", "bonus.tip")),
    ],
    ids=lambda it: {...: "missing", 1: "unknown"}.get(it, it),
)
def test_a_missing_or_unknown_figure_is_refused_with_file_and_whole_key(
    tmp_path: Path, key: str, value: object
) -> None:
    refused = refusal(tmp_path, written(put(figures(), key, value)))
    named = FIRST_ROW.get(key, key)
    assert refused.code == "sheet/invalid"
    assert (refused.details["file"], refused.details["key"]) == ("my-stud.toml", named)
    assert named in explain(catalogue("en"), refused)


# key to change, absurd value, key that must be named
ABSURD: list[tuple[str, object, str]] = [
    *(
        (key, wrong, key)
        for key, value in FIGURES.items()
        if type(value) is int
        for wrong in (-1, 0, 1.0, "100", True, 10**18)
    ),
    *((key, [], key) for key, value in FIGURES.items() if type(value) is not list),
    *(
        (key, wrong, key)
        for key in FIGURES
        if ".pays." in key
        # No whole cents on a step of 1.00 at 1:3.
        for wrong in (-1, 2.0, "much", "1:0", "1:3", 1_000_001)
    ),
    ("ante.pays", -1, "ante.pays"),
    ("ante.pays", "1:3", "ante.pays"),
    ("step_cents", 101, "step_cents"),
    ("spots.ante.max_cents", 10**12, "play.pays"),  # a royal would be more than the ledger holds
    ("step_cents", 20_000, "spots.ante.max_cents"),
    ("spots.ante.min_cents", 10_100, "spots.ante.min_cents"),
    ("spots.bonus.min_cents", 10_100, "spots.bonus.min_cents"),
    ("spots.tip", {"min_cents": 100, "max_cents": 200}, "spots.tip"),
    ("house.qualifies_with", [], "house.qualifies_with"),
    ("house.qualifies_with", ["K", "A"], "house.qualifies_with"),
    ("house.qualifies_with", ["A", "A"], "house.qualifies_with"),
    ("house.qualifies_with", list("AKQJT9"), "house.qualifies_with"),
    ("house.qualifies_with", ["A", "10"], "house.qualifies_with[1]"),
    ("house.qualifies_with", [12, 11], "house.qualifies_with[0]"),
    ("play.times_ante", 101, "play.times_ante"),
    ("play.pays.five-of-a-kind", "200:1", "play.pays.five-of-a-kind"),
    ("bonus.pays.two-pair", "1:1", "bonus.pays.two-pair"),
    ("caps_cents.tip", 100, "caps_cents.tip"),
    ("published.main", 97.45, "published.main"),
    ("published.main", "about 97", "published.main"),
    ("published.main", "97\n", "published.main"),
    ("published.tip", "97.45", "published.tip"),
    ("game", "blackjack", "game"),
    ("game", 1, "game"),
]


@pytest.mark.parametrize(
    ("key", "value", "named"), ABSURD, ids=[f"{key}={value!r}"[:60] for key, value, _ in ABSURD]
)
def test_an_absurd_figure_is_refused_with_file_key_and_reason(
    tmp_path: Path, key: str, value: object, named: str
) -> None:
    refused = refusal(tmp_path, written(put(figures(), key, value)))
    assert refused.code == "sheet/invalid"
    assert (refused.details["file"], refused.details["key"]) == ("my-stud.toml", named)
    assert refused.details["reason"]


@pytest.mark.parametrize(
    "content",
    ["step_cents = ", "step_cents = 100\nstep_cents = 100", "[spots", b"game = '\xff'", b"\0"],
    ids=["no value", "a key twice", "an open bracket", "not UTF-8", "a NUL"],
)
def test_a_file_that_is_not_TOML_is_refused_by_name(tmp_path: Path, content: str | bytes) -> None:
    refused = refusal(tmp_path, content)
    assert refused.code == "sheet/unreadable"
    assert refused.details["file"] == "my-stud.toml"
    assert refused.details["reason"]


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.toml", tmp_path):
        with pytest.raises(Refused) as caught:
            load_file(path, CasinoStud)
        assert caught.value.code == "sheet/unreadable"
        assert caught.value.details["file"] == path.name


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, "").code == "sheet/invalid"


class Undeclared(CasinoStud, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sheet that does not declare a pay table."""

    def pay_tables(self) -> Mapping[str, PayTable]:
        return {key: each for key, each in super().pay_tables().items() if key != "bonus.pays"}


class Elsewhere(CasinoStud, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sheet that declares a pay table under a key that no page shows."""

    def pay_tables(self) -> Mapping[str, PayTable]:
        return {**super().pay_tables(), "ante.bonus": super().pay_tables()["bonus.pays"]}


@pytest.mark.parametrize(("kind", "key"), [(Undeclared, "bonus.pays"), (Elsewhere, "ante.bonus")])
def test_every_pay_table_is_declared_and_shown(kind: type[CasinoStud], key: str) -> None:
    with pytest.raises(Refused) as refused:
        load_file(GAMES["casino-stud"].folder / "sheet.toml", kind)
    assert (refused.value.code, refused.value.details["key"]) == ("sheet/invalid", key)
