"""The unchanged client with other sheets: the page shows the values of the table's sheet.

Expected texts come from the server's words and the sheet, never from the page.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page

from browser.conftest import Visiting
from browser.served import Served
from browser.tables import DOOR, Language, Player, plain
from browser.turns import first_of
from houses import PLAYER_WINS, deck_of
from tapisvert.engine import events as ev
from tapisvert.engine import replay
from tapisvert.engine.sheet import Sheet, content
from tapisvert.engine.sheet_file import keys, with_changes
from tapisvert.games.casino_stud.sheet import CasinoStud
from tapisvert.games.registry import current
from tapisvert.ranking.standard import CATEGORIES
from tapisvert.sheets import load
from tapisvert.words import catalogue, tell
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py

STUD = "casino-stud"
GRANT = 100_000  # what a guest comes in with
ROWS = """(selector) => [...document.querySelectorAll(selector)].map((table) => [
  table.caption.textContent,
  [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent))])"""


class Variant(NamedTuple):
    """A sheet and a round with it."""

    sheet: Sheet
    first: str  # the cards the deck begins with
    stakes: dict[str, int]


def sheet(play: str, bonus: str, **changes: object) -> Sheet:
    """Return a sheet with other odds, strongest row first, and other figures: `__` is a dot."""
    odds = {
        f"{table}.pays.{row}": each
        for table, written in (("play", play), ("bonus", bonus))
        for row, each in zip(reversed(CATEGORIES), written.split(), strict=False)
    }
    figures = {key.replace("__", "."): value for key, value in changes.items()}
    return with_changes(load(STUD), odds | figures)


QUARTERS = sheet(
    "250:1 60:1 30:1 10:1 7:1 13:2 9:2 4:1 2:1 6:5",
    "2000:1 300:1 150:1 25:1 18:1 11:1 9:1",
    step_cents=250, void_after_s=3 * 86_400, house__qualifies_with=["A"],
    spots__ante__min_cents=250, spots__ante__max_cents=7_500,
    spots__bonus__min_cents=500, spots__bonus__max_cents=500,
    ante__pays="3:2", play__times_ante=3, published__main="96.5", published__bonus="88.125",
    caps_cents__ante=4_000, caps_cents__play=15_050, caps_cents__bonus=1_000_500,
)  # fmt: skip
TENS = sheet(
    "90:1 45:1 19:1 8:1 6:1 5:1 4:1 3:1 3:2 1:2",
    "500:1 111:1 55:1 22:1 14:1 9:1 6:1",
    step_cents=1_000, void_after_s=7_200, house__qualifies_with=["K", "Q", "J"],
    spots__ante__min_cents=1_000, spots__ante__max_cents=500_000,
    spots__bonus__min_cents=2_000, spots__bonus__max_cents=300_000,
    ante__pays="2:1", play__times_ante=1, published__main="99.01", published__bonus="70",
    caps_cents__round=15_000,
)  # fmt: skip
VARIANTS = {
    # A pair of kings against ace-king, the caps of ante and play both bite.
    "by 2.50": Variant(QUARTERS, PLAYER_WINS, {"ante": 2_250, "bonus": 500}),
    # Queen high does not qualify, and the cap of the round bites; the bonus has three of a kind.
    "by 10": Variant(TENS, "Qh Qd 7c 4s 2d Qc Js 9h 8d 3c", {"ante": 1_000, "bonus": 2_000}),
}
TYPED = {  # some of it typed out, for the expectations themselves
    ("by 2.50", "fr"): "pour 3 fois votre départ|250 : 1|75,00 $|attend 3 jours|88,125 %",
    ("by 2.50", "en"): "for 3 times your ante|250:1|$75.00|waits 3 days|88.125%",
    ("by 10", "fr"): "avec roi, dame, valet ou mieux|1 : 2|5 000,00 $|attend 2 heures|99,01 %",
    ("by 10", "en"): "with king-queen-jack or better|1:2|$5,000.00|waits 2 hours|99.01%",
}
every_variant = pytest.mark.parametrize("name", first_of(VARIANTS, "by 2.50"))
both = pytest.mark.parametrize("language", ["fr", "en"])


class Said:
    """Expected texts of a variant in a language, as the server writes them."""

    def __init__(self, name: str, language: Language) -> None:
        self.sheet, self.first, self.stakes = VARIANTS[name]
        self.words = catalogue(language)
        self.figures = dict(keys(self.sheet))
        self.plain = content(self.sheet)

    def __call__(self, key: str, **args: Any) -> str:
        return plain(self.words.write(key, {**self.figures, **args}, STUD))

    def money(self, cents: int) -> str:
        return plain(self.words.money(cents))

    def signed(self, cents: int) -> str:
        return ("+" if cents > 0 else "−" if cents else "") + self.money(abs(cents))

    def odds(self, odds: str) -> str:
        return plain(self.words.odds(odds))

    def percent(self, figure: str) -> str:
        written = self.figures[figure].replace(".", self("money.decimal"))
        return self("percent.format", value=written)

    def pay_tables(self) -> list[Any]:
        return [
            [self("pays.title", bet=bet), [[self(f"row.{row}"), self.odds(o)] for row, o in pays]]
            for bet in ("play", "bonus")
            for pays in [self.plain[bet]["pays"].items()]
        ]

    def limits(self) -> list[Any]:
        spots, caps = self.sheet.spots.items(), self.sheet.caps_cents.items()
        amounts = [(bet, (s.min_cents, s.max_cents, self.sheet.step_cents)) for bet, s in spots]
        limits = [[self(f"bet.{bet}"), *map(self.money, three)] for bet, three in amounts]
        ante, times = self.sheet.spots["ante"], self.figures["play.times_ante"]
        play = (self.money(cents * times) for cents in (ante.min_cents, ante.max_cents))
        limits.append([self("bet.play"), *play, self("help.times", times=[times], bet="ante")])
        names = {bet: self("caps.round" if bet == "round" else f"bet.{bet}") for bet, _ in caps}
        most = [[names[bet], self.money(cents)] for bet, cents in caps]
        return [[self("limits.title"), limits], [self("caps.title"), most]]

    def returns(self) -> list[str]:
        """Return the published returns of the sheet, as text."""
        main, bonus = self.percent("published.main"), self.percent("published.bonus")
        return [self("returns.main"), main, self("bet.bonus"), bonus]


def tables(page: Page, selector: str) -> Any:
    """Return the tables of the page: their captions, and their rows."""
    found = page.evaluate(ROWS, selector)
    return [[plain(c), [[plain(cell) for cell in row] for row in rows]] for c, rows in found]


def texts(page: Page, selector: str) -> list[str]:
    return [plain(text) for text in page.locator(selector).all_text_contents()]


@both
@every_variant
def test_lobby_help_and_table_tell_the_figures_of_the_sheet(
    house: Served, visit: Visiting, name: str, language: Language
) -> None:
    said = Said(name, language)
    house.sheets[STUD] = said.sheet
    page = visit(house.url, language=language).page
    spots = said.sheet.spots.values()
    least, most = min(s.min_cents for s in spots), max(s.max_cents for s in spots)
    page.wait_for_selector(DOOR)
    assert texts(page, f"{DOOR} .about > p") == [said("about")]
    assert texts(page, f"{DOOR} dd")[0] == said("lobby.range", min=least, max=most)
    assert texts(page, f"{DOOR} dt, {DOOR} dd")[2:] == said.returns()
    page.locator(DOOR).click()
    page.get_by_role("button", name=said("panel.help"), exact=True).click()
    page.wait_for_selector("dialog[open] .rules")
    assert texts(page, ".rules li") == [said(f"help.{line}") for line in range(1, 7)]
    flat = said("pays.flat", bet="ante", odds=said.figures["ante.pays"])
    assert flat in texts(page, ".part > p")
    assert tables(page, "dialog .pays") == said.pay_tables()
    assert tables(page, "dialog table.plain") == said.limits()
    assert texts(page, "dialog .figures dt, dialog .figures dd") == said.returns()
    count, unit = {"by 2.50": (3, "days"), "by 10": (2, "hours")}[name]
    delay = said(f"duration.{unit}", count=count)
    assert said("notices.void", delay=delay) in texts(page, ".notices li")
    (told,) = texts(page, "dialog[open]")
    assert [typed for typed in TYPED[name, language].split("|") if typed not in told] == []
    page.keyboard.press("Escape")
    assert tables(page, ".side .pays") == said.pay_tables()
    assert texts(page, ".arc textPath") == [said("felt")]
    assert texts(page, ".spot.play .hint") == [said("spot.play")]
    assert texts(page, ".facts b")[0] == said.percent("published.main")
    page.get_by_role("button", name=said("panel.menu"), exact=True).click()
    page.get_by_role("button", name=said("panel.limits"), exact=True).click()
    page.wait_for_selector("dialog.limits[open]")
    assert tables(page, "dialog table.plain") == said.limits()


@both
@every_variant
def test_chips_and_amounts_keep_to_the_limits_of_the_sheet(
    house: Served, visit: Visiting, name: str, language: Language
) -> None:
    said = Said(name, language)
    page = visit(house.table(sheet=said.sheet), language=language).page
    player, step, ante = Player(page), said.sheet.step_cents, said.sheet.spots["ante"].max_cents
    chips = [chip.get_attribute("aria-label") or "" for chip in page.get_by_role("radio").all()]
    playable = {said("chips.one", cents=cents): cents for cents in range(step, ante + 1, step)}
    assert len(chips) >= 3
    assert texts(page, ".chips .chip") == [short(said, playable[plain(chip)]) for chip in chips]
    page.locator(".chip.other").click()
    for no_chip in ("0", str(step // 200), str((ante + step) // 100), str(step / 100 + 1)):
        page.fill("input[name=amount]", no_chip)
        page.keyboard.press("Enter")
        assert texts(page, "#amount-why") == [said("amount.why", step=step, max=ante)], no_chip
    page.fill("input[name=amount]", short(said, ante))
    page.keyboard.press("Enter")
    assert texts(page, ".chip[aria-checked=true]") == [short(said, ante)]
    player.press(".spot.ante")
    if ante > GRANT:
        assert player.message() == said("bet.no-funds", needed=ante, funds=GRANT)
        return
    player.press(".spot.ante")
    assert player.message() == said("bet.limit", bet="ante", max=ante)
    player.press(".spot.bonus")  # one price, whatever the chip
    price = said.sheet.spots["bonus"].max_cents
    assert texts(page, ".spot .stack") == [short(said, price), short(said, ante)]


def short(said: Said, cents: int) -> str:
    """Format an amount as on a chip: without cents if they are zero."""
    amount = said.money(cents).strip("$ ")
    return amount if cents % 100 else amount[:-3]


@both
@every_variant
def test_a_round_is_asked_settled_and_capped_by_the_figures_of_the_sheet(
    house: Served, visit: Visiting, name: str, language: Language
) -> None:
    said = Said(name, language)
    page = visit(house.table(said.first, sheet=said.sheet), language=language).page
    player = Player(page)
    for bet, cents in said.stakes.items():
        page.locator(".chip.other").click()
        page.fill("input[name=amount]", short(said, cents))
        page.keyboard.press("Enter")
        player.press(f".spot.{bet}")
    player.deal()
    deck = deck_of(said.first)
    played = replay(current(STUD).script, said.sheet, deck, said.stakes, ["play"])
    raised = played.stakes["play"]
    assert isinstance(said.sheet, CasinoStud)
    assert raised == said.sheet.play.times_ante * said.stakes["ante"]
    assert player.message() == said("event.asked.play-or-fold", play=raised)
    lost = said("option.loses", cents=said.stakes["ante"])
    assert texts(page, ".acts .option small") == [said.money(raised), lost]
    player.choose(0)
    settled = [event for event in played.events if isinstance(event, ev.Settled)]
    assert any(line.capped for line in settled)
    check_ledger(page, said, settled)
    ended = played.events[-1]
    assert isinstance(ended, ev.Ended)
    assert player.message() == said("result.win", cents=ended.returned_cents - ended.staked_cents)
    told = [plain(tell(said.words, STUD, e)) for e in played.events if isinstance(e, ev.Said)]
    assert texts(page, ".message small") == told
    lit = [line.row for line in settled if line.row and line.row in said.plain[line.bet]["pays"]]
    reached = [f"{said(f'row.{row}')} {said('pays.reached')}" for row in lit]
    assert texts(page, ".pays .lit th") == reached != []


def check_ledger(page: Page, said: Said, settled: list[ev.Settled]) -> None:
    """Compare the ledger of the page with the lines of the server."""
    for place, line in enumerate(settled):
        row = f".ledger tbody tr >> nth={place} >>"
        bet, why, net = texts(page, f"{row} css=th > span:last-child, td")
        reason = said(f"why.{line.why}", row=line.row)
        gain = said.signed(line.returned_cents - line.staked_cents)
        assert bet == said(f"bet.{line.bet}")
        assert why.startswith(reason)  # or the hand that was counted, which begins with it
        assert f" · {said.odds(line.odds)}" in why if line.odds else " · " not in why
        assert (said("event.capped") in why) is line.capped
        assert net == f"{gain} {said(f'outcome.{line.outcome}')}"
