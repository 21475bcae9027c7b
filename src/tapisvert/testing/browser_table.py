"""Checks a game's table in Chromium on a small screen: nothing overflows, axe finds nothing."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import tapisvert
from tapisvert.engine.sheet import Sheet
from tapisvert.games.completeness import Incomplete, check
from tapisvert.games.registry import OFFERED
from tapisvert.testing.case import Case, NotRun, main_spots

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTH, HEIGHT = 360, 740
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
AXE_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
_AXE = Path("node_modules") / "axe-core" / "axe.min.js"
_START_S = 20.0
_STEPS_MAX = 40
_ROUNDS_MAX = 300  # tried until one asks a question; a guest can afford them
_POST = """const post = async (path, body) => (await fetch(`/api/v1${path}`, { method: 'POST',
  headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
  body: JSON.stringify(body) })).json();"""
# Opens rounds of the game until one asks a question; returns the problem if one is refused.
_OPEN = f"""async ({{ game, stakes, rounds }}) => {{
  {_POST}
  for (let n = 0; n < rounds; n += 1) {{
    const {{ round_id, commitment }} = await post('/seats', {{ game }});
    const said = await post('/rounds', {{ round_id, commitment, stakes, client_seed: 'kit' }});
    if (!said.round) return JSON.stringify(said);
    if (said.round.ask) return '';
  }}
  return '';
}}"""
# Answers the open round of the game to its end, always with the first available option.
_END = f"""async ({{ game, steps }}) => {{
  {_POST}
  const {{ rounds }} = await (await fetch('/api/v1/rounds?status=open')).json();
  const open = rounds.find((each) => each.game === game);
  if (!open) return; // it was over when it was dealt
  let said = await (await fetch(`/api/v1/rounds/${{open.id}}`)).json();
  for (let n = 0; said.round?.ask && n < steps; n += 1) {{
    const {{ step, options }} = said.round.ask;
    const choice = options.find(({{ legal, affordable }}) => legal && affordable).id;
    said = await post(`/rounds/${{open.id}}/choices`, {{ step, choice }});
  }}
}}"""
# Returns the class names of elements that extend beyond the window.
_CUT = """() => [...document.querySelectorAll('main *')].filter((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  return width && !each.closest('.scroll, .vh') && (left < -1 || right > innerWidth + 1);
}).map((each) => each.className || each.tagName).slice(0, 5)"""


def layout_fits(case: Case) -> list[str]:
    """The table fits 360 pixels and passes axe: before a bet, at a question, at the end."""
    try:
        check(case.game, case.game.id)
    except Incomplete as error:
        raise NotRun(f"a server leaves the game out: {error}") from None
    if find_spec("playwright") is None:
        raise NotRun("playwright is not installed")
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if chromium is None:
        raise NotRun("Chromium is not installed")
    axe = _axe()
    # In a separate thread: Playwright's sync API fails where an event loop is running.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_drawn, case, chromium, axe).result()


def _drawn(case: Case, chromium: str, axe: str) -> list[str]:
    """Load the table in both languages; return the findings."""
    from playwright.sync_api import sync_playwright

    with _served(case) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        found: list[str] = []
        for locale in ("fr-CA", "en-CA"):
            context = browser.new_context(
                viewport={"width": WIDTH, "height": HEIGHT},
                locale=locale,
                reduced_motion="reduce",
            )
            found += _look(context.new_page(), f"{url}/table/{case.game.id}", case, axe)
        browser.close()
    return sorted(set(found))


def _axe() -> str:
    """Return the source of axe, from the node_modules of this folder or of the repository."""
    for root in (Path.cwd(), *Path(tapisvert.__file__).parents[2:3]):
        if (root / _AXE).is_file():
            return (root / _AXE).read_text(encoding="utf-8")
    raise NotRun("axe-core is not installed (npm ci)")


def _look(page: Page, address: str, case: Case, axe: str) -> Iterator[str]:
    """Check the table in three states; yield the findings."""
    from playwright.sync_api import Error

    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        yield from _states(page, address, case, axe)
    except Error as error:
        shown = " ".join(str(page.evaluate("document.querySelector('main')?.innerText")).split())
        yield f"the table is not drawn ({error.message.splitlines()[0]}); the page says: {shown}"
    yield from (f"the page fails: {each}" for each in errors)


def _states(page: Page, address: str, case: Case, axe: str) -> Iterator[str]:
    """Check the table before a bet, at a question and at the end."""
    page.goto(address)
    yield from _seen(page, axe, "before a bet")
    asked = {"game": case.game.id, "stakes": stakes_of(case.sheet), "rounds": _ROUNDS_MAX}
    refused = page.evaluate(_OPEN, asked)
    if refused:
        yield f"no round can be opened: {refused}"
    page.goto(address)
    yield from _seen(page, axe, "at a question")
    page.evaluate(_END, {"game": case.game.id, "steps": _STEPS_MAX})
    page.goto(address)
    yield from _seen(page, axe, "at the end")


def _seen(page: Page, axe: str, state: str) -> Iterator[str]:
    page.wait_for_selector("main.table .felt")
    page.evaluate("document.fonts.ready.then(() => undefined)")
    for name in page.evaluate(_CUT):
        yield f"{state}, at {WIDTH} px, {name!r} sticks out of the window"
    yield from (f"{state}, {each}" for each in _violations(page, axe))


def _violations(page: Page, axe: str) -> Iterator[str]:
    page.evaluate(axe + "; undefined")
    found: list[dict[str, Any]] = page.evaluate(
        "(tags) => axe.run(document, {runOnly: tags, resultTypes: ['violations']})"
        ".then((result) => result.violations)",
        list(AXE_TAGS),
    )
    for each in found:
        places = ", ".join(" ".join(map(str, node["target"])) for node in each["nodes"][:2])
        yield f"axe: {each['help']} ({places})"


def stakes_of(sheet: Sheet) -> dict[str, int]:
    """Return the minimum stake on the main spot and on spots that must have the same stake."""
    return {spot: -(-sheet.spots[spot].min_cents // 100) * 100 for spot in main_spots(sheet)}


@contextmanager
def _served(case: Case) -> Iterator[str]:
    """Serve a house with the game, in this process, on a free port."""
    import uvicorn

    from tapisvert.rounds import Dealer, PlayerService
    from tapisvert.sealing import Sealer
    from tapisvert.store import SqliteStore
    from tapisvert.web import create_app

    with TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as door:
        store = SqliteStore(Path(folder) / "tapis.db")
        offered = tuple(dict.fromkeys((*OFFERED, case.game.id)))
        app = create_app(PlayerService(store, Dealer(Sealer(bytes(32))), offered=offered))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
        thread.start()
        until = time.monotonic() + _START_S
        while not server.started and time.monotonic() < until:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(_START_S)
