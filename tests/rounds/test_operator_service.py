"""The operator service: its views, and idempotency."""

from __future__ import annotations

import inspect
from functools import partial

import msgspec

from rounds.guest_seat import Seated, refusal_of, rows_of, write
from rounds.house_with_operator import Funded, Operator, Time, act, opened, recorded
from stores import both_at_length, sqlite_only
from tapisvert.operations.operator_commands import OperatorCommands
from tapisvert.operations.operator_service import OperatorService
from tapisvert.operations.operator_views import PlayerView
from tapisvert.refusal import Refused, unwrap
from tapisvert.rounds import PlayerService
from tapisvert.store import Tx

pytestmark = both_at_length


def pay_in(
    house: PlayerService, player_id: str, cents: int, key: str | None, by: str = "anne"
) -> bytes:
    def work(office: OperatorCommands) -> bytes | Refused:
        asked = [player_id, cents]
        return office.once(key, asked, lambda: office.deposit(player_id, cents, "wire"))

    return unwrap(act(house, work, by))


def test_the_same_key_of_an_operator_gets_the_same_bytes_and_pays_in_once(
    house: PlayerService,
) -> None:
    player = Funded(house, 0)
    first = pay_in(house, player.player_id, 500, "k")
    assert pay_in(house, player.player_id, 500, "k") == first
    assert msgspec.json.decode(first, type=PlayerView).balance_cents == 500
    assert player.purse() == (500, 0)
    other = refusal_of(partial(pay_in, house, player.player_id, 501, "k"))
    assert other.code == "idempotency/reused"
    assert player.purse() == (500, 0)


def test_two_operators_never_share_a_key(house: PlayerService) -> None:
    player = Funded(house, 0)
    pay_in(house, player.player_id, 500, "k", by="anne")
    pay_in(house, player.player_id, 500, "k", by="bert")
    assert player.purse() == (1000, 0)
    assert [event["by"] for event in recorded(house, "deposit")] == ["anne", "bert"]
    kept = rows_of(house, "SELECT operator, key, at_ms FROM operator_commands ORDER BY operator")
    assert kept == [("anne", "k", 1_700_000_000_000), ("bert", "k", 1_700_000_000_000)]


def test_a_refusal_is_kept_with_the_key_of_an_operator(house: PlayerService) -> None:
    player = Funded(house, 0)
    for _ in range(2):
        refused = refusal_of(partial(pay_in, house, player.player_id, 0, "k"))
        assert refused.code == "cashier/amount"
    assert rows_of(house, "SELECT COUNT(*) FROM operator_commands") == [(1,)]


def test_what_a_refused_act_had_written_is_undone(house: PlayerService) -> None:
    player = Funded(house, 0)

    def work(office: OperatorCommands) -> bytes | Refused:
        def act() -> None:
            office.stop("all", "why")
            office.deposit(player.player_id, 500, "wire")
            raise Refused("cashier/amount")

        return office.once("k", "asked", act)

    for _ in range(2):
        assert refusal_of(lambda: unwrap(act(house, work))).code == "cashier/amount"
    assert player.purse() == (0, 0)
    assert rows_of(house, "SELECT scope FROM switches") == []
    assert rows_of(house, "SELECT key FROM operator_commands") == [("k",)]


def test_an_operator_needs_a_usable_key(house: PlayerService) -> None:
    player = Funded(house, 0)
    for key in (None, "", "k" * 256, "é", "a\nb"):
        refused = refusal_of(partial(pay_in, house, player.player_id, 500, key))
        assert refused.code == "idempotency/missing"
    assert player.purse() == (0, 0)


def test_a_player_is_shown_with_money_debts_and_rounds(
    house: PlayerService, time: Time, anne: Operator
) -> None:
    other = Seated(house)
    time.passes(60_000)
    player = Funded(house, 10_000, "EUR")
    time.passes(1500)
    opened(player, "casino-stud")
    opened(player, "pai-gow")
    opened(other, "casino-stud")
    round_id = opened(player, "high-card-flush")
    anne.void(round_id, "froze")
    anne.stop(scope=f"player:{player.player_id}", reason="asked")
    seen = anne.player(player.player_id)
    assert seen == PlayerView(
        player_id=player.player_id,
        kind="account",
        currency="EUR",
        created_at="2023-11-14T22:14:20.000Z",
        balance_cents=7500,
        held_cents=2500,
        debt_cents=0,
        open_rounds=2,
        voided_rounds=1,
        stopped="asked",
    )


def test_an_event_is_shown_with_when_whose_of_which_round_and_what(
    house: PlayerService, time: Time, anne: Operator
) -> None:
    player = Funded(house, 10_000)
    round_id = opened(player, "casino-stud")
    time.passes(1500)
    anne.void(round_id, "froze")
    voided, deposit, created = anne.events(None)
    assert (voided.id, voided.at) == (3, "2023-11-14T22:13:21.500Z")
    mine = player.player_id
    told = [(each.kind, each.player_id, each.round_id) for each in (voided, deposit)]
    assert told == [("round_voided", mine, round_id), ("deposit", mine, None)]
    assert (voided.data["by"], voided.data["reason"]) == ("anne", "froze")
    assert [each.id for each in (deposit, created)] == [2, 1]
    assert anne.events(2) == [created]


@sqlite_only
def test_no_event_is_too_new_to_be_listed(house: PlayerService, anne: Operator) -> None:
    newest = 2**63 - 2
    added = "INSERT INTO significant_events (id, at_ms, kind, data) VALUES (?, 0, 'last', '{}')"
    write(house, added, newest)
    assert [event.id for event in anne.events(None)] == [newest]


def inside_a_transaction(service: type) -> set[str]:
    """Return the public methods of a service that take a transaction."""
    return {
        name
        for name, method in inspect.getmembers(service, inspect.isfunction)
        if name[0] != "_" and "Tx" in method.__annotations__.values()
    }


@sqlite_only
def test_a_service_runs_its_own_transactions() -> None:
    """`drawing` is for work that is in one already."""
    assert inside_a_transaction(OperatorService) == set()
    assert inside_a_transaction(PlayerService) <= {"drawing"}

    class Older(OperatorService):
        def deposit(self, tx: Tx, cents: int) -> None:
            """Control: a command as it was."""

    assert inside_a_transaction(Older) == {"deposit"}
