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
from tapisvert.operations.operator_commands import OperatorCommands
from tapisvert.operations.operator_service import OperatorService, OperatorToken
from tapisvert.rounds import PlayerService
from tapisvert.store import SqliteStore

STUD, WHY = "casino-stud", "the display froze"
LATE_MS = 31 * DAY_MS  # past the delay of every table
Work = Callable[[OperatorCommands], object]
Prepare = Callable[[PlayerService], Give]


def scenes() -> Iterator[Scene]:
    """Yield every command of an operator and of housekeeping."""
    yield from _people()
    yield from _money()
    yield from _voids()
    for scope in ("all", f"game:{STUD}", "player"):
        yield Scene(f"office: stop {scope}", "OperatorCommands.stop", _switch("stop", scope))
        yield Scene(f"office: resume {scope}", "OperatorCommands.resume", _switch("resume", scope))
    yield from _keeping()


def _people() -> Iterator[Scene]:
    # A player or token whose reply was lost has no money and gives no access.
    yield Scene(
        "office: create player", "OperatorCommands.create_player", _create_player, Repeat.ANOTHER
    )
    yield Scene("office: new token", "OperatorCommands.new_token", _new_token, Repeat.ANOTHER)
    yield Scene(
        "office: create operator",
        "OperatorCommands.create_operator",
        _create_operator,
        Repeat.NOTHING,
    )

    for whose in ("player", "operator", "nobody"):
        yield Scene(f"office: revoke {whose}", "OperatorCommands.revoke", _revoke(whose))


def _money() -> Iterator[Scene]:
    into, out = "OperatorCommands.deposit", "OperatorCommands.withdraw"
    yield Scene("office: deposit", into, _cash("deposit", 5_000))
    yield Scene("office: deposit refused, no amount", into, _cash("deposit", 0))
    yield Scene("office: withdraw", out, _cash("withdraw", 62_50))
    yield Scene("office: withdraw refused, too much", out, _cash("withdraw", 100_001))
    yield Scene("office: withdraw refused, in debt", out, _cash("withdraw", 1, owing=True))
    yield Scene("office: pay debt", "OperatorCommands.pay_debt", _cash("pay_debt", 0, owing=True))


def _voids() -> Iterator[Scene]:
    for game in SHIPPED:
        yield Scene(f"office: void {game}, open", "OperatorCommands.void", _void(game, 0))
        yield Scene(f"office: void {game}, settled", "OperatorCommands.void", _void(game))
    yield Scene("office: void blackjack, insured", "OperatorCommands.void", _void("blackjack", 1))
    yield Scene("office: void, all of it a debt", "OperatorCommands.void", _void(STUD, left=0))
    yield Scene("office: void, some of it a debt", "OperatorCommands.void", _void(STUD, left=800))
    yield Scene(
        "office: void, expired before", "OperatorCommands.void", _void("blackjack", 1, expired=True)
    )
    yield Scene(
        "office: void refused, voided before", "OperatorCommands.void", _void(STUD, twice=True)
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
        service = OperatorService(house, OperatorToken(token))
        return service.once(KEY, asked, work).result(PATIENCE_S)

    return give


def _operator(house: PlayerService) -> str:
    return act(house, lambda operator: operator.create_operator("bob"), by="cli")["token"]


def _unkeyed(house: PlayerService, token: str, work: Work) -> object:
    """Run a command without a key: its result is shown once, and no money moves."""
    return OperatorService(house, OperatorToken(token)).command(work).result(PATIENCE_S)


def _create_player(house: PlayerService) -> Give:
    token = _operator(house)
    return lambda house: _unkeyed(house, token, lambda operator: operator.create_player("EUR"))


def _new_token(house: PlayerService) -> Give:
    token, player = _operator(house), Funded(house)
    return lambda house: _unkeyed(
        house, token, lambda operator: operator.new_token(player.player_id)
    )


def _create_operator(house: PlayerService) -> Give:
    token = _operator(house)
    return lambda house: _unkeyed(house, token, lambda operator: operator.create_operator("carol"))


def _revoke(whose: str) -> Prepare:
    def prepare(house: PlayerService) -> Give:
        act(house, lambda operator: operator.create_operator("carol"))
        scopes = {"player": f"player:{Funded(house).player_id}", "operator": "operator:carol"}
        scope = scopes.get(whose, "operator:nobody")
        return _operating(house, ["revoke", scope], lambda operator: operator.revoke(scope, WHY))

    return prepare


def _cash(kind: str, cents: int, *, owing: bool = False) -> Prepare:
    def prepare(house: PlayerService) -> Give:
        player = Funded(house)
        mine = player.player_id
        if owing:  # the winnings are gone when the round is voided
            round_id = played(player, STUD)
            _leave(player, 0)
            act(house, lambda operator: operator.void(round_id, WHY))
            act(house, lambda operator: operator.deposit(mine, 10_000, "wire"))

        def work(office: OperatorCommands) -> object:
            if kind == "pay_debt":
                return office.pay_debt(mine)
            return (office.deposit if kind == "deposit" else office.withdraw)(
                mine, cents, "wire 4711"
            )

        return _operating(house, [kind, mine, cents], work)

    return prepare


def _leave(player: Seated, cents: int) -> None:
    """Withdraw all but this amount."""
    out = player.purse()[0] - cents
    act(player.house, lambda operator: operator.withdraw(player.player_id, out, ""))


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
            act(house, lambda operator: operator.void(round_id, WHY))
        return _operating(house, ["void", round_id], lambda operator: operator.void(round_id, WHY))

    return prepare


def _switch(kind: str, scope: str) -> Prepare:
    def prepare(house: PlayerService) -> Give:
        at = f"player:{Funded(house).player_id}" if scope == "player" else scope
        if kind == "resume":
            act(house, lambda operator: operator.stop(at, WHY))

        def work(office: OperatorCommands) -> object:
            return (office.stop if kind == "stop" else office.resume)(at, WHY)

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
