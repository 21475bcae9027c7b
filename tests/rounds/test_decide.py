"""Deciding a command: pure, deterministic, and correct without a store."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import tapisvert
from rounds.decided_twice import decided_twice
from rounds.guest_seat import read, refusal_of
from rounds.house_with_pot import GAME, HANDS, STAKES
from rounds.in_memory import DOWN, World
from tapisvert.engine.events import Asked
from tapisvert.games.registry import SHIPPED
from tapisvert.players.player import Player
from tapisvert.refusal import Refused, unwrap
from tapisvert.rounds.decide import Answer, Choose, Command, MorePlayMoney, Open, Outcome, TakeSeat
from tapisvert.rounds.idempotency import is_stored
from tapisvert.rounds.round import Round
from tapisvert.rounds.schemas import ChoiceRequest, OpenRequest, Seat, SeatRequest
from tapisvert.testing.random_rounds import random_stakes
from tiers import few_or_many

SOURCES = Path(tapisvert.__file__).parents[1]
PROJECT = SOURCES.parent / "pyproject.toml"
CONTRACT = "Deciding a command is pure"
# Modules a pure function must not import. (Scripts are loaded by entry point; R1 checks them.)
IMPURE = {
    *("asyncio", "concurrent", "multiprocessing", "os", "random", "secrets", "select", "signal"),
    *("socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "psycopg", "litestar"),
}
# A lock around the compilation of types, without which msgspec is not safe (ADR 38): it changes no
# result.
ALLOWED = {"tapisvert.decoding": {"threading"}}


# Pure -----------------------------------------------------------------------------------------


def path_of(module: str) -> Path | None:
    """Return the file of one of our modules."""
    place = SOURCES.joinpath(*module.split("."))
    files = (place.with_suffix(".py"), place / "__init__.py")
    return next((each for each in files if each.exists()), None)


def imported(module: str) -> Iterator[str]:
    """Yield the modules that a module imports, anywhere in its code."""
    path = path_of(module)
    assert path is not None, module
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None
            assert node.level == 0
            for alias in node.names:
                below = f"{node.module}.{alias.name}"
                yield below if path_of(below) else node.module


def reached(first: str) -> dict[str, set[str]]:
    """Return every module of ours reachable from one, each with all its imports."""
    found: dict[str, set[str]] = {}
    left = [first]
    while left:
        module = left.pop()
        if module not in found:
            found[module] = set(imported(module))
            left += [each for each in found[module] if each.startswith("tapisvert")]
    return found


def pure() -> list[str]:
    """Return the modules that must be pure: pyproject.toml lists them for the import rules."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    (found,) = (each for each in contracts if each["name"] == CONTRACT)
    modules: list[str] = found["source_modules"]
    return modules


def test_what_decides_reaches_nothing_but_values_and_rules() -> None:
    found = reached("tapisvert.rounds.decide")
    wrong = {
        module: bad
        for module, names in found.items()
        if (bad := {name for name in names if name.partition(".")[0] in IMPURE})
    }
    assert wrong == ALLOWED
    rooms = {module.split(".")[1] for module in found}
    assert rooms == {
        *("bank", "cards", "dealing", "decoding", "engine", "games", "hmac_sha256"),
        *("players", "refusal", "rounds", "sealing"),
    }


def test_the_import_rules_list_every_module_of_rounds_and_bank_that_decides() -> None:
    mine = ("tapisvert.rounds.", "tapisvert.bank.", "tapisvert.players.")
    assert {each for each in reached("tapisvert.rounds.decide") if each.startswith(mine)} == {
        each for each in pure() if each.startswith(mine)
    }


def test_the_walk_over_imports_finds_what_is_not_pure() -> None:
    """Control: in the modules that load and save, it finds the store, the clock and the threads."""
    found = reached("tapisvert.rounds.groups")
    assert {"tapisvert.store.sqlite", "tapisvert.rounds.repository"} <= set(found)
    names = {name.partition(".")[0] for each in found.values() for name in each}
    assert {"os", "sqlite3", "threading", "time"} <= names & IMPURE


# Right without a store ------------------------------------------------------------------------


class Crowd:
    """Players who submit random commands, valid or not, and the outcomes."""

    def __init__(self, seed: int) -> None:
        self.world, self._keys = World(seed), 0
        self.given: list[tuple[Player, Command, Answer]] = []  # commands with a stored outcome
        self.codes: Counter[str] = Counter()

    def act(self) -> None:
        """Let a player act; repeat the command, and reuse its key with another body."""
        world, chance = self.world, self.world.chance
        player, dealing = chance.choice(world.players), chance.random() > 0.03
        world.stopped = {f"jackpot:{GAME}": "a test"} if chance.random() < 0.3 else {}
        command = self._any(player)
        answer = world.run(player, command, dealing=dealing)
        self.codes[answer.code if isinstance(answer, Refused) else "done"] += 1
        if isinstance(command, TakeSeat):
            assert isinstance(answer, Refused) or world.run(player, command) == answer
        elif not isinstance(answer, Refused) or (command.key and is_stored(answer)):
            self.given.append((player, command, answer))
            self._repeat(*self.given[-1])
            self._repeat(*chance.choice(self.given))

    def _repeat(self, player: Player, command: Command, answer: Answer) -> None:
        """Repeat a command: it gets the first answer again, and nothing changes."""
        world = self.world
        before = world.saved
        assert same(world.run(player, command, dealing=False), answer)
        if isinstance(command, Open | Choose):
            refused = world.run(player, MorePlayMoney(command.key))
            assert isinstance(refused, Refused)
            assert refused.code == "idempotency/reused"
        assert world.saved == before

    def _any(self, player: Player) -> Command:
        world, chance = self.world, self.world.chance
        game = chance.choice(SHIPPED)
        seat, what = world.waiting(player.id, game), chance.random()
        opened = [each for each in world.live[player.id].values() if each.state == "open"]
        if opened and what < 0.6:
            return self._choice(chance.choice(opened))
        if what > 0.95:
            return MorePlayMoney(self._key())
        if seat is None or what > 0.9:
            return TakeSeat(SeatRequest(game if chance.random() < 0.9 else "roulette"))
        return self._stake(seat)

    def _choice(self, stored: Round) -> Command:
        world, chance = self.world, self.world.chance
        question = world.replayed(stored).waiting
        assert isinstance(question, Asked)
        offered = [option.id for option in question.options]
        legal = [option.id for option in question.options if option.why_not is None]
        answer = chance.choices([chance.choice(legal), chance.choice(offered), "x"], (20, 4, 1))[0]
        step = question.step + (chance.random() < 0.05)
        name = stored.id if chance.random() < 0.98 else chance.choice([*world.rounds])
        return Choose(self._key(), name, ChoiceRequest(step, answer), chance.randint(0, 9))

    def _stake(self, seat: Round) -> Command:
        world, chance = self.world, self.world.chance
        sheet = world.sheets[seat.sheet_hash]
        stakes, seed = random_stakes(sheet, chance), chance.choices(["lucky", ""], (20, 1))[0]
        if seat.game == GAME and chance.random() < 0.7:  # for the pot, and won one time in three
            stakes = dict(STAKES)
            seed = chance.choice(["royal-flush", "straight-flush", *HANDS])
        if chance.random() < 0.7:
            stakes = {bet: sheet.spots[bet].min_cents for bet in stakes}
        if chance.random() < 0.05:
            stakes = {**stakes, chance.choice([*stakes, "tip"]): chance.randint(-1, 10**7)}
        commitment = seat.commitment if chance.random() < 0.97 else "0" * 64
        return Open(self._key(), OpenRequest(seat.id, commitment, stakes, seed))

    def _key(self) -> str | None:
        self._keys += 1
        return f"key-{self._keys}" if self._keys % 50 else None


def same(one: Answer, other: Answer) -> bool:
    """Tell whether two answers are equal to their receiver."""
    if isinstance(one, Refused) and isinstance(other, Refused):
        return (one.code, one.details) == (other.code, other.details)
    return one == other


REFUSALS = {
    *("idempotency/missing", "dealing/unavailable", "wallet/insufficient_funds", "seat/unknown"),
    *("wallet/not_broke", "wallet/play_money_only", "choice/not_offered", "choice/not_legal"),
    *("round/stale_step", "round/unknown", "round/already_open", "seat/client_seed"),
    *("request/unknown_game", "stake/unknown", "jackpot/closed"),
}


@pytest.mark.parametrize("commands", few_or_many(1_000, 10_000))
def test_random_rounds_of_all_games_add_up_with_no_store(commands: int) -> None:
    crowd = Crowd(seed=commands)
    world = crowd.world
    sheets = repr(world.house_sheets)
    for _ in range(commands):
        crowd.act()
    assert repr(world.house_sheets) == sheets
    assert set(world.total_units().values()) == {0}
    ended = [each for each in world.rounds.values() if each.state == "settled"]
    for stored in ended:
        world.check_ended(stored)
    waits = sum(part.units for part in world.contributions if part.fold is None)
    assert world.units[world.pot.waiting, "CAD"] == waits
    pot = world.pot
    assert pot.units == pot.funded_units + pot.gathered_units - pot.awarded_units
    # It was about something: every game, wins of the pot, every way to be refused.
    assert {stored.game for stored in ended} == set(SHIPPED)
    assert (world.awards > 2, pot.triggers) == (True, world.awards)
    assert set(crowd.codes) >= {"done", *REFUSALS}


def test_two_worlds_of_one_seed_are_equal() -> None:
    """The outcome depends only on state and command: not on clock or randomness."""
    crowds = Crowd(seed=7), Crowd(seed=7)
    for _ in range(200):
        for crowd in crowds:
            crowd.act()
    one, other = (crowd.world for crowd in crowds)
    assert (one.rounds, one.records, one.moved) == (other.rounds, other.records, other.moved)


# A refusal is its command's own ----------------------------------------------------------------


def opened(world: World, player: Player, game: str, stakes: dict[str, int]) -> Round:
    """Return a new round that waits for a choice."""
    seat = world.run(player, TakeSeat(SeatRequest(game)))
    assert isinstance(seat, Seat)
    asked = OpenRequest(seat.round_id, seat.commitment, stakes, "seed")
    reply = world.run(player, Open(f"open {game}", asked))
    assert isinstance(reply, bytes)
    assert read(reply).round.state == "open"
    return world.rounds[seat.round_id]


def test_a_sheet_that_cannot_be_read_is_refused_to_each_by_a_refusal_of_its_own() -> None:
    world = World(seed=7)
    rounds = [opened(world, each, "casino-stud", {"ante": 100}) for each in world.players[:3:2]]
    gone = Refused("sheet/unreadable", file="casino-stud.toml", reason="gone")
    world.house_sheets = {**world.house_sheets, "casino-stud": gone}
    for player, stored in zip(world.players[:3:2], rounds, strict=True):
        command = Choose("choose", stored.id, ChoiceRequest(0, "play"), 0)
        found = decided_twice(world.state(player, command), command)
        assert isinstance(found, Outcome)
        assert (found.writes, isinstance(found.answer, Refused)) == (None, True)
        refused = refusal_of(lambda: unwrap(found.answer))  # noqa: B023 - now
        assert refused.code == "sheet/unreadable"
        assert refused.details == {**gone.details, "round_id": stored.id}
    assert gone.details == {"file": "casino-stud.toml", "reason": "gone"}
    # The other games remain open.
    assert opened(world, world.players[0], "pai-gow", {"main": 500}).game == "pai-gow"


def test_a_source_that_has_failed_ends_no_round_but_gives_no_seat() -> None:
    world = World(seed=7)
    player = world.players[0]
    stored = opened(world, player, "casino-stud", {"ante": 100})
    command = Choose("choose", stored.id, ChoiceRequest(0, "fold"), 0)
    reply = unwrap(world.run(player, command, dealing=False))
    assert isinstance(reply, bytes)
    assert (read(reply).round.state, read(reply).seat) == ("settled", None)
    seat = TakeSeat(SeatRequest("casino-stud"))
    assert refusal_of(lambda: unwrap(world.run(player, seat, dealing=False))).code == DOWN
    assert msgspec.json.decode(reply)["round"]["id"] == stored.id
