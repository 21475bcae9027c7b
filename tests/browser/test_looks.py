"""Layout in extreme cases: the largest amounts, the court cards."""

from __future__ import annotations

import pytest

from browser.asking import FELT, LOOK
from browser.conftest import Sit, Visiting
from browser.served import Served
from browser.tables import Language, Player
from browser.ways import narrower
from houses import ROYAL
from tiers import long

# The royal flush against a house that qualifies: 200.00 + 20,200.00 + 100,100.00 come back.
LARGEST = "As Ks Qs Js Ts Ah Kd 9h 8d 3c"
TOTAL = {"fr": ("Rendu", "120 500,00 $"), "en": ("Returned", "$120,500.00")}


@long
@pytest.mark.parametrize(("language", "width"), [("fr", 360), ("en", 360), ("fr", 1280)])
def test_the_largest_win_of_a_table_fits_the_page(sit: Sit, language: Language, width: int) -> None:
    player = sit(LARGEST, language=language, width=width)
    page = player.page
    player.bet({"ante": 100_00, "bonus": 100_00})
    player.deal()
    player.choose(0)
    name, total = TOTAL[language]
    assert player.figures()[name] == total
    assert [*page.evaluate(LOOK, True), *page.evaluate(FELT), *narrower(page)] == []


@long
@pytest.mark.parametrize(
    ("language", "letters", "printed"),
    [("fr", "auto", "RDV"), ("en", "auto", "KQJ"), ("fr", "en", "KQJ"), ("en", "fr", "RDV")],
)
def test_the_letters_of_the_court_cards_follow_the_language_or_the_setting(
    house: Served, visit: Visiting, language: Language, letters: str, printed: str
) -> None:
    made = visit("about:blank", language=language)
    page, made.url = made.page, house.url
    setting = f"localStorage.setItem('settings', JSON.stringify({{indices: '{letters}'}}))"
    page.add_init_script(f"try {{ {setting} }} catch {{ /* a page without a place */ }}")
    page.goto(house.table(ROYAL))
    player = Player(page)
    player.bet({"ante": 1_00})
    player.deal()
    courts = [page.locator(".zone.player .card").nth(place) for place in (1, 2, 3)]
    assert "".join(card.locator("text.ix").first.text_content() or "" for card in courts) == printed
