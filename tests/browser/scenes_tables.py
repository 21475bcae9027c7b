"""Screenshot scenes of every phase of the five tables."""

from __future__ import annotations

from functools import partial

from playwright.sync_api import Page

from browser.pictures import Here, Scene, Steps, desk, phone
from browser.seats import ROUNDS, Seat
from houses import HOUSE_WINS, ROYAL

NOT_QUALIFIED = "9h 9d 7c 4s 2d Qc Js 8h 6d 3c"
PAI_GOW = "Jk Qs Qd 9h 8c 7s Kd  As 9c 9d 6h 5s 3d 2c"
NOT_ELIGIBLE = "Jk Qs Qd 9h 8c 7s Kd  Jc 9c 8d 6h 5s 3d 2c"
FLUSH = "Kd Qd 9d 4d As 6c 2h  Th 8h 3h Js 7c 5s 2d"
BLACKJACK = "8s 8h 6d 5c Ah 9c  3s Td 2h 9d Kc 7d"
ULTIMATE = "Ad Kd 9s 9c  Ks 7d 2d  Th 4s"


def sit(page: Page, here: Here, game: str = "casino-stud") -> None:
    """Open a table and wait until it takes bets."""
    page.goto(f"{here.url}/table/{game}")
    page.wait_for_selector("[data-phase=bet][data-ready]")


def seat_of(page: Page, game: str) -> Seat:
    return Seat(page, game, page.evaluate("document.documentElement.lang"))


def bet(page: Page, here: Here, game: str, stakes: str) -> None:
    """Place chips on spots; the first is pressed twice."""
    sit(page, here, game)
    first = stakes.split()[0]
    for spot in (first, *stakes.split()):
        page.click(f".spot.{spot}")


def play(page: Page, here: Here, game: str, stakes: str, choices: str = "") -> None:
    """Bet, deal, and decide, up to the next question or the end."""
    bet(page, here, game, stakes)
    seat = seat_of(page, game)
    page.click(".acts .primary")
    for choice in choices.split():
        seat.wait("decide")
        seat.option(choice).click()
    page.wait_for_selector(":is([data-phase=decide], [data-phase=settled])[data-ready]")


def at(game: str, stakes: str, choices: str = "") -> Steps:
    return partial(play, game=game, stakes=stakes, choices=choices)


def whole(game: str, choices: int) -> Steps:
    """Return the steps through the known round of a game, up to a question."""

    def steps(page: Page, here: Here) -> None:
        sit(page, here, game)
        seat, known = seat_of(page, game), ROUNDS[game]
        seat.bet(known.stakes)
        seat.deal()
        for choice in known.choices[:choices]:
            seat.take(choice)

    return steps


def moving(game: str, stakes: str, choice: str = "", pause_ms: int = 420) -> Steps:
    """Return the steps to an animation: during a slow deal, or after a choice."""

    def steps(page: Page, here: Here) -> None:
        page.emulate_media(reduced_motion="no-preference")
        page.add_init_script("localStorage.setItem('settings', '{\"speed\": \"slow\"}')")
        bet(page, here, game, stakes)
        seat = seat_of(page, game)
        page.click(".acts .primary")
        if choice:
            seat.wait("decide")
            seat.option(choice).click()
        page.wait_for_timeout(pause_ms)

    return steps


def taking(game: str, stakes: str) -> Steps:
    return partial(bet, game=game, stakes=stakes)


STUD, FULL = "casino-stud", "ante bonus"
STUD_SCENES = (
    Scene("stud-bet-empty", sit),
    Scene("stud-bet", taking(STUD, FULL)),
    Scene("stud-dealing", moving(STUD, FULL)),
    Scene("stud-decide", at(STUD, FULL)),
    Scene("stud-reveal", moving(STUD, FULL, "play", 330)),
    Scene("stud-won", at(STUD, FULL, "play"), alone=(phone("en"),)),
    Scene("stud-lost", at(STUD, FULL, "play"), HOUSE_WINS),
    Scene("stud-house-does-not-qualify", at(STUD, FULL, "play"), NOT_QUALIFIED),
    Scene("stud-folded", at(STUD, FULL, "fold"), HOUSE_WINS),
    Scene("stud-royal-cannot-fold", at(STUD, FULL), ROYAL),
    Scene("stud-royal-paid", at(STUD, FULL, "play"), ROYAL),
)

MAIN = "main fortune"
PAI_GOW_SCENES = (
    Scene("pai-gow-bet", taking("pai-gow", MAIN), PAI_GOW),
    Scene("pai-gow-dealing", moving("pai-gow", MAIN), PAI_GOW),
    Scene("pai-gow-decide", at("pai-gow", MAIN), PAI_GOW, alone=(desk("fr"),)),
    Scene("pai-gow-reveal", moving("pai-gow", MAIN, "confirm", 330), PAI_GOW),
    Scene("pai-gow-settled", at("pai-gow", MAIN, "confirm"), PAI_GOW),
    Scene("pai-gow-royal", at("pai-gow", MAIN, "confirm"), ROUNDS["pai-gow"].deck),
    Scene("pai-gow-house-not-eligible", at("pai-gow", MAIN, "confirm"), NOT_ELIGIBLE),
)

ANTE = "ante flush straight-flush"
FLUSH_SCENES = (
    Scene("flush-bet", taking("high-card-flush", ANTE), FLUSH),
    Scene("flush-dealing", moving("high-card-flush", ANTE), FLUSH),
    Scene("flush-decide", at("high-card-flush", ANTE), FLUSH),
    Scene("flush-reveal", moving("high-card-flush", ANTE, "raise-1", 330), FLUSH),
    Scene("flush-settled", at("high-card-flush", ANTE, "raise-1"), FLUSH),
    Scene("flush-folded", at("high-card-flush", ANTE, "fold"), FLUSH),
    Scene("flush-six", at("high-card-flush", ANTE, "raise-2"), ROUNDS["high-card-flush"].deck),
)

HANDS = "hand-1 hand-2 royal"
EIGHTS = ROUNDS["blackjack"].deck
BLACKJACK_SCENES = (
    Scene("blackjack-bet", taking("blackjack", HANDS), BLACKJACK),
    Scene("blackjack-dealing", moving("blackjack", HANDS), BLACKJACK),
    Scene("blackjack-insurance", at("blackjack", HANDS), BLACKJACK),
    Scene(
        "blackjack-split",
        at("blackjack", HANDS, "insure decline split"),
        BLACKJACK,
        alone=(phone("en"),),
    ),
    Scene(
        "blackjack-settled",
        at("blackjack", HANDS, "insure decline split double stand double"),
        BLACKJACK,
    ),
    Scene("blackjack-even-money", at("blackjack", HANDS), "As Kh 9d 8c Ah 6s 5c 4d"),
    Scene("blackjack-four-hands", whole("blackjack", 6), EIGHTS),
    Scene(
        "blackjack-four-settled",
        at("blackjack", HANDS, " ".join(ROUNDS["blackjack"].choices)),
        EIGHTS,
    ),
)

TRIPS = "ante trips"
ULTIMATE_SCENES = (
    Scene("ultimate-bet", taking("ultimate", TRIPS), ULTIMATE),
    Scene("ultimate-dealing", moving("ultimate", TRIPS), ULTIMATE),
    Scene("ultimate-before-the-flop", at("ultimate", TRIPS), ULTIMATE),
    Scene("ultimate-flop", at("ultimate", TRIPS, "check"), ULTIMATE),
    Scene("ultimate-river", at("ultimate", TRIPS, "check check"), ULTIMATE),
    Scene("ultimate-settled", at("ultimate", TRIPS, "check raise-2"), ULTIMATE),
    Scene("ultimate-folded", at("ultimate", TRIPS, "check check fold"), ULTIMATE),
)
