"""Installed and offline: offline pages work, and play reports that it needs a connection."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Visiting
from browser.served import Served
from browser.tables import GAMES, TABLE, Language, Player, Visit, axe, plain
from browser.turns import first_of
from houses import PLAYER_WINS
from tapisvert.dealing import shuffle as honest_shuffle
from tapisvert.words import catalogue
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py

READY = "() => navigator.serviceWorker.ready.then(({ active }) => active.state)"
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
  }
  return found;
}"""


def keeps(made: Visit) -> None:
    """Visit a second time, and wait until the worker has filled its cache."""
    made.page.reload()
    assert made.page.evaluate(READY) in ("activated", "activating")


def offline(made: Visit) -> Page:
    made.may_fail("/")
    made.page.context.set_offline(True)
    return made.page


@pytest.mark.parametrize("language", ["fr", "en"])
def test_without_the_house_a_table_says_that_it_needs_it_and_help_and_fairness_work(
    house: Served, visit: Visiting, language: Language
) -> None:
    words = catalogue(language)
    made = visit(house.table(PLAYER_WINS), language=language, worker=True)
    Player(made.page)
    keeps(made)
    page = offline(made)
    page.reload()
    expect(page.locator(".offline .message")).to_have_text(words.write("offline.play"))
    assert axe(page) == []
    for game in GAMES:
        page.goto(made.url.replace(TABLE, f"/help/{game}"))
        expect(page.locator("main .notices li").last).to_be_visible()
        expect(page.locator("main .ranking .face").last).to_be_visible()
        told = plain(page.locator("main").inner_text())
        assert plain(words.write("title", {}, game)) in told
        assert plain(words.write(f"{game}.notices.trademark")) in told
    page.goto(made.url.replace(TABLE, "/fair"))
    expect(page.locator(".how li")).to_have_count(4)
    other = "en" if language == "fr" else "fr"
    page.locator(f"header button[lang={other}]").click()  # both languages were kept
    expect(page.locator(".how li").first).to_have_text(catalogue(other).write("fair.how-1"))
    page.goto(made.url)
    expect(page.locator(".offline .message")).to_have_text(catalogue(other).write("offline.play"))
    page.context.set_offline(False)  # the page notices, and comes back by itself
    page.wait_for_selector("main[data-phase=bet][data-ready]")


def test_the_verifier_opens_offline_and_checks_a_round(house: Served, visit: Visiting) -> None:
    house.shuffle = honest_shuffle
    made = visit(house.table(), worker=True)
    page, player = made.page, Player(made.page)
    player.bet({"ante": 5_00})
    player.deal()
    player.choose(0)
    keeps(made)
    home = made.url.removesuffix(TABLE)
    newest = page.request.get(f"{home}/api/v1/rounds").json()["rounds"][0]["id"]
    proof = page.request.get(f"{home}/api/v1/rounds/{newest}/proof").text()
    page = offline(made)
    page.goto(f"{home}/verifier")
    words = catalogue("fr")
    page.get_by_label(words.write("verifier.paste")).fill(proof)
    page.locator("button.gold").click()
    expect(page.locator("#verdict")).to_contain_text(words.write("verifier.alone"))
    assert made.csp_violations == []


def test_nothing_of_the_api_is_kept_and_a_first_visit_keeps_nothing(
    house: Served, visit: Visiting
) -> None:
    made = visit(house.table(PLAYER_WINS), worker=True)
    page, player = made.page, Player(made.page)
    assert (
        page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    )
    keeps(made)
    player.bet({"ante": 5_00})
    player.deal()
    player.choose(0)
    page.reload()
    player.wait("settled")
    assert page.evaluate("navigator.serviceWorker.controller !== null")
    found = page.evaluate(KEPT)
    assert len(found) > 20
    assert [path for path in found if path.startswith("/api/")] == []
    offline(made)
    answer = page.evaluate("fetch('/api/v1/wallet').then((got) => got.status, () => 'nobody')")
    assert answer == "nobody"
    assert page.evaluate("fetch('/api/v1/words/fr').then(() => 'kept', () => 'nobody')") == "nobody"


@pytest.mark.parametrize(
    ("path", "requests", "kilobytes"),
    first_of([(TABLE, 25, 120), ("/", 25, 100), ("/help/ultimate", 25, 105)]),
)
def test_a_first_visit_keeps_to_its_budget(
    house: Served, visit: Visiting, path: str, requests: int, kilobytes: int
) -> None:
    made = visit("about:blank", worker=True)
    wire = made.page.context.new_cdp_session(made.page)
    wire.send("Network.enable")
    sizes: list[float] = []

    def came(event: dict[str, Any]) -> None:
        sizes.append(event["encodedDataLength"])

    wire.on("Network.loadingFinished", came)
    made.url = house.url
    made.page.goto(made.url + path)
    made.page.wait_for_selector("[data-ready], .door, .notices")
    made.page.wait_for_timeout(500)
    own = [url for url in made.requests if url.startswith(made.url)]
    assert len(own) <= requests
    assert sum(sizes) / 1000 <= kilobytes
