"""F2 away from the tables: players, operators and the keeper, killed at every point."""

from __future__ import annotations

import pytest

from crash.enumeration import Report
from crash.points import AFTER_COMMIT, REPLIED
from crash.reporting import complaints, enumerated, told

PARTS = ("players", "office", "keeper", "jackpot")


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[Report]:
    return enumerated(tmp_path_factory.mktemp("house"), *PARTS)


@pytest.mark.parametrize("part", PARTS)
def test_F2_killed_at_any_point_a_command_of_the_house_is_done_once_or_not_at_all(
    reports: list[Report], part: str
) -> None:
    here = [report for report in reports if report.scene.startswith(f"{part}: ")]
    print(told(here))
    assert complaints(here) == []
    for report in here:
        assert report.points[0] == "BEGIN IMMEDIATE"
        assert report.points[-3:] == ["COMMIT", AFTER_COMMIT, REPLIED]
        assert len(report.points) >= 8


def test_F2_commands_that_share_a_commit_are_enumerated_as_one(reports: list[Report]) -> None:
    points = {report.scene: report.points for report in reports}
    for scene, units, commits in (
        ("players: three commands, one commit", 3, 1),
        ("keeper: sweep five rounds, one commit", 5, 1),
        ("keeper: sweep two rounds, two commits", 2, 2),
    ):
        assert points[scene].count("SAVEPOINT job") == units
        assert points[scene].count("COMMIT") == commits
