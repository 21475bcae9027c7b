"""The search for short strategies: against exhaustion, and against what is published."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from odds.renaming import sheet_of
from strategies.rules import shipped_files, value
from tapisvert.games.casino_stud.odds.vocabulary import QUESTION, VOCABULARY, Counted
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.odds.parallel import no_progress
from tapisvert.odds.vocabulary import Question, Values, Word, flag, whole
from tapisvert.strategies import short
from tapisvert.strategies.candidates import Candidates
from tapisvert.strategies.classes import Classes, Gatherer, without_idle_levels
from tapisvert.strategies.evaluation import holds
from tapisvert.strategies.search import Search
from tiers import few_or_many

SHEET = sheet_of(CasinoStud)
LEVELS = Values(read=int, write=int, such_as="a number")
TOY = Question(
    asks="A number, a digit and a flag.",
    words={
        "at_least": Word(column="number", compare="at least", values=LEVELS, means=""),
        "below": Word(column="number", compare="below", values=LEVELS, means=""),
        "digit": Word(column="digit", compare="at least", values=whole(1, 3), means=""),
        "red": flag("red", ""),
    },
    options=("play", "fold"),
)


def toy(seed: int) -> Classes:
    """Return random classes: a number to 40, a digit to 3 and a flag."""
    chance = np.random.default_rng(seed)
    number, digit, red = (
        np.array(each) for each in zip(*product(range(40), range(4), range(2)), strict=True)
    )
    sums = chance.integers(-100, 100, size=(2, len(number)))
    sums[0] += 3 * number - 50
    legal = np.ones((2, len(number)), dtype=np.bool_)
    legal[1][number == 39] = False
    return Classes(("play", "fold"), sums, legal, {"number": number, "digit": digit, "red": red})


def conditions() -> list[dict[str, Any]]:
    """Return every condition of the toy: a threshold or none, and up to two others."""
    thresholds: list[dict[str, Any]] = [{}]
    thresholds += [{word: level} for word in ("at_least", "below") for level in range(40)]
    digits: list[dict[str, Any]] = [{}, *({"digit": level} for level in (1, 2, 3))]
    flags: list[dict[str, Any]] = [{}, {"red": True}, {"red": False}]
    return [{**a, **b, **c} for a, b, c in product(thresholds, digits, flags) if {**a, **b, **c}]


@pytest.mark.parametrize("seed", range(5))
def test_one_rule_is_the_best_of_all_tried_one_by_one(seed: int) -> None:
    classes = toy(seed)
    best = -(10**9)
    for when in conditions():
        mask = holds(when, TOY.words, classes.spots())
        for option, otherwise in ((0, 1), (1, 0)):
            chosen = np.where(mask, option, otherwise)
            if np.take_along_axis(classes.legal, chosen[None], axis=0).all():
                total = int(np.take_along_axis(classes.sums, chosen[None], axis=0).sum())
                best = max(best, total)
    assert Search(TOY, classes).run(1)[1].total == best


@pytest.mark.parametrize("seed", range(3))
def test_longer_lists_are_never_worse_and_decide_what_they_say(seed: int) -> None:
    classes = toy(seed)
    search = Search(TOY, classes)
    lists = search.run(4)
    totals = [each.total for each in lists]
    assert totals == sorted(totals)
    assert totals[-1] > totals[1]
    for listed in lists[1:]:
        rules = search.rules(listed)
        total, free = 0, np.ones(classes.sums.shape[1], dtype=np.bool_)
        for rule in rules:
            taken = free & holds(rule.when, TOY.words, search._classes.spots())
            option = classes.options.index(rule.choose)
            total += int(search._classes.sums[option][taken].sum())
            free &= ~taken
        assert not free.any()
        assert total == listed.total


def test_large_sums_and_an_option_that_is_rarely_legal_are_added_rightly() -> None:
    """With penalties for illegal options the sums of thousands of classes once overflowed."""
    plain = toy(2)
    number = np.tile(plain.columns["number"], 40)
    some = np.arange(len(number)) % 40 == 0
    sums = np.tile(plain.sums, 40) * 10**10
    sums = np.concatenate((sums, np.abs(sums[:1]) + 10**11))
    legal = np.concatenate((np.tile(plain.legal, 40), some[None]))
    columns = {name: np.tile(plain.columns[name], 40) for name in ("digit", "red")}
    columns |= {"number": number, "some": some.astype(np.int64)}
    question = replace(
        TOY,
        words={**TOY.words, "some": flag("some", "")},
        options=("play", "fold", "split"),
    )
    classes = Classes(tuple(question.options), sums, legal, columns)
    search = Search(question, classes)
    lists = search.run(3)
    assert [each.total for each in lists] == sorted(each.total for each in lists)
    for listed in lists:
        chosen = np.full(len(number), listed.otherwise)
        for when, option in reversed(listed.rules):
            chosen[holds(when, question.words, classes.spots())] = option
        assert np.take_along_axis(legal, chosen[None], axis=0).all()
        assert int(np.take_along_axis(sums, chosen[None], axis=0).sum()) == listed.total
    assert {option for _, option in lists[-1].rules} >= {2}


def test_levels_between_which_no_threshold_gains_are_joined() -> None:
    classes = toy(1)
    sums = classes.sums.copy()
    sums[0][classes.columns["number"] >= 30] = 500
    sums[0][classes.columns["number"] < 5] = -500
    classes = classes._replace(sums=sums)
    joined = without_idle_levels(classes, "number")
    kept = set(joined.columns["number"].tolist())
    assert 30 in kept
    assert 0 in kept
    assert not kept & {1, 2, 3, 4, *range(31, 40)}
    assert Search(TOY, classes).run(1)[1].total == max(
        found.gain + int(classes.sums[other].sum())
        for other in (0, 1)
        for found in Candidates(TOY, classes).best(
            classes.sums - classes.sums[other], ~classes.legal
        )
        if other == 0 or holds(found.when, TOY.words, classes.spots())[-1]
    )


@pytest.fixture(scope="module")
def counted() -> Counted:
    """Return the positions of the shipped sheet."""
    return Counted(SHEET, no_progress)


@pytest.mark.parametrize("most", few_or_many(1, 4))
def test_what_is_found_is_never_worse_than_what_is_published(
    counted: Counted, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = replace(VOCABULARY, count=lambda sheet, tell: counted)
    monkeypatch.setattr(short, "vocabulary_of", lambda _: known)
    found = short.find_short(SHEET, most)
    costs = {each.most: each.evaluation.cost for each in found.found}
    assert list(costs) == list(range(1, most + 1))
    assert all(cost >= 0 for cost in costs.values())
    assert list(costs.values()) == sorted(costs.values(), reverse=True)
    for file in shipped_files("casino-stud"):
        if 0 < file.length <= most:
            assert costs[file.length] <= value(file, VOCABULARY, counted).cost
    assert found.found[0].method == short.EXHAUSTED
    assert all(each.method == short.BEAM_SEARCH for each in found.found[1:])
    (first,) = found.found[0].evaluation.strategy.rules[QUESTION][:1]
    assert first.when == {"at_least": "AKJ83"}  # the published rule is the best single one


def test_the_best_single_threshold_is_that_of_the_running_totals(counted: Counted) -> None:
    """A second way: add up the gain of playing by strength, and take the best end."""
    gatherer = Gatherer(VOCABULARY.questions)
    counted.play("optimal", gatherer, no_progress)
    classes = gatherer.classes(QUESTION)
    strength, place = np.unique(classes.columns["strength"], return_inverse=True)
    gain = np.zeros(len(strength), dtype=np.int64)
    np.add.at(gain, place, classes.sums[0] - classes.sums[1])
    from_here = np.cumsum(gain[::-1])[::-1]
    hand = VOCABULARY.questions[QUESTION].words["at_least"].values
    assert hand.write(int(strength[from_here.argmax()])) == "AKJ83"
