"""Forgeries of a recorded history; the checker must reject each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from history.closing import CLOSER
from history.records import Operation, Request

History = list[Operation]


def edited(each: Operation, told: Any) -> Operation:
    """Return an operation with another answer."""
    return msgspec.structs.replace(each, text=msgspec.json.encode(told).decode())


def put(operations: Sequence[Operation], new: Operation) -> History:
    """Replace an operation by one of the same number."""
    return [new if each.number == new.number else each for each in operations]


def told(each: Operation) -> Any:
    """Decode an answer."""
    return msgspec.json.decode(each.text)


def of_kind(operations: Sequence[Operation], *kinds: str) -> Iterator[Operation]:
    """Return granted operations of these kinds, the middle of the history first."""
    found = [each for each in operations if each.granted and each.request.kind in kinds]
    half = len(found) // 2
    yield from found[half:] + found[:half]


def sent_once(operations: Sequence[Operation], *kinds: str) -> Iterator[Operation]:
    """Return those of these kinds whose key was used once, so that no repeat explains them."""
    keys = Counter((each.request.token, each.request.key) for each in operations)
    for each in of_kind(operations, *kinds):
        if keys[each.request.token, each.request.key] == 1:
            yield each


def a_cent_more(operations: Sequence[Operation]) -> History:
    """A wallet shows one cent too much."""
    each = next(each for each in of_kind(operations, "wallet") if each.client == CLOSER)
    wallet = told(each)
    return put(operations, edited(each, {**wallet, "balance_cents": wallet["balance_cents"] + 1}))


def a_cent_less_won(operations: Sequence[Operation]) -> History:
    """The reply to a choice that ended a round shows a return of one cent less."""
    for each in of_kind(operations, "choose"):
        reply = told(each)
        if reply["round"]["returned_cents"]:
            reply["round"]["returned_cents"] -= 1
            return put(operations, edited(each, reply))
    raise AssertionError("nobody has won anything")


def too_late(operations: Sequence[Operation]) -> History:
    """A command whose effect others have seen is moved to the end."""
    each = next(sent_once(operations, "open"))
    end = max(other.returned or 0 for other in operations)
    moved = msgspec.structs.replace(each, invoked=end + 1, returned=end + 2)
    return put(operations, moved)


def two_exchanged(operations: Sequence[Operation]) -> History:
    """Two commands of one round are exchanged."""
    for each in sent_once(operations, "choose"):
        opened = [
            other
            for other in sent_once(operations, "open")
            if other.request.args["round_id"] == each.request.args["round_id"]
            and (other.returned or 0) < each.invoked
        ]
        if opened:
            first = opened[0]
            spans = (first.invoked, first.returned), (each.invoked, each.returned)
            early = msgspec.structs.replace(each, invoked=spans[0][0], returned=spans[0][1])
            late = msgspec.structs.replace(first, invoked=spans[1][0], returned=spans[1][1])
            return put(put(operations, early), late)
    raise AssertionError("no round was opened and played on")


def done_twice(operations: Sequence[Operation]) -> History:
    """A deposit is acknowledged twice, under two keys, but recorded once."""
    each = next(of_kind(operations, "deposit"))
    again = msgspec.structs.replace(each.request, key="another")
    return after(operations, each, again, told(each))


def lost(operations: Sequence[Operation]) -> History:
    """A deposit is acknowledged, but the money never appears."""
    each = next(of_kind(operations, "deposit"))
    shown = told(each)
    shown["balance_cents"] += 500
    args = {**each.request.args, "cents": 500}
    asked = Request("deposit", each.request.token, "lost", args)
    return after(operations, each, asked, shown)


def never_asked(operations: Sequence[Operation]) -> History:
    """A choice has an effect, but no request."""
    gone = next(sent_once(operations, "choose"))
    return [each for each in operations if each is not gone]


def an_old_answer(operations: Sequence[Operation]) -> History:
    """At the end, without concurrent play, a wallet shows an earlier state."""
    for each in of_kind(operations, "wallet"):
        for other in of_kind(operations, "wallet") if each.client == CLOSER else ():
            if other.request.token == each.request.token and other.text != each.text:
                return put(operations, edited(each, told(other)))
    raise AssertionError("no wallet was looked at twice")


def refused_after_all(operations: Sequence[Operation]) -> History:
    """An executed command is shown as refused."""
    each = next(sent_once(operations, "open"))
    refused = msgspec.structs.replace(each, code="wallet/not_broke", text='{"balance_cents":1}')
    return put(operations, refused)


def another_seed(operations: Sequence[Operation]) -> History:
    """A proof shows a seed that does not match the commitment."""
    each = next(of_kind(operations, "proof"))
    return put(operations, edited(each, {**told(each), "server_seed": "00" * 32}))


def after(
    operations: Sequence[Operation], each: Operation, request: Request, reply: Any
) -> History:
    """Insert a granted operation right after another."""
    returned = each.returned or 0
    new = Operation(len(operations) + 1, each.client, 0, 0, request, each.code)
    history: History = []
    for other in operations:  # make room for two more numbers behind `returned`
        later = {name: getattr(other, name) for name in ("invoked", "returned")}
        moved = {name: at + 2 for name, at in later.items() if at is not None and at > returned}
        history.append(msgspec.structs.replace(other, **moved))
    new.invoked, new.returned = returned + 1, returned + 2
    return [*history, edited(new, reply)]


TAMPERED: dict[str, Callable[[Sequence[Operation]], History]] = {
    "a wallet with a cent more": a_cent_more,
    "a win with a cent less": a_cent_less_won,
    "an effect before its cause": too_late,
    "two commands exchanged": two_exchanged,
    "an effect acknowledged twice": done_twice,
    "an acknowledged effect that is lost": lost,
    "an effect nobody has asked for": never_asked,
    "an answer of before": an_old_answer,
    "a refusal of what was done": refused_after_all,
    "a seed that was not promised": another_seed,
}
