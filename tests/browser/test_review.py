"""Looking back at one's play: grades, the costliest choices, once more, what a fold missed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.addresses import expect_address
from browser.asking import FELT, LOOK
from browser.conftest import Visiting
from browser.playing import ONE_ROUND, SESSION, SOME_ROUNDS, fold_kings
from browser.served import Served
from browser.tables import Language, axe, plain
from houses import Opinionated
from rounds.house_with_operator import TABLES
from tapisvert.words import catalogue
from tiers import long

PLAY, FOLD = 0.611, -1.0  # what the coach of these tests says of a hand of Casino Stud
GRADED = """async () => {
  const base = document.querySelector('script[type=module][src]').src.replace(/app[.]js$/, '');
  const { costliest, gradeOf, summed } = await import(`${base}grades.js`);
  const costs = [0, 1e-12, 0.004, 0.0499, 0.05, 0.2, 0.25, 3];
  const choices = costs.map((cost, at) => ({ cost, unit_cents: at === 7 ? 100 : 1000 }));
  return [costs.map(gradeOf), summed(choices), costliest(choices, 3).map(({ cost }) => cost)];
}"""


class Plain(Opinionated):
    """A coach with one opinion about Casino Stud."""

    async def ask(self, position: dict[str, Any]) -> dict[str, Any]:
        if position["game"] == "casino-stud":
            return {"options": {"play": PLAY, "fold": FOLD}}
        return await super().ask(position)


@pytest.fixture
def guest(known_tables: Served, visit: Visiting) -> Any:
    """Return a page of a guest who has folded a pair of kings at Casino Stud."""

    def start(language: Language = "en", width: int = 1280) -> tuple[Page, str, str]:
        known_tables.coach = Plain()
        made = visit(known_tables.url, language=language, width=width)
        folded = fold_kings(made)
        return made.page, known_tables.url, folded

    return start


def test_a_costly_fold_is_found_and_asked_again(guest: Any) -> None:
    page, url, _ = guest()
    words, unit = catalogue("en"), TABLES["casino-stud"].stakes["ante"]
    page.goto(f"{url}/session")
    page.wait_for_selector(".session[data-ready]")
    told = plain(page.locator(".costly li").first.inner_text())
    assert plain(words.money(round((PLAY - FOLD) * unit))) in told
    assert words.write("grade.blunder") in told
    page.click(".costly .act.primary")
    page.wait_for_selector("[data-ready=asked]")
    asked = page.locator("main").inner_text()
    assert page.locator(".values").count() == 0  # it asks first
    assert words.write("grade.blunder") not in asked
    assert page.locator(".zone.house .down").count() == 4
    page.keyboard.press("p")  # the table's key
    page.wait_for_selector("[data-ready=answered]")
    expect(page.locator(".coach .grade.best")).to_be_visible()
    assert page.locator(".zone.house .down").count() == 0
    assert plain(page.locator(".values tr.best b").inner_text()).endswith(f"{PLAY:.4f}")


@long
def test_grades_and_their_sums_are_of_the_costs_alone(guest: Any) -> None:
    grades, sums, dearest = guest()[0].evaluate(GRADED)
    assert grades == [
        *("best", "best", "inaccuracy", "inaccuracy"),
        *("mistake", "mistake", "blunder", "blunder"),
    ]
    assert sums["count"] == 8
    assert sums["grades"] == {"best": 2, "inaccuracy": 2, "mistake": 2, "blunder": 2}
    assert sums["mean"] == pytest.approx(3.5539 / 8)
    assert sums["cents"] == pytest.approx(0.5539 * 1000 + 300)
    assert dearest == [3, 0.25, 0.2]  # by money: three times a dollar is more than a quarter of ten


@long
@pytest.mark.parametrize("width", [1280, 360])
def test_the_table_and_the_replay_tell_what_a_fold_missed(guest: Any, width: int) -> None:
    page, url, folded = guest("fr", width)
    words = catalogue("fr")
    page.goto(f"{url}/table/casino-stud")  # the round that ended unseen
    page.wait_for_selector("main.settled")
    assert page.locator(".zone.house .down").count() == 4
    assert page.evaluate(FELT) == []
    assert page.evaluate(LOOK, True) == []
    page.click("button.check")
    page.wait_for_selector("dialog .review td")
    assert page.locator("dialog .down").count() == 0
    rows = [plain(row) for row in page.locator("dialog tbody tr").all_inner_texts()]
    assert len(rows) == 2
    assert words.write("fold.folded") in rows[0]
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []
    page.goto(f"{url}/r/{folded}")
    page.click("section.fold .act")
    page.wait_for_selector("section.fold td")
    assert [plain(row) for row in page.locator("section.fold tbody tr").all_inner_texts()] == rows
    expect(page.locator(".what-if .grade.blunder")).to_be_visible()


@long
def test_a_round_that_was_played_on_has_no_such_button(guest: Any) -> None:
    page, url, _ = guest()
    stakes = TABLES["casino-stud"].stakes
    played = page.evaluate(ONE_ROUND, ["casino-stud", stakes, ["play"]])
    page.goto(f"{url}/r/{played}")
    page.wait_for_selector(".what-if tr.best")
    assert page.locator("section.fold").count() == 0


@long
@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_looking_back_can_be_read_and_used_by_everyone(
    guest: Any, language: Language, width: int
) -> None:
    page, url, folded = guest(language, width)
    page.evaluate(SOME_ROUNDS, 2)
    page.evaluate(SESSION)
    for path, ready in (
        ("/session", ".session[data-ready]"),
        (f"/again/{folded}/0", "[data-ready=asked]"),
        ("/statistics", ".review .costly"),
        ("/history?game=casino-stud", ".rounds"),
        ("/par/ultimate", ".way"),
        ("/strategy/blackjack", ".way"),
        (f"/certificate/{folded}", "main[data-verdict]"),
    ):
        page.goto(url + path)
        page.wait_for_selector(ready)
        assert axe(page) == [], path
        assert page.evaluate(LOOK, False) == [], path


@long
def test_the_filter_is_in_the_address(guest: Any) -> None:
    page, url, _ = guest()
    told, words = page.locator("main [role=status]"), catalogue("en")
    page.goto(f"{url}/history?game=ultimate")
    expect(told).to_have_text(words.write("history.no-match-game"))
    page.evaluate(SOME_ROUNDS, 1)
    page.goto(f"{url}/history?game=ultimate&from=nonsense")
    expect(page.locator(".rounds tbody tr")).to_have_count(1)
    page.select_option("select[name=game]", "casino-stud")
    expect(page.locator(".rounds tbody tr")).to_have_count(2)
    expect_address(page, "/history?game=casino-stud")
    offered = page.locator("select[name=game] option").evaluate_all("all => all.map(o => o.value)")
    assert offered == ["", *TABLES]  # and no other installed game
    page.fill("input[name=to]", "2020-01-01")
    expect(page.locator(".rounds")).to_have_count(0)
    expect(told).to_have_text(words.write("history.no-match"))
    page.goto(f"{url}/history?game=casino-stud&from=2020-01-02&to=2020-01-01")
    expect(told).to_have_text(words.write("history.reversed"))
    page.goto(f"{url}/history?to=2020-01-01")
    expect(told).to_have_text(words.write("history.no-match-days"))
    page.goto(f"{url}/history?game=casino-stud&to=2020-01-01")
    expect_address(page, "/history?game=casino-stud&to=2020-01-01")
    page.reload()
    expect(page.locator("input[name=to]")).to_have_value("2020-01-01")
    page.locator(".filter .act").click()
    expect(page.locator(".rounds tbody tr")).not_to_have_count(2)
    expect_address(page, "/history")
