"""Strategies at Ultimate Texas Hold'em: words against plain twins, and whole strategies."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from odds.renaming import sheet_of
from strategies.rules import shipped_files
from tapisvert.cards import STANDARD, text
from tapisvert.games.ultimate.odds import rule_positions as positions
from tapisvert.games.ultimate.odds.boards import classes
from tapisvert.games.ultimate.odds.flops import PATTERNS, Renaming, flops
from tapisvert.games.ultimate.odds.play import STARTS
from tapisvert.games.ultimate.odds.sums import prices
from tapisvert.games.ultimate.odds.vocabulary import VOCABULARY, Counted
from tapisvert.games.ultimate.odds.words import AFTER_FLOP, AFTER_RIVER, BEFORE_FLOP
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.ranking.batch import tables
from tapisvert.ranking.standard import CATEGORIES, category, strength
from tapisvert.strategies.evaluation import Decider, compare
from tapisvert.strategies.strategy_file import Rule, numbers

SHEET = sheet_of(Ultimate)
RANKS = "23456789TJQKA"


def place(card: str) -> int:
    return RANKS.index(card[0])


def cards(position: Any) -> list[int]:
    return [STANDARD[RANKS.index(each[0]) * 4 + "cdhs".index(each[1])] for each in position]


def outs(position: Mapping[str, list[str]]) -> int:
    """Count the unseen cards that beat the player with the board alone, one by one."""
    hand, board = cards(position["player"]), cards(position["board"])
    mine = strength([*hand, *board])
    unseen = [card for card in STANDARD if card not in (*hand, *board)]
    assert len(unseen) == 45
    best_of_six = (
        max(strength(five) for five in combinations([*board, card], 5)) for card in unseen
    )
    return sum(theirs > mine for theirs in best_of_six)


def hand_category(position: Mapping[str, list[str]]) -> int:
    return CATEGORIES.index(category(strength(cards([*position["player"], *position["board"]]))))


def hidden(position: Mapping[str, list[str]]) -> bool:
    one, two = (card[0] for card in position["player"])
    board = [card[0] for card in position["board"]]
    return one == two or one in board or two in board


def four_flush(position: Mapping[str, list[str]], rank: str) -> bool:
    everything = [*position["player"], *position["board"]]
    return any(
        sum(card[1] == mine[1] for card in everything) >= 4 and place(mine) >= place(rank)
        for mine in position["player"]
    )


PAIR: dict[str, Any] = {
    "pocket_pair": lambda at, rank: (
        at["player"][0][0] == at["player"][1][0] and place(at["player"][0]) >= place(rank)
    ),
    "high": lambda at, asked: max(at["player"], key=place)[0] in asked,
    "high_at_least": lambda at, rank: max(map(place, at["player"])) >= place(rank),
    "low_at_least": lambda at, rank: min(map(place, at["player"])) >= place(rank),
    "suited": lambda at, asked: (at["player"][0][1] == at["player"][1][1]) == asked,
}
FLOP: dict[str, Any] = PAIR | {
    "at_least": lambda at, kind: hand_category(at) >= CATEGORIES.index(kind),
    "hidden_pair": lambda at, asked: hidden(at) == asked,
    "four_flush_with": four_flush,
    "board_trips": lambda at, asked: (len({card[0] for card in at["board"]}) == 1) == asked,
}
RIVER: dict[str, Any] = PAIR | {
    "at_least": lambda at, kind: hand_category(at) >= CATEGORIES.index(kind),
    "hidden_pair": lambda at, asked: hidden(at) == asked,
    "improves": lambda at, asked: (
        (hand_category(at) > CATEGORIES.index(category(strength(cards(at["board"]))))) == asked
    ),
    "beats_board": lambda at, asked: (
        (strength(cards([*at["player"], *at["board"]])) > strength(cards(at["board"]))) == asked
    ),
    "dealer_outs_below": lambda at, count: outs(at) < count,
}
VALUES: dict[str, list[Any]] = {
    "pocket_pair": ["2", "9"],
    "high": ["A", ["K", "Q"]],
    "high_at_least": ["T", "K"],
    "low_at_least": ["5", "9"],
    "suited": [True, False],
    "at_least": ["pair", "two-pair", "straight"],
    "hidden_pair": [True, False],
    "four_flush_with": ["2", "T"],
    "board_trips": [True, False],
    "improves": [True, False],
    "beats_board": [True, False],
    "dealer_outs_below": [10, 21, 30],
}


def check(question: str, twins: dict[str, Any], columns: Any, places: list[Any]) -> None:
    """Compare every word of a question with its twin in these positions."""
    words = VOCABULARY.questions[question].words
    assert words.keys() == twins.keys()
    for name, twin in twins.items():
        column = np.asarray(columns[words[name].column]())
        seen = set()
        for asked in VALUES[name]:
            found = compare(words[name], column, numbers(words[name], asked))
            expected = [twin(each, asked) for each in places]
            assert found.tolist() == expected, (name, asked)
            seen |= set(expected)
        assert seen == {True, False}, name


def dealt(seed: int, count: int, board: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Deal random pairs and boards; some flops are three of a kind."""
    chance = Random(seed)
    rows = [chance.sample(STANDARD, 2 + board) for _ in range(count)]
    rows += [[4, 9, 48, 49, 50][: 2 + board] for _ in range(board == 3)]
    both = np.array(rows, dtype=np.uint8)
    return np.sort(both[:, :2], axis=1), both[:, 2:]


def written(pairs: Any, boards: Any) -> list[Any]:
    return [
        {"player": list(map(text, pair)), "board": list(map(text, board))}
        for pair, board in zip(pairs.tolist(), boards.tolist(), strict=True)
    ]


def test_every_word_before_and_on_the_flop_is_what_its_plain_twin_says() -> None:
    pairs, boards = dealt(3, 1500, 3)
    check(BEFORE_FLOP, PAIR, positions.pair_columns(pairs), written(pairs, boards))
    check(AFTER_FLOP, FLOP, positions.flop_columns(pairs, boards), written(pairs, boards))


def forty_boards(chance: Random) -> tuple[NDArray[np.uint8], positions.Rivers]:
    """Deal boards; return them with their positions, as no flop is raised on."""
    boards = np.array([sorted(chance.sample(STANDARD, 5)) for _ in range(40)], dtype=np.uint8)
    known, (numbered, _) = flops(), classes()
    renaming = Renaming(known.pattern, known.renaming, known.cards, known.pairs)
    after = np.zeros((PATTERNS, STARTS), dtype=np.int8)
    return boards, positions.rivers(boards, prices(SHEET), numbered, tables(7), renaming, after)


def test_every_word_at_the_river_is_what_its_plain_twin_says() -> None:
    chance = Random(5)
    boards, found = forty_boards(chance)
    assert (found.flop_raises & 255 == 10).all()  # no flop is raised on
    each = np.array([chance.randrange(40) for _ in range(400)])
    row = np.array([chance.randrange(1081) for _ in range(400)])
    pairs = found.pairs[each, row]
    columns = positions.river_columns(
        pairs,
        boards,
        each,
        found.strengths[each, row],
        lambda: positions.dealer_outs(boards, found)[each, row],
    )
    check(AFTER_RIVER, RIVER, columns, written(pairs, boards[each]))


def test_a_planted_wrong_rule_at_the_river_is_the_costliest_and_errs_with_folds() -> None:
    """On forty boards: fold what fewer than eight cards beat, before the practical rules."""
    boards, found = forty_boards(Random(25))
    (practical,) = (file for file in shipped_files("ultimate") if file.name == "practical")
    planted = Rule("fold", {"dealer_outs_below": 8})
    rules = {**practical.rules, AFTER_RIVER: (planted, *practical.rules[AFTER_RIVER])}
    decider = Decider(replace(practical, rules=rules), VOCABULARY)
    counted = object.__new__(Counted)  # without the sums over all boards
    counted._sheet, counted.unit = SHEET, prices(SHEET).unit
    early = np.zeros(found.strengths.shape, dtype=np.int8)
    counted._after_river(decider, boards, np.ones(40, dtype=np.int64), found, early)
    lost = [decider.tallies[AFTER_RIVER, place].lost for place in range(5)]
    assert lost[0] > 10 * max(lost[1:])
    assert {each[-1] for each in decider.tallies[AFTER_RIVER, 0].mistakes} == {"raise-1"}
