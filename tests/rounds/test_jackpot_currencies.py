"""The jackpot in other currencies: prices, prizes and awards at the operator's rate."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from houses import Guest, client_of
from rounds.guest_seat import refusal_of, rows_of
from rounds.house_with_operator import Funded, Operator, findings
from rounds.house_with_pot import (
    CENT,
    GAME,
    PART,
    PRIZES,
    START,
    dealt,
    played,
    pot_of,
    potted,
    stood,
    won_cents,
)
from stores import both_at_length
from tapisvert.games.blackjack.sheet import Blackjack
from tapisvert.history.round_proof import check_proof, proof_of, read_proof
from tapisvert.operations.housekeeping import Housekeeping
from tapisvert.rounds import PlayerService
from tapisvert.sheets import load

pytestmark = both_at_length

RATE = Fraction("1.4700")


def in_euros(cents: int) -> int:
    """Convert cents at the rate, rounded half up, by an independent method."""
    return int(cents / RATE + Fraction(1, 2))


@pytest.fixture
def house(pot_house: PlayerService) -> PlayerService:
    Operator(pot_house).set_rate(GAME, "EUR", "1.4700")
    return pot_house


def test_price_and_prizes_are_shown_and_paid_at_the_rate(tmp_path: Path) -> None:
    house = potted(tmp_path / "tapis.db")
    Operator(house).set_rate(GAME, "EUR", "1.4700")
    euro, dollar = Funded(house, 100_000, "EUR"), Funded(house)
    with client_of(house) as client:
        shown = {
            name: Guest(client, player.token).get(f"/games/{GAME}").json()
            for name, player in (("EUR", euro), ("CAD", dollar))
        }
        public = client.get(f"/api/v1/games/{GAME}").json()
        listed = Guest(client, euro.token).get("/games").json()["games"]
        stranger = Guest(client, "0" * 64).get(f"/games/{GAME}").json()
        assert shown["CAD"] == public == stranger
        assert shown["EUR"] in listed
        spot = shown["EUR"]["spots"][2]
        assert (spot["id"], spot["min"], spot["max"], spot["fixed"]) == ("royal", 68, 68, True)
        prizes = shown["EUR"]["sheet"]["royal"]["prizes_cents"]
        assert prizes == {row: in_euros(cents) for row, cents in PRIZES.items()}
        assert shown["EUR"]["spots"][:2] == public["spots"][:2]  # hands are in anyone's currency
        assert euro.seat(GAME).sheet_hash == shown["EUR"]["sheet_hash"] != public["sheet_hash"]
        for row, cents in prizes.items():
            assert won_cents(played(euro, row, 68)) == cents
        assert refusal_of(lambda: dealt(euro, "nothing", 100)).code == "stake/over_limit"
        assert refusal_of(lambda: dealt(euro, "nothing", 67)).code == "stake/under_limit"
        assert refusal_of(lambda: dealt(dollar, "nothing", 68)).code == "stake/under_limit"
        assert findings(house) == ()


def test_the_part_for_the_pot_is_the_same_from_everyone(house: PlayerService) -> None:
    for player, price in ((Funded(house, 100_000, "EUR"), 68), (Funded(house), 100)):
        played(player, "nothing", price)
    rows = rows_of(house, "SELECT price_cents, units, rate_id FROM contributions ORDER BY id")
    assert rows == [(100, PART, 1), (100, PART, None)]
    Housekeeping(house).fold()
    assert pot_of(house).units == START + 2 * PART


def test_an_award_is_converted_at_the_win_and_proved_by_the_round(house: PlayerService) -> None:
    euro = Funded(house, 100_000, "EUR")
    reply = dealt(euro, "royal-flush", 68)
    assert won_cents(reply) == in_euros(2_000_020) == 1_360_558
    stood(euro, reply)
    paid = rows_of(house, "SELECT award_units, currency, paid_cents, rate_id FROM awards")
    assert paid == [(2_000_020 * CENT, "EUR", 1_360_558, 1)]
    awards = [moved for moved in euro.moved() if moved[0] == "award"]
    assert awards == [("award", "royal", 2_000_020), ("award", "royal", 1_360_558)]  # by way of fx
    proof = euro.ask(lambda desk: proof_of(desk, reply.round.id))
    again = read_proof(msgspec.json.encode(proof), "round.json")
    verdict = check_proof(again, "round.json")
    wrong = {name for name, holds in verdict.checks.items() if not holds}
    assert wrong == {"deck"}  # which was laid out by hand
    assert verdict.transcript.lines["royal"].returned_cents == 1_360_558
    assert pot_of(house).epoch == 2


def test_a_new_rate_retires_the_seat_and_is_the_price_of_the_next(house: PlayerService) -> None:
    euro = Funded(house, 100_000, "EUR")
    asked = euro.asking({"hand-1": 1000, "hand-2": 1000, "royal": 68}, GAME, "nothing")
    Operator(house).set_rate(GAME, "EUR", "1.6000")
    assert refusal_of(lambda: euro.open(asked)).code == "seat/stale"
    seat = euro.seat(GAME)
    assert seat.retired is not None
    assert seat.retired.round_id == asked.round_id
    assert won_cents(played(euro, "flush", 63)) == 3_125  # 62.5 goes up, 50 / 1.6 is whole
    assert rows_of(house, "SELECT rate_id FROM contributions") == [(2,)]


def test_a_currency_without_a_rate_plays_its_hands_and_not_the_bet(house: PlayerService) -> None:
    yen = Funded(house, 100_000, "JPY")
    refused = refusal_of(lambda: dealt(yen, "nothing"))
    assert (refused.code, refused.details["currency"]) == ("jackpot/no_rate", "JPY")
    assert yen.purse() == (100_000, 0)
    yen.open(yen.asking({"hand-1": 1000, "hand-2": 1000}, GAME, "nothing"))


def test_a_price_is_never_nothing(house: PlayerService) -> None:
    Operator(house).set_rate(GAME, "BTC", "90000.00")
    rich = Funded(house, 100_000, "BTC")
    assert won_cents(played(rich, "three-of-a-kind", 1)) == 1  # 0.01 is the least there is
    assert rows_of(house, "SELECT price_cents, units FROM contributions") == [(100, PART)]


@pytest.mark.parametrize(("currency", "price"), [("CAD", 100), ("EUR", 68)])
@pytest.mark.parametrize("spent", [False, True])
def test_a_voided_award_goes_back_into_the_pot_as_it_stands(
    house: PlayerService, currency: str, price: int, spent: bool
) -> None:
    winner, other = Funded(house, 100_000, currency), Funded(house)
    reply = stood(winner, dealt(winner, "royal-flush", price))
    won = won_cents(reply)
    played(other, "straight-flush")
    before = pot_of(house).units
    if spent:
        rest = winner.purse()[0]
        Operator(house).withdraw(winner.player_id, rest, "gone")
    done = Operator(house).void(reply.round.id, "the display froze")
    assert done.taken_cents + done.debt_cents >= won - price
    assert bool(done.debt_cents) is spent
    assert pot_of(house).units == before  # it waits for a fold like any part
    Housekeeping(house).fold()
    assert pot_of(house).units == before + 2_000_020 * CENT
    assert pot_of(house).funded_units == 2 * START  # the reset stays: it was the house's mistake
    if not spent:
        assert winner.purse() == (100_000, 0)
    fx = rows_of(
        house,
        "SELECT COALESCE(SUM(CASE WHEN credit = 'fx:CAD' THEN units ELSE -units END), 0)"
        " FROM transfers WHERE 'fx:CAD' IN (credit, debit)",
    )
    assert fx == [(0 if currency == "CAD" else -PART,)]  # the conversion is undone; the part stays


def test_a_voided_stake_leaves_its_part_in_the_pot(house: PlayerService) -> None:
    player = Funded(house)
    reply = played(player, "nothing")
    Operator(house).void(reply.round.id, "the display froze")
    assert player.purse() == (100_000, 0)
    Housekeeping(house).fold()
    assert pot_of(house).units == START + PART


def test_the_shipped_sheet_at_its_own_figures_is_the_shipped_sheet() -> None:
    sheet = load(GAME)
    assert isinstance(sheet, Blackjack)
    assert sheet.at_pot(sheet.royal.jackpot).hash == sheet.hash
    assert load("ultimate").jackpot is None
    assert load("ultimate").pot_shares == {}
    with pytest.raises(NotImplementedError):
        load("ultimate").at_pot(sheet.royal.jackpot)
