"""Accessibility: axe, small screens, target sizes, focus, reduced motion, accidental presses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import pytest
from playwright.sync_api import Page, expect

from browser.asking import LOOK
from browser.conftest import Sit, Visiting
from browser.playing import GO, ONE_ROUND
from browser.served import Served
from browser.tables import Language, Player, Visit, axe, choose_setting, plain
from browser.turns import first_of
from browser.ways import narrower
from houses import HOUSE_WINS, PLAYER_WINS, ROYAL
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py

TIE = "Ah Kd 9c 5s 3d Ac Ks 9h 5d 3c"
STAKES = {"ante": 10_00, "bonus": 5_00}


STOP = """() => {
  const flying = () => document.getAnimations()
    .filter((each) => each.effect.target.closest('.card'));
  window.stopped = (async () => {
    while (!flying().length) await new Promise(requestAnimationFrame);
    flying().forEach((each) => each.pause());
    const others = document.getAnimations().filter((each) => !flying().includes(each));
    others.forEach((each) => each.finish());
  })();
}"""


@contextmanager
def stopping_the_cards(page: Page) -> Iterator[None]:
    """Stop the cards that fly because of the block, but not chips, which come from the rail.

    The page looks for them from before the block on: a short flight may be over after it.
    """
    page.evaluate(STOP)
    yield
    page.evaluate("() => window.stopped")


PANELS = ("help", "card", "coach", "limits", "seeds", "settings", "shortcuts", "chips")


def panels(player: Player) -> Iterator[str]:
    """Open every panel of the table, one after the other."""
    page = player.page
    for place, name in enumerate(PANELS):
        player.press("header nav .ico >> nth=-1")
        page.wait_for_selector("dialog.menu[open]")
        if not place:
            yield "panel menu"
        player.press(f"ul.menu [data-panel={name}] button")
        page.wait_for_selector(f"dialog.{name}[open]")
        yield f"panel {name}"
        page.keyboard.press("Escape")
    player.press(".chip.other")
    page.wait_for_selector("dialog.amount[open]")
    yield "panel amount"
    page.fill("[name=amount]", "?")
    page.keyboard.press("Enter")
    yield "panel amount, refused"
    page.keyboard.press("Escape")


def in_the_air(house: Served, player: Player) -> Iterator[str]:
    """Stop a round during its animations; the caller may let them finish."""
    page = player.page
    page.emulate_media(reduced_motion="no-preference")
    house.first = HOUSE_WINS
    player.bet(STAKES)
    with stopping_the_cards(page):
        player.press(".acts .primary")
    yield "dealing"
    page.mouse.click(5, 400)
    player.wait("decide")
    with stopping_the_cards(page):
        player.press(".acts .option >> nth=0")
    yield "reveal"
    page.mouse.click(5, 400)
    player.wait("settled")
    page.emulate_media(reduced_motion="reduce")


def phases(house: Served, made: Visit) -> Iterator[str]:
    """Lead a player through every phase without animation."""
    page, player = made.page, Player(made.page)
    yield "bet, empty"
    for deck, name in ((PLAYER_WINS, "win"), (HOUSE_WINS, "loss"), (TIE, "even")):
        house.first = deck
        player.bet(STAKES)
        if deck == PLAYER_WINS:
            yield "bet, with chips"
        player.deal()
        if deck == PLAYER_WINS:
            yield "decide"
        player.choose(0)
        yield f"settled, {name}"
        player.press(".acts [aria-keyshortcuts=X]")
        player.wait("bet")
    made.may_fail("/api/v1/health")
    page.context.set_offline(True)
    page.wait_for_selector(".banner")
    yield "bet, connection lost"
    page.context.set_offline(False)
    page.wait_for_selector(".banner", state="detached")
    yield from in_the_air(house, player)
    house.first = ROYAL
    player.press(".acts .primary")
    player.wait("bet")
    player.deal()
    yield "decide, royal flush"
    page.reload()
    player.wait("decide")
    yield "decide, royal flush, resumed"


def pages(house: Served, made: Visit) -> Iterator[str]:
    """Open every page except the table, with rounds to show."""
    page = made.page
    made.may_fail("/nowhere")
    house.first = PLAYER_WINS
    made.let_in()
    ended = page.evaluate(ONE_ROUND, ["casino-stud", STAKES, ["play"]])
    for path, there in {
        "/": ".lobby .rounds",
        "/history": "main:not(.lobby) .rounds",
        "/fair": ".how",
        "/statistics": ".statistics .curve",
        "/drill/casino-stud": ".drill[data-ready=asked]",
        f"/r/{ended}": ".story",
        f"/fair/{ended}": ".checks",
        "/errors": ".codes",
        "/nowhere": "main p",
    }.items():
        if path in ("/errors", "/nowhere"):
            page.goto(house.url + path)
        else:  # as a link of the house does: without loading a page
            page.evaluate(GO, path)
        page.wait_for_selector(there)
        yield path.replace(ended, "…")


def check(states: Iterator[str], page: Page) -> None:
    """Check the page in each of these states: axe, overflow, target sizes."""
    found: dict[str, list[str]] = {}
    for state in states:
        for fault in (*axe(page), *page.evaluate(LOOK, state[0] != "/"), *narrower(page)):
            found.setdefault(re.sub(r"<!--.*?-->", "", fault), []).append(state)
    assert not found, "\n".join(f"{fault} [{'; '.join(where)}]" for fault, where in found.items())


each_way = pytest.mark.parametrize(
    ("language", "width"), [("fr", 360), ("en", 1280), ("fr", 1280), ("en", 360)]
)


@each_way
def test_on_every_page_and_panel_axe_is_silent_nothing_is_cut_and_targets_are_large(
    house: Served, visit: Visiting, language: Language, width: int
) -> None:
    made = visit(house.url, language=language, width=width)
    made.page.wait_for_selector(".doors")
    check(iter(["/, a new guest"]), made.page)
    made.page.goto(house.table())
    check(panels(Player(made.page)), made.page)
    check(pages(house, made), made.page)


@each_way
def test_in_every_state_axe_is_silent_nothing_is_cut_and_targets_are_large(
    house: Served, visit: Visiting, language: Language, width: int
) -> None:
    made = visit(house.table(), language=language, width=width)
    check(phases(house, made), made.page)


WATCH = """() => {
  window.heard = [];
  window.moved = 0;
  new MutationObserver(() => {
    const said = document.getElementById('polite').textContent;
    if (said) window.heard.push(said);
  }).observe(document.getElementById('polite'), { childList: true });
  const look = () => {
    window.moved = Math.max(window.moved, document.getAnimations().length);
    requestAnimationFrame(look);
  };
  look();
}"""


def test_without_motion_nothing_moves_and_the_same_is_said(house: Served, visit: Visiting) -> None:
    heard = {}
    for motion in ("reduce", "no-preference"):
        page = visit(house.table(PLAYER_WINS), motion=motion).page
        player = Player(page)
        page.evaluate(WATCH)
        player.bet(STAKES)
        player.deal()
        player.choose(0)
        expect(page.locator("#polite")).to_contain_text("Vous jouez.")  # in the next frame
        heard[motion] = page.evaluate("heard")
        assert (page.evaluate("moved") > 0) == (motion == "no-preference")
    assert heard["reduce"] == heard["no-preference"]
    dealt, ended = (plain(said) for said in heard["reduce"][-2:])
    assert dealt.startswith("Vous recevez : roi de cœur,")
    # The result comes before the cards.
    assert ended.startswith("Départ : ")
    assert "Vous jouez. La maison montre" in ended


FLIGHTS = """() => document.getAnimations().filter((each) => each.effect.target.matches('.card'))
  .map((each) => Math.round(each.effect.getTiming().duration))"""


@pytest.mark.parametrize(
    ("speed", "duration_ms"), first_of([("slow", 520), ("normal", 260), ("fast", 130), ("none", 0)])
)
def test_the_speed_of_the_cards_is_a_setting(sit: Sit, speed: str, duration_ms: int) -> None:
    player = sit(PLAYER_WINS, motion="no-preference")
    page = player.page
    choose_setting(page, "speed", speed)
    player.bet({"ante": 5_00})
    with stopping_the_cards(page) if duration_ms else nullcontext():
        player.press(".acts .primary")
    if duration_ms:
        assert set(page.evaluate(FLIGHTS)) == {duration_ms}
        page.keyboard.press(" ")
    player.wait("decide")
    assert page.evaluate(FLIGHTS) == []


@pytest.mark.parametrize("by", first_of(["mouse", "keys", "space"]))
def test_a_press_while_cards_fly_finishes_the_flight_and_does_nothing_else(
    house: Served, visit: Visiting, by: str
) -> None:
    page = visit(house.table()).page
    states = in_the_air(house, Player(page))
    for _, phase, key in zip(states, ("decide", "settled"), ("D", "R"), strict=True):
        # Where the pointer is, there will be a button: Fold, then Repeat.
        if by == "mouse":
            page.mouse.click(1190, 763)
        else:
            page.keyboard.press(" " if by == "space" else key)
        page.wait_for_selector(f"main[data-phase={phase}]")  # the held cards alone never land
        page.wait_for_timeout(400)
        assert page.locator("main").get_attribute("data-phase") == phase


@pytest.mark.parametrize("width", [360, 1280])
def test_a_double_click_does_one_thing(sit: Sit, width: int) -> None:
    player = sit(HOUSE_WINS, width=width, touch=False)
    page = player.page
    player.bet(STAKES)
    for button, phase in (
        (".primary", "decide"),
        (".option >> nth=1", "settled"),
        (".primary", "bet"),
    ):
        page.locator(f".acts {button}").dblclick()
        player.wait(phase)
        page.wait_for_timeout(100)
        assert page.locator("main").get_attribute("data-phase") == phase


@pytest.mark.parametrize("close", first_of(["Escape", "button", "backdrop"]))
def test_a_closed_panel_gives_the_focus_back_to_what_opened_it(sit: Sit, close: str) -> None:
    player = sit()
    page = player.page
    for opener in ("nav .ico >> nth=1", "nav .ico >> nth=-1", ".promise", ".chip.other"):
        page.locator(opener).focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog[open]")
        if close == "Escape":
            page.keyboard.press("Escape")
        elif close == "button":
            player.press("dialog header button")
        else:
            page.mouse.click(5, 400)
        page.wait_for_selector("dialog", state="detached")
        assert page.locator(opener).evaluate("(each) => each === document.activeElement"), opener
