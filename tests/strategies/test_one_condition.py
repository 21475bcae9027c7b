"""The best rule of one condition, against every word, value and list tried one by one."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from tapisvert.odds.vocabulary import FLAG, Question, Values, Word, flag, whole
from tapisvert.strategies.classes import Classes
from tapisvert.strategies.evaluation import holds
from tapisvert.strategies.one_condition import best_single

TOY = Question(
    asks="A number, the cards held and a flag.",
    words={
        "at_least": Word(column="number", compare="at least", values=whole(0, 5), means=""),
        "at_most": Word(column="number", compare="at most", values=whole(0, 5), means=""),
        "below": Word(column="number", compare="below", values=whole(0, 5), means=""),
        "number": Word(column="number", compare="one of", values=whole(0, 5), means=""),
        "holds": Word(column="held", compare="holds all", values=whole(0, 3), means=""),
        "holds_any": Word(column="held", compare="holds any", values=whole(0, 3), means=""),
        "red": flag("red", ""),
    },
    options=("a", "b", "c"),
)


def toy(seed: int) -> Classes:
    """Return random classes; some options are not legal everywhere."""
    chance = np.random.default_rng(seed)
    number, held, red = (
        np.array(each) for each in zip(*product(range(6), range(16), range(2)), strict=True)
    )
    sums = chance.integers(-100, 100, size=(3, len(number)))
    sums[0] += 20 * (number % 3)
    sums[1] += 15 * (held >> 1 & 1) - 10 * (held >> 3 & 1)
    legal = np.ones((3, len(number)), dtype=np.bool_)
    legal[1][number == 5] = False
    legal[2][held == 0] = False
    return Classes(("a", "b", "c"), sums, legal, {"number": number, "held": held, "red": red})


def by_column(classes: Classes, name: str) -> Classes:
    """Add up the classes with the same value of one column, one by one."""
    levels = sorted(set(classes.columns[name].tolist()))
    sums = np.array(
        [
            [int(row[classes.columns[name] == level].sum()) for level in levels]
            for row in classes.sums
        ]
    )
    legal = np.array(
        [
            [bool(row[classes.columns[name] == level].all()) for level in levels]
            for row in classes.legal
        ]
    )
    return Classes(classes.options, sums, legal, {name: np.array(levels)})


def lists_of(values: list[Any]) -> list[Any]:
    """Return every list of some of these values."""
    found = [
        [value for place, value in enumerate(values) if chosen >> place & 1]
        for chosen in range(1, 1 << len(values))
    ]
    return found


@pytest.mark.parametrize("seed", range(4))
def test_the_best_rule_of_one_condition_is_the_best_of_all_tried_one_by_one(seed: int) -> None:
    classes = toy(seed)
    best = -(10**9)
    for name, word in TOY.words.items():
        numbers = list(range(4 if name.startswith("holds") else 6))
        values: list[Any] = [False, True] if word.values is FLAG else numbers
        for value in lists_of(values) if word.lists else values:
            mask = holds({name: value}, TOY.words, classes.spots())
            if mask.all() or not mask.any():
                continue
            for option, otherwise in permutations(range(3), 2):
                chosen = np.where(mask, option, otherwise)
                if np.take_along_axis(classes.legal, chosen[None], axis=0).all():
                    total = int(np.take_along_axis(classes.sums, chosen[None], axis=0).sum())
                    best = max(best, total)
    columns = {name: by_column(classes, name) for name in classes.columns}
    found = best_single(TOY, columns)
    assert found is not None
    assert found.total == best
    mask = holds(found.when, TOY.words, classes.spots())
    chosen = np.where(mask, found.option, found.otherwise)
    assert int(np.take_along_axis(classes.sums, chosen[None], axis=0).sum()) == best


def test_a_word_of_none_is_not_written() -> None:
    values = Values(read=lambda written: int(written), write=lambda number: "none", such_as="")
    word = Word(column="number", compare="one of", values=values, means="")
    question = Question(asks="", words={"number": word}, options=("a", "b", "c"))
    classes = toy(0)
    assert best_single(question, {"number": by_column(classes, "number")}) is None
