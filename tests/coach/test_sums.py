"""The best values, summed over all deals, equal the proved return.

Where sums are whole numbers, the equality is exact. `make sums` sums full decks. These tests sum
some hands of Casino Stud and High Card Flush, using the proof's positions, and small decks.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from coach import sums
from coach.sums import Summed
from odds.oracle_flush import best_choice, ends_in_deck
from odds.renaming import RENAMINGS, renamed, sheet_of
from tapisvert.cards import STANDARD, Card, parse_hand
from tapisvert.coach.advice import advise
from tapisvert.games.blackjack.odds.hands import counts, points, value
from tapisvert.games.blackjack.odds.proof import best_play
from tapisvert.games.blackjack.odds.rules import rules_of
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.games.casino_stud.odds import proof as stud
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.games.high_card_flush.odds import proof as flush
from tapisvert.games.high_card_flush.sheet import HighCardFlush
from tapisvert.games.pai_gow.odds.proof import prove as prove_pai_gow
from tapisvert.games.pai_gow.sheet import PaiGow
from tapisvert.games.ultimate.odds.advice import starting_hand
from tapisvert.games.ultimate.odds.sums import prices
from tapisvert.games.ultimate.sheet import Ultimate
from tapisvert.lab import chart_store, proof_store
from tapisvert.odds.suits import Patterns, cards_of, patterns
from tapisvert.sheets import load
from tiers import few_or_many, long, one_in

EXACT = 1e-12


def proved(game: str) -> Fraction:
    """Return the edge of the best play, from the shipped proof."""
    found = next(each for each in proof_store.find(load(game)) if each.strategy == "optimal")
    return Fraction(found.edge)


def told(what: str, positions: int) -> None:
    """Print the number of positions (`pytest -s`)."""
    print(f"{what}: {positions:,} positions")


@pytest.mark.parametrize("step", [60_000, pytest.param(5_000, marks=long)])
def test_casino_stud_some_hands_with_all_their_up_cards(step: int) -> None:
    sheet = sheet_of(CasinoStud)
    at = stud.positions(sheet.least_to_qualify)
    rows = np.arange(7, len(at.weights), step)
    value, unit = stud.play_values(sheet, at)
    assert unit == 1
    best = np.where(at.there, np.maximum(value, -sums.STUD_HOUSE), 0)[rows].sum(axis=1)
    hands = zip(at.hands[rows].tolist(), at.weights[rows].tolist(), strict=True)
    found = sums.stud(hands)
    assert found.deals == int(at.weights[rows].sum()) * 47 * sums.STUD_HOUSE
    assert found.net == int((best * at.weights[rows]).sum())
    told("casino-stud", found.positions)


@pytest.mark.parametrize("step", [30_000, pytest.param(2_000, marks=long)])
def test_high_card_flush_some_hands(step: int) -> None:
    sheet, every = sheet_of(HighCardFlush), patterns(7)
    some = Patterns(every.suits[11::step], every.weights[11::step])
    at = flush.positions(sheet, hands=some)
    worths = [flush.raise_values(sheet, at, times)[0] for times in (1, 2)]
    two = np.where(flush.most_times(sheet, at) == 2, worths[1], worths[0])
    best = np.maximum(np.maximum(worths[0], two), -sums.FLUSH_HOUSE)
    hands = zip(cards_of(some.suits, 7).tolist(), some.weights.tolist(), strict=True)
    found = sums.flush(hands)
    assert found.deals == int(some.weights.sum()) * sums.FLUSH_HOUSE
    assert found.net == sum(int(w) * int(b) for w, b in zip(some.weights, best, strict=True))
    told("high-card-flush", found.positions)


@long
def test_high_card_flush_every_deal_of_a_small_deck() -> None:
    cards = sorted(parse_hand("Ah Kh Qh 9h 8h 3h 2h As Ts 7s 2s 9d 8d 4d Kc"))
    sheet = sheet_of(HighCardFlush)
    by_hand = ends_in_deck(cards, sheet.least_to_qualify)
    best = [best_choice(sheet, hand, ends)[0] for hand, ends in by_hand.items()]
    found = sums.thin_flush(sheet, cards)
    assert found.mean == sum(best) / len(best)
    told("high-card-flush, 15 cards", found.positions)


def test_ultimate_the_starting_hands_come_to_the_proved_edge() -> None:
    starts = chart_store.find(load("ultimate"))
    pairs = list(combinations(STANDARD, 2))
    names = [starting_hand(list(pair)) for pair in pairs]
    assert {start["hand"]: start["ways"] for start in starts} == {
        name: names.count(name) for name in set(names)
    }
    best = {
        start["hand"]: max(Fraction(worth) for worth in start["values"].values())
        for start in starts
    }
    assert sum(best[name] for name in names) / len(pairs) == proved("ultimate")
    for pair, name in zip(pairs, names, strict=True):
        asked = {"game": "ultimate", "player": sums.written(pair)}
        assert sums.best_of(asked) == float(best[name])
    told("ultimate, before the flop", len(pairs))


@pytest.mark.parametrize("flops", few_or_many(1, 6))
def test_ultimate_all_turns_and_rivers_come_to_what_a_check_on_the_flop_is_worth(
    flops: int,
) -> None:
    chance, positions = Random(11), 0
    for _ in range(flops):
        *pair, one, two, three = chance.sample(STANDARD, 5)
        flop = [one, two, three]
        found = sums.rivers(pair, flop)
        asked = {"game": "ultimate", "player": sums.written(pair), "board": sums.written(flop)}
        checked = advise(asked).options["check"]
        assert found.net == sums.in_deals(checked, sums.FLOP)
        assert found.deals == sums.FLOP
        positions += found.positions
    told("ultimate, turn and river", positions)


@pytest.mark.parametrize("pair", ["As Ks", "As Kd", "As Ad"])
def test_ultimate_flops_that_differ_by_suits_alone_are_asked_for_once(pair: str) -> None:
    cards = parse_hand(pair)
    kept = [each for each in RENAMINGS if renamed(cards, each) == tuple(sorted(cards))]
    found = sums.flops_of(cards)
    assert sum(found.values()) == 19_600
    assert {len({renamed(flop, each) for each in kept}) - n for flop, n in found.items()} == {0}


def test_ultimate_is_summed_in_the_part_of_an_ante_its_prices_need() -> None:
    assert prices(sheet_of(Ultimate)).unit == sums.ULTIMATE_UNIT


BLACKJACK_DECKS = {
    "eights and tens": parse_hand("Ac Ad 5c 5d 8c 8d 8h Tc Td Th Ts Jc Jd"),
    "mixed": parse_hand("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc 9d Td"),
}


@pytest.mark.parametrize("name", one_in(2, list(BLACKJACK_DECKS)))
def test_blackjack_every_two_cards_and_up_card_come_to_the_proved_edge(name: str) -> None:
    sheet, deck = sheet_of(Blackjack), BLACKJACK_DECKS[name]
    rules = rules_of(sheet)._replace(deck=counts(map(value, deck)))
    positions, mean = sums.blackjack(sheet, deck)
    assert mean == pytest.approx(float(best_play(rules)[0].edge), abs=EXACT)
    told(f"blackjack, {name}", positions)


def test_blackjack_a_hit_is_worth_the_mean_of_what_it_becomes() -> None:
    chance, positions = Random(13), 0
    for _ in range(8):
        hand, up = low_hand(chance)
        more, mean = sums.drawn(hand, up)
        asked = {"game": "blackjack", "hand": sums.written(hand), "up": sums.written([up])[0]}
        assert advise(asked).options["hit"] == pytest.approx(mean, abs=EXACT)
        positions += more
    told("blackjack, after a hit", positions)


def low_hand(chance: Random) -> tuple[list[Card], Card]:
    """Deal two or three cards that one card can neither bust nor make a hard 21; and an up card."""
    while True:
        *hand, up = chance.sample(STANDARD, chance.choice((3, 4)))
        if points(counts(map(value, hand))) <= 10:
            return hand, up


@long
def test_pai_gow_every_deal_of_a_small_deck() -> None:
    sheet, cards = sheet_of(PaiGow), parse_hand("As Ks 9s 8s 7s 6s Kd 9d 9c 8h 6h 5c 2d Jk")
    found = sums.pai_gow(sheet, cards)
    _, best, *_ = prove_pai_gow(sheet, cards=cards, others=["optimal"])
    assert found.mean == best.edge
    told("pai-gow, 14 cards", found.positions)


def test_a_sum_with_one_wrong_answer_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    hands: list[tuple[list[Card], int]] = [(parse_hand("As Kd Qh 5c 3d"), 1)]
    right = sums.stud(hands)
    monkeypatch.setattr(sums, "advise", lambda asked: wrong(asked))
    assert sums.stud(hands).net == right.net + 1


def wrong(asked: dict[str, list[str]]) -> object:
    """Advise with a planted error: one dealer outcome is wrong against one up card."""
    found = advise(asked)
    if asked["house"] == ["Ac"]:
        found.options["play"] += 1 / sums.STUD_HOUSE
    return found


def test_sums_add_up() -> None:
    assert Summed(1, 2, 3) + Summed(4, 5, 6) == Summed(5, 7, 9)
    assert Summed(1, 6, -3).mean == Fraction(-1, 2)
    with pytest.raises(AssertionError):
        sums.in_deals(0.5, 3)
