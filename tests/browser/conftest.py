"""Browser tests: Playwright's sync API on the system's Chromium, houses behind a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal, Protocol

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from browser.coaching import FIRST
from browser.tables import CHROMIUM_ARGS, WATCH_CSP, Player, Visit, chromium, serving
from browser.turns import ALL, for_another_day
from coach.present import Present
from houses import make_house
from rounds.operated import open_tables
from tapisvert.rounds.house import system_clock
from tapisvert.sheets import Sheet, load
from tapisvert.web.advice import Coach

Language = Literal["fr", "en"]
PHONE_WIDTH_MAX = 600

expect.set_options(timeout=30_000)  # as patient as Playwright's own waits: a busy machine is no bug


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave to `make browser-all` what is not run today, and count it as deselected."""
    if ALL or any("::" in asked for asked in config.args):
        return
    later = for_another_day(items)
    config.hook.pytest_deselected(items=later)
    items[:] = [item for item in items if item not in set(later)]


class Serve(Protocol):
    """Serves a new house and returns its address; a sheet changes the table of its own game."""

    def __call__(
        self,
        first: str | None = None,
        *,
        sheet: Sheet | None = None,
        clock: Callable[[], int] = system_clock,
    ) -> str: ...


class Visiting(Protocol):
    """Opens a page of its own, in a context of its own, at an address.

    A narrow page is a phone and has touch, if not told otherwise. The worker that keeps pages for
    later comes only to tests about it: it would answer some requests in the house's place.
    """

    def __call__(
        self,
        url: str,
        *,
        language: Language = "fr",
        width: int = 1280,
        height: int = 800,
        touch: bool | None = None,
        motion: Literal["reduce", "no-preference"] = "reduce",
        worker: bool = False,
    ) -> Visit: ...


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium, once for all the browser tests of a worker."""
    where = chromium()
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=where, args=list(CHROMIUM_ARGS))
        yield found
        found.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve houses with a given deck, sheet or clock; all are closed when the test is over."""
    with ExitStack() as open_houses:
        count = 0

        def start(
            first: str | None = None,
            *,
            sheet: Sheet | None = None,
            clock: Callable[[], int] = system_clock,
        ) -> str:
            def sheet_of(game: str) -> Sheet:
                return sheet if sheet is not None and sheet.game == game else load(game)

            nonlocal count
            count += 1
            path = tmp_path / f"tapis-{count}.db"
            house = make_house(path, first, sheet_of=sheet_of, clock=clock)
            return open_houses.enter_context(serving(house))

        yield start


@pytest.fixture
def houses() -> Iterator[ExitStack]:
    """Hold the servers of a test. They stop after its pages are closed, which may still ask."""
    with ExitStack() as open_houses:
        yield open_houses


@pytest.fixture
def visit(browser: Browser, serve: Serve, houses: ExitStack) -> Iterator[Visiting]:
    """Open pages; when the test is over none may have erred. Contexts close before their server."""
    visits: list[Visit] = []
    with ExitStack() as contexts:

        def start(
            url: str,
            *,
            language: Language = "fr",
            width: int = 1280,
            height: int = 800,
            touch: bool | None = None,
            motion: Literal["reduce", "no-preference"] = "reduce",
            worker: bool = False,
        ) -> Visit:
            phone = width < PHONE_WIDTH_MAX if touch is None else touch
            context = browser.new_context(
                locale=f"{language}-CA",
                viewport={"width": width, "height": height},
                has_touch=phone,
                is_mobile=phone,
                reduced_motion=motion,
                service_workers="allow" if worker else "block",
            )
            contexts.callback(context.close)
            context.add_init_script(WATCH_CSP)
            made = Visit(context.new_page(), url)
            visits.append(made)
            made.page.goto(url)
            return made

        yield start
        assert [faults for made in visits if (faults := made.faults())] == []


@pytest.fixture
def coached(tmp_path: Path, visit: Visiting, houses: ExitStack) -> Any:
    """Open a table with a coach, in a mode of his; return the player and the coach."""

    def begin(
        mode: str,
        game: str = "casino-stud",
        language: Language = "en",
        width: int = 1280,
        coach: Coach | None = None,
        may_fail: Sequence[str] = (),
    ) -> tuple[Player, Any]:
        here = coach or Present()
        house = open_tables(tmp_path / f"{game}-{len(list(tmp_path.iterdir()))}.db")
        url = houses.enter_context(serving(house, here))
        made = visit(url, language=language, width=width, height=800 if width > 600 else 740)
        made.may_fail(*may_fail)
        made.page.evaluate(
            "(mode) => localStorage.setItem('settings', JSON.stringify({coach: mode}))", mode
        )
        made.page.goto(f"{url}/table/{game}")
        player = Player(made.page)
        player.press(f".spot.{FIRST[game]}")
        return player, here

    return begin
