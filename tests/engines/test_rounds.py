"""One whole round of every game in Firefox and in WebKitGTK, including its proof and history.

The cards come from known seeds, the client seed included. The page is the one served, clicked by
the engine's own pointer. Any error of the page fails the test.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from browser.seats import ROUNDS
from browser.tables import GAMES, Language, plain
from engines.engine import Engine
from engines.firefox import Firefox
from engines.watching import watched
from engines.webkit import WebKit
from houses import counting_entropy, make_house
from tapisvert.rounds.player_service import system_clock
from tapisvert.words import catalogue
from tiers import long

pytestmark = long
ENGINES: dict[str, type[Firefox] | type[WebKit]] = {"firefox": Firefox, "webkit": WebKit}
READY = "main:is([data-phase=decide], [data-phase=settled])[data-ready]"
# What a player types as the own part of the seed.
TYPE = """((field) => { field.value = 'one whole round';
  field.dispatchEvent(new InputEvent('input', { bubbles: true })); return true; })(
  document.querySelector('dialog [name=seed]'))"""
LAST = """[...document.querySelectorAll('.acts .option:enabled')].at(-1)
  .getAttribute('aria-keyshortcuts')"""
LEDGER = """[...document.querySelectorAll('.ledger tbody tr')].map((row) => (
  ['th > span:last-child', '.sum b'].map((part) => row.querySelector(part).textContent)))"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = tmp_path_factory.mktemp("house") / "tapis.db"
    with watched(make_house(path, entropy=counting_entropy(), clock=system_clock)) as url:
        yield url


@pytest.fixture(scope="module", params=ENGINES)
def browser(request: pytest.FixtureRequest, house: str) -> Iterator[Engine]:
    """Start an engine, once for all games; it closes before its house does."""
    found = ENGINES[request.param]()
    yield found
    found.close()


def api(browser: Engine, path: str) -> Any:
    """Query the house as the player of this page."""
    return browser.evaluate(f"fetch('/api/v1{path}').then((answer) => answer.json())")


def speak(browser: Engine, language: Language) -> None:
    browser.wait("header.bar nav button")
    if browser.evaluate("document.documentElement.lang") != language:
        browser.click(f"header.bar nav button[lang={language}]")
    browser.wait(f"html[lang={language}]")


def play(browser: Engine, game: str) -> None:
    """Bet, deal, and decide until the round is over."""
    browser.wait("main[data-phase=bet][data-ready]")
    browser.click(".promise")
    browser.wait("dialog [name=seed]")
    browser.evaluate(TYPE)
    browser.evaluate("document.querySelector('dialog').close()")
    browser.until(
        lambda: browser.evaluate("document.querySelector('dialog') === null"), "the panel is shut"
    )
    for bet in ROUNDS[game].stakes:
        browser.click(f"button.spot.{bet}")
    browser.click(".acts .primary")
    browser.wait(READY)
    while browser.evaluate("document.querySelector('main').dataset.phase") == "decide":
        browser.click(f'.acts .option[aria-keyshortcuts="{browser.evaluate(LAST)}"]')
        browser.wait(READY)


def check_ledger(browser: Engine, game: str, language: Language) -> str:
    """Compare the ledger on the page with the house's; return the round's id."""
    words = catalogue(language)
    [last, *_] = api(browser, "/rounds")["rounds"]
    assert (last["game"], last["state"]) == (game, "settled")
    events = api(browser, f"/rounds/{last['id']}")["round"]["events"]
    settled = [each for each in events if each["kind"] == "settled"]
    nets = [each["returned_cents"] - each["staked_cents"] for each in settled]
    assert sum(nets) == last["returned_cents"] - last["staked_cents"]
    signs = ["+" if net > 0 else "−" if net < 0 else "" for net in nets]
    told = {
        plain(words.write(f"bet.{each['bet']}", {}, game)): sign + plain(words.money(abs(net)))
        for each, sign, net in zip(settled, signs, nets, strict=True)
    }
    assert {plain(bet): plain(net) for bet, net in browser.evaluate(LEDGER)} == told
    return str(last["id"])


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_round_is_played_proved_and_remembered(
    house: str, browser: Engine, game: str
) -> None:
    turn = GAMES.index(game) + isinstance(browser, WebKit)
    language: Language = ("fr", "en")[turn % 2]
    browser.goto(house)
    speak(browser, language)
    browser.goto(f"{house}/table/{game}")
    play(browser, game)
    round_id = check_ledger(browser, game, language)
    shown = plain(catalogue(language).money(api(browser, "/wallet")["balance_cents"]))
    assert browser.text(".rail .balance dd") == shown
    browser.goto(f"{house}/fair/{round_id}")
    browser.wait(".checks li")
    verdicts = browser.evaluate(
        "[...document.querySelectorAll('.checks li')].map((step) => step.className)"
    )
    assert set(verdicts) == {"ok"}
    browser.goto(f"{house}/history")
    browser.wait(f"a[href='/r/{round_id}']")
    browser.goto(f"{house}/r/{round_id}")
    browser.wait("main .felt .card")
    assert browser.errors() == []


def test_an_error_of_the_page_would_be_noticed(house: str, browser: Engine) -> None:
    browser.goto(house)
    browser.evaluate("setTimeout(() => { throw new Error('thrown'); })")
    browser.evaluate("void Promise.reject(new Error('rejected'))")
    browser.evaluate("document.body.append(Object.assign(new Image(), { src: 'http://x.test/' }))")

    def told() -> bool:
        found = str(browser.errors())
        return all(each in found for each in ("thrown", "rejected", "policy"))

    browser.until(told, "all three are told")


def test_the_watch_is_kept_where_the_pages_are(tmp_path: Path) -> None:
    with watched(make_house(tmp_path / "tapis.db", clock=system_clock)) as url:
        page = httpx.get(url)
        assert '<head><script src="/watch.js">' in page.text
        assert httpx.get(f"{url}/watch.js").text.startswith("{")
