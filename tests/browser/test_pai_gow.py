"""Fortune Pai Gow Poker in the browser: two of seven cards are picked, by touch or by key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.conftest import Sit
from browser.seats import Seat
from browser.tables import Language, plain
from tiers import long

GAME = "pai-gow"
# A pair of queens and no straight or flush: it stays high, and the two highest others, the joker
# as an ace and the king, go low (the house way, 11). The house has a pair of nines and ace-six.
PLAYER = "Jk Qs Qd 9h 8c 7s Kd"
DECK = PLAYER + "  As 9c 9d 6h 5s 3d 2c"
FLUSH = "As Js 9s 4s Jk Qh 2d  7d 7h 2c 2s Kd 9h 4c"
NOT_ELIGIBLE = "As Ah Ad Ac Jk 9c 4d  Tc 9d 7d 5h 4s 3s 2c"  # its low hand is nine-seven
each_hand = pytest.mark.parametrize(("language", "width"), [("fr", 1280), ("en", 360)])


class Setter(Seat):
    """A player who sets hands."""

    def toggle(self, card: str) -> None:
        self.press(f".zone.player .card >> nth={PLAYER.split().index(card)} >> button")

    def low(self) -> set[str]:
        """Return the cards that are pressed."""
        pressed = self.page.locator(".pickable").evaluate_all(
            "(all) => all.map((card) => card.getAttribute('aria-pressed'))"
        )
        assert set(pressed) <= {"true", "false"}
        cards = zip(PLAYER.split(), pressed, strict=True)
        return {card for card, state in cards if state == "true"}

    def pair(self, low: str, high: str) -> str:
        """Return the preview of both hands."""
        return f"{self.say('set.low', hand=low)} · {self.say('set.high', hand=high)}"

    def ace_king(self) -> str:
        """Return the name of the low hand of joker and king."""
        hand = self.say("hand.high-card", **{"0": "A", "1": "K"})
        return self.say("joker.rank", hand=hand, joker="A")

    def confirm_waits(self, why: str) -> None:
        """Check that no input confirms the set, and that the button gives the reason."""
        button = self.option("confirm")
        expect(button).to_be_disabled()
        assert plain(button.locator("small").inner_text()) == why
        self.page.keyboard.press(self.say("key.confirm"))
        assert self.page.locator("main").get_attribute("data-phase") == "decide"


Seven = Callable[..., Setter]


@pytest.fixture
def seven(sit: Sit) -> Seven:
    """Open the table, bet main and bonus, and deal."""

    def start(deck: str, language: Language = "fr", width: int = 1280) -> Setter:
        player = Setter(sit(deck, GAME, language, width).page, GAME, language)
        player.bet({"main": 10_00, "fortune": 5_00})
        player.deal()
        return player

    return start


@long
@each_hand
def test_pai_5_the_suggestion_is_picked_marked_and_named(
    seven: Seven, language: Language, width: int
) -> None:
    player = seven(DECK, language, width)
    assert player.low() == {"Jk", "Kd"}
    marked = player.page.locator(".pickable.suggested")
    cards = [player.words.card(card) for card in ("Jk", "Kd")]
    told = [f"{card}, {player.say('set.suggested')}" for card in cards]
    assert [plain(each) for each in marked.locator(".vh").all_text_contents()] == told
    queens = player.say("hand.pair", **{"0": "Q"})
    assert player.pair(player.ace_king(), queens) in player.told()
    name = {"fr": "(joker : as)", "en": "(joker: ace)"}[language]
    assert name in player.told()
    expect(player.option("suggested")).to_be_disabled()  # it is picked already
    expect(player.option("confirm")).to_be_enabled()
    assert player.say("set.auto") in player.texts(".acts .option small")  # not always the best


@each_hand
def test_pai_3_cards_are_picked_by_finger_and_by_digit_and_a_third_drops_the_first(
    seven: Seven, language: Language, width: int
) -> None:
    player = seven(DECK, language, width)
    keys = player.page.locator(".pickable").evaluate_all(
        "(all) => all.map((card) => card.getAttribute('aria-keyshortcuts'))"
    )
    assert keys == list("1234567")

    def press(card: str) -> None:
        if width == 1280:
            player.page.keyboard.press(str(PLAYER.split().index(card) + 1))
        else:
            player.toggle(card)

    press("Kd")
    assert player.low() == {"Jk"}
    player.confirm_waits(player.say("set.two"))
    for card, low in (("9h", {"Jk", "9h"}), ("8c", {"9h", "8c"}), ("Kd", {"8c", "Kd"})):
        press(card)
        assert player.low() == low, card
    expect(player.option("confirm")).to_be_enabled()
    king = player.say("hand.high-card", **{"0": "K", "1": "8"})
    assert player.pair(king, player.say("hand.pair", **{"0": "Q"})) in player.told()
    expect(player.page.locator("#polite")).to_contain_text(
        player.words.write("set.low", {"hand": king}, GAME)
    )
    player.press(f".acts [aria-keyshortcuts={player.say('key.suggested')}]")
    assert player.low() == {"Jk", "Kd"}


def test_pai_4_a_set_that_fouls_cannot_be_confirmed_and_the_table_says_why(seven: Seven) -> None:
    player = seven(DECK)
    for card in ("Qs", "Qd"):  # a pair below, an ace above
        player.toggle(card)
    assert player.low() == {"Qs", "Qd"}
    why = player.say("why-not.set/foul")
    player.confirm_waits(why)
    queens, ace = player.say("hand.pair", **{"0": "Q"}), player.ace_king()
    assert f"{player.pair(queens, ace)} {why}" in player.told()
    expect(player.page.locator("#polite")).to_contain_text(why)
    assert player.wallet()["held_cents"] == 15_00


@long
def test_pai_3_a_reload_in_the_middle_of_the_choice_keeps_the_round(seven: Seven) -> None:
    player = seven(DECK)
    cards = player.cards("player")
    player.toggle("9h")
    player.page.reload()
    player.wait("decide")
    assert player.say("resume.open") in player.told()
    assert (player.cards("player"), player.low()) == (cards, {"Jk", "Kd"})
    assert player.wallet() == {"currency": "FUN", "balance_cents": 985_00, "held_cents": 15_00}


@long
@each_hand
def test_pai_8_two_cards_picked_in_the_other_order_are_confirmed_by_letter_or_finger(
    seven: Seven, language: Language, width: int
) -> None:
    player = seven(DECK, language, width)
    for card in ("Jk", "Kd", "Kd", "Jk"):  # both out, then the king first
        player.toggle(card)
    assert player.low() == {"Jk", "Kd"}
    player.keys = width == 1280
    player.take("confirm", "settled")
    assert player.cards("player-low") == [player.words.card(card) for card in ("Jk", "Kd")]
    assert player.text(".zone.player-low .name span:first-child") == player.ace_king()
    assert player.text(".zone.player-high .name span:first-child") == player.say(
        "hand.pair", **{"0": "Q"}
    )
    ace_six = player.say("hand.high-card", **{"0": "A", "1": "6"})
    assert player.text(".zone.house-low .name span:first-child") == ace_six
    assert player.text(".zone.house-high .name span:first-child") == player.say(
        "hand.pair", **{"0": "9"}
    )
    assert player.page.locator(":is(.zone.player, .zone.house)").count() == 0
    assert player.ledger() == player.lines({"main": 10_00, "fortune": -5_00})
    assert player.message() == player.say("result.win", cents=5_00)


@long
def test_pai_6_the_card_a_joker_stands_for_is_named_before_the_set_and_after_it(
    seven: Seven,
) -> None:
    player = seven(FLUSH)
    flush = "flush à l’as (joker : roi de pique)"  # the highest spade that is missing
    assert f"Forte : {flush}" in player.told()
    player.take("confirm", "settled")
    assert player.text(".zone.player-high .name span:first-child") == flush
    assert player.text(".zone.player-low .name span:first-child") == "dame et 2"


@long
def test_pai_9_when_the_house_is_not_eligible_the_stake_is_given_back_and_lies_ready(
    seven: Seven,
) -> None:
    player = seven(NOT_ELIGIBLE)
    player.take("confirm", "settled")
    assert player.say("event.said.house-not-eligible", rank="9") in player.told()
    assert player.say("why.house-not-eligible") in player.text(".ledger")
    # Five aces would have won, nine-four lost; nothing was compared.
    assert player.texts(".mark") == [player.say("mark.push")] * 2
    # The bonus is paid whatever the hands: five aces, 400:1 (pai.10).
    assert player.ledger() == player.lines({"main": 0, "fortune": 2_000_00})
    player.press(".acts [aria-keyshortcuts=X]")
    player.wait("bet")
    assert player.texts(".spot.main .stack, .spot.fortune .stack") == ["10"]
