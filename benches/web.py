"""Budgets of the browser client, measured in Chromium against a real server (`make bench-web`).

    python benches/web.py [--write docs/performance.md]

The server runs on the same machine; slow networks and slow processors are Chromium's own
emulation. Every row has its goal; a missed goal is marked.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from browser.served import serving
from browser.tables import CHROMIUM_ARGS, chromium
from houses import make_house
from page import require, write
from page import table as markdown
from tapisvert.rounds.player_service import system_clock

TABLE = "/table/casino-stud"
DEALS = 20
# Round trip in ms, megabits per second, processor slowdown.
FAST, SLOW = (165, 9.0, 1), (562, 1.4, 4)
Rows = list[tuple[str, str, str, bool]]

# Records in the page, from the press of Deal: the first card that moves, every frame, and the time
# when the decision is visible.
WATCH = """() => {
  const seen = window.seen = { start: 0, moved: 0, asked: 0, frames: [] };
  addEventListener('click', (event) => {
    if (!event.target.closest('.primary') || seen.start) return;
    seen.start = event.timeStamp;
    let last = performance.now();
    const look = (now) => {
      if (seen.moved && !seen.asked) seen.frames.push(now - last);
      last = now;
      const flying = document.getAnimations().some((one) => one.effect.target.matches('.card'));
      if (!seen.moved && flying) seen.moved = now;
      if (!seen.asked && document.querySelector('.acts .option')) seen.asked = now;
      if (!seen.asked) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, { capture: true });
}"""
# Cumulative layout shift as browsers define it: the worst window of at most five seconds in which
# shifts follow each other within one second; shifts after user input do not count.
SHIFTS = """() => new Promise((done) => {
  let worst = 0, sum = 0, first = -Infinity, last = -Infinity;
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, startTime, value } of list.getEntries()) {
      if (hadRecentInput) continue;
      if (startTime - last > 1000 || startTime - first > 5000) { sum = 0; first = startTime; }
      last = startTime;
      sum += value;
      worst = Math.max(worst, sum);
    }
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => done(worst), 200);
})"""


def p95(values: list[float]) -> float:
    """Return the 95th percentile."""
    return statistics.quantiles(values, n=20, method="inclusive")[-1]


def context(browser: Browser, *, motion: bool = True) -> BrowserContext:
    """Open a new browser context, without cache or cookies."""
    return browser.new_context(
        viewport={"width": 1280, "height": 800},
        locale="fr-CA",
        reduced_motion="no-preference" if motion else "reduce",
    )


def weigh(browser: Browser, url: str) -> dict[str, Any]:
    """Count the bytes a first visit transfers."""
    visitor = context(browser)
    page = visitor.new_page()
    wire = visitor.new_cdp_session(page)
    wire.send("Network.enable")
    kinds: dict[str, str] = {}
    found: dict[str, Any] = {"bytes": 0, "script": 0, "requests": 0, "others": 0}

    def asked(event: dict[str, Any]) -> None:
        found["requests"] += 1
        found["others"] += not event["request"]["url"].startswith(url.rpartition(":")[0])
        kinds[event["requestId"]] = event.get("type", "")

    def came(event: dict[str, Any]) -> None:
        found["bytes"] += event["encodedDataLength"]
        if kinds.get(event["requestId"]) == "Script":
            found["script"] += event["encodedDataLength"]

    wire.on("Network.requestWillBeSent", asked)
    wire.on("Network.loadingFinished", came)
    page.goto(url)
    page.wait_for_selector("[data-ready], .door")
    page.wait_for_timeout(500)
    found["shift"] = page.evaluate(SHIFTS)
    visitor.close()
    return found


def first_paint(browser: Browser, url: str, network: tuple[float, float, int] | None) -> float:
    """Return the median time to the first content, in seconds."""
    times: list[float] = []
    for _ in range(5):
        visitor = context(browser)
        page = visitor.new_page()
        if network:
            round_trip_ms, megabits, slower = network
            wire = visitor.new_cdp_session(page)
            wire.send("Network.enable")
            wire.send(
                "Network.emulateNetworkConditions",
                {
                    "offline": False,
                    "latency": round_trip_ms,
                    "downloadThroughput": megabits * 1e6 / 8,
                    "uploadThroughput": megabits * 1e6 / 8,
                },
            )
            wire.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page.goto(url)
        page.wait_for_selector("[data-ready]", timeout=60_000)
        times.append(
            page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        )
        visitor.close()
    return statistics.median(times) / 1000


def deals(browser: Browser, url: str, *, slower: int = 1, motion: bool = True) -> dict[str, Any]:
    """Deal repeatedly; return the page's records of each deal, in ms."""
    visitor = context(browser, motion=motion)
    page = visitor.new_page()
    page.goto(url)
    page.wait_for_selector("[data-ready]")
    visitor.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.click(".spot.ante")
    noted: dict[str, list[float]] = {"moved": [], "asked": [], "frames": []}
    for _ in range(DEALS):
        page.evaluate(WATCH)
        page.click(".acts.bet .primary")
        page.wait_for_selector("[data-phase=decide][data-ready]")
        seen = page.evaluate("window.seen")
        noted["moved"].append(seen["moved"] - seen["start"])
        noted["asked"].append(seen["asked"] - seen["start"])
        noted["frames"] += seen["frames"]
        page.locator(".acts .option").nth(1).click()  # fold, to reach the next deal sooner
        page.wait_for_selector("[data-phase=settled][data-ready]")
        page.keyboard.press("r")
        page.wait_for_selector("[data-phase=bet][data-ready]")
    shift = page.evaluate(SHIFTS)
    visitor.close()
    return {**noted, "shift": shift}


def resume(browser: Browser, url: str) -> float:
    """Return the seconds from a reload during a round until the round is visible again."""
    visitor = context(browser, motion=False)
    page: Page = visitor.new_page()
    page.goto(url)
    page.wait_for_selector("[data-ready]")
    page.click(".spot.ante")
    page.click(".acts .primary")
    page.wait_for_selector("[data-phase=decide][data-ready]")
    times: list[float] = []
    for _ in range(5):
        page.reload(wait_until="commit")
        page.wait_for_selector("[data-phase=decide][data-ready]")
        times.append(page.evaluate("performance.now()") / 1000)
    visitor.close()
    return max(times)


def measure(browser: Browser, url: str) -> Rows:
    """Measure everything; return each figure with its goal and whether it is met."""
    table, lobby = weigh(browser, url + TABLE), weigh(browser, url)
    quick, calm = deals(browser, url + TABLE), deals(browser, url + TABLE, motion=False)
    weak = deals(browser, url + TABLE, slower=4)
    paint = {
        "on this machine": (first_paint(browser, url + TABLE, None), 0.8),
        "165 ms round trip, 9 Mb/s": (first_paint(browser, url + TABLE, FAST), 0.8),
        "562 ms, 1.4 Mb/s, processor ÷ 4": (first_paint(browser, url + TABLE, SLOW), 2.5),
    }
    rows: Rows = []

    def row(what: str, figure: float, goal: float, show: Callable[[float], str]) -> None:
        rows.append((what, show(figure), f"≤ {show(goal)}", figure <= goal))

    def kb(size: float) -> str:
        return f"{size / 1000:.1f} kB"

    row("first visit to a table, compressed, fonts included", table["bytes"], 120_000, kb)
    row("of that, scripts", table["script"], 60_000, kb)
    row("requests of that visit", table["requests"], 25, lambda n: f"{n:.0f}")
    row("of those, to other hosts", table["others"] + lobby["others"], 0, lambda n: f"{n:.0f}")
    row("first visit to the lobby", lobby["bytes"], 100_000, kb)
    for name, (seconds, goal) in paint.items():
        row(f"first content painted, {name}", seconds, goal, lambda s: f"{s:.2f} s")

    def ms(value: float) -> str:
        return f"{value:.0f} ms"

    row(f"Deal to first card moving, p95 of {DEALS}", p95(quick["moved"]), 100, ms)
    row("the same, processor ÷ 4", p95(weak["moved"]), 200, ms)
    row("Deal to the decision, p95", p95(quick["asked"]), 1200, ms)
    row("the same, reduced motion", p95(calm["asked"]), 100, ms)
    row("frames while cards fly, p95", p95(quick["frames"]), 17, lambda value: f"{value:.1f} ms")
    row("the longest of them", max(quick["frames"]), 67, lambda value: f"{value:.1f} ms")
    shift = max(table["shift"], lobby["shift"], quick["shift"])
    row("layout shift, visit and play", shift, 0.02, lambda value: f"{value:.3f}")
    row(
        "reload in the middle of a round, slowest",
        resume(browser, url + TABLE),
        2,
        lambda s: f"{s:.2f} s",
    )
    return rows


def main() -> None:
    """Measure, print, and write the chapter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, help="the page whose chapter is replaced")
    asked = parser.parse_args()
    if asked.write:
        require(asked.write, ["browser"])
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        house = make_house(Path(data) / "tapis.db", clock=system_clock)
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_ARGS))
        with serving(house) as url:
            rows = measure(browser, url)
        browser.close()
    for what, figure, goal, met in rows:
        print(f"  {what:<56} {figure:>10} {goal:>12}  {'' if met else 'MISSED'}", flush=True)
    if asked.write:
        marked = [[*cells, "" if met else "**missed**"] for *cells, met in rows]
        write(asked.write, "browser", markdown(("what", "figure", "goal", ""), marked))


if __name__ == "__main__":
    main()
