"""A whole round of each of the five games: accessibility tree, keyboard, result, replay."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from browser.asking import FELT, LOOK
from browser.conftest import Sit
from browser.seats import ROUNDS, Seat
from browser.served import Served
from browser.tables import GAMES, Language, axe, plain
from browser.turns import first_of
from browser.ways import WIDTHS, narrower
from tapisvert.dealing import shuffle as honest_shuffle
from tapisvert.engine import events as ev
from tapisvert.engine.sheet_file import keys
from tapisvert.sheets import load
from tapisvert.words import catalogue, tell

DESK, PHONE = 1280, 360
TOLD = Path(__file__).parent / "told"  # the accessibility tree of every state of a round
GRANT = 1_000_00
every_game = pytest.mark.parametrize("game", GAMES)


def latest(seat: Seat, path: str = "") -> dict[str, Any]:
    """Fetch this guest's last round from the house."""
    newest = seat.ask("/rounds")["rounds"][0]["id"]
    found: dict[str, Any] = seat.ask(f"/rounds/{newest}{path}")
    return found


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", ["fr", "en"])
@every_game
def test_in_every_phase_axe_is_silent_nothing_is_cut_and_targets_are_large(
    sit: Sit, game: str, language: Language, width: int
) -> None:
    seat = sit(ROUNDS[game].deck, game, language, width)
    page, heard, found = seat.page, set[str](), dict[str, list[str]]()
    told: list[str] = []

    def look(state: str) -> None:
        if state != "help":
            told.append(f"# {state}\n{lines(page)}\n")
        phase = " ".join([state.split()[0], *shortcuts(page)])
        faults = [*page.evaluate(LOOK, True), *page.evaluate(FELT), *narrower(page)]
        if phase not in heard:  # axe has nothing new to say of the same buttons
            faults += axe(page)
        heard.add(phase)
        for fault in faults:
            found.setdefault(plain(fault), []).append(state)

    look("bet, empty")
    read_help(seat)
    look("help")
    page.keyboard.press("Escape")
    for state in seat.play(ROUNDS[game]):
        look(state)
    assert not found, "\n".join(f"{fault} [{'; '.join(where)}]" for fault, where in found.items())
    if width == DESK:
        as_kept(f"{game}-{language}", "\n".join(told))


def lines(page: Page) -> str:
    """Return the accessibility tree of the felt and the rail, without random values."""
    trees = [page.locator(part).aria_snapshot() for part in (".felt", ".rail")]
    told = re.sub(r"[^\S\n]", " ", "\n".join(trees))
    return re.sub(r"[0-9a-f]{8}…|\b[0-9a-f]{32}\b", "…", told)


def as_kept(name: str, told: str) -> None:
    """Compare the accessibility tree with the approved file (`make told` rewrites it)."""
    file = TOLD / f"{name}.txt"
    if os.environ.get("TAPIS_TOLD") == "write":
        file.write_text(told, encoding="utf-8")
    assert told.splitlines() == file.read_text(encoding="utf-8").splitlines()


def read_help(seat: Seat) -> None:
    """Check that help has the rules with the figures of the table's sheet."""
    seat.press("header nav .ico >> nth=1")
    seat.page.wait_for_selector("dialog.help[open] .rules")
    figures = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in keys(load(seat.game))
    }
    lines = [key for key in seat.words.templates if key.startswith(f"{seat.game}.help.")]
    assert seat.texts(".rules li") == [seat.say(key, **figures) for key in sorted(lines)]


@pytest.mark.parametrize("game", first_of(GAMES, "casino-stud"))
def test_a_round_by_keys_alone_is_settled_by_the_rules_and_told_again(
    sit: Sit, house: Served, game: str
) -> None:
    seat = sit(ROUNDS[game].deck, game, keys=True)
    page, taken, deciding = seat.page, set("IFGLM?"), set[str]()
    for state in seat.play(ROUNDS[game]):
        letters = shortcuts(page)
        assert len(set(letters)) == len(letters)
        (deciding if state.startswith("decide") else taken).update(letters)
        if state.startswith("decide"):  # the focus is where the next act is, and Space is no act
            expect(page.locator(".acts .option:enabled").first).to_be_focused()
            page.keyboard.press(" ")
    assert taken >= {"Space", *"ZXBR"}
    assert deciding & taken == set()  # ADR 13: no key is both a decision and a bet
    check_end(seat)
    page.keyboard.press("R")
    seat.wait("bet")
    total = sum(ROUNDS[game].laid.values())
    assert seat.figures()[seat.say("hud.bet")] == seat.money(total)
    replay(seat, house)


def check_end(seat: Seat) -> None:
    """Compare the result with the rules and with the house's records."""
    returned, told = ROUNDS[seat.game].returned, latest(seat)["round"]
    staked = {event["bet"]: event["cents"] for event in told["events"] if event["kind"] == "staked"}
    assert staked.items() >= ROUNDS[seat.game].laid.items()
    assert seat.ledger() == seat.lines({b: cents - staked[b] for b, cents in returned.items()})
    net = sum(returned.values()) - sum(staked.values())
    assert seat.message() == seat.say("result.win", cents=net)
    assert seat.wallet()["balance_cents"] == GRANT + net
    assert seat.figures() == {
        seat.say("hud.balance"): seat.money(GRANT + net),
        seat.say("hud.bet"): seat.money(sum(staked.values())),
        seat.say("hud.win"): seat.money(sum(returned.values())),
    }


def replay(seat: Seat, house: Served) -> None:
    """Step through the replay: each step's text and table must match its events."""
    page, words = seat.page, catalogue("fr")
    told = latest(seat)["round"]
    events = msgspec.convert(told["events"], list[ev.AnyEvent])
    sentences = [plain(tell(words, seat.game, event)) for event in events]
    page.goto(f"{house.url}/r/{told['id']}")
    page.wait_for_selector(".story")
    assert seat.texts(".story li") == sentences
    assert axe(page) == []
    assert page.evaluate(LOOK, False) == []
    for place in range(len(events), 0, -1):
        assert seat.text(".steps output") == f"{place} / {len(events)}"
        assert seat.text(".felt .message") == sentences[place - 1]
        assert page.locator(".card:not(.deck *)").count() == cards_after(events[:place])
        page.keyboard.press("ArrowLeft")
    assert seat.text(".felt .message") == seat.say("replay.start")


def cards_after(events: list[ev.AnyEvent]) -> int:
    """Return the number of cards on the table."""
    return sum(len(event.cards) for event in events if isinstance(event, ev.Dealt))


@pytest.mark.parametrize("game", first_of(["pai-gow", "blackjack"]))
def test_the_browser_verifies_the_deal_of_every_deck(sit: Sit, house: Served, game: str) -> None:
    house.shuffle = honest_shuffle
    seat = sit(game=game)
    page = seat.page
    seat.press(".spot >> nth=0")
    seat.press(".acts .primary")
    decide = page.locator("main[data-phase=decide][data-ready]")
    done = page.locator("main[data-phase=settled][data-ready]")
    while decide.or_(done).first.get_attribute("data-phase") == "decide":
        keys = {"pai-gow": ["confirm"], "blackjack": ["decline", "stand"]}[game]
        letters = [seat.say(f"key.{key}") for key in keys]
        page.keyboard.press(next(each for each in letters if each in shortcuts(page)))
        page.wait_for_selector("main[data-ready]")
    proof = latest(seat, "/proof")
    page.goto(f"{house.url}/fair/{proof['round_id']}")
    page.wait_for_selector(".checks")
    assert seat.text(".fair .message") == seat.say("fair.true")
    assert page.locator(".checks .ok").count() == 4
    cards = [seat.words.card(card) for card in proof["deck"]]
    assert seat.texts(".deck .card .vh") == cards
    assert len(cards) == (53 if game == "pai-gow" else 52)
    assert ("joker" in cards) == (game == "pai-gow")


def shortcuts(page: Page) -> list[str]:
    """Return the keys of the buttons under the table."""
    found: list[str] = page.locator(".acts [aria-keyshortcuts]").evaluate_all(
        "(all) => all.map((button) => button.getAttribute('aria-keyshortcuts'))"
    )
    return found
