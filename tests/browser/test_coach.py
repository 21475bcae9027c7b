"""The coach in the browser: silent, warning or always speaking; and play goes on without him."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.asking import until_advised
from browser.conftest import Language, Visiting
from browser.tables import Player, axe, plain, serving
from coach.present import Present
from rounds.operated import open_tables
from tapisvert.coach.advice import advise
from tapisvert.coach.line import Line, start
from tapisvert.coach.warm import CoachState
from tapisvert.refusal import Refused
from tapisvert.web.advice import Coach
from tapisvert.words import catalogue

FIRST = {"casino-stud": "ante", "high-card-flush": "ante", "ultimate": "ante"}
FIRST |= {"blackjack": "hand-1", "pai-gow": "main"}
STUD = {"game": "casino-stud", "player": ["Kh", "Kd", "7c", "4s", "2d"], "house": ["Ac"]}


class Absent(Present):
    """On his way; whoever asks him for advice all the same is refused."""

    said = CoachState("warming", 1, 3, 18)

    async def ask(self, position: dict[str, Any]) -> dict[str, Any]:
        """Refuse."""
        self.asked.append(position)
        raise Refused("coach/warming", retry_after_s=2)

    async def state(self, game: str | None = None) -> CoachState:
        """Say how far he is."""
        return self.said


@pytest.fixture
def coached(tmp_path: Path, visit: Visiting) -> Iterator[Any]:
    """Open a table with a coach, in a mode of his; return the player and the coach."""
    with ExitStack() as houses:

        def begin(
            mode: str,
            game: str = "casino-stud",
            language: Language = "en",
            width: int = 1280,
            coach: Coach | None = None,
            may_fail: Sequence[str] = (),
        ) -> tuple[Player, Any]:
            here = coach or Present()
            house = open_tables(tmp_path / f"{game}-{len(list(tmp_path.iterdir()))}.db")
            url = houses.enter_context(serving(house, here))
            made = visit(url, language=language, width=width, height=800 if width > 600 else 740)
            made.may_fail(*may_fail)
            made.page.evaluate(
                "(mode) => localStorage.setItem('settings', JSON.stringify({coach: mode}))", mode
            )
            made.page.goto(f"{url}/table/{game}")
            player = Player(made.page)
            player.press(f".spot.{FIRST[game]}")
            return player, here

        yield begin


def values(page: Page) -> dict[str, str]:
    """Return what stands in the coach's table: the value of each option by its name."""
    page.wait_for_selector(".coach tbody tr", state="attached")
    found: dict[str, str] = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('.side .coach tbody tr')].map("
        "(row) => [row.querySelector('th span').textContent, row.querySelector('b').textContent]))"
    )
    return found


def written(value: float, decimal: str = ".") -> str:
    sign = "−" if value < 0 else "+"
    return sign + f"{abs(value):.4f}".replace(".", decimal)


def test_always_speaking_he_says_what_each_choice_is_worth(coached: Any) -> None:
    player, _ = coached("always")
    player.deal()
    worth = advise(STUD).options
    found = values(player.page)
    assert found == {"Play": written(worth["play"]), "Fold": written(worth["fold"])}
    best = player.page.locator(".acts .option.best")
    assert plain(best.inner_text()).startswith("Play")
    assert written(worth["play"]) in plain(best.inner_text())
    assert player.page.locator(".coach tr.best em").inner_text() == "best"
    expect(player.page.locator("#polite")).to_contain_text("Coach: Play is best")


@pytest.mark.parametrize("game", FIRST)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_round_goes_on_after_he_has_spoken(coached: Any, game: str, language: Language) -> None:
    """An answer names options of its own question only: the next question has others."""
    player, _ = coached("always", game, language)
    player.deal()
    while player.page.locator("main.table").get_attribute("data-phase") == "decide":
        values(player.page)
        player.page.locator(".acts .option:enabled").last.click()
        player.page.wait_for_selector(":is(.decide, .settled)[data-ready]")


def test_what_choices_cost_is_kept_and_added_up(coached: Any) -> None:
    player, _ = coached("always")
    player.deal()
    values(player.page)
    player.choose(1)  # folds kings
    worth = advise(STUD).options
    lost = worth["play"] - worth["fold"]
    shown = player.page.locator(".side .coach .figures").inner_text()
    assert written(-lost) in plain(shown)
    assert catalogue("en").money(round(500 * lost)) in plain(shown)
    kept = player.page.evaluate("JSON.parse(localStorage.getItem('session')).mistakes")
    assert kept == pytest.approx(500 * lost, abs=1e-6)


def test_warning_he_holds_a_costly_choice_back_until_the_player_is_sure(coached: Any) -> None:
    player, _ = coached("warn")
    page = player.page
    player.deal()
    until_advised(page)
    assert page.locator(".coach table").count() == 0
    page.locator(".acts .option").nth(1).click()
    page.wait_for_selector("dialog.costly")
    assert "Best: Play." in page.locator("dialog.costly").inner_text()
    page.locator("dialog.costly .primary").click()  # choose again
    page.wait_for_selector("dialog", state="detached")
    player.wait("decide")
    page.locator(".acts .option").nth(1).click()
    page.wait_for_selector("dialog.costly")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    player.wait("decide")
    page.locator(".acts .option").nth(1).click()
    page.wait_for_selector("dialog.costly")
    page.locator("dialog.costly .acts .act").nth(1).click()  # anyway
    player.wait("settled")


def test_the_best_choice_is_never_held_back_and_the_player_may_ask_for_quiet(coached: Any) -> None:
    player, _ = coached("warn")
    page = player.page
    player.deal()
    until_advised(page)
    page.locator(".acts .option").nth(0).click()
    player.wait("settled")
    page.keyboard.press("r")
    player.wait("bet")
    player.deal()
    until_advised(page)
    page.locator(".acts .option").nth(1).click()
    page.wait_for_selector("dialog.costly")
    page.locator("dialog.costly .pick").click()
    page.locator("dialog.costly .primary").click()
    page.wait_for_selector("dialog", state="detached")
    page.locator(".acts .option").nth(1).click()
    player.wait("settled")


def test_switched_off_he_is_not_asked_and_not_fetched(coached: Any) -> None:
    player, coach = coached("off")
    player.deal()
    player.choose(0)
    assert coach.asked == []
    assert player.page.locator(".coach").count() == 0
    fetched = player.page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    assert not [name for name in fetched if "coach.js" in name]


def test_without_the_coach_play_goes_on(coached: Any) -> None:
    player, coach = coached("always", coach=Absent())
    player.deal()
    player.page.wait_for_selector(".side .coach .warming")
    assert player.page.locator(".banner").count() == 0
    player.choose(0)
    assert coach.asked == []


SAID = {
    "en": "The coach is getting ready: about 20 s left",
    "fr": "Le conseiller se prépare : encore environ 20 s",
}


@pytest.mark.parametrize("mode", ["always", "warn"])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_on_his_way_he_says_how_long_it_takes_and_then_speaks(
    coached: Any, language: Language, mode: str
) -> None:
    """He is not asked before he is ready: a refusal would be an error in the console."""
    player, coach = coached(mode, language=language, coach=(late := Absent()))
    page = player.page
    player.deal()
    shown = page.locator(".side .coach .warming")
    expect(shown).to_have_text(SAID[language], use_inner_text=True)
    done = shown.locator("progress").evaluate("(bar) => [bar.value, bar.position]")
    assert 0 <= done[0] == done[1] < 1
    assert axe(page) == []
    late.said = CoachState("warming")  # nobody knows how long: his process has just been started
    expect(shown).to_have_text(catalogue(language).write("coach.warming"))
    assert shown.locator("progress").evaluate("(bar) => bar.position") == -1
    assert coach.asked == []
    late.ask, late.said = Present().ask, CoachState("ready")  # type: ignore[method-assign]
    until_advised(page)
    assert shown.count() == 0


def test_a_coach_who_says_he_is_ready_and_is_not_is_asked_three_times_and_no_more(
    coached: Any,
) -> None:
    lying = Absent()
    lying.said = CoachState("ready")
    player, coach = coached("always", coach=lying, may_fail=["/advice"])
    player.deal()
    absent = catalogue("en").write("coach.absent")
    expect(player.page.locator(".side .coach")).to_contain_text(absent, timeout=30_000)
    assert len(coach.asked) == 3
    player.choose(0)


def test_a_house_that_cannot_have_a_coach_says_so(coached: Any) -> None:
    nobody = Absent()
    nobody.said = CoachState("absent")
    player, coach = coached("always", coach=nobody)
    player.deal()
    absent = catalogue("en").write("coach.absent")
    expect(player.page.locator(".side .coach")).to_contain_text(absent)
    assert coach.asked == []


@pytest.fixture
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Line, Callable[[], None]]]:
    """Let the real coach come, in a process of his own; and kill him."""
    started = list[subprocess.Popen[bytes]]()
    path = tmp_path_factory.mktemp("coach") / "coach.sock"

    def kill() -> None:
        for each in started:
            each.kill()
            each.wait()

    yield Line(path, start=lambda path: started.append(start(path))), kill
    kill()


def test_his_own_process_with_nothing_on_the_disk_comes_without_an_error(
    coached: Any, process: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The console stays empty from the first question to his answer, however long it takes."""
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
    player.page.on("response", lambda answer: answer.status >= 500 and refused.append(answer.url))
    for _ in range(2):
        player.deal()
        player.page.wait_for_selector(".side .coach tbody tr", timeout=120_000)
        player.choose(0)
        kill()
        player.page.keyboard.press("r")
        player.wait("bet")
    assert len(refused) <= 1


@pytest.mark.parametrize("game", FIRST)
@pytest.mark.parametrize(("language", "width"), [("fr", 1280), ("en", 360)])
def test_at_every_table_values_fit_and_axe_is_silent(
    coached: Any, game: str, language: Language, width: int
) -> None:
    player, _ = coached("always", game, language, width)
    page = player.page
    player.deal()
    until_advised(page)
    assert axe(page) == []
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    page.locator(".bar nav button").last.click()
    page.locator("dialog .menu .act").nth(1).click()
    page.wait_for_selector("dialog.coach .coach tbody tr")
    assert axe(page) == []
    width_of = "document.querySelector('dialog').{}Width"
    assert page.evaluate(width_of.format("scroll")) <= page.evaluate(width_of.format("client"))
