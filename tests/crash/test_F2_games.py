"""F2 at the tables: every seat, deal and kind of choice of five games, killed at every point."""

from __future__ import annotations

import pytest

from crash.enumeration import Report
from crash.game_scenes import GAMES
from crash.points import AFTER_COMMIT, REPLIED
from crash.reporting import complaints, enumerated, told


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[Report]:
    return enumerated(tmp_path_factory.mktemp("games"), *GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_F2_killed_at_any_point_a_command_at_a_table_is_done_once_or_not_at_all(
    reports: list[Report], game: str
) -> None:
    here = [report for report in reports if report.scene.startswith(f"{game}: ")]
    print(told(here))
    assert complaints(here) == []
    assert {report.command for report in here} == {"House.seat", "House.open", "House.choose"}
    for report in here:
        assert report.points[0] == "BEGIN IMMEDIATE"
        assert report.points[-3:] == ["COMMIT", AFTER_COMMIT, REPLIED]
        assert len(report.points) > 8
