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


def test_the_file_as_written_back_is_the_same_sheet(tmp_path: Path) -> None:
    path = tmp_path / "again.toml"
    path.write_text(written(figures()))
    assert load_file(path, CasinoStud) == load("casino-stud")


@pytest.mark.parametrize("key", list(paths(figures())))
def test_a_missing_figure_is_refused_by_file_and_name(tmp_path: Path, key: str) -> None:
    refused = refusal(tmp_path, written(put(figures(), key, ...)))
    assert refused.code == "sheet/invalid"
    assert refused.details["file"] == "my-stud.toml"
    sentence = explain(catalogue("en"), refused)
    assert key.rpartition(".")[2] in sentence
    assert key.rpartition(".")[0] in sentence


def test_a_missing_or_unknown_figure_is_refused_with_its_whole_dotted_key(tmp_path: Path) -> None:
    told = {}
    required = list(paths(figures()))
    for key in required:
        told[key] = refusal(tmp_path, written(put(figures(), key, ...))).details["key"]
    unknown = ["tip", "spots.ante.tip", "house.tip", "play.tip", "bonus.tip"]
    for key in unknown:
        told[key] = refusal(tmp_path, written(put(figures(), key, 1))).details["key"]
    # A missing table is refused for its first missing row.
    rows = {"caps_cents": "caps_cents.ante", "published": "published.main"}
    assert told == {key: rows.get(key, key) for key in (*required, *unknown)}


# key to change, absurd value, key that must be named
ABSURD: list[tuple[str, object, str]] = [
    *((key, -1, key) for key, value in FIGURES.items() if type(value) is int),
    *((key, 0, key) for key, value in FIGURES.items() if type(value) is int),
    *((key, 1.0, key) for key, value in FIGURES.items() if type(value) is int),
    *((key, "100", key) for key, value in FIGURES.items() if type(value) is int),
    *((key, True, key) for key, value in FIGURES.items() if type(value) is int),
    *((key, 10**18, key) for key, value in FIGURES.items() if type(value) is int),
    *((key, [], key) for key, value in FIGURES.items() if type(value) is not list),
    *((key, -1, key) for key in FIGURES if ".pays." in key),
    *((key, 2.0, key) for key in FIGURES if ".pays." in key),
    *((key, "much", key) for key in FIGURES if ".pays." in key),
    *((key, "1:0", key) for key in FIGURES if ".pays." in key),
    *((key, "1:3", key) for key in FIGURES if ".pays." in key),  # no whole cents on a step of 1.00
    *((key, 1_000_001, key) for key in FIGURES if ".pays." in key),
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


@pytest.mark.parametrize("key", ["tip", "spots.ante.tip", "house.tip", "play.tip", "bonus.tip"])
def test_a_figure_nobody_reads_is_refused(tmp_path: Path, key: str) -> None:
    refused = refusal(tmp_path, written(put(figures(), key, 100)))
    assert refused.code == "sheet/invalid"
    assert "tip" in explain(catalogue("en"), refused)


@pytest.mark.parametrize(("key", "value"), [("published.tip", "97.45"), ("published.main", "97\n")])
def test_a_published_return_belongs_to_a_bet_and_is_a_number(
    tmp_path: Path, key: str, value: str
) -> None:
    assert refusal(tmp_path, written(put(figures(), key, value))).code == "sheet/invalid"


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
