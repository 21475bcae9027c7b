"""Rounds of a game whose package was removed: the house runs, lists them, and refunds them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from game_tables import without
from rounds.guest_seat import Seated, conserved, refusal_of, rows_of
from rounds.house_with_operator import Time, audited, keeper_of, opened, played
from tapisvert.bank.money import UNITS_PER_CENT, RoundTransfer, Transfer
from tapisvert.history import player_history
from tapisvert.history.statistics import statistics
from tapisvert.operations import refunding
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService, player_views
from tapisvert.rounds.draft import Draft
from tapisvert.rounds.round import Round

GAME = "high-card-flush"
STAKES = {"ante": 500, "flush": 300}
TOLD = (f"1 rounds of {GAME}",)
MONTH_MS = 31 * 86_400_000


def not_replayed(house: PlayerService) -> tuple[str, ...]:
    """Audit the house; return the rounds that could not be replayed."""
    found = audited(house)
    assert found.findings == ()
    assert conserved(house)
    return found.uninstalled


def test_an_open_round_is_refunded_at_its_delay_from_what_is_stored(
    house: PlayerService, time: Time
) -> None:
    guest = Seated(house)
    before = guest.wallet().balance_cents
    asked = guest.asking(STAKES, GAME)
    guest.open(asked)
    keeper = keeper_of(house, time)
    with without(house, GAME):
        assert keeper.tick() == 0  # not due yet: unchanged
        assert guest.wallet().balance_cents == before - 800
        assert not_replayed(house) == TOLD
        time.passes(MONTH_MS)
        assert keeper.tick() == 1
        assert guest.wallet().balance_cents == before
        [row] = rows_of(
            house,
            "SELECT state, void_reason, staked_cents, returned_cents FROM rounds WHERE id = ?",
            asked.round_id,
        )
        assert row == ("voided", "expired", 800, 800)
        assert not_replayed(house) == TOLD
    assert not_replayed(house) == ()  # its replay gives exactly the refunded amounts


def test_each_bet_gets_back_what_its_round_still_holds_of_it(
    house: PlayerService, time: Time
) -> None:
    """The insurance is settled, the hand is not; another player's round is a refund of its own."""
    game, guests = "blackjack", [Seated(house), Seated(house)]
    ids = [opened(guest, game) for guest in guests]
    guests[0].choose(ids[0], "insure")
    before = [guest.wallet().balance_cents for guest in guests]
    sums = "SELECT staked_cents, returned_cents FROM rounds WHERE id = ?"
    with without(house, game):
        time.passes(MONTH_MS)
        assert keeper_of(house, time).tick() == 2
        assert [guest.wallet().balance_cents for guest in guests] == [
            balance + 1000 for balance in before
        ]
        assert guests[0].moved()[-1] == ("return", "hand-1", 1000)
    assert [rows_of(house, sums, each) for each in ids] == [[(1500, 1000)], [(1000, 1000)]]
    assert not_replayed(house) == ()


def test_history_names_the_round_and_its_replay_is_refused(house: PlayerService) -> None:
    guest = Seated(house)
    asked = guest.asking(STAKES, GAME)
    guest.open(asked)
    with without(house, GAME):
        [listed] = guest.ask(lambda desk: player_history.rounds(desk, "open", None)).rounds
        assert (listed.id, listed.game) == (asked.round_id, GAME)
        with pytest.raises(Refused, match="round/unknown_edition"):
            guest.ask(lambda desk: player_views.round_reply(desk, asked.round_id))
        assert refusal_of(lambda: guest.choose(asked.round_id, "raise")).code == (
            "round/unknown_edition"
        )


def test_a_finished_round_is_listed_and_left_out_of_the_statistics(house: PlayerService) -> None:
    guest = Seated(house)
    ids = [played(guest, game) for game in ("casino-stud", GAME, "ultimate")]
    with without(house, GAME):
        listed = guest.ask(lambda desk: player_history.rounds(desk, None, None)).rounds
        assert [each.id for each in listed] == ids[::-1]
        told = guest.ask(statistics)
        assert {each.game for each in told.games} == {"casino-stud", "ultimate"}
        assert {each.game for each in told.best_hands} == {"casino-stud", "ultimate"}
        assert (audited(house).rounds, not_replayed(house)) == (2, (f"2 rounds of {GAME}",))


def test_no_seat_is_given_and_no_pending_deal_is_opened(house: PlayerService) -> None:
    guest = Seated(house)
    asked = guest.asking(STAKES, GAME)
    with without(house, GAME):
        for command in (lambda: guest.seat(GAME), lambda: guest.open(asked, "a key")):
            assert refusal_of(command).code == "request/unknown_game"
        assert not_replayed(house) == TOLD


def test_a_game_that_is_installed_and_not_offered_has_no_table(house: PlayerService) -> None:
    guest = Seated(house)
    house.offered = ("casino-stud",)
    assert [game.id for game in house.games()] == ["casino-stud"]
    assert house.game("casino-stud").id == "casino-stud"
    assert refusal_of(lambda: guest.seat(GAME)).code == "request/unknown_game"
    with pytest.raises(Refused, match="request/unknown_game"):
        house.game(GAME)


def test_what_the_round_has_paid_already_counts_as_returned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even money was paid on the first hand; the second hand is still open."""
    sums: list[tuple[int, int]] = []
    monkeypatch.setattr(refunding, "close", lambda *given: sums.append(given[3:]))
    back: list[Transfer] = []
    draft = SimpleNamespace(
        state=SimpleNamespace(purse=lambda _: None), move=lambda _, *given: back.extend(given)
    )
    stored = Round("r", "p", "gone", 1, "", "open", "", b"")
    mine, held, cent = "player:p", "round:r", UNITS_PER_CENT
    moved = [
        RoundTransfer(mine, held, 1000 * cent, "hand-1"),
        RoundTransfer(mine, held, 700 * cent, "hand-2"),
        RoundTransfer(held, mine, 1000 * cent, "hand-1"),
        RoundTransfer("house:gone", mine, 1000 * cent, "hand-1"),
    ]
    refunding.refund(cast(Draft, draft), stored, "expired", moved)
    assert [(each.bet, each.cents) for each in back] == [("hand-2", 700)]
    assert sums == [(1700, 2700)]
