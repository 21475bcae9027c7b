"""The warm-up: order of games, progress, and estimate of the remaining time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tapisvert.coach.warm import GUESS_AFTER_S, LIBRARY, SECONDS, Warming
from tapisvert.games import registry

GAMES = [name for name in SECONDS if name != LIBRARY]


class Machine:
    """A simulated machine whose steps take a share of the measured time, on a fake clock."""

    def __init__(self, speed: float = 1.0) -> None:
        self.now, self.speed, self.did = 0.0, speed, list[str]()
        self.meanwhile: Callable[[str], None] = lambda name: None
        self.warming = Warming(self.do, lambda: self.now)

    def do(self, name: str) -> None:
        """Advance the clock by the time of a step; run a query halfway."""
        for _ in range(2):
            self.now += self.speed * SECONDS[name] / 2
            self.meanwhile(name)
            self.meanwhile = lambda name: None
        self.did.append(name)


def test_every_game_is_warmed_after_the_library() -> None:
    assert set(SECONDS) == {LIBRARY, *registry.GAMES}
    machine = Machine()
    machine.warming.run()
    assert machine.did == [LIBRARY, *GAMES]
    assert machine.warming.state().state == "ready"


@pytest.mark.parametrize("game", GAMES)
def test_the_game_that_somebody_waits_for_is_the_next(game: str) -> None:
    machine = Machine()
    machine.warming.want(game)
    machine.warming.run()
    assert machine.did[:2] == [LIBRARY, game]
    assert sorted(machine.did) == sorted(SECONDS)


def test_one_that_is_asked_for_meanwhile_is_the_next_and_one_that_is_warm_stays_so() -> None:
    machine = Machine()
    machine.warming.want("ultimate")

    def meanwhile(name: str) -> None:
        for game in ("pai-gow", "ultimate", "blackjack"):
            machine.warming.want(game)

    machine.meanwhile = meanwhile
    machine.warming.run()
    assert machine.did[:4] == [LIBRARY, "blackjack", "ultimate", "pai-gow"]
    assert len(machine.did) == len(SECONDS)


@pytest.mark.parametrize("speed", [0.5, 1.0, 4.0])
def test_the_time_left_is_what_it_takes_once_a_game_has_shown_the_speed(speed: float) -> None:
    machine, told = Machine(speed), dict[str, tuple[float, int | None]]()
    real = machine.do

    def do(name: str) -> None:
        state = machine.warming.state()
        told[name] = (machine.now, state.seconds_left)
        assert (state.state, state.of) == ("warming", len(SECONDS))
        assert state.done == len(machine.did)
        real(name)

    machine.warming = Warming(do, lambda: machine.now)
    machine.warming.run()
    for name in GAMES[1:]:
        at, left = told[name]
        assert left is not None
        assert left == pytest.approx(machine.now - at, abs=1)


def test_with_everything_on_the_disk_nobody_is_frightened() -> None:
    """Before the first game is warm, an estimate would assume an empty cache."""
    machine, told = Machine(0.01), list[int | None]()
    real = machine.do

    def do(name: str) -> None:
        told.append(machine.warming.state("pai-gow").seconds_left)
        real(name)

    machine.warming = Warming(do, lambda: machine.now)
    machine.warming.run()
    assert told[:2] == [None, None]
    assert max(each for each in told if each is not None) <= 1


def test_on_an_empty_disk_a_guess_is_made_soon_and_goes_down_but_never_to_nothing() -> None:
    machine, told = Machine(), list[int | None]()

    def do(name: str) -> None:
        if name == "pai-gow":
            for _ in range(2 * int(SECONDS[name])):  # twice as long as anywhere else
                machine.now += 1
                told.append(machine.warming.state("pai-gow").seconds_left)

    machine.warming = Warming(do, lambda: machine.now)
    machine.warming.want("pai-gow")
    machine.warming.run()
    unknown = int(GUESS_AFTER_S)
    assert told[:unknown] == [None] * unknown
    known = [each for each in told[unknown:] if each is not None]
    assert len(known) == len(told) - unknown
    assert known[0] == SECONDS["pai-gow"] - unknown - 1
    first = known[: int(SECONDS["pai-gow"]) - unknown - 4]
    assert first == sorted(first, reverse=True)
    assert min(known) >= 1


def test_a_game_that_is_warm_is_ready_while_others_are_not_and_one_that_failed_is_absent() -> None:
    machine = Machine()

    def do(name: str) -> None:
        if name == "blackjack":
            raise ValueError
        if name == "pai-gow":
            state = machine.warming.state
            assert (state("casino-stud").state, state("pai-gow").state) == ("ready", "warming")
            assert (state("blackjack").state, state().state) == ("absent", "absent")
            machine.did.append(name)

    machine.warming = Warming(do)
    machine.warming.run()
    assert machine.did == ["pai-gow"]
    assert machine.warming.state("pai-gow").state == "ready"
