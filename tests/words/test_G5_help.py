"""G5: the help of each table covers all required topics, in both languages.

The topics are those of the rules (docs/rules): the number of cards, wild cards, coinciding
outcomes, limits of doubling, splitting and insurance. A topic is detected by its characteristic
words; a text without them must fail.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from tapisvert.engine.sheet import content
from tapisvert.games.registry import SHIPPED
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES, Catalogue, catalogue

Topics = dict[str, dict[str, str]]

TIE = {"fr": r"égalité", "en": r"\btie\b"}
DECK = {"fr": r"paquet de 52 cartes, brassé avant", "en": r"deck of 52 cards, shuffled before"}
SIDE_AFTER_FOLD = {"fr": r"même si vous abandonnez", "en": r"even if you fold"}
QUALIFIES = {"fr": r"se qualifie avec", "en": r"qualifies with"}
# Every table: what happens to a round that is voided, and how to read the cards.
EVERYWHERE: Topics = {
    "what a void round gives back": {
        "fr": r"mises non réglées vous sont rendues", "en": r"unsettled bets are returned"},
    "what it keeps": {
        "fr": r"déjà réglé le reste", "en": r"already settled stays settled"},
    "an interrupted round": {
        "fr": r"reprend où elle était .*avec les mêmes cartes",
        "en": r"goes on where it was, with the same cards"},
    "what odds pay": {
        "fr": r"votre mise vous revient en plus", "en": r"your bet comes back as well"},
    "the letters of the cards": {
        "fr": r"entre R D V et K Q J", "en": r"between K Q J and R D V"},
    "a returned bet": {"fr": r"sans gain ni perte", "en": r"neither win nor lose"},
    "the return": {"fr": r"Taux de retour \(TRJ\)", "en": r"Return The share of the money"},
}  # fmt: skip
POKER: Topics = {
    "royal flush": {"fr": r"As, roi, dame, valet et 10 de la même couleur",
                    "en": r"Ace, king, queen, jack and ten of one suit"},
    "straight flush": {"fr": r"qui se suivent, de la même couleur",
                       "en": r"in sequence, all of one suit"},
    "four of a kind": {"fr": r"Quatre cartes du même rang", "en": r"Four cards of the same rank"},
    "full house": {"fr": r"Trois cartes d’un rang et deux d’un autre",
                   "en": r"Three cards of one rank and two of another"},
    "flush": {"fr": r"Cinq cartes de la même couleur", "en": r"Five cards of one suit"},
    "straight": {"fr": r"qui se suivent, d’au moins deux couleurs",
                 "en": r"in sequence, of at least two suits"},
    "three of a kind": {"fr": r"Trois cartes du même rang", "en": r"Three cards of the same rank"},
    "two pair": {"fr": r"Deux cartes d’un rang et deux d’un autre",
                 "en": r"Two cards of one rank and two of another"},
    "pair": {"fr": r"Deux cartes du même rang", "en": r"Two cards of the same rank"},
    "high card": {"fr": r"la plus haute carte compte", "en": r"the highest card counts"},
    "suits": {"fr": r"trèfle se valent|à partir du brelan",
              "en": r"Suits never break a tie|from three of a kind up"},
}  # fmt: skip
LOWEST_WHEEL = {"fr": r"As-2-3-4-5 : .*plus faible des séquences",
                "en": r"A-2-3-4-5: .*lowest straight"}  # fmt: skip

CHECKLIST: dict[str, Topics] = {
    "pai-gow": POKER | {
        "deck and joker": {"fr": r"52 cartes et un joker, brassé avant chaque partie",
                           "en": r"52 cards and a joker, shuffled before every round"},
        "what is wild": {"fr": r"joker complète une quinte, une flush",
                         "en": r"joker completes a straight"},
        "otherwise an ace": {"fr": r"sinon il est un as", "en": r"otherwise it is an ace"},
        "the low joker": {"fr": r"toujours un as", "en": r"always an ace"},
        "high over low": {"fr": r"plus forte que la faible\.", "en": r"outrank the low hand\."},
        "copies": {"fr": r"main égale, la maison l’emporte", "en": r"Equal hands go to the house"},
        "five aces": {"fr": r"quatre as et le joker", "en": r"four aces and the joker"},
        "the wheel": {"fr": r"As-2-3-4-5.*deuxième des quintes",
                      "en": r"A-2-3-4-5.*second highest straight"},
        "not eligible": {"fr": r"n’est pas éligible", "en": r"not eligible"},
        "row that pays most": {"fr": r"paie le plus", "en": r"pays most"},
        "house way": {"fr": r"pas toujours le meilleur", "en": r"not always the best"},
        "low and high": {"fr": r"Main faible .*Main forte", "en": r"Low hand .*High hand"},
    },
    "casino-stud": POKER | {
        "deck": DECK,
        "qualifier": QUALIFIES,
        "tie": TIE,
        "the wheel": LOWEST_WHEEL,
        "side bet after a fold": SIDE_AFTER_FOLD,
        "royal": {"fr": r"quinte royale ne s’abandonne", "en": r"royal flush cannot be folded"},
        "play, and its maximum": {"fr": r"mise de 2 fois votre départ, au plus 200,00 \$",
                                  "en": r"bet of 2 times your ante, \$200\.00 at most"},
        "what qualifying is": {"fr": r"n’importe quelle paire ou mieux",
                               "en": r"any pair or better"},
    },
    "high-card-flush": {
        "deck": DECK,
        "qualifier": QUALIFIES,
        "tie": TIE,
        "side bets after a fold": SIDE_AFTER_FOLD,
        "largest raise": {"fr": r"jeu va jusqu’à \d fois", "en": r"raise up to \d times"},
        "sure win": {"fr": r"gain garanti ne s’abandonne", "en": r"sure win cannot be folded"},
        "ace in runs": {"fr": r"l’as est haut ou bas", "en": r"ace high or low"},
        "length first": {"fr": r"Le nombre de cartes passe avant tout",
                         "en": r"number of cards comes first"},
        "then ranks": {"fr": r"longueur égale, les rangs se comparent un à un",
                       "en": r"same length are compared rank by rank"},
        "a pushed bet": {"fr": r"mises sont reportées : elles vous sont rendues, sans gain",
                         "en": r"both push: they are returned to you without a win"},
        "mise reportée": {"fr": r"Mise reportée .*ni gagnée ni perdue", "en": r"bets push"},
    },
    "blackjack": POKER | {
        "deck": DECK,
        "tie": TIE,
        "the wheel": LOWEST_WHEEL,
        "aces": {"fr": r"as vaut 1 ou 11", "en": r"ace counts 1 or 11"},
        "tens": {"fr": r"Rois, dames, valets et 10 valent 10",
                 "en": r"Kings, queens, jacks and tens count 10"},
        "soft": {"fr": r"as qui peut valoir 1 ou 11 : .*un 19 facile",
                 "en": r"ace that can count 1 or 11: .*a soft 19"},
        "hard": {"fr": r"dont l’as doit valoir 1 : ici un 17 difficile",
                 "en": r"whose ace must count 1: here a hard 17"},
        "the look": {"fr": r"as, un 10 ou une figure à découvert, le croupier regarde",
                     "en": r"ace, a 10 or a face card, the dealer looks"},
        "a house blackjack": {"fr": r"toutes les mains perdent, même à 21, sauf un black jack",
                              "en": r"every hand loses, even a 21, except a blackjack"},
        "over 21": {"fr": r"À plus de 21, la main saute : elle est perdue aussitôt",
                    "en": r"Over 21 the hand busts: it loses at once"},
        "doubling": {"fr": r"double avec 10 ou 11", "en": r"double on 10 or 11"},
        "splitting once": {"fr": r"sépare une fois", "en": r"split, once"},
        "split aces": {"fr": r"as séparés reçoivent une seule", "en": r"Split aces get one card"},
        "split aces with a ten": {"fr": r"un 21 difficile, pas un black jack",
                                  "en": r"a hard 21, not a blackjack"},
        "21 after a split": {"fr": r"séparée n’en fait pas", "en": r"split hand makes none"},
        "doubling after a split": {"fr": r"séparée (ne )?se double", "en": r"split hand may"},
        "the house's reading": {"fr": r"La maison le lit .*avec 10 ou 11 seulement",
                                "en": r"The house reads them .*on 10 or 11 only"},
        "insurance": {"fr": r"moitié de sa mise", "en": r"half its bet"},
        "even money": {"fr": r"paiement égal", "en": r"even money"},
        "soft 17": {"fr": r"17 facile", "en": r"soft 17"},
        "fixed prizes": {"fr": r"lots fixes .*comprennent la mise",
                         "en": r"fixed prizes .*include the bet"},
        "what Royal Poker does not pay": {
            "fr": r"une double paire, une paire ou une carte haute ne rapportent rien",
            "en": r"two pair, a pair or a high card pay nothing"},
        "demonstration pot": {"fr": r"gros lot de démonstration", "en": r"demonstration jackpot"},
        "settled bets": {"fr": r"déjà réglé le reste : Royal Poker, une assurance",
                         "en": r"stays settled: Royal Poker, an insurance bet"},
    },
    "ultimate": POKER | {
        "deck": DECK,
        "tie": TIE,
        "the wheel": LOWEST_WHEEL,
        "before the flop": {"fr": r"Avant le flop .*relancez à 3× ou 4× la mise initiale",
                            "en": r"Before the flop .*raise 3× or 4× the ante"},
        "after the flop": {"fr": r"Après le flop, passez ou relancez à 2×",
                           "en": r"After the flop, check or raise 2×"},
        "at the end": {"fr": r"relancez à 1× ou abandonnez", "en": r"raise 1× or fold"},
        "one raise": {"fr": r"relancer une seule fois", "en": r"raise once"},
        "opening": {"fr": r"donneur ouvre avec au moins une paire",
                    "en": r"the dealer needs at least a pair"},
        "below a straight": {"fr": r"moins qu’une séquence, l’aveug", "en": r"below a straight"},
        "side bet after a fold": SIDE_AFTER_FOLD,
        "community cards": {"fr": r"cartes communes", "en": r"community cards"},
    },
}  # fmt: skip
# Banned in help: words of other tables, invented words, and empty phrases.
UNSAID = {
    "fr": r"cagnotte|se couche|paquet neuf|mélangé à neuf|un flush|l’égalité est permise"
          r"|main (haute|basse)\b|croupier regarde sa carte.*donneur",
    "en": r"common cards|fresh deck|equal is allowed|court card|raise once the ante",
}  # fmt: skip
HOUSE = {"blackjack": "croupier", "ultimate": "donneur"}  # elsewhere it is the house


PARTS = "help|notices|ranking|legend|glossary"


def help_text(language: str, game: str) -> str:
    """Return the text of a table's own help, with the figures of the shipped sheet."""
    words, sheet = catalogue(language), load(game)
    # "Play" is twice the ante of 100.00 at most (stud.2, stud.5).
    around = {"most": 200_00, "delay": "…", "percent": "…", "strategy": "…", "title": "…"}

    def figure(place: re.Match[str]) -> str:
        path, colon, form = place[1].partition(":")
        value: Any = {**content(sheet), **around}
        for name in path.split("."):
            value = value[name]
        if isinstance(value, bool):
            value = str(value).lower()  # as JavaScript writes it
        one = Catalogue(language, {**words.templates, "one": f"{{value{colon}{form}}}"})
        written = one.write("one", {"value": value}, game)
        return re.sub(r"\{([^{}]+)\}", figure, written)

    def key_of(part: str) -> str:  # a game's own words win over the common ones
        return f"{game}.{part}" if f"{game}.{part}" in words.templates else part

    all_parts = (key.removeprefix(f"{game}.") for key in words.templates)
    told = dict.fromkeys(key_of(part) for part in all_parts if re.match(rf"({PARTS})\.", part))
    told.pop("help.times")  # is no sentence
    text = " ".join(re.sub(r"\{([^{}]+)\}", figure, words.templates[key]) for key in told)
    return text.replace("\u00a0", " ")


def untold(text: str, topics: Topics, language: str) -> set[str]:
    return {name for name, found in topics.items() if not re.search(found[language], text, re.I)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_G5_the_help_of_a_table_tells_what_must_be_told(game: str, language: str) -> None:
    text, topics = help_text(language, game), EVERYWHERE | CHECKLIST[game]
    assert untold(text, topics, language) == set()
    assert untold("", topics, language) == set(topics)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_G5_the_help_of_a_table_speaks_its_own_words(game: str, language: str) -> None:
    text = help_text(language, game)
    assert re.findall(UNSAID[language], text, re.I) == []
    if language == "fr":
        others = {"croupier", "donneur"} - {HOUSE.get(game)}
        assert [other for other in others if other in text] == []


def test_G5_the_jackpot_is_told_once() -> None:
    """Its starting value, its share of a bet and its delay are each in one notice."""
    for language, delay in (("fr", "30 secondes"), ("en", "30 seconds")):
        words = catalogue(language).templates
        told = {key: text for key, text in words.items() if key.startswith("blackjack.")}
        for fact in (
            "{royal.jackpot.contribution:share}",
            "{royal.shares.royal-flush:share}",
            delay,
        ):
            assert [
                key for key, text in told.items() if fact in text and ".notices." not in key
            ] == []
            assert sum(fact in text for text in told.values()) == 1, fact


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
