"""A player's views: paged lists, statements, recalls; of existing rounds only."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

from rounds.guest_seat import PATIENCE_S, STUD, Seated, read, refusal_of, rows_of, write
from rounds.house_with_operator import Funded, Operator, Time, opened, played
from stores import both_at_length, sqlite_only
from tapisvert.bank import money
from tapisvert.games.registry import SHIPPED
from tapisvert.history import player_history
from tapisvert.rounds import PlayerService, player_views
from tapisvert.rounds.schemas import ReversalView, RoundList, TransferList
from tapisvert.sheets import load

pytestmark = both_at_length

T = TypeVar("T")


def listed(guest: Seated, status: str | None = None, before: int | None = None) -> RoundList:
    return guest.ask(lambda desk: player_history.rounds(desk, status, before))


def statement(guest: Seated, before: int | None = None) -> TransferList:
    return guest.ask(lambda desk: player_history.transfers(desk, before))


def test_a_round_that_is_open_cannot_be_recalled_nor_marked_as_seen(house: PlayerService) -> None:
    guest = Seated(house)
    round_id = opened(guest, STUD)
    for refused in (
        refusal_of(lambda: guest.ask(lambda desk: player_history.recall(desk, round_id))),
        refusal_of(house.mark_seen(guest.token, round_id).result),
    ):
        assert (refused.code, refused.details) == ("round/not_ended", {"round_id": round_id})


def test_a_list_of_another_kind_is_refused(house: PlayerService) -> None:
    refused = refusal_of(lambda: listed(Seated(house), "settled"))
    assert refused.code == "request/malformed"
    assert refused.details == {"reason": "status must be open or unseen"}


def test_a_round_is_unseen_until_its_own_player_has_seen_it(house: PlayerService) -> None:
    guest, other = Seated(house), Seated(house)
    mine, theirs = played(guest, STUD), played(other, STUD)
    again = played(guest, "pai-gow")
    assert [line.id for line in listed(guest, "unseen").rounds] == [again, mine]
    house.mark_seen(guest.token, mine).result(PATIENCE_S)
    assert [line.id for line in listed(guest, "unseen").rounds] == [again]
    assert [line.id for line in listed(other, "unseen").rounds] == [theirs]
    assert [(line.id, line.seen) for line in listed(guest).rounds] == [(again, False), (mine, True)]
    assert guest.ask(lambda desk: player_history.recall(desk, mine)).seen is True
    assert guest.ask(lambda desk: player_history.recall(desk, again)).seen is False
    assert rows_of(house, "SELECT seen FROM rounds WHERE id = ?", mine) == [(1,)]
    refused = refusal_of(house.mark_seen(guest.token, theirs).result)
    assert refused.code == "round/unknown"


def test_a_list_says_when_a_round_began_and_ended_and_what_came_of_it(
    house: PlayerService, time: Time
) -> None:
    guest = Seated(house)
    round_id = opened(guest, STUD)
    (line,) = listed(guest, "open").rounds
    assert (line.id, line.game, line.state) == (round_id, STUD, "open")
    assert (line.opened_at, line.ended_at) == ("2023-11-14T22:13:20.000Z", None)
    assert (line.staked_cents, line.returned_cents) == (1500, None)
    assert (line.seen, line.reversed) == (False, False)
    time.passes(1_001)
    guest.choose(round_id, "play")
    assert listed(guest, "open").rounds == ()
    (line,) = listed(guest).rounds
    assert (line.state, line.ended_at) == ("settled", "2023-11-14T22:13:21.001Z")
    assert (line.staked_cents, line.returned_cents) == (3500, 6000)


def test_rounds_and_transfers_come_in_pages_of_fifty_newest_first(house: PlayerService) -> None:
    guest = Seated(house)
    ids = [read(guest.open()).round.id]
    guest.choose(ids[0], "fold")
    assert (listed(guest).next, statement(guest).next) == (None, None)
    while len(ids) < 50:
        ids.append(read(guest.open()).round.id)
        guest.choose(ids[-1], "fold")
    # One grant and fifty stakes: the last page of rounds is full, and says so.
    first = listed(guest)
    assert [line.id for line in first.rounds] == ids[::-1]
    assert first.next is not None
    rest = listed(guest, before=first.next)
    assert (rest.rounds, rest.next) == ((), None)
    moved = statement(guest)
    assert [line.reason for line in moved.transfers] == ["stake"] * 50
    older = statement(guest, moved.next)
    assert [(line.reason, line.cents) for line in older.transfers] == [("grant", 100_000)]
    assert older.next is None
    half = listed(
        guest, before=rows_of(house, "SELECT seq FROM rounds WHERE id = ?", ids[25])[0][0]
    )
    assert [line.id for line in half.rounds] == ids[24::-1]
    assert half.next is None


def test_the_statement_of_one_player_has_nothing_of_another(house: PlayerService) -> None:
    guest, other = Seated(house), Seated(house)
    played(guest, STUD)
    lines = statement(guest).transfers
    assert [(line.reason, line.bet, line.cents) for line in lines][-1] == ("grant", None, 100_000)
    assert sum(line.cents for line in lines) == guest.purse()[0] == 102_500
    assert [line.reason for line in statement(other).transfers] == ["grant"]
    assert {line.at for line in lines} == {"2023-11-14T22:13:20.000Z"}


def test_a_round_is_shown_from_the_event_that_was_asked_for(house: PlayerService) -> None:
    guest = Seated(house)
    round_id = opened(guest, STUD)
    whole = read(guest.shown(round_id)).round.events
    assert len(whole) > 3
    for since in (-5, 0, 3):
        part = guest.ask(partial(player_views.round_reply, round_id=round_id, since=since))
        assert part.round.events == whole[max(since, 0) :]


def test_every_game_is_described_by_its_name_and_no_other(house: PlayerService) -> None:
    views = house.games()
    assert [view.id for view in views] == list(SHIPPED)
    assert [house.game(game) for game in SHIPPED] == views
    refused = refusal_of(lambda: house.game("roulette"))
    assert (refused.code, refused.details) == ("request/unknown_game", {"game": "roulette"})


def test_a_round_that_is_over_is_told_again_whole(house: PlayerService, time: Time) -> None:
    guest = Seated(house)
    round_id = opened(guest, "blackjack")
    guest.choose(round_id, "insure")
    time.passes(2_500)
    guest.choose(round_id, "stand", 1)
    played(guest, "ultimate")  # what comes after is not in it
    told = guest.ask(lambda desk: player_history.recall(desk, round_id))
    assert told.replay is True
    assert told.choices == ("insure", "stand")
    assert (told.balance_before_cents, told.balance_after_cents) == (100_000, 100_500)
    shown = read(guest.shown(round_id)).round
    assert told.round == shown
    assert [event.n for event in told.round.events] == list(range(len(shown.events)))
    assert (told.round.opened_at, told.round.ended_at) == (
        "2023-11-14T22:13:20.000Z",
        "2023-11-14T22:13:22.500Z",
    )


def test_a_reversal_is_shown_at_its_own_round_with_all_its_figures(
    house: PlayerService, time: Time
) -> None:
    player = Funded(house, 10_000)
    kept, lost, won = (played(player, game) for game in ("pai-gow", "ultimate", STUD))
    time.passes(1_000)
    Operator(house).void(lost, "a first")
    rest = player.purse()[0] - 800
    Operator(house).withdraw(player.player_id, rest, "")
    time.passes(1_000)
    Operator(house).void(won, "a second")
    shown = [read(player.shown(each)).round.reversal for each in (kept, lost, won)]
    assert shown == [
        None,
        ReversalView("2023-11-14T22:13:21.000Z", "a first", 6_000, 0, 0),
        ReversalView("2023-11-14T22:13:22.000Z", "a second", 500, 1_300, 1_700),
    ]
    flags = {line.id: line.reversed for line in listed(player).rounds}
    assert flags == {kept: False, lost: True, won: True}


@sqlite_only
def test_no_round_and_no_transfer_is_too_new_to_be_listed(house: PlayerService) -> None:
    guest, newest = Seated(house), 2**63 - 2
    mine, round_id = money.player_account(guest.player_id), opened(guest, STUD)
    write(house, "UPDATE rounds SET seq = ? WHERE id = ?", newest, round_id)
    assert [line.id for line in listed(guest).rounds] == [round_id]
    write(
        house,
        "INSERT INTO transfers (id, at_ms, debit, credit, currency, units, reason, player_id)"
        " VALUES (?, 0, 'cashier:FUN', ?, 'FUN', 100000, 'grant', ?)",
        *(newest, mine, guest.player_id),
    )
    assert statement(guest).transfers[0].id == newest


def test_a_purse_holds_what_all_open_rounds_hold_together(house: PlayerService) -> None:
    guest = Seated(house)
    opened(guest, "casino-stud")
    opened(guest, "ultimate")
    assert guest.wallet().held_cents == 1500 + 2000


def test_a_question_that_waits_is_shown_with_all_that_is_staked_and_seen(
    house: PlayerService,
) -> None:
    guest = Seated(house)
    round_id = opened(guest, "blackjack")
    guest.choose(round_id, "insure")
    sheet, ask, hands, stakes = guest.ask(lambda desk: player_views.waiting(desk, round_id))
    assert sheet == load("blackjack")
    assert (ask.step, ask.key, ask.hand) == (1, "play", "hand-1")
    assert hands == {"hand-1": ("Th", "9s"), "house": ("Ad", "??")}
    assert stakes == {"hand-1": 1000, "insurance-1": 500}


def test_a_round_that_asks_nothing_or_is_anothers_has_no_question(house: PlayerService) -> None:
    guest, other = Seated(house), Seated(house)
    over = played(guest, STUD)
    waits = opened(guest, STUD)
    for who, round_id, code in ((guest, over, "round/ended"), (other, waits, "round/unknown")):
        asking = partial(player_views.waiting, round_id=round_id)
        refused = refusal_of(partial(who.ask, asking))
        assert (refused.code, refused.details) == (code, {"round_id": round_id})
