"""Mistakes planted into a game one at a time; the kit names each: docs/check-game.md lists them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kit.planting import ROOT, STUD, Planter, forget, found
from tapisvert.engine import Option, Script, Table
from tapisvert.engine.hand_names import hand_name
from tapisvert.games.casino_stud.script import casino_stud, five_plus_one
from tapisvert.games.registry import GAMES

Tell = Callable[[float], None]

# Words --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_word_missing_in_one_language(planter: Planter, language: str) -> None:
    words = GAMES[STUD].words(language).read_text(encoding="utf-8")
    line = next(each for each in words.splitlines() if each.startswith("tie = "))
    planter.write(STUD, f"words/{language}.toml", line, "")
    assert f"words/{language}.toml has no 'why.tie'" in found(STUD, "words-alike")


def test_every_word_that_the_table_needs_is_missed(planter: Planter) -> None:
    """A key taken out of both languages is found, whichever the game can say it is."""
    needed = (
        *("title", "bet.play", "zone.house", "option.fold", "key.fold", "legend.fold", "why.tie"),
        *("row.royal-flush", "hand.royal-flush", "strategy.always-play", "help.2", "about"),
        *("event.asked.play-or-fold", "event.said.house-not-qualified"),
    )
    folder = planter.folder(STUD)
    kept = {each: GAMES[STUD].words(each).read_text(encoding="utf-8") for each in ("fr", "en")}
    for key in needed:
        for language, words in kept.items():
            GAMES[STUD].words(language).write_text(without(words, key), encoding="utf-8")
        forget()
        assert GAMES[STUD].folder == folder
        told = found(STUD, "words", rounds=120, project=ROOT)
        assert key.removeprefix("event.") in told or key.partition(".")[0] in told, key


def without(words: str, key: str) -> str:
    """Take a key out of a file of words."""
    table, _, name = key.rpartition(".") if not key.startswith("event.") else ("event", "", key[6:])
    lines, inside = [], not table
    for line in words.splitlines():
        if line.startswith("["):
            inside = line == f"[{table}]"
        if not (inside and line.startswith(f"{name} = ")):
            lines.append(line)
    assert len(lines) == len(words.splitlines()) - 1, key
    return "\n".join(lines) + "\n"


def test_a_sentence_that_names_a_figure_the_sheet_has_not(planter: Planter) -> None:
    planter.write(STUD, "words/en.toml", "{play.times_ante} times the ante", "{play.times} x")
    assert "'about'" in found(STUD, "words-alike")


def test_two_options_with_one_key_of_the_keyboard(planter: Planter) -> None:
    planter.write(STUD, "words/en.toml", 'fold = "D"', 'fold = "P"')
    assert "two options of one question have the key P" in found(STUD, "words", rounds=50)


# Descriptor and files -----------------------------------------------------------------------------


def test_a_descriptor_with_a_bad_id_no_fan_and_a_hand_twice(planter: Planter) -> None:
    order = GAMES[STUD].hand_order
    planter.game(STUD, clauses="Stud Poker", fan=("As", "As"), hand_order=(*order, order[0]))
    told = found(STUD, "descriptor")
    assert "clauses" in told
    assert "GAME.fan" in told
    assert "GAME.hand_order names something twice" in told


def test_another_number_of_cards_than_the_script_deals(planter: Planter) -> None:
    planter.game(STUD, cards_dealt=9)
    assert "GAME.cards_dealt is 9, but rounds deal 10" in found(STUD, "cards-dealt")


def test_a_file_that_is_missing(planter: Planter) -> None:
    (planter.folder(STUD) / "chart.json").unlink()
    assert "chart.json is missing" in found(STUD, "files")


def test_a_sheet_that_does_not_load(planter: Planter) -> None:
    planter.write(STUD, "sheet.toml", 'pair = "1:1"', 'pear = "1:1"')
    assert "play.pays" in found(STUD, "sheet")


def test_numpy_imported_by_GAME(planter: Planter, tmp_path: Path, monkeypatch: Any) -> None:
    package = tmp_path / "heavy_game"
    package.mkdir()
    (package / "__init__.py").write_text("import numpy\n")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{':'.join(sys.path)}")
    planter.game(STUD, odds="heavy_game.odds")
    assert "importing heavy_game loads numpy" in found(STUD, "import")


# Rules, golden rounds -----------------------------------------------------------------------------


def test_a_clause_without_a_test_and_without_a_script(planter: Planter) -> None:
    project = planter.project(STUD)
    page = project / "docs" / "rules" / f"{STUD}.md"
    page.write_text(page.read_text(encoding="utf-8") + "\n**stud.99** A new clause.\n")
    told = found(STUD, "clauses", project=project)
    assert "no script cites clause stud.99" in told
    assert "no test cites clause stud.99" in told


def test_a_clause_cited_that_is_not_there(planter: Planter) -> None:
    project = planter.project(STUD)
    test = project / "tests" / "games" / "test_more.py"
    test.write_text("def test_stud_77_something() -> None: ...\n")
    told = found(STUD, "clauses", project=project)
    assert "a test cites stud.77" in told


def test_a_branch_without_a_golden_round(planter: Planter) -> None:
    project = planter.project(STUD)
    for path in (project / "tests" / "golden" / STUD).glob("*.json"):
        if '"why": "tie"' in path.read_text(encoding="utf-8"):
            path.unlink()
    told = found(STUD, "golden-branches", project=project)
    assert re.search(r"no golden round reaches script\.py, line \d+", told)


def test_a_pay_row_without_a_golden_round(planter: Planter) -> None:
    project = planter.project(STUD)
    for path in (project / "tests" / "golden" / STUD).glob("*.json"):
        if '"bet": "play"' in (text := path.read_text()) and '"row": "full-house"' in text:
            path.unlink()
    told = found(STUD, "golden-rows", project=project)
    assert "no golden round pays 'full-house' of play.pays" in told


def test_a_golden_round_that_is_not_what_the_script_plays(planter: Planter) -> None:
    project = planter.project(STUD)
    path = project / "tests" / "golden" / STUD / "tie.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"why": "tie"', '"why": "draw"'))
    assert "golden round tie.json is not what" in found(STUD, "golden", project=project)


# Scripts ------------------------------------------------------------------------------------------


def endless(table: Table, sheet: Any) -> Script[None]:
    while True:
        yield from table.ask("play-or-fold", Option("fold"))


def twice(table: Table, sheet: Any) -> Script[None]:
    yield from casino_stud(table, sheet)
    table.lose("ante", "house-wins")


def never(table: Table, sheet: Any) -> Script[None]:
    table.deal("player", 5)
    yield from table.ask("play-or-fold", Option("fold"))


@pytest.mark.parametrize(
    ("script", "told"),
    [(endless, "does not end"), (twice, "ante is settled once"), (never, "every stake is settled")],
)
def test_a_round_that_never_ends_or_settles_a_bet_twice_or_never(
    planter: Planter, script: Any, told: str
) -> None:
    planter.script(STUD, script)
    assert told in found(STUD, "rounds")


def leaking(table: Table, sheet: Any) -> Script[None]:
    player = table.deal("player", 5)
    house = table.deal("house", 5, up=1)
    table.name("house", hand_name(house))  # before it is shown
    yield from table.ask("play-or-fold", Option("fold"))
    table.lose("ante", "folded")
    five_plus_one(table, sheet, [*player, house[0]])


def hinting(table: Table, sheet: Any) -> Script[None]:
    player = table.deal("player", 5)
    house = table.deal("house", 5, up=1)
    strong = hand_name(house).category != "high-card"
    yield from table.ask("play-or-fold", Option("fold", suggested=strong))
    table.lose("ante", "folded")
    five_plus_one(table, sheet, [*player, house[0]])


@pytest.mark.parametrize(
    ("script", "told"),
    [(leaking, "a 'named' event shows"), (hinting, "depends on a card that is face down")],
)
def test_a_card_face_down_that_leaks(planter: Planter, script: Any, told: str) -> None:
    planter.script(STUD, script)
    assert told in found(STUD, "hidden")


def test_an_answer_that_is_forbidden_and_taken(planter: Planter) -> None:
    def lenient(table: Table, sheet: Any) -> Script[None]:
        yield from table.ask("play-or-fold", Option("fold"), read=lambda _: "fold")
        for bet in table.stakes:
            table.lose(bet, "folded")

    planter.script(STUD, lenient)
    assert "is taken when 'play-or-fold' is asked" in found(STUD, "refusals")


def test_a_stake_that_a_void_round_keeps(planter: Planter, monkeypatch: Any) -> None:
    def keep(table: Table, why: str) -> None:
        for bet in table.stakes:
            table.lose(bet, why)

    monkeypatch.setattr(Table, "void", keep)
    assert "does not give back the stake on 'ante'" in found(STUD, "void")


def test_a_wrong_hand_order(planter: Planter) -> None:
    order = list(GAMES[STUD].hand_order)
    a, b = order.index("flush"), order.index("straight")
    order[a], order[b] = order[b], order[a]
    planter.game(STUD, hand_order=tuple(order))
    told = found(STUD, "hand-order", rounds=3_000)
    assert "has 'straight' above 'flush', but 'ante' loses to it" in told


def test_a_kind_of_hand_that_is_not_in_the_order(planter: Planter) -> None:
    order = tuple(kind for kind in GAMES[STUD].hand_order if kind != "two-pair")
    planter.game(STUD, hand_order=order)
    assert "GAME.hand_order has no 'two-pair'" in found(STUD, "hand-order")


# Files for the browser ----------------------------------------------------------------------------


def test_a_price_that_the_certificate_has_wrong(planter: Planter) -> None:
    planter.write(STUD, "settle.js", "pay('ante', sheet.ante.pays)", "pay('ante', '2:1')")
    assert "settles a round otherwise than the script" in found(STUD, "certificate")


def test_a_bet_and_a_zone_that_are_not_in_the_layout(planter: Planter) -> None:
    planter.write(STUD, "layout.js", "'bonus', 'ante', 'play'", "'bonus', 'ante'")
    assert "layout.js has no place for the bet 'play'" in found(STUD, "layout")
    layout = GAMES[STUD].folder / "layout.js"
    layout.write_text(layout.read_text().replace("id: 'house'", "id: 'hause'"))
    assert "layout.js has no row for the zone 'house'" in found(STUD, "layout")
    layout.unlink()
    assert "layout.js is missing" in found(STUD, "layout")
