"""The two catalogues: complete, with correct French grammar and typography.

`web/test_client_source.py` checks that both have the same keys and placeholders.
"""

from __future__ import annotations

import re
from itertools import product

import pytest

from tapisvert.cards import RANKS
from tapisvert.engine import HandName
from tapisvert.engine.sheet_file import keys
from tapisvert.games.registry import SHIPPED
from tapisvert.ranking.standard import CATEGORIES
from tapisvert.rounds.own_rules import stays
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES, catalogue, hand_words, pick

STUD = "casino-stud"
FR, EN = catalogue("fr"), catalogue("en")
NBSP = "\u00a0"
FORMS = {"money", "odds", "share", "times", "card", "cards", "rank-list", "to-rank-list"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_a_place_asks_for_exists(language: str) -> None:
    templates = catalogue(language).templates
    tables = {part for key in templates for part in [key.rpartition(".")[0].split(".")[-1]]}
    for key, template in templates.items():
        assert template, key
        for form in re.findall(r"\{[^{}:]+:([^{}]+)\}", template):
            assert form in FORMS | tables, key
        # Without its placeholders a template has no brace left: no placeholder is misspelt.
        assert not re.search(r"[{}]", re.sub(r"\{[^{}:]+(:[^{}]+)?\}", "", template)), key


def test_a_key_without_words_is_an_error_and_never_an_empty_sentence() -> None:
    with pytest.raises(KeyError, match="no words"):
        EN.write("hand.six-of-a-kind", {}, STUD)
    with pytest.raises(KeyError):
        EN.write("hand.pair", {}, STUD)  # the rank is missing


def test_French_sets_no_breaking_space_before_a_mark_and_no_straight_apostrophe() -> None:
    for key, template in FR.templates.items():
        plain = re.sub(r"\{[^{}]*\}", "x", template)
        assert not re.search(r" [:;?!»$]", plain), key
        assert "« " not in plain, key
        assert "'" not in plain, key


# Hands: elision and gender for all thirteen ranks -------------------------------------------------

OF_RANKS = "d’as, de rois, de dames, de valets, de 10, de 9, de 8, de 7, de 6, de 5, de 4, de 3"
OF_RANKS += ", de 2"
TO_RANK = "à l’as, au roi, à la dame, au valet, au 10, au 9, au 8, au 7, au 6, au 5, au 4, au 3"
TO_RANK += ", au 2"
MANY = "as, rois, dames, valets, 10, 9, 8, 7, 6, 5, 4, 3, 2"
ONE = "as, roi, dame, valet, 10, 9, 8, 7, 6, 5, 4, 3, 2"
EN_MANY = "aces, kings, queens, jacks, tens, nines, eights, sevens, sixes, fives, fours, threes"
EN_MANY += ", twos"
EN_ONE = "ace, king, queen, jack, ten, nine, eight, seven, six, five, four, three, two"


def by_rank(written: str) -> dict[str, str]:
    """Parse thirteen forms, the ace's first."""
    return dict(zip(reversed(RANKS), written.split(", "), strict=True))


def said(language: str, category: str, ranks: str) -> str:
    """Return the name of a hand of Casino Stud."""
    return hand_words(catalogue(language), STUD, HandName(category, ranks))


@pytest.mark.parametrize("rank", RANKS)
def test_French_hands_of_one_rank_elide_and_agree(rank: str) -> None:
    of_rank, to_rank = by_rank(OF_RANKS)[rank], by_rank(TO_RANK)[rank]
    assert said("fr", "pair", f"{rank}432") == f"paire {of_rank}"
    assert said("fr", "three-of-a-kind", f"{rank}43") == f"brelan {of_rank}"
    assert said("fr", "four-of-a-kind", f"{rank}4") == f"carré {of_rank}"
    assert said("fr", "flush", f"{rank}5432") == f"couleur {to_rank}"
    assert said("fr", "straight", rank) == f"séquence {to_rank}"
    assert said("fr", "straight-flush", rank) == f"quinte {to_rank}"
    assert said("fr", "royal-flush", "") == "quinte royale"


@pytest.mark.parametrize("rank", RANKS)
def test_English_hands_of_one_rank(rank: str) -> None:
    many, one = by_rank(EN_MANY)[rank], by_rank(EN_ONE)[rank]
    assert said("en", "pair", f"{rank}432") == f"a pair of {many}"
    assert said("en", "three-of-a-kind", f"{rank}43") == f"three of a kind, {many}"
    assert said("en", "four-of-a-kind", f"{rank}4") == f"four of a kind, {many}"
    assert said("en", "flush", f"{rank}5432") == f"a flush, {one}-high"
    assert said("en", "straight", rank) == f"a straight, {one}-high"
    assert said("en", "straight-flush", rank) == f"a straight flush, {one}-high"
    assert said("en", "royal-flush", "") == "a royal flush"


def test_hands_of_two_ranks_in_both_languages() -> None:
    for first, second in product(RANKS, RANKS):
        if first == second:
            continue
        fr, en = by_rank(MANY), by_rank(EN_MANY)
        ranks = first + second
        assert (
            said("fr", "full-house", ranks) == f"main pleine aux {fr[first]} par les {fr[second]}"
        )
        assert said("en", "full-house", ranks) == f"a full house, {en[first]} over {en[second]}"
        assert said("fr", "two-pair", f"{ranks}5") == f"double paire, {fr[first]} et {fr[second]}"
        assert said("en", "two-pair", f"{ranks}5") == f"two pair, {en[first]} and {en[second]}"
        fr, en = by_rank(ONE), by_rank(EN_ONE)
        high = said("fr", "high-card", f"{ranks}432")
        assert high == f"carte haute, {fr[first]} et {fr[second]}"
        assert said("en", "high-card", f"{ranks}432") == f"{en[first]}-{en[second]} high"


@pytest.mark.parametrize("language", LANGUAGES)
def test_RULES_every_hand_and_every_row_has_words_at_this_table(language: str) -> None:
    words = catalogue(language)
    for category in CATEGORIES:
        assert words.find(f"{STUD}.row.{category}")
        assert words.find(f"{STUD}.hand.{category}")
        # Vocabulary is per game: a hand has no name outside a table.
        assert words.find(f"hand.{category}") is None


def test_RULES_at_stud_sequence_is_a_straight_couleur_a_flush_quinte_a_straight_flush() -> None:
    rows = {row: FR.write(f"row.{row}", {}, STUD) for row in CATEGORIES}
    assert rows["straight"] == "séquence"
    assert rows["flush"] == "couleur"
    assert rows["straight-flush"] == "quinte"
    assert rows["royal-flush"] == "quinte royale"


# Money, odds, cards -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cents", "fr", "en"),
    [
        (0, f"0,00{NBSP}$", "$0.00"),
        (5, f"0,05{NBSP}$", "$0.05"),
        (100, f"1,00{NBSP}$", "$1.00"),
        (99_999, f"999,99{NBSP}$", "$999.99"),
        (100_000, f"1{NBSP}000,00{NBSP}$", "$1,000.00"),
        (12_050_000, f"120{NBSP}500,00{NBSP}$", "$120,500.00"),
        (123_456_789_00, f"123{NBSP}456{NBSP}789,00{NBSP}$", "$123,456,789.00"),
    ],
)
def test_money_is_written_the_way_of_its_language(cents: int, fr: str, en: str) -> None:
    assert (FR.money(cents), EN.money(cents)) == (fr, en)


def test_a_negative_amount_has_its_sign_before_the_dollar() -> None:
    assert (FR.money(-150), EN.money(-150)) == (f"-1,50{NBSP}$", "-$1.50")


def test_odds_are_written_the_way_of_their_language() -> None:
    args = {"bet": "play", "why": "x", "odds": "100:1", "returned_cents": 100}
    assert f"payé 100{NBSP}:{NBSP}1{NBSP};" in FR.write("event.settled.won", args, STUD)
    assert "paid 100:1;" in EN.write("event.settled.won", args, STUD)


def test_cards_are_said_by_rank_and_suit() -> None:
    suits = {"c": ("trèfle", "clubs"), "d": ("carreau", "diamonds")}
    suits |= {"h": ("cœur", "hearts"), "s": ("pique", "spades")}
    for rank, (suit, (fr, en)) in product(RANKS, suits.items()):
        assert FR.card(rank + suit) == f"{by_rank(ONE)[rank]} de {fr}"
        assert EN.card(rank + suit) == f"{by_rank(EN_ONE)[rank]} of {en}"
    assert (FR.card(None), EN.card(None)) == ("carte cachée", "hidden card")
    assert (FR.card("Jk"), EN.card("Jk")) == ("joker", "joker")


# Accept-Language ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("fr", "fr"),
        ("en", "en"),
        ("fr-CA", "fr"),
        ("FR-ca", "fr"),
        ("fr-CA,fr;q=0.9,en-US;q=0.8,en;q=0.7", "fr"),
        ("en-US,en;q=0.9,fr;q=0.8", "en"),
        ("en;q=0.5,fr;q=0.9", "fr"),
        ("de,fr;q=0.1", "fr"),
        ("fr,en", "fr"),  # of equals the first
        ("en,fr", "en"),
        ("fr;q=0", "en"),
        ("fr;q=0,en;q=0.1", "en"),
        ("fr;q=high,en;q=0.1", "en"),
        ("", "en"),
        ("*", "en"),
        ("de", "en"),
        ("frank", "en"),
        (",,;q=,", "en"),
        ("x," * 1000 + "fr", "en"),  # a header is read as far as is reasonable
    ],
)
def test_Accept_Language_picks_the_best_language_we_have(header: str, language: str) -> None:
    assert pick(header) == language


@pytest.mark.parametrize("header", ["fr; q=0.9, en; q=0.5", "fr;Q=0.9,en;Q=0.5", "fr ; q=1"])
def test_RFC_9110_allows_spaces_and_capitals_in_a_weight(header: str) -> None:
    assert pick(header) == "fr"


@pytest.mark.parametrize("game", SHIPPED)
def test_every_figure_of_own_rules_has_words(game: str) -> None:
    """The page of own rules names each figure that can be changed, and no figure that cannot."""
    changeable = {key for key, _ in keys(load(game)) if not stays(game, key)}
    for words in (FR, EN):
        named = {key for key in changeable if words.find(f"figure.{key}", game)}
        prices = {key for key in changeable - named if key.endswith(".pays")}
        rows = {key for key in changeable - named if words.find(f"row.{key.split('.')[-1]}", game)}
        assert changeable == named | prices | rows
        start = f"{game}.figure."
        own = {key.removeprefix(start) for key in words.templates if key.startswith(start)}
        assert own <= changeable
        assert {key.split(".")[0] for key in prices | rows} <= {
            key.removeprefix(f"{game}.bet.") for key in words.templates
        }
