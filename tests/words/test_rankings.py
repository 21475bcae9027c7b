"""The example hands in help: each is of its named kind, and they are in the order of the rules.

The examples are browser data (rankings.js); the game's own code ranks each of them here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import pytest

from tapisvert.cards import JOKER, Card, parse_hand, text
from tapisvert.engine.hand_names import hand_name
from tapisvert.engine.sheet import content
from tapisvert.games.blackjack import script as blackjack
from tapisvert.games.high_card_flush import script as high_card_flush
from tapisvert.games.registry import SHIPPED
from tapisvert.ranking import flush, fortune, joker, standard
from tapisvert.sheets import load
from tapisvert.web.assets import assets, of_game
from tapisvert.words import LANGUAGES, catalogue

_GROUP = re.compile(r"id: '([\w-]+)',\s+hands: (?:\[(.*?)\n    \]|(\w+))", re.DOTALL)
_EXAMPLE = re.compile(r"\{ is: '([\w-]+)',(?: as: '([\w-]+)',)? cards: '([^']+)' \}")
STANDARD = tuple(reversed(standard.CATEGORIES))  # best first
SUITED_ACE_TO_EIGHT = "Ah Kh Qh Jh Th 9h 8h"


class Example(NamedTuple):
    """An example hand: its kind, its words key, and its cards."""

    category: str
    told: str
    made: list[Card]  # the cards that make it
    others: list[Card]

    @property
    def cards(self) -> list[Card]:
        return [*self.made, *self.others]


def examples(source: str) -> list[Example]:
    found = []
    for category, told, cards in _EXAMPLE.findall(source):
        made, _, others = cards.partition(" | ")
        hands = [parse_hand(part) if part else [] for part in (made, others)]
        found.append(Example(category, told or category, *map(list, hands)))
    return found


def groups(game: str) -> dict[str, list[Example]]:
    """Parse the groups of a game, which may use the shared list of standard hands."""
    source = assets()[of_game(game, "rankings.js")].plain.decode()
    shared = assets()["js/rankings/standard.js"].plain.decode()
    found = {}
    for name, own, imported in _GROUP.findall(source):
        assert imported in ("", "standard")
        found[name] = examples(shared if imported else own)
        assert found[name], (game, name)
    assert set(found) == set(re.findall(r"id: '([\w-]+)'", source))
    return found


POKER = {"casino-stud": "hands", "ultimate": "hands", "blackjack": "royal-poker"}
ORDERED: list[tuple[str, str, Callable[[Sequence[Card]], int], Callable[[int], str]]] = [
    *((game, name, standard.strength, standard.category) for game, name in POKER.items()),
    ("pai-gow", "high", joker.strength, joker.category),
    ("pai-gow", "low", joker.low_strength, joker.category),
    ("high-card-flush", "hands", flush.strength, lambda value: f"flush-{flush.length(value)}"),
]


@pytest.mark.parametrize(("game", "name", "strength", "category"), ORDERED)
def test_every_drawn_hand_is_of_its_kind_and_weaker_than_the_one_before(
    game: str, name: str, strength: Callable[[Sequence[Card]], int], category: Callable[[int], str]
) -> None:
    drawn = groups(game)[name]
    strengths = [strength(each.cards) for each in drawn]
    assert [category(value) for value in strengths] == [each.category for each in drawn]
    assert all(better > worse for better, worse in pairwise(strengths))


@pytest.mark.parametrize("game", POKER)
def test_all_ten_kinds_of_poker_hands_are_drawn_with_the_ace_low_straight(game: str) -> None:
    drawn = groups(game)[POKER[game]]
    assert tuple(dict.fromkeys(each.category for each in drawn)) == STANDARD
    wheel = next(each for each in drawn if each.told == "wheel")
    assert {text(card)[0] for card in wheel.cards} == set("A2345")
    # stud.16: the lowest straight, so that every other one is stronger.
    six_high = standard.strength(parse_hand("6s 5h 4d 3c 2s"))
    assert standard.strength(wheel.cards) < six_high
    for each in drawn:
        assert len(each.cards) == 5
        assert hand_name(each.cards).category == each.category


def test_pai_7_the_ace_low_straight_is_drawn_second() -> None:
    drawn = [each for each in groups("pai-gow")["high"] if each.category == "straight"]
    ranks = ["".join(sorted(text(card)[0] for card in each.cards)) for each in drawn]
    assert ranks == ["".join(sorted(run)) for run in ("AKQJT", "A2345", "KQJT9")]
    kinds = dict.fromkeys(each.category for each in groups("pai-gow")["high"])
    assert tuple(kinds) == ("five-aces", *STANDARD)


def test_pai_6_the_joker_completes_or_is_an_ace() -> None:
    drawn = {each.told: each for each in groups("pai-gow")["joker"]}
    assert all(JOKER in each.cards for each in drawn.values())
    for told in ("joker-straight", "joker-flush", "joker-ace"):
        value = joker.strength(drawn[told].cards)
        assert joker.category(value) == drawn[told].category
    stands = {told: joker.stands_for(drawn[told].cards) for told in drawn if told != "joker-low"}
    assert {told: text(card or 0)[0] for told, card in stands.items()} == {
        "joker-straight": "7",
        "joker-flush": "A",
        "joker-ace": "A",
    }
    low = drawn["joker-low"]
    assert joker.low_strength(low.cards) == joker.low_strength(parse_hand("As 9c"))


def test_pai_10_the_rows_of_seven_cards_are_reached() -> None:
    pays = list(content(load("pai-gow"))["fortune"]["pays"])
    drawn = groups("pai-gow")["seven-cards"]
    assert [each.category for each in drawn] == pays[:3]
    for each in drawn:
        assert len(each.cards) == 7
        assert fortune.rows(each.cards)[0] == each.category


def test_flush_3_and_13_flushes_are_the_cards_before_the_bar() -> None:
    for each in groups("high-card-flush")["hands"]:
        assert len(each.cards) == 7
        named = high_card_flush.hand_name(each.cards)
        assert named.category == each.category
        assert list(named.cards) == [text(card) for card in each.made]
    for each in groups("high-card-flush")["runs"]:
        length = flush.straight_flush_length(each.cards)
        assert f"straight-flush-{length}" == each.category
        assert flush.straight_flush_length(each.made) == len(each.made) == length
    assert {text(card)[0] for card in groups("high-card-flush")["runs"][-1].made} == set("A23")


def test_bj_4_values_and_totals() -> None:
    drawn = {each.category: each for each in groups("blackjack")["totals"]}
    assert {kind: blackjack.hand_total(each.cards).category for kind, each in drawn.items()} == {
        kind: kind for kind in ("blackjack", "soft", "hard", "bust")
    }
    totals = {kind: blackjack.total(each.cards) for kind, each in drawn.items()}
    # A-8 and 10-6-A are the examples of the rule sheet.
    assert totals == {"blackjack": 21, "soft": 19, "hard": 17, "bust": 23}
    for language in LANGUAGES:
        for kind in ("soft", "hard", "bust"):
            told = catalogue(language).write(f"ranking.{kind}", {}, "blackjack")
            assert str(totals[kind]) in told
    values = {each.category: each.cards for each in groups("blackjack")["values"]}
    assert {blackjack.value(card) for card in values["ten"]} == {10}
    assert {blackjack.value(card) for card in values["ace"]} == {11}
    assert all(blackjack.value(card) == int(text(card)[0]) for card in values["number"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_every_button_of_a_table_is_explained(game: str, language: str) -> None:
    words = catalogue(language)
    keys = [key.removeprefix(f"{game}.") for key in words.templates if key.startswith(f"{game}.")]
    options = {key.removeprefix("option.") for key in keys if key.startswith("option.")}
    explained = {key.removeprefix("legend.") for key in keys if key.startswith("legend.")}
    assert explained == {re.sub(r"-\d$", "", option) for option in options}


def test_flush_7_the_glossary_names_the_hand_that_cannot_lose() -> None:
    # The best hand of the other 45 cards is the same of another suit, which only ties with it.
    best = flush.strength(parse_hand(SUITED_ACE_TO_EIGHT))
    assert best == flush.strength(parse_hand(SUITED_ACE_TO_EIGHT.replace("h", "s")))
    for language in LANGUAGES:
        words = catalogue(language)
        told = words.write("glossary.6.text", {}, "high-card-flush")
        ranks = [text(card)[0] for card in parse_hand(SUITED_ACE_TO_EIGHT)]
        names = [words.write(f"rank.{rank}") if rank in "AKQJ" else "" for rank in ranks]
        assert all(name in told.lower() for name in names)
