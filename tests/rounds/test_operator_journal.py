"""S3: every act of an operator is journalled whole, and answered with the state after it.

Each act has its time, who, whose, before, after and why (docs/operate.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from rounds.guest_seat import refusal_of, rows_of
from rounds.house_with_operator import Funded, Operator, Time, findings
from rounds.house_with_pot import CENT, GAME, START, dealt, potted
from tapisvert.operations.jackpot_views import PotReport
from tapisvert.operations.operator_views import NewPlayer, PlayerView, Revoked
from tapisvert.operations.voiding import Voided

MS = 1_700_000_000_000
FIGURES = {"reset_cents": 2_000_000, "contribution": "2030843:10000000"}
QUEUED: dict[str, Any] = {"next_reset_cents": None, "next_contribution": None}
POT = {"pot": GAME, "epoch": 1, "units": START, **FIGURES, **QUEUED}
REPORT = PotReport(
    pot=GAME,
    currency="CAD",
    epoch=1,
    reset_cents=2_000_000,
    contribution="2030843:10000000",
    next_reset_cents=None,
    next_contribution=None,
    awards=0,
    funded_units=START,
    gathered_units=0,
    awarded_units=0,
    held_units=START,
    shown_units=START,
    waiting_units=0,
    difference_units=0,
    as_of="2023-11-14T22:13:20.000Z",
    rates={},
    stopped=None,
)


class Office:
    """A house with a pot, a player and an operator; every act is a second after the last."""

    def __init__(self, path: Path) -> None:
        self.time = Time()
        self.house = potted(path, clock=self.time.wall)
        self.player = Funded(self.house, 10_000, "EUR")
        self.anne = Operator(self.house)
        self.seen = len(self.journal())

    def journal(self) -> list[tuple[Any, ...]]:
        rows = rows_of(
            self.house,
            "SELECT at_ms, kind, player_id, round_id, data FROM significant_events ORDER BY id",
        )
        told = [(*head, msgspec.json.decode(data)) for *head, data in rows]
        assert {each[-1].pop("by") for each in told} == {"anne"}
        return [
            (at_ms - MS, kind, player, round_id, *map(data.get, ("before", "after", "reason")))
            for at_ms, kind, player, round_id, data in told
        ]

    def act(self, name: str, *given: Any, **named: Any) -> tuple[Any, list[tuple[Any, ...]]]:
        """Act, a second later; return the answer, and what the journal has new."""
        self.time.passes(1000)
        answer = getattr(self.anne, name)(*given, **named)
        new = self.journal()[self.seen :]
        self.seen += len(new)
        assert findings(self.house) == ()
        return answer, new


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path / "tapis.db")
    yield made
    made.house.store.close()


def test_S3_a_pot_opened_and_a_player_created_and_paid_in(office: Office) -> None:
    mine = office.player.player_id
    assert office.journal() == [
        (0, "jackpot_opened", None, None, None, POT, None),
        (0, "player_created", mine, None, None, {"currency": "EUR"}, None),
        (0, "deposit", mine, None, {"cents": 0}, {"cents": 10_000}, "first"),
    ]


def test_S3_rates_and_figures_of_a_pot(office: Office) -> None:
    rate = {"pot": GAME, "currency": "EUR"}
    report = msgspec.structs.replace(REPORT, rates={"EUR": "1.4700"})
    before, after = {**rate, "rate": None}, {**rate, "rate": "1.4700", "id": 1}
    said = office.act("set_rate", GAME, "EUR", "1.4700")
    assert said == (report, [(1000, "rate_set", None, None, before, after, None)])
    report = msgspec.structs.replace(REPORT, rates={"EUR": "1.5000"})
    before, after = {**rate, "rate": "1.4700"}, {**rate, "rate": "1.5000", "id": 2}
    said = office.act("set_rate", GAME, "EUR", "1.5000")
    assert said == (report, [(2000, "rate_set", None, None, before, after, None)])
    report = msgspec.structs.replace(report, next_reset_cents=3_000_000)
    queued = {**POT, "next_reset_cents": 3_000_000}
    said = office.act("set_jackpot", GAME, reset_cents=3_000_000, reason=" licence ")
    assert said == (report, [(3000, "jackpot_changed", None, None, POT, queued, "licence")])
    report = msgspec.structs.replace(report, next_contribution="1:4")
    both = {**queued, "next_contribution": "1:4"}
    said = office.act("set_jackpot", GAME, contribution="25", reason="licence")
    assert said == (report, [(4000, "jackpot_changed", None, None, queued, both, "licence")])
    assert office.anne.jackpots() == [report]


def switch(scope: str, reason: str | None) -> dict[str, str | None]:
    return {"scope": scope, "stopped": reason}


@pytest.mark.parametrize("scope", ["all", "game:blackjack", "jackpot:blackjack", "player"])
def test_S3_a_stop_a_stop_again_and_a_start(office: Office, scope: str) -> None:
    whose = office.player.player_id if scope == "player" else None
    scope = f"player:{whose}" if whose else scope
    off = {"scope": scope, "reason": "look", "by": "anne"}
    event = (1000, "stopped", whose, None, switch(scope, None), switch(scope, "look"), "look")
    assert office.act("stop", scope, "look") == ({scope: off}, [event])
    event = (2000, "stopped", whose, None, switch(scope, "look"), switch(scope, "more"), "more")
    assert office.act("stop", scope, "more") == ({scope: {**off, "reason": "more"}}, [event])
    other = {"game:ultimate": {"scope": "game:ultimate", "reason": "too", "by": "anne"}}
    office.act("stop", "game:ultimate", "too")
    assert office.anne.stopped() == {scope: {**off, "reason": "more"}, **other}
    shown = office.anne.jackpots()[0].stopped
    assert shown == ("more" if scope == "jackpot:blackjack" else None)
    event = (4000, "resumed", whose, None, switch(scope, "more"), switch(scope, None), "fine")
    assert office.act("resume", scope, "fine") == (other, [event])
    assert office.act("resume", scope, "fine") == (other, [])  # it goes on already


def test_S3_money_and_tokens_of_a_player(office: Office) -> None:
    mine = office.player.player_id
    view = PlayerView(mine, "account", "EUR", "2023-11-14T22:13:20.000Z", 9900, 0, 0, 0, 0, None)
    event = (1000, "withdrawal", mine, None, {"cents": 10_000}, {"cents": 9900}, "wire 7")
    assert office.act("withdraw", mine, 100, "wire 7") == (view, [event])
    new, events = office.act("new_token", mine)
    assert new == NewPlayer(mine, "EUR", new.token)
    one = {"sessions": 1}
    assert events == [(2000, "token_replaced", mine, None, one, one, None)]
    event = (3000, "token_revoked", mine, None, one, {"sessions": 0}, "left")
    assert office.act("revoke", f"player:{mine}", "left") == (Revoked(f"player:{mine}", 1), [event])


def test_S3_an_operator_made_and_revoked(office: Office) -> None:
    made, events = office.act("create_operator", "bert")
    assert made == {"name": "bert", "token": made["token"]}
    assert events == [(1000, "operator_created", None, None, None, {"name": "bert"}, None)]
    before, after = {"name": "bert"}, {"name": None}
    event = (2000, "operator_revoked", None, None, before, after, "left")
    assert office.act("revoke", "operator:bert", "left") == (Revoked("operator:bert", 1), [event])


def test_S3_a_round_voided_while_it_is_open(office: Office) -> None:
    office.act("set_rate", GAME, "EUR", "1.5000")
    mine, round_id = office.player.player_id, dealt(office.player, "nothing", 67).round.id
    before = {"state": "open", "held_cents": 2000, "balance_cents": 7933}
    sums = {"given_cents": 67, "taken_cents": 0, "debt_cents": 0}
    after = {"state": "voided", "held_cents": 0, "balance_cents": 10_000, **sums}
    said = office.act("void", round_id, "froze")
    event = (2000, "round_voided", mine, round_id, before, after, "froze")
    assert said == (Voided(67, 0, 0, 2000), [event])
    waiting = office.anne.jackpots()[0].waiting_units
    assert 0 < waiting < 100 * CENT


LONG = "x" * 200


@pytest.mark.parametrize(
    ("act", "code", "details"),
    [
        (
            ("revoke", f"operator:{LONG}", "why"),
            "revoke/unknown",
            {"scope": f"operator:{LONG}"[:80]},
        ),
        (("revoke", LONG, "why"), "revoke/unknown", {"scope": LONG[:80]}),
        (("stop", f"game:{LONG}", "why"), "switch/unknown", {"scope": f"game:{LONG}"[:80]}),
        (("void", LONG, "why"), "round/unknown", {"round_id": LONG[:64]}),
        (("open_jackpot", LONG, "CAD"), "jackpot/unknown", {"pot": LONG[:64]}),
        (("set_rate", LONG, "EUR", "1"), "jackpot/unknown", {"pot": LONG[:64]}),
        (("set_rate", GAME, "EUR", LONG), "jackpot/rate", {"currency": "EUR", "rate": LONG[:32]}),
        (("set_rate", GAME, LONG, "1"), "player/currency", {"currency": LONG[:8]}),
        (("create_player", LONG), "player/currency", {"currency": LONG[:8]}),
    ],
    ids=lambda given: given[0] if isinstance(given, tuple) else "",
)
def test_a_refusal_names_what_was_asked_for_cut_to_a_length(
    office: Office, act: tuple[str, ...], code: str, details: dict[str, str]
) -> None:
    refused = refusal_of(partial(getattr(office.anne, act[0]), *act[1:]))
    assert (refused.code, refused.details) == (code, details)
    assert len(office.journal()) == office.seen


@pytest.mark.parametrize(
    ("reason", "taken"), [("", 0), ("   ", 0), ("x" * 501, 0), ("x" * 500, 1), (" x ", 1)]
)
def test_an_act_needs_a_reason_that_can_be_read(office: Office, reason: str, taken: int) -> None:
    stop = partial(office.act, "stop", "all", reason)
    if taken:
        assert stop()[1][0][-1] == reason.strip()
    else:
        assert refusal_of(stop).code == "operator/reason"


@pytest.mark.parametrize(("cents", "taken"), [(0, 0), (1, 1), (10**12, 1), (10**12 + 1, 0)])
def test_a_pot_starts_with_a_cent_or_more(office: Office, cents: int, taken: int) -> None:
    queue = partial(office.anne.set_jackpot, GAME, reset_cents=cents, reason="why")
    if taken:
        assert queue().next_reset_cents == cents
    else:
        refused = refusal_of(queue)
        assert (refused.code, refused.details) == ("jackpot/figures", {"max_cents": 10**12})
