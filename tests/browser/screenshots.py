"""Pictures of every page and phase, French on a desk and English on a phone (`make screenshots`).

    python tests/browser/screenshots.py docs/screenshots

Decks, seeds and clocks are given, so that only a change of the look changes a picture.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from browser import kept_pages
from browser.asking import until_advised
from browser.pictures import SIZES, Steps, gallery, take
from browser.playing import by_game, drilled, statistics
from browser.tables import CHROMIUM_ARGS, chromium
from houses import HOUSE_WINS, PLAYER_WINS, ROYAL

NOT_QUALIFIED = "9h 9d 7c 4s 2d Qc Js 8h 6d 3c"
TABLE = "/table/casino-stud"
MENU = (
    *("help", "coach", "limits", "seeds"),
    *("lobby", "history", "statistics", "fair"),
    *("settings", "shortcuts"),
)
SCREENS: dict[str, Steps] = {}


def screen(name: str, deck: str = PLAYER_WINS) -> Callable[[Steps], Steps]:
    """Name a picture; the function brings the page there."""

    def keep(steps: Steps) -> Steps:
        SCREENS[f"{len(SCREENS) + 1:02}-{name}|{deck}"] = steps
        return steps

    return keep


def sit(page: Page, url: str, table: str = TABLE) -> None:
    """Take a seat and wait until bets are taken."""
    page.goto(f"{url}{table}")
    page.wait_for_selector("[data-phase=bet][data-ready]")


def bet(page: Page, url: str) -> None:
    """Put chips on both spots."""
    sit(page, url)
    page.click(".spot.ante")
    page.click(".spot.ante")
    page.click(".spot.bonus")


def deal(page: Page, url: str) -> None:
    """Deal, up to the decision."""
    bet(page, url)
    page.click(".acts .primary")
    page.wait_for_selector("[data-phase=decide][data-ready]")


def finish(page: Page, url: str, option: int = 0) -> None:
    """Play, or fold, to the end."""
    deal(page, url)
    page.locator(".acts .option").nth(option).click()
    page.wait_for_selector("[data-phase=settled][data-ready]")


def opened(name: str) -> Steps:
    """Return the way to a panel through the menu."""

    def steps(page: Page, url: str) -> None:
        sit(page, url)
        page.locator(".bar nav button").last.click()
        if name != "menu":
            page.locator("dialog .menu .act").nth(MENU.index(name)).click()
        page.wait_for_selector(f"dialog.{name}")

    return steps


@screen("lobby")
def _lobby(page: Page, url: str) -> None:
    page.goto(url)
    page.wait_for_selector(".door")


screen("bet-empty")(sit)
screen("bet")(bet)


@screen("dealing")
def _dealing(page: Page, url: str) -> None:
    _move(page, url)
    page.wait_for_timeout(420)


screen("decide")(deal)


@screen("reveal")
def _reveal(page: Page, url: str) -> None:
    _move(page, url)
    page.wait_for_selector("[data-phase=decide][data-ready]")
    page.locator(".acts .option").first.click()
    page.wait_for_timeout(330)


screen("won")(finish)
screen("lost", HOUSE_WINS)(finish)
screen("house-does-not-qualify", NOT_QUALIFIED)(finish)
screen("folded", HOUSE_WINS)(lambda page, url: finish(page, url, 1))
screen("royal-cannot-fold", ROYAL)(deal)
screen("royal-paid", ROYAL)(finish)
for _name in ("menu", "help", "limits", "seeds", "settings", "shortcuts"):
    screen(_name)(opened(_name))


@screen("amount")
def _amount(page: Page, url: str) -> None:
    sit(page, url)
    page.click(".chip.other")
    page.wait_for_selector("dialog.amount")


@screen("double-stopped-by-the-limit")
def _limit(page: Page, url: str) -> None:
    sit(page, url)
    page.keyboard.press("4")
    page.click(".spot.ante")
    page.locator(".acts .act").nth(2).click()


@screen("connection-lost")
def _lost(page: Page, url: str) -> None:
    deal(page, url)
    page.context.set_offline(True)
    page.wait_for_selector(".banner")


@screen("resumed")
def _resumed(page: Page, url: str) -> None:
    deal(page, url)
    page.reload()
    page.wait_for_selector("[data-phase=decide][data-ready]")


@screen("lobby-with-an-open-round")
def _waiting(page: Page, url: str) -> None:
    finish(page, url)
    page.keyboard.press("r")
    page.wait_for_selector("[data-phase=bet][data-ready]")
    page.click(".acts .primary")
    page.wait_for_selector("[data-phase=decide][data-ready]")
    page.goto(url)
    page.wait_for_selector(".rounds")


@screen("history")
def _history(page: Page, url: str) -> None:
    finish(page, url)
    page.goto(f"{url}/history")
    page.wait_for_selector(".rounds")


@screen("replay")
def _replay(page: Page, url: str) -> None:
    _history(page, url)
    page.locator(".rounds a").first.click()
    page.wait_for_selector(".story")
    for _ in range(7):
        page.keyboard.press("ArrowLeft")


def _what_if(page: Page, url: str) -> None:
    """Fold what was played, on the same deck."""
    _history(page, url)
    page.locator(".rounds a").first.click()
    page.wait_for_selector(".what-if tbody tr.best", timeout=60_000)
    page.locator(".what-if td .act").first.click()
    page.wait_for_selector(".what-if .verdict")
    page.locator(".what-if").scroll_into_view_if_needed()


@screen("fairness", "")
def _fair(page: Page, url: str) -> None:
    _history(page, url)
    page.locator(".rounds a").nth(1).click()
    page.wait_for_selector(".checks")


# The other tables: how far a round is played, by the keys of its buttons in order.
PAI_GOW = "Jk Qs Qd 9h 8c 7s Kd  As 9c 9d 6h 5s 3d 2c"
FLUSH = "Kd Qd 9d 4d As 6c 2h  Th 8h 3h Js 7c 5s 2d"
BLACKJACK = "8s 8h 6d 5c Ah 9c  3s Td 2h 9d Kc 7d"
ULTIMATE = "Ad Kd 9s 9c  Ks 7d 2d  Th 4s"


def at(game: str, spots: str, options: tuple[int, ...] = ()) -> Steps:
    """Return the way through a round: the spots to bet on, then the buttons to press."""

    def steps(page: Page, url: str) -> None:
        sit(page, url, f"/table/{game}")
        for spot in spots.split():
            page.click(f".spot.{spot}")
        page.click(".acts .primary")
        for option in options:
            page.wait_for_selector("[data-phase=decide][data-ready]")
            page.locator(".acts .option:enabled").nth(option).click()
        page.wait_for_selector(":is([data-phase=decide], [data-phase=settled])[data-ready]")

    return steps


screen("pai-gow-decide", PAI_GOW)(at("pai-gow", "main fortune"))
screen("pai-gow-settled", PAI_GOW)(at("pai-gow", "main fortune", (0,)))
screen("high-card-flush-decide", FLUSH)(at("high-card-flush", "ante flush straight-flush"))
screen("high-card-flush-settled", FLUSH)(at("high-card-flush", "ante flush straight-flush", (0,)))
screen("blackjack-insurance", BLACKJACK)(at("blackjack", "hand-1 hand-2 royal"))
screen("blackjack-split", BLACKJACK)(at("blackjack", "hand-1 hand-2 royal", (0, 1, 2)))
screen("blackjack-settled", BLACKJACK)(at("blackjack", "hand-1 hand-2 royal", (0, 1, 2, 2, 1, 2)))
screen("ultimate-flop", ULTIMATE)(at("ultimate", "ante trips", (0,)))
screen("ultimate-settled", ULTIMATE)(at("ultimate", "ante trips", (0, 1)))


def coached(mode: str, steps: Steps) -> Steps:
    """Return the way to a table with the coach at one's elbow."""

    def there(page: Page, url: str) -> None:
        page.add_init_script(f"localStorage.setItem('settings', '{{\"coach\": \"{mode}\"}}')")
        steps(page, url)
        until_advised(page)

    return there


def _hold_back(page: Page, url: str) -> None:
    """Fold kings, and be asked whether one is sure."""
    coached("warn", deal)(page, url)
    page.locator(".acts .option").nth(1).click()
    page.wait_for_selector("dialog.costly")


def _listen(page: Page, url: str) -> None:
    """Open what the coach says of every set."""
    coached("always", at("pai-gow", "main"))(page, url)
    page.locator(".bar nav button").last.click()
    page.locator("dialog .menu .act").nth(MENU.index("coach")).click()
    page.wait_for_selector("dialog.coach tbody tr")


screen("coach-casino-stud")(coached("always", deal))
screen("coach-costly")(_hold_back)
screen("coach-pai-gow", PAI_GOW)(_listen)
screen("coach-blackjack", BLACKJACK)(coached("always", at("blackjack", "hand-1")))
screen("what-if")(_what_if)
screen("par-sheet", "")(kept_pages.par_sheet)
screen("certificate", "")(kept_pages.certificate)
screen("certificate-false", "")(kept_pages.false_certificate)


screen("statistics", "")(statistics)
screen("statistics-by-game", "")(by_game)
screen("drill-blackjack", "")(drilled("blackjack"))
screen("drill-answered", "")(drilled("casino-stud", 1))


screen("help-page")(kept_pages.help_page)
screen("offline")(kept_pages.offline)


def _move(page: Page, url: str) -> None:
    """Deal slowly, with motion, for a picture of it."""
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script("localStorage.setItem('settings', '{\"speed\": \"slow\"}')")
    bet(page, url)
    page.click(".acts .primary")


def main(folder: Path, only: str = "") -> None:
    """Take them all, or those whose name contains `only`."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_ARGS))
        for key in SCREENS:
            name, _, deck = key.partition("|")
            for language in SIZES if only in name else ():
                print(take(browser, folder, language, name, deck, SCREENS[key]), flush=True)
        browser.close()
    names = [key.partition("|")[0] for key in SCREENS]
    (folder / "README.md").write_text(gallery(names), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
