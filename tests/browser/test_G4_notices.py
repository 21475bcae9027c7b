"""G4: the help of every table has all required notices, in both languages, with its figures.

The rules list the notices; each is detected by characteristic words. The figures are typed out here
from the rules, not read from the sheet or the page.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from browser.playing import GO
from browser.served import Served
from browser.tables import GAMES, plain
from tapisvert.words import LANGUAGES, catalogue

pytestmark = pytest.mark.every_way

Said = dict[tuple[str, str], str]

# What each notice is known by, in French and in English.
NOTICES = {
    "equal odds": ("chaque carte a la même chance", "every card is as likely as any other"),
    "independence": ("ne dépend jamais des précédentes", "never depends on those before it"),
    "what a return means": ("moyenne sur un très grand nombre", "average over a very large number"),
    "its base": ("se compte sur tout l’argent misé", "counted on all the money bet"),
    "prizes by the table shown": ("payée d’après les tables montrées", "by the tables shown here"),
    "resumption": ("reprend où elle était", "goes on where it was"),
    "a result unseen": ("son résultat vous est montré", "shown its result"),
    "malfunction": ("ni jeu ni paiement", "neither play nor pay"),
    "the operator's reason": ("l’annule alors en disant pourquoi", "voids it, says why"),
    "limits and largest wins": ("limites des mises et les gains", "limits on bets and the maximum"),
    "trademarks": (r"marques? de (son|leurs) propriétaire", "trademarks? of (its|their) owner"),
}
JACKPOT = {
    "where it starts": (r"commence à 20 000,00 \$", r"starts at \$20,000\.00"),
    "its share of a bet": (r"20,30843 % vont au gros lot", r"20\.30843% goes into"),
    "two winners": ("le premier inscrit .* prend tout", "first one the server .* takes it all"),
    "the second of them": ("le second reçoit la valeur de départ", "second gets the starting"),
    "the display's delay": ("30 secondes de retard", "30 seconds old"),
    "real money only": ("Seules les parties en argent réel", "Only real-money rounds"),
}
# The strategy of the main game, and the return it has by the proofs.
STRATEGY = {
    "pai-gow": ("97,47 %.* selon la règle de la maison", r"97\.47%.* the house way"),
    "casino-stud": ("97,44 %.* au mieux", r"97\.44%.* optimally"),
    "high-card-flush": (r"\d\d,\d\d %.* au mieux", r"\d\d\.\d\d%.* optimally"),
    "blackjack": ("99,69 %.* au mieux", r"99\.69%.* optimally"),
    "ultimate": ("99,47 %.* au mieux", r"99\.47%.* optimally"),
}
VOID = dict.fromkeys(GAMES, ("attend 30 jours", "waits 30 days"))
VOID["blackjack"] = ("attend 24 heures", "waits 24 hours")  # 24 hours
# Stakes of 1 to 100; what the largest of them can bring, the stake included.
LARGEST = {
    "pai-gow": {"fortune": 240_030, "round": 240_230},
    "casino-stud": {"ante": 200, "play": 20_200, "bonus": 100_100, "round": 120_500},
    "high-card-flush": {"flush": 30_100, "straight-flush": 800_100},
    "blackjack": {},
    "ultimate": {"blind": 50_100, "trips": 5_100},
}

every_table = pytest.mark.parametrize("game", GAMES)
both = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture(scope="module")
def texts(browser: Browser, one_house: Served) -> Said:
    """Read the help of every table in both languages."""
    said: Said = {}
    for language in LANGUAGES:
        context = browser.new_context(locale=f"{language}-CA")
        page = context.new_page()
        page.goto(f"{one_house.url}/help/{GAMES[0]}")
        for game in GAMES:
            page.evaluate(GO, f"/help/{game}")
            title = catalogue(language).write("title", {}, game)
            page.get_by_role("heading", name=title, exact=True, level=2).wait_for()
            said[game, language] = plain(page.locator("main").inner_text())
        context.close()
    return said


def check(said: Said, game: str, language: str, found: tuple[str, str]) -> None:
    """Assert that the help of a table contains a notice."""
    pattern = found[LANGUAGES.index(language)]
    assert re.search(pattern, said[game, language]), pattern
    assert not re.search(pattern, "")


@both
@every_table
@pytest.mark.parametrize("notice", NOTICES)
def test_G4_every_table_carries_the_notice(
    texts: Said, notice: str, game: str, language: str
) -> None:
    check(texts, game, language, NOTICES[notice])


@both
@every_table
@pytest.mark.parametrize("found", [STRATEGY, VOID], ids=["strategy", "void"])
def test_G4_strategy_and_delay_are_those_of_the_table(
    texts: Said, found: dict[str, tuple[str, str]], game: str, language: str
) -> None:
    check(texts, game, language, found[game])


@both
@pytest.mark.parametrize("notice", JACKPOT)
def test_G4_blackjack_discloses_its_jackpot_and_no_other_table_speaks_of_one(
    texts: Said, notice: str, language: str
) -> None:
    check(texts, "blackjack", language, JACKPOT[notice])
    others = [texts[game, language] for game in GAMES if game != "blackjack"]
    assert not any(re.search("gros lot|jackpot", text) for text in others)


@both
@every_table
def test_G4_limits_and_largest_wins_are_told(texts: Said, game: str, language: str) -> None:
    words = catalogue(language)
    for bet, dollars in LARGEST[game].items():
        name = words.write("caps.round") if bet == "round" else words.write(f"bet.{bet}", {}, game)
        assert plain(f"{name} {words.money(dollars * 100)}") in texts[game, language]
    most = 30_00 if game == "pai-gow" else 1_00 if game == "blackjack" else 100_00
    side = {"pai-gow": "fortune", "casino-stud": "bonus", "high-card-flush": "flush",
            "blackjack": "royal", "ultimate": "trips"}[game]  # fmt: skip
    limits = [words.write(f"bet.{side}", {}, game), *map(words.money, (1_00, most, 1_00))]
    assert plain(" ".join(limits)) in texts[game, language]
    capped = bool({"round"} & LARGEST[game].keys())
    assert (plain(words.write("caps.none")) in texts[game, language]) is not capped
