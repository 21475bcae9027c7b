"""Blackjack Royal Poker in the browser: up to four hands, bets that end early, the jackpot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import expect

from browser.asking import FELT
from browser.conftest import Sit, Visiting
from browser.seats import ROUNDS, Seat
from browser.served import Served
from browser.tables import Language, plain
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py

GAME = "blackjack"
ALL = ROUNDS[GAME]
Button = tuple[str, str, bool]  # what it says, its price or why it is forbidden, whether it works


class Jack(Seat):
    """A player at the table of this module."""

    def buttons(self) -> list[Button]:
        """Return the decision buttons: text, price or reason, and whether enabled."""
        found = self.page.locator(".acts .option").evaluate_all(
            """(all) => all.map((button) => {
              const [label, small] = ['span', 'small'].map((part) => button.querySelector(part));
              const own = [...label.childNodes].filter((node) => node.nodeName === '#text');
              const note = small?.textContent ?? '';
              return [own.map((node) => node.data).join(''), note, !button.disabled];
            })"""
        )
        return [(plain(name), plain(note), works) for name, note, works in found]

    def button(self, option: str, cents: int = 0, why: str = "") -> Button:
        price = self.money(cents) if cents else ""
        return self.say(f"option.{option}"), self.say(f"why-not.{why}") if why else price, not why

    def active(self) -> list[str]:
        """Return the hands marked as active."""
        found: list[str] = self.page.locator(".zone.active").evaluate_all(
            "(all) => all.map((zone) => zone.classList[1])"
        )
        return found

    def spots(self) -> dict[str, str]:
        """Return the content of each spot: chips, or the result."""
        found: dict[str, str] = self.page.evaluate(
            "() => Object.fromEntries([...document.querySelectorAll('.spot')].map((spot) => ["
            "spot.classList[1], spot.querySelector('.ring').textContent]))"
        )
        return {bet: text for bet, each in found.items() if (text := plain(each))}

    def hands(self) -> dict[str, list[str]]:
        """Return the cards of every hand on the table."""
        zones: list[str] = self.page.locator(".zone").evaluate_all(
            "(all) => all.map((zone) => zone.classList[1])"
        )
        return {zone: self.cards(zone) for zone in zones}

    def names(self, **written: str) -> dict[str, list[str]]:
        """Return the accessible names of cards; "?" is a card face down."""
        return {
            zone.replace("_", "-"): [
                self.words.card(None if card == "?" else card) for card in cards.split()
            ]
            for zone, cards in written.items()
        }

    def state(self) -> list[Any]:
        return [self.buttons(), self.active(), self.spots(), self.hands()]


Seated = Callable[..., Jack]


@pytest.fixture
def seated(sit: Sit) -> Seated:
    """Open the Blackjack table."""

    def start(deck: str | None, language: Language = "fr", width: int = 1280) -> Jack:
        return Jack(sit(deck, GAME, language, width).page, GAME, language)

    return start


class Step(NamedTuple):
    """The expected table at a question, by the rules."""

    hand: str
    buttons: list[Button]
    spots: dict[str, int]  # chips that lie there, in dollars
    cards: dict[str, str]


def steps(jack: Jack) -> list[Step]:
    """Return the questions of the round in which everything is insured, split and doubled."""
    ask = jack.button
    free = [ask("hit"), ask("stand")]
    first = {"hand_1": "8s 8h", "hand_2": "8d 8c"}
    one = {"hand_1": "8s 3s", "split_1": "8h", "hand_2": "8d 8c"}
    two = {"hand_1": "8s 3s Td", "split_1": "8h 2h", "hand_2": "8d 8c"}
    done = {"hand_1": "8s 3s Td", "split_1": "8h 2h 9d"}
    three = {**done, "hand_2": "8d 3d", "split_2": "8c"}
    four = {**done, "hand_2": "8d 3d Kc", "split_2": "8c 2c"}
    ten, once = ask("double", why="double/not-10-or-11"), ask("split", why="split/once")
    stakes = {"hand-1": 10, "hand-2": 20}
    split_1 = {**stakes, "split-1": 10}
    doubled = {**split_1, "double-1": 10, "double-1b": 10}
    split_2 = {**doubled, "split-2": 20}
    return [
        Step("hand-1", [ask("insure", 5_00), ask("decline")], stakes, first),
        Step("hand-2", [ask("insure", 10_00), ask("decline")], {**stakes, "insurance-1": 5}, first),
        Step("hand-1", [*free, ten, ask("split", 10_00)], stakes, first),
        Step("hand-1", [*free, ask("double", 10_00), once], split_1, one),
        Step("split-1", [*free, ask("double", 10_00), once], {**split_1, "double-1": 10}, two),
        Step("hand-2", [*free, ten, ask("split", 20_00)], doubled, {**done, "hand_2": "8d 8c"}),
        Step("hand-2", [*free, ask("double", 20_00), once], split_2, three),
        Step("split-2", [*free, ask("double", 20_00), once], {**split_2, "double-2": 20}, four),
    ]


@pytest.mark.parametrize(("language", "width"), [("fr", 1280), ("en", 360)])
def test_bj_6_insurance_is_answered_yes_or_no_on_the_hand_it_is_for(
    seated: Seated, language: Language, width: int
) -> None:
    jack = seated(ALL.deck, language, width)
    jack.bet(ALL.stakes)
    jack.deal()
    yes, no = {"fr": ("Oui", "Non"), "en": ("Yes", "No")}[language]
    for hand in ("hand-1", "hand-2"):
        assert [name for name, _, _ in jack.buttons()] == [yes, no]
        assert jack.page.locator(f".zone.{hand}.active .acts .option").count() == 2
        jack.take("decline")
    assert jack.page.locator(".zone .acts").count() == 0
    assert jack.page.locator(".rail .acts .option").count() == 4  # hit, stand, double, split


@pytest.mark.parametrize(("language", "width"), [("fr", 1280), ("en", 360)])
def test_every_hand_insured_split_and_doubled_shows_what_it_may_do_and_what_lies_there(
    seated: Seated, language: Language, width: int
) -> None:
    jack = seated(ALL.deck, language, width)
    jack.bet(ALL.stakes)
    jack.deal()
    gone = {"royal": jack.signed(499_00)}  # four of a kind: 500.00, the stake included (bj.5)
    for place, (step, choice) in enumerate(zip(steps(jack), ALL.choices, strict=True)):
        if place == 2:  # the house has looked: no blackjack (bj.7)
            gone |= {"insurance-1": jack.signed(-5_00), "insurance-2": jack.signed(-10_00)}
        chips = {bet: f"{dollars}" for bet, dollars in step.spots.items()}
        hands = jack.names(house="Ah ?", **step.cards)
        assert jack.state() == [step.buttons, [step.hand], chips | gone, hands], choice
        assert jack.say(f"zone.{step.hand}") in jack.message()
        if place == 4:
            before = jack.state()
            jack.page.reload()
            jack.wait("decide")
            assert jack.state() == before
        jack.take(choice, "decide" if place < 7 else "settled")
    staked = dict.fromkeys(ALL.returned, 10_00) | {"insurance-1": 5_00, "royal": 1_00}
    staked |= dict.fromkeys(("hand-2", "double-2", "split-2", "double-2b"), 20_00)
    nets = {bet: cents - staked[bet] for bet, cents in ALL.returned.items()}
    assert jack.ledger() == jack.lines(nets)
    assert len(nets) == 11
    assert jack.active() == []
    won = jack.page.locator(".zone.won").evaluate_all("(all) => all.map((z) => z.classList[1])")
    assert won == ["hand-1", "hand-2"]  # 21 and 21 against 19; the halves have 19 and 17


def test_bets_that_ended_early_are_told_to_the_ear_as_well(seated: Seated) -> None:
    jack = seated(ALL.deck)
    jack.bet(ALL.stakes)
    jack.deal()
    for choice in ("insure", "decline"):
        jack.take(choice)
    for bet, net in {"royal": 499_00, "insurance-1": -5_00}.items():
        name = jack.words.write("spot.settled", {"bet": bet, "net": jack.signed(net)}, GAME)
        expect(jack.page.get_by_role("group", name=plain(name))).to_be_visible()
    assert jack.say("event.said.no-house-blackjack") in jack.text(".message")


@pytest.mark.parametrize("hand", ["hand-1", "hand-2"])
def test_bj_2_and_6_one_hand_is_played_alone_and_its_blackjack_may_have_even_money(
    seated: Seated, hand: str
) -> None:
    jack = seated("Ah Ks Ad 5c")
    assert jack.page.locator(".zone:is(.hand-1, .hand-2)").count() == 2
    jack.bet({hand: 10_00})
    jack.deal()
    cards = {hand.replace("-", "_"): "Ah Ks"}
    assert jack.hands() == jack.names(house="Ad ?", **cards)  # the other place is not shown
    assert jack.buttons() == [jack.button("even-money"), jack.button("decline")]
    assert jack.active() == [hand]
    assert jack.message() == jack.say("event.asked.even-money", hand=hand)
    jack.keys = True
    jack.take("even-money", "settled")
    assert jack.ledger() == jack.lines({hand: 10_00})
    assert jack.hands() == jack.names(house="Ad 5c", **cards)
    assert jack.say("why.even-money") in jack.text(".ledger tbody td >> nth=0")


ROYAL_FLUSH = "As Ks Qs Js Ts 9c"  # and the first hand is a blackjack, paid 3:2


@pytest.mark.parametrize(("language", "width"), [("fr", 360), ("en", 1280)])
def test_bj_5_the_jackpot_is_a_demonstration_fixed_at_its_start_even_when_it_is_won(
    seated: Seated, language: Language, width: int
) -> None:
    jack = seated(ROYAL_FLUSH, language, width)
    labels = {
        "fr": ["Gros lot de démonstration", "20 000,00 $", "fixe, en argent fictif"],
        "en": ["Demonstration jackpot", "$20,000.00", "fixed, play money"],
    }[language]
    assert jack.texts(".meter > *") == labels
    jack.bet({"hand-1": 10_00, "hand-2": 10_00, "royal": 1_00})
    jack.deal()
    assert jack.page.evaluate(FELT) == []  # the largest win fits in its ring
    assert jack.spots() == {
        "hand-1": jack.signed(15_00),
        "hand-2": "10",
        "royal": jack.signed(19_999_00),
    }
    assert jack.wallet()["balance_cents"] == 1_000_00 - 21_00 + 25_00 + 20_000_00
    jack.take("stand", "settled")
    assert jack.ledger().items() >= jack.lines({"royal": 19_999_00}).items()
    reached = f"{jack.say('row.royal-flush')} {jack.say('pays.reached')}"
    assert jack.text(".pays .lit th") == reached
    jack.press(".acts [aria-keyshortcuts=X]")
    jack.wait("bet")
    assert jack.texts(".meter > *") == labels


def test_bj_2_royal_poker_has_one_price_and_waits_for_both_hands(seated: Seated) -> None:
    jack = seated(None)
    royal = jack.page.locator(".spot.royal")
    for hand, needs in (("hand-1", "hand-1"), ("hand-2", "hand-2")):
        expect(royal).to_be_disabled()
        why = jack.words.write("spot.needs", {"needs": needs}, GAME)
        assert jack.text(".spot.royal .why") == plain(why)
        jack.bet({hand: 25_00})
    expect(royal).to_be_enabled()
    prompt = jack.message()
    jack.press(".spot.royal")  # with the chip of 25 in the hand
    assert jack.spots() == {"hand-1": "25", "hand-2": "25", "royal": "1"}
    assert jack.message() == prompt
    jack.press(".spot.royal")
    assert jack.message() == jack.say("bet.limit", bet="royal", max=1_00)
    jack.page.keyboard.press("B")
    assert jack.spots() == {"hand-1": "50", "hand-2": "50", "royal": "1"}
    for _ in range(2):
        jack.page.locator(".spot.hand-1").click(button="right")
    assert jack.spots() == {"hand-2": "50"}
    expect(royal).to_be_disabled()
    expect(jack.page.locator(".acts .primary")).to_be_enabled()  # the second hand alone is played


def test_a_choice_that_another_tab_made_is_told_and_the_next_question_is_shown(
    house: Served, visit: Visiting
) -> None:
    made = visit(house.table("5h 4s 7d Tc 2c 9d", GAME), language="fr")
    made.may_fail("/choices")
    second = made.page.context.new_page()
    second.goto(made.page.url)
    jack, other = Jack(made.page, GAME), Jack(second, GAME)
    jack.bet({"hand-1": 10_00})
    jack.deal()
    other.page.reload()
    other.wait("decide")
    jack.take("hit")  # 5-4-2 is asked again
    other.option("stand").click()
    expect(other.page.locator(".message")).to_contain_text(other.say("error.round/stale_step"))
    other.wait("decide")
    assert other.state() == jack.state()
    assert other.cards("hand-1") == jack.names(hand="5h 4s 2c")["hand"]
    other.take("stand", "settled")
