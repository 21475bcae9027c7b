from contextlib import closing
from browser.conftest import Serve, Visiting
from browser.conftest import serve, visit, browser  # noqa
from browser.cutting import Books, Line, shown, truth
from browser.tables import TABLE, Player
from tapisvert.words import catalogue
import pytest
W = catalogue("fr")

@pytest.mark.parametrize("kind", ["refused", "unsent", "unanswered", "torn"])
def test_leave_and_return_in_flight(serve, visit, kind):
    house = serve()
    with closing(Line(house)) as line:
        made = visit(line.url)
        made.may_fail("/api/v1/", "/static/")
        made.page.set_default_timeout(10000)
        made.page.click(".door")
        p = Player(made.page); b = Books(made.page, house)
        p.bet({"ante": 500})
        line.cut(kind, "/rounds")
        made.page.click(".acts .primary")
        made.page.locator(".banner").wait_for()
        made.page.click(".brand")
        made.page.locator(".door").click()
        made.page.wait_for_timeout(700)
        line.back()
        made.page.locator(".banner").wait_for(state="hidden")
        p.wait("decide")
        made.page.wait_for_timeout(1500)
        s = shown(made.page)
        assert s == truth(b, W)
        print(made.page.locator(".message").inner_text())
        p.choose(0)
        assert shown(made.page) == truth(b, W)
        assert len(b.all("/rounds", "rounds")) == 1

def test_choice_in_flight_leave(serve, visit):
    house = serve()
    with closing(Line(house)) as line:
        made = visit(line.url)
        made.may_fail("/api/v1/", "/static/")
        made.page.set_default_timeout(10000)
        made.page.click(".door")
        p = Player(made.page); b = Books(made.page, house)
        p.bet({"ante": 500})
        p.deal()
        line.cut("unanswered", "/choices")
        made.page.locator(".acts .option").first.click()
        made.page.locator(".banner").wait_for()
        made.page.click(".brand")
        made.page.locator(".door").click()
        made.page.wait_for_timeout(700)
        line.back()
        made.page.locator(".banner").wait_for(state="hidden")
        p.wait("settled")
        made.page.wait_for_timeout(1500)
        assert shown(made.page) == truth(b, W)
