"""F2: every command of every game and of the house, killed at its points.

`make test` takes every command of every part in one scene at least, and kills it at one point in
forty and at every kind of statement in some scene; the second tier takes every scene and point.
"""

from __future__ import annotations

from itertools import chain

import pytest

from crash.enumeration import Report, one_in
from crash.game_scenes import GAMES
from crash.points import AFTER_COMMIT, REPLIED
from crash.reporting import complaints, enumerated, told
from tiers import long

PARTS = (*GAMES, "players", "office", "keeper", "jackpot")
SHARED = {  # units and commits; commands of players that share a commit are one unit
    "players: three commands, one commit": (1, 1),
    "keeper: sweep five rounds, one commit": (5, 1),
    "keeper: sweep two rounds, two commits": (2, 2),
}
AT_A_TABLE = {"PlayerService.seat", "PlayerService.open", "PlayerService.choose"}


@pytest.fixture(
    scope="module", params=[pytest.param(40, id="sampled"), pytest.param(1, id="every", marks=long)]
)
def reports(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[Report]:
    return enumerated(tmp_path_factory.mktemp("points"), *PARTS, one_in=request.param)


@pytest.mark.parametrize("part", PARTS)
def test_F2_killed_at_any_point_a_command_is_done_once_or_not_at_all(
    reports: list[Report], part: str
) -> None:
    here = [report for report in reports if report.scene.startswith(f"{part}: ")]
    print(told(here))
    assert complaints(here) == []
    assert part not in GAMES or {report.command for report in here} == AT_A_TABLE
    for report in here:
        assert report.points[0] == "BEGIN IMMEDIATE"
        assert report.points[-3:] == ["COMMIT", AFTER_COMMIT, REPLIED]
        assert len(report.points) >= 8


def test_F2_commands_are_killed_before_every_kind_of_statement(reports: list[Report]) -> None:
    killed = set(chain.from_iterable(report.killed_at for report in reports))
    assert killed == set(chain.from_iterable(report.points for report in reports))
    print(told(reports))


def test_F2_commands_that_share_a_commit_are_enumerated_as_one(reports: list[Report]) -> None:
    points = {report.scene: report.points for report in reports}
    assert points.keys() >= {"players: three commands, one commit"}
    for scene in points.keys() & SHARED.keys():
        assert (points[scene].count("SAVEPOINT job"), points[scene].count("COMMIT")) == SHARED[
            scene
        ]


def test_F2_one_in_one_is_every_point_and_a_sample_begins_elsewhere_in_every_scene() -> None:
    points = ["a", "b", "c", "d", "e", "f"]
    assert one_in(1)(points) == [1, 2, 3, 4, 5, 6]
    sample = one_in(3)
    assert sample(points) == [1, 2, 3, 4, 5, 6]  # each is new
    assert [sample(points) for _ in range(3)] == [[2, 5], [3, 6], [1, 4]]
