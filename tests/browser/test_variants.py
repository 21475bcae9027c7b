"""The unchanged client with other sheets of the other four tables (Casino Stud: test_variant.py).

Expected texts come from the sheet and the server's words; some are typed out to check these.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from browser.conftest import Sit
from browser.seats import Seat
from browser.tables import Language, plain
from browser.turns import ALL
from houses import deck_of
from tapisvert.engine import Claim, Transcript, replay
from tapisvert.engine.sheet import Sheet, content
from tapisvert.engine.sheet_file import keys, with_changes
from tapisvert.games.registry import current
from tapisvert.sheets import load
from tiers import long


class Variant(NamedTuple):
    """A sheet, a round with it, and some expected texts."""

    changes: dict[str, object]
    deck: str
    stakes: dict[str, int]
    choices: tuple[str, ...]
    typed: tuple[str, str]  # in French and in English, parts that stand in its help
    offered: tuple[str, ...]  # the ids of its first question that can be taken


VARIANTS = {
    "pai-gow": Variant(
        {"step_cents": 500, "spots.main.min_cents": 1_000, "spots.main.max_cents": 20_000,
         "spots.fortune.min_cents": 500, "spots.fortune.max_cents": 2_500,
         "main.pays": "6:5", "fortune.pays.full-house": "9:1", "house.not_eligible_with": "T",
         "void_after_s": 7_200, "caps_cents.round": 4_000},
        "Kh Kd Ks 4s 4d 9c 2d  Qh Jd 8s 7s 5d 3c 2h",
        {"main": 1_500, "fortune": 500}, ("4s 4d",),
        ("6 : 5|attend 2 heures|200,00 $|40,00 $", "6:5|waits 2 hours|$200.00|$40.00"), (),
    ),
    "high-card-flush": Variant(
        # The common game: three times the ante with six or seven of a suit.
        {"raise.most_times.flush-6": 3, "raise.most_times.flush-7": 3,
         "flush.pays.flush-6": "100:1", "spots.ante.max_cents": 5_000,
         "house.qualifies_with": ["T"], "raise.pays": "2:1"},
        "Ah Jh 9h 6h 3h 2h 4c  Ks Qs Ts 9d 8d 3c 2d",
        {"ante": 1_000, "flush": 500}, ("raise-3",),
        ("avec 6, 3 fois ; avec 7, 3 fois|100 : 1|50,00 $",
         "with 6, 3 times; with 7, 3 times|100:1|$50.00"),
        ("raise-1", "raise-2", "raise-3", "fold"),
    ),
    "blackjack": Variant(
        {"step_cents": 200, "spots.hand-1.min_cents": 200, "spots.hand-2.min_cents": 200,
         "spots.royal.min_cents": 200, "spots.royal.max_cents": 200, "hand.blackjack_pays": "6:5",
         "house.hits_soft_17": False, "hand.double_after_split": "any",
         "royal.prizes_cents.three-of-a-kind": 800, "royal.jackpot.reset_cents": 3_000_000},
        "8s 8h 8d 5c 9h 8c  3s Td",
        {"hand-1": 1_000, "hand-2": 600, "royal": 200}, ("split", "double", "stand", "stand"),
        ("pour 2,00 $|6 : 5|reste avec un 17 facile|deux cartes quelconques|30 000,00 $|8,00 $",
         "for $2.00|6:5|stands on a soft 17|any two cards|$30,000.00|$8.00"),
        ("hit", "stand", "split"),
    ),
    "ultimate": Variant(
        {"play.before_flop": [2, 4], "play.pays": "3:2", "blind.pays.straight": "2:1",
         "house.opens_with": "three-of-a-kind", "spots.trips.max_cents": 2_500,
         "published.main": "98.5"},
        "Ad Kd 9s 9c  Ks 7d 2d Th 4s",
        {"ante": 1_000, "blind": 1_000, "trips": 500}, ("raise-2",),
        ("3 : 2|98,5 %|2 : 1|25,00 $", "3:2|98.5%|2:1|$25.00"),
        ("check", "raise-2", "raise-4"),
    ),
}  # fmt: skip
BOTH: tuple[Language, ...] = ("fr", "en")
CASES = [(game, each) for game in VARIANTS for each in BOTH]
if not ALL:
    CASES = [(game, BOTH[place % 2]) for place, game in enumerate(VARIANTS)]


def played(sheet: Sheet, variant: Variant, answered: int) -> Transcript:
    """Play the round with the first `answered` choices and the demonstration pot."""

    def bank(claim: Claim) -> int:
        return int(sheet.demonstration_pot_cents * claim.share)

    deck = deck_of(variant.deck, sheet.deck)
    choices = list(variant.choices[:answered])
    return replay(current(sheet.game).script, sheet, deck, variant.stakes, choices, bank=bank)


@long
@pytest.mark.parametrize(("game", "language"), CASES)
def test_help_buttons_limits_and_payment_follow_the_sheet(
    sit: Sit, game: str, language: Language
) -> None:
    variant, sheet = VARIANTS[game], with_changes(load(game), VARIANTS[game].changes)
    seat = sit(variant.deck, game, language, sheet=sheet)
    check_help(seat, sheet, variant.typed[BOTH.index(language)])
    check_limits(seat, sheet)
    seat.lay(variant.stakes)
    for answered in range(len(variant.choices) + 1):
        then = "settled" if answered == len(variant.choices) else "decide"
        if answered:
            seat.answer(variant.choices[answered - 1], then)
        else:
            seat.deal(then)
            free = [seat.say(f"key.{id}") for id in variant.offered]
            enabled = seat.page.locator(".acts .option:enabled")
            letters = [each.get_attribute("aria-keyshortcuts") for each in enabled.all()]
            assert letters == free or game == "pai-gow"
        check_costs(seat, played(sheet, variant, answered))
    end = played(sheet, variant, len(variant.choices))
    nets = {line.bet: line.returned_cents - line.staked_cents for line in end.lines.values()}
    assert seat.ledger() == seat.lines(nets)
    net = sum(nets.values())
    assert net != 0
    assert seat.message() == seat.say(f"result.{'win' if net > 0 else 'loss'}", cents=abs(net))


def check_help(seat: Seat, sheet: Sheet, typed: str) -> None:
    """Compare the help with the sheet: rules, prices, and the typed texts."""
    seat.press("header nav .ico >> nth=1")
    seat.page.wait_for_selector("dialog.help[open] .notices")
    figures = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in keys(sheet)
    }
    lines = sorted(key for key in seat.words.templates if key.startswith(f"{seat.game}.help."))
    assert seat.texts(".rules li") == [seat.say(key, **figures) for key in lines]
    told = seat.text("dialog.help")
    assert [part for part in typed.split("|") if part not in told] == []
    for bet, part in content(sheet).items():
        pays = part.get("pays") if isinstance(part, dict) else None
        for row, odds in (pays if isinstance(pays, dict) else {}).items():
            price = plain(seat.words.odds(odds))
            assert re.search(re.escape(f"{seat.say(f'row.{row}')} {price}"), told), (bet, row)
    # These figures have no proof: the page says so, and shows none as proved.
    assert seat.say("notices.unproved") in told or seat.page.locator(".proved tr").count() > 1
    seat.page.keyboard.press("Escape")
    seat.page.wait_for_selector("dialog", state="detached")


def check_limits(seat: Seat, sheet: Sheet) -> None:
    """Compare chips and limits with the sheet."""
    most = max(spot.max_cents for spot in sheet.spots.values())
    labels = [
        seat.say("chips.one", cents=c) for c in range(sheet.step_cents, most + 1, sheet.step_cents)
    ]
    chips = [
        plain(each.get_attribute("aria-label") or "")
        for each in seat.page.locator(".chips .chip").all()
    ]
    assert len(chips) >= 2
    assert set(chips) <= set(labels)
    spot = next(iter(sheet.spots))
    seat.lay({spot: sheet.spots[spot].max_cents})
    seat.press(f"button.spot.{spot}")
    assert seat.message() == seat.say("bet.limit", bet=spot, max=sheet.spots[spot].max_cents)
    seat.press(".acts [aria-keyshortcuts=X]")


def check_costs(seat: Seat, so_far: Transcript) -> None:
    """Compare the amounts on the buttons with the script's options."""
    asked = so_far.waiting
    if asked is None or seat.game == "pai-gow":
        return
    assert not isinstance(asked, Claim)
    lost = sum(so_far.stakes.get(bet, 0) for bet in ("ante", "blind"))
    costs = [
        seat.money(each.stake_cents) if each.stake_cents else seat.say("option.loses", cents=lost)
        for each in asked.options
        if each.why_not is None and (each.stake_cents or each.id == "fold")
    ]
    assert seat.texts(".acts .option:enabled small") == costs
