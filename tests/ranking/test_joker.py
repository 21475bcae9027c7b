"""The order of Pai Gow hands, against the sentences of the rules and a naive evaluator."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import comb

import numpy as np
import pytest

from ranking.naive import NaiveRank, ways_to_share
from ranking.naive_joker import (
    PAI_GOW_NAMES,
    best_stand_ins,
    every_hand,
    first_seen,
    naive_high,
    naive_legal,
    naive_low,
    random_hands_of_53,
    rise_together,
    sets,
)
from tapisvert.cards import (
    JOKER,
    RANKS,
    STANDARD,
    WITH_JOKER,
    parse_hand,
    write_hand,
)
from tapisvert.ranking import batch, joker_batch
from tapisvert.ranking.joker import (
    CATEGORIES,
    category,
    low_strength,
    outranks,
    stands_for,
    strength,
    telling_ranks,
)
from tiers import few_or_many, long

# A hand, its category, the ranks in its name, and the joker's stand-in (of equals, any).
READ = (
    ("As Ah Ad Ac Jk", "five-aces", "", ""),
    ("Ts Js Qs Ks As", "royal-flush", "", ""),
    ("Ts Js Qs Ks Jk", "royal-flush", "", "As"),  # above the run, not below it
    ("9h Th Jh Qh Jk", "straight-flush", "K", "Kh"),
    ("2h 3h 4h 5h Jk", "straight-flush", "5", "Ah"),  # A-5 is better than 6-high
    ("Ah 3h 4h 5h Jk", "straight-flush", "5", "2h"),
    ("3h 4h 5h 6h Jk", "straight-flush", "7", "7h"),
    ("As Ah Ad Kc Jk", "four-of-a-kind", "AK", "Ac"),
    ("9s 9h 9d 9c Jk", "four-of-a-kind", "9A", "As Ah Ad Ac"),  # never a fifth nine
    ("As Ah 9d 9c Jk", "full-house", "A9", "Ad Ac"),
    ("9s 9h 9d Ac Jk", "full-house", "9A", "As Ah Ad"),
    ("Kh 9h 7h 2h Jk", "flush", "AK972", "Ah"),
    ("Ah Kh 9h 7h Jk", "flush", "AKQ97", "Qh"),
    ("Ac Kd Qh Js Jk", "straight", "A", "Ts Th Td Tc"),
    ("2s 3h 4d 5c Jk", "straight", "5", "As Ah Ad Ac"),
    ("6c 7d 9h Ts Jk", "straight", "T", "8s 8h 8d 8c"),
    ("As Ah Kd Qc Jk", "three-of-a-kind", "AKQ", "Ad Ac"),
    ("9s 9h 9d 4c Jk", "three-of-a-kind", "9A4", "As Ah Ad Ac"),  # never a fourth nine
    ("Kc Kd As 7h Jk", "two-pair", "AK7", "Ah Ad Ac"),
    ("Kc Kd 7s 7h Jk", "two-pair", "K7A", "As Ah Ad Ac"),
    ("Kc Kd 8s 7h Jk", "pair", "KA87", "As Ah Ad Ac"),
    ("As Kd 8c 7h Jk", "pair", "AK87", "Ah Ad Ac"),
    ("Kd 9c 7h 2s Jk", "high-card", "AK972", "As Ah Ad Ac"),
    ("Kd Qc 2h 3s Ac", "high-card", "AKQ32", ""),
)

# One hand of each category with the joker and one without, weakest first.
LADDER = (
    ("Kd Qc Jh 9s Ac", "Kd Qc 9h 8s Jk"),
    ("As Ad Kc Qh Js", "Ks Kd Qc Jh Jk"),
    ("As Ad Kc Kh Qs", "As Kd Kc Qh Jk"),
    ("As Ad Ac Kh Qs", "As Ad Kc Qh Jk"),
    ("As Kd Qc Jh Ts", "As Kd Qc Jh Jk"),
    ("Ah Kh Qh Jh 9h", "Ah Kh Qh 9h Jk"),
    ("As Ad Ac Kh Ks", "As Ad Kc Kh Jk"),
    ("As Ad Ac Ah Ks", "As Ad Ac Kh Jk"),
    ("5h 4h 3h 2h Ah", "5h 4h 3h 2h Jk"),
    ("Ah Kh Qh Jh Th", "Ah Kh Qh Jh Jk"),
    ("As Ah Ad Ac Jk", "Jk Ac Ad Ah As"),
)

# High, low, and whether the high hand may stand beside it, with the clause that decides.
LEGAL = (
    ("Js Jh 9d 4c 2s", "Jd Jc", True),  # four jacks split: equality is legal
    ("Js Jh 3d 4c 2s", "Jd Jc", True),  # ... whatever lies beside the pair
    ("Ts Th Ad Kc Qs", "Jd Jc", False),  # a pair is compared with a low pair by rank
    ("Qs Qh 3d 4c 2s", "Jd Jc", True),
    ("2s 2h 3d 4c 5s", "Ad Kc", True),  # a pair is more than no pair
    ("As Kh Qd Jc 9s", "2d 2c", False),
    ("3s 3h 2d 2c 4s", "Ad Ac", True),  # from two pair up it always is
    ("2s 3h 4d 5c 6s", "Ad Ac", True),
    ("2h 3h 4h 5h 7h", "Ad Ac", True),
    ("As Kh 4d 3c 2s", "Ad Kc", True),  # no pair: two cards against two, equality is legal
    ("As Qh Jd Tc 9s", "Ad Kc", False),
    ("Ks Qh Jd Tc 8s", "Ad 2c", False),
    ("As 6h 4d 3c 2s", "Ad 7c", False),
    ("Kd 9c 7h 2s Jk", "Ac Kh", True),  # the joker high is an ace
    ("Kd 9c 7h 2s Jk", "Ac Ah", False),
    ("Ad 9c 7h 2s 4h", "Jk Kh", False),  # the joker low is an ace
    ("As Ah 9d 4c 2s", "Ad Jk", True),
    ("Kh Ks 9d 4c 2s", "Ad Jk", False),
    ("9h 8h 7h 2h Jk", "Ad Ac", True),
)


def read(written: str) -> tuple[str, str]:
    """Return the category of a hand and the ranks in its name."""
    value = strength(parse_hand(written))
    return category(value), telling_ranks(value)


def test_categories_are_the_eleven_of_the_rules_weakest_first() -> None:
    assert CATEGORIES == PAI_GOW_NAMES
    assert [read(natural)[0] for natural, _ in LADDER] == list(PAI_GOW_NAMES)
    assert [read(wild)[0] for _, wild in LADDER] == list(PAI_GOW_NAMES)


def test_each_category_beats_the_one_below_with_the_joker_or_without() -> None:
    for weaker, stronger in pairwise(LADDER):
        for low in weaker:
            assert all(strength(parse_hand(low)) < strength(parse_hand(high)) for high in stronger)


@pytest.mark.parametrize(("written", "name", "told", "cards"), READ)
def test_a_hand_is_read_as_the_rules_say(written: str, name: str, told: str, cards: str) -> None:
    assert read(written) == (name, told)
    five = parse_hand(written)
    card = stands_for(five)
    assert card in parse_hand(cards) if cards else card is None
    if cards:
        assert sorted(best_stand_ins(five)) == sorted(parse_hand(cards))
    # A joker ties with the card it stands for.
    assert all(read(written.replace("Jk", card)) == (name, told) for card in cards.split())


def test_the_joker_may_be_a_card_that_lies_in_the_low_hand() -> None:
    high, low = parse_hand("Kh 9h 7h 2h Jk"), parse_hand("Ah Qs")
    assert stands_for(high) == low[0]
    assert outranks(strength(high), low_strength(low))


@pytest.mark.parametrize("suits", ["cdhsc", "hhhhh"])
def test_ace_to_five_is_the_second_highest_straight_and_straight_flush(suits: str) -> None:
    runs = [*(RANKS[low : low + 5] for low in range(8)), "A2345", "TJQKA"]
    hands = [" ".join(map("".join, zip(run, suits, strict=True))) for run in runs]
    assert all(strength(parse_hand(a)) < strength(parse_hand(b)) for a, b in pairwise(hands))
    told = [telling_ranks(strength(parse_hand(hand))) for hand in hands]
    assert told == [*"6789TJQK5", "A" if suits == "cdhsc" else ""]


@pytest.mark.parametrize(("high", "low", "legal"), LEGAL)
def test_a_set_is_legal_as_the_rules_say(high: str, low: str, legal: bool) -> None:
    assert outranks(strength(parse_hand(high)), low_strength(parse_hand(low))) is legal
    assert naive_legal(parse_hand(high), parse_hand(low)) is legal


@pytest.mark.parametrize("joker", [False, True])
@pytest.mark.parametrize("count", few_or_many(100, 500))
def test_legality_is_the_naive_one_on_all_21_sets(joker: bool, count: int) -> None:
    seen = set()
    for seven in random_hands_of_53(count, 7, seed=21, joker=joker).tolist():
        for high, low in sets(seven):
            legal = naive_legal(high, low)
            assert outranks(strength(high), low_strength(low)) is legal, write_hand(seven)
            seen.add(legal)
    assert seen == {False, True}


def test_every_low_hand_stands_in_the_naive_order_and_the_batch_agrees() -> None:
    lows = every_hand(WITH_JOKER, 2)
    values = [low_strength(two) for two in lows.tolist()]
    ranked = {(value, naive_low(two)) for value, two in zip(values, lows.tolist(), strict=True)}
    assert len(lows) == comb(53, 2)
    assert len(ranked) == comb(13, 2) + 13
    assert rise_together(ranked)
    assert joker_batch.low_strengths(lows).tolist() == values
    assert joker_batch.low_strengths(lows[:, ::-1]).tolist() == values


@pytest.mark.parametrize("one_in", [10, pytest.param(1, marks=long)])
def test_hands_with_the_joker_stand_in_the_naive_order_and_the_batch_agrees(one_in: int) -> None:
    every_four = every_hand(STANDARD, 4).tolist()
    assert len(every_four) == comb(52, 4) == 270_725
    fours = every_four[::-one_in]  # from the four aces down
    values = [strength([*four, JOKER]) for four in fours]
    naive: dict[tuple[int, ...], NaiveRank] = {}
    ranked = set()
    for value, four in zip(values, fours, strict=True):
        alike = first_seen(four)  # naming the suits otherwise changes nothing
        if alike not in naive:
            naive[alike] = naive_high([*alike, JOKER])
        ranked.add((value, naive[alike]))
    assert rise_together(ranked)
    assert {category(value) for value, _ in ranked} == set(PAI_GOW_NAMES)
    assert all(category(value) == PAI_GOW_NAMES[place] for value, (place, _) in ranked)
    rows = np.insert(np.array(fours, dtype=np.uint8), 2, JOKER, axis=1)
    assert joker_batch.strengths(rows).tolist() == values


def test_every_natural_class_stands_in_the_naive_order() -> None:
    # Without a flush only the counts of the ranks matter, with one only its ranks: suits by turns.
    shared = [
        [4 * place + turn % 4 for turn, place in enumerate(np.repeat(range(13), way).tolist())]
        for way in ways_to_share(13, 5)
    ]
    hands = [*shared, *([4 * place + 2 for place in five] for five in combinations(range(13), 5))]
    ranked = {(strength(five), naive_high(five)) for five in hands}
    assert len(ranked) == len(hands) == 7_462
    assert rise_together(ranked)
    assert joker_batch.strengths(np.array(hands, dtype=np.uint8)).tolist() == [
        strength(five) for five in hands
    ]


def test_every_natural_hand_but_the_straights_is_as_strong_as_in_the_standard_order() -> None:
    natural = every_hand(STANDARD, 5)
    ours, standard = joker_batch.strengths(natural), batch.strengths(natural)
    assert np.array_equal(ours >> 20, standard >> 20)
    straight = np.isin(ours >> 20, [4, 8])
    assert np.array_equal(ours[~straight], standard[~straight])
    assert int(straight.sum()) == 10 * 4**5 - 4  # the royal flushes are not among them


@pytest.mark.parametrize("count", few_or_many(4_000, 20_000))
def test_random_hands_stand_in_the_naive_order_however_their_cards_lie(count: int) -> None:
    sample = random_hands_of_53(count, 5, seed=53)
    values = [strength(five) for five in sample.tolist()]
    naive = [naive_high(five) for five in sample.tolist()]
    assert rise_together(set(zip(values, naive, strict=True)))
    assert joker_batch.strengths(sample).tolist() == values
    assert joker_batch.strengths(sample[::-1, ::-1]).tolist() == values[::-1]


@pytest.mark.parametrize("count", few_or_many(400, 2_000))
def test_the_joker_stands_for_a_card_the_naive_order_allows(count: int) -> None:
    for five in random_hands_of_53(count, 5, seed=5, joker=True).tolist():
        assert stands_for(five) in best_stand_ins(five)
