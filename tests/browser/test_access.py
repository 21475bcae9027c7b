"""Everyone can play: axe, the small screen, large targets, focus, calm, and no accident."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from playwright.sync_api import Page

from browser.conftest import Visiting
from browser.tables import Player, Shoe, Visit, axe, plain, shoe
from houses import HOUSE_WINS, PLAYER_WINS, ROYAL

Language = Literal["fr", "en"]
HEIGHT = {1280: 800, 360: 740, 320: 640}
TIE = "Ah Kd 9c 5s 3d Ac Ks 9h 5d 3c"
STAKES = {"ante": 10_00, "bonus": 5_00}
SLOW = "localStorage.setItem('settings', JSON.stringify({speed: 'slow'})); location.reload()"

# What the eye would find: things outside the window, cut texts, small targets.
LOOK = r"""(round) => {
  const found = [], name = (el) => `${el.tagName}.${el.className} "${el.textContent.trim().slice(0, 30)}"`;
  const shown = (el) => el.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !el.closest('.vh, svg *, noscript');
  const page = document.scrollingElement;
  if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} px wide`);
  const running = (el) => getComputedStyle(el).display === 'inline'
    && [...el.parentNode.childNodes].some((node) => node.nodeType === 3 && /\p{L}/u.test(node.data));
  for (const el of document.querySelectorAll('button:enabled, a[href], input:enabled, select:enabled, summary')) {
    const { width, height } = el.getBoundingClientRect();
    if (shown(el) && !running(el) && (width < 43.9 || height < 43.9)) found.push(`${width} x ${height} px: ${name(el)}`);
  }
  if (!round) return found;
  if (page.scrollHeight > innerHeight) found.push(`the page is ${page.scrollHeight} px high`);
  const felt = document.querySelector('.felt');
  if (felt.scrollHeight > felt.clientHeight + 1) found.push(`the felt hides ${felt.scrollHeight - felt.clientHeight} px`);
  const outside = (box, frame) => box.left < frame.left - 1 || box.top < frame.top - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1;
  const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const still = [...document.querySelectorAll('#app *')].filter((el) => shown(el) && !el.closest('dialog') && !el.getAnimations({ subtree: true }).length);
  for (const el of still) if (outside(el.getBoundingClientRect(), view)) found.push(`outside the window: ${name(el)}`);
  const walk = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const owner = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !shown(owner) || owner.closest('dialog')) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    for (let frame = owner; frame; frame = frame.parentElement) {
      if (getComputedStyle(frame).overflow === 'visible' && frame !== document.body) continue;
      const box = frame === document.body ? view : frame.getBoundingClientRect();
      if ([...range.getClientRects()].some((line) => outside(line, box))) found.push(`cut: ${name(owner)}`);
    }
  }
  const rows = [...felt.querySelectorAll(':scope > :not(.promise, .arc)')].map((el) => [name(el), el.getBoundingClientRect()]);
  rows.slice(1).forEach(([below, box], place) => { if (box.top < rows[place][1].bottom - 1) found.push(`${rows[place][0]} lies on ${below}`); });
  const deck = document.querySelector('.promise').getBoundingClientRect();
  for (const el of still.filter((each) => each.matches('.card'))) {
    const box = el.getBoundingClientRect();
    if (box.right > deck.left && box.left < deck.right && box.top < deck.bottom && box.bottom > deck.top) found.push(`the deck lies on ${name(el)}`);
  }
  return found;
}"""  # noqa: E501


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shoe]:
    """Serve one house for the pages of this module."""
    with shoe(tmp_path_factory.mktemp("house") / "tapis.db") as made:
        yield made


def stop_the_cards(page: Page) -> None:
    """Hold the cards in the air, to look at them."""
    page.wait_for_function("document.querySelector('.card')?.getAnimations({subtree: true}).length")
    page.evaluate("document.getAnimations().forEach((each) => each.pause())")


def panels(player: Player) -> Iterator[str]:
    """Open every panel of the table, one after the other."""
    page = player.page
    for place, name in enumerate(["help", "limits", "seeds", "settings", "shortcuts"]):
        player.press("header nav .ico >> nth=-1")
        page.wait_for_selector("dialog.menu[open]")
        if not place:
            yield "panel menu"
        player.press(f"ul.menu button >> nth={place}")
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


def phases(house: Shoe, made: Visit) -> Iterator[str]:
    """Lead a player through every phase of the table that stands still."""
    page, player = made.page, Player(made.page)
    yield "bet, empty"
    yield from panels(player)
    for deck, name in ((PLAYER_WINS, "win"), (HOUSE_WINS, "loss"), (TIE, "even")):
        house.first = deck
        player.bet(STAKES)
        yield f"bet, before a {name}"
        player.deal()
        yield f"decide, before a {name}"
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
    house.first = ROYAL
    player.bet(STAKES)
    player.deal()
    yield "decide, royal flush"
    page.reload()
    player.wait("decide")
    yield "decide, royal flush, resumed"


def in_the_air(house: Shoe, page: Page) -> Iterator[str]:
    """Stop a round while its cards fly: an even one, so that nothing is settled early."""
    page.evaluate(SLOW)
    page.wait_for_load_state()
    player = Player(page)
    house.first = HOUSE_WINS
    player.bet(STAKES)
    player.press(".acts .primary")
    stop_the_cards(page)
    yield "dealing"
    page.locator(".message").click(force=True)
    player.wait("decide")
    player.press(".acts .option >> nth=0")
    stop_the_cards(page)
    yield "reveal"


def pages(house: Shoe, made: Visit) -> Iterator[str]:
    """Open every page but the table."""
    url, page = house.url, made.page
    made.may_fail("/nowhere")
    page.wait_for_selector("main:not([aria-busy])")
    found = page.request.get(f"{url}/api/v1/rounds").json()["rounds"]
    rounds = [f"/{kind}/{each['id']}" for each in found[-1:] for kind in ("r", "fair")]
    for path in ("/", "/history", "/fair", *rounds, "/errors", "/nowhere"):
        page.goto(url + path)
        page.wait_for_selector("main:not([aria-busy])")
        page.wait_for_load_state("networkidle")
        if path.startswith("/fair/"):
            page.wait_for_selector(".checks")
        yield f"{path} with rounds" if rounds and path == "/" else path.replace(found[-1]["id"], "…") if found else path


def looked_at(states: Iterator[str], page: Page, look: Callable[[str], list[str]]) -> list[str]:
    return [f"{state}: {found}" for state in states for found in look(state)]


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_in_every_state_axe_is_silent_nothing_is_cut_and_targets_are_large(
    house: Shoe, visit: Visiting, language: Language, width: int
) -> None:
    def look(state: str, page: Page) -> list[str]:
        page.screenshot(path=f"/tmp/bt/s-{language}-{width}-{state.replace('/','_')}.png")
        return [f"{state}: {each}" for each in (*axe(page), *page.evaluate(LOOK, state[0] != "/"))]

    how = {"width": width, "height": HEIGHT[width]}
    made = visit(house.url, language=language, **how)
    made.page.set_default_timeout(5000)
    found = [each for state in pages(house, made) for each in look(state, made.page)]
    made.page.goto(house.table())
    found += [each for state in phases(house, made) for each in look(state, made.page)]
    found += [each for state in pages(house, made) for each in look(state, made.page)]
    moving = visit(house.table(), language=language, motion="no-preference", **how)
    found += [each for state in in_the_air(house, moving.page) for each in look(state, moving.page)]
    assert found == []
