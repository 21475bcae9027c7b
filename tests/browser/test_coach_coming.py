"""The coach's warm-up: the page shows the remaining time, and the console stays empty."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Response, expect

from browser.asking import until_advised
from browser.coaching import READY, SAID, Absent, Late, NotInstalled
from browser.tables import Language, axe
from tapisvert.coach.client import CoachClient, start
from tapisvert.coach.warm import CoachState
from tapisvert.words import catalogue
from tiers import long

pytestmark = long  # the first tier plays whole rounds: test_games.py


@pytest.mark.parametrize("mode", ["always", "warn"])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_on_his_way_he_says_how_long_it_takes_and_then_speaks(
    coached: Any, language: Language, mode: str
) -> None:
    """The page does not ask before the coach is ready: a refusal would be a console error."""
    player, coach = coached(mode, language=language, coach=(late := Late()))
    page = player.page
    player.deal()
    shown = page.locator(".side .coach .warming")
    expect(shown).to_have_text(SAID[language], use_inner_text=True)
    done = shown.locator("progress").evaluate("(bar) => [bar.value, bar.position]")
    assert 0 <= done[0] == done[1] < 1
    assert axe(page) == []
    late.said = CoachState("warming")  # no estimate yet: the process has just started
    expect(shown).to_have_text(catalogue(language).write("coach.warming"))
    assert shown.locator("progress").evaluate("(bar) => bar.position") == -1
    assert coach.asked == []
    late.said = READY
    until_advised(page)
    assert shown.count() == 0


def test_a_coach_who_says_he_is_ready_and_is_not_is_asked_three_times_and_no_more(
    coached: Any,
) -> None:
    player, coach = coached("always", coach=Absent(READY), may_fail=["/advice"])
    player.deal()
    absent = catalogue("en").write("coach.absent")
    expect(player.page.locator(".side .coach")).to_contain_text(absent, timeout=30_000)
    assert len(coach.asked) == 3
    player.choose(0)


def test_a_house_that_cannot_have_a_coach_says_so(coached: Any) -> None:
    player, coach = coached("always", coach=Absent(CoachState("absent")))
    player.deal()
    absent = catalogue("en").write("coach.absent")
    expect(player.page.locator(".side .coach")).to_contain_text(absent)
    assert coach.asked == []


@pytest.mark.parametrize("mode", ["always", pytest.param("warn", marks=long)])
def test_a_server_without_the_extra_says_what_the_coach_needs(coached: Any, mode: str) -> None:
    player, coach = coached(mode, coach=NotInstalled())
    player.deal()
    needs = catalogue("en").write("coach.not-installed")
    expect(player.page.locator(".side .coach")).to_contain_text(needs)
    assert coach.asked == []
    player.choose(0)


@pytest.fixture
def process(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[CoachClient, Callable[[], None]]]:
    """Start the real coach in a separate process; kill it at the end."""
    started = list[subprocess.Popen[bytes]]()
    path = tmp_path_factory.mktemp("coach") / "coach.sock"

    def kill() -> None:
        for each in started:
            each.kill()
            each.wait()

    yield CoachClient(path, start=lambda path: started.append(start(path))), kill
    kill()


def test_his_own_process_with_nothing_on_the_disk_comes_without_an_error(
    coached: Any, process: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The console stays empty from the first question to the answer, however long it takes."""
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        (folder := tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(folder))
    player, _ = coached("always", coach=process[0])
    player.deal()
    player.page.wait_for_selector(".side .coach .warming")
    player.page.wait_for_selector(".side .coach tbody tr", timeout=120_000)
    assert any((tmp_path / "NUMBA_CACHE_DIR").iterdir())  # there was nothing on the disk


def test_killed_he_comes_again_and_is_refused_once_at_most(coached: Any, process: Any) -> None:
    line, kill = process
    player, _ = coached("always", coach=line, may_fail=["/advice"])
    refused = list[str]()

    def hear(answer: Response) -> None:
        if answer.status >= 500:
            refused.append(answer.url)

    player.page.on("response", hear)
    for _ in range(2):
        player.deal()
        player.page.wait_for_selector(".side .coach tbody tr", timeout=120_000)
        player.choose(0)
        kill()
        player.page.keyboard.press("r")
        player.wait("bet")
    assert len(refused) <= 1
