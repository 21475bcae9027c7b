"""G5: what a player must be told is told, in both languages, in the help of each table.

The topics are those of the rules (docs/rules): how many cards, what is wild, what happens when
outcomes coincide, what limits doubling, splitting and insurance. A topic is found by words that
stand for it; a text without the words must fail.
"""

from __future__ import annotations

import re

import pytest

from tapisvert.games import EDITIONS
from tapisvert.sheets import content, load
from tapisvert.words import LANGUAGES, Catalogue, catalogue

Topics = dict[str, dict[str, str]]

TIE = {"fr": r"égalité", "en": r"\btie\b"}
DECK = {"fr": r"paquet neuf de 52 cartes", "en": r"fresh deck of 52 cards"}
SIDE_AFTER_FOLD = {"fr": r"même si vous abandonnez", "en": r"even if you fold"}
QUALIFIES = {"fr": r"se qualifie avec", "en": r"qualifies with"}

CHECKLIST: dict[str, Topics] = {
    "pai-gow": {
        "deck and joker": {"fr": r"52 cartes et un joker", "en": r"52 cards and a joker"},
        "what is wild": {"fr": r"joker complète une quinte", "en": r"joker completes a straight"},
        "otherwise an ace": {"fr": r"sinon il est un as", "en": r"otherwise it is an ace"},
        "the low joker": {"fr": r"toujours un as", "en": r"always an ace"},
        "high over low": {"fr": r"plus forte que la faible", "en": r"must outrank the low"},
        "copies": {"fr": r"main égale, la maison l’emporte", "en": r"Equal hands go to the house"},
        "the wheel": {"fr": r"deuxième des quintes", "en": r"second highest straight"},
        "not eligible": {"fr": r"n’est pas éligible", "en": r"not eligible"},
        "row that pays most": {"fr": r"paie le plus", "en": r"pays most"},
        "house way": {"fr": r"pas toujours le meilleur", "en": r"not always the best"},
    },
    "casino-stud": {
        "deck": DECK,
        "qualifier": QUALIFIES,
        "tie": TIE,
        "side bet after a fold": SIDE_AFTER_FOLD,
        "royal": {"fr": r"quinte royale ne s’abandonne", "en": r"royal flush cannot be folded"},
    },
    "high-card-flush": {
        "deck": DECK,
        "qualifier": QUALIFIES,
        "tie": TIE,
        "side bets after a fold": SIDE_AFTER_FOLD,
        "largest raise": {"fr": r"jeu va jusqu’à \d fois", "en": r"raise up to \d times"},
        "sure win": {"fr": r"gain garanti ne s’abandonne", "en": r"sure win cannot be folded"},
        "ace in runs": {"fr": r"l’as est haut ou bas", "en": r"ace high or low"},
    },
    "blackjack": {
        "deck": DECK,
        "tie": TIE,
        "aces": {"fr": r"as vaut 1 ou 11", "en": r"ace counts 1 or 11"},
        "doubling": {"fr": r"double avec 10 ou 11", "en": r"double on 10 or 11"},
        "splitting once": {"fr": r"sépare une fois", "en": r"split, once"},
        "split aces": {"fr": r"as séparés reçoivent une seule", "en": r"Split aces get one card"},
        "21 after a split": {"fr": r"séparée n’en fait pas", "en": r"split hand makes none"},
        "doubling after a split": {"fr": r"séparée (ne )?se double", "en": r"split hand may"},
        "insurance": {"fr": r"moitié de sa mise", "en": r"half its stake"},
        "even money": {"fr": r"paiement égal", "en": r"even money"},
        "soft 17": {"fr": r"17 facile", "en": r"soft 17"},
        "demonstration pot": {"fr": r"gros lot de démonstration", "en": r"demonstration jackpot"},
    },
    "ultimate": {
        "deck": DECK,
        "tie": TIE,
        "one raise": {"fr": r"relancer une seule fois", "en": r"raise once"},
        "opening": {"fr": r"donneur ouvre avec", "en": r"dealer opens with"},
        "below a straight": {"fr": r"sous la séquence", "en": r"below a straight"},
        "side bet after a fold": SIDE_AFTER_FOLD,
    },
}  # fmt: skip


def help_text(language: str, game: str) -> str:
    """Return the help and notices of a table, with the figures of the shipped sheet."""
    words, sheet = catalogue(language), content(load(game))

    def figure(place: re.Match[str]) -> str:
        path, colon, form = place[1].partition(":")
        value = sheet
        for name in path.split("."):
            value = value[name]
        if isinstance(value, bool):
            value = str(value).lower()  # as JavaScript writes it
        one = Catalogue(language, {**words.templates, "one": f"{{value{colon}{form}}}"})
        return one.write("one", {"value": value}, game)

    keys = [key for key in words.templates if re.match(rf"{game}\.(help|notices)\.", key)]
    text = " ".join(re.sub(r"\{([^{}]+)\}", figure, words.templates[key]) for key in keys)
    return text.replace("\u00a0", " ")


def untold(text: str, topics: Topics, language: str) -> set[str]:
    """Return the topics a text does not speak of."""
    return {name for name, found in topics.items() if not re.search(found[language], text, re.I)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", EDITIONS)
def test_G5_the_help_of_a_table_tells_what_must_be_told(game: str, language: str) -> None:
    text = help_text(language, game)
    assert untold(text, CHECKLIST[game], language) == set()
    assert untold("", CHECKLIST[game], language) == set(CHECKLIST[game])


@pytest.mark.parametrize("language", LANGUAGES)
def test_G5_the_joker_is_told_from_every_other_card_and_what_it_stands_for_is_named(
    language: str,
) -> None:
    words = catalogue(language)
    others = {words.card(f"{rank}{suit}") for rank in "23456789TJQKA" for suit in "cdhs"}
    assert words.card("Jk") not in others
    assert len(others) == 52
    pair = words.write("hand.pair", {"0": "A"}, "pai-gow")
    told = words.write("joker.rank", {"hand": pair, "joker": "A"})
    assert "joker" in told
    assert words.write("rank.A") in told
