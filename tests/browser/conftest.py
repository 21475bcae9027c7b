"""Browser tests: Playwright's sync API on the system's Chromium, houses behind a real server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from browser.coaching import FIRST
from browser.seats import Seat
from browser.served import Decks, Served, served_house, serving
from browser.tables import CHROMIUM_ARGS, WATCH_CSP, Language, Player, Visit, chromium
from browser.turns import ALL, for_another_day
from coach.present import Present
from rounds.house_with_operator import TABLES, open_tables
from tapisvert.engine.sheet import Sheet
from tapisvert.web.advice import Coach

Motion = Literal["reduce", "no-preference"]
PHONE_WIDTH_MAX = 600

PATIENCE_MS = 60_000  # on a busy machine the first value of a game takes half a minute
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that only `make browser-all` runs."""
    if ALL or any("::" in asked for asked in config.args):
        return
    later = for_another_day(items)
    config.hook.pytest_deselected(items=later)
    items[:] = [item for item in items if item not in set(later)]


class Visiting:
    """Opens a URL in a new page and a new browser context.

    A narrow page is a phone by default: tall and with touch. The service worker is blocked except
    in its own tests: it would answer some requests instead of the house.
    """

    def __init__(self, browser: Browser, contexts: ExitStack) -> None:
        self._browser, self._contexts = browser, contexts
        self.made: list[Visit] = []

    def __call__(
        self,
        url: str,
        *,
        language: Language = "fr",
        width: int = 1280,
        height: int | None = None,
        touch: bool | None = None,
        motion: Motion = "reduce",
        worker: bool = False,
    ) -> Visit:
        narrow = width < PHONE_WIDTH_MAX
        phone = narrow if touch is None else touch
        context = self._browser.new_context(
            locale=f"{language}-CA",
            viewport={"width": width, "height": height or (740 if narrow else 800)},
            has_touch=phone,
            is_mobile=phone,
            reduced_motion=motion,
            service_workers="allow" if worker else "block",
        )
        self._contexts.callback(context.close)
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(WATCH_CSP)
        self.made.append(Visit(context.new_page(), url))
        self.made[-1].page.goto(url)
        return self.made[-1]


class Sit(NamedTuple):
    """Opens a table of the shared house whose deck begins with these cards."""

    house: Served
    visit: Visiting

    def __call__(
        self,
        deck: str | None = None,
        game: str = "casino-stud",
        language: Language = "fr",
        width: int = 1280,
        *,
        keys: bool = False,
        sheet: Sheet | None = None,
        **how: Any,
    ) -> Seat:
        url = self.house.table(deck, game, sheet=sheet)
        made = self.visit(url, language=language, width=width, **how)
        return Seat(made.page, game, language, keys=keys)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium, once for all the browser tests of a worker."""
    where = chromium()
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=where, args=list(CHROMIUM_ARGS))
        yield found
        found.close()


@pytest.fixture(scope="session")
def one_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve one house, once for all the browser tests of a worker."""
    with served_house(tmp_path_factory.mktemp("house") / "tapis.db") as made:
        yield made


@pytest.fixture
def house(one_house: Served, request: pytest.FixtureRequest) -> Iterator[Served]:
    """Yield the shared house with the test's own sequence of decks; then reset it."""
    one_house.shuffle = Decks(request.node.name)
    yield one_house
    one_house.reset()


@pytest.fixture
def houses() -> Iterator[ExitStack]:
    """Stop the servers of a test after its pages are closed, which may still send requests."""
    with ExitStack() as open_houses:
        yield open_houses


@pytest.fixture
def visit(browser: Browser, house: Served, houses: ExitStack) -> Iterator[Visiting]:
    """Open pages; at the end none may have faults. Contexts close before their server."""
    with ExitStack() as contexts:
        visiting = Visiting(browser, contexts)
        yield visiting
        assert [faults for made in visiting.made if (faults := made.faults())] == []


@pytest.fixture
def sit(house: Served, visit: Visiting) -> Sit:
    return Sit(house, visit)


@pytest.fixture
def known_tables(house: Served) -> Served:
    """Deal known cards at every table of the shared house."""
    house.known = {game: table.cards for game, table in TABLES.items()}
    return house


@pytest.fixture
def coached(known_tables: Served, tmp_path: Path, visit: Visiting, houses: ExitStack) -> Any:
    """Open a table with a coach in a mode; return the player and the coach."""

    def begin(
        mode: str,
        game: str = "casino-stud",
        language: Language = "en",
        width: int = 1280,
        coach: Coach | None = None,
        may_fail: Sequence[str] = (),
    ) -> tuple[Player, Any]:
        here = known_tables.coach = coach or Present()
        url = known_tables.url
        if not isinstance(here, Present):  # in a process of his own: his line closes with a server
            url = houses.enter_context(serving(open_tables(tmp_path / "tapis.db"), here))
        made = visit(url, language=language, width=width)
        made.may_fail(*may_fail)
        made.page.evaluate(
            "(mode) => localStorage.setItem('settings', JSON.stringify({coach: mode}))", mode
        )
        made.page.goto(f"{url}/table/{game}")
        player = Player(made.page)
        player.press(f".spot.{FIRST[game]}")
        return player, here

    return begin
