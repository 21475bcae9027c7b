"""Strategies as tests write them, and their words evaluated one position at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapisvert.games.registry import GAMES
from tapisvert.odds.vocabulary import Counted, Spots, Vocabulary, Written
from tapisvert.strategies.evaluation import Evaluation, compare, evaluate
from tapisvert.strategies.strategy_file import StrategyFile, numbers, read_file, shipped, typed

Twin = Callable[[Mapping[str, Any], Written], bool]


def strategy(
    game: str, question: str, *rules: tuple[dict[str, Any], str], name: str = "of a test"
) -> StrategyFile:
    """Return a strategy of one question."""
    written = [{"when": when, "choose": choose} for when, choose in rules]
    return typed({"game": game, "name": name, question: written}, name)


def shipped_files(game: str) -> list[StrategyFile]:
    """Return the strategies that come with a game."""
    return [read_file(path) for path in shipped(game).values()]


def all_files() -> list[Path]:
    """Return every shipped strategy file."""
    return [path for game in GAMES for path in shipped(game).values()]


class Recorded:
    """Decides every position by the best option, and keeps the positions of each question."""

    def __init__(self) -> None:
        self.spots: dict[str, list[Spots]] = {}

    def __call__(self, question: str, spots: Spots) -> NDArray[np.int8]:
        """Return the best option of each position."""
        self.spots.setdefault(question, []).append(spots)
        least = np.iinfo(np.int64).min
        best = np.where(spots.legal, spots.values, least).argmax(axis=0)
        return np.asarray(best, dtype=np.int8)


def compare_with_twins(
    spots: Spots,
    vocabulary: Vocabulary,
    question: str,
    twins: Mapping[str, tuple[Twin, list[Any]]],
    rows: int = 300,
) -> None:
    """Compare every word with its twin on random positions, for each of its values."""
    words = vocabulary.questions[question].words
    assert words.keys() == twins.keys()
    chance = Random(25)
    places = [chance.randrange(len(spots.weights)) for _ in range(rows)]
    positions = [spots.position(place) for place in places]
    for name, (twin, values) in twins.items():
        word = words[name]
        seen = set()
        for value in values:
            found = compare(word, spots.column(word.column), numbers(word, value))
            for place, position in zip(places, positions, strict=True):
                assert bool(found[place]) == twin(position, value), (name, value, position)
                seen.add(bool(found[place]))
        assert seen == {True, False}, f"{name} is always the same in these positions"


def value(file: StrategyFile, vocabulary: Vocabulary, counted: Counted) -> Evaluation:
    """Evaluate a strategy, and check that its costs add up."""
    found = evaluate(file, vocabulary, counted)
    assert sum(each.cost for each in found.rules) == found.cost >= 0
    for rule in found.rules:
        assert rule.deals > 0
        assert bool(rule.mistakes) == (rule.cost > 0)
    return found
