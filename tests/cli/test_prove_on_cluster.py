"""`tapis prove --cluster`: finished proofs are not counted again; each game has its seconds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from cli.typed import typed
from lab.workers import scheduler
from tapisvert.engine.sheet import Sheet
from tapisvert.games.registry import GAMES
from tapisvert.lab import cluster_work, mathematics
from tapisvert.odds.figures import Figure, Outcome, counted
from tapisvert.odds.parallel import Progress, no_progress
from tapisvert.refusal import Refused

ASKED = ("casino-stud", "high-card-flush", "ultimate")
CHANGE = ("--set", "play.pays.flush=9:2")


class Tossed:
    """A quick stand-in for proofs that notes the games it proves, and fails at some of them."""

    def __init__(self) -> None:
        self.games: list[str] = []
        self.failing: set[str] = set()

    def __call__(self, sheet: Sheet, tell: Progress = no_progress) -> list[Figure]:
        if sheet.game in self.failing:
            raise Refused("prove/too_large")
        self.games.append(sheet.game)
        ends = [Outcome("won", 2, Fraction(len(sheet.game), 2)), Outcome("lost", 4, Fraction(-1))]
        return [counted(bet, "optimal", 6, ends) for bet in GAMES[sheet.game].bets]


@pytest.fixture
def tossed(monkeypatch: pytest.MonkeyPatch) -> Tossed:
    made = Tossed()
    monkeypatch.setattr(mathematics, "prove", made)
    return made


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A cluster of one thread of this process."""
    with scheduler(1, processes=False) as started:
        yield started.scheduler_address


def bets(words: tuple[object, ...]) -> list[Any]:
    """Run the command; return the bets of each game."""
    told = typed("prove", *words, "--json")
    assert told.returncode == 0, told.stderr
    return [game["bets"] for game in msgspec.json.decode(told.stdout)]


def test_a_stopped_command_goes_on_with_the_games_that_are_left(
    tossed: Tossed, address: str, tmp_path: Path
) -> None:
    alone = bets(ASKED)
    words = (*ASKED, "--cluster", address, "--keep", tmp_path)
    tossed.games, tossed.failing = [], {"ultimate"}
    assert typed("prove", *words, "--json").stderr.endswith("[prove/too_large]\n")
    assert tossed.games == ["casino-stud", "high-card-flush"]
    (folder,) = tmp_path.glob("prove.*.parts")
    damaged = folder / "000001"
    damaged.write_bytes(damaged.read_bytes()[:-1])
    tossed.games, tossed.failing = [], set()
    assert bets(words) == alone
    assert tossed.games == ["high-card-flush", "ultimate"]
    assert not folder.exists()


def test_parts_of_other_code_are_not_read(
    tossed: Tossed, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (*ASKED, "--cluster", address, "--keep", tmp_path)
    tossed.failing = {"ultimate"}
    typed("prove", *words)
    tossed.games, tossed.failing = [], set()
    monkeypatch.setattr("tapisvert.lab.finished_proofs.code_id", lambda game: "another")
    bets(words)
    assert tossed.games == list(ASKED)


def test_a_sheet_that_is_proved_in_the_folder_is_not_counted_again(
    tossed: Tossed, address: str, tmp_path: Path
) -> None:
    words = ("casino-stud", *CHANGE, "--cluster", address, "--keep", tmp_path)
    first = bets(words)
    assert bets(words) == first
    assert tossed.games == ["casino-stud"]
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".json"]
    other = ("casino-stud", "--set", "play.pays.flush=7:1", *words[3:])
    bets(other)
    assert tossed.games == ["casino-stud"] * 2


def test_every_game_has_the_seconds_of_its_own_count(
    tossed: Tossed, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([10.0, 15.0, 16.0, 18.0])
    monkeypatch.setattr(cluster_work, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    told = typed("prove", *ASKED[:2], "--cluster", address, "--json")
    assert [game["seconds"] for game in msgspec.json.decode(told.stdout)] == [5.0, 2.0]
