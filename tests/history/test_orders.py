"""F5: the orders the checker allows, on short histories written by hand."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from history.check import Verdict, check
from history.records import GRANTED, Operation, Request

DAY = {"delay_s": None, "tight": False, "stacked": False}
WHO = {"player_id": "p", "kind": "account", "currency": "CHF", "created_at": "then"}
NOTHING = {"held_cents": 0, "debt_cents": 0, "open_rounds": 0, "voided_rounds": 0, "stopped": None}


class Written:
    """A history of one player and one operator, written by hand."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.add("start", 1, 2, None, args=DAY)
        self.add("operator", 3, 4, {"name": "ada", "token": "a"}, args={"name": "ada"})
        made = {"player_id": "p", "currency": "CHF", "token": "t"}
        self.add("player", 5, 6, made, token="a", args={"currency": "CHF"})

    def add(
        self, kind: str, invoked: int, returned: int | None, told: object, **asked: Any
    ) -> None:
        request = Request(kind, asked.get("token"), asked.get("key"), asked.get("args", {}))
        code = asked.get("code", GRANTED if returned else "")
        text = msgspec.json.encode(told).decode()
        number = len(self.operations) + 1
        self.operations.append(Operation(number, "c", invoked, returned, request, code, text))

    def deposit(
        self, invoked: int, returned: int | None, key: str = "k", balance: int = 500
    ) -> None:
        told = {**WHO, **NOTHING, "balance_cents": balance}
        args = {"player_id": "p", "cents": 500, "reference": ""}
        self.add("deposit", invoked, returned, told, token="a", key=key, args=args)

    def wallet(self, invoked: int, returned: int, cents: int) -> None:
        told = {"currency": "CHF", "balance_cents": cents, "held_cents": 0}
        self.add("wallet", invoked, returned, told, token="t")

    def stops(self, invoked: int, returned: int, *scopes: str) -> None:
        told = {scope: {"scope": scope, "reason": "x", "by": "ada"} for scope in scopes}
        self.add("stops", invoked, returned, {"stopped": told}, token="a")

    def check(self) -> Verdict:
        return check(self.operations)


# A deposit of 500 is requested at 10 and answered at 20. A wallet: request time, answer time,
# cents.
@pytest.mark.parametrize(
    ("wallets", "accepted"),
    [
        pytest.param([(12, 14, 0)], True, id="during a command, of before it"),
        pytest.param([(12, 14, 500)], True, id="during a command, of after it"),
        pytest.param([(21, 22, 0)], False, id="acknowledged, and not seen later"),
        pytest.param([(8, 9, 500)], False, id="seen before it was asked for"),
        pytest.param([(11, 12, 500), (13, 14, 0)], False, id="seen once, and then unseen"),
    ],
)
def test_F5_what_is_read_comes_before_or_after_a_command_as_it_was_told(
    wallets: list[tuple[int, int, int]], accepted: bool
) -> None:
    written = Written()
    written.deposit(10, 20)
    for wallet in wallets:
        written.wallet(*wallet)
    assert written.check().accepted == accepted


@pytest.mark.parametrize(
    ("seen", "accepted"),
    [
        *(([0, 0], True), ([0, 500], True), ([500, 500], True)),  # it has happened or not,
        *(([500, 0], False), ([0, 500, 1000], False), ([250], False)),  # and once at most
    ],
)
def test_F5_what_was_never_answered_has_happened_once_or_not_at_all(
    seen: list[int], accepted: bool
) -> None:
    written = Written()
    written.deposit(10, None)
    for place, cents in enumerate(seen):
        written.wallet(100 + 2 * place, 101 + 2 * place, cents)
    verdict = written.check()
    assert verdict.accepted == accepted
    assert verdict.lost == 1 or not accepted


@pytest.mark.parametrize(("balance", "accepted"), [(500, True), (1000, False)])
def test_F5_a_lost_command_that_is_sent_again_has_one_effect(balance: int, accepted: bool) -> None:
    written = Written()
    written.deposit(10, None)
    written.wallet(12, 13, 500)
    written.deposit(14, 15, balance=balance)
    written.wallet(16, 17, balance)
    assert written.check().accepted == accepted


def test_F5_two_keys_are_two_commands() -> None:
    written = Written()
    written.deposit(10, 20, "k", 500)
    written.deposit(11, 19, "other", 1000)
    written.wallet(21, 22, 1000)
    assert written.check().accepted


def test_F5_a_switch_is_set_once_and_then_seen_by_all() -> None:
    for seen, accepted in ((["", "all"], True), (["all", ""], False)):
        written = Written()
        asked = {"scope": "all", "reason": "x"}
        told = {"stopped": {"all": {**asked, "by": "ada"}}}
        written.add("stop", 10, 40, told, token="a", key="s", args=asked)
        for place, scope in enumerate(seen):
            written.stops(20 + 2 * place, 21 + 2 * place, *([scope] if scope else []))
        assert written.check().accepted == accepted


@pytest.mark.parametrize(("first", "as_a_whole"), [("p", True), ("q", False)])
def test_F5_a_page_of_the_journal_is_read_at_one_moment_for_all_players(
    first: str, as_a_whole: bool
) -> None:
    """It shows a deposit of p and not yet one of q; so p's may come first, but not q's."""
    written = Written()
    made = {**WHO, "player_id": "q"}
    token = {"player_id": "q", "currency": "CHF", "token": "u"}
    written.add("player", 7, 8, token, token="a", args={"currency": "CHF"})
    for player, at in ((first, 20), ({"p": "q", "q": "p"}[first], 30)):
        told = {**made, **NOTHING, "player_id": player, "balance_cents": 500}
        args = {"player_id": player, "cents": 500, "reference": ""}
        written.add("deposit", at, at + 1, told, token="a", key=player, args=args)
    written.add("events", 10, 40, page(deposits=["p"]), token="a", args={"before": None})
    written.add("events", 50, 51, page(deposits=["p", "q"]), token="a", args={"before": None})
    verdict = written.check()
    assert verdict.accepted
    assert verdict.as_a_whole == as_a_whole


def page(deposits: list[str]) -> dict[str, Any]:
    """Return a page of the journal, newest first: two new players, and some deposits."""
    came = {"by": "ada", "before": None, "after": {"currency": "CHF"}, "reason": None}
    paid = {"by": "ada", "before": {"cents": 0}, "after": {"cents": 500}, "reason": None}
    cli = {"by": "cli", "before": None, "after": {"name": "ada"}, "reason": None}
    lines: list[tuple[str, str | None, Any]] = [
        ("operator_created", None, cli),
        ("player_created", "p", came),
        ("player_created", "q", came),
        *(("deposit", player, paid) for player in deposits),
    ]
    events = [
        {"id": place + 1, "at": "", "kind": kind, "player_id": who, "round_id": None, "data": data}
        for place, (kind, who, data) in enumerate(lines)
    ]
    return {"events": events[::-1], "next": None}
