"""The measures on the page of a par sheet."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import SHIPPED
from tapisvert.lab import chart_store, proof_store
from tapisvert.par.measures import measures
from tapisvert.par.page import MEASURES, kept_par_sheet, par_sheet
from tapisvert.par.tables import caps, merged, pay_rows
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES, catalogue


def rows(page: str) -> list[list[str]]:
    """Return the cells of every row of every table."""
    found = re.findall(r"<tr>(.*?)</tr>", page)
    return [[unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t", row)] for row in found]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_the_page_has_every_measure_in_both_languages(game: str, language: str) -> None:
    words, sheet = catalogue(language), load(game)
    found = measures(sheet, proof_store.find(sheet))
    shown = {row[0]: row[1:] for row in rows(kept_par_sheet(sheet, language))}
    first = [each for each in found if each.strategy in MEASURES]
    assert shown[words.write("par.cycle")] == [words.grouped(each.cycle) for each in first]
    expected = [words.percent(each.hit_anything, 4) for each in first]
    assert shown[words.write("par.hit-anything")] == expected
    assert len(shown[words.write("par.top-rounds")]) == len(first)
    for each in found:
        if each.bet == "main":
            told = shown[words.write(f"strategy.{each.strategy}", {}, game)]
            assert told[0] == words.write(f"par.skill-{each.skill}")
            assert told[2] == words.percent(each.return_staked, 4)
    assert words.grouped(10**8) in shown


@pytest.mark.parametrize("game", SHIPPED)
def test_rows_of_one_result_and_stake_are_joined_and_lose_no_deal(game: str) -> None:
    sheet = load(game)
    for found in measures(sheet, proof_store.find(sheet)):
        joined = merged(found.rows)
        assert sum(row.deals for same in joined for row in same) == found.cycle
        results = [(same[0].net, same[0].staked) for same in joined]
        assert results == sorted(set(results))
        told = rows(pay_rows(catalogue("en"), game, found))[1:]
        assert len(told) == len(joined)
        assert sum(int(cells[3].replace(",", "")) for cells in told) == found.cycle


def test_a_row_is_named_if_all_its_outcomes_are_paid_by_it() -> None:
    sheet = load("casino-stud")
    main = measures(sheet, proof_store.find(sheet))[0]
    told = {cells[1]: cells[0] for cells in rows(pay_rows(catalogue("en"), "casino-stud", main))}
    assert (told["201"], told["101"], told["5"]) == ("royal flush", "straight flush", "two pair")
    assert (told["3"], told["0"], told["−3"]) == ("won", "push", "lost")  # 3: pair and high card


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_cap_costs_is_told_with_what_was_left_out(language: str) -> None:
    words, stud = catalogue(language), load("casino-stud")
    sheet = with_changes(stud, {"caps_cents.round": 5_000_000})
    lower = par_sheet(sheet, language, proof_store.find(sheet), chart_store.find(sheet))
    assert words.write("par.caps-open") in unescape(lower)
    assert words.write("par.caps-free") not in unescape(lower)
    assert words.write("par.caps-free") in unescape(kept_par_sheet(stud, language))
    ultimate = load("ultimate")
    found = measures(ultimate, proof_store.find(ultimate))
    assert words.write("par.no-caps") in unescape(caps(words, ultimate, found))
