"""The measures on the page of a par sheet."""

from __future__ import annotations

import re
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from html import escape, unescape

import pytest

from par.test_measures import Z
from tapisvert.engine.sheet_file import with_changes
from tapisvert.games.registry import SHIPPED
from tapisvert.lab import chart_store, proof_store
from tapisvert.lab.proof_store import StoredProof
from tapisvert.par.caps import spot_of
from tapisvert.par.measures import measures
from tapisvert.par.page import MEASURES, kept_par_sheet, par_sheet
from tapisvert.par.tables import caps, merged, pay_rows
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES, Catalogue, catalogue


def rows(page: str) -> list[list[str]]:
    """Return the cells of every row of every table."""
    found = re.findall(r"<tr>(.*?)</tr>", page)
    return [[unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t", row)] for row in found]


def part(words: Catalogue, page: str, title: str) -> list[list[str]]:
    """Return the rows of one section of a page."""
    (found,) = re.findall(rf"<h2>{re.escape(escape(words.write(title)))}</h2>(.*?)</section>", page)
    return rows(found)


def read(language: str, written: str) -> tuple[Decimal, Decimal]:
    """Return a number as it is written, in percent or not, and half of its last digit."""
    plain = re.sub(r"[\s%$\u00a0\u202f]", "", written.replace("−", "-"))
    plain = plain.replace(",", ".") if language == "fr" else plain.replace(",", "")
    number = Decimal(plain)
    return number, Decimal(5).scaleb(int(number.as_tuple().exponent) - 1)


def is_near(language: str, written: str, value: Fraction | float) -> bool:
    """Tell whether a number is written rounded to its last digit."""
    number, half = read(language, written)
    return abs(Fraction(number) - Fraction(value)) <= Fraction(half) * Fraction(1_000_001, 10**6)


def key_figures_by_hand(proof: StoredProof) -> dict[str, Fraction | float]:
    """Return the figures of a bet by the keys of their words, from its outcomes alone."""
    ends = [(e.deals, Fraction(e.net), Fraction(e.staked)) for e in proof.outcomes if e.deals]
    cycle = sum(n for n, _, _ in ends)
    edge = sum(n * net for n, net, _ in ends) / Fraction(cycle)
    staked = sum(n * each for n, _, each in ends) / Fraction(cycle)
    deviation = float(Fraction(proof.variance)) ** 0.5
    top = max(net for _, net, _ in ends)
    tops = sum(n for n, net, _ in ends if net == top)
    return {
        "par.cycle": cycle,
        "par.hit-anything": Fraction(100 * sum(n for n, x, s in ends if x + s > 0), cycle),
        "par.hit-more": Fraction(100 * sum(n for n, x, _ in ends if x > 0), cycle),
        "par.staked": staked,
        "par.return-first": 100 * (1 + edge),
        "par.return-staked": 100 * (1 + edge / staked),
        "par.deviation": deviation,
        "par.deviation-staked": deviation / float(staked),
        "par.index": Z[90] * deviation / float(staked),
        "par.top": top,
        "par.top-odds": Fraction(cycle - tops, tops),
        "par.top-rounds": Fraction(cycle, tops),
        "par.hourly": -40 * edge,
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_the_page_has_every_key_figure_in_both_languages(game: str, language: str) -> None:
    words, sheet = catalogue(language), load(game)
    page = part(words, kept_par_sheet(sheet, language), "par.measures")
    shown = {row[0]: row[1:] for row in page}
    proofs = [each for each in proof_store.find(sheet) if each.strategy in MEASURES]
    z = {"level": "90", "z": words.number(Fraction(16449, 10_000), 4)}
    args = {"par.index": z, "par.hourly": {"rounds": "40"}}
    for place, proof in enumerate(proofs):
        stake = sheet.spots[spot_of(sheet, proof.bet)]
        by_hand = key_figures_by_hand(proof)
        for key, value in by_hand.items():
            cell = shown[words.write(key, args.get(key, {}))][place]
            if key == "par.top-odds":
                cell = cell.removesuffix(words.write("par.to-one", {"odds": ""}))
            assert is_near(language, cell, value), (proof.bet, proof.strategy, key, cell, value)
        for key, cents in (("least", stake.min_cents), ("most", stake.max_cents)):
            won = round(by_hand["par.hourly"] * cents)
            told = {"win": words.money(won), "stake": words.money(cents)}
            assert shown[words.write(f"par.hourly-{key}")][place] == words.write(
                "par.at-stake", told
            )
    jackpot = {"par.fixed", "par.jackpot", "par.jackpot-variance"}
    assert len(page) - 1 - 15 == (3 if game == "blackjack" else 0)
    if game == "blackjack":
        (royal,) = [each for each in measures(sheet, proofs) if each.progressive]
        parts = royal.progressive
        assert parts is not None
        values = (parts.fixed, parts.reset + parts.contribution, royal.variance_of_jackpot)
        for key, value in zip(sorted(jackpot), values, strict=True):
            assert is_near(language, shown[words.write(key)][-1], 100 * value)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_the_page_has_every_interval(game: str, language: str) -> None:
    words, sheet = catalogue(language), load(game)
    page = part(words, kept_par_sheet(sheet, language), "par.intervals")
    told = [row for row in page if row[0] != words.write("par.rounds")]
    first, between, last = re.fullmatch(
        "(.*)low(.*)high(.*)", words.write("par.between-ends", {"low": "low", "high": "high"})
    ).groups()  # type: ignore[union-attr]
    expected = []
    for proof in proof_store.find(sheet):
        if proof.strategy in MEASURES:
            by_hand = key_figures_by_hand(proof)
            mean, spread = by_hand["par.return-staked"], 100 * by_hand["par.deviation-staked"]
            for power in range(3, 9):
                reach = [z * spread / 10 ** (power / 2) for z in Z.values()]
                ends = [(max(0.0, mean - far), mean + far) for far in reach]
                expected.append((words.grouped(10**power), ends))
    assert [row[0] for row in told] == [rounds for rounds, _ in expected]
    for row, (_, ends) in zip(told, expected, strict=True):
        for cell, (low, high) in zip(row[1:], ends, strict=True):
            written = cell.removeprefix(first).removesuffix(last).split(between)
            assert is_near(language, written[0], low), (row, low)
            assert is_near(language, written[1], high), (row, high)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_the_page_has_every_row_with_its_shares(game: str, language: str) -> None:
    words, sheet = catalogue(language), load(game)
    page = part(words, kept_par_sheet(sheet, language), "par.how-often")
    told = [row[1:] for row in page if row[0] != words.write("par.row")]
    expected: list[list[Fraction]] = []
    for proof in proof_store.find(sheet):
        if proof.strategy not in MEASURES:
            continue
        joined: Counter[tuple[Fraction, Fraction]] = Counter()
        for each in proof.outcomes:
            joined[Fraction(each.net), Fraction(each.staked)] += each.deals
        cycle, edge = joined.total(), Fraction(proof.edge)
        returned = sum((n * (net + staked) for (net, staked), n in joined.items()), Fraction())
        for (net, staked), n in sorted(joined.items()):
            if n:
                back = Fraction(100 * n) * (net + staked) / returned
                far = Fraction(100 * n) * (net - edge) ** 2 / cycle / Fraction(proof.variance)
                chance = (Fraction(100 * n, cycle), Fraction(cycle, n))
                expected.append([net, staked, Fraction(n), *chance, back, far])
    assert len(told) == len(expected)
    for row, values in zip(told, expected, strict=True):
        for cell, value in zip(row, values, strict=True):
            assert is_near(language, cell, value), (row, cell, float(value))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_the_page_has_every_level_of_skill_and_every_cap(game: str, language: str) -> None:
    words, sheet = catalogue(language), load(game)
    whole = kept_par_sheet(sheet, language)
    shown = {row[0]: row[1:] for row in part(words, whole, "par.skills")}
    mains = [each for each in proof_store.find(sheet) if each.bet == "main"]
    best = max(Fraction(each.edge) for each in mains)
    for proof, found in zip(mains, measures(sheet, mains), strict=True):
        told = shown[words.write(f"strategy.{proof.strategy}", {}, game)]
        edge, staked = Fraction(proof.edge), Fraction(proof.staked)
        assert told[0] == words.write(f"par.skill-{found.skill}")
        values = (1 + edge, 1 + edge / staked, -edge / staked, best - edge)
        for cell, value in zip(told[1:], values, strict=True):
            assert is_near(language, cell, 100 * value), (told, cell)
    caps_told = [row for row in part(words, whole, "par.caps-title") if len(row) == 5][1:]
    amounts = {words.money(cents) for cents in sheet.caps_cents.values()}
    assert {row[2] for row in caps_told} == amounts
    for row in caps_told:
        assert row[3] == row[2]  # a shipped cap is the largest return
        assert is_near(language, row[4], 0)


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
