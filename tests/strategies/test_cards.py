"""Strategy cards: their figures, their sentences, and the rule that lights up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import strategies_page
import strategy_cards
from strategies import test_blackjack, test_flush, test_pai_gow, test_stud, test_ultimate
from tapisvert.cards import JOKER, STANDARD, text
from tapisvert.coach.advice import advise, rules
from tapisvert.games.registry import SHIPPED
from tapisvert.lab import proof_store
from tapisvert.lab.proof_keys import key
from tapisvert.odds.figures import write_return
from tapisvert.odds.vocabulary import FLAG
from tapisvert.ranking.standard import strength
from tapisvert.sheets import load, variants_of
from tapisvert.strategies import card_store
from tapisvert.strategies.card_store import CardRule, SheetCards
from tapisvert.strategies.evaluation import vocabulary_of
from tapisvert.strategies.strategy_file import read_file, shipped
from tapisvert.web.cards import card_of
from tapisvert.words import LANGUAGES, catalogue
from tiers import long

Twins = Mapping[str, Callable[[Any, Any], bool]]
Positions = Callable[[Random], Iterator[tuple[str, dict[str, Any], dict[str, Any]]]]
STRATEGIES_PAGE = strategies_page.PAGE.read_text(encoding="utf-8")
SAME_WITHIN = Fraction(1, 10**10)  # the costs of rules at Blackjack are rounded
SECONDS = ("casino-stud", "high-card-flush", "blackjack")  # others take minutes


def cards_of(game: str) -> SheetCards:
    found = card_store.find(load(game))
    assert found is not None
    return found


@pytest.mark.parametrize("game", SHIPPED)
def test_the_costs_of_the_rules_add_up_and_the_edge_is_that_of_the_proved_best_play(
    game: str,
) -> None:
    proofs = proof_store.find(load(game))
    mains = (each for each in proofs if each.bet == "main")
    best = next(Fraction(each.edge) for each in mains if each.strategy == "optimal")
    for card in cards_of(game).cards:
        cost = Fraction(card.cost)
        assert abs(sum(Fraction(rule.cost) for rule in card.rules) - cost) < SAME_WITHIN
        assert Fraction(card.edge) + cost == best
        assert cost > 0


@pytest.mark.parametrize("game", SHIPPED)
def test_a_published_strategy_on_a_card_has_the_address_of_its_file(game: str) -> None:
    files = {name: read_file(path) for name, path in shipped(game).items()}
    for card in cards_of(game).cards:
        source = files[card.name].source if card.name in files else None
        assert card.address == (source.address if source else "")


@pytest.mark.parametrize("game", SHIPPED)
def test_the_costs_are_those_on_the_page_of_strategies(game: str) -> None:
    for card in cards_of(game).cards:
        written = write_return(100 * Fraction(card.cost), 4)
        if card.proved_best is None:
            row = next(line for line in STRATEGIES_PAGE.splitlines() if f"(`{card.name}`)" in line)
            assert f"| {written} |" in row
        else:
            assert f"costs {written} %, house edge" in STRATEGIES_PAGE


@long
@pytest.mark.parametrize("game", SECONDS)
def test_a_card_is_what_is_counted_today(game: str) -> None:
    plan = strategy_cards.plan_of(game)
    assert plan is not None
    assert strategy_cards.cards_of(load(game), plan) == cards_of(game)


@pytest.mark.parametrize("game", SHIPPED)
def test_the_sentences_are_those_of_the_words_today(game: str) -> None:
    sheet, found = load(game), cards_of(game)
    assert strategy_cards.written_anew(sheet, found) == found
    for card in found.cards:
        for rule in card.rules:
            for language in LANGUAGES:
                assert rule.says[language]
                assert rule.does[language]
                assert "{" not in rule.says[language] + rule.does[language]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_every_word_and_option_of_a_vocabulary_has_a_phrase(game: str, language: str) -> None:
    words = catalogue(language)
    for question in vocabulary_of(load(game)).questions.values():
        for name, word in question.words.items():
            ends = ("-true", "-false") if word.values is FLAG else ("",)
            for end in ends:
                assert words.find(f"rule.word.{name}{end}", game), (name, end)
        for option in question.options:
            told = words.find(f"rule.choice.{option}", game) or words.find(f"option.{option}", game)
            assert told or option == "raise-3" or game == "ultimate", option


@pytest.mark.parametrize("game", SHIPPED)
def test_other_figures_show_no_card(game: str) -> None:
    sheet = load(game)
    shown = card_of(sheet)
    assert shown.first in {each.name for each in shown.lengths}
    for other in variants_of(sheet).values():
        if key(other, "main") != key(sheet, "main"):
            assert card_of(other).lengths == ()
            assert card_store.find(other) is None


# The rule that lights up: the first whose conditions hold, by the plain twin of every word -------


def plain(twins: Mapping[str, Any]) -> Twins:
    return {name: each[0] if isinstance(each, tuple) else each for name, each in twins.items()}


def ranked(position: Any, limit: str) -> bool:
    """Tell whether a hand at Casino Stud is at least these ranks: a pair and more always is."""
    held = sorted(map(test_stud.place, test_stud.ranks(position)), reverse=True)
    return strength(test_stud.hand(position)) >> 20 > 0 or held >= [
        test_stud.place(rank) for rank in limit
    ]


def stud(chance: Random) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for number in range(60):
        high = [card for card in STANDARD if card >> 2 in ((12, 11, 10, 9) if number % 3 else ())]
        some = chance.sample(high, 3) if high else []
        rest = chance.sample([card for card in STANDARD if card not in some], 6 - len(some))
        cards = [text(card) for card in (*some, *rest)]
        at = {"player": cards[:5], "house": cards[5:]}
        yield "play-or-fold", at, at


def flush(chance: Random) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for _ in range(80):
        at = {"player": [text(card) for card in chance.sample(STANDARD, 7)]}
        yield "raise-or-fold", at, at


def ultimate(chance: Random) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    questions = {0: "before-flop", 3: "after-flop", 5: "after-river"}
    for number in range(60):
        board = (0, 3, 5)[number % 3]
        cards = [text(card) for card in chance.sample(STANDARD, 2 + board)]
        at = {"player": cards[:2], "board": cards[2:]}
        yield questions[board], at, at


def blackjack(chance: Random) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for number in range(100):
        hand = [text(card) for card in chance.sample(STANDARD, 2 + number % 4 // 2 + number % 2)]
        up = next(text(card) for card in chance.sample(STANDARD, 8) if text(card) not in hand)
        at = {"hand": hand, "up": [up]}
        if test_blackjack.best_total(at)[0] >= 21:
            continue
        pair = len(hand) == 2 and len(set(test_blackjack.names(at))) == 1
        yield "play", at, {"hand": hand, "up": up, "can_split": pair}


def pai_gow(chance: Random) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    three = plain(test_pai_gow.TWINS)["kind"]
    for _ in range(60):
        at = {"player": [text(card) for card in chance.sample([*STANDARD, JOKER], 7)]}
        if three(at, ["three"]):
            continue  # one of its words has no twin
        yield "set", at, at


ULTIMATE = {
    "before-flop": plain(test_ultimate.PAIR),
    "after-flop": plain(test_ultimate.FLOP),
    "after-river": plain(test_ultimate.RIVER),
}
TABLES: dict[str, tuple[Positions, Mapping[str, Twins]]] = {
    "casino-stud": (stud, {"play-or-fold": {**plain(test_stud.TWINS), "at_least": ranked}}),
    "high-card-flush": (flush, {"raise-or-fold": plain(test_flush.TWINS)}),
    "ultimate": (ultimate, ULTIMATE),
    "blackjack": (blackjack, {"play": plain(test_blackjack.TWINS)}),
    "pai-gow": (pai_gow, {"set": plain(test_pai_gow.TWINS)}),
}


def holds(rule: CardRule, twins: Twins, at: Any) -> bool:
    """Tell whether a rule applies; a hand or kind is written as a list."""
    when = {
        name: [value] if name in ("hand", "kind") and isinstance(value, str) else value
        for name, value in rule.when.items()
    }
    return all(twins[name](at, value) for name, value in when.items())


@pytest.mark.parametrize(
    "game", [pytest.param(each, marks=long if each == "pai-gow" else ()) for each in TABLES]
)
def test_the_rule_that_lights_up_is_the_first_that_holds(game: str) -> None:
    positions, twins = TABLES[game]
    cards = {card.name: card for card in cards_of(game).cards}
    lit: set[tuple[str, str, int]] = set()
    for question, at, asked in positions(Random(7)):
        found = [each for each in rules({"game": game, **asked}) if each.question == question]
        assert [each.card for each in found] == list(cards)
        for each in found:
            own = [rule for rule in cards[each.card].rules if rule.question == question]
            expected = next(rule for rule in own if holds(rule, twins[question], at))
            assert each.number == expected.number, (each, at)
            lit.add((each.card, question, each.number))
    assert len(lit) > len(cards)


def test_an_option_of_a_card_is_one_of_the_table() -> None:
    """Raising as much as allowed is a size, and a way to set names the cards of a low hand."""
    four = {"game": "high-card-flush", "player": ["Kh", "Th", "8h", "2h", "3d", "4c", "9s"]}
    assert {each.option for each in rules(four)} == {"raise-1"}
    assert set(advise(four).options) == {"raise-1", "fold"}
    pair = {"game": "pai-gow", "player": ["Kh", "Kd", "8h", "8c", "3d", "4c", "9s"]}
    (found,) = (each for each in rules(pair) if each.card == "house-way")
    assert found.option == "8h 8c"
    ace = {"game": "blackjack", "hand": ["As", "Kd"], "up": "Ac"}
    assert {(each.question, each.option) for each in rules(ace)} == {("insurance", "decline")}


def test_a_game_of_its_own_sheet_has_no_rules() -> None:
    asked = {"game": "casino-stud", "player": ["As", "Kd", "Qh", "5c", "3d"], "house": ["Ac"]}
    assert rules(asked)
    assert rules({**asked, "sheet": {"play.pays.flush": "6:1"}}) == []
