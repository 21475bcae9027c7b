"""Whole rounds of Casino Stud in the browser, compared with a settlement by the rules page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple

import pytest
from playwright.sync_api import Page

from browser.conftest import Sit, Visiting
from browser.served import Served
from browser.tables import Language, Player, plain
from browser.turns import first_of
from browser.ways import WIDTHS
from houses import HOUSE_WINS, PLAYER_WINS, ROYAL
from ranking.naive import CATEGORY_NAMES, naive_rank
from tapisvert.cards import parse_hand
from tapisvert.engine.sheet_file import with_changes
from tapisvert.sheets import load
from tapisvert.words import catalogue
from tiers import long

Choice = Literal["play", "fold"]
GAME = "casino-stud"
START = 1_000_00
RAIL = ("hud.balance", "hud.bet", "hud.win")

# docs/rules/casino-stud.md, stud.10 and stud.13, typed out again; weakest first.
PLAY_PAYS = dict(zip(CATEGORY_NAMES, (1, 1, 2, 3, 4, 5, 7, 20, 50, 100), strict=True))
BONUS_PAYS = dict(zip(CATEGORY_NAMES[3:], (7, 10, 15, 20, 100, 200, 1000), strict=True))
ACE_KING = naive_rank(parse_hand("Ac Kd 4h 3s 2c"))  # stud.8


def write(language: Language, key: str, **args: Any) -> str:
    """Return a text in the server's words; the browser has its own code for it."""
    return plain(catalogue(language).write(key, args, GAME))


def money(language: Language, cents: int) -> str:
    return plain(catalogue(language).money(cents))


def cards_told(language: Language, cards: list[str], hidden: int = 0) -> list[str]:
    return [catalogue(language).card(card) for card in [*cards, *[None] * hidden]]


def name_told(language: Language, cards: Sequence[str]) -> str:
    """Return the name of a hand without a straight."""
    category, ranks = naive_rank(parse_hand(" ".join(cards)))
    args = {str(place): "23456789TJQKA"[rank] for place, rank in enumerate(ranks)}
    return write(language, f"hand.{CATEGORY_NAMES[category]}", **args)


class Line(NamedTuple):
    """The settlement of one bet."""

    bet: str
    why: str
    staked: int
    returned: int
    odds: int | None = None
    capped: bool = False
    counted: tuple[str, ...] = ()  # the cards of the bonus

    def told(self, language: Language) -> tuple[str, str, str, str]:
        """Return the row of the ledger: bet, why with odds, what was won or lost, the outcome."""
        say, net = partial(write, language), self.returned - self.staked
        table = "row" if self.why in CATEGORY_NAMES else "why"
        why = [say(f"{table}.{self.why}")]
        if self.odds is not None:
            why += ["·", plain(catalogue(language).odds(f"{self.odds}:1"))]
        if self.counted and (name := name_told(language, self.counted)).startswith(why[0]):
            why[0] = name  # which says what the row says, and more
        elif self.counted:
            why.append(name_told(language, self.counted))
        if self.capped:
            why.append(say("event.capped"))
        sign = "+" if net > 0 else "−" if net < 0 else ""
        outcome = "won" if net > 0 else "lost" if net < 0 else "returned"
        amount = sign + money(language, abs(net))
        return say(f"bet.{self.bet}"), " ".join(why), amount, say(f"outcome.{outcome}")


@dataclass(frozen=True)
class Round:
    """A round: deck, stakes and decision."""

    deck: str
    choice: Choice = "play"
    ante: int = 10_00
    bonus: int = 0
    bonus_cap: int = 100_100_00

    @property
    def stakes(self) -> dict[str, int]:
        return {"ante": self.ante} | ({"bonus": self.bonus} if self.bonus else {})

    def lines(self) -> Iterator[Line]:
        """Settle the round by docs/rules/casino-stud.md."""
        cards = parse_hand(self.deck)
        mine, theirs = naive_rank(cards[:5]), naive_rank(cards[5:10])
        qualified, played = theirs >= ACE_KING, self.choice == "play"
        even, better = qualified and mine == theirs, qualified and mine > theirs
        why = "tie" if even else "beats-house" if better else "house-wins"
        why = "folded" if not played else why if qualified else "house-not-qualified"
        if played and (better or not qualified):  # stud.9, stud.10
            yield Line("ante", why, self.ante, 2 * self.ante, 1)
        else:  # stud.6, stud.11, stud.12
            yield Line("ante", why, self.ante, played * even * self.ante)
        if self.bonus:  # stud.13, stud.14, stud.15
            row = CATEGORY_NAMES[naive_rank(cards[:6])[0]]
            odds = BONUS_PAYS.get(row)
            brings = 0 if odds is None else (odds + 1) * self.bonus
            kept = min(brings, self.bonus_cap)
            told = "bonus-below-table" if odds is None else row
            six = tuple(self.deck.split()[:6])
            yield Line("bonus", told, self.bonus, kept, odds, kept < brings, six)
        if played:  # stud.5
            stake = 2 * self.ante
            odds = PLAY_PAYS[CATEGORY_NAMES[mine[0]]] if better else None
            brings = (odds + 1) * stake if odds else stake * (even or not qualified)
            yield Line("play", why, stake, brings, odds)


def region(page: Page, name: str) -> tuple[list[str], str]:
    """Return a hand from the accessibility tree: its cards and its name."""
    tree = [plain(row) for row in page.get_by_role("region", name=name).aria_snapshot().split("\n")]
    cards = [row.removeprefix("- listitem: ") for row in tree if row.startswith("- listitem")]
    return cards, "".join(row.partition(": ")[2] for row in tree if "- paragraph:" in row)


def ledger(page: Page) -> list[tuple[str, ...]]:
    rows: list[list[str]] = page.locator(".ledger tbody tr").evaluate_all(
        "(rows) => rows.map((row) => ['th span:last-child', 'td', '.sum b', '.sum span']"
        ".map((part) => row.querySelector(part).textContent))"
    )
    return [tuple(map(plain, row)) for row in rows]


def check_rail(player: Player, language: Language, *amounts: int) -> None:
    figures = zip(RAIL, amounts, strict=True)
    named = {write(language, key): money(language, cents) for key, cents in figures}
    assert player.figures() == named
    assert player.wallet()["balance_cents"] == amounts[0]


def check_decision(player: Player, played: Round, language: Language) -> None:
    """Check the table at the question: five cards, one of the house, the stakes."""
    own, house, say = played.deck.split()[:5], played.deck.split()[5:], partial(write, language)
    told = (cards_told(language, own), name_told(language, own))
    assert region(player.page, say("zone.player")) == told
    told = (cards_told(language, house[:1], hidden=4), "")
    assert region(player.page, say("zone.house")) == told
    assert say("event.asked.play-or-fold", play=2 * played.ante) in player.message()
    staked = sum(played.stakes.values())
    check_rail(player, language, START - staked, staked, 0)


def check_end(player: Player, played: Round, language: Language) -> None:
    """Check the result: cards, names, sentence, ledger, figures and the house's records."""
    house, say = played.deck.split()[5:], partial(write, language)
    lines = list(played.lines())
    staked, returned = sum(line.staked for line in lines), sum(line.returned for line in lines)
    net = returned - staked
    told = (cards_told(language, house), name_told(language, house))
    if played.choice == "fold":
        told = (cards_told(language, house[:1], hidden=4), "")
    assert region(player.page, say("zone.house")) == told
    sentence = say(f"result.{'win' if net > 0 else 'loss' if net < 0 else 'even'}", cents=abs(net))
    assert player.message() == sentence
    needs = say("event.said.house-not-qualified", needs="AK")
    beside = plain(player.page.locator(".message").inner_text())
    assert (needs in beside) == (lines[0].why == "house-not-qualified")
    assert ledger(player.page) == [line.told(language) for line in lines]
    check_rail(player, language, START + net, staked, returned)


def play(page: Page, played: Round, language: Language, *, keys: bool, again: bool) -> None:
    """Play a round to its end and beyond, with checks in every state without animation."""
    page.clock.install()
    player = Player(page, keys=keys)
    player.bet(played.stakes)
    player.deal()
    check_decision(player, played, language)
    # The page has put the focus on the first decision: Enter takes it, as its letter does.
    player.choose(["play", "fold"].index(played.choice), "Enter" if again else None)
    check_end(player, played, language)
    page.clock.fast_forward(120_000)  # two minutes without input
    check_end(player, played, language)
    key = "R" if again else "X"
    page.keyboard.press(key) if keys else player.press(f".acts [aria-keyshortcuts={key}]")
    player.wait("bet")
    total = player.figures()[write(language, "hud.bet")]
    assert total == money(language, sum(played.stakes.values()) if again else 0)


WON, LOST = Round(PLAYER_WINS, bonus=5_00), Round(HOUSE_WINS)
FLUSH = Round("Ah Jh 8h 4h 2h Ac As 9c 8d 3c", bonus=5_00)
THREE_SEVENS = Round("7h 7d 9c 4s 2d 7c Ks Qh 8d 3c", bonus=1_00)  # with the house's card
NOT_QUALIFIED = Round("Kh Kd 7c 4s 2d Qc Js 9h 8d 3c")
TIE = Round("Ah Kd 9c 5s 3d Ac Ks 9h 5d 3c")
BRANCHES: dict[str, tuple[Round, Language, int, Literal["pointer", "keys"]]] = {
    "the house wins": (LOST, "en", 360, "pointer"),
    "the house does not qualify": (NOT_QUALIFIED, "fr", 1280, "keys"),
    "a fold": (replace(LOST, choice="fold"), "fr", 360, "pointer"),
    "a fold whose bonus pays": (replace(THREE_SEVENS, choice="fold"), "en", 1280, "keys"),
    "the bonus pays": (FLUSH, "en", 360, "keys"),
    "a tie": (TIE, "fr", 1280, "pointer"),
    "a royal flush": (Round(ROYAL, bonus=1_00), "en", 1280, "pointer"),
}


@pytest.mark.parametrize("keys", [False, True], ids=["pointer", "keyboard"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_round_is_won(
    house: Served, visit: Visiting, language: Language, width: int, keys: bool
) -> None:
    url = house.table(WON.deck)
    page = visit(url, language=language, width=width).page
    play(page, WON, language, keys=keys, again=(width == 360) == keys)


@pytest.mark.parametrize("branch", first_of(BRANCHES, "a fold whose bonus pays"))
def test_every_other_end_of_a_round(house: Served, visit: Visiting, branch: str) -> None:
    played, language, width, by = BRANCHES[branch]
    url = house.table(played.deck)
    page = visit(url, language=language, width=width).page
    play(page, played, language, keys=by == "keys", again=played.choice == "play")


def test_the_rules_page_says_what_the_rounds_of_this_module_bring() -> None:
    def nets(played: Round) -> list[int]:
        return [(line.returned - line.staked) // 100 for line in played.lines()]

    assert nets(WON) == [10, -5, 20]
    assert nets(FLUSH) == [10, 75, 100]
    assert nets(replace(THREE_SEVENS, choice="fold")) == [-10, 7]
    assert nets(Round(ROYAL, bonus=1_00)) == [10, 1000, 0]
    assert [nets(each) for each in (LOST, NOT_QUALIFIED, TIE)] == [[-10, -20], [10, 0], [0, 0]]


@long
def test_a_cap_that_bites_is_told(house: Served, visit: Visiting) -> None:
    sheet = with_changes(load(GAME), {"caps_cents.bonus": 50_00})
    page = visit(house.table(FLUSH.deck, sheet=sheet), width=360).page
    play(page, replace(FLUSH, bonus_cap=50_00), "fr", keys=False, again=False)


@long
@pytest.mark.parametrize(
    ("language", "why"),
    [
        ("fr", "Une quinte royale ne s’abandonne pas : elle ne peut pas perdre."),
        ("en", "A royal flush cannot be folded: it cannot lose."),
    ],
)
def test_a_royal_flush_cannot_be_folded_and_the_table_says_why(
    sit: Sit, language: Language, why: str
) -> None:
    player = sit(ROYAL, language=language, width=360)
    page = player.page
    player.bet({"ante": 1_00})
    player.deal()
    assert page.locator(".acts .option").nth(1).is_disabled()
    assert why in player.message()
    assert why in plain(page.locator("#polite").inner_text())
    page.keyboard.press("D")
    page.wait_for_timeout(100)
    assert player.wallet()["held_cents"] == 1_00


@long
def test_a_bet_over_the_balance_is_refused(sit: Sit) -> None:
    sheet = with_changes(load(GAME), {"spots.ante.max_cents": 1_000_00})
    player = sit(sheet=sheet, language="en")
    player.bet({"ante": 1_000_00})
    player.press(".spot.bonus")
    assert player.message() == "You would need $1,100.00; you have $1,000.00."
    assert player.figures()["Total bet"] == "$1,000.00"
