"""The jackpot's figures, switch, ownership and notices: rows J5 to J8."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from rounds.guest_seat import Seated, read, refusal_of, rows_of
from rounds.house_with_operator import Funded, Operator, findings, open_tables, recorded
from rounds.house_with_pot import (
    CENT,
    GAME,
    PART,
    STAKES,
    START,
    dealt,
    meter,
    played,
    players,
    pot_of,
    potted,
    report,
    stood,
    won_cents,
)
from stores import both_at_length
from tapisvert.engine.sheet_file import with_changes
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.rounds import PlayerService
from tapisvert.sheets import load
from tapisvert.words import LANGUAGES
from words.test_G5_help import help_text

pytestmark = both_at_length


@pytest.fixture
def house(pot_house: PlayerService) -> PlayerService:
    return pot_house


# J5: changes --------------------------------------------------------------------------------------


def test_J5_other_figures_wait_until_the_pot_is_won(house: PlayerService, anne: Operator) -> None:
    first, second = players(house, 2)
    anne.set_jackpot(GAME, reset_cents=3_000_000, contribution="25", reason="new licence")
    played(first, "nothing")
    played(first, "straight-flush")  # takes a tenth and changes nothing
    sheet = load(GAME).hash
    assert first.seat(GAME).sheet_hash == sheet
    assert rows_of(house, "SELECT DISTINCT units FROM contributions") == [(PART,)]
    assert (report(house).next_reset_cents, report(house).next_contribution) == (3_000_000, "1:4")
    before = pot_of(house).units + PART  # the other two are in it since the straight flush
    assert won_cents(played(second, "royal-flush")) == before // CENT
    pot = pot_of(house)
    assert (pot.reset_cents, pot.contribution) == (3_000_000, "1:4")
    assert (pot.next_reset_cents, pot.next_contribution) == (None, None)
    assert pot.units == 3_000_000 * CENT + before % CENT
    seat = first.seat(GAME)  # from now on by a sheet with these figures; the old seat is retired
    changes: dict[str, object] = {"royal.jackpot.reset_cents": 3_000_000}
    changes["royal.jackpot.contribution"] = "1:4"
    assert seat.sheet_hash == with_changes(load(GAME), changes).hash
    played(first, "nothing")
    assert rows_of(house, "SELECT units FROM contributions ORDER BY id DESC LIMIT 1") == [
        (2_500_000,)
    ]
    (event,) = recorded(house, "jackpot_changed")
    assert (event["by"], event["reason"]) == ("anne", "new licence")
    assert event["before"] == {
        **event["after"],
        "next_reset_cents": None,
        "next_contribution": None,
    }


def test_J5_a_new_sheet_with_other_figures_changes_no_pot_that_runs(tmp_path: Path) -> None:
    sheets = {GAME: load(GAME)}
    house = potted(tmp_path / "tapis.db", sheet_of=lambda game: sheets.get(game) or load(game))
    (player,) = players(house, 1)
    sheets[GAME] = with_changes(load(GAME), {"royal.jackpot.contribution": "1:2"})
    played(player, "nothing")
    assert rows_of(house, "SELECT units FROM contributions") == [(PART,)]
    assert player.seat(GAME).sheet_hash == load(GAME).hash
    assert Seated(house).seat(GAME).sheet_hash == sheets[GAME].hash  # the house sheet
    assert findings(house) == ()
    house.store.close()


# J6: closed ---------------------------------------------------------------------------------------


def test_J6_closed_it_is_shown_and_neither_grows_nor_is_won_and_goes_on_as_it_was(
    house: PlayerService, anne: Operator
) -> None:
    first, second = players(house, 2)
    played(first, "nothing")
    anne.stop("jackpot:blackjack", "meter is checked")
    closed = meter(house)
    assert (closed.state, closed.amount_cents) == ("closed", 2_000_020)
    for hand in ("nothing", "royal-flush"):
        refused = refusal_of(partial(dealt, second, hand))
        assert refused.code == "jackpot/closed"
    assert second.purse() == (1_000_000, 0)
    asked = second.asking({"hand-1": 1000, "hand-2": 1000}, GAME, client_seed="royal-flush")
    stood(second, read(second.open(asked)))  # the game itself goes on
    assert won_cents(played(Seated(house), "royal-flush")) == 2_000_000  # and so does play money
    Housekeeping(house).fold()
    assert (meter(house).amount_cents, pot_of(house).units) == (2_000_020, START + PART)
    anne.resume("jackpot:blackjack", "checked")
    assert meter(house) == replace(closed, state="open")
    assert won_cents(dealt(second, "royal-flush")) == (START + 2 * PART) // CENT


def test_J6_a_game_without_a_jackpot_has_none_to_open(house: PlayerService, anne: Operator) -> None:
    for game in ("ultimate", "roulette"):
        refused = refusal_of(partial(anne.open_jackpot, game, "CAD"))
        assert (refused.code, refused.details) == ("jackpot/unknown", {"pot": game})


def test_J6_a_stop_of_the_game_closes_its_pot_too(house: PlayerService, anne: Operator) -> None:
    for scope in ("all", "game:blackjack"):
        anne.stop(scope, "look")
        assert meter(house).state == "closed"
        anne.resume(scope, "looked")
        assert meter(house).state == "open"


def test_J6_a_round_that_is_open_has_settled_its_bet_and_finishes(
    house: PlayerService, anne: Operator
) -> None:
    (player,) = players(house, 1)
    reply = dealt(player, "nothing")
    anne.stop("jackpot:blackjack", "meter is checked")
    assert stood(player, reply).round.state == "settled"


def test_J6_without_a_pot_there_is_no_switch_and_no_bet(tmp_path: Path) -> None:
    house = open_tables(tmp_path / "tapis.db")
    stop = partial(Operator(house).stop, "jackpot:blackjack", "why")
    assert refusal_of(stop).code == "switch/unknown"
    player = Funded(house)
    refused = refusal_of(lambda: player.open(player.asking(STAKES, GAME)))
    assert refused.code == "jackpot/closed"
    house.store.close()


# J7: whose money it is ----------------------------------------------------------------------------


def test_J7_what_players_put_in_is_never_revenue_and_all_of_it_is_accounted_for(
    house: PlayerService,
) -> None:
    first, second = players(house, 2)
    for hand in ("nothing", "nothing", "straight-flush", "nothing", "royal-flush", "nothing"):
        played(first, hand)
        played(second, "nothing")
    Housekeeping(house).fold()
    found = report(house)
    assert found.gathered_units == 12 * PART
    assert found.funded_units == 2 * START  # the start and one reset
    paid = sum(row[0] for row in rows_of(house, "SELECT award_units FROM awards"))
    assert found.awarded_units == paid
    held = found.funded_units + found.gathered_units - paid
    assert held == found.held_units == found.shown_units
    royal = rows_of(
        house,
        "SELECT SUM(CASE WHEN credit = 'house:blackjack' THEN units ELSE -units END)"
        " FROM transfers WHERE bet = 'royal' AND 'house:blackjack' IN (debit, credit)"
        " AND reason <> 'reset'",
    )
    # Twelve stakes of 1.00, no fixed prize: what the house has of them is not the pot's part.
    assert royal == [(12 * (100 * CENT - PART),)]


# J8: what is told ---------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_J8_start_share_ties_and_delay_are_in_the_help_and_come_from_the_figures(
    language: str,
) -> None:
    text = help_text(language, GAME)
    told = {
        "fr": ("20 000,00 $", "20,30843 %", "premier", "30 secondes"),
        "en": ("$20,000.00", "20.30843%", "first", "30 seconds"),
    }[language]
    for each in told:
        assert re.search(re.escape(each), text), each
    assert Fraction(PART, 100 * CENT) == load(GAME).jackpot.contribution  # type: ignore[union-attr]
