"""Commands of operators, and housekeeping.

An operator's commands run as in the operator's API: token lookup, idempotency key, effect and
reply, all in one transaction.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from crash.stage import KEY, PATIENCE_S, Give, Repeat, Scene
from rounds.guest_seat import Seated
from rounds.house_with_operator import DAY_MS, TABLES, Funded, act, opened, played
from store.spies import busy
from tapisvert.games.registry import SHIPPED
from tapisvert.operations.housekeeping import JUMP_MS, Housekeeping
from tapisvert.operations.operator_service import OperatorService
from tapisvert.players.repository import operator_of
from tapisvert.refusal import Refused
from tapisvert.rounds import PlayerService
from tapisvert.store import SqliteStore, Tx

STUD, WHY = "casino-stud", "the display froze"
LATE_MS = 31 * DAY_MS  # past the delay of every table
Work = Callable[[OperatorService, Tx], object]
Prepare = Callable[[PlayerService], Give]


def scenes() -> Iterator[Scene]:
    """Yield every command of an operator and of housekeeping."""
    yield from _people()
    yield from _money()
    yield from _voids()
    for scope in ("all", f"game:{STUD}", "player"):
        yield Scene(f"office: stop {scope}", "OperatorService.stop", _switch("stop", scope))
        yield Scene(f"office: resume {scope}", "OperatorService.resume", _switch("resume", scope))
    yield from _keeping()


def _people() -> Iterator[Scene]:
    # A player or token whose reply was lost has no money and gives no access.
    yield Scene(
        "office: create player", "OperatorService.create_player", _create_player, Repeat.ANOTHER
    )
    yield Scene("office: new token", "OperatorService.new_token", _new_token, Repeat.ANOTHER)
    yield Scene(
        "office: create operator",
        "OperatorService.create_operator",
        _create_operator,
        Repeat.NOTHING,
    )

    for whose in ("player", "operator", "nobody"):
        yield Scene(f"office: revoke {whose}", "OperatorService.revoke", _revoke(whose))


def _money() -> Iterator[Scene]:
    into, out = "OperatorService.deposit", "OperatorService.withdraw"
    yield Scene("office: deposit", into, _cash("deposit", 5_000))
    yield Scene("office: deposit refused, no amount", into, _cash("deposit", 0))
    yield Scene("office: withdraw", out, _cash("withdraw", 62_50))
    yield Scene("office: withdraw refused, too much", out, _cash("withdraw", 100_001))
    yield Scene("office: withdraw refused, in debt", out, _cash("withdraw", 1, owing=True))
    yield Scene("office: pay debt", "OperatorService.pay_debt", _cash("pay_debt", 0, owing=True))


def _voids() -> Iterator[Scene]:
    for game in SHIPPED:
        yield Scene(f"office: void {game}, open", "OperatorService.void", _void(game, 0))
        yield Scene(f"office: void {game}, settled", "OperatorService.void", _void(game))
    yield Scene("office: void blackjack, insured", "OperatorService.void", _void("blackjack", 1))
    yield Scene("office: void, all of it a debt", "OperatorService.void", _void(STUD, left=0))
    yield Scene("office: void, some of it a debt", "OperatorService.void", _void(STUD, left=800))
    yield Scene(
        "office: void, expired before", "OperatorService.void", _void("blackjack", 1, expired=True)
    )
    yield Scene(
        "office: void refused, voided before", "OperatorService.void", _void(STUD, twice=True)
    )


def _keeping() -> Iterator[Scene]:
    for game in SHIPPED:
        name = f"keeper: sweep {game}"
        yield Scene(name, "Housekeeping.sweep", _sweep([game]), Repeat.NOTHING, later_ms=LATE_MS)
    two, five = ["pai-gow", "blackjack"], [*SHIPPED]
    late: dict[str, Any] = {"repeat": Repeat.NOTHING, "later_ms": LATE_MS}
    yield Scene("keeper: sweep two rounds, two commits", "Housekeeping.sweep", _sweep(two), **late)
    yield Scene(
        "keeper: sweep five rounds, one commit",
        "Housekeeping.sweep",
        _sweep(five, 5),
        busy=1,
        **late,
    )
    yield Scene("keeper: sweep, then seal", "Housekeeping.tick", _tick, **late)
    yield Scene("keeper: seal", "Housekeeping.seal", _seal, Repeat.NOTHING)
    # A restarted house uses the clock it finds: it does not see the earlier change.
    yield Scene("keeper: the clock is set", "Housekeeping.watch_clock", _clock_set, Repeat.ANOTHER)


# Operators ----------------------------------------------------------------------------------------


def _operating(house: PlayerService, asked: list[object], work: Work) -> Give:
    """Return a command of an operator under a key, as `web/operator.py` submits it."""
    token = _operator(house)

    def give(house: PlayerService) -> object:
        def unit(tx: Tx) -> bytes | Refused:
            office = OperatorService(house, operator_of(tx, token))
            return office.once(tx, KEY, asked, lambda: work(office, tx))

        return house.store.write(unit).result(PATIENCE_S)

    return give


def _operator(house: PlayerService) -> str:
    return act(house, lambda operator, tx: operator.create_operator(tx, "bob"), by="cli")["token"]


def _unkeyed(house: PlayerService, token: str, work: Work) -> object:
    """Run a command without a key: its result is shown once, and no money moves."""

    def unit(tx: Tx) -> object:
        office = OperatorService(house, operator_of(tx, token))
        return house.drawing(tx, lambda: work(office, tx))

    return house.store.write(unit).result(PATIENCE_S)


def _create_player(house: PlayerService) -> Give:
    token = _operator(house)
    return lambda house: _unkeyed(
        house, token, lambda operator, tx: operator.create_player(tx, "EUR")
    )


def _new_token(house: PlayerService) -> Give:
    token, player = _operator(house), Funded(house)
    return lambda house: _unkeyed(
        house, token, lambda operator, tx: operator.new_token(tx, player.player_id)
    )


def _create_operator(house: PlayerService) -> Give:
    token = _operator(house)
    return lambda house: _unkeyed(
        house, token, lambda operator, tx: operator.create_operator(tx, "carol")
    )


def _revoke(whose: str) -> Prepare:
    def prepare(house: PlayerService) -> Give:
        act(house, lambda operator, tx: operator.create_operator(tx, "carol"))
        scopes = {"player": f"player:{Funded(house).player_id}", "operator": "operator:carol"}
        scope = scopes.get(whose, "operator:nobody")
        return _operating(
            house, ["revoke", scope], lambda operator, tx: operator.revoke(tx, scope, WHY)
        )

    return prepare


def _cash(kind: str, cents: int, *, owing: bool = False) -> Prepare:
    def prepare(house: PlayerService) -> Give:
        player = Funded(house)
        mine = player.player_id
        if owing:  # the winnings are gone when the round is voided
            round_id = played(player, STUD)
            _leave(player, 0)
            act(house, lambda operator, tx: operator.void(tx, round_id, WHY))
            act(house, lambda operator, tx: operator.deposit(tx, mine, 10_000, "wire"))

        def work(office: OperatorService, tx: Tx) -> object:
            if kind == "pay_debt":
                return office.pay_debt(tx, mine)
            return (office.deposit if kind == "deposit" else office.withdraw)(
                tx, mine, cents, "wire 4711"
            )

        return _operating(house, [kind, mine, cents], work)

    return prepare


def _leave(player: Seated, cents: int) -> None:
    """Withdraw all but this amount."""
    out = player.purse()[0] - cents
    act(player.house, lambda operator, tx: operator.withdraw(tx, player.player_id, out, ""))


def _void(
    game: str,
    answered: int | None = None,
    *,
    left: int | None = None,
    expired: bool = False,
    twice: bool = False,
) -> Prepare:
    """Void a round that is over, or after this many answers, with this balance left."""

    def prepare(house: PlayerService) -> Give:
        player = Funded(house)
        round_id = opened(player, game)
        for step, choice in enumerate(TABLES[game].choices[:answered]):
            player.choose(round_id, choice, step)
        if left is not None:
            _leave(player, left)
        if expired:
            assert Housekeeping(house, lambda: 0).sweep() == 0
            late = PlayerService(house.store, house.dealer, clock=lambda: house.clock() + LATE_MS)
            Housekeeping(late, lambda: 0).sweep()
        if twice:
            act(house, lambda operator, tx: operator.void(tx, round_id, WHY))
        return _operating(
            house, ["void", round_id], lambda operator, tx: operator.void(tx, round_id, WHY)
        )

    return prepare


def _switch(kind: str, scope: str) -> Prepare:
    def prepare(house: PlayerService) -> Give:
        at = f"player:{Funded(house).player_id}" if scope == "player" else scope
        if kind == "resume":
            act(house, lambda operator, tx: operator.stop(tx, at, WHY))

        def work(office: OperatorService, tx: Tx) -> object:
            return (office.stop if kind == "stop" else office.resume)(tx, at, WHY)

        return _operating(house, [kind, at], work)

    return prepare


# The keeper ---------------------------------------------------------------------------------------


def _sweep(games: list[str], together: int = 0) -> Prepare:
    def prepare(house: PlayerService) -> Give:
        for game in games:
            round_id = opened(guest := Funded(house), game)
            if game == "blackjack":
                guest.choose(round_id, "insure")  # lost, and stays lost
        return (lambda house: _sweep_at_once(house, together)) if together else _sweep_now

    return prepare


def _sweep_now(house: PlayerService) -> int:
    return Housekeeping(house, lambda: 0).sweep()


def _sweep_at_once(house: PlayerService, rounds: int) -> int:
    """Sweep while the writer is busy, so that one commit voids all rounds."""
    assert isinstance(house.store, SqliteStore)
    voided: list[int] = []
    sweeper = threading.Thread(target=lambda: voided.append(_sweep_now(house)), daemon=True)
    with busy(house.store):
        sweeper.start()
        while house.store._jobs.qsize() < rounds and sweeper.is_alive():
            time.sleep(0.001)
    sweeper.join(PATIENCE_S)
    return voided[0]


def _tick(house: PlayerService) -> Give:
    opened(Funded(house), "blackjack")
    return lambda house: Housekeeping(house, lambda: 0).tick()


def _seal(house: PlayerService) -> Give:
    Funded(house)  # whose first deposit no seal covers yet
    return lambda house: Housekeeping(house, lambda: 0).seal()


def _clock_set(house: PlayerService) -> Give:
    def give(house: PlayerService) -> None:
        keeper, before = Housekeeping(house, lambda: 0), house.clock
        house.clock = lambda: before() + 2 * JUMP_MS
        keeper.watch_clock()

    return give
