"""Help for a beginner: its parts, the drawn hands, its figures; at the table and as a page.

Expected texts come from the server's words and the sheet, or are typed out from the rules.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Visiting
from browser.served import Served
from browser.tables import GAMES, Language, Visit, axe, open_panel, plain
from browser.turns import first_of
from tapisvert.cards import text
from tapisvert.engine.sheet_file import with_changes
from tapisvert.sheets import load
from tapisvert.words import catalogue
from tiers import long
from words.test_rankings import groups

PARTS = ("round", "choices", "hands", "pays", "jackpot", "limits", "returns", "notices", "glossary")
CHANGED: dict[str, dict[str, object]] = {
    "casino-stud": {"play.times_ante": 3, "caps_cents.play": 3_030_000},
    "ultimate": {"play.before_flop": [2, 4], "house.opens_with": "two-pair"},
    "high-card-flush": {"raise.most_times.flush-6": 3, "raise.most_times.flush-7": 3},
    "blackjack": {"hand.double_after_split": "any"},
}
DRAWN = """() => [...document.querySelectorAll('.ranking')].map((list) =>
  [...list.children].map((hand) => [hand.querySelector('b').textContent,
    [...hand.querySelectorAll('.card')].map((card) => [card.querySelector('.vh').textContent,
      card.classList.contains('aside'), card.querySelectorAll('svg.face').length])]))"""
CUT = """() => [...document.querySelectorAll('.part *')].filter((each) => {
  const box = each.getBoundingClientRect();
  return box.width > 0 && !each.closest('svg, .vh')
    && (box.right > innerWidth + 1 || box.left < -1);
}).map((each) => each.className || each.tagName)"""

both = pytest.mark.parametrize("language", ["fr", "en"])


def drawer(made: Visit) -> Page:
    """Open help at a table, and wait until its example hands are visible."""
    page = made.page
    page.wait_for_selector("main[data-ready]")
    page.locator("header nav .ico").nth(1).click()
    page.wait_for_selector("dialog.help[open] .ranking .face")
    return page


def titles(language: str, game: str) -> list[str]:
    """Return the titles of the parts of a table's help."""
    words = catalogue(language)
    return [
        words.write(f"help.part.{part}")
        for part in PARTS
        if part != "jackpot" or game == "blackjack"
    ]


@both
@pytest.mark.parametrize("game", first_of(GAMES, "ultimate"))
def test_hands_are_drawn_best_first_under_the_names_of_the_table(
    house: Served, visit: Visiting, game: str, language: Language
) -> None:
    page = visit(f"{house.url}/help/{game}", language=language).page
    page.wait_for_selector(".ranking .face")
    words = catalogue(language)
    expected = [
        [
            [
                words.find(f"row.{each.category}", game)
                or words.write(f"ranking.name.{each.category}", {}, game),
                [[words.card(text(card)), place >= len(each.made), 1]
                 for place, card in enumerate(each.cards)],
            ]
            for each in hands
        ]
        for hands in groups(game).values()
    ]  # fmt: skip
    assert page.evaluate(DRAWN) == expected
    told = plain(page.locator(".part").nth(2).inner_text())
    for hands in groups(game).values():
        for each in hands:
            assert plain(words.write(f"ranking.{each.told}", {}, game)) in told
    letters = {"fr": "R = roi", "en": "K = king"}[language]
    assert letters in plain(page.locator(".letters").inner_text())


@long
@pytest.mark.parametrize("width", [1280, 360])
@both
@pytest.mark.parametrize("game", GAMES)
def test_every_part_is_a_link_away_and_nothing_is_cut(
    house: Served, visit: Visiting, game: str, language: Language, width: int
) -> None:
    made = visit(house.table(None, game), language=language, width=width)
    page = drawer(made)
    assert page.locator(".part h3").all_inner_texts() == titles(language, game)
    assert page.locator(".contents a").all_inner_texts() == titles(language, game)
    assert page.evaluate(CUT) == []
    assert axe(page) == []
    for link in page.locator(".contents a").all():
        link.click()
        heading = page.get_by_role("heading", name=link.inner_text(), exact=True, level=3)
        expect(heading).to_be_focused()
        expect(heading).to_be_in_viewport()
        page.locator("section", has=heading).locator("header a").click()
        expect(page.locator(".contents")).to_be_focused()
    assert page.locator("dialog.help").is_visible()  # the table was not left
    page.goto(f"{house.url}/help/{game}")
    page.wait_for_selector(".ranking .face")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT) == []
    assert axe(page) == []
    page.locator(".contents a").last.click()
    expect(page.locator("#help-glossary")).to_be_in_viewport()


@long
def test_the_figures_of_help_are_those_of_the_sheet(house: Served, visit: Visiting) -> None:
    def told(game: str) -> str:
        made = visit(f"{house.url}/help/{game}", language="en")
        made.page.wait_for_selector(".ranking .face")
        return plain(made.page.locator("main").inner_text())

    shipped = {  # by the rules
        "casino-stud": ("2 times your ante, $200.00 at most", 'Play $2.00 $200.00 2× "Ante"'),
        "ultimate": ("raise 3× or 4× the ante", "at least a pair", "Raise 4×, Raise 3×, Raise 2×"),
        "high-card-flush": ("Raise 1×, Raise 2× Adds", '$1.00 $200.00 1× or 2× "Ante"'),
        "blackjack": ("on 10 or 11 only.", "$20,000.00"),
    }
    changed = {
        "casino-stud": ("3 times your ante, $300.00 at most", 'Play $3.00 $300.00 3× "Ante"'),
        "ultimate": (
            "raise 2× or 4× the ante",
            "at least two pair",
            "Raise 4×, Raise 2×, Raise 1×",
        ),
        "high-card-flush": ("Raise 1×, Raise 2×, Raise 3× Adds", '$300.00 1×, 2× or 3× "Ante"'),
        "blackjack": ("The house reads them to mean any two cards.",),
    }
    for game, facts in shipped.items():
        assert [fact for fact in facts if fact not in told(game)] == []
    house.sheets = {game: with_changes(load(game), CHANGED[game]) for game in CHANGED}
    for game, facts in changed.items():
        page = told(game)
        assert [fact for fact in facts if fact not in page] == []
        assert shipped[game][0] not in page


@long
@both
def test_the_largest_play_stands_among_the_limits_of_the_table(
    house: Served, visit: Visiting, language: Language
) -> None:
    page = visit(house.table(None, "casino-stud"), language=language).page
    page.wait_for_selector("main[data-ready]")
    open_panel(page, "limits")
    words = catalogue(language)
    rows = page.locator("dialog.limits table.limits tbody tr")
    amounts = [words.money(2_00), words.money(200_00)]  # stud.5: twice an ante of 1.00 to 100.00
    row = " ".join([words.write("bet.play", {}, "casino-stud"), *amounts])
    assert plain(rows.last.inner_text()).startswith(plain(row))


@long
def test_the_letters_are_those_the_player_has_chosen(house: Served, visit: Visiting) -> None:
    made = visit(house.table(None, "casino-stud"), language="fr")
    page = drawer(made)
    assert "R = roi" in plain(page.locator(".letters").inner_text())
    page.evaluate("localStorage.setItem('settings', JSON.stringify({ indices: 'en' }))")
    page.reload()
    page = drawer(made)
    told = plain(page.locator(".letters").inner_text())
    chosen = ("A = as", "K = roi", "Q = dame", "J = valet")
    assert [letter for letter in chosen if letter not in told] == []
    assert page.locator(".ranking .ix", has_text=re.compile("^[RDV]$")).count() == 0


def test_a_table_fetches_help_only_when_it_is_opened(house: Served, visit: Visiting) -> None:
    made = visit(house.table(None, "ultimate"), language="fr")
    made.page.wait_for_selector("main[data-ready]")
    boot = made.page.locator("#boot").text_content() or ""
    for part in ("help.1", "notices.trademark", "ranking.wheel", "glossary.1.term", "legend.check"):
        assert f'"ultimate.{part}"' not in boot
        assert f'"{part}"' not in boot
    early = [url for url in made.requests if re.search(r"rankings|limits\.js|help\.js", url)]
    assert early == []
    drawer(made)
    assert any("/games/ultimate/rankings.js" in url for url in made.requests)
    expect(made.page.locator(".rules li")).to_have_count(7)
    made.page.keyboard.press("Escape")
    made.page.wait_for_selector("dialog", state="detached")
    made.requests.clear()
    drawer(made)  # and never again
    assert [url for url in made.requests if "/words/" in url or "rankings" in url] == []


@long
def test_from_help_to_a_table_and_back_every_view_has_its_words(
    house: Served, visit: Visiting
) -> None:
    page = visit(f"{house.url}/help/ultimate", language="en").page
    page.wait_for_selector(".ranking .face")
    page.evaluate("document.querySelector('.brand').click()")
    expect(page.locator(".door")).to_have_count(len(GAMES))
    page.goto(f"{house.url}/help/ultimate")
    page.locator(".act[href='/help/blackjack']").click()
    expect(page.locator("#help-of")).to_have_text("Blackjack Royal Poker")
    expect(page.locator("#help-jackpot")).to_be_attached()
    page.evaluate("document.querySelector('.brand').click()")
    page.locator(".door[href='/table/ultimate']").click()
    page.wait_for_selector("main[data-ready]")
    expect(page.locator(".arc")).to_contain_text("pair")
    page.go_back()
    page.go_back()
    expect(page.locator("#help-of")).to_have_text("Blackjack Royal Poker")
