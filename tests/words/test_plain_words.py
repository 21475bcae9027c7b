"""Player-facing words: unambiguous ranks, one name for one thing, no banned words.

The rules come from the rule sheets and issue 18; each guards against an earlier bug.
"""

from __future__ import annotations

import re
from itertools import permutations

import pytest

from tapisvert.cards import RANKS
from tapisvert.engine import HandName
from tapisvert.games.registry import SHIPPED
from tapisvert.learning.lessons import words_of
from tapisvert.ranking.standard import CATEGORIES
from tapisvert.words import LANGUAGES, Catalogue, catalogue, hand_words

FR, EN = catalogue("fr"), catalogue("en")
STUD, FLUSH, PAI_GOW, BLACKJACK = "casino-stud", "high-card-flush", "pai-gow", "blackjack"
ULTIMATE = "ultimate"
NBSP = "\u00a0"
# test_G5_help.py tests help and notices too; the rules here also apply to them.
LISTS = Catalogue("fr", {**FR.templates, "listed": "{ranks:rank-list}"})

# Ranks --------------------------------------------------------------------------------------------

FRENCH = "as, roi, dame, valet, 10, 9, 8, 7, 6, 5, 4, 3, 2"
NAMES = dict(zip(reversed(RANKS), FRENCH.split(", "), strict=True))


def read(listed: str) -> list[str]:
    """Parse a French list of ranks: words and numerals between commas and "et"."""
    by_name = {name: rank for rank, name in NAMES.items()}
    return [by_name[name] for name in re.split(r", | et ", listed)]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_no_French_list_of_ranks_can_be_read_as_another_number(count: int) -> None:
    told = {}
    for ranks in permutations(RANKS, count):
        listed = LISTS.write("listed", {"ranks": "".join(ranks)})
        assert read(listed) == list(ranks)
        assert not re.search(r"\d[-\s]+\d|-|dix|neuf|huit|sept", listed), listed
        told[listed] = ranks
    assert len(told) == len(list(permutations(RANKS, count)))  # no two lists are told alike


def test_a_French_list_is_written_as_people_write_it() -> None:
    for ranks, listed in {
        "T9": "10 et 9",
        "AT7": "as, 10, 7",
        "9": "9",
        "KQJT": "roi, dame, valet, 10",
    }.items():
        assert LISTS.write("listed", {"ranks": ranks}) == listed
        assert LISTS.write("listed", {"ranks": list(ranks)}) == listed  # as a sheet has them


@pytest.mark.parametrize("game", [STUD, ULTIMATE, BLACKJACK, PAI_GOW])
def test_the_two_ranks_of_a_high_card_stand_apart(game: str) -> None:
    for first, second in permutations(RANKS, 2):
        told = hand_words(FR, game, HandName("high-card", f"{first}{second}432"))
        assert told.removeprefix("carte haute, ") == f"{NAMES[first]} et {NAMES[second]}"
    assert hand_words(EN, game, HandName("high-card", "T9432")) == "ten-nine high"


def test_a_flush_is_told_by_its_cards_and_its_ranks() -> None:
    assert hand_words(FR, FLUSH, HandName("flush-3", "AT7")) == "flush de 3 cartes (as, 10, 7)"
    assert hand_words(FR, FLUSH, HandName("flush-2", "T9")) == "flush de 2 cartes (10 et 9)"
    assert hand_words(EN, FLUSH, HandName("flush-3", "AT7")) == "a 3-card flush, ace-ten-seven"


def test_what_the_house_needs_at_High_Card_Flush_is_told_for_any_sheet() -> None:
    for needs, fr, en in (
        ("9", "une flush de 3 cartes, au 9 ou mieux.", "a 3-card flush, nine-high or better."),
        ("KT", "une flush de 3 cartes, au roi et 10 ou mieux.", "king-ten-high or better."),
        (
            "QT7",
            "une flush de 3 cartes, à la dame, 10, 7 ou mieux.",
            "queen-ten-seven-high or better.",
        ),
    ):
        args = {"length": 3, "needs": needs}
        assert FR.write("event.said.house-not-qualified", args, FLUSH).endswith(fr)
        assert EN.write("event.said.house-not-qualified", args, FLUSH).endswith(en)


@pytest.mark.parametrize("row", CATEGORIES)
def test_what_the_dealer_needs_at_Ultimate_has_an_article_where_one_belongs(row: str) -> None:
    fr, en = (FR.write("event.said.house-not-opened", {"needs": row}, ULTIMATE),
              EN.write("event.said.house-not-opened", {"needs": row}, ULTIMATE))  # fmt: skip
    assert re.search(r"au moins une? \w+", fr)
    assert EN.write(f"row.{row}", {}, ULTIMATE) in en
    if row == "pair":
        assert "needs at least a pair." in en


# Figures ------------------------------------------------------------------------------------------


def test_the_thousands_of_odds_stand_apart() -> None:
    args = {"bet": "fortune", "odds": "8000:1"}
    assert FR.write("pays.flat", args, PAI_GOW).endswith(f"8{NBSP}000{NBSP}:{NBSP}1.")
    assert EN.write("pays.flat", args, PAI_GOW).endswith("8,000:1.")
    args["odds"] = "1234567:1000"
    assert f"1{NBSP}234{NBSP}567{NBSP}:{NBSP}1{NBSP}000" in FR.write("pays.flat", args, PAI_GOW)
    assert "1,234,567:1,000" in EN.write("pays.flat", args, PAI_GOW)


# Names --------------------------------------------------------------------------------------------

BANNED = {
    "fr": [
        "cagnotte", r"se couche", r"\b(un|le|du) (long |plus long )?flush\b", r"flush[^.]* court\b",
        "sans mise", "Gain total", r"mains? haute", r"mains? basse", r"paquet neuf",
        r"mélangé à neuf", "des deux\\.", "Miser sur le jeu", r"\bJeu \d", "iche de compte",
        "Ce qui revient", "ses prix", "jeton de joueur", "pas de session",
        "n’attend pas la réponse", "Absent", "Relire", "Relecture", "façon de la maison",
        "exploitant", r"^non$", "l’égalité est permise", "vous reviennent",
    ],
    "en": [
        "[Cc]ommon cards", "^no bet$", "Total win", "[Tt]ie with the", r"takes \"",
        "raise once the", "Speed of the cards", "Mistakes of this", "What became of", "Come in",
        "How it goes", "Right of the latest", "player's token", "no session", "What comes back",
        "comes back to you",
    ],
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_banned_words_occur_in_no_text(language: str) -> None:
    for key, template in catalogue(language).templates.items():
        plain = template.replace(NBSP, " ")
        found = [each for each in BANNED[language] if re.search(each, plain)]
        assert found == [], key


@pytest.mark.parametrize("language", LANGUAGES)
def test_money_that_comes_back_has_one_name(language: str) -> None:
    words, word = catalogue(language), {"fr": "rendu", "en": "returned"}[language]
    names = ("hud.win", "statistics.returned", "certificate.head.returned", "event.ended")
    settled = [key for key in words.templates if key.startswith("event.settled.")]
    for key in (*names, *(key for key in settled if not key.endswith("lost"))):
        assert word in words.templates[key].lower(), key


NAMES_THE_DEALER = (
    "about|felt|zone|event|why|message|shortcut|strategy|position|variant|lesson|glossary"
)


@pytest.mark.parametrize(
    ("game", "fr", "en"),
    [
        (BLACKJACK, "croupier", "dealer"),
        (ULTIMATE, "donneur", "dealer"),
        (STUD, "maison", "house"),
        (FLUSH, "maison", "house"),
        (PAI_GOW, "maison", "house"),
    ],
)
def test_whoever_deals_has_the_name_of_the_sheet(game: str, fr: str, en: str) -> None:
    """Each table uses one of croupier, donneur and maison in all its sentences."""
    for language, words, name in (("fr", FR, fr), ("en", EN, en)):
        who = {"maison", "croupier", "donneur", "house", "dealer"} - {name}
        for key in ("message.reveal", "shortcut.G", "event.revealed.house"):
            told = words.write(key, {"cards": []}, game).lower()
            assert name in told, (key, told)
        lesson = {f"{game}.lesson.{key}": text for key, text in words_of(game)[language].items()}
        for key, text in {**words.templates, **lesson}.items():
            if re.match(rf"{game}\.({NAMES_THE_DEALER})\b", key):
                said = re.sub(r"\{[^}]*\}|full house|house way", "", text.lower())
                assert not {each for each in who if re.search(rf"\b{each}\b", said)}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_betting_button_and_the_decision_to_double_have_names_of_their_own(
    language: str,
) -> None:
    words = catalogue(language)
    bet, hand = words.write("act.double"), words.write("option.double", {}, BLACKJACK)
    assert (bet, hand) == {"fr": ("Doubler la mise", "Doubler"), "en": ("Double bet", "Double")}[
        language
    ]


def test_insurance_is_answered_yes_or_no_by_keys_that_do_not_bet() -> None:
    for words, yes, no in ((FR, "Oui", "Non"), (EN, "Yes", "No")):
        answers = {
            each: words.write(f"option.{each}", {}, BLACKJACK)
            for each in ("insure", "even-money", "decline")
        }
        assert answers == {"insure": yes, "even-money": yes, "decline": no}
        for option, label in answers.items():
            key = words.write(f"key.{option}", {}, BLACKJACK)
            assert key == label[0]
            assert key not in "ZXBRIFGLM?"  # bets, read-outs and the keys of every page
    assert (
        FR.write("event.chose.decline", {"hand": "hand-1"}, BLACKJACK)
        == f"Main 1{NBSP}: pas d’assurance."
    )


def test_soft_and_hard_totals_are_named_as_the_sheet_names_them() -> None:
    for category, fr, en in (("hard", "21 difficile", "hard 21"), ("soft", "21 facile", "soft 21")):
        hand = HandName(category, "", total=21)
        assert hand_words(FR, BLACKJACK, hand) == fr
        assert hand_words(EN, BLACKJACK, hand) == en


def test_the_rows_of_the_Fortune_Bonus_are_named_as_on_its_sheet() -> None:
    row = FR.write("row.royal-flush-king-queen", {}, PAI_GOW)
    assert row == "flush royale avec roi et dame assortis"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", SHIPPED)
def test_buttons_are_short_enough_for_the_smallest_phone(game: str, language: str) -> None:
    words = catalogue(language)
    for key, text in words.templates.items():
        if key.startswith((f"{game}.option.", "act.")) and key not in LONG:
            assert len(text) <= 16, key


LONG = {"act.hurry", "act.more-money"}  # a sentence, and a button that stands alone
