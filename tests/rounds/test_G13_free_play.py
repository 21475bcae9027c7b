"""G13: free play has the same odds, stays separate from real money, and moves no real meter.

A guest and a real-money player play the same deck, stakes and choices at every table.
(tests/browser/test_G13_marked.py checks that pages show which money it is.)
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from houses import Guest, client_of, make_house
from rounds.guest_seat import Seated, rows_of
from rounds.house_with_operator import Funded, finished, opened
from tapisvert.games.registry import SHIPPED
from tapisvert.rounds import PlayerService

ROYAL_FLUSH = "Ks Qs Js Ts As 5c 2c 3d"  # both hands and the up card


@pytest.mark.usefixtures("audited")
def test_G13_the_same_deck_stakes_and_choices_bring_the_same_for_both_kinds_of_money(
    house: PlayerService,
) -> None:
    for game in SHIPPED:
        told = {}
        for player in (Seated(house), Funded(house)):
            reply = finished(player, game, opened(player, game))
            said = msgspec.to_builtins((reply.round.lines, reply.round.events))
            told[reply.wallet.currency] = said
        assert told["FUN"] == told["CAD"], game
        assert set(told) == {"FUN", "CAD"}
    # And play money never meets real money.
    moved = rows_of(
        house,
        "SELECT account, COUNT(DISTINCT currency) FROM (SELECT debit AS account, currency FROM"
        " transfers UNION ALL SELECT credit, currency FROM transfers)"
        " WHERE account LIKE 'player:%' OR account LIKE 'round:%' GROUP BY account",
    )
    assert len(moved) > 10
    assert {count for _, count in moved} == {1}
    owners = rows_of(
        house,
        "SELECT DISTINCT p.currency, t.currency FROM transfers t"
        " JOIN players p ON p.id = t.player_id",
    )
    assert {tuple(row) for row in owners} == {("FUN", "FUN"), ("CAD", "CAD")}


def test_G13_a_royal_flush_at_play_money_wins_the_demonstration_and_feeds_no_jackpot(
    tmp_path: Path,
) -> None:
    house = make_house(tmp_path / "tapis.db", ROYAL_FLUSH)
    with client_of(house) as client:
        guest = Guest(client)
        for _ in range(3):  # the demonstration never moves: three in a row win the same
            stakes = {"hand-1": 100, "hand-2": 100, "royal": 100}
            told = guest.open(stakes, game="blackjack").json()["round"]
            [royal] = [line for line in told["lines"] if line["bet"] == "royal"]
            assert royal["returned_cents"] == 2_000_000
            while told["ask"]:
                choice = "decline" if told["ask"]["key"] == "insurance" else "stand"
                told = guest.choose(told["id"], choice, told["ask"]["step"]).json()["round"]
        names = [row[0] for row in rows_of(house, "SELECT id FROM accounts")]
        assert [name for name in names if name.startswith("jackpot:")] == []
