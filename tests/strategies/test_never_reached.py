"""Rules that are seen never to apply: against every value that the columns can have."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from tapisvert.odds.vocabulary import Compare
from tapisvert.strategies.never_reached import Condition, never_reached

NUMBERS = range(6)
SETS = [frozenset(each) for many in range(4) for each in combinations(range(5), many)]
COMPARES: dict[Compare, str] = {
    "at least": "number",
    "at most": "number",
    "below": "number",
    "one of": "number",
    "holds all": "held",
    "holds any": "held",
}


def fulfils(condition: Condition, number: int, held: frozenset[int]) -> bool:
    """Tell whether one position fulfils a condition, each comparison written out."""
    levels = set(condition.levels)
    match condition.compare:
        case "at least":
            return number >= max(levels)
        case "at most":
            return number <= min(levels)
        case "below":
            return number < min(levels)
        case "one of":
            return number in levels
        case "holds all":
            return levels <= held
        case _:
            return bool(levels & held)


def applied(rules: list[list[Condition]]) -> set[int]:
    """Return the numbers of the rules that decide a position."""
    found = set()
    for number in NUMBERS:
        for held in SETS:
            for place, conditions in enumerate(rules, start=1):
                if all(fulfils(each, number, held) for each in conditions):
                    found.add(place)
                    break
    return found


def drawn(chance: Random) -> Condition:
    compare = chance.choice(list(COMPARES))
    several = compare in ("one of", "holds all", "holds any")
    levels = chance.sample(range(5), chance.randint(1, 3) if several else 1)
    return Condition(COMPARES[compare], compare, levels, compare)


def test_a_rule_that_is_refused_decides_no_position() -> None:
    """No rule that decides a position is refused; of the others, most are found."""
    chance = Random(25)
    found = idle = 0
    for _ in range(3_000):
        rules = [[drawn(chance) for _ in range(chance.randint(0, 3))] for _ in range(3)]
        refused = {number for number, _ in never_reached(rules)}
        reached = applied(rules)
        assert not refused & reached, rules
        found += len(refused)
        idle += 3 - len(reached)
    assert idle > 1_000
    assert found > 0.8 * idle


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ([[("at least", [4]), ("below", [4])]], (1, "at least and below exclude each other")),
        ([[], [("one of", [2])]], (2, "rule 1 has no condition and decides every position")),
        (
            [[("at least", [2])], [("at least", [3])]],
            (2, "rule 1 (at least) decides all its positions"),
        ),
        (
            [[("holds any", [1, 2])], [("holds all", [2, 3])]],
            (2, "rule 1 (holds any) decides all its positions"),
        ),
    ],
)
def test_the_reason_names_the_conditions(
    rules: list[list[tuple[Compare, list[int]]]], reason: tuple[int, str]
) -> None:
    conditions = [
        [Condition(COMPARES[compare], compare, levels, compare) for compare, levels in rule]
        for rule in rules
    ]
    assert list(never_reached(conditions)) == [reason]
