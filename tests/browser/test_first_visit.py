"""The first visit to a table stays within its budgets, and fetches no page but its own.

The figures are bytes and counts as the browser sees them on the wire; times are measured by
`make bench-web`.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from browser.served import Served
from browser.tables import GAMES, Language
from browser.turns import first_of

HEAVIEST = ("pai-gow", "fr")
BYTES_MAX, SCRIPT_BYTES_MAX, REQUESTS_MAX = 120_000, 60_000, 25  # docs/performance.md
# Modules and style sheets of pages and panels that a player opens later, if ever.
RARE = (
    *("lesson", "lesson-cards", "position", "position-board", "position-values", "drill"),
    *("practice", "rules", "rule-card", "session", "reviews", "review", "again", "after-fold"),
    *("what-if", "why", "graded", "grades", "history", "statistics", "replay", "fair", "help"),
    *("lobby", "panels", "coach", "consult", "values", "comforts", "favourites", "light"),
    *("large-cards", "left-hand", "position-typing"),
)


class Weight(NamedTuple):
    """What a visit transferred."""

    bytes: int
    script_bytes: int
    paths: tuple[str, ...]


def weigh(browser: Browser, url: str, language: Language) -> Weight:
    """Visit a page for the first time, without cache, and count what comes."""
    context = browser.new_context(locale=f"{language}-CA", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    asked: dict[str, tuple[str, str]] = {}
    sizes: dict[str, int] = {}

    def sent(event: dict[str, Any]) -> None:
        path = urlsplit(event["request"]["url"]).path
        asked[event["requestId"]] = (path, event.get("type", ""))

    def came(event: dict[str, Any]) -> None:
        sizes[event["requestId"]] = event["encodedDataLength"]

    wire.on("Network.requestWillBeSent", sent)
    wire.on("Network.loadingFinished", came)
    page.goto(url)
    page.wait_for_selector("[data-ready]")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    context.close()
    script = sum(size for key, size in sizes.items() if asked[key][1] == "Script")
    return Weight(sum(sizes.values()), script, tuple(path for path, _ in asked.values()))


@pytest.mark.parametrize(
    ("game", "language"),
    first_of([(game, language) for game in GAMES for language in ("fr", "en")], HEAVIEST),
)
def test_the_first_visit_to_a_table_is_small(
    browser: Browser, house: Served, game: str, language: Language
) -> None:
    found = weigh(browser, house.table(game=game), language)
    assert found.bytes <= BYTES_MAX
    assert found.script_bytes <= SCRIPT_BYTES_MAX
    assert len(found.paths) <= REQUESTS_MAX, found.paths
    names = {path.rpartition("/")[2].partition(".")[0] for path in found.paths}
    assert {"app", "play", "table", "layout"} <= names  # a rare module would be seen
    assert names.isdisjoint(RARE), names.intersection(RARE)
