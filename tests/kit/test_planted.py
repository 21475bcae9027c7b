"""Mistakes planted in a game one at a time; the kit reports each. docs/check-game.md lists them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kit.planting import ROOT, STUD, Planter, found
from tapisvert.engine import Option, Script, Table
from tapisvert.engine.hand_names import hand_name
from tapisvert.games.casino_stud.script import casino_stud, five_plus_one
from tapisvert.games.registry import GAMES

Tell = Callable[[float], None]

# Descriptor and files -----------------------------------------------------------------------------


def test_a_descriptor_with_a_bad_id_no_fan_and_a_hand_twice(planter: Planter) -> None:
    order = GAMES[STUD].hand_order
    planter.game(STUD, clauses="Stud Poker", fan=("As", "As"), hand_order=(*order, order[0]))
    told = found(STUD, "descriptor")
    assert "clauses" in told
    assert "GAME.fan" in told
    assert "GAME.hand_order names something twice" in told


def test_a_first_bet_that_is_not_called_main(planter: Planter) -> None:
    main, *others = GAMES[STUD].bets.items()
    planter.game(STUD, bets=dict([("ante", main[1]), *others]))
    assert "the first of GAME.bets must be called 'main'" in found(STUD, "descriptor")


def test_a_blind_strategy_that_is_none_of_the_game(planter: Planter) -> None:
    planter.game(STUD, blind=("always-play", "by-feeling"))
    told = found(STUD, "descriptor")
    assert told == f"{STUD}: GAME.blind names 'by-feeling', which is not one of GAME.strategies"


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


def test_a_rare_price_that_the_certificate_has_wrong(planter: Planter) -> None:
    """Random rounds contain no royal flush; a golden round does."""
    kind = "mine.category"
    row = f"{kind} === 'royal-flush' ? 'flush' : {kind}"
    planter.write(STUD, "settle.js", f"play.pays[{kind}]", f"play.pays[{row}]")
    told = found(STUD, "certificate", rounds=100, project=ROOT)
    assert "settles a round otherwise than the script (deck " in told


@pytest.mark.parametrize(
    ("file", "check", "old", "new", "told"),
    [
        ("settle.js", "certificate", "table.push('play')", "table.nope()", "(settle.js:19)"),
        ("settle.js", "certificate", "const { sheet }", "const sheet }", "SyntaxError"),
        ("layout.js", "layout", "rows:", "rowss:", "must export { rows: [...], bets: [...] }"),
    ],
)
def test_a_file_for_the_browser_that_fails(
    planter: Planter, file: str, check: str, old: str, new: str, told: str
) -> None:
    planter.write(STUD, file, old, new)
    assert told in found(STUD, check)


def test_hands_that_help_cannot_draw_or_tell(planter: Planter) -> None:
    path = planter.folder(STUD) / "rankings.js"
    path.write_text("export default [{ id: 'kinds', hands: [{ is: 'pear', cards: 'As Xx' }] }];")
    told = found(STUD, "rankings")
    for key in ("ranking.title.kinds", "ranking.pear", "row.pear"):
        assert f"words/en.toml has no {key!r}, which rankings.js needs" in told
    assert "rankings.js: 'pear': " in told
    path.unlink()
    assert "rankings.js is missing" in found(STUD, "rankings")


def test_a_bet_and_a_zone_that_are_not_in_the_layout(planter: Planter) -> None:
    planter.write(STUD, "layout.js", "'bonus', 'ante', 'play'", "'bonus', 'ante'")
    assert "layout.js has no place for the bet 'play'" in found(STUD, "layout")
    layout = GAMES[STUD].folder / "layout.js"
    layout.write_text(layout.read_text().replace("id: 'house'", "id: 'hause'"))
    assert "layout.js has no row for the zone 'house'" in found(STUD, "layout")
    layout.unlink()
    assert "layout.js is missing" in found(STUD, "layout")
